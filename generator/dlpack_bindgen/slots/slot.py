"""The base class of slots: the questions of all steps, and the answers of a slot that is a C expression."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, cast

from dlpack_bindgen.language.kinds import EXPRESSION, Key, Option
from dlpack_bindgen.language.values import Leaf, Value
from dlpack_bindgen.slots.reading import Reading
from dlpack_bindgen.slots.statements import Statement
from dlpack_bindgen.text.diagnostics import Diagnostic
from dlpack_bindgen.text.literals import integer_value
from dlpack_bindgen.text.statements import Assertion

INT64_MAX = (1 << 63) - 1


class Slot:
    """A slot. The language adds the choices by `{of, map}` and by the preprocessor to its key.

    The methods get values without such choices."""

    name: str
    doc: str
    forms: tuple[Option, ...] = (Option(EXPRESSION, "A C expression."),)
    """The forms of a value without a choice."""
    values: str
    """The plural of the value, in messages."""
    default: str | None = None
    """The default value, in words."""
    unless: str | None = None
    """The key that replaces this one. None: the slot is optional."""
    further: tuple[Key, ...] = ()
    """Further keys of a choice by `{of, map}`."""
    details: tuple[str, ...] = ()
    default_value: object = None
    """The value that is set if the spec has none."""

    def problems(self, value: Value) -> Iterator[Diagnostic]:
        """Yields the mistakes of a value in the spec."""
        yield from ()

    def further_problems(self, value: Value) -> Iterator[Diagnostic]:
        """Yields the mistakes of a further key of a choice."""
        yield from ()

    def read(self, value: Value, further: str | None) -> object:
        """Returns the record of a value without mistakes. `further` is the value of a further key of a choice."""
        return cast(Leaf, value).text

    def identity(self, value: Value) -> str | None:
        """Returns a string that identifies the value. No array fits two values with different strings. None: any array
        can fit."""
        return None

    # ---- The values of a valid spec ----

    def fragments(self, value: Any) -> list[str | None]:
        """Returns all C source of the value."""
        return [value]

    def assertions(self, value: Any, reading: Reading) -> Iterator[Assertion]:
        """Yields the compile-time checks against the real struct."""
        yield from ()

    def statements(self, value: Any, reading: Reading) -> list[Statement]:
        """Returns the statements that set the slot, unless they depend on other slots."""
        return []

    def in_words(self, value: Any) -> str:
        """Returns the value in words, for people who read a spec."""
        return str(value)

    def remarks(self, value: Any) -> list[str]:
        """Returns sentences about the memory of an array with this value."""
        return []


class RecordSlot(Slot):
    """A slot whose value is a record, which answers the questions."""

    def fragments(self, value: Any) -> list[str | None]:
        found: list[str | None] = value.fragments()
        return found

    def assertions(self, value: Any, reading: Reading) -> Iterator[Assertion]:
        yield from value.assertions(reading)

    def statements(self, value: Any, reading: Reading) -> list[Statement]:
        found: list[Statement] = value.statements(reading)
        return found

    def in_words(self, value: Any) -> str:
        found: str = value.in_words
        return found


def range_problems(number: Value | None, least: int, most: int, message: str) -> Iterator[Diagnostic]:
    """Yields the mistake if a literal number is outside of a range."""
    value = integer_value(number.text) if isinstance(number, Leaf) else None
    if number is not None and value is not None and not least <= value <= most:
        yield Diagnostic("bad-integer", number.span, message)
