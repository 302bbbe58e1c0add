"""The facts for `templates/steps.c.j2` and the templates in `templates/steps/`.

Strings without another description are C expressions.
"""

from __future__ import annotations

from dlpack_bindgen.frozen import Frozen
from dlpack_bindgen.slots.statements import Statement
from dlpack_bindgen.text.statements import Assertion, Piece


class Report(Frozen):
    """A call of the runtime that reports a failure, and returns the value for a failure."""

    function: str
    arguments: tuple[str, ...]


class Exit(Frozen):
    """The end of an emitted function after a failure."""

    report: Report | None
    """None: the failure has been reported."""
    label: str = ""
    undo: tuple[str, ...] = ()
    """Statements of the spec that follow the report."""
    is_direct: bool = False
    """Whether the function returns the value of the report."""
    target: str = ""
    """The label of the cleanup; empty: the function returns."""
    failure: str = ""
    """The value that the function returns."""


class Statements(Frozen):
    """Statements of the spec that cannot fail."""

    lines: tuple[str, ...]
    label: str


class FailureTest(Frozen):
    """A condition under which the function ends."""

    fails: str
    exit: Exit
    label: str = ""


class RangeTest(Frozen):
    """A test that all values so far were in range."""

    function: str
    """The function of the runtime that tests it."""
    arguments: tuple[str, ...]
    exit: Exit


class StoredVariable(Frozen):
    """A variable that is assigned with a range check."""

    declaration: str
    name: str
    setter: str
    """The macro that assigns it."""
    object: str
    """The object that records a value out of range."""
    value: str
    label: str


class TestedCall(Frozen):
    """A call of the spec that can fail."""

    assertion: Assertion | None
    """An assertion about the result."""
    called: str
    """The call, if the test needs a variable for the result; empty: the test has the call itself."""
    label: str
    test: FailureTest


class Cleanup(Frozen):
    """The cleanup of a step."""

    target: str
    """The label before it; empty: no step jumps there."""
    finally_: str
    """A statement of the spec that always runs; empty: there is none."""
    is_block: bool
    """Whether `finally_` needs a block, because a declaration cannot follow a label."""
    undo: str
    """A statement of the spec that runs after a failure; empty: there is none."""


class Body(Frozen):
    """The steps of an emitted function, and its cleanup."""

    groups: tuple[tuple[Statement, ...], ...]
    """The steps, with blank lines between the groups."""
    result: Piece
    """The value that the function returns."""
    cleanups: tuple[Cleanup, ...]
    """The cleanups, in the order in which they run."""
    outcome: str
    """The declaration of the variable for the result, in functions with cleanup."""
    failure: str
    """The value of that variable after a failure."""
    fails: str
    """The condition for `undo`."""
    has_constructed: bool
    """Whether a variable tells if the object has been constructed."""


class Value(Frozen):
    value: str
