# SPDX-License-Identifier: MIT
"""The list of mutants: one JSON object per line of `mutants.jsonl`; and where each of them is in the sources today."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from pathlib import Path

HERE = Path(__file__).resolve().parent
TOP = HERE.parent.parent
LIST = HERE / "mutants.jsonl"
BUILD = TOP / "build" / "mutants"
TREE = BUILD / "tree"


@dataclass(frozen=True)
class Mutant:
    """One change of one fragment of a source file.

    `line` is that of the draw. `context` is the line where `old` begins, without its indentation: it finds the fragment
    again after the line has moved. `column` counts bytes, from 0, after the indentation. A `statement` is left
    out; `new` is then empty. The file has `equal` such lines with such fragments; this is number `nth`, from 0.
    """

    id: int
    file: str
    line: int
    column: int
    operator: str
    shape: str
    old: str
    new: str
    context: str
    nth: int = 0
    equal: int = 1


def read_list(path: Path = LIST) -> list[Mutant]:
    """Returns the mutants of the committed list."""
    return [Mutant(**json.loads(line)) for line in path.read_text(encoding="utf-8").splitlines()]


def write_list(mutants: Iterable[Mutant], path: Path = LIST) -> None:
    """Writes the list, in the order given."""
    lines = (json.dumps(asdict(mutant), ensure_ascii=False) + "\n" for mutant in mutants)
    path.write_text("".join(lines), encoding="utf-8")


def sources() -> list[str]:
    """Returns the files that are mutated, relative to the top."""
    paths = [*(TOP / "runtime").rglob("*.[ch]"), *(TOP / "generator").rglob("*.py")]
    return sorted(str(path.relative_to(TOP)) for path in paths)


def line_starts(text: bytes) -> list[int]:
    """Returns the offset of each line."""
    starts = [0]
    for line in text.splitlines(keepends=True):
        starts.append(starts[-1] + len(line))
    return starts


def context_at(text: bytes, offset: int) -> tuple[bytes, int]:
    """Returns the line around `offset` without its indentation, and where in it `offset` is."""
    start = text.rfind(b"\n", 0, offset) + 1
    end = text.find(b"\n", offset)
    line = text[start : len(text) if end < 0 else end]
    indented = len(line) - len(line.lstrip())
    return line.strip(), offset - start - indented


def places(mutant: Mutant, text: bytes) -> list[tuple[int, int]]:
    """Returns line number and offset of the fragment in all lines equal to the context."""
    found = []
    old, context = mutant.old.encode(), mutant.context.encode()
    begin = 0
    for number, line in enumerate(text.splitlines(keepends=True), 1):
        bare = line.strip()
        offset = begin + line.find(bare) + mutant.column
        if bare == context and text.startswith(old, offset):
            found.append((number, offset))
        begin += len(line)
    return found


def locate(mutant: Mutant, contents: dict[str, bytes]) -> tuple[str, int] | None:
    """Finds the fragment: at its place, else by the equal lines of its file, else by those of the only file with any.

    Returns the file and the offset, or None if the mutant is stale.
    """
    python = mutant.file.endswith(".py")
    own = {mutant.file: contents[mutant.file]} if mutant.file in contents else {}
    others = {file: text for file, text in contents.items() if file.endswith(".py") == python and file not in own}
    for group in (own, others):
        found = {file: here for file, text in group.items() if (here := places(mutant, text))}
        if len(found) == 1:
            [(file, here)] = found.items()
            same = [offset for number, offset in here if number == mutant.line and file == mutant.file]
            offsets = [offset for _, offset in here]
            if same or len(here) in (1, mutant.equal):
                return file, same[0] if same else offsets[0] if len(here) == 1 else offsets[mutant.nth]
        if found:
            return None
    return None
