# SPDX-License-Identifier: MIT
"""`make pythons`: runs the generator, and the tests of modules, with other Pythons than that of `make test`.

The default is each supported CPython, and a free-threaded CPython 3.13 that is built from source. PYTHONS="python3.16
..." names installed interpreters instead. PYTHONS_SAMPLE=SEED divides the test files among the interpreters: each file
runs with one of them, which the seed chooses. `.ci/run` runs such a sample of each commit.
"""

from __future__ import annotations

import os
import random
import shutil
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import ledger
from pythons.built import free_threaded_python
from pythons.packaged import python_of

TOP = Path(__file__).resolve().parents[2]
BUILD = TOP / "build" / "pythons"
FREE_THREADED = Path(__file__).with_name("free_threaded.txt")
VERSIONS = ("3.10", "3.12", "3.13", "3.14", "3.15")
"""The supported ones; `make test` has another, which `make check-generated` runs, too."""
UV = Path(sys.executable).with_name("uv")
FOLDERS = ("arguments", "results", "relations", "functions", "classes", "imports", "python", "protocol")
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
    run([UV, "build", "--quiet", "--wheel", "--no-build-isolation", "--python", sys.executable, "-o", folder, TOP])
    (wheel,) = folder.glob("*.whl")
    return wheel


def make_environment(python: str | Path, wheel: Path, folder: Path, extra: str) -> Path:
    """Makes a virtual environment with the wheel, and what the tests need; returns its interpreter."""
    run([UV, "venv", "--quiet", "--clear", "--python", python, folder])
    inside = folder / "bin" / "python"
    constraints = TOP / "tests" / "constraints.txt"
    package = f"dlpack-bindgen[{extra}] @ {wheel.as_uri()}"
    run([UV, "pip", "install", "--quiet", "--python", inside, "-c", constraints, package])
    return inside


def check_output(python: Path) -> int:
    """Checks that the generator writes the committed files with this Python, too; returns the number of specs."""
    specs = sorted(path for path in (TOP / "specs").glob("*.yaml") if not path.stem.endswith(".limits"))
    for spec in specs:
        run([python, "-m", "dlpack_bindgen", "generate", spec, "-o", TOP / "generated" / spec.stem, "--check"])
    return len(specs)


def left_out() -> list[str]:
    """Returns the tests that do not apply to a free-threaded Python, or the beginnings of their names."""
    lines = FREE_THREADED.read_text(encoding="utf-8").splitlines()
    return [line.rpartition(": ")[0] for line in lines if not line.startswith("#")]


def test_files() -> list[str]:
    """Returns the files of the tests of modules."""
    patterns = [*(f"{name}/**/test_*.py" for name in FOLDERS), "*/*/test_*_of_frames.py"]
    return sorted({str(path.relative_to(TOP)) for pattern in patterns for path in (TOP / "tests").glob(pattern)})


def run_tests(python: Path, report: Path, files: list[str], free_threaded: bool) -> str:
    """Runs the tests in these files, with optimised modules; returns how many passed and were skipped."""
    parallel = ["-n", "auto", "--maxprocesses=8", "--dist=loadfile"]
    without_limited_api = ["-m=not limited_api"]  # CPython 3.13 without a GIL has none
    chosen = [*(f"--deselect={name}" for name in left_out()), *without_limited_api] if free_threaded else []
    variables = {"DLB_CFLAGS": "-O2"} | ({"PYTHON_GIL": "0"} if free_threaded else {})
    run([python, "-m", "pytest", "-q", "-ra", *parallel, f"--junitxml={report}", *chosen, *files], **variables)
    suites = list(ElementTree.parse(report).getroot().iter("testsuite"))
    tests, skipped = (sum(int(suite.get(name, "0")) for suite in suites) for name in ("tests", "skipped"))
    listed = f", without those of {len(left_out())} lines of {FREE_THREADED.name}" if chosen else ""
    return f"{tests - skipped:,} tests pass, {skipped:,} are skipped{listed}"


def main() -> None:
    """Runs all interpreters. Records the results of all tests with the default interpreters."""
    named = os.environ.get("PYTHONS", "").split()
    seed = os.environ.get("PYTHONS_SAMPLE")
    complete = not named and seed is None
    if complete:
        ledger.start("pythons")
    pythons: list[str | Path] = [*named] or [*map(python_of, VERSIONS), free_threaded_python(thread_sanitizer=False)]
    files = test_files()
    if seed is not None:
        print(f"sample; to repeat it: PYTHONS_SAMPLE={seed} PYTHONS={' '.join(map(str, pythons))!r} make pythons")
        random.Random(seed).shuffle(files)
    wheel = build_wheel()
    figures: dict[str, str] = {}
    for number, python in enumerate(pythons):
        version = subprocess.run([python, "-c", VERSION], capture_output=True, text=True, check=True).stdout.strip()
        # mypy, which the tests of stubs need, has no wheels for newer Pythons and for those without a GIL.
        numbers = tuple(map(int, version.rstrip("t").split(".")[:2]))
        extra = "modules" if version.endswith("t") or numbers >= (3, 15) else "test"
        inside = make_environment(python, wheel, BUILD / version, extra)
        specs = check_output(inside)
        chosen = sorted(files[number :: len(pythons)]) if seed is not None else files
        tests = run_tests(inside, BUILD / f"{version}.xml", chosen, version.endswith("t"))
        figures[f"CPython {version}"] = f"{tests}; the output of {specs} specs is the same"
    for name, value in figures.items():
        print(f"{name}: {value}")
    if complete:
        ledger.record(
            "pythons",
            claim="Modules, classes and functions work with all supported Pythons, also with one without a GIL.",
            command="make pythons",
            figures=figures,
            seeded_bug=SEEDED_BUG,
            compiler=os.environ.get("CC", "cc"),
        )


if __name__ == "__main__":
    main()
