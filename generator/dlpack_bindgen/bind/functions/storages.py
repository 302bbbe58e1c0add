"""Memory for structs that the library fills or returns by value: storage in the owner of the new object."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from dlpack_bindgen.arguments.kind import Piece
from dlpack_bindgen.bind.binding import Owner, Step
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


class StorageFacts(Frozen):
    """The facts for `templates/functions/storages.c.j2`."""

    type: str
    variable: str
    of: str
    label: str


class Storages:
    """The storages of one call. `label` is the path of the function in the spec."""

    def __init__(self, storages: Sequence[Storage], label: str) -> None:
        self._storages = storages
        self._label = label

    def __contains__(self, variable: object) -> bool:
        return any(storage.variable == variable for storage in self._storages)

    @property
    def structs(self) -> list[str]:
        return [storage.ctype for storage in self._storages]

    def steps(self, owners: tuple[Owner, ...]) -> Iterator[Step]:
        """Yields the steps that allocate the storages. `owners` are released if there is no memory."""
        facts = [StorageFacts(each.ctype, each.variable, each.of, f"{self._label}.c") for each in self._storages]
        for each in facts:
            yield Step(Piece("functions/storages", "variable", each))
        if facts:
            missing = tuple(Piece("functions/storages", "is_missing", each, is_condition=True) for each in facts)
            yield Step(None, missing, None, (*(self.left() if len(facts) > 1 else ()), *owners))

    def left(self) -> tuple[Owner, ...]:
        """Returns the storages that are freed if no object uses them."""
        return tuple(Owner(storage.variable, storage_of=storage.of) for storage in self._storages)
