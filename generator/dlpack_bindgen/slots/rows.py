"""Tables of pointers to the rows: `strides: {rows: EXPR}`."""

from __future__ import annotations

from collections.abc import Iterator

from dlpack_bindgen.c.assertion import Assertion
from dlpack_bindgen.c.piece import Piece
from dlpack_bindgen.frozen import Frozen
from dlpack_bindgen.language.values import Value, text_of
from dlpack_bindgen.slots.order import Order, outermost
from dlpack_bindgen.slots.reading import Reading
from dlpack_bindgen.slots.statements import Statement
from dlpack_bindgen.slots.strides import Layout, StridesFields, StridesValue, unless


class RowsFacts(Frozen):
    """The facts for `templates/slots/rows.c.j2`."""

    checked: str
    """The check of the rows, as a C expression."""


class RowPointers(StridesValue, Frozen):
    """`strides: {rows: EXPR}`: a table of pointers to the rows. Rows at a varying distance are copied, or refused."""

    rows: str
    compact_when: str | None = None
    has_compact_rows = True

    def assertions(self, reading: Reading) -> Iterator[Assertion]:
        if self.compact_when is not None:
            yield from reading.condition("strides.compact_when", self.compact_when)
        yield reading.asserted("TABLE", "strides.rows", self.rows, "a table of pointers")

    def statements(self, reading: Reading, layout: Layout) -> list[Statement]:
        return layout.compact()

    def row_statements(self, reading: Reading, order: Order) -> list[Statement]:
        checked = reading.quoting("DLB_ROWS", self.rows, "view", outermost(order, None))
        return unless(self.compact_when, [Piece("slots/rows", "rows", RowsFacts(checked))], reading)

    def first_row(self, data: str) -> str | None:
        return self.rows if data in (f"{self.rows}[0]", f"*{self.rows}") else None


def read(value: Value) -> RowPointers | None:
    """Returns the row pointers of a valid spec, if the strides are row pointers."""
    rows = text_of(value.rows) if isinstance(value, StridesFields) else None
    return RowPointers(rows, text_of(value.compact_when)) if rows and isinstance(value, StridesFields) else None
