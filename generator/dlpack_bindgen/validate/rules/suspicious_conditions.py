"""Rules for conditions with a surprising meaning in C, such as `a < b < c`, `a & b == c` and `a == B || C`."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

from dlpack_bindgen.language.kinds import Form
from dlpack_bindgen.language.values import Fields, Leaf, c_fragments
from dlpack_bindgen.text import ctext
from dlpack_bindgen.text.ctext import Token
from dlpack_bindgen.text.diagnostics import Diagnostic, Report
from dlpack_bindgen.validate.facts import ChainedComparison, ComparedString, UncomparedConstant

_ORDER = ("<", "<=", ">", ">=")
_EQUALITY = ("==", "!=")
_COMPARISONS = (*_ORDER, *_EQUALITY)
_BITS = ("&", "|", "^")
_ENDS = (",", ";", "?", ":")


class _Found(NamedTuple):
    message: str
    hint: str | None = None
    facts: object = None


def check(spec: Fields, report: Report) -> None:
    for _, leaf in c_fragments(spec, forms=(Form.EXPRESSION, Form.CONDITION, Form.OUTCOME)):
        if any(sign in leaf.text for sign in ("<", ">", "==", "!=")):
            _check(leaf, report)


def _check(leaf: Leaf, report: Report) -> None:
    for level in _levels(leaf.text):
        parts, signs = _split(level, ("&&", "||"))
        found = next((found for part in parts if (found := _of_comparison(part))), None) or _of_constants(parts, signs)
        if found:
            report(Diagnostic("c-condition", leaf.span, found.message, found.hint, facts=found.facts))
            return


def _levels(text: str) -> list[list[Token]]:
    """Returns the token lists between brackets and separators, innermost first. A bracket with its content is one token
    of the outer list."""
    done: list[list[Token]] = []
    levels: list[list[Token]] = [[]]
    inside: list[list[Token]] = [[]]
    """For each open bracket, the tokens since that bracket."""
    for token in ctext.tokens(text):
        is_sign = token.kind == "sign"
        if is_sign and token.text in ("(", "[", "{"):
            levels.append([])
            inside.append([token])
            continue
        if is_sign and token.text in (")", "]", "}") and len(levels) > 1:
            done.append(levels.pop())
            token = Token("other", _written([*inside.pop(), token]))
        inside[-1].append(token)
        if is_sign and token.text in _ENDS:
            done.append(levels[-1])
            levels[-1] = []
        else:
            levels[-1].append(token)
    return [*done, *reversed(levels)]


_WORDS = ("and", "or", "not")


def _split(level: Sequence[Token], signs: Sequence[str]) -> tuple[list[list[Token]], list[str]]:
    parts: list[list[Token]] = [[]]
    found = []
    for token in level:
        if token.kind == "sign" and token.text in signs:
            parts.append([])
            found.append(token.text)
        else:
            parts[-1].append(token)
    return parts, found


def _written(side: Sequence[Token]) -> str:
    text = ""
    for before, token in pairwise([Token("other", ""), *side]):
        words = before.kind in ("name", "number") and token.kind in ("name", "number")
        text += f" {token.text}" if words or before.text == "," else token.text
    return text


def _of_comparison(part: Sequence[Token]) -> _Found | None:
    """Returns the problem of a comparison, or None."""
    sides, signs = _split(part, _COMPARISONS)
    if any(token.text in _WORDS for token in part):
        return None  # another rule reports these words
    for place, (one, other) in enumerate(pairwise(signs)):
        if one in _ORDER and other in _ORDER and not any(token.text in _BITS for token in sides[place + 1]):
            message = f"C compares the result of '{one}', 0 or 1, with the last value"
            return _Found(message, facts=ChainedComparison(tuple(map(_written, sides)), tuple(signs)))
    if len(signs) != 1:
        return None
    for side in sides:
        bits = next((token.text for place, token in enumerate(side) if _is_binary(side, place)), None)
        if bits is not None:
            hint = f"put '{bits}' and its two values into ( )"
            return _Found(f"'{signs[0]}' binds closer than '{bits}' in C", hint)
        if signs[0] in _EQUALITY and len(side) == 1 and side[0].text.startswith('"'):
            is_element = any(token.text.startswith("[") for other in sides for token in other)
            compared = "an element with the address of a string" if is_element else "the addresses of strings"
            facts = ComparedString(tuple(map(_written, sides)), signs[0], is_element)
            return _Found(f"'{signs[0]}' compares {compared}", facts=facts)
    return None


def _of_constants(parts: Sequence[Sequence[Token]], signs: Sequence[str]) -> _Found | None:
    """Returns the problem of a constant beside `||` that is not compared, or None."""
    for place, part in enumerate(parts):
        around = signs[max(0, place - 1) : place + 1]
        sides, equal = _split(parts[place - 1], _COMPARISONS) if place else ([], [])
        if equal == ["=="] and set(around) == {"||"} and _is_constant(part):
            name = part[0].text
            message = f"'{name}' is not compared with anything here: the whole condition is always true"
            return _Found(message, facts=UncomparedConstant(_written(sides[0]), name))
    return None


def _is_binary(side: Sequence[Token], place: int) -> bool:
    token = side[place]
    if token.kind != "sign" or token.text not in _BITS or place == 0:
        return False
    before = side[place - 1]
    is_cast = before.text.endswith("*)")
    is_result = place == 1 and before.text == "%"
    return (before.kind in ("name", "number", "literal", "other") and not is_cast) or is_result


def _is_constant(part: Sequence[Token]) -> bool:
    if len(part) != 1:
        return False
    text = part[0].text
    return (part[0].kind == "number" and text != "0") or (part[0].kind == "name" and len(text) > 1 and text.isupper())
