"""Owners of the memory that a call passes to C.

They own encoded paths, copies of strings and of arrays, tables of strings, and bytes and arrays to fill.
"""

from __future__ import annotations

from collections.abc import Callable

from dlpack_bindgen.arguments.kind import Kind
from dlpack_bindgen.text.statements import Owner
from dlpack_bindgen.validate.functions.calls import Call


class MemoryOwners:
    """The owners of one call. Each has a variable, which is NULL if there is no owner."""

    def __init__(self, function: Call, own: Callable[[str], str]) -> None:
        """Stores the function. `own` makes a name that no parameter has."""
        self._owners = {
            argument.name: _owner(argument.kind, own(f"{argument.name}_{argument.kind.owner}"))
            for argument in function.arguments
            if argument.kind.owner is not None
        }
        self._filled = [argument.name for argument in function.arguments if argument.kind.capacity]

    def get(self, name: str) -> str:
        """Returns the variable for the owner of a parameter; empty: there is none."""
        return self._owners[name].variable if name in self._owners else ""

    def filled(self, name: str) -> Owner:
        """Returns the owner of memory that C fills."""
        return self._owners[name]

    def given(self) -> tuple[Owner, ...]:
        """Returns the owners of arguments."""
        return tuple(owner for name, owner in self._owners.items() if name not in self._filled)

    def made(self) -> tuple[Owner, ...]:
        """Returns the owners of memory that C fills."""
        return tuple(self._owners[name] for name in self._filled)


def _owner(kind: Kind, variable: str) -> Owner:
    return Owner(variable, is_array=kind.owner == "array", freed=kind.freed(variable))
