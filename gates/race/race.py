# SPDX-License-Identifier: MIT
"""Runs threads under ThreadSanitizer, in C and in a free-threaded CPython.

`make race` calls this, then `make race-gil` (interpreters, forks, daemon threads and the end of Python, with the GIL),
then this with `--record`: a full run that passes is recorded for docs/reliability.md.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from pathlib import Path
from typing import Any

import ledger
from build_modules import HERE, TOP, build_modules, build_programs
from pythons.built import CLANG, free_threaded_python, launcher

BUILD = TOP / "build" / "race"
RESULT = BUILD / "threads.json"
REPORTED = 66
"""The exit status of a process that ThreadSanitizer has stopped."""
SUPPRESSIONS = HERE / "suppressions.txt"
LEAVES = ("list_get_item_ref",)
"""Functions of CPython that call nothing outside of CPython."""
OPTIONS = f"halt_on_error=1:exitcode={REPORTED}:suppressions={SUPPRESSIONS}"
LINES = 120
"""The lines of a report that are shown: both accesses, and where the threads were started."""
FULL = 1_000_000
CLAIM = (
    "Random operations of many threads on shared and own objects, without a GIL: ThreadSanitizer reports nothing, no "
    "result is wrong, no object is leaked. With the GIL, several interpreters, forks, daemon threads and finalization "
    "neither crash nor hang."
)
SEEDED_BUG = (
    "without the lock in `dlb_py_consume`, ThreadSanitizer reported that two threads read and rename the same capsule; "
    "without the locks in `take_owner` and `dlb_py_take_own`, that one closes an object while another one takes its "
    "owner. Without the check in `destroy_guarded` whether the interpreter still exists, three tests of "
    "`test_restarts.py` failed: a deleter ran the finalizer of an object of an interpreter that had ended. "
    "ThreadSanitizer also reported `cached_importer`, `hold` of external.c and the test of a mapping's keys, each "
    "without its lock, and a variable that was made static in each of `dlb_find_cast`, `check_format`, "
    "`dlb_py_failed`, `dlb_py_from_objects`, `dlb_py_call_alternative`, `overlap` and `dlb_py_stream_of_call`."
)


def run(command: list[str | Path], limit: float) -> str:
    """Runs a program under ThreadSanitizer for `limit` seconds at most; returns its output. Stops if it fails."""
    whole = [*launcher(), *map(str, command)]
    try:
        done = subprocess.run(
            whole,
            env=os.environ | {"TSAN_OPTIONS": OPTIONS, "PYTHON_GIL": "0"},
            capture_output=True,
            text=True,
            timeout=limit,
            check=False,
        )
    except subprocess.TimeoutExpired:
        sys.exit(f"{' '.join(whole)}: not finished after {limit:.0f} seconds")
    if done.returncode != 0:
        found = "a report of ThreadSanitizer" if done.returncode == REPORTED else f"exit status {done.returncode}"
        shown = "\n".join([done.stdout, *done.stderr.splitlines()[:LINES]])
        sys.exit(f"{shown}\n{' '.join(whole)}: {found}")
    return done.stdout


def run_programs() -> int:
    """Runs the programs in C; returns the number of their checks."""
    checks = 0
    for program in build_programs(BUILD / "programs"):
        output = run([program], 300)
        found = re.search(r"^(\d+) checks, 0 failed$", output, re.MULTILINE)
        if found is None:
            sys.exit(output)
        checks += int(found[1])
    return checks


def run_threads(python: Path, options: argparse.Namespace) -> dict[str, Any]:
    """Runs the threads in the interpreter; returns what they did."""
    modules = BUILD / "modules"
    build_modules(python, modules)
    arguments = [modules, options.threads, options.operations, options.seed]
    output = run([python, HERE / "threads.py", *map(str, arguments)], 60 + options.operations / 100)
    summary: dict[str, Any] = json.loads(output)
    return summary


def suppressed() -> str:
    """Returns the names of the functions of CPython whose own accesses are not reported."""
    lines = SUPPRESSIONS.read_text(encoding="utf-8").splitlines()
    rules = [line.partition(":") for line in lines if line and not line.startswith("#")]
    wide = [name for kind, _, name in rules if kind != "race_top" and name not in LEAVES]
    if wide:
        sys.exit(f"{SUPPRESSIONS}: {', '.join(wide)}: such rules hide accesses of the functions that are called")
    return ", ".join(f"`{name}`" for _, _, name in rules)


def with_gil() -> str:
    """Returns the numbers of tests of the last `make race-gil`, all of which passed."""
    counts = []
    for report in sorted(BUILD.glob("python*.xml")):
        suites = list(ElementTree.parse(report).getroot().iter("testsuite"))
        failed = sum(int(suite.get(kind, "0")) for suite in suites for kind in ("failures", "errors"))
        if failed:
            sys.exit(f"{report}: {failed} tests failed")
        counts.append(f"{report.stem.removeprefix('python')}: {sum(int(suite.get('tests', '0')) for suite in suites)}")
    return ", ".join(counts) or "not run"


def record() -> None:
    """Writes the results of the last full run, and of the last `make race-gil`, for docs/reliability.md."""
    result = json.loads(RESULT.read_text(encoding="utf-8"))
    ledger.record(
        "race",
        claim=CLAIM,
        command="make race",
        figures=result | {"suppressed functions of CPython": suppressed(), "tests with the GIL, passed": with_gil()},
        seeded_bug=SEEDED_BUG,
        compiler=CLANG,
    )


def main() -> None:
    """Runs the threads; keeps the figures of a full run for `--record`."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--operations", type=int, default=FULL, help="of all threads together (default: %(default)s)")
    parser.add_argument("--threads", type=int, default=16, help="(default: %(default)s)")
    parser.add_argument("--seed", default="1", help="of the random operations (default: %(default)s)")
    parser.add_argument("--record", action="store_true", help="run nothing: record the last full run")
    options = parser.parse_args()
    if options.record:
        if RESULT.exists():
            record()
        return
    RESULT.unlink(missing_ok=True)
    ledger.start("race")
    python = free_threaded_python(thread_sanitizer=True)
    checks = run_programs()
    print(f"C: {checks} checks, no report", flush=True)
    summary = run_threads(python, options)
    operations = sum(summary["operations"].values())
    print(f"Python: {operations:,} operations of {options.threads} threads, no report", flush=True)
    if options.operations < FULL:
        return
    version = subprocess.run([python, "--version"], capture_output=True, text=True, check=True).stdout.split()[1]
    figures = {
        "interpreter": f"CPython {version}, free-threaded, built with ThreadSanitizer",
        "threads": str(options.threads),
        "operations": f"{operations:,}, of {len(summary['operations'])} kinds",
        "operations that found their object closed or in use": f"{summary['refused']:,}",
        "reports of ThreadSanitizer, wrong results, leaked objects": "0, 0, 0",
        "checks of the programs in C": f"{checks:,}",
    }
    RESULT.write_text(json.dumps(figures, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
