"""What has the memory that C gets for a call: encoded paths, tables of texts, bytes and arrays to fill."""

from __future__ import annotations

from collections.abc import Callable

from dlpack_bindgen.spec.functions import Argument, Function, Out, String, Strings, capacity


class Keepers:
    """Those of one call, each in a variable that is NULL where there is none."""

    def __init__(self, function: Function, own: Callable[[str], str]) -> None:
        """`own` makes a name that no parameter has."""
        self._names: dict[str, str] = {}
        self._given: list[str] = []
        self._filled: list[str] = []
        self._arrays: list[str] = []
        for argument in function.arguments:
            if (suffix := _suffix(argument)) is not None:
                self._names[argument.name] = own(f"{argument.name}_{suffix}")
                (self._filled if capacity(argument) else self._given).append(argument.name)
                self._arrays += [argument.name] if suffix == "array" else []

    def __getitem__(self, name: str) -> str:
        """The variable of that of a parameter."""
        return self._names[name]

    def declared(self, name: str) -> list[str]:
        """Of what Python gives; what is to be filled has its own where it is made."""
        return [f"PyObject *{self._names[name]} = NULL;"] if name in self._given else []

    def given(self) -> list[str]:
        """Lets go of what Python gives."""
        return [f"Py_XDECREF({self._names[name]});" for name in self._given]

    def made(self) -> list[str]:
        """Lets go of what is to be filled, once it has been made."""
        return [self.dropped(name) for name in self._filled]

    def dropped(self, name: str) -> str:
        """Lets go of that, which may be NULL."""
        variable = self._names[name]
        return f"dlb_array_free({variable});" if name in self._arrays else f"Py_XDECREF({variable});"


def _suffix(argument: Argument) -> str | None:
    if isinstance(argument.kind, String) and argument.kind.path:
        return "bytes"
    if isinstance(argument.kind, Strings):
        return "kept"
    if not capacity(argument):
        return None
    return "array" if isinstance(argument.kind, Out) and argument.kind.kind == "array" else "bytes"
