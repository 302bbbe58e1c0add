"""Statements: those of a spec are complete, and those of the emitted C are pieces and assertions."""

from __future__ import annotations

from dlpack_bindgen.frozen import Frozen

# ---- Pieces of an emitted function ----
# Features yield them; drivers put them in order; templates print them.


class Piece(Frozen):
    """A statement or a condition of an emitted function: a macro of a template, and its facts."""

    template: str
    """The template, such as `functions/lengths`."""
    macro: str
    facts: object
    is_condition: bool = False
    """Whether it is a C expression that is true if the call must end."""
    conditions: tuple[str, ...] = ()
    """C expressions of the spec under which the condition is tested."""
    is_enclosed: bool = False
    """Whether parentheses enclose the condition."""
    follows_checks: bool = False
    """Whether a statement needs the conditions before it to be tested."""


class Owner(Frozen):
    """A variable that owns memory, and is released when the call ends."""

    variable: str
    is_array: bool = False
    """Whether it is a `dlb_array`. Otherwise it is an object of Python, or NULL."""
    storage_of: str = ""
    """The C name of the class whose struct the memory holds; empty: the variable is not the memory of a struct."""
    freed: Piece | None = None
    """The statement that frees memory that is not a Python object; None: the runtime releases it."""


class Step(Frozen):
    """A statement before the call of the C function, or conditions under which the emitted function returns there."""

    statement: Piece | None
    conditions: tuple[Piece, ...] = ()
    failure: Piece | None = None
    """The statement that raises the exception, if the conditions raise none."""
    owners: tuple[Owner, ...] = ()
    """The owners that the function releases before it returns."""
    follows_blank_line: bool = False
    """Whether an empty line separates the conditions from the statements before."""
    label: str = ""
    """A comment with the key of the conditions."""


class Table(Frozen):
    """A static table that the runtime reads."""

    type: str
    """The C type of the table, or of its entries if it is an array."""
    name: str
    entries: tuple[str, ...]
    is_array: bool = False


# ---- Assertions about types that only the compiler knows ----


class Assertion(Frozen):
    """`DLB_ASSERT_KIND(lib_int, INTEGER, "message");`."""

    name: str
    """The end of the name of the macro: `KIND`."""
    arguments: tuple[str, ...]
    message: str
    """The message, which quotes the spec."""
