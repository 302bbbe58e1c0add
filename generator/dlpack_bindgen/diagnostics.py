"""Problems of a spec: where they are, what is wrong, what to do; shown in gcc's form so that every editor can jump to them."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Span:
    """A stretch of one line; `line` and `column` count from 1, columns in characters."""

    file: str
    line: int
    column: int
    length: int = 1


@dataclass(frozen=True)
class Note:
    span: Span
    message: str


@dataclass(frozen=True)
class Diagnostic:
    code: str
    """A stable kebab-case name of the kind of mistake, such as `unknown-key`."""
    span: Span
    message: str
    hint: str | None = None
    notes: tuple[Note, ...] = ()
