"""Values in a line of YAML as their author meant them, even if YAML ends them earlier.

One line may hold a whole spec, with a mistake in each of its values. The functions therefore avoid a scan of the whole
line for each mistake. They limit the length of values, and cache the structure of a line."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from functools import cached_property, lru_cache
from typing import NamedTuple

from dlpack_bindgen.c import ctext

_LONGEST = 1024
"""The maximum number of characters of a value that are examined. Messages show fewer."""
_NEAREST = 16
"""The number of places before a mistake that are examined as the start of its value."""
_DEPTHS = {"(": 1, "[": 1, "{": 1, ")": -1, "]": -1, "}": -1}
_BEGINS = re.compile(r"[\[{,:]\s*")
_ALIAS = re.compile(r"\*(\w+)(?=\s*(?:[,\]}]|$))")
_ANCHOR = re.compile(r"(?<![\w)\]])&(\w+)(?=\s+[\w\"'\[{]|\s*$)")


def raw_value(line: str, column: int, flow: bool) -> str:
    """Returns the value at `column` as its author meant it: up to the end of the line, or of the item in `[...]`."""
    end = column + _LONGEST
    if not flow:
        return re.split(r"\s#", line[column:end], maxsplit=1)[0].rstrip()
    depth = 0
    stop = column
    for text, position in ctext.pieces(line, column, end):
        depth += _DEPTHS.get(text, 0)
        if depth < 0 or (depth == 0 and text == ","):
            break
        stop = position + len(text)
        if text in ('"', "'"):
            break
    return line[column:stop]


def call_start(line: str, column: int) -> int | None:
    """Returns the start of a call such as `f(self, &x)`, given the place of its last argument, which YAML reads as a
    separate value."""
    known = _calls(line)
    index = bisect_left(known.brackets, column) - 1
    bracket = known.open_calls[index] if index >= 0 else -1
    start = bisect_right(known.begins, bracket) - 1
    return known.begins[start] if bracket >= 0 and start >= 0 else None


def value_start(line: str, column: int) -> int:
    """Returns the start of the value in `[...]` or `{...}` that contains `column`, even if YAML ends it earlier:
    `a[1] == 2 && b`."""
    begins = _calls(line).begins
    end = bisect_right(begins, column)
    around = (each for each in begins[max(end - _NEAREST, 0) : end][::-1] if column - each < _LONGEST)
    return next((each for each in around if each + len(raw_value(line, each, True)) > column), column)


class _Calls(NamedTuple):
    brackets: list[int]
    """The places of all parentheses."""
    open_calls: list[int]
    """For each parenthesis: the place of the innermost parenthesis that is open after it, or -1."""
    begins: list[int]
    """The places where a value can begin."""


@lru_cache(maxsize=8)
def _calls(line: str) -> _Calls:
    pending: list[int] = []
    found = _Calls([], [], [match.end() for match in _BEGINS.finditer(line)])
    for text, position in ctext.pieces(line, 0, len(line)):
        if text == "(":
            pending.append(position)
        elif text == ")" and pending:
            pending.pop()
        if text in ("(", ")"):
            found.brackets.append(position)
            found.open_calls.append(pending[-1] if pending else -1)
    return found


class Marks:
    """The anchors and aliases of a file, which the author may have intended."""

    def __init__(self, lines: Sequence[str]) -> None:
        self._lines = lines

    def are_meant(self, raw: str) -> bool:
        """Returns whether `raw` is an alias of an anchor in the file, or a value with an anchor that has an alias."""
        name = re.match(r"[*&](\w+)(?:\s+[\w\"'].*)?$", raw, re.ASCII)
        if name is None or (raw[0] == "*") != (name.end(1) == len(raw)):
            return False
        return name[1] in (self._anchors if raw[0] == "*" else self._aliases)

    @cached_property
    def _aliases(self) -> set[str]:
        return {name for line in self._lines for name in _ALIAS.findall(line)}

    @cached_property
    def _anchors(self) -> set[str]:
        return {name for line in self._lines for name in _ANCHOR.findall(line)}
