"""Problems in C code of a spec, and records of the facts about them. `advice` derives hints from the facts."""

from __future__ import annotations

from dlpack_bindgen.diagnostics import Code
from dlpack_bindgen.frozen import Frozen


class Problem(Frozen):
    code: Code
    message: str
    hint: str | None = None
    place: tuple[int, int] | None = None
    """The start in the code, counted from 0, and the length; None: all of the code."""
    facts: object = None
    """The record of the facts about the problem. `advice` derives a hint from it."""


class OpenQuote(Frozen):
    """A quote that is never closed."""


class Digraph(Frozen):
    """Two characters that C reads as one sign."""

    text: str
    sign: str
    tested: bool
    """Whether `%` stands for a result in the code."""


class ForeignCharacter(Frozen):
    """A character that C does not have."""

    character: str


class NotNumber(Frozen):
    """A word that begins with a digit, and is not a number of C."""

    text: str


class MissingOperator(Frozen):
    """Two adjacent values without an operator."""

    code: str


class MissingOperand(Frozen):
    """An operator without one of its operands."""

    code: str
    operator: str
    is_first: bool
    """Whether the code begins with the operator."""
    is_left: bool
    """Whether the left operand is missing."""
    tested: bool
    """Whether `%` stands for a result in the code."""


class MisspeltTest(Frozen):
    """A value of `ok` that is not a test, but names a sign or a value: `result == OK`, `= OK`, `0`."""

    sign: str | None
    value: str
