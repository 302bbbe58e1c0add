"""The slots `shape` and `order`: the extents of the axes, and their order in memory."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Literal, cast

from dlpack_bindgen.frozen import Frozen
from dlpack_bindgen.language.keys import EXPRESSION, MAX_RANK, Key, ListOf, Option, Record, Word, Words
from dlpack_bindgen.language.values import Items, Leaf, Value, is_record, needed, strings, text_of
from dlpack_bindgen.tensor.slot import (
    INT64_MAX,
    RANK,
    Conditional,
    Reading,
    RecordSlot,
    Slot,
    SlotValue,
    Statement,
    alternatives,
    loop,
    preprocessed,
    range_problems,
)
from dlpack_bindgen.text.diagnostics import Diagnostic, shown
from dlpack_bindgen.text.fragments import Assertion, Piece, arrays_by_axis, is_number, replace_names
from dlpack_bindgen.text.literals import integer_value

# ---- Statements about axes that several slots need: the rank, and the strides of a compact array ----

Order = Literal["C", "F", "reversed"]


class Rank(Frozen):
    """A number of axes."""

    number: str
    """A C expression."""
    arrays: tuple[str, ...] = ()
    """Arrays of the struct that must have an element for each axis."""


class Layout(Frozen):
    """The values of other slots on which the strides depend."""

    order: Order
    axes: int | None
    """The number of axes if it is fixed."""
    rank: str
    """The number of axes, as a C expression."""
    arrays: tuple[str, ...]
    """Arrays of the struct that have an element for each axis, as the shape has checked."""
    dtype: str
    """The dtype, as a C expression."""

    def compact(self) -> list[Statement]:
        """Returns the statements that set the strides of a compact array."""
        rank = RANK if self.axes is None else str(self.axes)
        if self.order == "F":
            return [Piece("tensor/slots", "compact_fortran", rank)]
        return [*reversals(self.order, has_strides=False), Piece("tensor/slots", "compact", rank)]


def ranked(number: str, arrays: Iterable[str] = ()) -> Statement:
    """Returns the statement that sets the rank and checks it against arrays of the struct."""
    return Piece("tensor/slots", "rank", Rank(number, tuple(arrays)))


def reversals(order: Order | Conditional[Order] | None, has_strides: bool) -> list[Statement]:
    """Returns the statements that reverse the axes if the order is `reversed`."""

    def statements(each: Order) -> list[Statement]:
        return [Piece("tensor/slots", "reversed", has_strides)] if each == "reversed" else []

    return preprocessed(order, statements)


def outermost(order: Order, axes: int | None) -> str:
    """Returns the outermost axis, as a C expression."""
    if order != "F":
        return "0"
    return f"{RANK} - 1" if axes is None else str(axes - 1)


# ---- The slot `order`: the order of the axes in memory ----

WORDS = {"F": "in column-major order", "reversed": "in reverse order"}
"""Orders other than row-major in documentation."""


class OrderSlot(Slot):
    name = "order"
    doc = "Whether the last or the first axis is the innermost."
    forms = (
        Option(
            Words(
                (
                    Word("C", "The last axis is the innermost (row-major)."),
                    Word("F", "The first axis is the innermost (column-major)."),
                    Word(
                        "reversed", "The struct counts its axes from the innermost; exports and imports reverse them."
                    ),
                )
            ),
            "A word.",
        ),
    )
    values = "orders"
    default = "`C`"
    default_value = "C"

    def fragments(self, value: Order) -> list[str | None]:
        return []

    def in_words(self, value: Order) -> str:
        return WORDS.get(value, "in row-major order")


# ---- The distances between neighbours in memory, in words ----


class AxisStep(Frozen):
    """The distance from an element to its neighbour along an axis."""

    distance: str
    """The distance with its unit, in words."""
    factors: tuple[str, ...] = ()
    """The factors of the distance, as C expressions."""
    has_gaps: bool = False
    """Whether the neighbours may not follow each other without unused memory."""
    is_unit: bool = False
    """Whether the neighbour is the next element in memory."""
    is_backward: bool = False
    """Whether the neighbour surely has a lower address."""


def counted(number: str, unit: str) -> str:
    """Returns a number of things in words. `unit` is a plural."""
    return f"{number} {unit.removesuffix('s') if number == '1' else unit}"


def inner_to_outer(count: int, order: Order) -> list[int]:
    """Returns the axes of a compact array, the innermost first."""
    return list(range(count)) if order == "F" else list(range(count))[::-1]


def compact_numbers(extents: Sequence[str], order: Order) -> list[str]:
    """Returns the number of elements from one neighbour to the next, as a C expression for each axis."""
    found = [""] * len(extents)
    inner: list[str] = []
    for axis in inner_to_outer(len(extents), order):
        others = [extent for extent in inner if extent != "1"]
        found[axis] = " * ".join(map(_factor, others) if len(others) > 1 else others) or "1"
        inner.insert(0, extents[axis])
    return found


def compact_steps(extents: Sequence[str], order: Order) -> list[AxisStep]:
    """Returns the steps of a compact array."""
    numbers = compact_numbers(extents, order)
    return [AxisStep(counted(number, "elements"), factors(number), is_unit=number == "1") for number in numbers]


def factors(number: str) -> tuple[str, ...]:
    """Returns the factors of a product without brackets. Another expression is one factor."""
    return (number,) if set(number).intersection("()[]+") else tuple(map(str.strip, number.split("*")))


def _factor(extent: str) -> str:
    return extent if re.fullmatch(r"(\w|\.|->|\[[^][]*\]|\([^()]*\)$)+", extent) else f"({extent})"


# ---- The slot `shape`: the extents ----


_EXTENTS = ListOf(
    EXPRESSION,
    "a list of extents",
    most=MAX_RANK,
    if_mapped="an extent is a single C expression; a choice selects the whole shape",
)
NDIM = Key[Leaf]("ndim", EXPRESSION, "The number of axes.", required=True)
EACH_OF_SHAPE = Key[Leaf]("each", EXPRESSION, "The extent of the axis with the index `axis`.", required=True)
SHAPE_AT_RUN_TIME = Record(
    what="a shape {ndim, each}", doc="A shape whose rank is known only at run time.", keys=(NDIM, EACH_OF_SHAPE)
)
RUN_TIME_RANK = Option(SHAPE_AT_RUN_TIME, "A shape whose rank is known only at run time.")
_FORMS = (Option(_EXTENTS, "One extent per axis; the length of the list is the rank."), RUN_TIME_RANK)


class ListedShape(SlotValue, Frozen):
    """`shape: [EXPR, ...]`: the length of the list is the rank."""

    extents: tuple[str, ...]

    @property
    def in_words(self) -> str:
        return f"[{', '.join(self.extents)}]"

    @property
    def axes(self) -> tuple[tuple[str, str], ...]:
        """The index and the extent of each axis, as C expressions."""
        return tuple((str(axis), extent) for axis, extent in enumerate(self.extents))

    @property
    def expressions(self) -> tuple[str, ...]:
        return self.extents

    @property
    def rank(self) -> int | None:
        return len(self.extents)

    @property
    def known_rank(self) -> int | None:
        """The rank that the spec gives as a number; None: only the struct has it."""
        return len(self.extents)

    @property
    def required(self) -> list[str]:
        """The extents that imported arrays must have, or -1, as C expressions; empty: every array fits."""
        found = [extent if is_number(extent) else "-1" for extent in self.extents]
        return found if {*found} != {"-1"} else []

    def assertions(self, reading: Reading) -> Iterator[Assertion]:
        for axis, extent in enumerate(self.extents):
            yield from reading.integers(f"shape[{axis}]", extent)
        yield from reading.lengths("shape", self.extents)

    def tests_of_import(self) -> list[str]:
        """Returns the conditions that an imported array has the rank and the literal extents."""
        extents = [(axis, extent) for axis, extent in enumerate(self.extents) if is_number(extent)]
        return [f"source->ndim == {self.rank}", *(f"source->shape[{axis}] == {extent}" for axis, extent in extents)]

    def statements(self, reading: Reading) -> list[Statement]:
        extents = [(str(axis), reading.integer(extent)) for axis, extent in enumerate(self.extents)]
        found: list[Statement] = [] if reading.rank is not None else [ranked(f"DLB_INTEGER({len(self.extents)})")]
        return [*found, Piece("tensor/slots", "extents", extents)]


class EachShape(SlotValue, Frozen):
    """`shape: {ndim: EXPR, each: EXPR}`: the rank is known at run time; `axis` is in scope in `each`."""

    ndim: str
    each: str

    @property
    def in_words(self) -> str:
        return f"{self.ndim} axes, each with {self.each} elements"

    @property
    def axes(self) -> tuple[tuple[str, str], ...]:
        """The index and the extent of each axis, as C expressions. If the rank is unknown, two axes are an example."""
        rank = 2 if self.known_rank is None else self.known_rank
        return tuple((str(axis), replace_names(self.each, {"axis": str(axis)})) for axis in range(rank))

    @property
    def expressions(self) -> tuple[str, ...]:
        return self.ndim, self.each

    @property
    def rank(self) -> int | None:
        return None

    @property
    def arrays(self) -> tuple[str, ...]:
        """The arrays of the struct that have an element for each axis."""
        return tuple(arrays_by_axis(self.each))

    @property
    def known_rank(self) -> int | None:
        return int(self.ndim) if is_number(self.ndim) else None

    def assertions(self, reading: Reading) -> Iterator[Assertion]:
        yield from reading.integers("shape.ndim", self.ndim)
        yield from reading.integers("shape.each", self.each)

    def statements(self, reading: Reading) -> list[Statement]:
        return [self.ranks(reading), loop([self.extent(reading)])]

    def ranks(self, reading: Reading, beside: str = "") -> Statement:
        """Returns statements that set the rank and check it against the arrays of the struct.

        `beside` is another expression that reads an element for each axis.
        """
        arrays = dict.fromkeys([*self.arrays, *arrays_by_axis(beside)])
        return ranked(reading.integer(self.ndim), map(reading.text, arrays))

    def extent(self, reading: Reading) -> Statement:
        return Piece("tensor/slots", "extents", [("axis", reading.integer(self.each))])


Shape = ListedShape | EachShape


def read(value: Value) -> Shape:
    """Returns the shape of a valid spec."""
    if is_record(value, SHAPE_AT_RUN_TIME):
        return EachShape(needed(text_of(value[NDIM])), needed(text_of(value[EACH_OF_SHAPE])))
    return ListedShape(strings(cast(Items, value)))


class ShapeSlot(RecordSlot):
    name = "shape"
    doc = "The extents, one per axis."
    forms = _FORMS
    values = "shapes"
    unless = "match"
    details = ("A divisor that may be 0 needs a condition in `require`: `self->width > 0`.",)

    def problems(self, value: Value) -> Iterator[Diagnostic]:
        ndim = value[NDIM] if is_record(value, SHAPE_AT_RUN_TIME) else None
        rank = integer_value(ndim.text) if ndim else None
        if ndim and rank is not None and rank > MAX_RANK:
            yield Diagnostic("rank-too-high", ndim.span, f"a tensor has at most {MAX_RANK} axes")
        elif ndim and rank is not None and rank < 0:
            yield Diagnostic("bad-integer", ndim.span, f"a rank is 0 to {MAX_RANK}")
        each = value[EACH_OF_SHAPE] if is_record(value, SHAPE_AT_RUN_TIME) else None
        for extent in value.leaves() if isinstance(value, Items) else (each,) if each else ():
            if (integer_value(extent.text) or 0) < 0:
                message = f"the extent '{shown(extent.text)}' is negative"
                hint = "none is inferred: write the expression for it"
                yield Diagnostic("negative-extent", extent.span, message, hint)
            else:
                yield from range_problems(extent, 0, INT64_MAX, "an extent is 0 to 2^63 - 1")

    def read(self, value: Value, further: str | None) -> Shape:
        return read(value)


def literal_extents(shape: Value | None) -> tuple[str | None, ...] | None:
    """Returns the literal extent of each axis, None for an axis without one; None if the rank is unknown."""
    if not isinstance(shape, Items) or len(shape.items) != shape.count:
        return None
    return tuple(leaf.text if leaf.text.isdecimal() else None for leaf in shape.leaves())


def written_rank(shape: Value) -> int | None:
    """Returns the rank of a shape in the spec, or None if only the struct has it."""
    if isinstance(shape, Items):
        return shape.count
    ndim = text_of(shape[NDIM]) if is_record(shape, SHAPE_AT_RUN_TIME) else None
    return int(ndim) if ndim is not None and is_number(ndim) else None


def rank_of(shape: Shape | Conditional[Shape] | None) -> int | None:
    """Returns the number of axes if it is equal in all branches."""
    ranks = {each.rank for each in alternatives(shape) if isinstance(each, Shape)}
    return ranks.pop() if len(ranks) == 1 else None
