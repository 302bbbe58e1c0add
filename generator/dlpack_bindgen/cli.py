"""The command line: takes the arguments apart, runs the steps, turns every foreseeable failure into one line.

Exit codes: 0 done, 1 the specs have errors or the output is stale, 2 wrong usage or something is missing here.
Modules that are slow to import (YAML, Jinja2) are imported by the command that needs them.
"""

from __future__ import annotations

import argparse
import os
import shlex
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

if TYPE_CHECKING:
    from dlpack_bindgen.spec import Spec

OK, STALE_OR_INVALID, FAILED = 0, 1, 2
BROKEN_PIPE, INTERRUPTED = 128 + 13, 128 + 2

# No spec comes near this; it keeps /dev/zero from filling the memory. The limit that users see is the loader's.
_READ_AT_MOST = 64 * 1024 * 1024


def main(argv: Sequence[str] | None = None) -> int:
    try:
        return _run(argv)
    except _Failure as failure:
        _report(str(failure))
        return FAILED
    except BrokenPipeError:
        _discard_stdout()
        return BROKEN_PIPE
    except OSError as error:
        _discard_stdout()
        _report(f"cannot write the output: {error.strerror or error}")
        return FAILED
    except KeyboardInterrupt:
        return INTERRUPTED


def _run(argv: Sequence[str] | None) -> int:
    try:
        arguments = _parser().parse_args(argv)
        return _generate(arguments) if arguments.command == "generate" else _config(arguments)
    finally:
        # Here, where a failure can still be told; `--help` comes by as well.
        if sys.stdout is not None:
            sys.stdout.flush()


class _Failure(Exception):
    """Ends the program with exit code 2 and one line."""


def _generate(arguments: argparse.Namespace) -> int:
    from dlpack_bindgen.clang_format import FormatterError
    from dlpack_bindgen.render import render
    from dlpack_bindgen.rooms import RoomError
    from dlpack_bindgen.write import WriteError, diff, stale, write

    paths: list[str] = arguments.specs
    specs = _read_specs(paths)
    if specs is None:
        return STALE_OR_INVALID
    try:
        files = render(specs)
        directory = Path(arguments.output)
        if arguments.diff:
            changes = diff(files, directory)
            _print_bytes(changes)
            return STALE_OR_INVALID if changes else OK
        if arguments.check:
            return _say_stale(stale(files, directory), paths, arguments.output)
        for name in write(files, directory):
            _print(f"wrote {directory / name}")
        return OK
    except (FormatterError, RoomError, WriteError) as error:
        raise _Failure(str(error)) from error


def _read_specs(paths: Sequence[str]) -> list[Spec] | None:
    """The specs, or None when they have errors, which are then on stderr."""
    from dlpack_bindgen import diagnostics
    from dlpack_bindgen.load import load
    from dlpack_bindgen.validate import validate

    loaded = {path: load(path, _read(path)) for path in _once_each(paths)}
    specs, problems = validate(list(loaded.values()))
    if not problems:
        return specs
    shown = diagnostics.render(problems, {path: each.text for path, each in loaded.items()})
    print(shown.rstrip("\n"), file=sys.stderr)
    _report(f"{len(problems)} error{'s' if len(problems) > 1 else ''}, nothing was written")
    return None


def _once_each(paths: Sequence[str]) -> list[str]:
    """The paths in order, a file that is named twice only once."""
    return list({os.path.realpath(path): path for path in reversed(paths)}.values())[::-1]


def _read(path: str) -> bytes:
    try:
        with open(path, "rb") as file:
            return file.read(_READ_AT_MOST)
    except OSError as error:
        raise _Failure(f"cannot read {path}: {error.strerror or error}") from error


def _say_stale(names: Sequence[str], paths: Sequence[str], output: str) -> int:
    if not names:
        return OK
    for name in names:
        _print(str(Path(output, name)))
    count = "1 file is" if len(names) == 1 else f"{len(names)} files are"
    command = shlex.join(["dlpack-bindgen", "generate", *paths, "-o", output])
    _report(f"{count} missing or out of date; run: {command}")
    return STALE_OR_INVALID


def _config(arguments: argparse.Namespace) -> int:
    from dlpack_bindgen.config import QUESTIONS, ConfigError, answer
    from dlpack_bindgen.rooms import RoomError

    if not arguments.questions:
        raise _Failure(f"config needs at least one of {', '.join(f'--{name}' for name in QUESTIONS)}")
    try:
        _print(answer(arguments.questions))
    except (ConfigError, RoomError) as error:
        raise _Failure(str(error)) from error
    return OK


def _print(text: str) -> None:
    # Through bytes, so that a path in another encoding leaves as it came.
    _print_bytes(os.fsencode(text + "\n"))


def _print_bytes(data: bytes) -> None:
    if sys.stdout is not None:
        sys.stdout.flush()
        sys.stdout.buffer.write(data)


def _report(message: str) -> None:
    one_line = "".join(c if c.isprintable() else ascii(c)[1:-1] for c in message)
    print(f"dlpack-bindgen: error: {one_line}", file=sys.stderr)


def _discard_stdout() -> None:
    """Keeps Python from trying, and failing, to flush stdout once more at exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        raise _Failure(f"{message} (see {self.prog} --help)")


class _Version(argparse.Action):
    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> None:
        from importlib.metadata import PackageNotFoundError, version

        try:
            _print(f"dlpack-bindgen {version('dlpack-bindgen')}")
        except PackageNotFoundError:
            _print("dlpack-bindgen (not installed)")
        parser.exit()


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(
        prog="dlpack-bindgen",
        description="From a YAML description of a C struct to C that shares its memory through DLPack.",
        allow_abbrev=False,
    )
    parser.add_argument("--version", action=_Version, nargs=0, help="print the version and exit")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", required=True)
    _add_generate(commands.add_parser("generate", help="write C and CPython modules from specs", allow_abbrev=False))
    _add_config(commands.add_parser("config", help="print what a compile line needs", allow_abbrev=False))
    return parser


def _add_generate(parser: argparse.ArgumentParser) -> None:
    parser.description = (
        "Writes NAME_dlpack.h, NAME_dlpack.c, NAME_module.c and NAME.pyi for each spec; files that would not change "
        "are left alone. Exit codes: 0 written or up to date, 1 the specs have errors or the output is stale, 2 wrong "
        "usage, or something is missing on this machine."
    )
    parser.add_argument("specs", metavar="SPEC", nargs="+", type=_not_empty, help="a spec (YAML)")
    parser.add_argument("-o", "--output", metavar="DIR", type=_not_empty, required=True, help="where to write")
    modes = parser.add_mutually_exclusive_group()
    modes.add_argument("--check", action="store_true", help="write nothing; list what is missing or out of date")
    modes.add_argument("--diff", action="store_true", help="write nothing; show what would change, for patch -p1")


def _add_config(parser: argparse.ArgumentParser) -> None:
    from dlpack_bindgen.config import QUESTIONS

    parser.description = (
        "Answers in the order asked, on one line, quoted for a shell: "
        "cc -shared -fPIC $(dlpack-bindgen config --cflags --python-cflags) ... $(dlpack-bindgen config --sources)"
    )
    options = [
        parser.add_argument(f"--{name}", dest="questions", action="append_const", const=name, help=question.__doc__)
        for name, question in QUESTIONS.items()
    ]
    parser.set_defaults(questions=[])
    parser.usage = f"%(prog)s [-h] {' '.join(option.option_strings[0] for option in options)}"


def _not_empty(value: str) -> str:
    if not value:
        raise argparse.ArgumentTypeError("must not be empty")
    return value
