"""Lengths, strides and flags of another argument. Python does not pass them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from dlpack_bindgen.arguments.kind import Facts, Kind, Piece, Scope
from dlpack_bindgen.c.types import declared
from dlpack_bindgen.frozen import Frozen

MeasureKind = Literal["count", "size", "extent", "stride", "flags"]


class DerivedFacts(Frozen):
    """The facts for `templates/arguments/derived.c.j2`."""

    function: str
    """The constant that tells the runtime about the function."""
    measure: str
    """The macro of the template that prints the value before the sum."""
    of: str
    argument: str
    """The other argument: an array or object, or the variable of a table of strings."""
    axis: int
    added: int
    """The constant that is added, or 0."""
    subtracted: int
    """The constant that is subtracted, or 0."""


class Derived(Kind, Frozen):
    """A value derived from another parameter. Python does not pass it."""

    what: MeasureKind
    of: str
    axis: int = 0
    plus: int = 0
    """The constant that is added to the derived value."""
    in_bytes: bool = False
    """Whether a stride is in bytes."""
    negative: bool = False
    """Whether a stride may be negative. The pointer still points to the first element."""

    def facts(self, scope: Scope) -> Facts:
        call = scope.call
        if call.is_table_of_strings(self.of):
            measure, argument = "strings", call.variable(self.of)
        else:
            measure, argument = "byte_stride" if self.in_bytes else self.what, call.place(self.of).argument
        added, subtracted = max(self.plus, 0), max(-self.plus, 0)
        return Facts(
            template="arguments/derived",
            own=DerivedFacts(call.function_table(), measure, self.of, argument, self.axis, added, subtracted),
            declaration=declared(scope.ctype, scope.variable),
        )

    def late_pieces(self, scope: Scope, facts: Facts) -> Iterator[Piece]:
        yield Piece("arguments/derived", "variable", facts)
        if self.in_bytes:
            yield Piece("arguments/derived", "has_part_of_byte", facts, is_condition=True)
        if self.what == "stride" and not self.negative and scope.call.has_negative_strides(self.of):
            yield Piece("arguments/derived", "runs_backwards", facts, is_condition=True)
        if self.plus < 0 and self.what != "stride":
            yield Piece("arguments/derived", "is_too_short", facts, is_condition=True)
        yield Piece("arguments/derived", "does_not_fit", facts, is_condition=True)
