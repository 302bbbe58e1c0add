"""The slot `order`: the order of the axes in memory."""

from __future__ import annotations

from typing import Literal

from dlpack_bindgen.c.piece import Piece
from dlpack_bindgen.frozen import Frozen
from dlpack_bindgen.language.kinds import Option, Word, Words
from dlpack_bindgen.slots.conditional import Conditional
from dlpack_bindgen.slots.key import SlotKey
from dlpack_bindgen.slots.reading import RANK
from dlpack_bindgen.slots.statements import Statement, preprocessed

Order = Literal["C", "F", "reversed"]

_FORMS = (
    Option(
        Words(
            (
                Word("C", "The last axis is the innermost (row-major)."),
                Word("F", "The first axis is the innermost (column-major)."),
                Word("reversed", "The struct counts its axes from the innermost; exports and imports reverse them."),
            )
        ),
        "A word.",
    ),
)
KEY = SlotKey("order", "Whether the last or the first axis is the innermost.", _FORMS, "orders", default="`C`")

WORDS = {"F": "in column-major order", "reversed": "in reverse order"}
"""Orders other than row-major in documentation."""
REQUIRED = {"F": "DLB_ORDER_F", "reversed": "DLB_ORDER_REVERSED"}
"""Orders other than row-major that an imported array must have."""


class OrderFacts(Frozen):
    """The facts for `templates/slots/order.c.j2`."""

    rank: str
    """The number of axes, as a C expression."""
    has_strides: bool = False
    """Whether the strides are reversed, too."""


def compact(order: Order, axes: int | None) -> list[Statement]:
    """Returns the statements that set the strides of a compact array. `axes` is the number of axes if it is fixed."""
    facts = OrderFacts(RANK if axes is None else str(axes))
    if order == "F":
        return [Piece("slots/order", "compact_fortran", facts)]
    return [*reversals(order, has_strides=False), Piece("slots/order", "compact", facts)]


def reversals(order: Order | Conditional[Order] | None, has_strides: bool) -> list[Statement]:
    """Returns the statements that reverse the axes if the order says so."""

    def statements(each: Order) -> list[Statement]:
        return [Piece("slots/order", "reversed", OrderFacts(RANK, has_strides))] if each == "reversed" else []

    return preprocessed(order, statements)


def outermost(order: Order, axes: int | None) -> str:
    """Returns the outermost axis, as a C expression."""
    if order != "F":
        return "0"
    return f"{RANK} - 1" if axes is None else str(axes - 1)
