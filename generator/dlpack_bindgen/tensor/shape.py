"""The slot `shape`: the extents."""

from __future__ import annotations

from collections.abc import Iterator
from typing import cast

from dlpack_bindgen.frozen import Frozen
from dlpack_bindgen.language.kinds import EXPRESSION, MAX_RANK, Key, ListOf, Option, Record
from dlpack_bindgen.language.values import Items, Leaf, Value, is_record, needed, strings, text_of
from dlpack_bindgen.tensor.layout import ranked
from dlpack_bindgen.tensor.slot import (
    INT64_MAX,
    Conditional,
    Reading,
    RecordSlot,
    SlotValue,
    Statement,
    alternatives,
    loop,
    range_problems,
)
from dlpack_bindgen.text.diagnostics import Diagnostic, shown
from dlpack_bindgen.text.fragments import arrays_by_axis, is_number, replace_names
from dlpack_bindgen.text.literals import integer_value
from dlpack_bindgen.text.statements import Assertion, Piece

_EXTENTS = ListOf(
    EXPRESSION,
    "a list of extents",
    most=MAX_RANK,
    if_mapped="an extent is a single C expression; a choice selects the whole shape",
)
NDIM = Key[Leaf]("ndim", EXPRESSION, "The number of axes.", required=True)
EACH_OF_SHAPE = Key[Leaf]("each", EXPRESSION, "The extent of the axis with the index `axis`.", required=True)
SHAPE_AT_RUN_TIME = Record(
    what="a shape {ndim, each}",
    doc="A shape whose rank is known only at run time.",
    keys=(
        NDIM,
        EACH_OF_SHAPE,
    ),
)
RUN_TIME_RANK = Option(
    SHAPE_AT_RUN_TIME,
    "A shape whose rank is known only at run time.",
)
_FORMS = (Option(_EXTENTS, "One extent per axis; the length of the list is the rank."), RUN_TIME_RANK)


class Extent(Frozen):
    """The extent of an axis, as C expressions."""

    axis: str
    length: str


class Extents(Frozen):
    """The extents of several axes."""

    each: tuple[Extent, ...]


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
        extents = [Extent(str(axis), reading.integer(extent)) for axis, extent in enumerate(self.extents)]
        found: list[Statement] = [] if reading.rank is not None else [ranked(f"DLB_INTEGER({len(self.extents)})")]
        return [*found, Piece("slots/shape", "extents", Extents(tuple(extents)))]


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
        return Piece("slots/shape", "extents", Extents((Extent("axis", reading.integer(self.each)),)))


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
