"""Memory for structs that the library fills or returns by value: storage in the owner of the new object."""

from __future__ import annotations

from collections.abc import Sequence

from dlpack_bindgen.c.types import CType
from dlpack_bindgen.frozen import Frozen
from dlpack_bindgen.spec.spec import Handle, Tensor


def is_in_storage(ctype: CType, item: Tensor | Handle) -> bool:
    """Returns whether the library provides the struct itself although the class passes objects by pointer."""
    return not ctype.pointers and not item.by_value


class Storage(Frozen):
    variable: str
    ctype: str
    of: str
    """The C name of the class."""


class Storages:
    """The storages of one call."""

    def __init__(self, storages: Sequence[Storage]) -> None:
        self._storages = storages

    def __contains__(self, variable: object) -> bool:
        return any(storage.variable == variable for storage in self._storages)

    @property
    def structs(self) -> list[str]:
        return [storage.ctype for storage in self._storages]

    def made(self, key: str, failed: Sequence[str]) -> list[str]:
        """Returns statements that allocate the storages. The statements `failed` run if there is no memory."""
        if not self._storages:
            return []
        lines = [
            f"{each.ctype} *{each.variable} = dlb_py_storage_for(&{each.of}_type, sizeof({each.ctype})); /* {key}.c */"
            for each in self._storages
        ]
        missing = " || ".join(f"{storage.variable} == NULL" for storage in self._storages)
        return [*lines, f"if ({missing}) {{", *(self.left() if len(self._storages) > 1 else ()), *failed, "}"]

    def left(self) -> list[str]:
        """Returns statements that free the storages if no object uses them."""
        return [f"dlb_free_storage(&{storage.of}_type, {storage.variable});" for storage in self._storages]
