"""Statements: those of a spec are complete, and those of the emitted C are pieces and assertions."""

from __future__ import annotations

from typing import Any

from dlpack_bindgen.frozen import Frozen

# ---- Pieces of an emitted function ----
# Features yield them; drivers put them in order; templates print them.


class Piece(Frozen):
    """A statement or a condition of an emitted function: a macro of a template, and its facts."""

    template: str
    """The template, such as `calls/conditions`."""
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


class Step(Frozen):
    """A statement before the call of the C function, or conditions under which the emitted function returns there."""

    statement: Piece | None
    conditions: tuple[Piece, ...] = ()
    failure: Piece | None = None
    """The statement that raises the exception, if the conditions raise none."""
    owners: tuple[Piece, ...] = ()
    """The statements that free memory before the function returns."""
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


class FunctionBinding(Frozen):
    """A C function that Python calls: a function of the module, or a method."""

    template: str
    """The template with the macro `definition`, which prints it."""
    own: Any
    """What this macro reads: the body of a call, a setter, a constructor, or a choice."""
    c_name: str
    entry: str
    """The `PyMethodDef`: name, function, calling convention, docstring; empty: Python calls it by another function."""
    condition: str | None
    """The `#if` condition."""
    tables: tuple[Table, ...] = ()
    operands: tuple[str, ...] = ()
    """The operands in the `dlb_py_function` constant."""


# ---- Assertions about types that only the compiler knows ----


class Assertion(Frozen):
    """`DLB_ASSERT_KIND(lib_int, INTEGER, "message");`."""

    name: str
    """The end of the name of the macro: `KIND`."""
    arguments: tuple[str, ...]
    message: str
    """The message, which quotes the spec."""
