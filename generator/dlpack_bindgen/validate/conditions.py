"""Checks for keys of mappings. A key is compared with a value by `==`, so it must not be a comparison itself."""

from __future__ import annotations

from collections.abc import Callable

from dlpack_bindgen.language.values import Leaf
from dlpack_bindgen.text import ctext
from dlpack_bindgen.text.ctext import Problem
from dlpack_bindgen.text.diagnostics import Diagnostic
from dlpack_bindgen.validate.facts import ComparedKey

COMPARISONS = ("==", "!=", "<", "<=", ">", ">=")
LOGIC = ("&&", "||")
_OTHERS = ("default", "else", "*")
"""Keys that other tools use for all remaining values."""
_TRUTHS = ("1", "true")


def key_problem(text: str) -> Problem | None:
    """Returns the problem of a string that is never valid as a key, or None."""
    if text in _OTHERS:
        return Problem("compared-key", f"a key is compared with the value, and '{text}' is not a value")
    first = ctext.tokens(text)[0].text if text else ""
    if first not in COMPARISONS:
        return None
    return Problem("compared-key", f"a key is compared with the value by '==', and this begins with '{first}'")


def is_other(text: str) -> bool:
    return text in _OTHERS


def sign_of(text: str) -> str | None:
    """Returns the first comparison or logical operator of the string. Returns None without one or with a `?`."""
    _, signs = ctext.split(text, (*COMPARISONS, *LOGIC, "?"))
    return signs[0] if signs and "?" not in signs else None


def is_truth(of: str) -> bool:
    """Returns whether `of` is a truth value. Then keys can be conditions, as with `of: 1`."""
    return of in _TRUTHS or of.startswith("!") or sign_of(of) is not None


def compared(
    key: Leaf,
    of: str,
    report: Callable[[Diagnostic], None],
    alone: bool = False,
    otherwise: str = "with 'of: 1' keys can be conditions",
) -> None:
    """Reports a key that is a condition.

    `alone` tells whether `{any: [...]}` is valid there. `otherwise` is the hint if the key contains no value.
    """
    sign = sign_of(key.text)
    if sign is None:
        return
    what = "makes a condition of it" if sign in LOGIC else "compares already"
    message = f"a key is compared with the value, and this '{sign}' {what}"
    report(Diagnostic("compared-key", key.span, message, otherwise, facts=ComparedKey(key.text, of, alone)))
