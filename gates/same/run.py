# SPDX-License-Identifier: MIT
"""`make same`: compares the generator of the working tree with the generator of a commit.

Both run on all specs of the tests. The emitted files are compared after clang-format, and the messages as they are.
SAME_BASE is the commit (default: HEAD). SAME_SHOW is the number of specs whose differences are shown (default: 3).
SAME_SPECS is a folder of specs that a run of all tests has collected: see `.ci/run`.
"""

from __future__ import annotations

import difflib
import io
import json
import os
import subprocess
import sys
import tarfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import TextIO

from dlpack_bindgen.emit.clang_format import FormatterError, format_files

TOP = Path(__file__).resolve().parents[2]
BUILD = TOP / "build" / "same"
TESTS = ("tests", "specs", "examples", "docs")
"""The folders whose specs the tests load."""
WITHOUT = (
    "interop",
    "builds",
    "packaging",
    "gates",
    "benchmarks",
    "generator/test_schema.py",
    "generator/test_steps.py",
)
"""Tests whose specs do not count: they load none, or the specs of other tests, or hundreds of similar specs."""
FORMAT_OFF = "/* clang-format off */\n"
"""The line of emitted files that disables clang-format. It is removed before the comparison."""
Files = dict[str, str]
"""The emitted files of a spec by name. Instead of files there can be one entry `messages` or `failure`."""


def git(*arguments: str) -> str:
    """Returns what git prints."""
    return subprocess.run(["git", *arguments], cwd=TOP, capture_output=True, text=True, check=True).stdout.strip()


def unpack(commit: str) -> Path:
    """Unpacks the tree of a commit; returns its folder."""
    folder = BUILD / commit[:12]
    if not folder.is_dir():
        archive = subprocess.run(["git", "archive", commit], cwd=TOP, stdout=subprocess.PIPE, check=True).stdout
        with tarfile.open(fileobj=io.BytesIO(archive)) as file:
            file.extractall(folder)
    return folder


def python(tree: Path, arguments: Sequence[str | Path], output: TextIO | None = None, **variables: str) -> int:
    """Runs Python with the generator of a tree; returns the status."""
    paths = os.pathsep.join([str(tree / "generator"), str(TOP / "gates")])
    environment = os.environ | {"PYTHONPATH": paths, "PYTHONDONTWRITEBYTECODE": "1"} | variables
    command = [sys.executable, *arguments]
    return subprocess.run(command, cwd=tree, env=environment, stdout=output, stderr=output, check=False).returncode


def collect(commit: str, tree: Path) -> Path:
    """Collects the specs of the tests of a commit. Returns their folder, which commits with equal tests share.

    If SAME_SPECS names a folder, an earlier run of the tests has collected them there.
    """
    if "SAME_SPECS" in os.environ:
        return Path(os.environ["SAME_SPECS"])
    key = "-".join(git("rev-parse", f"{commit}:{name}")[:6] for name in TESTS)
    folder, finished = BUILD / "specs" / key, BUILD / "specs" / f"{key}.finished"
    if finished.exists():
        return folder
    folder.mkdir(parents=True, exist_ok=True)
    print(f"collecting the specs of the tests of {commit[:12]}")
    ignored = [f"--ignore=tests/{name}" for name in WITHOUT]
    options = ["-p", "same.collect_specs", "-p", "no:cacheprovider", "-q", "--tb=no", "-n", "auto", "--dist=loadfile"]
    with (BUILD / "collect.txt").open("w", encoding="utf-8") as log:
        # Most tests fail, since the plugin stops them.
        status = python(
            tree, ["-m", "pytest", *options, *ignored, "tests"], log, SAME_SPECS=str(folder), SAME_STOPS="1"
        )
    if status not in (0, 1):
        sys.exit(f"pytest ends with status {status}: see {BUILD / 'collect.txt'}")
    finished.touch()
    return folder


