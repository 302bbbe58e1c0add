# SPDX-License-Identifier: MIT
"""`make pythons`: runs the generator, and the tests of modules, with Pythons that `.ci/run` does not have.

The default is CPython 3.15 from Debian's next release, and a free-threaded CPython 3.13 that is built from source.
PYTHONS="python3.16 ..." names installed interpreters instead.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import ledger
from pythons.built import free_threaded_python
from pythons.packaged import packaged_python

TOP = Path(__file__).resolve().parents[2]
BUILD = TOP / "build" / "pythons"
FREE_THREADED = Path(__file__).with_name("free_threaded.txt")
PIP = ("-m", "pip", "--disable-pip-version-check")
TESTS = (
    "tests/arguments",
    "tests/results",
    "tests/relations",
    "tests/functions",
    "tests/classes",
    "tests/python",
    "tests/protocol",
    # Tests of features that use a module of tests/python.
    *sorted(str(path) for path in TOP.glob("tests/*/*/test_*_of_frames.py")),
)
VERSION = (
    "import sys, sysconfig; gil = sysconfig.get_config_var('Py_GIL_DISABLED'); "
    "print('.'.join(map(str, sys.version_info[:3])) + ('t' if gil else ''))"
)
SEEDED_BUG = (
    "with `DLB_PY_FREE_THREADED` always 0, no module can be imported by the free-threaded CPython: 6,021 errors, each "
    "an ImportError that names the two interpreters."
)


def run(command: list[str | Path], **variables: str) -> None:
    """Runs one command with inherited output. Exits if the command fails."""
    environment = os.environ | {"OPENBLAS_NUM_THREADS": "1"} | variables
    if subprocess.run(command, cwd=TOP, env=environment, check=False).returncode != 0:
        sys.exit(f"failed: {' '.join(map(str, command))}")


def build_wheel() -> Path:
    """Builds the wheel with the Python of this target; returns its path."""
    folder = BUILD / "wheel"
    shutil.rmtree(folder, ignore_errors=True)
    run([sys.executable, *PIP, "wheel", "--quiet", "--no-deps", "--no-build-isolation", "-w", folder, TOP])
    (wheel,) = folder.glob("*.whl")
    return wheel


def make_environment(python: str | Path, wheel: Path, folder: Path) -> Path:
    """Makes a virtual environment with the wheel, and what the tests of modules need; returns its interpreter."""
    run([python, "-m", "venv", "--clear", folder])
    inside = folder / "bin" / "python"
    constraints = TOP / "tests" / "constraints.txt"
    run([inside, *PIP, "install", "--quiet", "-c", constraints, f"dlpack-bindgen[modules] @ {wheel.as_uri()}"])
    return inside


def check_output(python: Path) -> int:
    """Checks that the generator writes the committed files with this Python, too; returns the number of specs."""
    specs = sorted((TOP / "specs").glob("*.yaml"))
    for spec in specs:
        run([python, "-m", "dlpack_bindgen", "generate", spec, "-o", TOP / "generated" / spec.stem, "--check"])
    return len(specs)


def left_out() -> list[str]:
    """Returns the tests that do not apply to a free-threaded Python, or the beginnings of their names."""
    lines = FREE_THREADED.read_text(encoding="utf-8").splitlines()
    return [line.rpartition(": ")[0] for line in lines if not line.startswith("#")]


def run_tests(python: Path, report: Path, free_threaded: bool) -> str:
    """Runs the tests; returns how many passed and were skipped."""
    parallel = ["-n", "auto", "--maxprocesses=8", "--dist=loadfile"]
    chosen = [f"--deselect={name}" for name in left_out()] if free_threaded else []
    without_gil = {"PYTHON_GIL": "0"} if free_threaded else {}
    run([python, "-m", "pytest", "-q", "-ra", *parallel, f"--junitxml={report}", *chosen, *TESTS], **without_gil)
    suites = list(ElementTree.parse(report).getroot().iter("testsuite"))
    tests, skipped = (sum(int(suite.get(name, "0")) for suite in suites) for name in ("tests", "skipped"))
    listed = f", without those of {len(chosen)} lines of {FREE_THREADED.name}" if chosen else ""
    return f"{tests - skipped:,} tests pass, {skipped:,} are skipped{listed}"


def main() -> None:
    """Runs all interpreters. Records the results, unless PYTHONS names the interpreters."""
    named = os.environ.get("PYTHONS", "").split()
    pythons: list[str | Path] = [*named] or [packaged_python("3.15"), free_threaded_python(thread_sanitizer=False)]
    wheel = build_wheel()
    figures: dict[str, str] = {}
    for python in pythons:
        version = subprocess.run([python, "-c", VERSION], capture_output=True, text=True, check=True).stdout.strip()
        inside = make_environment(python, wheel, BUILD / version)
        specs = check_output(inside)
        tests = run_tests(inside, BUILD / f"{version}.xml", version.endswith("t"))
        figures[f"CPython {version}"] = f"{tests}; the output of {specs} specs is the same"
    for name, value in figures.items():
        print(f"{name}: {value}")
    if not named:
        ledger.record(
            "pythons",
            claim="Modules, classes and functions work with Pythons that `.ci/run` does not have.",
            command="make pythons",
            figures=figures,
            seeded_bug=SEEDED_BUG,
            compiler=os.environ.get("CC", "cc"),
        )


if __name__ == "__main__":
    main()
