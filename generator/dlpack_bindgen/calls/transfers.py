"""Memory after a call: objects that the library has taken, replaced dependencies, and structs with moved memory."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from dlpack_bindgen.calls.argument_kind import Argument
from dlpack_bindgen.calls.feature import Feature, Part, Stage
from dlpack_bindgen.calls.function_keys import RELEASE_GIL
from dlpack_bindgen.frozen import Frozen
from dlpack_bindgen.language.values import is_true, needed
from dlpack_bindgen.tensor.accepts import all_slots
from dlpack_bindgen.tensor.item import CallStep, Handle, Item, Let, Tensor
from dlpack_bindgen.tensor.shape import ListedShape
from dlpack_bindgen.text import ctext
from dlpack_bindgen.text.diagnostics import Diagnostic
from dlpack_bindgen.text.fragments import Piece, has_call, has_members, mentions, operand, replace_names
from dlpack_bindgen.text.fragments import argument as as_argument

if TYPE_CHECKING:
    from dlpack_bindgen.calls.call import Call
    from dlpack_bindgen.calls.emitted_function import Body


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
        if stage in (Stage.AFTER_CALL, Stage.SUCCESS):
            yield from self._taken_pieces(stage, body)
        elif stage is Stage.RESULT:
            # The result can be a replaced dependency, which it keeps alive itself.
            for each in self._detached(body):
                yield Piece("calls/transfers", "to_result", Part(Transfer(each.name), body))
            for each in self.objects:
                if each.kind.replaces:
                    yield Piece("calls/transfers", "forgotten", Part(Transfer(each.name), body))

    def _taken_pieces(self, stage: Stage, body: Body) -> Iterator[Piece]:
        """Yields statements for the objects that the library has taken at a stage."""
        recipients = self._recipients(body)
        recipient = recipients[0] if len(recipients) == 1 else ""
        detached = self._detached(body)
        for each in self._taken(stage):
            is_ended = self._ends(body.items[each.kind.class_name or ""])
            macro = "detached" if each in detached else "released" if is_ended else "transferred"
            yield Piece("calls/transfers", macro, Part(Transfer(each.name, recipient), body))

    def _taken(self, stage: Stage) -> list[Argument]:
        return [each for each in self.objects if each.kind.taken_at is stage]

    def _detached(self, body: Body) -> list[Argument]:
        """Returns the taken objects whose dependencies move to the only returned object."""
        return self._taken(Stage.SUCCESS) if self.returns_new and not self._recipients(body) else []

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


# ---- Structs that can refer to memory of Python arrays: after a call that can change them, they must still do so ----


class MovedStruct(Frozen):
    """A struct whose data pointer the call must not change, for the template."""

    argument: Argument

    def before(self, body: Body) -> str:
        """Returns the variable for the memory before the call."""
        return body.own(f"place_of_{self.argument.name}")

    def data(self, body: Body) -> str:
        return self._of_struct(self._memory(body)[0], body)

    def extents(self, body: Body) -> list[str]:
        return [self._of_struct(each, body) for each in self._memory(body)[1]]

    def _memory(self, body: Body) -> tuple[str, list[str]]:
        return needed(_place(self.argument, body.items))

    def _of_struct(self, text: str, body: Body) -> str:
        """Returns a C expression about `self` that is about the argument."""
        argument = self.argument
        own = body.variable(argument.name)
        if argument.kind.may_be_struct:
            own = f"(({argument.ctype.base} *){body.place(argument.name).argument}.object)"
        return replace_names(text, {"self": own})


class Moved(Feature, Frozen):
    """The structs of a call whose memory is compared before and after it."""

    arguments: tuple[Argument, ...]

    @classmethod
    def problems(cls, call: Call) -> Iterator[Diagnostic]:
        """Yields `release_gil` with an argument that moves its memory: other threads could export that memory
        meanwhile."""
        moved = [each.name for each in call.arguments if each.kind.invalidates]
        if is_true(call.fields[RELEASE_GIL]) and moved:
            place = call.fields.place(RELEASE_GIL)
            message = f"the memory of '{moved[0]}' moves during the call, and others could share it meanwhile"
            yield Diagnostic("invalidates-released", place, message, "leave 'release_gil' out")

    @classmethod
    def read(cls, call: Call) -> Moved | None:
        return cls(call.arguments) if any(_may_have_moved(each) for each in call.arguments) else None

    def inlined(self, items: Mapping[str, Item]) -> Iterator[str]:
        for argument in self._structs(items):
            plain = _place(argument, items)
            yield from (plain[0], *plain[1]) if plain is not None else ()

    def pieces(self, stage: Stage, body: Body) -> Iterator[Piece]:
        if stage is Stage.BEFORE_CALL:
            for each in self._structs(body.items):
                if _place(each, body.items) is not None:
                    yield Piece("calls/transfers", "place_before", Part(MovedStruct(each), body))
        elif stage is Stage.AFTER_CALL:
            for each in self._structs(body.items):
                macro = "described" if _place(each, body.items) is None else "compared"
                yield Piece("calls/transfers", macro, Part(MovedStruct(each), body))

    def _structs(self, items: Mapping[str, Item]) -> list[Argument]:
        return [each for each in self.arguments if _may_move(each, items)]


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
