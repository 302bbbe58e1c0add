"""The relation between data, dtype and shape: the memory behind the data must be able to hold the elements."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import prod

from dlpack_bindgen import dlpack
from dlpack_bindgen.slots.data import is_member
from dlpack_bindgen.slots.dtype import CTypeDType, FixedDType
from dlpack_bindgen.slots.reading import Reading
from dlpack_bindgen.slots.shape import ListedShape
from dlpack_bindgen.slots.slots import Slots
from dlpack_bindgen.text.fragments import is_number
from dlpack_bindgen.text.statements import Assertion

_INTEGERS = ("kDLInt", "kDLUInt", "kDLBool")
_FLOATS = ("kDLFloat", "kDLBfloat", "kDLComplex")
_UNLESS = " (cast it to void * if its type does not matter)"


def type_of_data(data: str, dtypes: Sequence[object], reading: Reading) -> Iterator[Assertion]:
    """Yields the assertion on the type of the data. `dtypes` is empty if the dtypes are unknown."""
    fixed = [dtype for dtype in dtypes if isinstance(dtype, FixedDType)]
    if len(dtypes) == 1 and fixed:
        facts = fixed[0].numbers
        what = f"a pointer to {fixed[0].name}"
        yield reading.asserted("DATA", "data", data, what, facts.code, str(facts.bits))
    elif len(dtypes) == 1 and isinstance(dtypes[0], CTypeDType):
        ctype = dtypes[0].ctype
        what = f"a pointer to {ctype}"
        yield reading.asserted("DATA", "data", data, what, dtypes[0].code, f"8 * sizeof({ctype})")
    elif len(fixed) == len(dtypes) > 1 and all(each.numbers.code in (*_INTEGERS, *_FLOATS) for each in fixed):
        widths = map(str, _widths([each.numbers for each in fixed]))
        yield reading.asserted("ANY_DATA", "data", data, _holder(fixed), *widths)
    else:
        yield reading.asserted("POINTER", "data", data, "a pointer")


def _widths(dtypes: list[dlpack.DType]) -> tuple[int, int]:
    """Returns the width of floating-point elements that can hold all dtypes, and the width of integers.

    A width of 0 means that no type can.
    """
    parts = {each.bits // (2 if each.code == "kDLComplex" else 1) for each in dtypes}
    floats = parts.pop() if len(parts) == 1 and all(each.code in _FLOATS for each in dtypes) else 0
    whole = all(each.code in _INTEGERS or each.bits <= 16 for each in dtypes)
    return floats, max(each.bits for each in dtypes) if whole else 0


def _holder(dtypes: list[FixedDType]) -> str:
    names = list(dict.fromkeys(dtype.name for dtype in dtypes))
    several = f"{', '.join(names[:-1])} and {names[-1]}" if 1 < len(names) < 5 else f"{len(names)} dtypes"
    what = names[0] if len(names) == 1 else several
    return f"a pointer to elements of {what} (cast it to void * if it is one)"


def capacity(slots: Slots, reading: Reading) -> Iterator[Assertion]:
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
        yield reading.asserted("ROWS", "shape", data, what, str(int(last) * bits // 8), verb="have")
    if all(is_number(extent) and int(extent) > 0 for extent in shape.extents):
        elements = prod(int(extent) for extent in shape.extents)
        what = f"storage for {elements} elements of {dtype.name}{_UNLESS}"
        yield reading.asserted("CAPACITY", "shape", data, what, str(elements * bits // 8), verb="have")
