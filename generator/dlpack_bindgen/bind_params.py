"""Parameters that are bound when an object is made, in C, in Python and in the stub."""

from __future__ import annotations

from collections.abc import Sequence

from dlpack_bindgen.binding import Params, Signature
from dlpack_bindgen.fragments import declaration, is_number
from dlpack_bindgen.spec import Declaration

_FLOATING = frozenset({"float", "double"})
_BOOLEAN = frozenset({"bool", "_Bool"})


def params_table(name: str, struct: str, params: Sequence[Declaration]) -> Params:
    entries = (f"DLB_PARAM({struct}, {param.name}, {int(param.value is None)})" for param in params)
    return Params(name, tuple(entries))


def signature(params: Sequence[Declaration]) -> Signature:
    return Signature(
        c="".join(f", {declaration(param.ctype, param.name)}" for param in params),
        stub="".join(f", {param.name}: {_python_type(param.ctype)}{_default(param, ' = ')}" for param in params),
    )


def text_signature(params: Sequence[Declaration]) -> str:
    """As Python's help shows it: `, plane=0`."""
    return "".join(f", {param.name}{_default(param, '=')}" for param in params)


def _python_type(ctype: str) -> str:
    words = set(ctype.replace("*", " * ").split())
    if "char" in words and "*" in words:
        return "str"
    if words & _FLOATING:
        return "float"
    return "bool" if words & _BOOLEAN else "int"


def _default(param: Declaration, sign: str) -> str:
    """C expressions that are no plain numbers have no Python value before the module runs."""
    if param.value is None:
        return ""
    if param.value in ("true", "false"):
        return f"{sign}{param.value.capitalize()}"
    plain = is_number(param.value.removeprefix("-")) and not (len(param.value) > 1 and param.value[0] == "0")
    return f"{sign}{param.value if plain else '...'}"
