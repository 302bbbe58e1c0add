"""The sections of `explain` about the array of a tensor and its memory, and text of at most 80 columns."""

from __future__ import annotations

import textwrap
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import product
from typing import Any

from dlpack_bindgen.classes.class_docs import copies_of_exports, summary
from dlpack_bindgen.frozen import Frozen
from dlpack_bindgen.tensor.accepts import all_slots
from dlpack_bindgen.tensor.item import Tensor, step_in_words
from dlpack_bindgen.tensor.shape import AxisStep, Order, Shape, compact_steps, factors
from dlpack_bindgen.tensor.slot import Conditional, alternatives
from dlpack_bindgen.tensor.slots import SLOTS, Match, Slots
from dlpack_bindgen.tensor.strides import Strides

# ---- Text of at most 80 columns: headings, paragraphs, lists and tables ----

WIDTH = 80
INDENT = "  "
NO_BREAK = "\N{NO-BREAK SPACE}"
"""A space at which no line is broken."""


def title(text: str, line: str = "=") -> list[str]:
    """Returns a heading with a line below it."""
    lines = wrapped(text)
    return [*lines, line * max(map(len, lines))]


def wrapped(text: str, indent: str = "", later: str | None = None) -> list[str]:
    """Returns the lines of a paragraph. `later` is the indent of the lines after the first one."""
    return textwrap.wrap(
        _printable(text),
        WIDTH,
        initial_indent=indent,
        subsequent_indent=indent if later is None else later,
        break_on_hyphens=False,
    )


def paragraphs(text: str, indent: str = "") -> list[str]:
    """Returns the lines of a text whose lines are paragraphs."""
    return [line for part in text.split("\n") for line in wrapped(part, indent) or [""]]


def listed(items: Iterable[str], indent: str = INDENT) -> Iterator[str]:
    """Yields the lines of a list."""
    for item in items:
        yield from wrapped(item, f"{indent}* ", f"{indent}  ")


def table(rows: Sequence[Sequence[str]], indent: str = INDENT) -> Iterator[str]:
    """Yields the lines of a table. Its columns are as wide as needed, or share the width."""
    rows = [[_printable(cell) for cell in row] for row in rows]
    widths = _widths([max(map(len, column)) for column in zip(*rows, strict=True)], WIDTH - len(indent))
    for row in rows:
        cells = [textwrap.wrap(c, width, break_on_hyphens=False) or [""] for c, width in zip(row, widths, strict=True)]
        for line in range(max(map(len, cells))):
            parts = [cell[line] if line < len(cell) else "" for cell in cells]
            shown = "  ".join(part.ljust(width) for part, width in zip(parts, widths, strict=True))
            yield f"{indent}{shown}".rstrip()


def _widths(needed: Sequence[int], width: int) -> list[int]:
    """Returns the widths of columns that have two blanks between them. The widest columns are narrowed."""
    free = width - 2 * (len(needed) - 1)
    widths = list(needed)
    while sum(widths) > free:
        widest = widths.index(max(widths))
        widths[widest] -= 1
    return [max(each, 1) for each in widths]


def _printable(text: str) -> str:
    return text if text.isprintable() else "".join(c if c.isprintable() or c == NO_BREAK else " " for c in text)


# ---- A drawing of an array in memory: its axes, steps and gaps, with expressions of the spec as labels ----

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


# ---- The section about the array of a tensor: its slots, what chooses them, and its memory ----

_MOST_DRAWINGS = 4


def array(tensor: Tensor) -> Iterator[str]:
    """Yields the lines about the values of the slots."""
    yield from wrapped(f"The array {summary(tensor)}.", INDENT)
    yield ""
    yield from table([*_fixed(tensor), *_defaults(tensor)])
    for match in tensor.matches:
        yield ""
        yield from _choice(match)
    yield from _remarks(tensor)
    if tensor.let:
        yield ""
        yield from wrapped("Before the slots, at each export and each read of an attribute, C runs:", INDENT)
        yield from listed(map(step_in_words, tensor.let))
    if tensor.require:
        yield ""
        yield from wrapped("A BufferError is raised unless these conditions hold:", INDENT)
        yield from listed(each.in_words for each in tensor.require)


def _fixed(tensor: Tensor) -> Iterator[tuple[str, str]]:
    """Yields the slots that no match chooses, each with its value."""
    for slot in SLOTS:
        value = getattr(tensor.slots, slot.name)
        if value is not None:
            yield slot.name, _in_words(slot.name, value)


def _defaults(tensor: Tensor) -> Iterator[tuple[str, str]]:
    """Yields the slots that the spec leaves out."""
    for slot in SLOTS:
        if slot.default is not None and all(getattr(slots, slot.name) is None for slots in all_slots(tensor)):
            yield slot.name, f"{slot.default.replace('`', '')} (default)"


def _in_words(name: str, value: Any) -> str:
    slot = next(slot for slot in SLOTS if slot.name == name)
    if not isinstance(value, Conditional):
        return slot.in_words(value)
    found = [f"#if {condition}: {slot.in_words(each)}" for condition, each in value.branches]
    return "; ".join([*found, *([f"#else: {slot.in_words(value.otherwise)}"] if value.otherwise is not None else [])])


