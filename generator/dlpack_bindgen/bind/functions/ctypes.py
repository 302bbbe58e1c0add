"""C types of prototypes as C source, and their known properties."""

from __future__ import annotations

from dlpack_bindgen.c.types import Prototype, declared


def function_pointer(prototype: Prototype) -> str:
    """Returns the type of a pointer to such a function."""
    parameters = ", ".join(declared(each.ctype, "") for each in prototype.parameters) or "void"
    result = declared(prototype.result, "")
    return f"{result}{'' if result.endswith('*') else ' '}(*)({parameters})"


def prototype_text(prototype: Prototype) -> str:
    """Returns the prototype as a string for messages and comments."""
    parameters = ", ".join(declared(each.ctype, each.name) for each in prototype.parameters) or "void"
    return f"{declared(prototype.result, prototype.name)}({parameters})"
