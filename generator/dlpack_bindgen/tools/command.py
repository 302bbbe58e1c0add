"""The parts that all commands have: arguments, exit codes, stdout, and reports on stderr."""

from __future__ import annotations

import argparse
import json
import os
import re
import shlex
import sys
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Literal, NoReturn, Protocol, TextIO

from dlpack_bindgen import __version__

if TYPE_CHECKING:
    from dlpack_bindgen.text.diagnostics import Diagnostic, Span


# ---- The exit codes, the exception that ends a command, access to stdout as bytes, and words for a shell ----
# All commands share them.

OK, STALE_OR_INVALID, FAILED = 0, 1, 2


class Failure(Exception):
    """Ends the program with exit code 2 and one line of message."""


def print_line(text: str) -> None:
    # Bytes keep a path in another encoding unchanged.
    print_bytes(os.fsencode(text + "\n"))


def print_bytes(data: bytes) -> None:
    if sys.stdout is not None:
        sys.stdout.flush()
        sys.stdout.buffer.write(data)


def discard_stdout() -> None:
    """Redirects stdout to the null device, so that Python does not fail to flush it again at exit."""
    if sys.stdout is not None:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def shell_word(text: str) -> str:
    """Returns the text as one word of a command that can be pasted into a shell."""
    if text.isprintable():
        return shlex.quote(text)
    # Octal escapes always have three digits. `report` would show unprintable characters in Python's way.
    word = ""
    for byte in os.fsencode(text):
        char = chr(byte)
        word += f"\\{char}" if char in "'\\" else char if 32 <= byte < 127 else f"\\{byte:03o}"
    return f"$'{word}'"


# Reports of problems and failures on stderr: for people, with colours on a terminal, or for tools, as one JSON object
# per line.

Format = Literal["gcc", "json"]

_NO_PLACE: Mapping[str, str | int | None] = dict.fromkeys(("file", "line", "column", "end_column"))


class Report(Protocol):
    def problems(self, diagnostics: Sequence[Diagnostic], sources: Mapping[str, str]) -> None:
        """Reports all problems of the specs; `sources` maps files to their text."""

    def failure(self, message: str) -> None:
        """Reports in one line why the command fails."""

    def note(self, message: str) -> None:
        """Reports in one line what the user should know about a command that goes on."""


def report_as(form: Format) -> Report:
    return _Json() if form == "json" else _Text()


class _Text:
    def problems(self, diagnostics: Sequence[Diagnostic], sources: Mapping[str, str]) -> None:
        from dlpack_bindgen.text import diagnostics as gcc

        shown = gcc.render(diagnostics, sources).rstrip("\n")
        _say("\n".join(_coloured(line) for line in shown.split("\n")) if _has_colours(sys.stderr) else shown)
        self.failure(f"{len(diagnostics)} error{'s' if len(diagnostics) > 1 else ''}, nothing was written")

    def failure(self, message: str) -> None:
        self._line("error", message)

    def note(self, message: str) -> None:
        self._line("note", message)

    def _line(self, severity: str, message: str) -> None:
        line = f"dlpack-bindgen: {severity}: {_one_line(message)}"
        _say(_coloured(line) if _has_colours(sys.stderr) else line)


class _Json:
    """A report in JSON. docs/editors.md documents the fields of a line."""

    def problems(self, diagnostics: Sequence[Diagnostic], sources: Mapping[str, str]) -> None:
        from dlpack_bindgen.text.diagnostics import in_order

        for diagnostic in in_order(diagnostics):
            notes = [{"message": note.message, **_place(note.span)} for note in diagnostic.notes]
            self._line("error", diagnostic.code, diagnostic.message, diagnostic.hint, _place(diagnostic.span), notes)

    def failure(self, message: str) -> None:
        self._line("error", None, message)

    def note(self, message: str) -> None:
        self._line("note", None, message)

    def _line(
        self,
        severity: str,
        code: str | None,
        message: str,
        hint: str | None = None,
        place: Mapping[str, str | int | None] = _NO_PLACE,
        notes: Sequence[Mapping[str, str | int | None]] = (),
    ) -> None:
        # ASCII only, so that no encoding and no line separator can damage the output.
        line = {"severity": severity, "code": code, "message": message, "hint": hint, **place, "notes": list(notes)}
        _say(json.dumps(line))


