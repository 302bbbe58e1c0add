"""Rules for literal numbers in slots: they must be in the range of the slot."""

from __future__ import annotations

from collections.abc import Iterator

from dlpack_bindgen.c.integers import integer
from dlpack_bindgen.diagnostics import Diagnostic, shown
from dlpack_bindgen.language.language import ClassFields, PartFields
from dlpack_bindgen.language.slots import MAX_RANK, DeviceFields, RunTimeRankFields, StridesFields
from dlpack_bindgen.language.values import Items, Leaf, Value
from dlpack_bindgen.validate.arms import matches, slot_values
from dlpack_bindgen.validate.structure import Report

_INT64_MAX = (1 << 63) - 1
_RANGES = {
    "extent": (0, _INT64_MAX, "an extent is 0 to 2^63 - 1"),
    "stride": (-_INT64_MAX, _INT64_MAX, "a stride is below 2^63"),
    "unit": (1, _INT64_MAX, "a unit is 1 to 2^63 - 1 bytes"),
    "offset": (0, _INT64_MAX, "an offset is 0 to 2^63 - 1"),
    "id": (0, (1 << 31) - 1, "a device id is 0 to 2^31 - 1"),
    "count": (0, _INT64_MAX, "a number of parts is 0 to 2^63 - 1"),
}


def check(tensor: ClassFields, report: Report) -> None:
    for shape in slot_values(tensor, "shape"):
        _shape(shape, report)
    for strides in slot_values(tensor, "strides"):
        for stride in _strides(strides):
            _within(stride, "stride", report)
        if isinstance(strides, StridesFields):
            _within(strides.unit, "unit", report)
    for offset in slot_values(tensor, "byte_offset"):
        _within(offset, "offset", report)
    for device in slot_values(tensor, "device"):
        if isinstance(device, DeviceFields):
            _within(device.id, "id", report)
    for match in matches(tensor):
        _within(match.device_id, "id", report)


def parts(entry: ClassFields, report: Report) -> None:
    """Reports invalid counts of parts, of a tensor or a handle."""
    listed = entry.parts
    for part in listed.records(PartFields) if listed else ():
        _within(part.count, "count", report)


def _within(number: Value | None, what: str, report: Report) -> None:
    least, most, words = _RANGES[what]
    value = integer(number.text) if isinstance(number, Leaf) else None
    if number and value is not None and not least <= value <= most:
        report(Diagnostic("bad-integer", number.span, words))


def _shape(shape: Value, report: Report) -> None:
    ndim = shape.ndim if isinstance(shape, RunTimeRankFields) else None
    rank = integer(ndim.text) if ndim else None
    if ndim and rank is not None and rank > MAX_RANK:
        report(Diagnostic("rank-too-high", ndim.span, f"a tensor has at most {MAX_RANK} axes"))
    elif ndim and rank is not None and rank < 0:
        report(Diagnostic("bad-integer", ndim.span, f"a rank is 0 to {MAX_RANK}"))
    each = shape.each if isinstance(shape, RunTimeRankFields) else None
    for extent in shape.leaves() if isinstance(shape, Items) else (each,) if each else ():
        if (integer(extent.text) or 0) < 0:
            hint = "none is inferred: write the expression for it"
            report(Diagnostic("negative-extent", extent.span, f"the extent '{shown(extent.text)}' is negative", hint))
        else:
            _within(extent, "extent", report)


def _strides(strides: Value) -> Iterator[Leaf]:
    listed = strides.list if isinstance(strides, StridesFields) else strides
    if isinstance(listed, Items):
        yield from listed.leaves()
    if isinstance(strides, StridesFields):
        yield from filter(None, (strides.each, strides.outer))
