"""The facts for the templates in `templates/results/`: one record for each kind of result.

Strings without another description are C expressions. Names are those of variables of the emitted function.
"""

from __future__ import annotations

from dlpack_bindgen.frozen import Frozen


class Target(Frozen):
    """The variable that gets an object of Python."""

    variable: str
    is_declared: bool = False
    """Whether the statement declares the variable."""
    is_returned: bool = False
    """Whether the function returns the object instead."""


class NullFacts(Frozen):
    """The conversion of a NULL that C returns."""

    variable: str
    function: str
    """The name of the function in Python."""
    name: str
    is_refused: bool
    """Whether NULL is an error. Otherwise Python gets None."""


class NoResult(Frozen):
    """No result."""

    to: Target


class TupleResult(Frozen):
    """Several results."""

    to: Target
    values: str
    """The variable with the objects."""
    count: int


class ArgumentResult(Frozen):
    """An argument that the call returns."""

    to: Target
    argument: str


class NumberResult(Frozen):
    """A number, a string or a member of an enumeration."""

    to: Target
    value: str
    """The call that makes the object."""
    null: NullFacts | None


class BytesResult(Frozen):
    """Bytes behind a pointer."""

    to: Target
    variable: str
    size: str
    null: NullFacts | None


class StringsResult(Frozen):
    """A table with a number of strings."""

    to: Target
    variable: str
    count: str


class FilledResult(Frozen):
    """The filled part of memory that C has got from Python."""

    to: Target
    variable: str
    owner: str
    """The variable that owns the memory; empty: the memory is a variable of the function."""
    of: str
    """The C name of the class of an array."""
    extents: tuple[str, ...]
    size: str
    """The number of filled bytes; empty: all."""


class ItemsResult(Frozen):
    """The numbers of an array as a tuple."""

    to: Target
    array: str
    items: str
    """The variable with the objects."""
    count: int
    values: tuple[str, ...]
    """The calls that make the objects; empty: a loop makes them."""
    index: str = ""
    value: str = ""
    """The call in the loop."""


class LoopFacts(Frozen):
    """A loop that reads the extents of an array."""

    ndim: str
    """The variable with the number of axes."""
    shape: str
    """The variable with the extents."""
    axis: str
    extent: str
    rank: str
    most: str
    """The capacity in axes of the array that the extents are read from."""


class ArrayResult(Frozen):
    """The memory behind a pointer, as a copy or as an array that refers to it."""

    to: Target
    of: str
    """The C name of the class."""
    variable: str
    dtype: str
    is_copy: bool
    is_optional: bool
    within: str
    """The argument that keeps the memory alive; empty: it lasts forever."""
    flags: tuple[str, ...]
    known: tuple[str, ...]
    """Pointers to extents. If one is NULL, the extents are not read."""
    extents: tuple[str, ...]
    loop: LoopFacts | None


class Member(Frozen):
    """A member of the state of an object, and its value."""

    name: str
    value: str


class StateFacts(Frozen):
    """The state of a returned object."""

    variable: str
    early: tuple[Member, ...]
    """The members that are initialised."""
    has_defaults: bool
    late: tuple[Member, ...]
    """The members that are set after the defaults."""


class SameFacts(Frozen):
    """An argument that the returned object can be."""

    test: str
    """The condition that C has returned the argument."""
    argument: str
    """The address of the argument, or the variable for an item of a list."""
    is_same: bool
    """Whether Python gets the argument itself. Otherwise it gets a view that keeps the argument alive."""
    list: str = ""
    """The argument if it is a list; empty: the argument is a single object."""
    returned: str = ""
    """The pointer that C has returned."""


class ObjectResult(Frozen):
    """An object that C returns."""

    to: Target
    of: str
    """The C name of the class."""
    passed: str
    flags: tuple[str, ...]
    stored: str
    """The struct that C has returned by value; empty: it has returned none."""
    storage: str
    """The memory for the struct; empty: there is none."""
    state: StateFacts | None
    owner: str
    """The macro of the template that prints what keeps the object alive."""
    function: str
    arrays: str
    kept: tuple[str, ...]
    """The arguments that the object keeps alive, or the one whose object owns it."""
    same: tuple[SameFacts, ...]
    is_stored_first: bool
    """Whether struct and state are stored before the tests of the arguments."""
