# SPDX-License-Identifier: MIT
"""Reads the reasons that stand in the sources, beside lines that no run reaches.

`/* not covered: REASON */` at the end of a line is the reason of this line. A comment on a line of its own is the
reason of the lines after it, up to the first one that is indented less, or that is empty.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

_REASON = re.compile(r"/\* not covered: (?P<why>.+?) \*/")
_MARK = "not covered:"


@dataclass(frozen=True)
class Reason:
    """A reason at `line` that speaks for the lines `first` to `last`."""

    line: int
    first: int
    last: int
    why: str


def _indentation(line: str) -> int:
    return len(line) - len(line.lstrip())


def _end_of_block(lines: list[str], start: int) -> int:
    """Returns the number of lines up to the end of the block that begins at the index `start`."""
    indentation = _indentation(lines[start - 1])
    for index in range(start, len(lines)):
        if not lines[index].strip() or _indentation(lines[index]) < indentation:
            return index
    return len(lines)


def find_reasons(text: str) -> list[Reason]:
    """Returns the reasons in the text of one source file; ValueError for a comment of another form."""
    lines = text.splitlines()
    reasons = []
    for index, line in enumerate(lines):
        if _MARK not in line:
            continue
        found = _REASON.search(line)
        if found is None:
            raise ValueError(f"line {index + 1}: write the reason on one line: /* not covered: REASON */")
        number = index + 1
        if line.strip() == found.group():
            reasons.append(Reason(number, number + 1, _end_of_block(lines, number), found["why"]))
        else:
            reasons.append(Reason(number, number, number, found["why"]))
    return reasons


def check_reasons(top: Path, path: str, lines: dict[int, int]) -> list[str]:
    """Returns one message for each uncovered line without a reason, and for each reason without an uncovered line.

    `path` is below `top`; `lines` maps the number of a line to how often it ran.
    """
    try:
        reasons = find_reasons((top / path).read_text(encoding="utf-8"))
    except ValueError as error:
        return [f"{path}: {error}"]
    explained: set[int] = set()
    messages = []
    for reason in reasons:
        counts = {line: count for line, count in lines.items() if reason.first <= line <= reason.last}
        ran = [line for line, count in counts.items() if count > 0]
        if ran:
            messages.append(f"{path}:{ran[0]}: runs, but line {reason.line} says that it is not covered: {reason.why}")
        elif not counts:
            messages.append(f"{path}:{reason.line}: no code is there that this reason speaks for: {reason.why}")
        explained |= set(counts)
    uncovered = sorted(line for line, count in lines.items() if count == 0 and line not in explained)
    return messages + [f"{path}:{line}: never runs, and has no reason beside it" for line in uncovered]
