"""Helpers of the kinds whose variable is a number."""

from __future__ import annotations

import re
from collections.abc import Iterator

from dlpack_bindgen.c.assertion import Assertion
from dlpack_bindgen.c.literals import fit, is_floating
from dlpack_bindgen.c.types import CType, NumberKind, family, is_unknown
from dlpack_bindgen.diagnostics import Diagnostic
from dlpack_bindgen.language.values import Leaf

_INTEGERS = frozenset({"char", "short", "int", "long", "signed", "unsigned"})
_STANDARD = r"u?int(?:8|16|32|64|ptr|max)_t|s?size_t|ptrdiff_t"


def known_kind(ctype: str) -> str | None:
    """Returns the kind of a number if its C type alone determines it."""
    words = set(ctype.split())
    if words <= _INTEGERS or re.fullmatch(_STANDARD, ctype):
        return "int"
    return "float" if words & {"float", "double"} and not words & {"_Complex", "complex"} else None


def type_assertions(label: str, ctype: str, kind: str) -> tuple[Assertion, ...]:
    """Returns the assertions of a type that the generator does not know. `label` is the path in the spec."""
    if kind == "complex" and family(ctype) is None:
        return (Assertion("COMPLEX", (ctype,), f"{label}: {ctype} is not a complex number"),)
    asserted = {"int": "INTEGER", "float": "REAL", "char": "INTEGER"}.get(kind)
    if asserted is None or known_kind(ctype) == kind or family(ctype) == "char":
        return ()
    hint = "it must be a floating type" if kind == "float" else "declare it in 'args' or 'returns'"
    what = {"char": "a char, which is one byte", "int": "an int"}.get(kind, f"a {kind}")
    message = f"{label}: {ctype} is not {what}: {hint}"
    sizes = (Assertion("SIZE", (ctype, "1"), message),) if kind == "char" else ()
    return (*sizes, Assertion("KIND", (ctype, asserted), message))


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


def byte_assertions(label: str, ctype: str) -> tuple[Assertion, ...]:
    """Returns the assertion that characters of strings and elements of byte buffers are one byte wide."""
    return (Assertion("SIZE", (ctype, "1"), f"{label}: {ctype} is not a byte"),) if is_unknown(CType(ctype)) else ()


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
