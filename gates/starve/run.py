# SPDX-License-Identifier: MIT
"""`make starve`: each call that can fail fails, during the imports of modules and during the tests.

STARVE_SECONDS bounds the time, and makes the run a sample that STARVE_SEED chooses (the commit, unless it is given).
STARVE_TESTS: how many tests repeat one call of a site at most.
"""

from __future__ import annotations

import math
import os
import random
import shlex
import subprocess
import sys
import time
from pathlib import Path

import ledger
from starve.judge import Judge, Summary
from starve.wrappers import BUILD, TOP, build, library_of

FOLDERS = ("arguments", "results", "relations", "functions", "classes", "imports", "python", "protocol")
MARGIN_SECONDS = 25
"""A sample stops this much earlier: the module that a test compiles then may take that long."""
SAMPLE_FILES = 24
SAMPLE_FAULTS = 12
"""How many files a sample tries to run, and how many faults one test gets."""
TESTS_PER_SITE = 6
SHOWN = 60
SEEDED_BUG = (
    "`dlb_py_axes()` without its check of `PyTuple_New()`, without `Py_DECREF(tuple)` or with `PyErr_Clear()` where "
    "`PyLong_FromLongLong()` fails: the gate named test and line, and said `the process crashes with SIGSEGV`, "
    "`1 blocks of Python are left` and `SystemError: error return without exception set`."
)


def test_files() -> list[str]:
    """Returns the files of the tests, relative to the top folder; those of stubs run mypy alone."""
    patterns = [*(f"{name}/**/test_*.py" for name in FOLDERS), "*/*/test_*_of_frames.py"]
    found = {path for pattern in patterns for path in (TOP / "tests").glob(pattern)}
    return sorted(str(path.relative_to(TOP)) for path in found if not path.stem.endswith("stubs"))


def environment(seconds: float, seed: str, results: Path) -> dict[str, str]:
    """Returns the environment of the processes that run tests and imports."""
    flags = build()
    started = time.time()
    settings = {
        "DLB_CFLAGS": shlex.join(flags),
        "MALLOC_PERTURB_": "165",  # freed memory changes
        "OPENBLAS_NUM_THREADS": "1",  # children are forked
        "PYTHONMALLOC": "debug",
        "PYTHONPATH": os.pathsep.join([str(TOP / "gates"), str(TOP / "tests")]),
        "STARVE_DEADLINE": str(started + seconds - MARGIN_SECONDS),
        "STARVE_LIBRARY": str(library_of(flags)),
        "STARVE_RESULTS": str(results),
        "STARVE_SECONDS": str(seconds),
        "STARVE_SEED": seed,
        "STARVE_STARTED": str(started),
        "STARVE_TESTS": os.environ.get("STARVE_TESTS", str(TESTS_PER_SITE)),
    }
    if seconds != math.inf:
        settings["STARVE_FAULTS"] = str(SAMPLE_FAULTS)
    # A test that is skipped is left out here: the tests themselves ran elsewhere.
    return {name: value for name, value in {**os.environ, **settings}.items() if name != "DLB_NO_SKIPS"}


def run_tests(files: list[str], variables: dict[str, str]) -> int:
    """Runs pytest with the plugin; returns its status."""
    without = [f"-p{name}" for name in ("no:cacheprovider", "no:faulthandler", "no:randomly")]
    command = [sys.executable, "-m", "pytest", "-p", "starve.plugin", "-q", "--no-header", "--tb=no", *without, *files]
    with (BUILD / "pytest.txt").open("w", encoding="utf-8") as log:
        return subprocess.run(command, cwd=TOP, env=variables, stdout=log, stderr=log, check=False).returncode


def print_summary(summary: Summary) -> dict[str, str]:
    """Prints the counts and the failures; returns the figures for the ledger."""
    left_out = ", ".join(f"{count} {reason}" for reason, count in sorted(summary.left_out.items()))
    accepted = ", ".join(f"`{name}` {count}" for name, count in sorted(summary.accepted.items()) if count)
    tests_per_site = int(os.environ.get("STARVE_TESTS", TESTS_PER_SITE))
    figures = {
        "tests in which one call of a site fails": f"{tests_per_site} at most" if tests_per_site else "all",
        "call sites reached": f"{len(summary.sites):,}",
        "faults during imports": f"{summary.imports:,}",
        "faults during tests: one call fails": f"{summary.faults:,}",
        "faults during tests: all later calls fail, too": f"{summary.onward:,}",
        "tests repeated": f"{summary.tests:,}",
        "of these without a check for leaks, as they own memory by its address": f"{summary.by_address:,}",
        "tests left out": left_out or "none",
        "faults after which the test passed all the same": f"{summary.silent:,}",
        "faults reported as `Exception ignored in`": f"{summary.unraisable:,}",
        "leaks and other exceptions that are listed": accepted or "none",
        "failures": f"{len(summary.failures):,}",
    }
    for name, value in figures.items():
        print(f"{name}: {value}")
    for failure in summary.failures[:SHOWN]:
        print(f"FAILED {failure}")
    if len(summary.failures) > SHOWN:
        print(f"... and {len(summary.failures) - SHOWN} more")
    return figures


def run(files: list[str], results: Path, seconds: float) -> list[str]:
    """Runs the tests of these files; of all files if there are none, and the imports, too. Returns what went wrong."""
    head = subprocess.run(["git", "rev-parse", "HEAD"], cwd=TOP, capture_output=True, text=True, check=False).stdout
    seed = os.environ.get("STARVE_SEED") or head.strip() or "0"
    BUILD.mkdir(parents=True, exist_ok=True)
    results.unlink(missing_ok=True)
    chosen = files or test_files()
    if seconds != math.inf:
        print(f"sample; to repeat it: STARVE_SECONDS={seconds:g} STARVE_SEED={seed} make starve")
        random.Random(seed).shuffle(chosen)
        chosen = chosen[:SAMPLE_FILES]
    sys.stdout.flush()
    variables = environment(seconds, seed, results)
    if not files:
        subprocess.run([sys.executable, "-m", "starve.imports"], cwd=TOP, env=variables, check=True)
    status = run_tests(chosen, variables)
    # 1: a test fails in this setting, even without a fault; it is left out.
    return [] if status in (0, 1) else [f"pytest ends with status {status}: see {BUILD / 'pytest.txt'}"]


def main() -> None:
    """Runs imports and tests, judges the results, and exits with 1 if there is a failure."""
    arguments = sys.argv[1:]
    seconds = float(os.environ.get("STARVE_SECONDS") or "inf")
    complete = seconds == math.inf and arguments in ([], ["--judge"])
    results = BUILD / ("results.jsonl" if complete else "sample.jsonl")
    started = time.monotonic()
    if complete and not arguments:
        ledger.start("starve")
    failures = [] if arguments == ["--judge"] else run(arguments, results, seconds)
    summary = Judge().read(results)
    summary.failures += failures
    figures = print_summary(summary)
    print(f"seconds: {time.monotonic() - started:.0f}")
    if summary.failures:
        sys.exit(1)
    if complete:
        ledger.record(
            "starve",
            claim="Each call that can fail fails once, alone and with all later calls: the right exception, no crash, "
            "no leak beside those listed, and the next run of the test passes.",
            command="make starve",
            figures=figures,
            seeded_bug=SEEDED_BUG,
            compiler=shlex.split(os.environ.get("CC", "cc"))[0],
        )


if __name__ == "__main__":
    main()
