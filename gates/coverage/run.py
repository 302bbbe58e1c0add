# SPDX-License-Identifier: MIT
"""`make coverage`: which lines and branches of the runtime the tests run, counted by gcov.

Everything that the tests compile is compiled with counters. A process adds its counts to the files beside its objects
when it ends, under a lock, so that any number of processes can run. `os._exit()` does so, too (dump/sitecustomize.py);
a process that ends by a signal, or by `_exit()` of C, adds nothing.

The words behind the options go to pytest.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path

GATE = Path(__file__).resolve().parent
sys.path.insert(0, str(GATE.parent))

import ledger  # noqa: E402
from counts import FileCounts, Share, branch_share, line_share, merge_builds, print_table, read_counts  # noqa: E402
from reasons import check_reasons  # noqa: E402

TOP = GATE.parent.parent
OUTPUT = TOP / "build" / "gates" / "coverage"
# Without optimisation, each branch of the source is one branch of the machine code. A function that is always inlined
# would be counted once for each caller: the macro lets the compiler make one function of it. NDEBUG removes the
# assertions in CPython's macros: no test can take the branch of an assertion that fails.
FLAGS = "--coverage -fprofile-update=atomic -fprofile-abs-path -O0 -DNDEBUG -fno-exceptions -Dalways_inline="
FLAGS += " -Wl,-u,__gcov_dump"
FOLDERS = [
    f"tests/{folder}"
    for folder in (
        *"protocol python arguments results relations functions classes imports".split(),
        *"slots hooks structs imaging bugs libraries".split(),
    )
]
# Tests of features that use a module of tests/python.
OF_FRAMES = sorted(str(path) for path in TOP.glob("tests/*/*/test_*_of_frames.py"))
# Needs a compiler that finds constants.
IN_ONE_STEP = "tests/runtime/test_fast_paths.py::test_the_fast_path_of_exports_describes_as_the_slow_path_does"
WITHOUT = [
    # They compare the symbols of a module, among which are now those of gcov.
    "tests/python/c_api/test_symbols.py::test_a_module_exports_only_its_init_function",
    "tests/runtime/test_platform.py::test_symbols_of_the_runtime_have_one_prefix_and_are_hidden",
    # It compiles the runtime with optimisation.
    "tests/python/imports/test_small_code.py",
    # Another implementation crashes in another way, since gcov takes part in fork() and in the end of a process.
    "tests/bugs/test_known_bugs.py::test_a_module_written_by_hand_fails_in_the_scenario",
]
# The sanitizers add branches of their own: programs of the other variants do the same without.
PLAIN = "plain or not (narrow or sanitized or portable or thread or valgrind)"
LINES_GOAL = 99.5
BRANCHES_GOAL = 95.0


@dataclass(frozen=True)
class Build:
    """One build of the runtime, and the tests that run it. Builds whose branches differ are not mixed."""

    name: str
    tests: list[str] = field(default_factory=list)
    flags: str = ""
    select: str = ""
    without: list[str] = field(default_factory=list)
    starved: bool = False
    """Its calls fail, as for `make starve`."""


BUILDS = [
    Build("modules", [*FOLDERS, *OF_FRAMES], select="not clang", without=WITHOUT),  # clang has other counters
    Build("programs", ["tests/runtime"], select=PLAIN, without=[IN_ONE_STEP, *WITHOUT]),
    Build("narrow", ["tests/runtime"], select="narrow", without=[IN_ONE_STEP]),
    Build("portable", ["tests/runtime"], "-DDLB_PORTABLE_ARITHMETIC=", select="plain", without=[IN_ONE_STEP]),
    Build("constants", [IN_ONE_STEP], "'-D__builtin_constant_p(x)=1'", select="plain"),
    Build("starved", starved=True),
]


def run_tests(build: Build, arguments: list[str]) -> None:
    """Runs the tests of a build with everything compiled with counters; stops if one fails."""
    folder = OUTPUT / build.name
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    environment = os.environ | {
        "DLB_CFLAGS": f"{FLAGS} {build.flags}",
        "DLB_OBJECTS": str(folder / "objects"),
        "PYTHONPATH": str(GATE / "dump"),
    }
    if build.starved:
        environment["PYTEST_ADDOPTS"] = f"--basetemp={folder / 'tests'}"
        command = [sys.executable, str(GATE / "starved.py"), str(folder / "results.jsonl")]
        subprocess.run(command, cwd=TOP, env=environment, check=True)
        return
    command = [sys.executable, "-m", "pytest", "-q", "-ra", f"--basetemp={folder / 'tests'}"]
    chosen = [f"--deselect={test}" for test in build.without] + ([f"-k={build.select}"] if build.select else [])
    subprocess.run([*command, *chosen, *arguments, *build.tests], cwd=TOP, env=environment, check=True)


def collect(build: Build) -> None:
    """Lets gcovr read the counts of a build."""
    command = [sys.executable, "-m", "gcovr", "--root", str(TOP), "--filter", "runtime/"]
    # Some tests remove their sources, or compile them twice: counts of such a file are lost.
    command += ["--merge-mode-functions=separate", "--gcov-ignore-errors=all"]
    # A child that Python forks adds the counts of its parent once more.
    command += ["--gcov-suspicious-hits-threshold=0"]
    command += ["--exclude-throw-branches", "--exclude-unreachable-branches"]
    written = ["--json", str(counts_of(build))]
    subprocess.run([*command, *written, str(OUTPUT / build.name)], cwd=TOP, check=True)


def counts_of(build: Build) -> Path:
    """Returns the file with the counts of a build."""
    return OUTPUT / f"{build.name}.json"


def report(files: dict[str, FileCounts]) -> tuple[Share, Share, list[str]]:
    """Prints the figures of each file; returns the shares of lines and branches, and what is wrong."""
    nothing = Share(0, 0)
    lines = sum(map(line_share, files.values()), nothing)
    branches = sum(map(branch_share, files.values()), nothing)
    problems = [message for path, counts in files.items() for message in check_reasons(TOP, path, counts.lines)]
    for name, share, goal in (("lines", lines, LINES_GOAL), ("branches", branches, BRANCHES_GOAL)):
        if share.percent < goal:
            problems.append(f"{name}: {share}, but the goal is {goal} %")
    print(*print_table(files), "", f"lines: {lines}", f"branches: {branches}", sep="\n")
    return lines, branches, problems


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0], allow_abbrev=False)
    names = [build.name for build in BUILDS]
    parser.add_argument("--run", action="append", choices=names, help="run this build alone (may be repeated)")
    parser.add_argument("--report", action="store_true", help="only read the counts of earlier runs")
    options, arguments = parser.parse_known_args()
    if not options.report and options.run is None:
        ledger.start("coverage")
    for build in BUILDS:
        if not options.report and (options.run is None or build.name in options.run):
            run_tests(build, arguments)
            collect(build)
    missing = [build.name for build in BUILDS if not counts_of(build).exists()]
    if missing:
        sys.exit(f"no counts yet of {', '.join(missing)}: run `make coverage`")
    lines, branches, problems = report(merge_builds([read_counts(counts_of(build)) for build in BUILDS]))
    if problems:
        sys.exit("\n".join(problems))
    ledger.record(
        "coverage",
        claim="The tests run nearly all lines and branches of the runtime. Each line that never runs has its reason "
        "beside it in the source.",
        command="make coverage",
        figures={"lines": str(lines), "branches": str(branches)},
        seeded_bug="A function that nobody calls was added to `runtime/core/tensor.c`, and `not covered: REASON` was "
        "written beside a line that runs: the target named both lines, and failed.",
        compiler="cc",
    )


if __name__ == "__main__":
    main()
