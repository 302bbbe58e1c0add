"""The slot `order`: the order of the axes in memory."""

from __future__ import annotations

from dlpack_bindgen.language.kinds import Option, Word, Words
from dlpack_bindgen.slots.layout import Order
from dlpack_bindgen.slots.slot import Slot

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
