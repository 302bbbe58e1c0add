# SPDX-License-Identifier: MIT
"""Keeps the figures of the gates, and writes docs/reliability.md from them.

A gate is a make target that tries to break the project: mutants, injected failures, fuzzing, races. At its end it calls
`record()`, which writes `build/gates/NAME.json`. `make reliability` copies these files to `gates/results/`, which is
committed, and prints the page from them. No figure of the page is written by hand.
"""

from __future__ import annotations

import datetime
import json
import platform
import shutil
import subprocess
import sys
from dataclasses import asdict, dataclass
from pathlib import Path

GATES = Path(__file__).resolve().parent
TOP = GATES.parent
RUNS = TOP / "build" / "gates"
RESULTS = GATES / "results"
PAGE = TOP / "docs" / "reliability.md"
# The order of the page. A gate that has no result yet is listed as not run.
GATE_NAMES = ("mutants", "coverage", "starve", "fuzz", "race", "pythons")


@dataclass(frozen=True)
class Result:
    """One run of one gate: `figures` maps what was counted to the number, both as the page shows them."""

    gate: str
    claim: str
    command: str
    figures: dict[str, str]
    seeded_bug: str
    versions: dict[str, str]
    date: str


def compiler_version(compiler: str) -> str:
    """Returns the first line that `COMPILER --version` prints."""
    printed = subprocess.run([compiler, "--version"], capture_output=True, text=True, check=True).stdout
    return printed.splitlines()[0]


def record(
    gate: str, *, claim: str, command: str, figures: dict[str, str], seeded_bug: str, compiler: str | None = None
) -> None:
    """Writes the result of a run that has just passed to `build/gates/GATE.json`.

    `claim` is one sentence: what the run shows. `command` repeats the run. `seeded_bug` is one sentence: a bug that was
    put into the source on purpose, and how the gate reported it.
    """
    versions = {"CPython": platform.python_version()}
    if compiler is not None:
        versions["compiler"] = compiler_version(compiler)
    today = datetime.datetime.now(datetime.timezone.utc).date().isoformat()
    result = Result(gate, claim, command, figures, seeded_bug, versions, today)
    RUNS.mkdir(parents=True, exist_ok=True)
    (RUNS / f"{gate}.json").write_text(json.dumps(asdict(result), indent=2) + "\n", encoding="utf-8")


def read_results() -> list[Result]:
    """Returns the committed results, in the order of the page."""
    paths = [RESULTS / f"{gate}.json" for gate in GATE_NAMES]
    return [Result(**json.loads(path.read_text(encoding="utf-8"))) for path in paths if path.exists()]


def print_result(result: Result) -> list[str]:
    """Returns the lines of one gate's section."""
    return [
        f"## {result.gate}",
        "",
        result.claim,
        "",
        "| figure | value |",
        "|---|---|",
        *(f"| {name} | {value} |" for name, value in result.figures.items()),
        f"| command | `{result.command}` |",
        *(f"| {name} | {value} |" for name, value in result.versions.items()),
        f"| date | {result.date} |",
        "",
        f"Seeded bug: {result.seeded_bug}",
        "",
    ]


def print_page() -> str:
    """Returns the text of docs/reliability.md."""
    results = read_results()
    missing = [gate for gate in GATE_NAMES if gate not in {result.gate for result in results}]
    lines = [(GATES / "introduction.md").read_text(encoding="utf-8")]
    for result in results:
        lines += print_result(result)
    if missing:
        lines += ["## Not run yet", "", *(f"- `make {gate}`" for gate in missing), ""]
    lines.append((GATES / "not_shown.md").read_text(encoding="utf-8").rstrip())
    return "\n".join(lines) + "\n"


def main() -> None:
    """Copies the results of the last runs and writes the page; with `--check`, only compares the page."""
    if sys.argv[1:] == ["--check"]:
        if PAGE.read_text(encoding="utf-8") != print_page():
            sys.exit("docs/reliability.md differs from gates/results: run `make reliability`")
        return
    RESULTS.mkdir(exist_ok=True)
    for path in sorted(RUNS.glob("*.json")):
        shutil.copy(path, RESULTS / path.name)
    PAGE.write_text(print_page(), encoding="utf-8")


if __name__ == "__main__":
    main()
