"""The C types of prototypes as C text, and what is known of them."""

from __future__ import annotations

import re

from dlpack_bindgen.c.types import CType, Prototype, declared

_INTEGERS = frozenset({"char", "short", "int", "long", "signed", "unsigned"})
_STANDARD = r"u?int(?:8|16|32|64|ptr|max)_t|s?size_t|ptrdiff_t"


def pointed_to(ctype: CType) -> CType:
    """What the outermost pointer points to, without its qualifier."""
    inner = ctype.restrict[:-2]
    return CType(ctype.base, ctype.pointers[:-1], restrict=(*inner, False) if any(inner) else ())


def function_pointer(prototype: Prototype) -> str:
    """The type of a pointer to such a function."""
    parameters = ", ".join(declared(each.ctype, "") for each in prototype.parameters) or "void"
    result = declared(prototype.result, "")
    return f"{result}{'' if result.endswith('*') else ' '}(*)({parameters})"


def prototype_text(prototype: Prototype) -> str:
    """For messages and comments."""
    parameters = ", ".join(declared(each.ctype, each.name) for each in prototype.parameters) or "void"
    return f"{declared(prototype.result, prototype.name)}({parameters})"


def is_callback(ctype: CType) -> bool:
    return "(" in ctype.base


def known_kind(ctype: str) -> str | None:
    """Of a number, where its C type says it to everybody."""
    words = set(ctype.split())
    if words <= _INTEGERS or re.fullmatch(_STANDARD, ctype):
        return "int"
    return "float" if words & {"float", "double"} and not words & {"_Complex", "complex"} else None
