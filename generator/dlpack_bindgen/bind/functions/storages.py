"""Memory for structs that the library fills or returns by value: storage in the owner of the new object."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from dlpack_bindgen.frozen import Frozen
from dlpack_bindgen.spec.spec import Item
from dlpack_bindgen.text.statements import Owner, Piece, Step
from dlpack_bindgen.text.types import CType


def is_in_storage(ctype: CType, item: Item) -> bool:
    """Returns whether the library provides the struct itself although the class passes objects by pointer."""
    return not ctype.pointers and not item.by_value


class StorageFacts(Frozen):
    """Memory for a struct, for `templates/functions/storages.c.j2`."""

    type: str
    """The C type of the struct."""
    variable: str
    of: str
    """The C name of the class."""
    label: str
    """The path in the spec, which a compiler shows."""
    typedef: str = ""
    """The type in the prototype, if it may be a pointer: the memory is then needed only for a struct; else empty."""


class Storages:
    """The storages of one call."""

    def __init__(self, storages: Sequence[StorageFacts]) -> None:
        self._storages = storages

    def __contains__(self, variable: object) -> bool:
        return any(storage.variable == variable for storage in self._storages)

    @property
    def structs(self) -> list[str]:
        return [storage.type for storage in self._storages if not storage.typedef]

    def steps(self, owners: tuple[Owner, ...]) -> Iterator[Step]:
        """Yields the steps that allocate the storages. `owners` are released if there is no memory."""
        for each in self._storages:
            yield Step(Piece("functions/storages", "variable", each))
        if self._storages:
            missing = [Piece("functions/storages", "is_missing", each, is_condition=True) for each in self._storages]
            yield Step(None, tuple(missing), None, (*(self.left() if len(missing) > 1 else ()), *owners))

    def left(self) -> tuple[Owner, ...]:
        """Returns the storages that are freed if no object uses them."""
        return tuple(Owner(storage.variable, storage_of=storage.of) for storage in self._storages)
