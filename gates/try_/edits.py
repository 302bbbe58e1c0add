# SPDX-License-Identifier: MIT
"""Edits of a spec's text, at the places of its nodes: a value is replaced, an entry is removed or added.

An edit says which characters of the text are replaced. `apply()` applies several edits, which must not overlap, so that
the rest of the file stays as it is."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from dlpack_bindgen.text.yaml import Loaded, Mapping, Node, Scalar, Sequence, scalar


@dataclass(frozen=True)
class Edit:
    """The characters from `start` to `end` are replaced by `text`."""

    start: int
    end: int
    text: str


def apply(text: str, edits: Iterable[Edit]) -> str:
    """Returns the edited text. Raises a ValueError if two edits overlap."""
    end = len(text)
    for each in sorted(edits, key=lambda each: (each.start, each.end), reverse=True):
        if each.end > end:
            raise ValueError(f"two edits overlap at character {each.end}")
        text, end = text[: each.start] + each.text + text[each.end :], each.start
    return text


def entries(node: Node | None) -> dict[str, Node]:
    """Returns the values of a mapping by their keys."""
    return {key.text: value for key, value in node.entries} if isinstance(node, Mapping) else {}


class Source:
    """The text of a spec, whose characters are counted from 0."""

    def __init__(self, loaded: Loaded) -> None:
        self.text = loaded.text
        self.root = loaded.root
        self._lines = [0, *(match.end() for match in re.finditer("\n", self.text))]

    def at(self, line: int, column: int) -> int:
        return self._lines[line - 1] + column - 1

    def start(self, node: Node) -> int:
        return self.at(node.span.line, node.span.column)

    def is_flow(self, node: Node) -> bool:
        """Returns whether a mapping or a list stands in brackets."""
        start = self.start(node)
        if isinstance(node, Sequence) and node.items and self.start(node.items[0]) == start:
            return False  # the place of a list without brackets is that of its first item
        return self.text[start] in "{["

    def end(self, node: Node) -> int:
        """Returns the end of a value, without the space that follows."""
        if isinstance(node, Scalar):
            if node.span.lines:
                line, column, text = node.span.lines[-1]
                return self.at(line, column) + len(text)
            return self.start(node) + node.span.length
        if self.is_flow(node):
            return self._closing(self.start(node))
        children = [value for _, value in node.entries] if isinstance(node, Mapping) else [*getattr(node, "items", ())]
        return self.end(children[-1])

    def _closing(self, start: int) -> int:
        depth, quote = 0, ""
        for at in range(start, len(self.text)):
            char = self.text[at]
            if quote:
                quote = "" if char == quote else quote
            elif char in "\"'" and self.text[at - 1] in " [{,:":
                quote = char
            elif char in "[{":
                depth += 1
            elif char in "]}":
                depth -= 1
                if depth == 0:
                    return at + 1
        raise ValueError("a bracket is not closed")

    def _next_line(self, at: int) -> int:
        found = self.text.find("\n", at)
        return found + 1 if found >= 0 else len(self.text)

    def _line_of(self, at: int) -> int:
        return self.text.rfind("\n", 0, at) + 1

    # ---- Edits ----

    def replace(self, node: Node, text: str) -> Edit:
        """Replaces a value by a string."""
        return Edit(self.start(node), self.end(node), scalar(text))

    def write(self, node: Node, text: str) -> Edit:
        """Replaces a value by YAML."""
        return Edit(self.start(node), self.end(node), text)

    def within(self, node: Scalar, old: str, new: str, number: int = 0) -> Edit | None:
        """Replaces one occurrence of words in a value, between which the file can have line breaks."""
        start, end = self.start(node), self.end(node)
        pattern = r"\s+".join(map(re.escape, old.split()))
        found = [*re.finditer(pattern, self.text[start:end])]
        if number >= len(found):
            return None
        return Edit(start + found[number].start(), start + found[number].end(), new)

    def remove(self, mapping: Mapping, name: str) -> Edit:
        """Removes an entry of a mapping that has others."""
        keys = [key for key, _ in mapping.entries]
        index = next(index for index, key in enumerate(keys) if key.text == name)
        return self._remove(mapping, index, [self.start(key) for key in keys], self.end(mapping.entries[index][1]))

    def remove_item(self, of: Sequence, index: int) -> Edit:
        """Removes an item of a list."""
        starts = [self.start(each) for each in of.items]
        if not self.is_flow(of):
            starts = [self.text.rfind("-", 0, start) for start in starts]
        return self._remove(of, index, starts, self.end(of.items[index]))

    def _remove(self, of: Node, index: int, starts: list[int], end: int) -> Edit:
        start = starts[index]
        if not self.is_flow(of):
            return Edit(self._line_of(start), self._next_line(end), "")
        if index + 1 < len(starts):
            return Edit(start, starts[index + 1], "")
        return Edit(self.text.rfind(",", 0, start) if index else start, end, "")

    def add(self, mapping: Mapping, entry: str) -> Edit:
        """Adds an entry, as YAML in one line, to a mapping."""
        start = self.start(mapping)
        if self.is_flow(mapping):
            return Edit(start + 1, start + 1, f"{entry}, " if mapping.entries else entry)
        first = self.start(mapping.entries[0][0])
        return Edit(first, first, entry + "\n" + " " * (first - self._line_of(first)))


def sequences(node: Node | None) -> Iterator[Node]:
    """Yields the items of a list."""
    yield from node.items if isinstance(node, Sequence) else ()
