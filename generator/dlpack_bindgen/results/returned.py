"""The facts for what a call returns: nothing, an argument, several values, or memory that C has filled."""

from __future__ import annotations

from dlpack_bindgen.frozen import Frozen
from dlpack_bindgen.results.kind import Target


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
    arguments_and_index: str
    """The array of all arguments and the index, as C arguments."""


class FilledResult(Frozen):
    """The filled part of memory that C has got from Python."""

    to: Target
    variable: str
    owner: str
    """The variable that owns the memory; empty: the memory is a variable of the function."""
    of: str = ""
    """The C name of the class of an array."""
    extents: tuple[str, ...] = ()
    record: str = ""
    """The `dlb_record` of elements that are structs."""
    size: str = ""
    """The number of filled bytes; empty: all."""
