"""Requirements on arrays as members of `dlb_requirements`: those of the spec, and those of the struct."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import reduce

from dlpack_bindgen.arguments.requirements import Requirements
from dlpack_bindgen.bind.slot_values import all_slots, outcomes, record_of
from dlpack_bindgen.dlpack import MAX_NDIM, WITHOUT_STREAMS, device_type
from dlpack_bindgen.frozen import Frozen
from dlpack_bindgen.slots.conditional import alternatives
from dlpack_bindgen.slots.dtype import NamedDType
from dlpack_bindgen.slots.layout import Order
from dlpack_bindgen.slots.order import REQUIRED
from dlpack_bindgen.slots.shape import ListedShape
from dlpack_bindgen.spec.spec import Tensor
from dlpack_bindgen.text.names import MARK

COPYING = {"allowed": "DLB_COPY_ALLOWED", "always": "DLB_COPY_ALWAYS"}
CASTING = {"safe": "DLB_CAST_SAFE", "same_kind": "DLB_CAST_SAME_KIND"}


class Accepted(Frozen):
    """The requirements on an array that the fast path of an import depends on."""

    order: Order
    alignment: int | None
    devices: tuple[str, ...]
    """The accepted device types of `dlpack.h`, in the order of the spec; empty: any."""
    extents: tuple[str, ...]
    """The required extents, as C expressions; empty: any."""


def accepted(tensor: Tensor, require: Requirements) -> Accepted:
    """Returns the requirements of the spec and of the struct."""
    devices = tuple(device_type(name) for name in _devices(tensor))
    return Accepted(_order(tensor), require.align, devices, _extents(tensor))


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
    found = accepted(tensor, require)
    if found.order in REQUIRED:
        facts.append(f".order = {REQUIRED[found.order]}")
    record = record_of(tensor)
    if found.alignment is not None:
        facts.append(f".alignment = {found.alignment}")
    elif record is not None:
        facts.append(f".alignment = DLB_RECORD_ALIGNMENT({record.ctype})")
    facts += fact_table("dtype", "DLDataType", _dtypes(tensor, require))
    if importing:
        facts += fact_table("device", "DLDeviceType", found.devices)
    if found.extents:
        facts.append(f".extents = (const int64_t[]){{ {', '.join(found.extents)} }}")
    return facts


def fact_table(name: str, ctype: str, values: Sequence[str]) -> list[str]:
    """Returns the table of accepted values, or nothing if all values are accepted."""
    if not values:
        return []
    return [f".{name}s = (const {ctype}[]){{ {', '.join(values)} }}", f".{name}_count = {len(values)}"]


def ranks(tensor: Tensor, require: Requirements) -> tuple[int, int]:
    shapes = [shape for slots in all_slots(tensor) for shape in alternatives(slots.shape)]
    low, high = require.ndim or (0, MAX_NDIM)
    known = [shape.known_rank for shape in shapes]
    written = [rank for rank in known if rank is not None]
    if len(written) < len(known):
        return low, high
    return max(low, min(written)), min(high, max(written))


def _order(tensor: Tensor) -> Order:
    orders: set[Order] = set(outcomes(tensor, "order"))
    return orders.pop() if len(orders) == 1 else "C"


def _dtypes(tensor: Tensor, require: Requirements) -> list[str]:
    """Returns the dtypes that the slot can have, or an empty list if only the run time knows them.

    Defaults of matches do not count, because no key leads back to them.
    """
    if require.dtypes:
        return [*filter(None, (NamedDType(name).required for name in require.dtypes))]
    match = next((match for match in tensor.matches if "dtype" in match.slots), None)
    if match is not None and any(arm.condition is not None for arm in match.arms):
        return []  # only the compiler knows which arms exist
    if match is not None:
        arms = [arm.slots.dtype or tensor.slots.dtype for arm in match.arms if arm.imports is not False]
        dtypes = [dtype for value in arms for dtype in alternatives(value)]
    else:
        dtypes = alternatives(tensor.slots.dtype)
    required = dict.fromkeys(dtype.required for dtype in dtypes)
    return [] if None in required else [*filter(None, required)]


def _devices(tensor: Tensor) -> list[str]:
    return list(dict.fromkeys(device.type for device in outcomes(tensor, "device")))


def with_stream(tensor: Tensor, stub: str, shown: str) -> tuple[str, str]:
    """Returns the keywords of `from_dlpack`, in the stub and in Python's help, with `stream` for the caller's stream.

    The keyword is left out if the objects are never on a device with streams, if the spec names the stream, or if a
    parameter has this name.
    """
    made = tensor.import_
    is_named = (
        made is None or made.stream is not None or any(each.name.removesuffix(MARK) == "stream" for each in made.params)
    )
    if is_named or WITHOUT_STREAMS.issuperset(_devices(tensor)):
        return stub, shown
    return f"{stub}, stream: int | None = None", f"{shown}, stream=None"


def _extents(tensor: Tensor) -> tuple[str, ...]:
    """Returns the literal extents of the struct, which an array must have too. It is empty without literal extents."""
    shape = tensor.slots.shape
    if any("shape" in match.slots for match in tensor.matches) or not isinstance(shape, ListedShape):
        return ()
    return tuple(reversed(shape.required)) if _order(tensor) == "reversed" else tuple(shape.required)


def layouts(tensor: Tensor, require: Requirements) -> list[str]:
    """Returns the layout flags that the spec requires, and those that a struct without stored strides needs."""
    strides = [each for slots in all_slots(tensor) for each in alternatives(slots.strides)]
    mixed = any("strides" in match.slots for match in tensor.matches)
    outer = bool(strides) and not mixed and all(each.has_compact_rows for each in strides)
    compact, inner = require.compact or not strides, require.inner_compact or outer
    leading = not mixed and any(each.is_leading for each in strides)
    positive = require.nonnegative_strides or leading
    return layout_flags(replace(require, compact=compact, inner_compact=inner, nonnegative_strides=positive))


def layout_flags(require: Requirements) -> list[str]:
    wanted = {
        "DLB_WRITABLE": require.writable,
        "DLB_COMPACT": require.compact,
        "DLB_INNER_COMPACT": require.inner_compact,
        "DLB_NO_OVERLAP": require.no_overlap,
        "DLB_NONNEGATIVE_STRIDES": require.nonnegative_strides,
    }
    return [name for name, needed in wanted.items() if needed]
