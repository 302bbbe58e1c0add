"""Construction of the slots and matches of a tensor from values without mistakes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeVar, cast

from dlpack_bindgen.language.language import ClassFields
from dlpack_bindgen.language.slots import (
    SLOT_NAMES,
    CaseFields,
)
from dlpack_bindgen.language.values import Leaf, Value, text_of
from dlpack_bindgen.slots import device, dtype, rows, shape, strides, values
from dlpack_bindgen.slots.values import (
    Conditional,
    Slots,
)
from dlpack_bindgen.validate import arms
from dlpack_bindgen.validate.arms import is_conditional, plain

T = TypeVar("T")


def slots(tensor: ClassFields) -> Slots:
    """Returns the slots of the tensor outside of its matches."""
    return _slots({slot: value for slot in SLOT_NAMES if (value := plain(tensor, slot)) is not None}, None)


def matches(tensor: ClassFields) -> tuple[values.Match, ...]:
    return tuple(_match(match) for match in arms.matches(tensor))


def _match(match: arms.Match) -> values.Match:
    device_id = match.device_id.text if match.device_id else None
    return values.Match(
        of=tuple(leaf.text for leaf in match.of),
        arms=tuple(_arm(arm, device_id) for arm in match.arms),
        default=_slots(match.default.slots, device_id) if match.default else None,
    )


def _arm(arm: arms.Arm, device_id: str | None) -> values.Arm:
    return values.Arm(
        when=tuple(tuple(key.text for key in pattern.keys) or None for pattern in arm.when),
        slots=_slots(arm.slots, device_id),
        imports=arm.imports,
        condition=arm.condition.text if arm.condition else None,
    )


def _slots(values: Mapping[str, Value], device_id: str | None) -> Slots:
    readers: dict[str, Callable[[Value], object]] = {
        "dtype": dtype.read,
        "device": lambda value: device.read(value, device_id),
        "shape": shape.read,
        "strides": lambda value: rows.read(value) or strides.read(value),
    }
    # Each reader returns the type of its own field.
    read: dict[str, Any] = {slot: _conditional(value, readers.get(slot, _text)) for slot, value in values.items()}
    return Slots(**read)


def _conditional(value: Value, read: Callable[[Value], T]) -> T | Conditional[T]:
    if not is_conditional(value):
        return read(value)
    cases = [(text_of(case.if_), read(inner)) for case in value.records(CaseFields) if (inner := case.value)]
    otherwise = next((result for condition, result in cases if condition is None), None)
    return Conditional(tuple((condition, result) for condition, result in cases if condition is not None), otherwise)


def _text(value: Value) -> str:
    return cast(Leaf, value).text