def record(tree: Path, specs: Path, results: Path) -> None:
    """Runs the generator of a tree on the specs, and records the results."""
    own_script = tree / "gates" / "same" / "record.py"
    script = own_script if own_script.exists() else Path(__file__).with_name("record.py")
    if python(tree, [script, specs, results]) != 0:
        sys.exit(f"{script} failed for {tree}")


def read(results: Path) -> dict[str, Files]:
    """Returns the recorded files of each spec."""
    found = {}
    with results.open(encoding="utf-8") as lines:
        for line in lines:
            files: Files = json.loads(line)
            found[files.pop("spec")] = files
    return found


def format_code(files: list[tuple[str, str]]) -> list[str]:
    """Formats C files, each given as a pair of name and code. Returns the code unchanged if clang-format refuses it."""
    try:
        return format_files([(name, code.replace(FORMAT_OFF, "")) for name, code in files])
    except FormatterError:
        if len(files) == 1:
            return [files[0][1]]
        # One refused file makes the whole call fail: format the files one by one.
        return [format_code([each])[0] for each in files]


def differences(before: dict[str, Files], after: dict[str, Files]) -> dict[str, dict[str, tuple[str, str]]]:
    """Compares the files of each spec after clang-format. Returns the differing pairs by spec and file name."""
    found: dict[str, dict[str, tuple[str, str]]] = {}
    unformatted = []
    for spec, old in before.items():
        new = after[spec]
        for name in {**old, **new}:
            pair = (old.get(name, ""), new.get(name, ""))
            if pair[0] != pair[1]:
                found.setdefault(spec, {})[name] = pair
                if name.endswith((".c", ".h")) and all(pair):
                    unformatted.append((spec, name))
    old_code = format_code([(name, found[spec][name][0]) for spec, name in unformatted])
    new_code = format_code([(name, found[spec][name][1]) for spec, name in unformatted])
    for (spec, name), *pair in zip(unformatted, old_code, new_code, strict=True):
        found[spec][name] = (pair[0], pair[1])
    changed = {
        spec: {name: pair for name, pair in files.items() if pair[0] != pair[1]} for spec, files in found.items()
    }
    return {spec: files for spec, files in changed.items() if files}


def show(specs: Path, spec: str, files: dict[str, tuple[str, str]]) -> None:
    """Prints the differences of one spec."""
    names = ", ".join(name for name, _ in json.loads((specs / f"{spec}.json").read_text(encoding="utf-8")))
    print(f"==== {names} ({specs / spec}.json)")
    for name, (old, new) in files.items():
        lines = difflib.unified_diff(old.splitlines(), new.splitlines(), name, name, lineterm="", n=2)
        print("\n".join([*lines][:60]))


def base() -> tuple[str, Path, Path]:
    """Returns the commit to compare with, its tree, and the specs of its tests."""
    commit = git("rev-parse", os.environ.get("SAME_BASE", "HEAD"))
    BUILD.mkdir(parents=True, exist_ok=True)
    tree = unpack(commit)
    return commit, tree, collect(commit, tree)


def main() -> None:
    """Compares both generators. Exits with 1 if a file or a message differs."""
    commit, tree, specs = base()
    recorded = BUILD / f"{commit[:12]}.jsonl"
    if not recorded.exists():
        record(tree, specs, recorded)
    started = time.monotonic()
    record(TOP, specs, BUILD / "now.jsonl")
    before = read(recorded)
    found = differences(before, read(BUILD / "now.jsonl"))
    for spec in [*found][: int(os.environ.get("SAME_SHOW", "3"))]:
        show(specs, spec, found[spec])
    with_output = sum("messages" not in outcome for outcome in before.values())
    seconds = time.monotonic() - started
    print(f"{len(before):,} specs ({with_output:,} with output): {len(found):,} differ ({seconds:.0f} s)")
    sys.exit(1 if found else 0)


if __name__ == "__main__":
    main()
