"""Assertions about the size of C elements, which only the compiler knows.

An array holds whole elements, numbers or structs.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import takewhile
from math import prod

from dlpack_bindgen.dlpack import DType
from dlpack_bindgen.results.value import Value
from dlpack_bindgen.slots.dtype import NamedDType
from dlpack_bindgen.slots.shape import ListedShape
from dlpack_bindgen.spec.functions import Argument
from dlpack_bindgen.text import ctext
from dlpack_bindgen.text.fragments import operand
from dlpack_bindgen.text.statements import Assertion
from dlpack_bindgen.text.types import family
from dlpack_bindgen.validate.functions.calls import Call

_SIZE = re.compile(r"\bsizeof\s*\([^()]*\)")


def given(key: str, argument: Argument, function: Call) -> list[Assertion]:
    """Asserts that the required dtype of an array matches its C elements."""
    kind, base = argument.kind, argument.ctype.base
    if not kind.has_elements or kind.is_bytes or base == "void":
        return []
    found = []
    for name in kind.require.dtypes:
        dtype, what = NamedDType(name).numbers, f"{key}.{argument.name}:"
        text = f"{what} elements of {base} cannot hold {name}"
        found.append(Assertion("DATA", (f"(const {base} *)0", dtype.code, str(dtype.bits)), text))
        if family(base) is not None or dtype.bits < 8:
            continue
        if _counts_elements(argument, function):
            text = f"{what} {base} is not one {name}: {_remedy(argument)}"
            found.append(Assertion("SIZE", (base, _bytes((), dtype)), text))
        if kind.require.align is None:
            part = dtype.bits // (16 if dtype.code == "kDLComplex" else 8)
            text = f"{what} {base} is aligned more strictly than {name}: require {{align: N}}"
            found.append(Assertion("ALIGNMENT", (base, str(part & -part)), text))
        if kind.require.shape:
            row = constant_row(kind.require.shape, function)
            text = f"{what} {_numbers(row, name)} does not fill whole elements of {base}, of which C has the array"
            found.append(Assertion("WHOLE", (base, _bytes(row, dtype)), text))
    return found


def returned(key: str, name: str, base: str, value: Value, function: Call) -> list[Assertion]:
    """Asserts that the declared dtype of a returned array matches its C elements, or the numbers in each element."""
    if value.dtype is None or base == "void" or not isinstance(value.shape, ListedShape):
        return []
    dtype, row = NamedDType(value.dtype).numbers, constant_row(value.shape.extents, function)
    text = f"{key}.{name}: elements of {base} are not {value.dtype}"
    data = Assertion("DATA", (f"(const {base} *)0", dtype.code, str(dtype.bits)), text)
    one, whole = _bytes((), dtype), _bytes(row, dtype)
    number = _numbers((), value.dtype)
    wrong = f"neither {number} nor {_numbers(row, value.dtype)}" if row else f"not {number}"
    text = f"{key}.{name}: {base} is {wrong}: declare its numbers in 'shape'"
    # a type of one number has that size, in any shape
    size = f"sizeof({base}) == {one} ? {one} : {whole}" if row else one
    return [data, Assertion("SIZE", (base, size), text)]


def _counts_elements(argument: Argument, function: Call) -> bool:
    """Returns whether C receives a count of its own elements, or no count at all."""
    kind = argument.kind
    if kind.require.shape is None or kind.require.count is not None or _says_length(argument):
        return True
    measures = function.measures(argument.name)
    return any(each.what == "count" or (each.what == "stride" and not each.in_bytes) for each in measures)


def _says_length(argument: Argument) -> bool:
    """Returns whether the prototype counts C elements, such as 4 in `vec3 points[4]`, and the array numbers."""
    return argument.ctype.length is not None and not argument.kind.rows


def _remedy(argument: Argument) -> str:
    if argument.kind.require.shape is not None and _says_length(argument):
        name = argument.name
        return f"write '*{name}' for '{name}[{argument.ctype.length}]', since 'shape' gives the length of the array"
    return "write the 'shape' that the array must have"


def constant_row(shape: Sequence[str], function: Call) -> tuple[str, ...]:
    """Returns the last extents that look constant: 4 in `[n, 4]`, `LIB_DIM`, or the size of a type.

    Parameters can look constant too, such as `int N`, and are excluded.
    """
    names = [argument.name for argument in function.arguments]

    def is_constant(extent: str) -> bool:
        is_named = any(ctext.mentions(extent, name) for name in names)
        return not is_named and re.search("[a-z]", _SIZE.sub("", extent)) is None

    return tuple(reversed(tuple(takewhile(is_constant, reversed(shape)))))


def _numbers(row: Sequence[str], dtype: str) -> str:
    return f"one {dtype}" if not row else f"a row of {' * '.join(map(operand, row))} {dtype}"


def _bytes(row: Sequence[str], dtype: DType) -> str:
    """Returns the size of a row in bytes. Numbers of less than a byte are packed."""
    if all(map(str.isdecimal, row)):
        return str(prod(map(int, row)) * dtype.bits // 8)
    return " * ".join([*map(operand, row), str(dtype.bits // 8) if dtype.bits >= 8 else f"{dtype.bits} / 8"])
