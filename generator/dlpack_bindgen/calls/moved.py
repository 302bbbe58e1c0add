"""Structs that can refer to memory of Python arrays and that a function can change.

They must refer to that memory afterwards.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from dlpack_bindgen.calls.feature import Feature, Stage
from dlpack_bindgen.calls.kind import Argument
from dlpack_bindgen.frozen import Frozen
from dlpack_bindgen.tensor.accepts import all_slots
from dlpack_bindgen.tensor.item import CallStep, Item, Let, Tensor
from dlpack_bindgen.tensor.shape import ListedShape
from dlpack_bindgen.text.fragments import argument as as_argument
from dlpack_bindgen.text.fragments import has_call, has_members, mentions, operand, replace_names
from dlpack_bindgen.text.statements import Piece

if TYPE_CHECKING:
    from dlpack_bindgen.calls.body import Body
    from dlpack_bindgen.calls.call import Call


class MovedFacts(Frozen):
    """A struct whose data pointer the call must not change, for `templates/functions/moved.c.j2`."""

    function: str
    arguments_and_index: str
    """The array of all arguments and the index of the struct, as C arguments."""
    before: str
    """The variable for the memory before the call; empty: the runtime describes the struct after the call."""
    data: str
    extents: tuple[str, ...]


class Moved(Feature, Frozen):
    """The structs of a call whose memory is compared before and after it."""

    arguments: tuple[Argument, ...]

    @classmethod
    def read(cls, call: Call) -> Moved | None:
        return cls(call.arguments) if any(_may_have_moved(each) for each in call.arguments) else None

    def inlined(self, items: Mapping[str, Item]) -> Iterator[str]:
        for argument in self._structs(items):
            plain = _place(argument, items)
            yield from (plain[0], *plain[1]) if plain is not None else ()

    def pieces(self, stage: Stage, body: Body) -> Iterator[Piece]:
        if stage is Stage.BEFORE_CALL:
            found = (self._facts(each, body) for each in self._structs(body.items))
            yield from (Piece("functions/moved", "before", facts) for facts in found if facts.before)
        elif stage is Stage.AFTER_CALL:
            for argument in self._structs(body.items):
                yield Piece("functions/moved", "after", self._facts(argument, body))

    def _structs(self, items: Mapping[str, Item]) -> list[Argument]:
        return [each for each in self.arguments if _may_move(each, items)]

    def _facts(self, argument: Argument, body: Body) -> MovedFacts:
        place, plain = body.place(argument.name), _place(argument, body.items)
        if plain is None:
            return MovedFacts(body.table, place.arguments_and_index, "", "", ())
        is_object = argument.kind.may_be_struct
        own = f"(({argument.ctype.base} *){place.argument}.object)" if is_object else body.variable(argument.name)
        data, *extents = (replace_names(each, {"self": own}) for each in (plain[0], *plain[1]))
        before = body.own(f"place_of_{argument.name}")
        return MovedFacts(body.table, place.arguments_and_index, before, data, tuple(extents))


def _may_have_moved(argument: Argument) -> bool:
    kind = argument.kind
    return kind.class_name is not None and kind.writes and not kind.needs_own


def _may_move(argument: Argument, items: Mapping[str, Item]) -> bool:
    """Returns whether C can change a struct with memory of a Python array, and the spec does not declare the move."""
    kind = argument.kind
    if not _may_have_moved(argument):
        return False
    item = items[kind.class_name or ""]
    if not isinstance(item, Tensor) or item.import_ is None or item.import_.deleter is not None:
        return False
    return bool(argument.ctype.pointers) or (item.by_value and not _is_struct(item))


def _is_struct(item: Tensor) -> bool:
    """Returns whether an object by value is a struct. Functions then get a copy of it instead of a pointer."""
    fragments = [text for slots in all_slots(item) for text in slots.fragments()]
    return any(text is not None and has_members(text, "self") for text in fragments)


def _place(argument: Argument, items: Mapping[str, Item]) -> tuple[str, list[str]] | None:
    """Returns the C expressions for the data and the extents of `self` if they only read members.

    None means that the object must be described.
    """
    kind = argument.kind
    if kind.object_class is None or kind.optional:
        return None
    item = items[kind.class_name or ""]
    assert isinstance(item, Tensor)
    data, shape = item.slots.data, item.slots.shape
    if not isinstance(data, str) or not isinstance(shape, ListedShape):
        return None
    if item.by_value == bool(argument.ctype.pointers):
        return None
    fragments = [data, *shape.extents]
    steps = [*item.params, *item.hold, *(each for each in item.let if isinstance(each, CallStep | Let))]
    if any(each.name is not None and mentions(fragments, each.name) for each in steps) or any(map(has_call, fragments)):
        return None
    return as_argument(data), [operand(text) for text in shape.extents if mentions([text], "self")]
