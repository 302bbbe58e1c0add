"""Compile-time checks of the slots against the real struct. Each message quotes tensor, slot and expression."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from math import prod
from typing import Any

from dlpack_bindgen import dlpack
from dlpack_bindgen.c.fragments import (
    argument,
    arrays_by_axis,
    arrays_by_number,
    is_number,
    replace_names,
    subtracts,
)
from dlpack_bindgen.c.quote import c_string
from dlpack_bindgen.slots.scope import Scope
from dlpack_bindgen.slots.values import (
    Conditional,
    CTypeDType,
    DecodedDType,
    Device,
    DType,
    EachShape,
    EachStrides,
    FixedDType,
    ListedShape,
    OuterStride,
    RowPointers,
    Shape,
    Slots,
    Strides,
)

HOST_DEVICES = ("cpu", "cuda_host", "rocm_host", "cuda_managed")
HANDLE_DEVICES = ("opencl", "vulkan", "metal", "webgpu", "ext_dev")
"""Devices with data handles instead of addresses of elements."""
NAMED_UNITS = ("elements", "bytes", "bits")
_INTEGERS = ("kDLInt", "kDLUInt", "kDLBool")
_FLOATS = ("kDLFloat", "kDLBfloat", "kDLComplex")
_MEMBER = re.compile(r"\w+((->|\.)\w+)+", re.ASCII)

# The macro of an assertion, the slot, the expression, and the requirement on the expression.
_Found = tuple[str, str, str, str]


_UNLESS = " (cast it to void * if its type does not matter)"


def is_member(data: str) -> bool:
    """Returns whether the expression is a member of a struct.

    A row of an array does not count, because it can stand for all rows.
    """
    return _MEMBER.fullmatch(data) is not None


def conditional(value: Any, lines: Callable[[Any], list[str]], otherwise: Sequence[str] = ()) -> list[str]:
    """Returns the lines of a slot, between `#if` and `#endif` if the slot is conditional.

    Without an `else` branch in the spec, `otherwise` is used.
    """
    if value is None:
        return []
    if not isinstance(value, Conditional):
        return lines(value)
    found = [
        (f"#{'elif' if place else 'if'} {condition}", lines(branch))
        for place, (condition, branch) in enumerate(value.branches)
    ]
    if value.otherwise is not None:
        found.append(("#else", lines(value.otherwise)))
    elif otherwise:
        found.append(("#else", [*otherwise]))
    while found and not found[-1][1]:
        found.pop()
    return [line for directive, branch in found for line in (directive, *branch)] + ["#endif"] * bool(found)


def slot_assertions(scope: Scope, slots: Slots, rank: int | None, dtypes: Sequence[object]) -> list[str]:
    """Returns the assertions of the slots.

    `rank` is the fixed number of axes, or None. `dtypes` lists the possible dtypes of the data, and is empty if they
    are unknown.
    """
    lines: list[str] = []

    def add(value: object, facts: Callable[[Any], Iterator[_Found]]) -> None:
        lines.extend(conditional(value, lambda branch: [_line(scope, *fact) for fact in facts(branch)]))

    if len(dtypes) == 1 and isinstance(dtypes[0], Conditional) and isinstance(slots.data, str):
        add(dtypes[0], lambda branch: _of_data(str(slots.data), [branch]))
    else:
        add(slots.data, lambda data: _of_data(data, dtypes))
    add(slots.dtype, _of_dtype)
    add(slots.device, _of_device)
    add(slots.shape, _of_shape)
    add(slots.strides, lambda strides: _of_strides(strides, rank))
    add(slots.byte_offset, lambda offset: _integer("byte_offset", offset))
    add(slots.readonly, lambda readonly: _condition("readonly", readonly))
    lines += [_line(scope, *fact) for fact in _of_capacity(slots)]
    return lines


def type_assertion(scope: Scope) -> str:
    """Asserts that the type is a struct with members, not a pointer or an opaque type."""
    what = "a struct with members (write 'pass: value' if it is a pointer)"
    message = c_string(f"{scope.name}.type: {scope.type} must be {what}")
    return f"DLB_ASSERT_STRUCT({scope.text('*self')}, {message});"


def key_assertion(scope: Scope, slot: str, expression: str, key: str) -> str:
    """Asserts that the expression of a match can be compared with this key."""
    if key == "0":  # 0 also compares with pointers
        return _line(scope, "VALUE", slot, expression, "comparable")
    return _line(scope, f"KEY:{argument(scope.text(key))}", slot, expression, f"comparable with {key}")


def _of_data(data: str, dtypes: Sequence[object]) -> Iterator[_Found]:
    fixed = [dtype for dtype in dtypes if isinstance(dtype, FixedDType)]
    if len(dtypes) == 1 and fixed:
        facts = fixed[0].numbers
        yield f"DATA:{facts.code}, {facts.bits}", "data", data, f"a pointer to {fixed[0].name}"
    elif len(dtypes) == 1 and isinstance(dtypes[0], CTypeDType):
        ctype = dtypes[0].ctype
        yield f"DATA:{dtypes[0].code}, 8 * sizeof({ctype})", "data", data, f"a pointer to {ctype}"
    elif len(fixed) == len(dtypes) > 1 and all(each.numbers.code in (*_INTEGERS, *_FLOATS) for each in fixed):
        yield f"ANY_DATA:{_widths([each.numbers for each in fixed])}", "data", data, _holder(fixed)
    else:
        yield "POINTER", "data", data, "a pointer"


def _widths(dtypes: list[dlpack.DType]) -> str:
    """Returns the width of floating-point elements that can hold all dtypes, and the width of integers.

    A width of 0 means that no type can.
    """
    parts = {each.bits // (2 if each.code == "kDLComplex" else 1) for each in dtypes}
    floats = parts.pop() if len(parts) == 1 and all(each.code in _FLOATS for each in dtypes) else 0
    whole = all(each.code in _INTEGERS or each.bits <= 16 for each in dtypes)
    return f"{floats}, {max(each.bits for each in dtypes) if whole else 0}"


def _holder(dtypes: list[FixedDType]) -> str:
    names = list(dict.fromkeys(dtype.name for dtype in dtypes))
    several = f"{', '.join(names[:-1])} and {names[-1]}" if 1 < len(names) < 5 else f"{len(names)} dtypes"
    what = names[0] if len(names) == 1 else several
    return f"a pointer to elements of {what} (cast it to void * if it is one)"


def _of_capacity(slots: Slots) -> Iterator[_Found]:
    """Yields assertions that an array of the struct can hold a compact shape of literal extents and its rows."""
    shape, dtype, data = slots.shape, slots.dtype, slots.data
    if not isinstance(shape, ListedShape) or not isinstance(dtype, FixedDType) or not isinstance(data, str):
        return
    if slots.strides is not None or slots.byte_offset is not None or not is_member(data):
        return
    bits = dtype.numbers.bits * dtype.numbers.lanes
    last = shape.extents[-1] if slots.order is None and len(shape.extents) == 2 else ""
    if is_number(last) and int(last) > 0:
        what = f"rows of {last} elements of {dtype.name}, if it has any{_UNLESS}"
        yield f"ROWS:{int(last) * bits // 8}", "shape", data, what
    if all(is_number(extent) and int(extent) > 0 for extent in shape.extents):
        elements = prod(int(extent) for extent in shape.extents)
        what = f"storage for {elements} elements of {dtype.name}{_UNLESS}"
        yield f"CAPACITY:{elements * bits // 8}", "shape", data, what


def _of_dtype(dtype: DType) -> Iterator[_Found]:
    if isinstance(dtype, DecodedDType):
        for name in ("code", "bits", "lanes"):
            yield from _integer(f"dtype.{name}", getattr(dtype, name))
    if isinstance(dtype, CTypeDType) and dtype.is_complex:
        yield "COMPLEX", "dtype", dtype.ctype, "a complex number"


def _of_device(device: Device) -> Iterator[_Found]:
    if device.id is not None and device.type not in HOST_DEVICES:
        yield from _integer("device.id", device.id)


def _of_shape(shape: Shape) -> Iterator[_Found]:
    if isinstance(shape, EachShape):
        yield from _integer("shape.ndim", shape.ndim)
        yield from _integer("shape.each", shape.each)
        return
    for axis, extent in enumerate(shape.extents):
        yield from _integer(f"shape[{axis}]", extent)
    yield from _lengths("shape", shape.extents)


def _of_strides(strides: Strides, rank: int | None) -> Iterator[_Found]:
    if strides.compact_when is not None:
        yield from _condition("strides.compact_when", strides.compact_when)
    if isinstance(strides, RowPointers):
        yield "TABLE", "strides.rows", strides.rows, "a table of pointers"
        return
    if isinstance(strides, EachStrides):
        yield from _integer("strides.each", strides.each)
        if rank is not None:
            for array in arrays_by_axis(strides.each):
                yield f"LENGTH:{rank}", "strides.each", array, f"at least {rank} elements long"
    elif isinstance(strides, OuterStride):
        yield from _integer("strides.outer", strides.outer)
    else:
        for axis, stride in enumerate(strides.items):
            yield from _integer(f"strides[{axis}]", stride)
        yield from _lengths("strides", strides.items)
    if strides.unit not in NAMED_UNITS:
        yield from _integer("strides.unit", strides.unit)


def _condition(slot: str, expression: str) -> Iterator[_Found]:
    if not is_number(expression):
        yield "INTEGER", slot, expression, "a condition: a comparison or an integer"


def _integer(slot: str, expression: str) -> Iterator[_Found]:
    if subtracts(expression):
        yield "SIGNED", slot, expression, "a signed integer (cast its parts), or it wraps around"
    elif not is_number(expression):
        yield "INTEGER", slot, expression, "an integer"


def _lengths(slot: str, expressions: tuple[str, ...]) -> Iterator[_Found]:
    greatest: dict[str, int] = {}
    for expression in expressions:
        for array, index in arrays_by_number(expression).items():
            greatest[array] = max(greatest.get(array, 0), index)
    for array, index in greatest.items():
        yield f"LENGTH:{index + 1}", slot, array, f"at least {index + 1} elements long"


def _line(scope: Scope, kind: str, slot: str, expression: str, what: str) -> str:
    macro, _, count = kind.partition(":")
    verb = "have" if kind.startswith(("ROWS", "CAPACITY")) else "be"
    outside_the_loop = argument(scope.text(replace_names(expression, {"axis": "0"})))
    message = c_string(f"{scope.name}.{slot}: {expression} must {verb} {what}")
    return f"DLB_ASSERT_{macro}({outside_the_loop}, {f'{count}, ' if count else ''}{message});"


def rank_of(shape: Shape | Conditional[Shape] | None) -> int | None:
    """Returns the number of axes if it is equal in all branches."""
    if isinstance(shape, Conditional):
        branches = [value for _, value in shape.branches]
        ranks = {rank_of(branch) for branch in (*branches, *([shape.otherwise] if shape.otherwise else []))}
        return ranks.pop() if len(ranks) == 1 else None
    return len(shape.extents) if isinstance(shape, ListedShape) else None
