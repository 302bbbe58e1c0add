"""Ownership after a call: objects that the library has taken with their dependencies, and replaced dependencies."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from dlpack_bindgen.bind.functions.operands import Operands
from dlpack_bindgen.bind.signatures import keeping_arguments
from dlpack_bindgen.c import ctext
from dlpack_bindgen.c.piece import Piece
from dlpack_bindgen.frozen import Frozen
from dlpack_bindgen.spec.functions import Argument
from dlpack_bindgen.spec.spec import Handle, Item
from dlpack_bindgen.validate.functions.calls import Call


class TransferFacts(Frozen):
    """An object that changes its owner, for `templates/functions/transfers.c.j2`."""

    argument: str = ""
    recipient: str = ""
    """The argument that keeps the dependencies alive; empty: they last forever."""
    source: str = ""
    """The C expression that identifies the parameter whose kept objects are replaced."""
    left: str = ""
    """The variable of the owner whose dependencies move to the result."""
    answer: str = ""


class Transfers:
    def __init__(
        self, function: Call, items: Mapping[str, Item], operands: Operands, own: Callable[[str], str]
    ) -> None:
        """Collects the objects of a call. `own` makes a name that no parameter has."""
        self._function = function
        self._items = items
        self._operands = operands
        self._objects = [each for each in function.arguments if each.kind.object_class is not None]
        self._recipients = [each.name for each in self._objects if not each.kind.takes and self._lasts(each)]
        self._left = {name: own(f"left_by_{name}") for name in self._taken(False)} if self._inherits() else {}
        """Variables of owners whose dependencies move to the returned object."""

    def handed(self, always: bool) -> tuple[Piece, ...]:
        """Returns statements for the objects that the library takes.

        With `always`, these are objects that it takes even if the call fails. Otherwise these are objects that it
        takes only on success.
        """
        recipient = self._operands.place(self._recipients[0]) if len(self._recipients) == 1 else ""
        pieces = []
        for name in self._taken(always):
            facts = TransferFacts(self._operands.place(name), recipient, left=self._left.get(name, ""))
            pieces.append(
                Piece(
                    "functions/transfers",
                    "detached" if name in self._left else "released" if self._ends(name) else "transferred",
                    facts,
                )
            )
        return tuple(pieces)

    def after(self, answer: str) -> tuple[Piece, ...]:
        """Returns statements that run after the result exists.

        The result can be a replaced dependency, which it keeps alive itself.
        """
        left = [TransferFacts(left=variable, answer=answer) for variable in self._left.values()]
        forgotten = [
            TransferFacts(self._operands.place(each.name), source=self._operands.source(each.name))
            for each in keeping_arguments(self._function)
            if each.kind.replaces
        ]
        return (
            *(Piece("functions/transfers", "to_result", each) for each in left),
            *(Piece("functions/transfers", "forgotten", each) for each in forgotten),
        )

    def _taken(self, always: bool) -> list[str]:
        return [each.name for each in self._objects if each.kind.takes and each.kind.takes_always == always]

    def _ends(self, name: str) -> bool:
        """Returns whether the call destroys the object, as its `release` does."""
        item = self._class_of(next(each for each in self._objects if each.name == name))
        fragments = (item.release or "", item.close.do if item.close is not None else "")
        return any(token.text == self._function.prototype.name for text in fragments for token in ctext.tokens(text))

    def _inherits(self) -> bool:
        """Returns whether the only returned object must inherit the dependencies of taken objects."""
        function = self._function
        if self._recipients or len(function.returned) != 1:
            return False
        made = function.value_of(function.returned[0])
        return made is not None and made.kind == "object" and made.borrow is None

    def _lasts(self, argument: Argument) -> bool:
        """Returns whether an argument can keep dependencies beyond the call.

        An array that is borrowed for the call cannot.
        """
        return argument.name == self._function.receiver or isinstance(self._class_of(argument), Handle)

    def _class_of(self, argument: Argument) -> Item:
        return self._items[argument.kind.class_name or ""]
