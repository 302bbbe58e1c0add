"""The kinds of results that one call of the runtime converts: numbers, members of enumerations, and strings."""

from __future__ import annotations

from abc import abstractmethod

from dlpack_bindgen.frozen import Frozen
from dlpack_bindgen.results.kind import NullFacts, ResultKind, ResultScope, Target
from dlpack_bindgen.text.fragments import is_number
from dlpack_bindgen.text.statements import Piece

_FEW = 16
"""Tuples with at most this many items are built without a loop."""


class NumberResult(Frozen):
    """A number, a string or a member of an enumeration."""

    to: Target
    value: str
    """The call that makes the object."""
    null: NullFacts | None


class ItemsResult(Frozen):
    """The numbers of an array as a tuple."""

    to: Target
    array: str
    items: str
    """The variable with the objects."""
    count: int
    values: tuple[str, ...]
    """The calls that make the objects; empty: a loop makes them."""
    index: str = ""
    value: str = ""
    """The call in the loop."""


class Scalar(ResultKind):
    """The base class of these kinds."""

    @abstractmethod
    def made(self, text: str, base: str = "", table: str = "") -> str:
        """Returns the call that makes the Python object.

        `base` is the C type, if it is known, and `table` the table of an enumeration.
        """

    def piece(self, scope: ResultScope) -> Piece:
        return Piece("results/number", "made", NumberResult(scope.to, self._made(scope, scope.variable), scope.null()))

    def buffer_piece(self, scope: ResultScope) -> Piece:
        """Returns the conversion of an array to a tuple. Short tuples are built without a loop."""
        array, items, length = scope.variable, scope.call.own(f"items_of_{scope.name}"), scope.length
        if is_number(length) and int(length) <= _FEW:
            values = tuple(self._made(scope, f"{array}[{index}]") for index in range(int(length)))
            return Piece("results/items", "few", ItemsResult(scope.to, array, items, int(length), values))
        index = scope.call.own("item")
        facts = ItemsResult(scope.to, array, items, 0, (), index, self._made(scope, f"{array}[{index}]"))
        return Piece("results/items", "many", facts)

    def _made(self, scope: ResultScope, text: str) -> str:
        return self.made(text, scope.ctype.base, scope.call.enums.get(scope.value.of or "", ""))
