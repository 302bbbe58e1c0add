"""The order of axes in memory."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Literal

from dlpack_bindgen.frozen import Frozen
from dlpack_bindgen.language.kinds import Option, Word, Words
from dlpack_bindgen.tensor.slot import RANK, Conditional, Slot, Statement, preprocessed
from dlpack_bindgen.text.statements import Piece

# ---- Statements about axes that several slots need: the rank, and the strides of a compact array ----

Order = Literal["C", "F", "reversed"]


class Rank(Frozen):
    """A number of axes: the facts for the macro `rank` of `templates/slots/shape.c.j2`."""

    number: str
    """A C expression."""
    arrays: tuple[str, ...] = ()
    """Arrays of the struct that must have an element for each axis."""


class OrderFacts(Frozen):
    """The facts for `templates/slots/order.c.j2`."""

    rank: str
    """The number of axes, as a C expression."""
    has_strides: bool = False
    """Whether the strides are reversed, too."""


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
        facts = OrderFacts(RANK if self.axes is None else str(self.axes))
        if self.order == "F":
            return [Piece("slots/order", "compact_fortran", facts)]
        return [*reversals(self.order, has_strides=False), Piece("slots/order", "compact", facts)]


def ranked(number: str, arrays: Iterable[str] = ()) -> Statement:
    """Returns the statement that sets the rank and checks it against arrays of the struct."""
    return Piece("slots/shape", "rank", Rank(number, tuple(arrays)))


def reversals(order: Order | Conditional[Order] | None, has_strides: bool) -> list[Statement]:
    """Returns the statements that reverse the axes if the order is `reversed`."""

    def statements(each: Order) -> list[Statement]:
        return [Piece("slots/order", "reversed", OrderFacts(RANK, has_strides))] if each == "reversed" else []

    return preprocessed(order, statements)


def outermost(order: Order, axes: int | None) -> str:
    """Returns the outermost axis, as a C expression."""
    if order != "F":
        return "0"
    return f"{RANK} - 1" if axes is None else str(axes - 1)


# ---- The slot `order`: the order of the axes in memory ----

WORDS = {"F": "in column-major order", "reversed": "in reverse order"}
"""Orders other than row-major in documentation."""
REQUIRED = {"F": "DLB_ORDER_F", "reversed": "DLB_ORDER_REVERSED"}
"""Orders other than row-major that an imported array must have."""


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
