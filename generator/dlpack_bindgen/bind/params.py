"""Parameters that are bound when an object is made, in C, in Python and in the stub."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from dlpack_bindgen.bind.binding import Params, Signature
from dlpack_bindgen.c.fragments import declaration, is_number
from dlpack_bindgen.c.quote import c_string
from dlpack_bindgen.c.types import is_address
from dlpack_bindgen.spec.spec import Declaration

_FLOATING = frozenset({"float", "double"})
_FLOAT = r"-?(?:[0-9]+\.[0-9]*|\.[0-9]+)(?:[eE][-+]?[0-9]+)?"
_BOOLEAN = frozenset({"bool", "_Bool"})


def params_table(
    name: str, struct: str, params: Sequence[Declaration], shared: Mapping[str, str] | None = None
) -> Params:
    """`shared`: the C types of those that an object gets from the one that it is a part of."""
    return Params(name, tuple(_entry(struct, param, (shared or {}).get(param.name)) for param in params))


def _entry(struct: str, param: Declaration, shared: str | None) -> str:
    given = f"{struct}, {param.name}, {int(param.value is None)}"
    return f"DLB_PARAM({given})" if shared is None else f"DLB_SHARED_PARAM({given}, {c_string(shared)})"


def signature(params: Sequence[Declaration]) -> Signature:
    return Signature(
        c="".join(f", {declaration(param.ctype, param.name)}" for param in params),
        stub="".join(
            f", {param.name}: {_python_type(param.ctype)}{_default(param, ' = ')}" for param in _for_python(params)
        ),
    )


def text_signature(params: Sequence[Declaration]) -> str:
    """As Python's help shows it: `, plane=0`."""
    return "".join(f", {param.name}{_default(param, '=')}" for param in _for_python(params))


def _for_python(params: Sequence[Declaration]) -> list[Declaration]:
    """Without addresses that have a default: Python cannot give them. With NULL, whatever has no `*` is one too."""
    return [each for each in params if each.value is None or not (is_address(each.ctype) or _is_null(each))]


def _is_null(param: Declaration) -> bool:
    return param.value == "NULL" and "*" not in param.ctype


def _python_type(ctype: str) -> str:
    words = set(ctype.replace("*", " * ").split())
    if is_address(ctype):
        return "typing_extensions.Never"
    if "*" in words:
        return "str"
    if words & _FLOATING:
        return "float"
    return "bool" if words & _BOOLEAN else "int"


def _default(param: Declaration, sign: str) -> str:
    """C expressions that are no plain numbers have no Python value before the module runs."""
    if param.value is None:
        return ""
    # Text that is given is never None.
    shown = "..." if param.value == "NULL" else python_default(param.value, _python_type(param.ctype))
    return f"{sign}{shown}"


def python_default(value: str, python_type: str) -> str:
    """The value of a C expression in Python, where it is plain to see."""
    if value in ("true", "false"):
        return value.capitalize()
    if value == "NULL":
        return "None"
    if len(value) > 1 and value[0] == value[-1] == '"' and "\\" not in value:
        return value if value.isascii() else "..."  # signatures of C are ASCII
    plain = is_number(value.removeprefix("-")) and not (len(value) > 1 and value[0] == "0")
    if plain and python_type == "bool":
        return str(value.removeprefix("-") != "0")
    if plain and python_type == "str":
        return "..."  # a character by its number
    return value if plain or re.fullmatch(_FLOAT, value) else "..."
