"""Splitting of C files into pieces, which are formatted one by one. The result has the same bytes as the whole file.

This requires that no piece affects another. clang-format carries state from line to line, but an empty line outside all
brackets resets most of it. The remaining state has no effect in this style. The style aligns only comments at the ends
of consecutive lines. It never derives the position of pointers, the line ends or the language from the whole file.

Conditions need care. clang-format formats each branch as a separate file and skips `#if 0`, so no cut lies inside an
`#if`. Cuts inside an `#ifdef` are safe: the emitted ones have no `#else`, and without it they change nothing."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

# A file with some 100 tensors took 64 MiB in one piece and 19 MiB in pieces of this size, and less time. Smaller pieces
# cost more again.
SIZE = 32 * 1024


class Piece(NamedTuple):
    text: str
    formatted: bool


# None of these contains an empty line, so that no cut splits them.
_OPAQUE = r'(?s)/\*.*?\*/|"(?:[^"\\\n]|\\.)*"|\'(?:[^\'\\\n]|\\.)*\''
_NESTING = r"(?m)[{}]|^#(?:if|endif)\w*"
_GAP = re.compile(r"\n\n+")
_LINKAGE = r"(?sm)^#ifdef __cplusplus\n.*?(?=\n\n|\Z)"
"""A pattern of `extern "C" {` and its end, which are already formatted. Without them, no bracket is open between
functions."""


def cut(text: str, size: int = SIZE) -> list[Piece]:
    """Splits the text into pieces of about `size`, or of one function if that is longer. Joined with empty lines, they
    are the text."""
    if len(text) <= size:
        return [Piece(text, formatted=False)]
    pieces: list[Piece] = []
    end = 0
    for linkage in re.finditer(_LINKAGE, text):
        pieces += _cut(text[end : linkage.start()], size)
        pieces.append(Piece(linkage.group().rstrip("\n") + "\n", formatted=True))
        end = linkage.end()
    return [*pieces, *_cut(text[end:], size)]


def joined(pieces: list[str]) -> str:
    return "\n".join(pieces)


def _cut(text: str, size: int) -> Iterator[Piece]:
    text = text.strip("\n")
    begin = seen = depth = 0
    conditions: list[str] = []
    while gap := _GAP.search(text, max(begin + size, seen)):
        for sign in re.findall(_NESTING, re.sub(_OPAQUE, "", text[seen : gap.start()])):
            if sign in "{}":
                depth += 1 if sign == "{" else -1
            elif sign != "#endif":
                conditions.append(sign)
            elif conditions:
                conditions.pop()
        seen = gap.end()
        if depth == 0 and "#if" not in conditions:
            yield Piece(text[begin : gap.start()] + "\n", formatted=False)
            begin = seen
    if text[begin:]:
        yield Piece(text[begin:] + "\n", formatted=False)
