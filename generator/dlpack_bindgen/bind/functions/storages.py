"""Memory for structs that the library fills or returns by value: room in the owner of the new object."""

from __future__ import annotations

from collections.abc import Sequence

from dlpack_bindgen.c.types import CType
from dlpack_bindgen.frozen import Frozen
from dlpack_bindgen.spec.spec import Handle, Tensor


def is_in_storage(ctype: CType, item: Tensor | Handle) -> bool:
    """Whether the library gives the struct itself, of objects that are passed by pointer."""
    return not ctype.pointers and not item.by_value


class Storage(Frozen):
    variable: str
    ctype: str
    of: str
    """The C name of the class."""


class Storages:
    """Those of one call."""

    def __init__(self, rooms: Sequence[Storage]) -> None:
        self._rooms = rooms

    def __contains__(self, variable: object) -> bool:
        return any(room.variable == variable for room in self._rooms)

    @property
    def structs(self) -> list[str]:
        return [room.ctype for room in self._rooms]

    def made(self, key: str, failed: Sequence[str]) -> list[str]:
        """Declares the variables; `failed`: what to do without memory."""
        if not self._rooms:
            return []
        lines = [
            f"{room.ctype} *{room.variable} = dlb_py_storage_for(&{room.of}_type, sizeof({room.ctype})); /* {key}.c */"
            for room in self._rooms
        ]
        missing = " || ".join(f"{room.variable} == NULL" for room in self._rooms)
        return [*lines, f"if ({missing}) {{", *(self.left() if len(self._rooms) > 1 else ()), *failed, "}"]

    def left(self) -> list[str]:
        """Gives them back, without objects."""
        return [f"dlb_free_storage(&{room.of}_type, {room.variable});" for room in self._rooms]
