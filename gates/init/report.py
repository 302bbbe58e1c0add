# SPDX-License-Identifier: MIT
"""Measures `dlpack-bindgen init` on the headers of real libraries, and writes docs/init-report.md.

`PYTHONPATH=gates python -m init.report [NAME ...]` runs the command on each library that is installed. It generates C
code from the spec, compiles it, exports the objects of the library, and compares the exports with the expected arrays.
With names, it prints the result and writes nothing.
"""

from __future__ import annotations

import os
import platform
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from init import exports
from init.exports import Export
from init.libraries import COMPILER, Library, check, load

TOP = Path(__file__).resolve().parent.parent.parent
PAGE = TOP / "docs" / "init-report.md"
# `init` is run on headers of any size. A longer run is a failure.
INIT_SECONDS = 120
GOAL_EDITS = 5
Init = Callable[[Library, Path], str]


@dataclass(frozen=True)
class SpecResult:
    """The result of one spec: whether it generates and compiles, and the export of each object."""

    problem: str
    """The first error; the empty string if the spec generates and compiles."""
    exports: tuple[Export, ...] = ()

    @property
    def right(self) -> int:
        return sum(export.is_right for export in self.exports)


@dataclass(frozen=True)
class Measurement:
    """The result of one library."""

    library: Library
    seconds: float
    unedited: SpecResult
    edits: int | None
    """The number of edits to the first right export; None if nobody knows it."""


def bindgen(*arguments: str | Path) -> list[str | Path]:
    """Returns a command line of this generator."""
    return [sys.executable, "-m", "dlpack_bindgen", *arguments]


def first_line(message: str) -> str:
    """Returns the first error of a message, or its first line if there is none, without the names of folders."""
    lines = message.strip().splitlines() or ["no message"]
    line = next((line for line in lines if "error" in line), lines[0])
    return re.sub(r"/\S*/", "", line)


def run_init(library: Library, spec: Path) -> str:
    """Writes the spec of a library with the command `init`. Returns the error, or the empty string."""
    flags = library.compiler_flags() or []
    command = bindgen("init", library.header, "-o", spec, "--", *flags)
    try:
        run = subprocess.run(command, capture_output=True, text=True, check=False, timeout=INIT_SECONDS)
    except subprocess.TimeoutExpired:
        return f"init ran longer than {INIT_SECONDS} seconds"
    if run.returncode == 0 and spec.is_file():
        return ""
    return f"init: {first_line(run.stderr)}"


def export_with(library: Library, spec: Path, folder: Path) -> SpecResult:
    """Generates and compiles the code of a spec, and exports each object of the library with it."""
    generated = folder / "generated"
    run = subprocess.run(bindgen("generate", spec, "-o", generated), capture_output=True, text=True, check=False)
    if run.returncode:
        return SpecResult(f"generate: {first_line(run.stderr)}")
    for source in sorted(generated.glob("*.c")):
        compiled = subprocess.run(
            [COMPILER, "-fsyntax-only", f"-I{generated}", *runtime_flags(), *(library.compiler_flags() or []), source],
            capture_output=True,
            text=True,
            check=False,
        )
        if compiled.returncode:
            return SpecResult(f"compile: {first_line(compiled.stderr)}")
    return SpecResult("", exports.run(library, generated, runtime_flags(), runtime_sources()))


def runtime_flags() -> list[str]:
    return _config("--cflags", "--python-cflags")


def runtime_sources() -> list[str]:
    return _config("--c-sources")


def _config(*options: str) -> list[str]:
    run = subprocess.run(bindgen("config", *options), capture_output=True, text=True, check=True)
    return run.stdout.split()


# ---- Edits ----


def count_edits(edits: Sequence[dict[str, Any]]) -> int:
    """Counts the keys that the edits add, change or remove. A list of values is one key."""
    return sum(_keys(edit["to"]) if "to" in edit else 1 for edit in edits)


def _keys(value: Any) -> int:
    if isinstance(value, dict):
        return sum(map(_keys, value.values())) or 1
    if isinstance(value, list):
        return sum(_keys(element) for element in value if isinstance(element, dict)) or 1
    return 1


def apply_edits(spec: dict[str, Any], edits: Sequence[dict[str, Any]]) -> None:
    """Changes a spec. An edit is `{at: [KEY, ...], to: VALUE}` or `{remove: [KEY, ...]}`."""
    for edit in edits:
        path = edit.get("at") or edit["remove"]
        place = spec
        for key in path[:-1]:
            place = place[key] if isinstance(place, list) else place.setdefault(key, {})
        if "to" in edit:
            place[path[-1]] = edit["to"]
        else:
            del place[path[-1]]


def _edits_to_first_export(library: Library, spec: Path, folder: Path, unedited: SpecResult) -> int | None:
    if unedited.right:
        return 0
    written = library.folder / "edits.yaml"
    if not written.is_file() or not spec.is_file():
        return None
    edits = yaml.safe_load(written.read_text())
    content = yaml.safe_load(spec.read_text())
    try:
        apply_edits(content, edits)
    except (KeyError, IndexError, TypeError):
        # The edits were written for another spec.
        return None
    edited = folder / "edited" / spec.name
    edited.parent.mkdir()
    edited.write_text(yaml.safe_dump(content, sort_keys=False, allow_unicode=True, width=1000))
    return count_edits(edits) if export_with(library, edited, edited.parent).right else None


