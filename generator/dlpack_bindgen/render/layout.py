"""The layout of a function that a template has printed: sections of strict conversions, labels."""

from __future__ import annotations

import re
from collections.abc import Iterable

from dlpack_bindgen.bind.binding import LINE, LINE_END
from dlpack_bindgen.text.names import MARK

_LABELLED = re.compile(
    r"(?P<line>.*\S) (?P<label>/\* \S+(?P<advice> \((?:narrower types: .*|leave bit-fields out)\))? \*/)"
)
_CONDITION = re.compile(r"((?:} else )?if )\((.*)\) \{")
_WIDE, _FAR_TOO_WIDE = 88, 132


def labels_placed(body: str) -> str:
    """Returns the body with labels where compilers show them."""
    return "\n".join(placed for line in _conditions_joined(body.splitlines()) for placed in _placed(line))


def laid_out(body: str) -> str:
    """Returns the body with neighbouring strict sections joined, and with labels where compilers show them."""
    return labels_placed("\n".join(_sections_joined(body.splitlines())))


def _sections_joined(lines: Iterable[str]) -> list[str]:
    """Joins neighbouring sections of strict conversions."""
    found: list[str] = []
    for line in lines:
        if line == "DLB_STRICT_BEGIN" and found[-1:] == ["DLB_STRICT_END"]:
            found.pop()
        else:
            found.append(line)
    return found


def _conditions_joined(lines: Iterable[str]) -> list[str]:
    """Merges neighbouring `#if` blocks with equal conditions."""
    found: list[str] = []
    opened = ""
    for line in lines:
        if line.startswith("#if") and line == opened and found[-1] == "#endif":
            found.pop()
            continue
        if line.startswith("#") and line != "#endif":
            opened = line
        found.append(line)
    return found


def _placed(line: str) -> list[str]:
    """Returns the line with its label, also if it is slightly too long. The advice in the label does not count.

    For much longer lines the label precedes the line. In the block of a condition, it becomes the first line.
    """
    match = _LABELLED.fullmatch(line)
    width = len(line.replace(MARK, ""))
    if match is None or width <= _WIDE:
        return [line]
    text, label = match["line"], match["label"]
    condition = _CONDITION.fullmatch(text)
    if width - len(match["advice"] or "") > _FAR_TOO_WIDE or text.endswith("}"):
        return [text, label] if condition is not None else [label, text]
    if condition is None:
        return [f"{LINE}({text} {label} {LINE_END});"]
    return [f"{condition[1]}({LINE}({condition[2]} {label} {LINE_END})) {{"]