def _place(span: Span) -> dict[str, str | int | None]:
    return {"file": span.file, "line": span.line, "column": span.column, "end_column": span.column + span.length}


def _say(text: str) -> None:
    if sys.stderr is not None:
        print(text, file=sys.stderr)


def _one_line(message: str) -> str:
    return "".join(c if c.isprintable() else ascii(c)[1:-1] for c in message)


# ---- Colours, as in gcc ----

_BOLD, _RED, _CYAN, _GREEN, _PLAIN = "\x1b[1m", "\x1b[1;31m", "\x1b[1;36m", "\x1b[1;32m", "\x1b[0m"
_QUOTED = r" *\d+ \| "
_MARKED = r" {6}\| "
_HEAD = r"(?P<place>.+?:\d+:\d+|dlpack-bindgen): (?P<severity>error|note): "


def _has_colours(stream: TextIO | None) -> bool:
    if stream is None or os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb":
        return False
    return stream.isatty()


def _coloured(line: str) -> str:
    """Adds colours to one line of a message, according to its form."""
    marked, head = re.match(_MARKED, line), re.match(_HEAD, line)
    if marked:
        return f"{marked.group()}{_GREEN}{line[marked.end() :]}{_PLAIN}"
    if head is None or re.match(_QUOTED, line):
        return line
    colour = _RED if head["severity"] == "error" else _CYAN
    return f"{_BOLD}{head['place']}:{_PLAIN} {colour}{head['severity']}:{_PLAIN} {line[head.end() :]}"


# ---- The arguments of each command, and their descriptions for --help ----


def parse(argv: Sequence[str] | None) -> argparse.Namespace:
    top = _Parser(
        prog="dlpack-bindgen",
        description="From a YAML description of a C struct to C that shares its memory through DLPack.",
        allow_abbrev=False,
    )
    top.add_argument("--version", action=_Version, nargs=0, help="print the version and exit")
    commands = top.add_subparsers(dest="command", metavar="COMMAND", required=True)
    generate = commands.add_parser("generate", help="write C and CPython modules from specs", allow_abbrev=False)
    _add_generate(generate)
    init = commands.add_parser("init", help="write the first spec of a library, from its header", allow_abbrev=False)
    _add_init(init)
    explain = commands.add_parser("explain", help="print what a spec becomes, for people", allow_abbrev=False)
    _add_explain(explain)
    schema = commands.add_parser("schema", help="print the JSON Schema of specs, for editors", allow_abbrev=False)
    _add_schema(schema)
    vendor = commands.add_parser("vendor", help="write the runtime and dlpack.h, to commit both", allow_abbrev=False)
    _add_vendor(vendor)
    config = commands.add_parser("config", help="print what a compile line needs", allow_abbrev=False)
    if "config" in (sys.argv if argv is None else argv):  # slow to import
        _add_config(config)
    words, flags = _before_flags(sys.argv[1:] if argv is None else argv)
    arguments, unknown = top.parse_known_args(words)
    arguments.flags = flags
    if unknown:
        asked = commands.choices[arguments.command]
        asked.error(f"unrecognized arguments: {' '.join(unknown)}")
    if arguments.command == "init":
        _check_init(init, arguments)
    if arguments.command == "generate":
        _check_generate(generate, arguments)
    if arguments.command == "vendor" and arguments.c_only and arguments.specs:
        vendor.error("argument --c-only: not allowed with SPEC: the files are the same for every spec")
    if arguments.command == "config":
        _check_config(config, arguments)
    return arguments


def _before_flags(argv: Sequence[str]) -> tuple[Sequence[str], Sequence[str]]:
    """Splits the arguments of `init` at `--`. The flags of the C compiler after it are not options of the command."""
    if list(argv[:1]) != ["init"] or "--" not in argv:
        return argv, []
    index = list(argv).index("--")
    return argv[:index], argv[index + 1 :]


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        raise Failure(f"{message} (see {self.prog} --help)")


class _Version(argparse.Action):
    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> None:
        print_line(f"dlpack-bindgen {__version__}")
        parser.exit()