# ---- All libraries ----


def measure(library: Library, init: Init = run_init) -> Measurement:
    """Runs `init` on one library, and exports its objects."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        spec = folder / f"{re.sub('[^a-z0-9]', '_', library.name)}.yaml"
        start = time.monotonic()
        problem = init(library, spec)
        seconds = time.monotonic() - start
        unedited = SpecResult(problem) if problem else export_with(library, spec, folder)
        return Measurement(library, seconds, unedited, _edits_to_first_export(library, spec, folder, unedited))


def _share(part: int, whole: int) -> str:
    return f"{part} of {whole} ({100 * part // whole} %)" if whole else "0 of 0"


def figures(measurements: Sequence[Measurement]) -> list[tuple[str, str, str]]:
    """Returns rows of a name, a number and a goal. Libraries without arrays count for the first row alone."""
    with_arrays = [each for each in measurements if each.library.objects]
    arrays = _sum(len(each.library.objects) for each in with_arrays)

    def libraries(condition: Callable[[Measurement], bool]) -> str:
        return _share(_sum(map(condition, with_arrays)), len(with_arrays))

    return [
        (
            "specs that generate and compile",
            _share(_sum(not each.unedited.problem for each in measurements), len(measurements)),
            "all",
        ),
        (
            "libraries whose exports are all right, unedited",
            libraries(lambda each: each.unedited.right == len(each.library.objects)),
            "half",
        ),
        ("libraries with at least one right export, unedited", libraries(lambda each: each.unedited.right > 0), ""),
        ("arrays that are right, unedited", _share(_sum(each.unedited.right for each in with_arrays), arrays), ""),
        (
            f"libraries with at most {GOAL_EDITS} edits to the first right export",
            libraries(lambda each: each.edits is not None and each.edits <= GOAL_EDITS),
            "four fifths",
        ),
        ("libraries without known edits to a right export", libraries(lambda each: each.edits is None), ""),
        ("longest run of `init`", f"{max((each.seconds for each in measurements), default=0):.1f} s", ""),
    ]


def _sum(values: Any) -> int:
    return sum(map(int, values))


def page(measurements: Sequence[Measurement], missing: Sequence[Library]) -> str:
    """Returns the page of the report."""
    lines = [
        "# `init` with the headers of real libraries",
        "",
        "`make init-report` wrote this page. It ran `dlpack-bindgen init HEADER` once on each library. It compared the",
        "exports with arrays that were [written down before](../gates/init/README.md).",
        "",
        "| figure | result | goal |",
        "|---|---|---|",
        *(f"| {name} | {result} | {goal} |" for name, result, goal in figures(measurements)),
        "",
        "An edit is a key that somebody adds, changes or removes. A library has 0 edits if one of its exports is right",
        "unedited.",
        "",
        f"The run used {_versions()}.",
        "",
        "## Libraries",
        "",
        "| library | header | seconds | compiles | arrays right | edits |",
        "|---|---|---|---|---|---|",
        *map(_row, measurements),
    ]
    if missing:
        names = ", ".join(f"{library.name} (`{library.package}`)" for library in missing)
        lines += ["", f"Not installed, and not counted: {names}."]
    lines += ["", "## Arrays that are not right", "", *_differences(measurements)]
    return "\n".join(lines) + "\n"


def _versions() -> str:
    run = subprocess.run([COMPILER, "--version"], capture_output=True, text=True, check=True)
    return f"{run.stdout.splitlines()[0]} and CPython {platform.python_version()}"


def _row(each: Measurement) -> str:
    count = len(each.library.objects)
    right = f"{each.unedited.right} of {count}" if count else "no arrays"
    edits = "" if not count else "not known" if each.edits is None else str(each.edits)
    compiles = "no" if each.unedited.problem else "yes"
    title = each.library.title
    return f"| {title} | `{each.library.header}` | {each.seconds:.1f} | {compiles} | {right} | {edits} |"


def _differences(measurements: Sequence[Measurement]) -> list[str]:
    lines = ["| library | array | result |", "|---|---|---|"]
    for each in measurements:
        if each.unedited.problem:
            lines.append(f"| {each.library.name} | all | {_cell(each.unedited.problem)} |")
        lines += [
            f"| {each.library.name} | {export.name} | {_cell(export.difference)} |"
            for export in each.unedited.exports
            if not export.is_right
        ]
    return lines if len(lines) > 2 else ["None."]


def _cell(message: str) -> str:
    return message.replace("|", "\\|").replace("\n", " ")


def main(names: list[str]) -> int:
    """Runs the report on the libraries of these names, or on all. Returns the exit status."""
    if shutil.which(COMPILER) is None:
        print(f"there is no {COMPILER}")
        return 1
    libraries = load(names)
    installed = [library for library in libraries if library.is_installed()]
    for library in installed:
        if difference := check(library):
            print(f"{library.name}: the expected arrays are wrong:\n{difference}")
            return 1
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        measurements = list(pool.map(measure, installed))
    text = page(measurements, [library for library in libraries if library not in installed])
    print(text)
    if not names:
        PAGE.write_text(text)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
