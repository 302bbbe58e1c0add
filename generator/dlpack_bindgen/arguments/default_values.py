"""Literals of numbers and enums as default values and as fixed values: what a C type can hold, and how C spells it."""

from __future__ import annotations

from collections.abc import Iterator

from dlpack_bindgen.language.values import Leaf
from dlpack_bindgen.text.diagnostics import Diagnostic
from dlpack_bindgen.text.literals import fit, is_floating
from dlpack_bindgen.text.types import CType, NumberKind, is_unknown


def literal_problems(
    literal: Leaf | None, ctype: CType, kind: NumberKind | None, floating_hint: str | None = None
) -> Iterator[Diagnostic]:
    """Yields the problem of a literal that its C type cannot hold. The C compiler would convert it silently."""
    base = ctype.base
    if literal is None or ctype.depth or fit(literal.text, base, kind) != "differs":
        return
    text, hint = literal.text, floating_hint
    if kind == "bool":
        message, hint = f"'{text}' is not a boolean", "write 0 or 1, true or false"
    elif is_floating(text):
        message = f"'{text}' is not an integer, and '{base}' is one"
    else:
        message = f"'{base}' cannot hold {text}"
        hint = f"write ({base}){text} if all bits are meant" if text.startswith("-") else None
    yield Diagnostic("argument-type", literal.span, message, hint)


def initial_value(ctype: CType, value: str) -> str:
    """Returns the value as the initial one of a variable. A `float` gets a literal of its own type."""
    return f"{value}f" if is_floating(value) and value[-1] not in "fFlL" and ctype == CType("float") else value


def is_checked(ctype: CType, kind: NumberKind | None, value: str) -> bool:
    """Returns whether only the compiler can check that a variable can hold the value."""
    if ctype.depth or ctype.is_function or value.startswith("{"):
        return False
    if kind is None and (not is_unknown(ctype) or is_floating(value)):
        return False
    return fit(value, ctype.base, kind) == "unknown"
