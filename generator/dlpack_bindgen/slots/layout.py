"""Statements about axes that several slots need: the rank, and the strides of a compact array."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

from dlpack_bindgen.frozen import Frozen
from dlpack_bindgen.slots.conditional import Conditional
from dlpack_bindgen.slots.reading import RANK
from dlpack_bindgen.slots.statements import Statement, preprocessed
from dlpack_bindgen.text.statements import Piece

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
