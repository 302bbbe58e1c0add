"""Top-level `maps` of a spec, to which slots refer by name."""

from __future__ import annotations

from dlpack_bindgen.load.nodes import Mapping, Node


class Maps:
    def __init__(self, root: Mapping) -> None:
        found = next((value for key, value in root.entries if key.text == "maps"), None)
        self.tables = {key.text: table for key, table in found.entries} if isinstance(found, Mapping) else {}

    def find(self, name: str) -> Node | None:
        return self.tables.get(name)
