"""Writes docs/performance.md and its plot from the JSON of the runs: `python benchmarks/exchange/document.py`."""

from __future__ import annotations

import json
from pathlib import Path

import builds
import plot
import table
from targets import Results, verdicts

DOCS = builds.TOP / "docs"
NOTES = Path(__file__).resolve().parent / "notes.md"
HEAD = """\
# Performance

This page shows the cost of DLPack exchanges. `make bench` builds all contestants, measures them and prints these
tables. The contestants are the generated module, a hand-written module, and modules of other tools. `make bench-docs`
writes this page from the tables. Absolute times depend on the processor; ratios are similar on other processors.

![Time of each row in multiples of the baseline](performance.svg)

"""


def runs() -> list[Results]:
    """By version of Python, the oldest first."""
    found = [json.loads(path.read_text(encoding="utf-8")) for path in builds.OUTPUT.glob("3.*.json")]
    return sorted(found, key=lambda results: [int(part) for part in results["python"].split(".")])


def instructions(results: Results) -> str:
    path = builds.OUTPUT / f"instructions-{'.'.join(results['python'].split('.')[:2])}.json"
    if not path.exists():
        return ""
    counts = json.loads(path.read_text(encoding="utf-8"))
    caption = "The table shows the instructions of one iteration, by callgrind (`make bench-instructions`)."
    return f"### Instructions\n\n{caption}\n\n{table.instructions(counts)}\n"


def section(results: Results) -> str:
    found = verdicts(results)
    missed = sum(not each.holds for each in found)
    versions = ", ".join(f"{name} {version}" for name, version in results["versions"].items())
    parts = [
        f"## CPython {results['python']}",
        f"{results['date']}, {results['processor']}, {results['rounds']} rounds; {versions}.",
        table.counts(results),
        table.failures(results),
        table.times(results),
        table.sizes(results),
        table.memory(results),
        table.classes(results),
        f"### Targets\n\n{len(found) - missed} of {len(found)} targets hold.",
        table.judged(results),
        instructions(results),
    ]
    return "\n\n".join(part for part in parts if part)


def main() -> None:
    found = runs()
    if not found:
        raise SystemExit("no results in build/bench: run `make bench` first")
    notes = NOTES.read_text(encoding="utf-8")
    text = HEAD + notes + "\n" + "\n\n".join(section(results).rstrip() for results in found) + "\n"
    (DOCS / "performance.md").write_text(text, encoding="utf-8")
    plot.draw(found[0], DOCS / "performance.svg")


if __name__ == "__main__":
    main()
