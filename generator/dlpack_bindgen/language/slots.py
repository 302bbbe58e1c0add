"""Assembles the keys of a tensor for its slots, for choices between several values of a slot, and for matches."""

from __future__ import annotations

from dlpack_bindgen.language.kinds import Alternatives, Anything, Key, Option
from dlpack_bindgen.language.values import Value
from dlpack_bindgen.slots.conditional import cases
from dlpack_bindgen.slots.match import choice, map_of, match
from dlpack_bindgen.slots.slot import Slot
from dlpack_bindgen.slots.slots import SLOTS as ALL_SLOTS


def _slot(slot: Slot) -> tuple[Key[Value], Key[Value]]:
    """Returns two keys for a slot: one for a tensor, and one for an arm. An arm takes no choice `{of, map}`."""
    name, doc, plain = slot.name, slot.doc, slot.forms
    by_preprocessor = Option(cases(plain), "Chosen by the preprocessor.")
    at_run_time = Option(choice(plain, slot.values, slot.further), "Chosen at run time.", tag="of")
    alternatives = Alternatives((*plain, at_run_time, by_preprocessor))
    required = slot.unless is not None
    whole = Key[Value](name, alternatives, doc, required, slot.default, unless=slot.unless, details=slot.details)
    return whole, Key[Value](name, Alternatives((*plain, by_preprocessor)), doc, details=slot.details)


_KEYS = tuple(_slot(each) for each in ALL_SLOTS)
SLOTS = tuple(whole for whole, _ in _KEYS)
DTYPE, DEVICE, SHAPE, ORDER, STRIDES, DATA, BYTE_OFFSET, READONLY = SLOTS
ARM_SLOTS = tuple(within for _, within in _KEYS)
SLOT_NAMES = tuple(key.name for key in SLOTS)
REQUIRED_SLOTS = tuple(key.name for key in SLOTS if key.required)
MATCH = match(ARM_SLOTS)
MAP = map_of(Anything("the value of a slot"), "values")
"""The form of an entry of `maps`."""
