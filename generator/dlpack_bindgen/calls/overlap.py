"""Arguments whose memory must not overlap, because C declares one of their pointers `restrict`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from dlpack_bindgen.calls.argument_kind import Argument
from dlpack_bindgen.calls.feature import Feature, Part, Stage
from dlpack_bindgen.frozen import Frozen
from dlpack_bindgen.text.fragments import Piece
from dlpack_bindgen.text.literals import joined

if TYPE_CHECKING:
    from dlpack_bindgen.calls.call import Call
    from dlpack_bindgen.calls.emitted_function import Body


class Overlap(Feature, Frozen):
    """The arguments of a call whose memory must not overlap."""

    exclusive: dict[str, list[str]]
    """The arguments that must not overlap others, each with the names of those arguments. A list whose objects must not
    overlap each other also names itself."""

    @classmethod
    def read(cls, call: Call) -> Overlap | None:
        found = _exclusive(call.arguments)
        return cls(found) if found else None

    def sentences_of_arguments(self) -> Iterator[str]:
        """Yields one sentence for each pair."""
        names = list(self.exclusive)
        for name, others in self.exclusive.items():
            earlier = [f"`{other}`" for other in others if other in names[: names.index(name)]]
            if earlier:
                yield f"`{name}` must not overlap {joined(earlier)}."
            if name in others:
                yield f"The objects of `{name}` must not overlap each other."

    def pieces(self, stage: Stage, body: Body) -> Iterator[Piece]:
        if stage is Stage.ARRAYS:
            yield Piece("calls/conditions", "is_shared", Part(self, body), is_condition=True)

    def needs_items(self, argument: Argument, body: Body) -> bool:
        return argument.name in self.exclusive

    def flags(self, argument: Argument, body: Body) -> Iterator[str]:
        if argument.restrict and argument.name in self.exclusive:
            yield "DLB_PY_RESTRICT"
        if _has_exclusive_items(argument):
            yield "DLB_PY_RESTRICT_ITEMS"


def _must_not_overlap(one: Argument, other: Argument) -> bool:
    """Returns whether one of two arguments is `restrict` and the call writes to one of them."""
    kinds = (one.kind, other.kind)
    is_restrict = all(kind.is_operand for kind in kinds) and (one.restrict or other.restrict)
    return is_restrict and any(kind.writes for kind in kinds)


def _has_exclusive_items(argument: Argument) -> bool:
    """Returns whether the objects of a list must not overlap each other: C writes to them, and each pointer is
    `restrict`."""
    return argument.kind.is_list and argument.kind.writes and any(argument.ctype.restrict)


def _exclusive(arguments: Sequence[Argument]) -> dict[str, list[str]]:
    found = {}
    for one in arguments:
        others = [other.name for other in arguments if other is not one and _must_not_overlap(one, other)]
        if _has_exclusive_items(one):
            others.append(one.name)
        if others:
            found[one.name] = others
    return found
