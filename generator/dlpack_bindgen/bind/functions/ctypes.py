"""C types of prototypes as C source, and their known properties."""

from __future__ import annotations

import re

from dlpack_bindgen.c.types import CType, Prototype, declared

_INTEGERS = frozenset({"char", "short", "int", "long", "signed", "unsigned"})
_STANDARD = r"u?int(?:8|16|32|64|ptr|max)_t|s?size_t|ptrdiff_t"


def pointed_to(ctype: CType) -> CType:
    """Returns the type behind the outermost pointer, without its qualifier."""
    inner = ctype.restrict[:-2]
    return CType(ctype.base, ctype.pointers[:-1], restrict=(*inner, False) if any(inner) else ())


def function_pointer(prototype: Prototype) -> str:
    """Returns the type of a pointer to such a function."""
    parameters = ", ".join(declared(each.ctype, "") for each in prototype.parameters) or "void"
    result = declared(prototype.result, "")
    return f"{result}{'' if result.endswith('*') else ' '}(*)({parameters})"


def prototype_text(prototype: Prototype) -> str:
    """Returns the prototype as a string for messages and comments."""
    parameters = ", ".join(declared(each.ctype, each.name) for each in prototype.parameters) or "void"
    return f"{declared(prototype.result, prototype.name)}({parameters})"


def is_callback(ctype: CType) -> bool:
    return "(" in ctype.base


def known_kind(ctype: str) -> str | None:
    """Returns the kind of a number if its C type alone determines it."""
    words = set(ctype.split())
    if words <= _INTEGERS or re.fullmatch(_STANDARD, ctype):
        return "int"
    return "float" if words & {"float", "double"} and not words & {"_Complex", "complex"} else None
