"""The slot `strides`."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import cast

from dlpack_bindgen.frozen import Frozen
from dlpack_bindgen.language.keys import (
    EXPRESSION,
    MAX_RANK,
    Alternatives,
    Form,
    Key,
    ListOf,
    Option,
    Record,
    Word,
    Words,
    flag,
)
from dlpack_bindgen.language.values import Items, Leaf, Value, is_record, is_true, needed, strings, text_of
from dlpack_bindgen.tensor.shape import (
    AxisStep,
    Layout,
    Order,
    compact_numbers,
    compact_steps,
    counted,
    factors,
    inner_to_outer,
    outermost,
    ranked,
    reversals,
)
from dlpack_bindgen.tensor.slot import (
    INT64_MAX,
    RANK,
    Block,
    Branch,
    Reading,
    RecordSlot,
    SlotValue,
    Statement,
    chosen,
    loop,
    range_problems,
)
from dlpack_bindgen.text.diagnostics import Diagnostic
from dlpack_bindgen.text.fragments import Assertion, Piece, arrays_by_axis, replace_names

_STRIDES_LIST = ListOf(
    EXPRESSION,
    "a list of strides",
    most=MAX_RANK,
    if_mapped="a stride is a single C expression; a choice selects all strides",
)
LIST = Key[Items]("list", _STRIDES_LIST, "One stride per axis.")
EACH_OF_STRIDES = Key[Leaf]("each", EXPRESSION, "The stride of the axis with the index `axis`.")
OUTER = Key[Leaf](
    "outer",
    EXPRESSION,
    "The stride of the outermost axis, for padded rows. All other axes are compact.",
    details=("A stride with a name from BLAS (`self->lda`) is never negative in an import.",),
)
ROWS = Key[Leaf](
    "rows",
    EXPRESSION,
    "A C array of pointers to the rows, as in `self->rows`. `data` is then the first row, `self->rows[0]`.",
    details=(
        "If the rows are not evenly spaced, the export is refused. With `copy: allowed`, the data is copied.",
        "`data` is evaluated only if the array has elements.",
    ),
)
UNIT_OF_STRIDES = Key[Leaf](
    "unit",
    Alternatives(
        (
            Option(
                Words(
                    (
                        Word("elements", "A stride of 3 is the distance of 3 elements, whatever their size."),
                        Word(
                            "bytes",
                            "A stride of 24 is a distance of 24 bytes: 3 elements of `float64`. It "
                            "must be a multiple of the item size.",
                        ),
                        Word("bits", "Strides count bits: multiples of the element size in bits."),
                    )
                ),
                "A word.",
            ),
            Option(EXPRESSION, "The size of one unit in bytes, as in `sizeof(float)`."),
        )
    ),
    "The unit of the strides.",
    default="`elements`; sometimes required, see above",
)
COMPACT_WHEN = Key[Leaf](
    "compact_when",
    EXPRESSION,
    "The condition under which the array is compact: `self->strides == NULL`. Strides of a compact array are not read.",
)
OVERLAP = flag(
    "overlap",
    "Elements may overlap, as in sliding windows: a row of 4 elements begins at each element.",
    "An export is refused if its elements overlap.",
    "Whether elements of the array may share memory.",
    details=(
        "An export is refused if an axis does not step over the memory of the axes with shorter "
        "strides: a row stride of 8 is too short for rows of 64 elements. Such strides often count "
        "another unit than the spec declares, and consumers would read beyond the end of the memory.",
        "A stride of 0 repeats elements, and needs no `overlap`. Neither do extents of 1 and arrays without elements.",
        "Attributes such as `shape` and `strides` are not exports, nor are arguments of the class.",
    ),
)
MAPPING_OF_STRIDES = Record(
    what="a mapping of strides",
    doc="Strides in one of four forms, with their unit. Without `unit`, strides count elements. If byte "
    "strides are used as element strides, C accesses memory beyond the end of the array. The generator "
    "therefore requires `unit` if elements can be larger than a byte and a stride may count bytes:\n\n* "
    "The name of the stride suggests bytes: `self->pitch`.\n* The stride has the factor `sizeof` or "
    "`itemsize`.\n* The stride comes from a function with a name such as `plane_get_stride(self)`.\n* The "
    "stride is the size of an element, or a multiple of this size: `[8 * self->columns, 8]` of "
    "`float64`.\n* The tensor has dtypes of several sizes.\n\n`unit` stays optional for a stride that is "
    "an extent or a product of extents, because such strides count elements. `unit` also stays optional "
    "for a stride that is divided by the item size, such as `self->pitch / itemsize`.",
    keys=(LIST, EACH_OF_STRIDES, OUTER, ROWS, UNIT_OF_STRIDES, COMPACT_WHEN, OVERLAP),
    one_of=("list", "each", "outer", "rows"),
    exclusive=(("rows", "unit"),),
)
_FORMS = (
    Option(_STRIDES_LIST, "One stride per axis, in elements."),
    Option(MAPPING_OF_STRIDES, "Strides in another form, or with a unit."),
)
_SETTERS = {"elements": "dlb_stride", "bytes": "dlb_byte_stride", "bits": "dlb_bit_stride"}
"""The functions of the runtime for the units that have a name."""


class StrideCalls(Frozen):
    """Calls of the runtime that set the strides of several axes."""

    setter: str
    """The function of the runtime."""
    each: tuple[tuple[str, ...], ...]
    """The arguments of each call, as C expressions."""


class StridesValue(SlotValue):
    """The base class of the forms of strides."""

    compact_when: str | None
    """A condition. If it holds, the array is compact in `order` and the strides are not read."""
    overlap: bool
    """Whether elements of the array may overlap."""

    @property
    def has_compact_rows(self) -> bool:
        """Whether all axes but the outermost are compact."""
        return False

    @property
    def are_any(self) -> bool:
        """Whether the strides can differ from row-major with padding of the outermost axis."""
        return self.overlap

    @property
    def words(self) -> str | None:
        """The strides in documentation; None: it leaves them out."""
        return None

    def steps(self, axes: Sequence[tuple[str, str]], order: Order) -> list[AxisStep]:
        """Returns the steps along the axes. `axes`: the index and the extent of each, as C expressions."""
        raise NotImplementedError

    @property
    def in_words(self) -> str:
        """The strides in words."""
        raise NotImplementedError

    @property
    def table(self) -> str | None:
        """The table of pointers to the rows, as a C expression; None: there is none."""
        return None

    @property
    def has_rows(self) -> bool:
        """Whether a table of row pointers must be checked after the data is set."""
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
    overlap: bool = False

    @property
    def are_any(self) -> bool:
        return self.overlap or bool({*self.items[1:]} - {"1"})

    def steps(self, axes: Sequence[tuple[str, str]], order: Order) -> list[AxisStep]:
        return _given_steps(self.items, self.unit, [extent for _, extent in axes], order)

    @property
    def in_words(self) -> str:
        return f"[{', '.join(self.items)}] {_unit_in_words(self.unit)}"

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
        found += allowed_overlap(self)
        return _unless_compact(self.compact_when, found, reading, layout)


class EachStrides(StridesValue, Frozen):
    """`strides: {each: EXPR, unit: ...}`; `axis` is in scope."""

    each: str
    unit: str = "elements"
    compact_when: str | None = None
    overlap: bool = False

    are_any = True

    def steps(self, axes: Sequence[tuple[str, str]], order: Order) -> list[AxisStep]:
        items = [replace_names(self.each, {"axis": index}) for index, _ in axes]
        return _given_steps(items, self.unit, [extent for _, extent in axes], order)

    @property
    def in_words(self) -> str:
        return f"{self.each} {_unit_in_words(self.unit)} along each axis"

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
        found = [] if layout.axes is not None else self._capacity(reading, layout)
        found += [loop([self.stride(reading, layout.dtype)]), *reversals(layout.order, has_strides=True)]
        found += allowed_overlap(self)
        return _unless_compact(self.compact_when, found, reading, layout)

    def _capacity(self, reading: Reading, layout: Layout) -> list[Statement]:
        """Checks the rank against arrays of strides that are not read with the extents."""
        arrays = [each for each in dict.fromkeys(arrays_by_axis(self.each)) if each not in layout.arrays]
        return [ranked(layout.rank, map(reading.text, arrays))] if arrays else []


class OuterStride(StridesValue, Frozen):
    """`strides: {outer: EXPR, unit: ...}`: the stride of the outermost axis. The other axes are compact."""

    outer: str
    unit: str = "elements"
    compact_when: str | None = None
    overlap: bool = False

    has_compact_rows = True

    def steps(self, axes: Sequence[tuple[str, str]], order: Order) -> list[AxisStep]:
        outer = _step(self.outer, self.unit)
        return _with_outermost(outer, [extent for _, extent in axes], order)

    @property
    def in_words(self) -> str:
        return f"{self.outer} {_unit_in_words(self.unit)} from row to row"

    @property
    def words(self) -> str | None:
        return f"its rows `{self.outer}` {self.unit} apart" if self.unit in _SETTERS else None

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
        return [*layout.compact(), *_unless(self.compact_when, [stride], reading), *allowed_overlap(self)]


class RowPointers(StridesValue, Frozen):
    """`strides: {rows: EXPR}`: a table of pointers to the rows. Rows at a varying distance are copied, or refused."""

    rows: str
    compact_when: str | None = None
    overlap: bool = False

    has_compact_rows = has_rows = True

    def steps(self, axes: Sequence[tuple[str, str]], order: Order) -> list[AxisStep]:
        outer = AxisStep(f"the next pointer in {self.rows}", has_gaps=True)
        return _with_outermost(outer, [extent for _, extent in axes], order)

    @property
    def in_words(self) -> str:
        return f"rows at the pointers in {self.rows}"

    @property
    def table(self) -> str:
        return self.rows

    def fragments(self) -> list[str | None]:
        return [self.rows, self.compact_when]

    def assertions(self, reading: Reading) -> Iterator[Assertion]:
        yield from _condition(self.compact_when, reading)
        yield reading.asserted("TABLE", "strides.rows", self.rows, "a table of pointers")

    def statements(self, reading: Reading, layout: Layout) -> list[Statement]:
        return [*layout.compact(), *allowed_overlap(self)]

    def row_statements(self, reading: Reading, order: Order) -> list[Statement]:
        checked = reading.quoting("DLB_ROWS", self.rows, "view", outermost(order, None))
        return _unless(self.compact_when, [Piece("tensor/slots", "rows", checked)], reading)

    def first_row(self, data: str) -> str | None:
        return self.rows if data in (f"{self.rows}[0]", f"*{self.rows}") else None


Strides = ListedStrides | EachStrides | OuterStride | RowPointers


def _unit_in_words(unit: str) -> str:
    return unit if unit in _SETTERS else f"times {unit} bytes"


def _step(stride: str, unit: str) -> AxisStep:
    distance = counted(stride, unit) if unit in _SETTERS else f"{stride} times {unit} bytes"
    return AxisStep(distance, factors(stride), has_gaps=True, is_backward=stride.lstrip("( ").startswith("-"))


def _given_steps(items: Sequence[str], unit: str, extents: Sequence[str], order: Order) -> list[AxisStep]:
    """Returns the steps of strides that the spec gives. Without gaps, a stride is the product of the inner extents."""
    return [
        replace(step, has_gaps=False, is_unit=is_unit) if is_unit or _counts(item, unit, number) else step
        for item, number in zip(items, compact_numbers(extents, order), strict=True)
        for step, is_unit in [(_step(item, unit), _counts(item, unit, "1"))]
    ]


def _counts(stride: str, unit: str, number: str) -> bool:
    """Returns whether a stride spells a number of elements."""
    text, plain = "".join(stride.split()), "".join(number.split())
    if unit == "bytes":
        text, sizes = re.subn(r"(^|\*)(itemsize|sizeof\([^()]*\))(\*|$)", r"\3", text)
        return sizes == 1 and (text.strip("*") or "1") == plain
    return unit != "bits" and text == plain


def _with_outermost(outer: AxisStep, extents: Sequence[str], order: Order) -> list[AxisStep]:
    """Returns the steps of a compact array with another step along its outermost axis."""
    steps = compact_steps(extents, order)
    if steps:
        steps[inner_to_outer(len(steps), order)[-1]] = outer
    return steps


def _unless(condition: str | None, statements: list[Statement], reading: Reading) -> list[Statement]:
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
    before = [dtype] if unit == "bytes" else []
    behind = [reading.integer(unit)] if unit not in _SETTERS else []
    each = ((*before, axis, reading.integer(stride), *behind) for axis, stride in strides.items())
    return Piece("tensor/slots", "strides", StrideCalls(_SETTERS.get(unit, "dlb_unit_stride"), tuple(each)))


def allowed_overlap(strides: StridesValue) -> list[Statement]:
    """Returns the statement that allows elements that overlap."""
    return [Piece("tensor/slots", "overlap", None)] if strides.overlap else []


def _unit(unit: str) -> list[str]:
    """Returns the unit if it is C source."""
    return [] if unit in _SETTERS else [unit]


def _condition(compact_when: str | None, reading: Reading) -> Iterator[Assertion]:
    if compact_when is not None:
        yield from reading.condition("strides.compact_when", compact_when)


def _unit_assertions(unit: str, reading: Reading) -> Iterator[Assertion]:
    for each in _unit(unit):
        yield from reading.integers("strides.unit", each)


_RANGE = "a stride is below 2^63"
_WORDS = {"element": "elements", "byte": "bytes", "bit": "bits"}


def is_misspelt(unit: Leaf) -> bool:
    """Returns whether a unit is close to a word for a unit, and is no C expression."""
    return unit.form is Form.EXPRESSION and unit.text.lower() in (*_WORDS, *_WORDS.values())


class StridesSlot(RecordSlot):
    name = "strides"
    doc = "The distances between neighbours along each axis."
    forms = _FORMS
    values = "strides"
    default = "compact in `order`"

    def remarks(self, value: Strides) -> list[str]:
        found = ["DLPack can describe rows only at equal distances."] if value.table is not None else []
        if value.compact_when:
            found.append(f"If {value.compact_when}, the array is compact, and its strides are not read.")
        if value.overlap:
            found.append("Elements may overlap: several indices can lead to one place in memory.")
        return found

    def problems(self, value: Value) -> Iterator[Diagnostic]:
        fields = value if is_record(value, MAPPING_OF_STRIDES) else None
        listed = fields[LIST] if fields else value
        for stride in listed.leaves() if isinstance(listed, Items) else ():
            yield from range_problems(stride, -INT64_MAX, INT64_MAX, _RANGE)
        if fields is None:
            return
        for other in (fields[EACH_OF_STRIDES], fields[OUTER]):
            yield from range_problems(other, -INT64_MAX, INT64_MAX, _RANGE)
        unit = fields[UNIT_OF_STRIDES]
        yield from range_problems(unit, 1, INT64_MAX, "a unit is 1 to 2^63 - 1 bytes")
        if unit is not None and is_misspelt(unit):
            word = unit.text.lower()
            message = f"'{unit.text}' is not a unit, nor the name of a number of bytes"
            yield Diagnostic("unknown-word", unit.span, message, f"did you mean '{_WORDS.get(word, word)}'?")

    def read(self, value: Value, further: str | None) -> Strides:
        if not is_record(value, MAPPING_OF_STRIDES):
            return ListedStrides(strings(cast(Items, value)))
        unit, compact_when = text_of(value[UNIT_OF_STRIDES]) or "elements", text_of(value[COMPACT_WHEN])
        overlap = is_true(value[OVERLAP])
        if rows := text_of(value[ROWS]):
            return RowPointers(rows, compact_when, overlap)
        if each := text_of(value[EACH_OF_STRIDES]):
            return EachStrides(each, unit, compact_when, overlap)
        if outer := text_of(value[OUTER]):
            return OuterStride(outer, unit, compact_when, overlap)
        return ListedStrides(strings(needed(value[LIST])), unit, compact_when, overlap)
