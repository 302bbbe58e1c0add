"""Finds the specs with a mistake. The folder of each feature has those with a mistake of the feature.

`bad/` has specs that the generator refuses, and `wrong/` has specs that contradict their header.
"""

from __future__ import annotations

from pathlib import Path

TESTS = Path(__file__).resolve().parents[1]


def find_bad_specs() -> list[Path]:
    """Returns the bad specs of all features, sorted by name. Each has a name of its own."""
    return sorted(TESTS.glob("*/*/bad/*.yaml"), key=lambda path: path.stem)


def find_wrong_specs() -> dict[str, Path]:
    """Returns the wrong specs of all features by their names, such as `slots/shape/pointer`."""
    paths = sorted(TESTS.glob("*/*/wrong/*.yaml"))
    return {f"{path.parents[1].relative_to(TESTS)}/{path.stem}": path for path in paths}
