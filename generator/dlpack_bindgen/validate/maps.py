"""Top-level `maps` of a spec, to which slots refer by name."""

from __future__ import annotations

from functools import cached_property

from dlpack_bindgen.diagnostics import NameIndex, did_you_mean
from dlpack_bindgen.load.nodes import Mapping, Node


class Maps:
    def __init__(self, root: Mapping) -> None:
        found = next((value for key, value in root.entries if key.text == "maps"), None)
        self._tables = {key.text: table for key, table in found.entries} if isinstance(found, Mapping) else {}

    def find(self, name: str) -> Node | None:
        return self._tables.get(name)

    def hint(self, name: str) -> str | None:
        """Returns a suggestion for the name of an unknown map, or None."""
        return did_you_mean(name, self._index.near(name))

    @cached_property
    def _index(self) -> NameIndex:
        return NameIndex(self._tables)
