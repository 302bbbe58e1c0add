"""Objects of Python in which the memory lies that C gets for a call: encoded paths, tables of texts, bytes to fill."""

from __future__ import annotations

from collections.abc import Callable

from dlpack_bindgen.spec.functions import Argument, Function, Text, Texts, room


class Keepers:
    """Those of one call, each in a variable that is NULL where there is none."""

    def __init__(self, function: Function, own: Callable[[str], str]) -> None:
        """`own` makes a name that no parameter has."""
        self._names: dict[str, str] = {}
        self._given: list[str] = []
        self._filled: list[str] = []
        for argument in function.arguments:
            if (suffix := _suffix(argument)) is not None:
                self._names[argument.name] = own(f"{argument.name}_{suffix}")
                (self._filled if room(argument) else self._given).append(argument.name)

    def __getitem__(self, name: str) -> str:
        """The variable of that of a parameter."""
        return self._names[name]

    def declared(self, name: str) -> list[str]:
        """Of what Python gives; bytes to fill have theirs where they are made."""
        return [f"PyObject *{self._names[name]} = NULL;"] if name in self._given else []

    def given(self) -> list[str]:
        """Lets go of what Python gives."""
        return [f"Py_XDECREF({self._names[name]});" for name in self._given]

    def made(self) -> list[str]:
        """Lets go of the bytes to fill, once they have been made."""
        return [f"Py_XDECREF({self._names[name]});" for name in self._filled]


def _suffix(argument: Argument) -> str | None:
    if isinstance(argument.kind, Text) and argument.kind.path:
        return "bytes"
    if isinstance(argument.kind, Texts):
        return "kept"
    return "bytes" if room(argument) else None
