"""Assertions about C types of numbers that the generator does not know."""

from __future__ import annotations

import re

from dlpack_bindgen.text.statements import Assertion
from dlpack_bindgen.text.types import CType, family, is_unknown

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


def byte_assertions(label: str, ctype: str) -> tuple[Assertion, ...]:
    """Returns the assertion that characters of strings and elements of byte buffers are one byte wide."""
    return (Assertion("SIZE", (ctype, "1"), f"{label}: {ctype} is not a byte"),) if is_unknown(CType(ctype)) else ()
