"""Ownership after a call: objects that the library has taken with their dependencies, and replaced dependencies."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from dlpack_bindgen.calls.feature import Feature, Part, Stage
from dlpack_bindgen.calls.kind import Argument
from dlpack_bindgen.frozen import Frozen
from dlpack_bindgen.tensor.item import Handle, Item
from dlpack_bindgen.text import ctext
from dlpack_bindgen.text.statements import Piece

if TYPE_CHECKING:
    from dlpack_bindgen.calls.body import Body
    from dlpack_bindgen.calls.call import Call


class Transfer(Frozen):
    """An object of a call, for the template."""

    name: str
    recipient: str = ""
    """The argument that keeps the dependencies alive; empty: they last forever."""

    @property
    def left(self) -> str:
        """Returns the name of the owner whose dependencies move to the result."""
        return f"left_by_{self.name}"


class Transfers(Feature, Frozen):
    prototype: str
    """The name of the C function."""
    receiver: str | None
    objects: tuple[Argument, ...]
    returns_new: bool
    """Whether the function returns one object, which it makes."""

    @classmethod
    def read(cls, call: Call) -> Transfers | None:
        if not any(each.kind.takes or each.kind.replaces for each in call.arguments):
            return None
        objects = tuple(each for each in call.arguments if each.kind.object_class is not None)
        made = call.value_of(call.returned[0]) if len(call.returned) == 1 else None
        returns_new = made is not None and made.kind.is_object and made.borrow is None
        return cls(call.prototype.name, call.receiver, objects, returns_new)

    def pieces(self, stage: Stage, body: Body) -> Iterator[Piece]:
        if stage is Stage.AFTER_CALL:
            yield from self._taken_pieces(True, body)
        elif stage is Stage.SUCCESS:
            yield from self._taken_pieces(False, body)
        elif stage is Stage.RESULT:
            # The result can be a replaced dependency, which it keeps alive itself.
            for each in self._detached(body):
                yield Piece("functions/transfers", "to_result", Part(Transfer(each.name), body))
            for each in self.objects:
                if each.kind.replaces:
                    yield Piece("functions/transfers", "forgotten", Part(Transfer(each.name), body))

    def _taken_pieces(self, always: bool, body: Body) -> Iterator[Piece]:
        """Yields statements for the objects that the library takes: with `always`, even if the call fails."""
        recipients = self._recipients(body)
        recipient = recipients[0] if len(recipients) == 1 else ""
        detached = self._detached(body)
        for each in self._taken(always):
            is_ended = self._ends(body.items[each.kind.class_name or ""])
            macro = "detached" if each in detached else "released" if is_ended else "transferred"
            yield Piece("functions/transfers", macro, Part(Transfer(each.name, recipient), body))

    def _taken(self, always: bool) -> list[Argument]:
        return [each for each in self.objects if each.kind.takes and each.kind.takes_always == always]

    def _detached(self, body: Body) -> list[Argument]:
        """Returns the taken objects whose dependencies move to the only returned object."""
        return self._taken(False) if self.returns_new and not self._recipients(body) else []

    def _ends(self, item: Item) -> bool:
        """Returns whether the call destroys an object, as its `release` does."""
        fragments = (item.release or "", item.close.do if item.close is not None else "")
        return any(token.text == self.prototype for text in fragments for token in ctext.tokens(text))

    def _recipients(self, body: Body) -> list[str]:
        """Returns the objects that can keep dependencies beyond the call.

        An array that is borrowed for the call cannot.
        """
        return [
            each.name
            for each in self.objects
            if not each.kind.takes
            and (each.name == self.receiver or isinstance(body.items[each.kind.class_name or ""], Handle))
        ]
