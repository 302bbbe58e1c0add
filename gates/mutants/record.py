# SPDX-License-Identifier: MIT
"""Runs a test file in the tree, and keeps which test reaches which mutant in `build/mutants/reached`."""

from __future__ import annotations

import json
import os
import subprocess
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from instrument import VENV
from mutants import BUILD, HERE, TREE

REACHED = BUILD / "reached"
FLAGS = BUILD / "flags"
TEMPORARY = BUILD / "tmp"
# They need other packages or build wheels, for minutes. Other tests run the same code.
LEFT_OUT = ("tests/interop/", "tests/builds/", "tests/packaging/")
LIMIT = 900.0
COUNT = 4096


@dataclass(frozen=True)
class Record:
    """Lists the mutants that one run of a test file has reached: `shared` is reached for all its tests."""

    file: str
    shared: frozenset[int]
    tests: dict[str, tuple[float, frozenset[int]]]
    unusable: tuple[str, ...]


# These tests run most of the runtime and of the generator in little time.
FOLDERS = (
    *("arguments", "results", "relations", "functions", "classes", "python", "protocol"),
    *("generator", "runtime"),
    *("slots", "hooks", "imports", "structs"),
)
# It takes minutes, for one mutant or two.
LAST = ("tests/generator/test_schema.py",)


def test_files() -> list[str]:
    """Returns the test files, relative to the tree, in the order in which they are recorded."""
    found = [str(path.relative_to(TREE)) for path in (TREE / "tests").rglob("test_*.py")]
    ranks = {folder: rank for rank, folder in enumerate(FOLDERS)}
    kept = [file for file in found if not file.startswith(LEFT_OUT)]
    return sorted(kept, key=lambda file: (file in LAST, ranks.get(file.split("/")[1], len(ranks)), file))


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
    """Returns the command that runs tests in the tree, always in the same temporary folder: ccache compares paths."""
    options = ("-q", "-p", "mutant_tests", "-p", "no:cacheprovider", f"--basetemp={TEMPORARY}", "--tb=short")
    return [str(VENV / "bin" / "python"), "-m", "pytest", *options, *arguments]


def _path(file: str) -> Path:
    return REACHED / (file.removesuffix(".py").replace("/", "-") + ".json")


def write_flags(mutant: int) -> None:
    """Makes the file that the processes of a run share: no mutant was reached, and this one is active."""
    FLAGS.write_bytes(bytes(COUNT) + mutant.to_bytes(4, "little") + bytes(COUNT - 4))


def is_recorded(file: str, tree: str) -> bool:
    """Returns whether there is a record of this test file and this tree."""
    return _path(file).exists() and json.loads(_path(file).read_text(encoding="utf-8"))["key"] == tree


def record(file: str, tree: str, limits: dict[int, float]) -> dict[str, Any]:
    """Runs a test file, and tries the mutants of `limits` that it reaches for so many seconds. Returns the record.

    `killed` maps mutants to the test and how it fails, `passed` to the tests that passed. Tests that fail or are
    skipped without a mutant are left out from then on.
    """
    begin = time.monotonic()
    found = _try(file, limits, {})
    seconds = time.monotonic() - begin
    _path(file).write_text(json.dumps({"key": tree, "file": file, "seconds": seconds, **found}), encoding="utf-8")
    counts = f"{len(found['tests'])} tests, {len(found['unusable'])} left out, {len(found['killed'])} mutants killed"
    print(f"{file}: {counts}, {seconds:.1f} s", flush=True)
    return found


def kill_again(file: str, killers: dict[int, str], seconds: float) -> dict[int, tuple[str, str]]:
    """Runs tests of a file, each with the mutant that it killed before. Returns test and failure by mutant."""
    found = _try(file, dict.fromkeys(killers, seconds), killers)
    return {int(number): (test, how) for number, (test, how) in found["killed"].items()}


def _try(file: str, limits: dict[int, float], killers: dict[int, str]) -> dict[str, Any]:
    path = _path(file)
    path.parent.mkdir(parents=True, exist_ok=True)
    plan, output = path.with_suffix(".plan"), path.with_suffix(".partial")
    output.unlink(missing_ok=True)
    write_flags(0)
    settings = {"output": str(output), "temporary": f"{TEMPORARY}-fork", "mutants": limits, "killers": killers}
    plan.write_text(json.dumps(settings), encoding="utf-8")
    added = environment(DLB_MUTANT_RECORD=str(plan), DLB_MUTANT_FLAGS=str(FLAGS))
    with path.with_suffix(".log").open("wb") as log:
        try:
            subprocess.run(pytest_command(file), cwd=TREE, env=added, stdout=log, stderr=log, timeout=LIMIT)
        except subprocess.TimeoutExpired:
            print(f"{file}: stopped after {LIMIT:.0f} s", flush=True)
    found = {"shared": [], "tests": {}, "unusable": [file], "killed": {}, "passed": {}}
    if output.exists():
        found = json.loads(output.read_text(encoding="utf-8"))
    for used in (output, plan, output.with_suffix(".attempt")):
        used.unlink(missing_ok=True)
    return found


def read_records(tree: str) -> list[Record]:
    """Returns the records of the tree that there are."""
    records = []
    for file in test_files():
        found = json.loads(_path(file).read_text(encoding="utf-8")) if _path(file).exists() else None
        if found is not None and found["key"] == tree:
            tests = {name: (seconds, frozenset(reached)) for name, (seconds, reached) in found["tests"].items()}
            records.append(Record(file, frozenset(found["shared"]), tests, tuple(found["unusable"])))
    return records
