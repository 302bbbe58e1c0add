"""Objects that keep other arguments alive after the call, by the keys `keeps` and `replaces`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from dlpack_bindgen.calls.feature import Feature, Part, Stage
from dlpack_bindgen.calls.kind import Argument
from dlpack_bindgen.frozen import Frozen
from dlpack_bindgen.text.statements import Piece

if TYPE_CHECKING:
    from dlpack_bindgen.calls.body import Body
    from dlpack_bindgen.calls.call import Call


class Keeping(Feature, Frozen):
    call: Call
    objects: tuple[Argument, ...]
    """The objects that keep others alive."""

    @classmethod
    def read(cls, call: Call) -> Keeping | None:
        objects = _keeping(call)
        return cls(call, objects) if objects else None

    def sentences(self) -> Iterator[str | None]:
        for each in self.objects:
            subject = "This object" if each is self.call.own_object else f"`{each.name}`"
            yield each.kind.lifetime(subject, kept_in_words(self.call, each.kind.keeps_alive))

    def holds(self, arguments: Iterable[Argument]) -> bool:
        return True

    def pieces(self, stage: Stage, body: Body) -> Iterator[Piece]:
        """The objects keep the arguments before C gets their addresses."""
        if stage is Stage.LAST_CHECK:
            for each in self.objects:
                yield Piece("functions/keeping", "fails", Part(each, body), is_condition=True)


def _keeping(call: Call) -> tuple[Argument, ...]:
    return tuple(each for each in call.arguments if each.kind.keeps_alive)


def stored_arguments(call: Call) -> set[str]:
    """Returns the arguments that the library stores in a result or another argument, where later calls find them."""
    found = {name for _, _, each in call.values for name in each.keeps}
    return found.union(*([each.name, *each.kind.keeps_alive] for each in _keeping(call)))


def kept_arguments(call: Call) -> set[str]:
    """Returns the arguments that a result or another argument keeps alive."""
    return stored_arguments(call) | {each.borrow for _, _, each in call.values if each.borrow is not None}


def kept_in_words(call: Call, names: Iterable[str]) -> str:
    """Returns the arguments that something keeps alive, for a sentence."""
    arguments = {argument.name: argument.kind for argument in call.arguments}
    kept = [_in_words(call, name, arguments[name].param_owner) for name in names]
    return " and ".join([", ".join(kept[:-1]), kept[-1]] if len(kept) > 1 else kept)


def _in_words(call: Call, name: str, owner: str | None) -> str:
    if owner is None:
        return f"`{name}`"
    return f"the `{name}` of {'this object' if call.receiver == owner else f'`{owner}`'}"
