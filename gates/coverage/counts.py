# SPDX-License-Identifier: MIT
"""Reads the counts of gcov, as gcovr writes them, and sums them up."""

from __future__ import annotations

import json
from collections import defaultdict
from dataclasses import dataclass, field
from pathlib import Path


@dataclass
class FileCounts:
    """How often each line of a file ran, and each branch that leaves a line."""

    lines: dict[int, int] = field(default_factory=lambda: defaultdict(int))
    branches: dict[int, list[int]] = field(default_factory=dict)

    def add_branches(self, number: int, counts: list[int]) -> None:
        """Adds the counts of the branches of one line.

        Another build may have more branches there, such as those of a macro around a call, or fewer. The additional
        ones may all be among the taken ones, so that many are not counted: the sum is a lower bound.
        """
        seen = self.branches.setdefault(number, [0] * len(counts))
        if len(seen) == len(counts):
            self.branches[number] = [one + other for one, other in zip(seen, counts, strict=True)]
            return
        additional = max(0, len(counts) - len(seen))
        missed = _taken(counts).covered - additional - _taken(seen).covered
        for index, count in enumerate(seen):
            if count == 0 and missed > 0:
                seen[index] = 1
                missed -= 1


@dataclass(frozen=True)
class Share:
    """The number of covered items, and their total."""

    covered: int
    total: int

    @property
    def percent(self) -> float:
        return 100 * self.covered / self.total if self.total else 100.0

    def __add__(self, other: Share) -> Share:
        return Share(self.covered + other.covered, self.total + other.total)

    def __str__(self) -> str:
        return f"{self.percent:.2f} % ({self.covered} of {self.total})"


def _taken(counts: list[int]) -> Share:
    return Share(sum(count > 0 for count in counts), len(counts))


def read_counts(path: Path) -> dict[str, FileCounts]:
    """Returns the counts in a JSON file of gcovr, by the path of the source file."""
    files: dict[str, FileCounts] = defaultdict(FileCounts)
    for file in json.loads(path.read_text(encoding="utf-8"))["files"]:
        for line in file["lines"]:
            # Code of an inline function, in an object file that has no copy of the function itself.
            inlined = line.get("function_name", "").startswith("<unknown function")
            if inlined or line.get("gcovr/noncode") or line.get("gcovr/excluded"):
                continue
            branches = [branch["count"] for branch in line["branches"] if not branch.get("gcovr/excluded")]
            counts = files[file["file"]]
            counts.lines[line["line_number"]] += line["count"]
            if branches:
                counts.add_branches(line["line_number"], branches)
    return dict(sorted(files.items()))


def merge_builds(builds: list[dict[str, FileCounts]]) -> dict[str, FileCounts]:
    """Returns the counts of all builds together. Branches of a line are those of the first build that has the line."""
    files: dict[str, FileCounts] = defaultdict(FileCounts)
    for build in builds:
        for path, counts in build.items():
            merged = files[path]
            for number, branches in counts.branches.items():
                if number in merged.branches or number not in merged.lines:
                    merged.add_branches(number, branches)
            for number, count in counts.lines.items():
                merged.lines[number] += count
    return dict(sorted(files.items()))


def line_share(counts: FileCounts) -> Share:
    """Returns how many lines of a file ran."""
    return Share(sum(count > 0 for count in counts.lines.values()), len(counts.lines))


def branch_share(counts: FileCounts) -> Share:
    """Returns how many branches of a file were taken."""
    return sum(map(_taken, counts.branches.values()), Share(0, 0))


def print_table(files: dict[str, FileCounts]) -> list[str]:
    """Returns the lines of a table with the shares of each file, those with most missed branches first."""
    width = max(map(len, files), default=0)
    rows = []
    for path, counts in files.items():
        lines, branches = line_share(counts), branch_share(counts)
        missed = branches.total - branches.covered
        rows.append((-missed, path, f"{path:{width}}  {lines.percent:6.2f} %  {branches.percent:6.2f} %  {missed:4}"))
    return [f"{'file':{width}}     lines  branches  missed", *(row for _, _, row in sorted(rows))]
