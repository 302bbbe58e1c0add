"""A drawing of an array in memory: its axes, steps and gaps, with expressions of the spec as labels."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from dlpack_bindgen.explain.layout import INDENT, WIDTH, table
from dlpack_bindgen.frozen import Frozen
from dlpack_bindgen.slots.axes import AxisStep, compact_steps, factors
from dlpack_bindgen.slots.layout import Order
from dlpack_bindgen.slots.shape import Shape
from dlpack_bindgen.slots.strides import Strides

_MOST_AXES = 5
"""The largest number of axes that is drawn. The indices of more axes are too wide."""
_FEW = 4
"""The largest literal extent of which all indices are drawn."""
_LAST = "-1"
"""The last index of an axis, as in Python."""
_MORE = "..."
_GAP = "~~~~"


class ArrayLayout(Frozen):
    """Where the elements of an array lie."""

    shape: Shape
    strides: Strides | None
    """None: the array is compact."""
    order: Order


class _Axis(Frozen):
    """An axis of the exported array."""

    extent: str
    step: AxisStep

    @property
    def indices(self) -> list[str]:
        """The indices that are drawn, with `...` for those that are left out."""
        if not self.extent.isdecimal() or self.extent == "0":
            return ["0", "1", _MORE, _LAST]
        extent = int(self.extent)
        return [str(index) for index in range(extent)] if extent <= _FEW else ["0", "1", _MORE, str(extent - 1)]


class _Row(Frozen):
    """A row of memory: elements that follow each other, from low to high addresses."""

    label: str
    cells: tuple[str, ...]


_Indices = Mapping[int, str]


def drawing(layout: ArrayLayout, data: str) -> list[str]:
    """Returns the lines of a drawing; none: it would be too wide. `data` is the pointer to the first element, as a C
    expression."""
    axes, rows = _axes(layout), layout.strides.table if layout.strides is not None else None
    if len(axes) > _MOST_AXES:
        return []
    for labels in ((data, rows), ("data", "rows" if rows is not None else None)):
        lines = [*_Drawing(axes, layout, *labels).lines()]
        if max(map(len, lines)) <= WIDTH:
            return lines
    return []


def axes_table(layout: ArrayLayout) -> Iterator[str]:
    """Yields a table of the axes."""
    steps = [(str(index), axis.extent, axis.step.distance) for index, axis in enumerate(_axes(layout))]
    yield from table([("axis", "elements", "distance to the next element"), *steps]) if steps else ()


def _axes(layout: ArrayLayout) -> list[_Axis]:
    """Returns the axes in the order of Python."""
    given, order = layout.shape.axes, layout.order
    inner: Order = "C" if order == "C" else "F"
    extents = [extent for _, extent in given]
    steps = compact_steps(extents, inner) if layout.strides is None else layout.strides.steps(given, inner)
    axes = [_Axis(extent, step) for extent, step in zip(extents, steps, strict=True)]
    return axes[::-1] if order == "reversed" else axes


class _Drawing:
    def __init__(self, axes: Sequence[_Axis], layout: ArrayLayout, data: str, table: str | None) -> None:
        """Prepares a drawing with the pointer to the first element, or with the table of pointers to the rows."""
        self._axes = axes
        self._data = data
        self._table = table
        self._nested = _nested(axes, layout.order)
        """The axes from the innermost one."""
        self._gaps = _axes_with_gaps(axes, self._nested)
        adjacent = next((place for place, axis in enumerate(self._nested) if axis in self._gaps), len(axes))
        count = max(min(adjacent, len(axes) - 1), 1)
        self._run = self._nested[:count]
        """The axes of a row."""
        self._outer = self._nested[count:]
        """The axes outside of a row, from the innermost one."""

    def lines(self) -> Iterator[str]:
        """Yields the rows with their labels, and the distance from row to row."""
        rows = self._rows()
        before = max(len(row.label) for row in rows)
        widths: dict[int, int] = {}
        for row in rows:
            if len(row.cells) > 1:
                widths |= {place: max(len(cell), widths.get(place, 0)) for place, cell in enumerate(row.cells)}
        between = " ~ " if self._run and self._run[0] in self._gaps else " "
        widest = 0
        for row in rows:
            cells = between.join(cell.ljust(widths.get(place, 0)) for place, cell in enumerate(row.cells)).rstrip()
            cells = row.cells[0] if len(row.cells) == 1 else cells
            yield f"{INDENT}{row.label:>{before}}{cells}".rstrip()
            widest = max(widest, len(cells))
        if self._outer and self._table is None:
            yield from self._ruler(before, widest)

    def _ruler(self, before: int, width: int) -> Iterator[str]:
        step = self._axes[self._outer[0]].step
        if len(step.distance) + 6 <= width:
            yield f"{INDENT}{'':{before}}|<{f' {step.distance} '.center(width - 4, '-')}>|"

    def _rows(self) -> list[_Row]:
        if not self._axes:
            return [_Row(f"{self._data} --> ", ("[ ]",))]
        if not self._outer:
            return [self._row({}, f"{self._data} --> ")]
        line, *blocks = self._outer
        found = [self._line({line: index}) for index in self._axes[line].indices]
        rows = found[::-1] if self._axes[line].step.is_backward else found
        if not blocks and rows[-1].cells[-1] == _GAP:
            rows[-1] = _Row(rows[-1].label, rows[-1].cells[:-1])
        if not blocks or self._axes[blocks[0]].extent == "1":
            return rows
        between = [_Row("", (_GAP,))] if blocks[0] in self._gaps else []
        others = [self._row({blocks[0]: "1"}, ""), _Row("", (_MORE,))]
        is_backward = self._axes[blocks[0]].step.is_backward
        return [*others[::-1], *between, *rows] if is_backward else [*rows, *between, *others]

    def _line(self, at: _Indices) -> _Row:
        (index,) = at.values()
        if index == _MORE:
            return _Row("", (_MORE,))
        if self._table is not None:
            return self._row(at, "last --> " if index == _LAST else f"{self._table}[{index}] --> ")
        return self._row(at, f"{self._data} --> " if index == "0" else "")

    def _row(self, at: _Indices, label: str) -> _Row:
        """Returns the elements of a row, and a gap after it."""
        first, *others = self._run
        if others:
            last = {axis: self._axes[axis].indices[-1] for axis in self._run}
            second = [self._cell({**at, first: "1"})] if self._axes[first].extent != "1" else []
            cells = [self._cell(at), *second, _MORE, self._cell({**at, **last})]
        else:
            indices = self._axes[first].indices
            cells = [index if index == _MORE else self._cell({**at, first: index}) for index in indices]
        if self._axes[first].step.is_backward:
            cells.reverse()
        has_gap = bool(self._outer) and self._outer[0] in self._gaps
        return _Row(label, (*cells, _GAP) if has_gap else tuple(cells))

    def _cell(self, at: _Indices) -> str:
        return f"[{','.join(at.get(axis, '0') for axis in range(len(self._axes)))}]"


def _nested(axes: Sequence[_Axis], order: Order) -> list[int]:
    """Returns the axes from the innermost one: the axis whose neighbours are adjacent, then axes by their distances. A
    product is greater than its factors. Distances that no rule compares keep the order of the array."""
    left = list(range(len(axes))) if order == "F" else list(range(len(axes)))[::-1]
    left.sort(key=lambda axis: not axes[axis].step.is_unit)
    found: list[int] = []
    while left:
        inner = next(a for a in left if not any(_contains(axes[a], axes[b]) for b in left) or axes[a].step.is_unit)
        left.remove(inner)
        found.append(inner)
    return found


def _axes_with_gaps(axes: Sequence[_Axis], nested: Sequence[int]) -> set[int]:
    """Returns the axes along which unused memory can follow the elements of the inner axes."""
    found: set[int] = set()
    inner: list[str] = []
    for axis in nested:
        step = axes[axis].step
        if step.has_gaps and not (inner and Counter(step.factors) == Counter(inner)):
            found.add(axis)
        inner += factors(axes[axis].extent)
    return found


def _contains(whole: _Axis, part: _Axis) -> bool:
    """Returns whether the distance along an axis is a product with the distance along another one."""
    return Counter(part.step.factors) < Counter(whole.step.factors)
