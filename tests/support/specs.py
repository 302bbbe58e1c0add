"""Finds the specs with a mistake. The folder of each feature has those with a mistake of the feature.

`bad/` has specs that the generator refuses, and `wrong/` has specs that contradict their header.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from pathlib import Path

TESTS = Path(__file__).resolve().parents[1]
_LINE = re.compile(rb"# (?P<what>expect|hint|with): (?P<text>.*)")


def find_bad_specs() -> list[Path]:
    """Returns the bad specs of all features, sorted by name. Each has a name of its own."""
    return sorted(TESTS.glob("*/*/bad/*.yaml"), key=lambda path: path.stem)


def find_wrong_specs() -> dict[str, Path]:
    """Returns the wrong specs of all features by their names, such as `slots/shape/pointer`."""
    paths = sorted(TESTS.glob("*/*/wrong/*.yaml"))
    return {f"{path.parents[1].relative_to(TESTS)}/{path.stem}": path for path in paths}


@dataclass(frozen=True)
class Expected:
    """A diagnostic that a bad spec expects."""

    line: int
    column: int
    code: str
    hint: str | None = None


def header_of(path: Path) -> tuple[list[Expected], list[Path]]:
    """Returns the diagnostics that the first lines of a bad spec list, and the files that are checked with it.

    `# with: FILE` names a spec that is checked with it, `# expect: LINE:COLUMN CODE` a diagnostic; `# hint: TEXT`
    belongs to the line before.
    """
    expected: list[Expected] = []
    companions: list[Path] = []
    for raw in path.read_bytes().splitlines():
        match = _LINE.fullmatch(raw)
        if match is None:
            break
        text = match["text"].decode()
        if match["what"] == b"with":
            companions.append(path.parent / "with" / text)
        elif match["what"] == b"hint":
            expected[-1] = replace(expected[-1], hint=text)
        else:
            place, code = text.split()
            line, column = place.split(":")
            expected.append(Expected(int(line), int(column), code))
    return expected, companions
