"""The arms of a match, and the keys of tensors that rules read."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, TypeGuard

from dlpack_bindgen.frozen import Frozen
from dlpack_bindgen.language.expand import MAX_VARIANTS
from dlpack_bindgen.language.keys import IF, Anything, Form, Key, ListOf, MapOf
from dlpack_bindgen.language.values import Fields, Items, Leaf, Table, Value, is_record, is_true, is_whole, text_of
from dlpack_bindgen.tensor import slots
from dlpack_bindgen.tensor.data_and_device import ID
from dlpack_bindgen.tensor.slot import IF_OF_CASE, VALUE_OF_CASE, Conditional, Slot
from dlpack_bindgen.tensor.slots import (
    ANY,
    ANY_OF,
    ARMS,
    BY_NAME,
    CODE_OF_ANY,
    DEFAULT_OF_CHOICE,
    DEFAULT_OF_MATCH,
    IMPORT_OF_ARM,
    MAP_OF_CHOICE,
    MATCH,
    OF_CHOICE,
    OF_MATCH,
    SLOT_NAMES,
    WHEN,
)
from dlpack_bindgen.tensor.steps import CHECKS, LET
from dlpack_bindgen.text.diagnostics import Span

# ---- Matches of a tensor ----
# A slot with a choice is represented as a match that sets only this slot.

ANY_VALUE = "_"
"""The key that matches every value."""


class Pattern(Frozen):
    """The keys that one expression of `of` is compared with."""

    keys: tuple[Leaf, ...]
    """The keys. Empty for `_`."""
    span: Span
    code: Leaf | None = None
    """The key beside `any` that imports use."""


class Arm(Frozen):
    when: tuple[Pattern, ...]
    slots: dict[str, Value]
    span: Span
    complete: bool
    """Whether all of its slots and keys are free of mistakes."""
    imports: bool | None = None
    """The value of `import`. None without this key."""
    condition: Leaf | None = None


class Match(Frozen):
    of: tuple[Leaf, ...]
    width: int
    """The number of expressions in `of`, including expressions with mistakes."""
    arms: tuple[Arm, ...]
    default: Arm | None
    sets: dict[str, Span]
    """The slots that an arm or the default sets, each with its first place."""
    complete: bool
    """Whether no arm was left out because of a mistake."""
    slot: str | None
    """The slot, if the match was made from a choice. Otherwise None."""
    further: Leaf | None = None
    """The value of a further key of a choice: the device of a type."""

    def is_sound(self) -> bool:
        """Returns whether all arms and the default are free of mistakes."""
        return self.complete and all(arm.complete for arm in self.outcomes())

    def outcomes(self) -> tuple[Arm, ...]:
        return (*self.arms, self.default) if self.default else self.arms


def matches(tensor: Fields) -> tuple[Match, ...]:
    """Returns the choices in the order of `Slots`, then the entries of `match` in their order."""
    choices = [(slot, tensor.value_of(slot)) for slot in SLOT_NAMES]
    found = [_of_choice(slot, choice) for slot, choice in choices if is_choice(choice)]
    listed = tensor[MATCHES]
    return (*found, *(_of_match(record) for record in (listed.records() if listed else ())))


def is_choice(value: Value | None) -> TypeGuard[Fields]:
    return isinstance(value, Fields) and value.record.has(OF_CHOICE)


def plain(tensor: Fields, slot: str) -> Value | None:
    """Returns the value of a slot that no choice sets, or None."""
    value = tensor.value_of(slot)
    return None if is_choice(value) else value


def branches(value: Value | None) -> Iterator[Value]:
    """Yields the values among which the preprocessor chooses. A value without conditions is yielded alone."""
    if value is None:
        return
    if is_conditional(value):
        for record in value.records():
            if (inner := record[VALUE_OF_CASE]) is not None:
                yield inner
    else:
        yield value


def slot_values(tensor: Fields, found: tuple[Match, ...], slot: str) -> Iterator[Value]:
    """Yields every value of a slot: outside of matches, in arms and in defaults. `found` are the matches."""
    yield from branches(plain(tensor, slot))
    for match in found:
        for arm in match.outcomes():
            yield from branches(arm.slots.get(slot))


def is_conditional(value: Value) -> TypeGuard[Items]:
    return isinstance(value, Items) and any(isinstance(item, Fields) for item in value.items)


def _of_choice(slot: str, choice: Fields) -> Match:
    of = choice[OF_CHOICE]
    table = choice[MAP_OF_CHOICE] or Table((), choice.span, ("map",))
    arms = tuple(_mapped(slot, key, value) for key, value in table.entries)
    default = choice[DEFAULT_OF_CHOICE]
    otherwise = Arm((), {slot: default}, default.span, is_whole(default)) if default else None
    complete = not table.broken and (otherwise is not None or DEFAULT_OF_CHOICE not in choice)
    return Match((of,) if of else (), 1, arms, otherwise, {slot: choice.span}, complete, slot, choice[ID])


def _mapped(slot: str, key: Leaf, value: Value) -> Arm:
    return Arm((Pattern((key,), key.span),), {slot: value}, key.span, is_whole(value))


def _of_match(record: Fields) -> Match:
    of = record[OF_MATCH]
    listed = record[ARMS]
    arms = tuple(_arm(arm) for arm in (listed.records() if listed else ()))
    default = record[DEFAULT_OF_MATCH]
    otherwise = _arm(default) if default else None
    sets: dict[str, Span] = {}
    for fields in (*(listed.records() if listed else ()), *((default,) if default else ())):
        for slot in SLOT_NAMES:
            if slot in fields.given:
                sets.setdefault(slot, fields.given[slot])
    whole = (
        listed is not None and listed.count == len(arms) and (otherwise is not None or DEFAULT_OF_MATCH not in record)
    )
    return Match(of.leaves() if of else (), of.count if of else 0, arms, otherwise, sets, whole, None)


def _arm(fields: Fields) -> Arm:
    slots = {slot: fields.values[slot] for slot in SLOT_NAMES if slot in fields.values}
    return Arm(
        when=_when(fields[WHEN]),
        slots=slots,
        span=fields.place(WHEN),
        complete=is_whole(fields) and not fields.has_unknown,
        imports=None if fields[IMPORT_OF_ARM] is None else is_true(fields[IMPORT_OF_ARM]),
        condition=fields[IF],
    )


def _when(value: Value | None) -> tuple[Pattern, ...]:
    if isinstance(value, Items):
        return tuple(_pattern(item) for item in value.items)
    return () if value is None else (_pattern(value),)


def _pattern(value: Value) -> Pattern:
    if isinstance(value, Leaf):
        return Pattern(() if value.text == ANY_VALUE else (value,), value.span)
    if not is_record(value, ANY_OF):
        return Pattern((), value.span)
    return Pattern(keys.leaves() if (keys := value[ANY]) else (), value.span, value[CODE_OF_ANY])


MATCHES = Key[Items](
    "match",
    ListOf(MATCH, "a list of matches", least=1, lone=True),
    "Sets several slots at once, by the value of C expressions.",
)
VARIANTS = Key[Items](
    "variants",
    ListOf(
        MapOf(Form.MAP, Anything("any value"), "a mapping of keys"), "a list of variants", least=1, most=MAX_VARIANTS
    ),
    "Creates one tensor for each item. Its keys replace the keys beside `variants`; the value of any other "
    "`KEY` replaces `${KEY}`.",
)
LET_OF_TENSOR = Key[Items](
    "let",
    LET,
    "C variables, calls and conditions that run in order at each reading, before the slots. The names "
    "`self`, `axis`, `itemsize` and `result` are reserved.",
)
REQUIRE_OF_TENSOR = Key[Items](
    "require", CHECKS, "Conditions that must hold at each reading. Otherwise the result is a BufferError."
)


# ---- Construction of the slots and matches of a tensor from values without mistakes ----


def read_slots(tensor: Fields) -> slots.Slots:
    """Returns the slots of the tensor outside of its matches."""
    return _read({slot: value for slot in SLOT_NAMES if (value := plain(tensor, slot)) is not None}, None)


def read_matches(tensor: Fields) -> tuple[slots.Match, ...]:
    return tuple(_read_match(match) for match in matches(tensor))


def _read_match(match: Match) -> slots.Match:
    further = match.further.text if match.further else None
    return slots.Match(
        of=tuple(leaf.text for leaf in match.of),
        arms=tuple(_read_arm(arm, further) for arm in match.arms),
        default=_read(match.default.slots, further) if match.default else None,
    )


def _read_arm(arm: Arm, further: str | None) -> slots.Arm:
    codes = tuple(text_of(pattern.code) for pattern in arm.when)
    return slots.Arm(
        when=tuple(tuple(key.text for key in pattern.keys) or None for pattern in arm.when),
        slots=_read(arm.slots, further),
        codes=codes if any(codes) else (),
        imports=arm.imports,
        condition=arm.condition.text if arm.condition else None,
    )


def _read(values: Mapping[str, Value], further: str | None) -> slots.Slots:
    # Each slot returns the type of its own field.
    read: dict[str, Any] = {name: _conditional(value, BY_NAME[name], further) for name, value in values.items()}
    return slots.Slots(**read)


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
