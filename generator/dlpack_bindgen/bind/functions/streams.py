"""The stream on which a function works: `stream`."""

from __future__ import annotations

from collections.abc import Collection

from dlpack_bindgen.c.piece import Piece
from dlpack_bindgen.c.types import CType, declared
from dlpack_bindgen.c.usage import mentions
from dlpack_bindgen.frozen import Frozen
from dlpack_bindgen.spec.functions import Argument, Function
from dlpack_bindgen.spec.spec import Declaration


class ReadVariable(Frozen):
    """A variable of the call whose value the stream needs, for `templates/functions/streams.c.j2`."""

    declaration: str
    type: str
    """The type of its address."""
    holder: str
    """The argument that has the addresses of the variables."""
    index: int


class CallStreamFacts(Frozen):
    """The function that finds the stream, for `templates/functions/streams.c.j2`."""

    name: str
    arrays: str
    """The variable with the arguments."""
    is_constant: bool
    """Whether the stream depends on no argument."""
    variables: tuple[Piece, ...]
    value: str
    label: str


class CallStream:
    """The values of a call that its stream needs. Without `stream`, there are none."""

    def __init__(self, function: Function, params: Collection[Declaration]) -> None:
        """Finds the values. `params` are those of the object of a method that are not arguments."""
        text = function.stream or ""
        self.arguments = tuple(each for each in function.arguments if mentions(text, each.name))
        self.params = tuple(each for each in params if mentions(text, each.name))
        receiver = [function.receiver] if self.params else []
        self.objects = {*receiver, *(each.name for each in self.arguments if each.kind.is_operand)}
        """The names of the objects."""
        self.variables = tuple(each.name for each in self.arguments if not each.kind.is_operand)
        """The names of the arguments that are variables of the emitted function."""


def read_variable(argument: Argument, variable: str, holder: str, index: int) -> Piece:
    """Returns the piece that reads a variable of the call by its address."""
    ctype = CType(argument.ctype.base, argument.ctype.pointers)
    address = CType(ctype.base, (*ctype.pointers, True))
    facts = ReadVariable(declared(ctype, variable), declared(address, ""), holder, index)
    return Piece("functions/streams", "variable", facts)
