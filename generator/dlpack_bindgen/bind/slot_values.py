"""The slots of a tensor and of its matches, and their C source."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from dlpack_bindgen.slots.conditional import Conditional, alternatives
from dlpack_bindgen.slots.dtype import CTypeDType
from dlpack_bindgen.slots.shape import rank_of
from dlpack_bindgen.slots.slots import BY_NAME, Slots
from dlpack_bindgen.spec.spec import Tensor
from dlpack_bindgen.text.types import RecordType


def fixed_rank(tensor: Tensor) -> int | None:
    """Returns the number of axes if it is equal for all states of the object."""
    found = [rank_of(slots.shape) for slots in all_slots(tensor) if slots.shape is not None]
    return found[0] if len(set(found)) == 1 else None


def least_rank(tensor: Tensor) -> int:
    """Returns the smallest literal number of axes. It is 0 if only the run time knows one of them."""
    shapes = [shape for slots in all_slots(tensor) for shape in alternatives(slots.shape)]
    return min((shape.rank or 0 for shape in shapes), default=0)


def all_slots(tensor: Tensor, certain: bool = False) -> Iterator[Slots]:
    """Yields the slots outside of matches, and those of every arm.

    With `certain`, it omits slots that the preprocessor can leave out.
    """
    yield _certain(tensor.slots) if certain else tensor.slots
    for match in tensor.matches:
        for arm in match.arms:
            if not certain or arm.condition is None:
                yield _certain(arm.slots) if certain else arm.slots
        if match.default is not None:
            yield _certain(match.default) if certain else match.default


def outcomes(tensor: Tensor, slot: str, default: object = None) -> list[Any]:
    """Returns all possible values of a slot.

    An arm overrides the slot outside of matches, which overrides `default`, or else the default value of the slot.
    """
    default = default if default is not None else BY_NAME[slot].default_value
    beside = getattr(tensor.slots, slot)
    match = next((match for match in tensor.matches if slot in match.slots), None)
    values = [beside]
    if match is not None:
        default_arm = [match.default] if match.default is not None else []
        values = [getattr(arm, slot) or beside for arm in [*(arm.slots for arm in match.arms), *default_arm]]
    found: list[Any] = []
    for value in values:
        found += alternatives(value)
        if default is not None and (value is None or (isinstance(value, Conditional) and value.otherwise is None)):
            found.append(default)
    return found


def declares_readonly(tensor: Tensor) -> bool:
    """Returns whether `readonly` is specified for every state. If so, `const` in a prototype does not decide."""
    return all(outcomes(tensor, "readonly", ""))


def steps_freely(tensor: Tensor) -> bool:
    """Returns whether valid objects can have strides other than row-major with padding of the outermost axis."""
    if any(order != "C" for order in outcomes(tensor, "order")):
        return True
    return any(strides.are_any for strides in outcomes(tensor, "strides"))


def _certain(slots: Slots) -> Slots:
    conditional = [name for name in slots.names() if isinstance(getattr(slots, name), Conditional)]
    return replace(slots, **dict.fromkeys(conditional))


def reading_fragments(tensor: Tensor, certain: bool = False) -> list[str | None]:
    """Returns all C source of the slots and of the matches."""
    fragments = [text for slots in all_slots(tensor, certain) for text in slots.fragments()]
    fragments += [of for match in tensor.matches for of in match.of]
    arms = [arm for match in tensor.matches for arm in match.arms if not certain or arm.condition is None]
    return [*fragments, *(key for arm in arms for keys in arm.when for key in keys or ())]


def record_of(tensor: Tensor) -> RecordType | None:
    """Returns the record that each element is, or None for numbers."""
    dtype = tensor.slots.dtype
    return dtype.record if isinstance(dtype, CTypeDType) else None
