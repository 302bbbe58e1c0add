"""The slot `strides`."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from dlpack_bindgen.c.assertion import Assertion
from dlpack_bindgen.c.fragments import arrays_by_axis
from dlpack_bindgen.c.piece import Piece
from dlpack_bindgen.frozen import Frozen
from dlpack_bindgen.slots.order import Order, compact, outermost, reversals
from dlpack_bindgen.slots.reading import RANK, Reading, SlotValue
from dlpack_bindgen.slots.shape import EachShape, Rank
from dlpack_bindgen.slots.statements import Block, Branch, Statement, chosen, loop

_SETTERS = {"elements": "dlb_stride", "bytes": "dlb_byte_stride", "bits": "dlb_bit_stride"}
"""The functions of the runtime for the units that have a name."""


class Stride(Frozen):
    """The stride of an axis, as C expressions."""

    axis: str
    length: str


class StridesFacts(Frozen):
    """The facts for `templates/slots/strides.c.j2`: the strides of several axes."""

    each: tuple[Stride, ...]
    setter: str
    """The function of the runtime that sets a stride."""
    dtype: str = ""
    """The dtype as a C expression, if the function needs it."""
    unit: str = ""
    """The number of bytes in one step as a C expression, if the function needs it."""


class Layout(Frozen):
    """The slots beside the strides."""

    order: Order
    axes: int | None
    """The number of axes if it is fixed."""
    shape: object
    dtype: str
    """The dtype, as a C expression."""

    def compact(self) -> list[Statement]:
        return compact(self.order, self.axes)


class StridesValue(SlotValue):
    """The base class of the forms of strides."""

    @property
    def has_compact_rows(self) -> bool:
        """Whether all axes but the outermost are compact."""
        return False

    @property
    def are_any(self) -> bool:
        """Whether the strides can differ from row-major with padding of the outermost axis."""
        return False

    @property
    def is_leading(self) -> bool:
        """Whether the stride is named like a leading dimension of BLAS, which is never negative."""
        return False

    def row_statements(self, reading: Reading, order: Order) -> list[Statement]:
        """Returns the check of a table of row pointers."""
        return []

    def first_row(self, data: str) -> str | None:
        """Returns the table of row pointers if the data begins with its first row."""
        return None


class ListedStrides(StridesValue, Frozen):
    """`strides: [EXPR, ...]` or `{list: [...], unit: ...}`."""

    items: tuple[str, ...]
    unit: str = "elements"
    """`elements`, `bytes`, `bits`, or a C expression for the number of bytes in one step."""
    compact_when: str | None = None
    """A condition. If it holds, the array is compact in `order` and the strides are not read."""

    @property
    def are_any(self) -> bool:
        return bool({*self.items[1:]} - {"1"})

    def fragments(self) -> list[str | None]:
        return [*self.items, *_unit(self.unit), self.compact_when]

    def assertions(self, reading: Reading) -> Iterator[Assertion]:
        yield from _condition(self.compact_when, reading)
        for axis, stride in enumerate(self.items):
            yield from reading.integers(f"strides[{axis}]", stride)
        yield from reading.lengths("strides", self.items)
        yield from _unit_assertions(self.unit, reading)

    def statements(self, reading: Reading, layout: Layout) -> list[Statement]:
        strides = {str(axis): stride for axis, stride in enumerate(self.items)}
        found = [_set(strides, self.unit, reading, layout.dtype), *reversals(layout.order, has_strides=True)]
        return _unless_compact(self.compact_when, found, reading, layout)


class EachStrides(StridesValue, Frozen):
    """`strides: {each: EXPR, unit: ...}`; `axis` is in scope."""

    each: str
    unit: str = "elements"
    compact_when: str | None = None

    are_any = True

    def fragments(self) -> list[str | None]:
        return [self.each, *_unit(self.unit), self.compact_when]

    def assertions(self, reading: Reading) -> Iterator[Assertion]:
        yield from _condition(self.compact_when, reading)
        yield from reading.integers("strides.each", self.each)
        if reading.rank is not None:
            for array in arrays_by_axis(self.each):
                yield reading.length("strides.each", array, reading.rank)
        yield from _unit_assertions(self.unit, reading)

    def stride(self, reading: Reading, dtype: str) -> Statement:
        """Returns the statement that sets the stride of `axis`."""
        return _set({"axis": self.each}, self.unit, reading, dtype)

    def statements(self, reading: Reading, layout: Layout) -> list[Statement]:
        found = [] if layout.axes is not None else self._capacity(reading, layout.shape)
        found += [loop([self.stride(reading, layout.dtype)]), *reversals(layout.order, has_strides=True)]
        return _unless_compact(self.compact_when, found, reading, layout)

    def _capacity(self, reading: Reading, shape: object) -> list[Statement]:
        """Checks the rank against arrays of strides that are not read with the extents."""
        known = arrays_by_axis(shape.each) if isinstance(shape, EachShape) else ()
        rank = reading.integer(shape.ndim) if isinstance(shape, EachShape) else f"DLB_INTEGER({RANK})"
        arrays = [reading.text(array) for array in dict.fromkeys(arrays_by_axis(self.each)) if array not in known]
        return [Piece("slots/shape", "rank", Rank(rank, tuple(arrays)))] if arrays else []


class OuterStride(StridesValue, Frozen):
    """`strides: {outer: EXPR, unit: ...}`: the stride of the outermost axis. The other axes are compact."""

    outer: str
    unit: str = "elements"
    compact_when: str | None = None

    has_compact_rows = True

    @property
    def is_leading(self) -> bool:
        return re.search(r"(?i)(?:^|\W|_)(?:ld[a-z]?|ldim|leading(?:_dim\w*)?)$", self.outer) is not None

    def fragments(self) -> list[str | None]:
        return [self.outer, *_unit(self.unit), self.compact_when]

    def assertions(self, reading: Reading) -> Iterator[Assertion]:
        yield from _condition(self.compact_when, reading)
        yield from reading.integers("strides.outer", self.outer)
        yield from _unit_assertions(self.unit, reading)

    def statements(self, reading: Reading, layout: Layout) -> list[Statement]:
        if layout.axes == 0:
            return layout.compact()
        axis = outermost(layout.order, layout.axes)
        stride = _set({axis: self.outer}, self.unit, reading, layout.dtype)
        if layout.axes is None and reading.least == 0:
            stride = chosen(f"{RANK} > 0", [stride])
        return [*layout.compact(), *unless(self.compact_when, [stride], reading)]


def unless(condition: str | None, statements: list[Statement], reading: Reading) -> list[Statement]:
    """Returns statements that run unless the condition of the spec holds."""
    return statements if condition is None else [chosen(reading.negated(condition), statements)]


def _unless_compact(
    condition: str | None, statements: list[Statement], reading: Reading, layout: Layout
) -> list[Statement]:
    if condition is None:
        return statements
    return [Block("chain", (Branch(reading.text(condition), tuple(layout.compact())),), tuple(statements))]


def _set(strides: Mapping[str, str], unit: str, reading: Reading, dtype: str) -> Statement:
    """Returns the statement that sets the stride of each axis."""
    facts = StridesFacts(
        each=tuple(Stride(axis, reading.integer(stride)) for axis, stride in strides.items()),
        setter=_SETTERS.get(unit, "dlb_unit_stride"),
        dtype=dtype if unit == "bytes" else "",
        unit=reading.integer(unit) if unit not in _SETTERS else "",
    )
    return Piece("slots/strides", "strides", facts)


def _unit(unit: str) -> list[str]:
    """Returns the unit if it is C source."""
    return [] if unit in _SETTERS else [unit]


def _condition(compact_when: str | None, reading: Reading) -> Iterator[Assertion]:
    if compact_when is not None:
        yield from reading.condition("strides.compact_when", compact_when)


def _unit_assertions(unit: str, reading: Reading) -> Iterator[Assertion]:
    for each in _unit(unit):
        yield from reading.integers("strides.unit", each)
