"""Text of at most 80 columns: headings, paragraphs, lists and tables."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Iterator, Sequence

WIDTH = 80
INDENT = "  "
NO_BREAK = "\N{NO-BREAK SPACE}"
"""A space at which no line is broken."""


def title(text: str, line: str = "=") -> list[str]:
    """Returns a heading with a line below it."""
    lines = wrapped(text)
    return [*lines, line * max(map(len, lines))]


def wrapped(text: str, indent: str = "", later: str | None = None) -> list[str]:
    """Returns the lines of a paragraph. `later` is the indent of the lines after the first one."""
    return textwrap.wrap(
        _printable(text),
        WIDTH,
        initial_indent=indent,
        subsequent_indent=indent if later is None else later,
        break_on_hyphens=False,
    )


def paragraphs(text: str, indent: str = "") -> list[str]:
    """Returns the lines of a text whose lines are paragraphs."""
    return [line for part in text.split("\n") for line in wrapped(part, indent) or [""]]


def listed(items: Iterable[str], indent: str = INDENT) -> Iterator[str]:
    """Yields the lines of a list."""
    for item in items:
        yield from wrapped(item, f"{indent}* ", f"{indent}  ")


def table(rows: Sequence[Sequence[str]], indent: str = INDENT) -> Iterator[str]:
    """Yields the lines of a table. Its columns are as wide as needed, or share the width."""
    rows = [[_printable(cell) for cell in row] for row in rows]
    widths = _widths([max(map(len, column)) for column in zip(*rows, strict=True)], WIDTH - len(indent))
    for row in rows:
        cells = [textwrap.wrap(c, width, break_on_hyphens=False) or [""] for c, width in zip(row, widths, strict=True)]
        for line in range(max(map(len, cells))):
            parts = [cell[line] if line < len(cell) else "" for cell in cells]
            shown = "  ".join(part.ljust(width) for part, width in zip(parts, widths, strict=True))
            yield f"{indent}{shown}".rstrip()


def _widths(needed: Sequence[int], width: int) -> list[int]:
    """Returns the widths of columns that have two blanks between them. The widest columns are narrowed."""
    free = width - 2 * (len(needed) - 1)
    widths = list(needed)
    while sum(widths) > free:
        widest = widths.index(max(widths))
        widths[widest] -= 1
    return [max(each, 1) for each in widths]


def _printable(text: str) -> str:
    return text if text.isprintable() else "".join(c if c.isprintable() or c == NO_BREAK else " " for c in text)
