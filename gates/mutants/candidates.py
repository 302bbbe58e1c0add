# SPDX-License-Identifier: MIT
"""A fragment of source that can be changed, and the constants that the finders of both languages share."""

from __future__ import annotations

from dataclasses import dataclass

COMPARISONS = {"<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "=="}


@dataclass(frozen=True)
class Candidate:
    """`old` is the text from `start` to `end`, in bytes; `shape` is `expression` or `statement`."""

    start: int
    end: int
    operator: str
    shape: str
    new: bytes


def changed_number(text: bytes) -> bytes | None:
    """Returns another number of the same type: 1 gives 0, any other decimal number the next one."""
    digits = text.rstrip(b"uUlL")
    if not digits.isdigit():
        return None
    value = int(digits)
    return str(0 if value == 1 else value + 1).encode() + text[len(digits) :]
