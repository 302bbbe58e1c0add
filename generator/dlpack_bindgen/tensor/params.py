"""The params of classes, imports and allocations, as C, Python and the stub declare them."""

from __future__ import annotations

import math
import re
import struct
from collections.abc import Iterable, Mapping, Sequence

from dlpack_bindgen.tensor.item import Declaration, Handle, Item
from dlpack_bindgen.text.fragments import Table, declaration
from dlpack_bindgen.text.literals import c_string, character, integer_value, is_floating
from dlpack_bindgen.text.types import is_address

_FLOATING = frozenset({"float", "double"})
_FLOAT = r"-?(?:[0-9]+\.[0-9]*|\.[0-9]+)(?:[eE][-+]?[0-9]+)?"
_BOOLEAN = frozenset({"bool", "_Bool"})
ObjectParams = Mapping[str, Item]
"""Params that are objects of other classes, by name."""


def objects(params: Sequence[Declaration], items: Iterable[Item]) -> ObjectParams:
    """Returns the params with the C type of exactly one class. A handle wins over tensors with its C type."""
    found = {}
    for param in params:
        classes = [item for item in items if _passed(item) == _words(param.ctype)]
        handles = [item for item in classes if isinstance(item, Handle)]
        chosen = classes if len(classes) == 1 else handles
        if len(chosen) == 1:
            found[param.name] = chosen[0]
    return found


def _passed(item: Item) -> list[str]:
    return _words(item.type if item.by_value else f"{item.type} *")


def _words(ctype: str) -> list[str]:
    return [word for word in ctype.replace("*", " * ").split() if word != "const"]


def params_table(
    name: str,
    struct: str,
    params: Sequence[Declaration],
    shared: Mapping[str, str] | None = None,
    classes: Mapping[str, str] | None = None,
) -> Table | None:
    """Returns the table of the params, if there are any.

    `shared` maps params that a part inherits to their C types. `classes` maps params that are objects to the C names
    of their classes.
    """
    shared, classes = shared or {}, classes or {}
    entries = tuple(_entry(struct, each, shared.get(each.name), classes.get(each.name)) for each in params)
    return Table("const dlb_param", name, entries, is_array=True) if entries else None


def _entry(struct: str, param: Declaration, shared: str | None, of: str | None) -> str:
    arguments = f"{struct}, {param.name}, {int(param.value is None)}"
    if of is not None:
        return f"DLB_CLASS_PARAM({arguments}, &{of}_type)"
    return f"DLB_PARAM({arguments})" if shared is None else f"DLB_SHARED_PARAM({arguments}, {c_string(shared)})"


def c_parameters(params: Sequence[Declaration]) -> str:
    """Returns the parameters that follow others in C: `, int plane`."""
    return "".join(f", {declaration(param.ctype, param.name)}" for param in params)


def stub_parameters(params: Sequence[Declaration], object_params: ObjectParams | None = None) -> str:
    """Returns the parameters that follow others in the stub: `, plane: int = 0`."""
    object_params = object_params or {}
    return "".join(
        f", {param.name}: {_stub_type(param, object_params)}{_default(param, ' = ', object_params)}"
        for param in for_python(params, object_params)
    )


def text_signature(params: Sequence[Declaration], object_params: ObjectParams | None = None) -> str:
    """Returns the params as Python's help shows them: `, plane=0`."""
    object_params = object_params or {}
    return "".join(
        f", {param.name}{_default(param, '=', object_params)}" for param in for_python(params, object_params)
    )


_OF_ARRAY_API = (("device", "tuple[int, int] | typing.Literal['cpu'] | None"), ("copy", "bool | None"))
"""The keywords of `from_dlpack` that the array API has, with their types. A parameter of that name hides a keyword."""


def import_keywords(params: Sequence[Declaration], object_params: ObjectParams) -> tuple[str, str]:
    """Returns the keywords of `from_dlpack` as the stub and as Python's help show them."""
    names = {param.name for param in params}
    others = [(name, kind) for name, kind in _OF_ARRAY_API if name not in names]
    stub = "".join(f", {name}: {kind} = None" for name, kind in others)
    shown = "".join(f", {name}=None" for name, _ in others)
    return stub_parameters(params, object_params) + stub, text_signature(params, object_params) + shown


def for_python(params: Sequence[Declaration], object_params: ObjectParams) -> list[Declaration]:
    """Returns the params that Python can pass.

    It omits addresses with a default, which include params without `*` whose default is NULL.
    """
    return [
        each
        for each in params
        if each.value is None
        or each.name in object_params
        or not (is_address(each.ctype) or (each.value == "NULL" and "*" not in each.ctype))
    ]


def _stub_type(param: Declaration, object_params: ObjectParams) -> str:
    if param.name not in object_params:
        return python_type(param.ctype)
    return f"{object_params[param.name].name}{' | None' if param.value is not None else ''}"


def python_type(ctype: str) -> str:
    """Returns the type of a param in the stub."""
    words = set(ctype.replace("*", " * ").split())
    if is_address(ctype):
        return "typing_extensions.Never"
    if "*" in words:
        return "str"
    if words & _FLOATING:
        return "float"
    return "bool" if words & _BOOLEAN else "int"


def _default(param: Declaration, sign: str, object_params: ObjectParams) -> str:
    """Returns the default as Python shows it.

    C expressions other than numbers have no Python value before the module is loaded.
    """
    if param.value is None:
        return ""
    if param.name in object_params:
        return f"{sign}None"
    # NULL is shown as `...`, because a string that Python passes is never None.
    shown = (
        "..."
        if param.value == "NULL"
        else python_default(param.value, python_type(param.ctype), param.ctype == "float")
    )
    return f"{sign}{shown}"


def python_default(value: str, python_type: str, is_float: bool = False) -> str:
    """Returns the Python value of a literal of C, or `...` for another expression.

    `is_float`: C stores the value in a `float`.
    """
    if value in ("true", "false"):
        return value.capitalize()
    if value == "NULL":
        return "None"
    if value.startswith('"'):
        return _string(value)
    letter = character(value)
    number = integer_value(value) if letter is None else ord(letter)
    if python_type == "str":
        return "..." if number is None or number not in _ASCII else ascii(chr(number))
    if number is not None:
        return str(number != 0 if python_type == "bool" else number)
    return _float(value, is_float) if is_floating(value) else "..."


_ASCII = range(128)
_LITERAL = r'"((?:\\.|[^"\\])*)"'
_GREATEST_FLOAT = 3.4028234e38


def _string(value: str) -> str:
    """Returns string literals, without escapes as they are; `...` for other code. Text signatures are ASCII."""
    if re.fullmatch(rf"(?:{_LITERAL}\s*)+", value) is None:
        return "..."
    text = "".join(re.findall(_LITERAL, value))
    if "\\" not in text and text.isascii():
        return value
    letters = [character(f"'{part}'") if part[0] == "\\" else part for part in re.findall(r"\\.|[^\\]", text)]
    is_simple = not any(each is None or each == "\0" for each in letters)
    return ascii("".join(filter(None, letters))) if is_simple else "..."


def _float(value: str, is_float: bool) -> str:
    """Returns a floating-point literal. With the suffix `f`, a `double` has the value of the nearest `float`."""
    if re.fullmatch(_FLOAT, value):
        return value
    number = float(value.rstrip("fFlL"))
    if value[-1] in "fF" and not is_float and abs(number) < _GREATEST_FLOAT:
        number = struct.unpack("f", struct.pack("f", number))[0]
    return repr(number) if math.isfinite(number) else "..."
