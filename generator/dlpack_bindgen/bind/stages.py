"""The order in which a description sets the slots. Each slot follows the slots that it reads."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from dlpack_bindgen.bind.slot_values import all_slots
from dlpack_bindgen.slots.conditional import alternatives
from dlpack_bindgen.slots.match import Match
from dlpack_bindgen.slots.slots import BY_NAME, SLOTS, Slots
from dlpack_bindgen.spec.spec import Tensor
from dlpack_bindgen.text.fragments import mentions

# Statements are emitted in the order of the slots. The layout consists of `order` and `strides`.
_OF_SLOT: dict[str, tuple[str, ...]] = {"order": ("layout",), "strides": (), "data": ("data", "rows")}
_STAGES = tuple(stage for slot in SLOTS for stage in _OF_SLOT.get(slot.name, (slot.name,)))
_OF_STAGE = {"layout": "strides", "rows": "strides"}
_AFTER = {"layout": ("dtype", "shape"), "rows": ("layout", "data"), "readonly": ("data",)}


class Stages:
    """The stages of one tensor. Each sets a slot, or the two slots of the layout."""

    def __init__(self, tensor: Tensor) -> None:
        self._tensor = tensor

    def all(self) -> list[str]:
        """Returns the stages that the tensor has."""
        return [stage for stage in _STAGES if self._exists(stage)]

    def _exists(self, stage: str) -> bool:
        if stage == "layout":
            return True
        if stage == "rows":
            return any(strides.has_rows for strides in self.values("strides"))
        return BY_NAME[stage].default_value is not None or any(True for _ in self.values(stage))

    def values(self, slot: str) -> Iterator[Any]:
        for slots in all_slots(self._tensor):
            yield from alternatives(getattr(slots, slot))

    def provider(self, stage: str) -> Match | None:
        """Returns the match that sets a slot of the stage."""
        slots = {"layout": ("order", "strides"), "rows": ("strides",)}.get(stage, (stage,))
        return next((match for match in self._tensor.matches if set(slots) & set(match.slots)), None)

    def run(self, pending: Sequence[str]) -> list[str]:
        """Returns the first pending stages outside of matches.

        It stops after the dtype if later stages use `itemsize`, which is declared there.
        """
        run: list[str] = []
        for stage in pending:
            if self.provider(stage) is not None or (run == ["dtype"] and self.use_itemsize(pending[1:])):
                break
            run.append(stage)
        return run

    def first(self, pending: Sequence[str], match: Match) -> list[str]:
        """Returns the stages outside of `match` that its arms depend on."""
        first: list[str] = []
        for stage in pending:
            if self.provider(stage) is match:
                for before in _AFTER.get(stage, ()):
                    if before in pending and before not in first and self.provider(before) is None:
                        first.append(before)
        if "dtype" in pending and self.provider("dtype") is match:
            first = [
                stage for stage in first if not mentions(only(self._tensor.slots, [stage]).fragments(), "itemsize")
            ]
        return sorted(first, key=_STAGES.index)

    def in_chain(self, pending: Sequence[str], match: Match) -> list[str]:
        """Returns the pending stages that the if-chain of a match can set."""
        run: list[str] = []
        for stage in pending:
            ready = all(before in run or before not in pending for before in _AFTER.get(stage, ()))
            if self.provider(stage) is match and ready:
                run.append(stage)
        return run

    def use_itemsize(self, stages: Sequence[str], certain: bool = False) -> bool:
        """Returns whether slots of these stages mention `itemsize`.

        With `certain`, it omits slots that the preprocessor can leave out.
        """
        names = {_OF_STAGE.get(stage, stage) for stage in stages}
        found = [text for slots in all_slots(self._tensor, certain) for text in only(slots, stages).fragments()]
        found += [of for match in self._tensor.matches if names & set(match.slots) for of in match.of]
        return mentions(found, "itemsize")


def only(slots: Slots, stages: Sequence[str]) -> Slots:
    """Returns the slots of these stages. The `order` has no C source and is left out."""
    names = {_OF_STAGE.get(stage, stage) for stage in stages}
    return Slots(**{name: getattr(slots, name) for name in names})