def _add_generate(parser: argparse.ArgumentParser) -> None:
    parser.usage = "%(prog)s [-h] SPEC... (-o DIR | --stdout NAME | --list-outputs) [options]"
    parser.description = (
        "Writes NAME_dlpack.h, NAME_dlpack.c, NAME_module.c and NAME.pyi for each spec, NAME being its module; files "
        "that would not change are left alone. Exit codes: 0 written or up to date, 1 the specs have errors or the "
        "output is stale, 2 wrong usage, or something is missing on this machine."
    )
    parser.add_argument("specs", metavar="SPEC", nargs="+", type=_not_empty, help="a spec (YAML); - reads stdin")
    parser.add_argument("-o", "--output", metavar="DIR", type=_not_empty, help="where to write")
    modes = parser.add_mutually_exclusive_group()
    modes.add_argument("--check", action="store_true", help="write nothing; list what is missing or out of date")
    modes.add_argument("--diff", action="store_true", help="write nothing; show what would change, for patch -p1")
    modes.add_argument(
        "--list-outputs", action="store_true", help="write nothing; list the files, with DIR if it is given"
    )
    modes.add_argument(
        "--stdout", metavar="NAME", type=_not_empty, help="write one of the files, such as NAME_dlpack.c, to stdout"
    )
    modes.add_argument(
        "--depfile",
        metavar="FILE",
        type=_not_empty,
        help="also write a rule for make or ninja: all files, and FILE itself, depend on the specs, the templates and "
        "the generator. FILE is new after each run, so it can be the target of a rule in a Makefile",
    )
    _add_error_format(parser)
    parser.add_argument(
        "-j",
        "--jobs",
        metavar="N",
        type=_number,
        help="how many processes may run at once (default: one per core, where that is faster)",
    )


def _add_init(parser: argparse.ArgumentParser) -> None:
    parser.usage = (
        "%(prog)s [-h] HEADER [--type T] [-o SPEC] [--force] [-- CFLAGS]\n"
        "       %(prog)s [-h] --function NAME SPEC [-- CFLAGS]"
    )
    parser.description = (
        "Reads a C header, and writes a spec for the structs, functions and constants that it declares. The generator "
        "accepts the spec, and its C compiles; guesses are marked, and undecided parts are comments. The flags of the "
        "C compiler stand after --, such as $(pkg-config --cflags LIBRARY). Without them, init takes those of a "
        "compile_commands.json of the project. With --function, init adds a function of the headers in `include` to "
        "an existing spec. See docs/init.md. Exit codes: 0 written, 1 the existing spec has errors, 2 wrong usage, or "
        "the header cannot be described."
    )
    parser.add_argument(
        "header", metavar="HEADER", type=_not_empty, help="a path, or a name as in #include: gsl/gsl_matrix.h"
    )
    parser.add_argument("--type", metavar="T", type=_not_empty, help="describe only this struct and its functions")
    parser.add_argument(
        "-o",
        "--output",
        metavar="SPEC",
        type=_not_empty,
        help="write the spec to this file, and not to stdout; the module gets the name of the file",
    )
    parser.add_argument("--force", action="store_true", help="with -o: replace an existing file")
    parser.add_argument(
        "--function",
        metavar="NAME",
        dest="functions",
        action="append",
        default=[],
        type=_not_empty,
        help="add this function to SPEC, whose other lines stay as they are; can be given several times",
    )


def _check_init(parser: argparse.ArgumentParser, arguments: argparse.Namespace) -> None:
    if arguments.functions:
        given = {"--type": arguments.type, "-o/--output": arguments.output, "--force": arguments.force or None}
        for option in (name for name, value in given.items() if value is not None):
            parser.error(f"argument --function: not allowed with argument {option}")


def _check_generate(parser: argparse.ArgumentParser, arguments: argparse.Namespace) -> None:
    if arguments.stdout is not None and arguments.output is not None:
        parser.error("argument --stdout: not allowed with argument -o/--output")
    if arguments.output is None and arguments.stdout is None and not arguments.list_outputs:
        parser.error("the following arguments are required: -o/--output")


def _add_error_format(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--error-format",
        choices=("gcc", "json"),
        default="gcc",
        help="how mistakes in specs are printed on stderr: for people, or one JSON object per line",
    )


