"""New arrays that have the library of an argument: `outputs: as given`."""

from __future__ import annotations

from dlpack_bindgen.bind.scope import Names
from dlpack_bindgen.c.piece import Piece
from dlpack_bindgen.frozen import Frozen
from dlpack_bindgen.results.kind import Target
from dlpack_bindgen.spec.functions import Function


class OutputResult(Frozen):
    """A new output that the call returns, for `templates/functions/outputs.c.j2`."""

    to: Target
    function: str
    given: str
    """The variable with the arguments that Python passes."""
    arguments_and_index: str


class FinishFacts(Frozen):
    """The end of a call that converts its new arrays, for `templates/functions/outputs.c.j2`."""

    function: str
    given: str
    arrays: str
    of: str
    """The C name of the class of new arrays."""
    answer: str


class OutputsAsGiven:
    """The new arrays of one function. Without `outputs`, every method returns nothing."""

    def __init__(self, function: Function, names: Names, table: str, given: str, arrays: str) -> None:
        self._function = function
        self._names = names
        self._table = table
        self._given = given
        self._arrays = arrays

    def allocates(self) -> bool:
        """Returns whether the library may allocate an output, which runs foreign code before the call."""
        return any(is_allocated_as_given(self._function, argument.name) for argument in self._function.arguments)

    def given_for(self, name: str) -> str:
        """Returns the variable with the arguments if the library may allocate the output, or an empty string."""
        return self._given if is_allocated_as_given(self._function, name) else ""

    def result(self, name: str, to: Target, arguments_and_index: str) -> Piece | None:
        """Returns the piece that returns a new output, or None if it is not allocated by a library."""
        if not is_allocated_as_given(self._function, name):
            return None
        facts = OutputResult(to, self._table, self._given, arguments_and_index)
        return Piece("functions/outputs", "output", facts)

    def finish(self, answer: str) -> Piece | None:
        """Returns the piece that ends the call."""
        outputs = self._function.outputs
        if outputs is None:
            return None
        of = self._names.c_name(outputs.of)
        return Piece("functions/outputs", "finished", FinishFacts(self._table, self._given, self._arrays, of, answer))


def is_allocated_as_given(function: Function, name: str) -> bool:
    """Returns whether the library of an argument may allocate this output."""
    kinds = [argument.kind for argument in function.arguments if argument.name == name]
    return function.outputs is not None and any(kind.new_output and kind.class_name is None for kind in kinds)


def is_as_given(function: Function, of: str | None) -> bool:
    """Returns whether new arrays of the class `of` have the library of an argument."""
    return function.outputs is not None and function.outputs.of == of


def outputs_sentence(function: Function) -> str | None:
    """Returns the documentation of the library of the new arrays."""
    outputs = function.outputs
    if outputs is None:
        return None
    decides = f"`{outputs.decides}`" if outputs.decides else "the first array argument"
    return f"New arrays are of the library of {decides}, or {outputs.of}."
