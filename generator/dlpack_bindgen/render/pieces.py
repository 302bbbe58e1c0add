"""Cuts C into pieces that can be formatted one by one, to the same bytes as the whole.

For that, nothing of one piece may matter in another. What clang-format carries on from line to line ends at an empty
line outside of all brackets, or has no part in our style: it aligns only the comments at the ends of consecutive lines,
and would guess the position of pointers, the end of lines and the language from the whole file only if it were told to.
What is left are conditions. It takes each branch for a file of its own and leaves alone what stands in `#if 0`, so no
cut is made inside an `#if`. An `#ifdef` is another matter: ours have no `#else`, and without it they change nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

# A file of some 100 tensors took 64 MiB in one piece, 19 in these, and less time; smaller ones cost more again.
SIZE = 32 * 1024


class Piece(NamedTuple):
    text: str
    formatted: bool


# No empty line stands in any of these, so they are whole wherever the text is cut.
_OPAQUE = r'(?s)/\*.*?\*/|"(?:[^"\\\n]|\\.)*"|\'(?:[^\'\\\n]|\\.)*\''
_NESTING = r"(?m)[{}]|^#(?:if|endif)\w*"
_GAP = re.compile(r"\n\n+")
_LINKAGE = r"(?sm)^#ifdef __cplusplus\n.*?(?=\n\n|\Z)"
"""`extern "C" {` and its end are as they should be already; without them, no bracket is open between functions."""


def cut(text: str, size: int = SIZE) -> list[Piece]:
    """The pieces, each about as long as `size` or as one function; with an empty line between, they are the text."""
    if len(text) <= size:
        return [Piece(text, formatted=False)]
    pieces: list[Piece] = []
    end = 0
    for linkage in re.finditer(_LINKAGE, text):
        pieces += _cut(text[end : linkage.start()], size)
        pieces.append(Piece(linkage.group().rstrip("\n") + "\n", formatted=True))
        end = linkage.end()
    return [*pieces, *_cut(text[end:], size)]


def joined(texts: list[str]) -> str:
    return "\n".join(texts)


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