def _add_explain(parser: argparse.ArgumentParser) -> None:
    parser.description = (
        "Prints what each class and function of a spec becomes: the memory of the arrays, who owns an object, which "
        "arrays an import accepts, the signatures in Python, and what C does with each argument. It does not read the "
        "header. No line has more than 80 columns. See docs/using.md. Exit codes: 0 printed, 1 the spec has errors, 2 "
        "wrong usage."
    )
    parser.add_argument("specs", metavar="SPEC", nargs=1, type=_not_empty, help="a spec (YAML); - reads stdin")
    parser.add_argument(
        "name",
        metavar="NAME",
        nargs="?",
        type=_not_empty,
        help="only this class, with the functions that take or return its objects; or only this function; or only this "
        "method or property: CLASS.NAME",
    )
    _add_error_format(parser)


def _add_schema(parser: argparse.ArgumentParser) -> None:
    parser.description = (
        "Prints the JSON Schema (2020-12) of the spec language. With it, editors complete keys, explain them and "
        "mark mistakes; see docs/editors.md."
    )
    parser.add_argument("-o", "--output", metavar="FILE", type=_not_empty, help="write it there, if it differs")


def _add_vendor(parser: argparse.ArgumentParser) -> None:
    parser.usage = "%(prog)s [-h] DIR [SPEC...] [--c-only] [--namespace PREFIX] [--check]"
    parser.description = (
        "Writes to DIR: the C files of the runtime, joined to a few; dlpack.h; and the licences of both. Commit them "
        "beside the generated files: the project then builds without dlpack-bindgen. Exit codes: 0 written or up to "
        "date, 1 the specs have errors or the copy is out of date, 2 wrong usage, or something is missing here."
    )
    parser.add_argument("directory", metavar="DIR", type=_not_empty, help="where to write")
    parser.add_argument(
        "specs",
        metavar="SPEC",
        nargs="*",
        type=_not_empty,
        help="leave out what the modules of these specs do not need",
    )
    parser.add_argument("--c-only", action="store_true", help="leave out what only CPython modules need")
    parser.add_argument(
        "--namespace",
        metavar="PREFIX",
        type=_prefix,
        help="begin all symbols with PREFIX_, for a second copy of the runtime in one program",
    )
    parser.add_argument(
        "--check", action="store_true", help="write nothing; list what is missing, out of date or left over"
    )


def _add_config(parser: argparse.ArgumentParser) -> None:
    from dlpack_bindgen.tools.config import QUESTIONS

    parser.description = (
        "Answers in the order asked, on one line, quoted for a shell: "
        "cc -O2 -shared -fPIC $(dlpack-bindgen config --cflags --python-cflags) ... $(dlpack-bindgen config --sources)"
    )
    options = [
        parser.add_argument(f"--{name}", dest="questions", action="append_const", const=name, help=question.__doc__)
        for name, question in QUESTIONS.items()
    ]
    parser.set_defaults(questions=[])
    parser.add_argument(
        "--for",
        dest="specs",
        metavar="SPEC",
        action="append",
        default=[],
        type=_not_empty,
        help="with --sources: leave out what the modules of these specs do not need",
    )
    parser.usage = f"%(prog)s [-h] {' '.join(option.option_strings[0] for option in options)} [--for SPEC]"


def _check_config(parser: argparse.ArgumentParser, arguments: argparse.Namespace) -> None:
    from dlpack_bindgen.tools.config import QUESTIONS

    if not arguments.questions:
        parser.error(f"config needs at least one of {', '.join(f'--{name}' for name in QUESTIONS)}")


def _not_empty(value: str) -> str:
    if not value:
        raise argparse.ArgumentTypeError("must not be empty")
    return value


def _prefix(value: str) -> str:
    if re.fullmatch("[A-Za-z][A-Za-z0-9_]*", value, re.ASCII) is None:
        raise argparse.ArgumentTypeError(f"'{value}' must begin with a letter, and have only letters, digits and _")
    return value


def _number(value: str) -> int:
    if not (value.isascii() and value.isdecimal() and 1 <= int(value[:9]) == int(value)):
        raise argparse.ArgumentTypeError(f"'{value}' is not a number of processes")
    return int(value)