def _choice(match: Match) -> Iterator[str]:
    """Yields the arms of a match."""
    yield from wrapped(f"Chosen by {' / '.join(match.of)}:", INDENT)
    rows = [(_label(match, place), _slots_in_words(arm.slots)) for place, arm in enumerate(match.arms)]
    other = "BufferError" if match.default is None else _slots_in_words(match.default)
    yield from table([*rows, ("any other value", other)], f"{INDENT}{INDENT}")


def _label(match: Match, place: int) -> str:
    """Returns the values for which an arm is chosen; the place -1 is that of the default."""
    if place < 0:
        return "any other value"
    arm = match.arms[place]
    return f"{arm.in_words}{f' (#if {arm.condition})' if arm.condition else ''}"


def _slots_in_words(slots: Slots) -> str:
    return "; ".join(f"{name}: {_in_words(name, getattr(slots, name))}" for name in slots.names())


def _remarks(tensor: Tensor) -> Iterator[str]:
    """Yields sentences about the memory, once each."""
    found: dict[str, None] = {}
    for slot in SLOTS:
        values = [each for slots in all_slots(tensor) for each in alternatives(getattr(slots, slot.name))]
        found |= dict.fromkeys(remark for value in values for remark in slot.remarks(value))
    found |= dict.fromkeys(copies_of_exports(tensor))
    if found:
        yield ""
        for remark in found:
            yield from wrapped(remark, INDENT)


# ---- Memory ----


class _Choice(Frozen):
    """A way to choose the slots of one layout."""

    label: str
    slots: Slots


def memory(tensor: Tensor) -> Iterator[str]:
    """Yields a drawing for each layout of the array."""
    layouts = _layouts(tensor)
    pointer = _first_element(tensor)
    shown = [(layout, labels, drawing(layout, pointer)) for layout, labels in layouts[:_MOST_DRAWINGS]]
    has_legend = any(lines for _, _, lines in shown)
    if has_legend:
        yield from wrapped(
            "Addresses grow to the right and downwards. -1 is the last index of an axis, and ~ can be a gap.", INDENT
        )
    for number, (layout, labels, lines) in enumerate(shown):
        yield from [""] if number or has_legend else []
        if len(layouts) > 1:
            yield from wrapped(f"For {'; '.join(labels)}:", INDENT)
        if layout.shape.rank is None:
            yield from wrapped(f"There are {layout.shape.expressions[0]} axes; drawn for two:", INDENT)
        yield from lines
        axes = [*axes_table(layout)]
        yield from [""] if lines and axes else []
        yield from axes
    left = len(layouts) - _MOST_DRAWINGS
    if left > 0:
        yield ""
        yield from wrapped(f"{left} more layout{'s are' if left > 1 else ' is'} not drawn.", INDENT)


def _first_element(tensor: Tensor) -> str:
    """Returns the address of the first element as a drawing shows it."""
    data, offset = _only_value(tensor, "data") or "data", _only_value(tensor, "byte_offset")
    return data if offset == "" else f"{data} + {offset or 'byte_offset'} bytes"


def _only_value(tensor: Tensor, name: str) -> str | None:
    """Returns the expression of a slot. None: the slot has several; "": it has none."""
    values = alternatives(getattr(tensor.slots, name))
    if len(values) > 1 or any(name in match.slots for match in tensor.matches):
        return None
    return str(values[0]) if values and values[0] is not None else ""


def _layouts(tensor: Tensor) -> list[tuple[ArrayLayout, list[str]]]:
    """Returns the layouts of the array, each with the values for which it is chosen."""
    found: list[tuple[ArrayLayout, list[str]]] = []
    matches = [match for match in tensor.matches if {"shape", "strides", "order"}.intersection(match.slots)]
    for chosen in product(*map(_choices, matches)):
        label = " and ".join(each.label for each in chosen)
        for layout in _variants([tensor.slots, *(each.slots for each in chosen)]):
            same = next((labels for other, labels in found if other == layout), None)
            if same is None:
                found.append((layout, [label]))
            elif label not in same:
                same.append(label)
    return found


def _choices(match: Match) -> list[_Choice]:
    found = [_Choice(_label(match, place), arm.slots) for place, arm in enumerate(match.arms)]
    return found if match.default is None else [*found, _Choice(_label(match, -1), match.default)]


def _variants(slots: Sequence[Slots]) -> Iterator[ArrayLayout]:
    """Yields the layouts among which the preprocessor chooses. Later slots replace earlier ones."""

    def values(name: str) -> list[Any]:
        given = [value for each in slots if (value := getattr(each, name)) is not None]
        found = alternatives(given[-1]) if given else []
        is_certain = bool(given) and not (isinstance(given[-1], Conditional) and given[-1].otherwise is None)
        return found if is_certain else [*found, None]

    for shape, strides, order in product(values("shape"), values("strides"), values("order")):
        if shape is not None:
            yield ArrayLayout(shape, strides, order or "C")
