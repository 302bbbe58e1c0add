# SPDX-License-Identifier: MIT
"""Keeps the figures of the gates, and writes docs/reliability.md from them.

A gate is a make target that tries to break the project: mutants, injected failures, fuzzing, races. At the start of a
full run it calls `start()`, and at its end `record()`, which writes `build/gates/NAME.json`. `make reliability` copies
these files to `gates/results/`, which is committed, and prints the page from them. No figure of the page is written by
hand.

A result names the digests of the files on which it depends. It is older than its sources if one of these files has
changed since: the page and `make reliability` say so, and `make release` refuses it.
"""

from __future__ import annotations

import datetime
import json
import platform
import shutil
import subprocess
import sys
from dataclasses import asdict, dataclass, field
from pathlib import Path

from source_digests import changed_files, source_digests

GATES = Path(__file__).resolve().parent
TOP = GATES.parent
RUNS = TOP / "build" / "gates"
STARTED = RUNS / "started"
RESULTS = GATES / "results"
PAGE = TOP / "docs" / "reliability.md"
# The order of the page. A gate that has no result yet is listed as not run.
GATE_NAMES = ("mutants", "coverage", "starve", "fuzz", "race", "pythons", "try-specs", "try-seeded")
NAMED_FILES = 10
"""The page names so many changed files of a gate at most."""
OLDER = "**Older than "
"""The paragraph about changed files begins with this."""


@dataclass(frozen=True)
class Result:
    """One run of one gate: `figures` maps what was counted to the number, both as the page shows them.

    `sources` maps the files on which the result depends to their digests. Results of earlier versions have none.
    """

    gate: str
    claim: str
    command: str
    figures: dict[str, str]
    seeded_bug: str
    versions: dict[str, str]
    date: str
    sources: dict[str, str] = field(default_factory=dict)


def compiler_version(compiler: str) -> str:
    """Returns the first line that `COMPILER --version` prints."""
    printed = subprocess.run([compiler, "--version"], capture_output=True, text=True, check=True).stdout
    return printed.splitlines()[0]


def start(gate: str) -> None:
    """Notes the digests of the files on which a gate depends, at the start of a full run."""
    STARTED.mkdir(parents=True, exist_ok=True)
    (STARTED / f"{gate}.json").write_text(json.dumps(source_digests(gate, TOP)), encoding="utf-8")


def started_sources(gate: str) -> dict[str, str]:
    """Returns the digests at the start of the last full run. Exits if a file has changed since: the run mixes both."""
    path = STARTED / f"{gate}.json"
    if not path.exists():
        sys.exit(f"{gate}: no result is recorded: there was no full run of `make {gate}` yet")
    sources: dict[str, str] = json.loads(path.read_text(encoding="utf-8"))
    changed = changed_files(sources, source_digests(gate, TOP))
    if changed:
        sys.exit(
            f"{gate}: no result is recorded, because these files have changed since the start: {name_some(changed)}"
        )
    return sources


def name_some(files: list[str]) -> str:
    """Returns the names of the first files, and how many more there are."""
    named = ", ".join(f"`{file}`" for file in files[:NAMED_FILES])
    return named + (f" and {len(files) - NAMED_FILES} more" if len(files) > NAMED_FILES else "")


def record(
    gate: str, *, claim: str, command: str, figures: dict[str, str], seeded_bug: str, compiler: str | None = None
) -> None:
    """Writes the result of a run that has just passed to `build/gates/GATE.json`.

    `claim` is one sentence: what the run shows. `command` repeats the run. `seeded_bug` is one sentence: a bug that was
    put into the source on purpose, and how the gate reported it. Exits if a source has changed since `start()`.
    """
    sources = started_sources(gate)
    versions = {"CPython": platform.python_version()}
    if compiler is not None:
        versions["compiler"] = compiler_version(compiler)
    today = datetime.datetime.now(datetime.timezone.utc).date().isoformat()
    result = Result(gate, claim, command, figures, seeded_bug, versions, today, sources)
    RUNS.mkdir(parents=True, exist_ok=True)
    (RUNS / f"{gate}.json").write_text(json.dumps(asdict(result), indent=2) + "\n", encoding="utf-8")


def read_results() -> list[Result]:
    """Returns the committed results, in the order of the page."""
    paths = [RESULTS / f"{gate}.json" for gate in GATE_NAMES]
    return [Result(**json.loads(path.read_text(encoding="utf-8"))) for path in paths if path.exists()]


def read_result(gate: str) -> Result | None:
    """Returns the committed result of a gate, if there is one."""
    return next((result for result in read_results() if result.gate == gate), None)


def age_of(result: Result) -> str | None:
    """Returns the sentence about the files that have changed since the run, or None if there are none."""
    if not result.sources:
        return f"{OLDER}its files:** the result has no digests of them. Repeat `{result.command}`."
    changed = changed_files(result.sources, source_digests(result.gate, TOP))
    return f"{OLDER}{len(changed)} of its files:** {name_some(changed)}." if changed else None


def print_result(result: Result) -> list[str]:
    """Returns the lines of one gate's section."""
    age = age_of(result)
    return [
        f"## {result.gate}",
        "",
        result.claim,
        "",
        *([age, ""] if age else []),
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


def without_lists(page: str) -> str:
    """Returns the page without the number and the names of changed files, which the next change makes wrong."""
    lines = [OLDER if line.startswith(OLDER) else line for line in page.splitlines()]
    return "\n".join(lines)


def check_page() -> None:
    """Exits if the page does not have the committed results, or does not say which of them are older."""
    if without_lists(PAGE.read_text(encoding="utf-8")) != without_lists(print_page()):
        sys.exit("docs/reliability.md differs from gates/results and the sources: run `make reliability`")


def refuse_older() -> None:
    """Exits with one sentence if a gate has no result, or a result that is older than its sources."""
    results = {gate: read_result(gate) for gate in GATE_NAMES}
    refused = [gate for gate, result in results.items() if result is None or age_of(result)]
    if refused:
        commands = ", ".join(f"`make {gate}`" for gate in refused)
        sys.exit(
            f"the results of {', '.join(refused)} are missing or older than the sources: run {commands} and "
            "`make reliability`, and commit gates/results and docs/reliability.md"
        )


def main() -> None:
    """Copies the results of the last runs, writes the page, and prints which results are older than their sources.

    With `--check`, only compares the page.
    """
    if sys.argv[1:] == ["--check"]:
        check_page()
        return
    RESULTS.mkdir(exist_ok=True)
    for path in sorted(RUNS.glob("*.json")):
        shutil.copy(path, RESULTS / path.name)
    PAGE.write_text(print_page(), encoding="utf-8")
    for result in read_results():
        age = age_of(result)
        print(
            f"{result.gate}: {age.replace('*', '') if age else f'none of its {len(result.sources)} files has changed'}"
        )


if __name__ == "__main__":
    main()
