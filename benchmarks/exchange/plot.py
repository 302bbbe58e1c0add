"""The figures of a run as a picture: ours and the peers', in multiples of the baseline."""

from __future__ import annotations

from pathlib import Path

import matplotlib

matplotlib.use("svg")
from matplotlib import pyplot

from targets import Results
from titles import PEERS, TITLES

ROWS = (
    "export legacy",
    "export versioned",
    "table: export and deleter",
    "into NumPy",
    "into PyTorch",
    "import NumPy",
    "import PyTorch",
    "import own",
    "f(NumPy)",
    "f(PyTorch)",
    "f(own)",
)


def draw(results: Results, path: Path) -> None:
    """One line for each row, one mark for each side; the same data gives the same file."""
    matplotlib.rcParams["svg.hashsalt"] = "performance"
    figure, axes = pyplot.subplots(figsize=(9, 5.5), layout="constrained")
    lines = [row for row in reversed(ROWS) if "baseline" in results["rows"].get(row, {})]
    for side, marker in zip(("ours", *PEERS), "Dosv^<>P", strict=True):
        points = [
            (results["rows"][row][side]["least"] / results["rows"][row]["baseline"]["least"], place)
            for place, row in enumerate(lines)
            if side in results["rows"][row]
        ]
        if points:
            size = 70 if side == "ours" else 28
            axes.scatter(
                *zip(*points, strict=True), label=TITLES[side], marker=marker, s=size, zorder=2 + (side == "ours")
            )
    axes.axvline(1, color="black", linewidth=1, label="baseline, by hand")
    axes.set_xscale("log")
    axes.set_yticks(range(len(lines)), lines)
    axes.set_xlabel(f"time, in multiples of the baseline (CPython {results['python']}); less is better")
    axes.grid(axis="both", linewidth=0.3)
    axes.legend(loc="center left", bbox_to_anchor=(1, 0.5), frameon=False)
    figure.savefig(path, format="svg", metadata={"Date": None, "Creator": None})
    pyplot.close(figure)
