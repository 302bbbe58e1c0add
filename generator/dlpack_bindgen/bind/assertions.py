"""Compile-time checks of the slots against the real struct."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from itertools import groupby
from typing import Any

from dlpack_bindgen.slots.conditional import Conditional
from dlpack_bindgen.slots.description import Assertions
from dlpack_bindgen.slots.match import Match
from dlpack_bindgen.slots.memory import capacity, type_of_data
from dlpack_bindgen.slots.reading import Reading
from dlpack_bindgen.slots.slots import SLOTS, Slots
from dlpack_bindgen.slots.statements import Block, Branch, Statement, conditioned, preprocessed
from dlpack_bindgen.text.fragments import mentions
from dlpack_bindgen.text.statements import Assertion, Piece


def slot_assertions(reading: Reading, slots: Slots, dtypes: Sequence[object]) -> list[Statement]:
    """Returns the assertions of the slots.

    `dtypes` lists the possible dtypes of the data, and is empty if they are unknown.
    """
    found: list[Statement] = []

    def add(value: object, assertions: Callable[[Any], Iterator[Assertion]]) -> None:
        found.extend(preprocessed(value, lambda branch: [_statement(each) for each in assertions(branch)]))

    if len(dtypes) == 1 and isinstance(dtypes[0], Conditional) and isinstance(slots.data, str):
        add(dtypes[0], lambda branch: type_of_data(str(slots.data), [branch], reading))
    else:
        add(slots.data, lambda data: type_of_data(data, dtypes, reading))
    for slot in SLOTS:
        add(getattr(slots, slot.name), partial(slot.assertions, reading=reading))
    return [*found, *(_statement(each) for each in capacity(slots, reading))]


def type_assertion(reading: Reading, ctype: str) -> Statement:
    """Asserts that the type is a struct with members, not a pointer or an opaque type."""
    what = "a struct with members (write 'pass: value' if it is a pointer)"
    message = f"{reading.scope.name}.type: {ctype} must be {what}"
    return _statement(Assertion("STRUCT", (reading.text("*self"),), message))


def match_assertions(match: Match, reading: Reading) -> list[Statement]:
    return [_statement(each) for each in match.assertions(reading)]


def guarded(condition: str | None, found: list[Statement]) -> list[Statement]:
    """Returns assertions that hold only under a condition of the preprocessor."""
    return found if condition is None else conditioned([Branch(condition, tuple(found))])


def read(found: Iterable[Statement], names: Sequence[str]) -> bool:
    """Returns whether assertions read one of these variables."""
    arguments = [text for each in found for assertion in _assertions(each) for text in assertion.arguments]
    return any(mentions(arguments, name) for name in names)


def _assertions(found: Statement) -> Iterator[Assertion]:
    if isinstance(found, Block):
        for each in (*(each for branch in found.branches for each in branch.statements), *found.otherwise):
            yield from _assertions(each)
    elif isinstance(found.facts, Assertions):
        yield from found.facts.each


def once(found: Iterable[Statement]) -> list[Statement]:
    """Drops each assertion that already occurred without a preprocessor condition.

    Several arms often have equal assertions. Neighbours are joined.
    """
    return _joined(_once(found, set(), is_certain=True))


def _once(found: Iterable[Statement], seen: set[object], is_certain: bool) -> Iterator[Statement]:
    for each in found:
        if isinstance(each, Block):
            branches = [
                Branch(branch.condition, tuple(_joined(_once(branch.statements, seen, is_certain=False))))
                for branch in each.branches
            ]
            yield from conditioned(branches, tuple(_joined(_once(each.otherwise, seen, is_certain=False))))
            continue
        shown = tuple((found.name, found.arguments, found.message) for found in _assertions(each))
        if shown not in seen:
            yield each
            if is_certain:
                seen.add(shown)


def _joined(found: Iterable[Statement]) -> list[Statement]:
    joined: list[Statement] = []
    for is_block, group in groupby(found, lambda each: isinstance(each, Block)):
        if is_block:
            joined += group
        else:
            every = tuple(assertion for each in group for assertion in _assertions(each))
            joined.append(Piece("slots/description", "assertions", Assertions(every)))
    return joined


def _statement(assertion: Assertion) -> Statement:
    return Piece("slots/description", "assertions", Assertions((assertion,)))
