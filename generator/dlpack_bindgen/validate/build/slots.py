"""Construction of the slots and matches of a tensor from values without mistakes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from dlpack_bindgen.language.slots import SLOT_NAMES
from dlpack_bindgen.language.values import Fields, Value, text_of
from dlpack_bindgen.slots import match as slots_match
from dlpack_bindgen.slots.conditional import IF_OF_CASE, VALUE_OF_CASE, Conditional
from dlpack_bindgen.slots.slot import Slot
from dlpack_bindgen.slots.slots import BY_NAME, Slots
from dlpack_bindgen.validate import arms
from dlpack_bindgen.validate.arms import is_conditional, plain


def slots(tensor: Fields) -> Slots:
    """Returns the slots of the tensor outside of its matches."""
    return _slots({slot: value for slot in SLOT_NAMES if (value := plain(tensor, slot)) is not None}, None)


def matches(tensor: Fields) -> tuple[slots_match.Match, ...]:
    return tuple(_match(match) for match in arms.matches(tensor))


def _match(match: arms.Match) -> slots_match.Match:
    further = match.further.text if match.further else None
    return slots_match.Match(
        of=tuple(leaf.text for leaf in match.of),
        arms=tuple(_arm(arm, further) for arm in match.arms),
        default=_slots(match.default.slots, further) if match.default else None,
    )


def _arm(arm: arms.Arm, further: str | None) -> slots_match.Arm:
    codes = tuple(text_of(pattern.code) for pattern in arm.when)
    return slots_match.Arm(
        when=tuple(tuple(key.text for key in pattern.keys) or None for pattern in arm.when),
        slots=_slots(arm.slots, further),
        codes=codes if any(codes) else (),
        imports=arm.imports,
        condition=arm.condition.text if arm.condition else None,
    )


def _slots(values: Mapping[str, Value], further: str | None) -> Slots:
    # Each slot returns the type of its own field.
    read: dict[str, Any] = {name: _conditional(value, BY_NAME[name], further) for name, value in values.items()}
    return Slots(**read)


def _conditional(value: Value, slot: Slot, further: str | None) -> object:
    if not is_conditional(value):
        return slot.read(value, further)
    cases = [
        (text_of(case[IF_OF_CASE]), slot.read(inner, further))
        for case in value.records()
        if (inner := case[VALUE_OF_CASE])
    ]
    otherwise = next((result for condition, result in cases if condition is None), None)
    return Conditional(tuple((condition, result) for condition, result in cases if condition is not None), otherwise)
