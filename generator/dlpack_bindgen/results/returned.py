"""The facts for what a call returns: nothing, an argument, or several values."""

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
