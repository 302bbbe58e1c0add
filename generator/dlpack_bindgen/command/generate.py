"""The command `generate`: reads specs, and writes files, names or the text of one file."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from dlpack_bindgen.command.report import Report
from dlpack_bindgen.command.streams import OK, STALE_OR_INVALID, Failure, print_bytes, print_line, shell_word

if TYPE_CHECKING:
    from dlpack_bindgen.emit.render import OutputFile
    from dlpack_bindgen.spec.spec import Spec
    from dlpack_bindgen.text.yaml import Loaded
    from dlpack_bindgen.validate.validate import GetHeaders

STDIN = "-"
STDIN_NAME = "<stdin>"

# No spec is nearly as large. The limit keeps /dev/zero from filling the memory. Users see the limit of the loader.
_READ_AT_MOST = 64 * 1024 * 1024


def generate(arguments: argparse.Namespace, report: Report) -> int:
    from dlpack_bindgen.command.headers import headers_of
    from dlpack_bindgen.emit.clang_format import FormatterError, RefusedText
    from dlpack_bindgen.emit.write import WriteError
    from dlpack_bindgen.resources import ResourceError

    loaded = _load(arguments.specs)
    specs = _validated(loaded, report, headers_of(arguments.output))
    if specs is None:
        return STALE_OR_INVALID
    try:
        return _deliver(specs, arguments, report)
    except RefusedText as error:
        from dlpack_bindgen.command.refused import refused

        found = refused(loaded, error)
        if not found:
            raise Failure(str(error)) from error
        report.problems(found, {each.file: each.text for each in loaded})
        return STALE_OR_INVALID
    except (FormatterError, ResourceError, WriteError) as error:
        raise Failure(str(error)) from error


def _deliver(specs: Sequence[Spec], arguments: argparse.Namespace, report: Report) -> int:
    from dlpack_bindgen.emit.render import render
    from dlpack_bindgen.emit.write import diff, stale, write

    if arguments.list_outputs:
        for name in _names(specs):
            print_line(_shown(name, arguments.output))
        return OK
    if arguments.stdout is not None:
        _print_one(specs, arguments.stdout, arguments.jobs)
        return OK
    directory = Path(arguments.output)
    files = render(specs, arguments.jobs)
    if arguments.diff:
        changes = diff(files, directory)
        print_bytes(changes)
        return STALE_OR_INVALID if changes else OK
    if arguments.check:
        paths = [_shown(name, arguments.output) for name in stale(files, directory)]
        command = ["dlpack-bindgen", "generate", *arguments.specs, "-o", arguments.output]
        return report_stale(paths, command, report)
    _check_ways(files, arguments)
    for name in write(files, directory, _depfile(files, arguments)):
        print_line(f"wrote {directory / name}")
    return OK


def _check_ways(files: Sequence[OutputFile], arguments: argparse.Namespace) -> None:
    """Checks that no output is a spec. Checks that the depfile is not an output, and that neither would contain the
    other."""
    paths = [_shown(file.name, arguments.output) for file in files]
    outputs = {Path(os.path.realpath(path)): path for path in paths}
    specs = {os.path.realpath(path) for path in arguments.specs if path != STDIN}
    depfile = arguments.depfile
    for path in (*paths, *([depfile] if depfile is not None else ())):
        if os.path.realpath(path) in specs:
            raise Failure(f"cannot write {path}: it is a spec")
    if depfile is None:
        return
    resolved = Path(os.path.realpath(depfile))
    if resolved in outputs:
        raise Failure(f"cannot write {depfile}: it is one of the other outputs")
    if any(resolved in output.parents for output in outputs):
        raise Failure(f"cannot write {depfile}: it is a directory")
    above = next((outputs[parent] for parent in resolved.parents if parent in outputs), None)
    if above is not None:
        raise Failure(f"cannot write {depfile}: {above} is one of the other outputs")


def _depfile(files: Sequence[OutputFile], arguments: argparse.Namespace) -> tuple[Path, bytes] | None:
    if arguments.depfile is None:
        return None
    from dlpack_bindgen.command.depfile import depfile

    targets = [*(_shown(file.name, arguments.output) for file in files), arguments.depfile]
    sources = [path for path in _once_each(arguments.specs) if path != STDIN]
    return Path(arguments.depfile), os.fsencode(depfile(targets, sources))


# ---- Reading ----


def specs_have_functions(paths: Sequence[str], report: Report) -> bool | None:
    """Returns whether a module of these specs calls functions. If they have errors, reports these and returns None."""
    from dlpack_bindgen.emit.render import have_functions

    specs = read_specs(paths, report)
    return None if specs is None else have_functions(specs)


def read_specs(paths: Sequence[str], report: Report) -> list[Spec] | None:
    """Returns the specs. If they have errors, reports these and returns None."""
    return _validated(_load(paths), report)


def loaded_and_validated(path: str, report: Report) -> tuple[str, Spec] | None:
    """Returns the text of a spec, and the spec. If it has errors, reports these and returns None."""
    loaded = _load([path])
    specs = _validated(loaded, report)
    return (loaded[0].text, specs[0]) if specs is not None else None


def _load(paths: Sequence[str]) -> list[Loaded]:
    from dlpack_bindgen.command.check import load

    # One process: with two, 100 specs took 0.7 s instead of 1.05 s where processes are forked. Elsewhere two processes
    # save nothing, because the nodes must be copied between them.
    return [load(STDIN_NAME if path == STDIN else path, _read(path)) for path in _once_each(paths)]


def _validated(loaded: Sequence[Loaded], report: Report, headers: GetHeaders | None = None) -> list[Spec] | None:
    """Returns the specs. If they have errors, reports these and returns None."""
    from dlpack_bindgen.command.check import validate

    specs, problems = validate(loaded, headers)
    if not problems:
        return specs
    report.problems(problems, {each.file: each.text for each in loaded})
    return None


def _once_each(paths: Sequence[str]) -> list[str]:
    """Returns the paths in order, without duplicates of the same file."""
    keys = {path if path == STDIN else os.path.realpath(path): path for path in reversed(paths)}
    return list(keys.values())[::-1]


def _read(path: str) -> bytes:
    try:
        if path == STDIN:
            return sys.stdin.buffer.read(_READ_AT_MOST) if sys.stdin is not None else b""
        with open(path, "rb") as file:
            return file.read(_READ_AT_MOST)
    except OSError as error:
        raise Failure(f"cannot read {STDIN_NAME if path == STDIN else path}: {error.strerror or error}") from error


# ---- Output ----


def _names(specs: Sequence[Spec]) -> list[str]:
    from dlpack_bindgen.emit.render import output_names

    return [name for spec in specs for name in output_names(spec.module)]


def _shown(name: str, output: str | None) -> str:
    return name if output is None else str(Path(output, name))


def _print_one(specs: Sequence[Spec], name: str, jobs: int | None) -> None:
    from dlpack_bindgen.emit.render import render

    spec = next((spec for spec in specs if name in _names([spec])), None)
    if spec is None:
        raise Failure(f"there is no output {name}; there are: {', '.join(_names(specs))}")
    files: list[OutputFile] = render([spec], jobs)
    print_bytes(next(file.text for file in files if file.name == name).encode())


def report_stale(paths: Sequence[str], command: Sequence[str], report: Report) -> int:
    """Prints the paths of files that are missing or out of date, and the command that writes them. Returns the exit
    code."""
    if not paths:
        return OK
    for path in paths:
        print_line(path)
    count = "1 file is" if len(paths) == 1 else f"{len(paths)} files are"
    report.failure(f"{count} missing or out of date; run: {' '.join(map(shell_word, command))}")
    return STALE_OR_INVALID
