"""The targets, as ratios within one run, and whether they hold."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from titles import FLOOR, PEERS, TITLES, TWO_THREADS

Results = dict[str, Any]
"""A run, as run.py writes it."""

EXPORTS = ("export legacy", "export versioned", "export, NumPy's three keywords")
IMPORTS = ("import NumPy", "import PyTorch", "import own")


@dataclass(frozen=True)
class Target:
    """`row` of `side` takes at most `most` times `other_row` of `other`."""

    row: str
    other: str
    most: float
    side: str = "ours"
    other_row: str = ""

    @property
    def title(self) -> str:
        side = "" if self.side == "ours" else f" ({TITLES[self.side]})"
        row = f": {self.other_row}" if self.other_row else ""
        return f"{self.row}{side} / {TITLES.get(self.other, self.other)}{row}"


TARGETS = (
    Target("export legacy", "baseline", 0.90),
    Target("export versioned", "baseline", 0.90),
    *(
        Target(f"{row}{threads}", "baseline", most)
        for threads in ("", TWO_THREADS)
        for row, most in (
            ("table: export and deleter", 0.50),
            ("C: export again and delete", 0.50),
            ("C: first export and delete", 1.10),
        )
    ),
    Target("table: borrowed view", "C", 2.5, other_row="copy of a DLTensor"),
    Target("import own", "baseline", 1.05),
    Target("import NumPy", "baseline", 1.05),
    Target("import PyTorch", "baseline", 1.05),
    Target("f(NumPy)", "baseline", 0.60),
    Target("f3(NumPy)", "baseline", 0.60),
    Target("f(own)", "baseline", 1.10),
    Target("f3(own)", "baseline", 1.10),
    Target("f(PyTorch)", "baseline", 1.05),
    Target("f3(PyTorch)", "baseline", 1.05),
    Target("into PyTorch, both tables", "ours", 0.30, other_row="into PyTorch"),
    *(Target(f"volume: {row}", "ours", 1.25, other_row=row) for row in EXPORTS),
)
NEAR_PEERS = ("pyo3", "nanobind")
ABI3_EXPORT = 1.10
ABI3_IMPORT_BEFORE_3_12 = 1.8
SIZE = 0.35
COMPILE_TIME = 0.40
BASELINE_COUNTS = Target("export versioned", "numpy", 0.70, side="baseline")


@dataclass(frozen=True)
class Verdict:
    title: str
    ratio: float
    most: float
    floor: float | None = None
    """The ratio of what does nothing of its own, where that was measured."""

    @property
    def holds(self) -> bool:
        return self.ratio <= self.most


def against_peers(results: Results) -> Iterator[Target]:
    """Every row that a peer has as well."""
    for row, sides in results["rows"].items():
        for peer in PEERS:
            if "ours" not in sides or peer not in sides:
                continue
            most = 1.0
            if peer in NEAR_PEERS and row in EXPORTS:
                most = 0.55
            elif peer in NEAR_PEERS and row in ("into NumPy", "import NumPy"):
                most = 0.70
            yield Target(row, peer, most)


def against_full_api(results: Results) -> Iterator[Target]:
    modern = tuple(int(part) for part in results["python"].split(".")[:2]) >= (3, 12)
    for row in EXPORTS:
        yield Target(row, "ours", ABI3_EXPORT, side="abi3", other_row=row)
    for row in IMPORTS:
        yield Target(row, "ours", ABI3_EXPORT if modern else ABI3_IMPORT_BEFORE_3_12, side="abi3", other_row=row)


def verdict(results: Results, target: Target) -> Verdict | None:
    """None where one of the two was not measured."""
    rows = results["rows"]
    one = rows.get(target.row, {}).get(target.side)
    other = rows.get(target.other_row or target.row, {}).get(target.other)
    if one is None or other is None:
        return None
    least = rows[target.row].get(FLOOR)
    floor = least["least"] / other["least"] if least is not None else None
    return Verdict(target.title, one["least"] / other["least"], target.most, floor)


def of_classes(results: Results) -> Iterator[Verdict]:
    classes = results["classes"]
    ours, peer = classes.get("ours", {}).get("1"), classes.get("nanobind", {}).get("1")
    if ours and peer:
        yield Verdict("stripped size of one class / nanobind", ours["stripped"] / peer["stripped"], SIZE)
        yield Verdict("compile time of one class / nanobind", ours["seconds"] / peer["seconds"], COMPILE_TIME)


def verdicts(results: Results) -> list[Verdict]:
    targets = (*TARGETS, *against_full_api(results), *against_peers(results))
    found = [verdict(results, target) for target in targets]
    return [*(each for each in found if each is not None), *of_classes(results)]
