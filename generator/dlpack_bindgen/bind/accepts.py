"""Requirements on arrays as members of `dlb_requirements`: those of the spec, and those of the struct."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from functools import reduce

from dlpack_bindgen.arguments.requirements import Requirements
from dlpack_bindgen.bind.slot_values import all_slots, outcomes
from dlpack_bindgen.c.fragments import is_number
from dlpack_bindgen.dlpack import MAX_NDIM, device_type
from dlpack_bindgen.slots.conditional import alternatives
from dlpack_bindgen.slots.values import (
    CTypeDType,
    Device,
    DType,
    EachShape,
    FixedDType,
    ListedShape,
    NamedDType,
    OuterStride,
    RowPointers,
)
from dlpack_bindgen.spec.spec import Tensor

COPYING = {"allowed": "DLB_COPY_ALLOWED", "always": "DLB_COPY_ALWAYS"}
_ORDERS = {"F": "DLB_ORDER_F", "reversed": "DLB_ORDER_REVERSED"}


def accepts(tensor: Tensor, require: Requirements, importing: bool, lengths: Sequence[str] = ()) -> list[str]:
    """Returns the requirements as members of `dlb_requirements`.

    `lengths` are those of arrays that are filled by axis. They limit the rank if nothing else does.
    """
    low, high = ranks(tensor, require)
    most = "DLB_MAX_NDIM" if high == MAX_NDIM else str(high)
    if lengths and high == MAX_NDIM:
        most = reduce(lambda a, b: f"DLB_LEAST({a}, {b})", lengths)
    facts = [*([f".min_ndim = {low}"] if low > 0 else []), f".max_ndim = {most}"]
    layout = layouts(tensor, require) if importing else []
    if layout:
        facts.append(f".layout = {' | '.join(layout)}")
    order = _order(tensor)
    if order in _ORDERS:
        facts.append(f".order = {_ORDERS[order]}")
    if require.align is not None:
        facts.append(f".alignment = {require.align}")
    facts += fact_table("dtype", "DLDataType", _dtypes(tensor, require))
    if importing:
        facts += fact_table("device", "DLDeviceType", [device_type(name) for name in _devices(tensor)])
    extents = _extents(tensor)
    if extents:
        facts.append(f".extents = (const int64_t[]){{ {', '.join(extents)} }}")
    return facts


def fact_table(name: str, ctype: str, values: list[str]) -> list[str]:
    """Returns the table of accepted values, or nothing if all values are accepted."""
    if not values:
        return []
    return [f".{name}s = (const {ctype}[]){{ {', '.join(values)} }}", f".{name}_count = {len(values)}"]


def ranks(tensor: Tensor, require: Requirements) -> tuple[int, int]:
    shapes = [shape for slots in all_slots(tensor) for shape in alternatives(slots.shape)]
    low, high = require.ndim or (0, MAX_NDIM)
    known = [_rank(shape) for shape in shapes if isinstance(shape, ListedShape | EachShape)]
    written = [rank for rank in known if rank is not None]
    if len(written) < len(known):
        return low, high
    return max(low, min(written)), min(high, max(written))


def _rank(shape: ListedShape | EachShape) -> int | None:
    """Returns the rank that the spec gives as a number, or None if only the struct has it."""
    if isinstance(shape, ListedShape):
        return len(shape.extents)
    return int(shape.ndim) if is_number(shape.ndim) else None


def _order(tensor: Tensor) -> str:
    orders = {str(order) for order in outcomes(tensor, "order", "C")}
    return orders.pop() if len(orders) == 1 else "C"


def _dtypes(tensor: Tensor, require: Requirements) -> list[str]:
    """Returns the dtypes that the slot can have, or an empty list if only the run time knows them.

    Defaults of matches do not count, because no key leads back to them.
    """
    if require.dtypes:
        return [initialiser(NamedDType(name)) for name in require.dtypes]
    match = next((match for match in tensor.matches if "dtype" in match.slots), None)
    if match is not None and any(arm.condition is not None for arm in match.arms):
        return []  # only the compiler knows which arms exist
    if match is not None:
        arms = [arm.slots.dtype or tensor.slots.dtype for arm in match.arms if arm.imports is not False]
        dtypes = [dtype for value in arms for dtype in alternatives(value)]
    else:
        dtypes = alternatives(tensor.slots.dtype)
    known = [dtype for dtype in dtypes if isinstance(dtype, FixedDType | CTypeDType)]
    return list(dict.fromkeys(map(initialiser, known))) if len(known) == len(dtypes) else []


def initialiser(dtype: DType) -> str:
    if isinstance(dtype, CTypeDType):
        return f"{{{dtype.code}, 8 * sizeof({dtype.ctype}), 1}}"
    assert isinstance(dtype, FixedDType)
    return f"{{{dtype.numbers.code}, {dtype.numbers.bits}, {dtype.numbers.lanes}}}"


def _devices(tensor: Tensor) -> list[str]:
    devices = outcomes(tensor, "device", Device("cpu"))
    return list(dict.fromkeys(device.type for device in devices if isinstance(device, Device)))


def _extents(tensor: Tensor) -> tuple[str, ...]:
    """Returns the literal extents of the struct, which an array must have too. It is empty without literal extents."""
    shape = tensor.slots.shape
    if any("shape" in match.slots for match in tensor.matches) or not isinstance(shape, ListedShape):
        return ()
    if not any(is_number(extent) for extent in shape.extents):
        return ()
    found = [extent if is_number(extent) else "-1" for extent in shape.extents]
    return tuple(reversed(found)) if _order(tensor) == "reversed" else tuple(found)


def layouts(tensor: Tensor, require: Requirements) -> list[str]:
    """Returns the layout flags that the spec requires, and those that a struct without stored strides needs."""
    strides = [each for slots in all_slots(tensor) for each in alternatives(slots.strides)]
    mixed = any("strides" in match.slots for match in tensor.matches)
    outer = bool(strides) and not mixed and all(isinstance(each, OuterStride | RowPointers) for each in strides)
    compact, inner = require.compact or not strides, require.inner_compact or outer
    leading = not mixed and any(isinstance(each, OuterStride) and is_leading(each.outer) for each in strides)
    positive = require.nonnegative_strides or leading
    return layout_flags(replace(require, compact=compact, inner_compact=inner, nonnegative_strides=positive))


def is_leading(stride: str) -> bool:
    """Returns whether the stride is named like a leading dimension of BLAS, which is never negative."""
    return re.search(r"(?i)(?:^|\W|_)(?:ld[a-z]?|ldim|leading(?:_dim\w*)?)$", stride) is not None


def layout_flags(require: Requirements) -> list[str]:
    wanted = {
        "DLB_WRITABLE": require.writable,
        "DLB_COMPACT": require.compact,
        "DLB_INNER_COMPACT": require.inner_compact,
        "DLB_NO_OVERLAP": require.no_overlap,
        "DLB_NONNEGATIVE_STRIDES": require.nonnegative_strides,
    }
    return [name for name, needed in wanted.items() if needed]
