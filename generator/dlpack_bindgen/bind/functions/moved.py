"""Structs that can refer to memory of Python arrays and that a function can change.

They must refer to that memory afterwards.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from dlpack_bindgen.bind.functions.locals import Locals
from dlpack_bindgen.bind.functions.operands import Operands
from dlpack_bindgen.bind.slot_values import all_slots
from dlpack_bindgen.c.fragments import argument as as_argument
from dlpack_bindgen.c.fragments import has_call, has_members, mentions, operand, replace_names
from dlpack_bindgen.frozen import Frozen
from dlpack_bindgen.slots.shape import ListedShape
from dlpack_bindgen.spec.functions import Argument
from dlpack_bindgen.spec.spec import CallStep, Item, Let, Tensor
from dlpack_bindgen.validate.functions.calls import Call


class MovedFacts(Frozen):
    """A struct whose data pointer the call must not change, for `templates/functions/moved.c.j2`."""

    function: str
    arguments_and_index: str
    """The array of all arguments and the index of the struct, as C arguments."""
    before: str
    """The variable for the memory before the call; empty: the runtime describes the struct after the call."""
    data: str
    extents: tuple[str, ...]


class Moved:
    """The structs of a call whose memory is compared before and after it."""

    def __init__(
        self,
        function: Call,
        items: Mapping[str, Item],
        operands: Operands,
        facts: str,
        own: Callable[[str], str],
        variables: Locals,
    ) -> None:
        """Finds the structs. `facts` is the table of the function. `own` makes a name that no parameter has."""
        self.facts: list[MovedFacts] = []
        for argument in function.arguments:
            if not _may_move(argument, items):
                continue
            arguments_and_index, plain, before, data = (
                operands.arguments_and_index(argument.name),
                _place(argument, items),
                "",
                "",
            )
            extents: tuple[str, ...] = ()
            if plain is not None:
                before = own(f"place_of_{argument.name}")
                named = {"self": variables[argument.name]}
                if argument.kind.may_be_struct:
                    named = {"self": f"(({argument.ctype.base} *){operands.place(argument.name)}.object)"}
                data, extents = replace_names(plain[0], named), tuple(replace_names(each, named) for each in plain[1])
            self.facts.append(MovedFacts(facts, arguments_and_index, before, data, extents))


def moved_fragments(function: Call, items: Mapping[str, Item]) -> Iterator[str]:
    """Yields the C source of classes that the function contains."""
    for argument in function.arguments:
        if _may_move(argument, items) and (plain := _place(argument, items)) is not None:
            yield from (plain[0], *plain[1])


def _may_move(argument: Argument, items: Mapping[str, Item]) -> bool:
    """Returns whether C can change a struct with memory of a Python array, and the spec does not declare the move."""
    kind = argument.kind
    if kind.class_name is None or not kind.writes or kind.needs_own:
        return False
    item = items[kind.class_name]
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
