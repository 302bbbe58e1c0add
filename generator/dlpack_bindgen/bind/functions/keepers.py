"""Owners of the memory that a call passes to C: encoded paths, tables of strings, bytes and arrays to fill."""

from __future__ import annotations

from collections.abc import Callable

from dlpack_bindgen.spec.functions import Argument, Function, Out, capacity


class Keepers:
    """The owners of one call. Each has a variable, which is NULL if there is no owner."""

    def __init__(self, function: Function, own: Callable[[str], str]) -> None:
        """Stores the function. `own` makes a name that no parameter has."""
        self._names: dict[str, str] = {}
        self._given: list[str] = []
        self._filled: list[str] = []
        self._arrays: list[str] = []
        for argument in function.arguments:
            if (suffix := _suffix(argument)) is not None:
                self._names[argument.name] = own(f"{argument.name}_{suffix}")
                (self._filled if capacity(argument) else self._given).append(argument.name)
                self._arrays += [argument.name] if suffix == "array" else []

    def get(self, name: str) -> str | None:
        """Returns the variable for the owner of a parameter, or None."""
        return self._names.get(name)

    def __getitem__(self, name: str) -> str:
        """Returns the variable for the owner of a parameter."""
        return self._names[name]

    def given(self) -> list[str]:
        """Returns statements that release the owners of arguments."""
        return [f"Py_XDECREF({self._names[name]});" for name in self._given]

    def made(self) -> list[str]:
        """Returns statements that release the owners of output buffers after their allocation."""
        return [self.dropped(name) for name in self._filled]

    def dropped(self, name: str) -> str:
        """Returns the statement that releases the owner of one parameter. The owner can be NULL."""
        variable = self._names[name]
        return f"dlb_array_free({variable});" if name in self._arrays else f"Py_XDECREF({variable});"


def _suffix(argument: Argument) -> str | None:
    if argument.kind.owner is not None:
        return argument.kind.owner
    if not capacity(argument):
        return None
    return "array" if isinstance(argument.kind, Out) and argument.kind.kind == "array" else "bytes"
