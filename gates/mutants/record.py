# SPDX-License-Identifier: MIT
"""Runs every test file once in the tree, and keeps which test reaches which mutant, in `build/mutants/reached`."""

from __future__ import annotations

import json
import os
import subprocess
import time
from dataclasses import dataclass
from pathlib import Path

from instrument import VENV, digest, tree_digest
from mutants import BUILD, HERE, TREE

REACHED = BUILD / "reached"
FLAGS = BUILD / "flags"
TEMPORARY = BUILD / "tmp"
# Other packages, or wheels of the sources: they would build for minutes, and what they test is tested elsewhere as well.
LEFT_OUT = ("tests/interop/", "tests/packaging/")
LIMIT = 600.0


@dataclass(frozen=True)
class Record:
    """What one run of a test file has reached: `shared` is reached for all its tests."""

    file: str
    shared: frozenset[int]
    tests: dict[str, tuple[float, frozenset[int]]]
    unusable: tuple[str, ...]


def test_files() -> list[str]:
    """Returns the test files, relative to the tree."""
    found = sorted(str(path.relative_to(TREE)) for path in (TREE / "tests").rglob("test_*.py"))
    return [file for file in found if not file.startswith(LEFT_OUT)]


def environment(**added: str) -> dict[str, str]:
    """Returns the environment of a run of tests: compilers through ccache, and no setting of another gate."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("DLB_", "MUTANT", "PYTEST_"))}
    return kept | {
        "CC": str(HERE / "cc"),
        "DLB_CFLAGS": "-O0",
        "CCACHE_DIR": str(BUILD / "ccache"),
        "CCACHE_SLOPPINESS": "include_file_mtime,include_file_ctime",
        "OPENBLAS_NUM_THREADS": "1",
        "PYTHONDONTWRITEBYTECODE": "",
        **added,
    }


def pytest_command(*arguments: str) -> list[str]:
    """Returns the command of a run of tests in the tree. Its temporary folder stays, so that ccache sees known paths."""
    options = ("-q", "-p", "mutant_tests", "-p", "no:cacheprovider", f"--basetemp={TEMPORARY}", "--tb=short")
    return [str(VENV / "bin" / "python"), "-m", "pytest", *options, *arguments]


def _path(file: str) -> Path:
    return REACHED / (file.removesuffix(".py").replace("/", "-") + ".json")


def record(file: str, tree: str) -> None:
    """Runs a test file, unless its record is there; tests that fail or are skipped are left out from then on."""
    path = _path(file)
    key = f"{tree} {digest([TREE / file])}"
    if path.exists() and json.loads(path.read_text(encoding="utf-8"))["key"] == key:
        return
    FLAGS.write_bytes(bytes(4096))
    partial = path.with_suffix(".partial")
    partial.unlink(missing_ok=True)
    begin = time.monotonic()
    added = environment(DLB_MUTANT_RECORD=str(partial), DLB_MUTANT_FLAGS=str(FLAGS))
    log = path.with_suffix(".log")
    with log.open("wb") as output:
        try:
            subprocess.run(pytest_command(file), cwd=TREE, env=added, stdout=output, stderr=output, timeout=LIMIT)
        except subprocess.TimeoutExpired:
            print(f"{file}: no result after {LIMIT:.0f} s", flush=True)
    found = {"shared": [], "tests": {}, "unusable": [file]}
    if partial.exists():
        found = json.loads(partial.read_text(encoding="utf-8"))
        partial.unlink()
    seconds = time.monotonic() - begin
    path.write_text(json.dumps({"key": key, "file": file, "seconds": seconds, **found}), encoding="utf-8")
    print(f"{file}: {len(found['tests'])} tests, {len(found['unusable'])} left out, {seconds:.1f} s", flush=True)


def record_all() -> None:
    """Runs all test files that have no record of this tree."""
    REACHED.mkdir(parents=True, exist_ok=True)
    tree = tree_digest()
    for file in test_files():
        record(file, tree)


def read_records() -> list[Record]:
    """Returns the records of the test files of the tree."""
    records = []
    for file in test_files():
        if _path(file).exists():
            found = json.loads(_path(file).read_text(encoding="utf-8"))
            tests = {name: (seconds, frozenset(reached)) for name, (seconds, reached) in found["tests"].items()}
            records.append(Record(file, frozenset(found["shared"]), tests, tuple(found["unusable"])))
    return records
