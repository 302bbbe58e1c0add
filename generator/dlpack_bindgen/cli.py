"""The command line: parses the arguments, runs one command, and prints each expected failure as one line.

Exit codes: 0 for success, 1 for errors in specs or stale output, 2 for wrong usage or a missing requirement. Each
command imports the slow modules (YAML, Jinja2) that it needs."""

from __future__ import annotations

import argparse
import atexit
import gc
import os
import re
import sys
import traceback
from collections.abc import Mapping, Sequence
from typing import NoReturn

from dlpack_bindgen import __version__
from dlpack_bindgen.tools.terminal import (
    FAILED,
    OK,
    STALE_OR_INVALID,
    Failure,
    Report,
    discard_stdout,
    print_line,
    report_as,
)

BROKEN_PIPE, INTERRUPTED = 128 + 13, 128 + 2


def main(argv: Sequence[str] | None = None) -> int:
    """Runs one command and returns its exit code. Without `argv`, reads `sys.argv` and assumes that the process exits
    afterwards."""
    if argv is None:
        # Almost no objects of the generator form reference cycles. Collecting garbage took a tenth of the run time.
        gc.disable()
        atexit.register(gc.freeze)
    report = report_as("gcc")
    try:
        arguments = parse(argv)
        report = report_as(getattr(arguments, "error_format", "gcc"))
        return _run(arguments, report)
    except Failure as failure:
        report.failure(str(failure))
        return FAILED
    except BrokenPipeError:
        discard_stdout()
        return BROKEN_PIPE
    except OSError as error:
        discard_stdout()
        report.failure(f"cannot write the output: {error.strerror or error}")
        return FAILED
    except KeyboardInterrupt:
        return INTERRUPTED


def _run(arguments: argparse.Namespace, report: Report) -> int:
    _check_working_directory(arguments)
    try:
        if arguments.command == "generate":
            from dlpack_bindgen.tools.generate import generate

            return generate(arguments, report)
        if arguments.command == "init":
            from dlpack_bindgen.tools.init.init import init

            return init(arguments, report)
        if arguments.command == "vendor":
            from dlpack_bindgen.tools.config import vendor

            return vendor(arguments, report)
        if arguments.command == "explain":
            from dlpack_bindgen.tools.explain import explain

            return explain(arguments, report)
        if arguments.command == "try":
            return _try(arguments, report)
        return _schema(arguments) if arguments.command == "schema" else _config(arguments, report)
    finally:
        # Flushes here, where a failure can still be reported.
        if sys.stdout is not None:
            sys.stdout.flush()


def _try(arguments: argparse.Namespace, report: Report) -> int:
    """Runs `try`. Exit code 1 means that a claim is refuted, so a fault of the command must not end with 1."""
    try:
        from dlpack_bindgen.tools.try_.try_ import try_

        return try_(arguments, report)
    except (Failure, OSError):
        raise
    except Exception:
        traceback.print_exc()
        raise Failure("this is a fault of dlpack-bindgen: please report it, with the lines above") from None


def _check_working_directory(arguments: argparse.Namespace) -> None:
    """Raises a Failure if relative paths are given but the working directory is deleted. Later checks would report each
    path with a less clear message."""
    named = [getattr(arguments, name, None) for name in ("output", "depfile", "directory")]
    paths = [path for path in (*getattr(arguments, "specs", ()), *named) if path not in (None, "-")]
    if all(map(os.path.isabs, paths)):
        return
    try:
        os.getcwd()
    except FileNotFoundError as error:
        raise Failure("the working directory has been deleted") from error


def _config(arguments: argparse.Namespace, report: Report) -> int:
    from dlpack_bindgen.resources import ResourceError
    from dlpack_bindgen.tools.config import answer

    have_functions = True
    if arguments.specs:
        from dlpack_bindgen.tools.generate import specs_have_functions

        found = specs_have_functions(arguments.specs, report)
        if found is None:
            return STALE_OR_INVALID
        have_functions = found
    try:
        print_line(answer(arguments.questions, have_functions))
    except ResourceError as error:
        raise Failure(str(error)) from error
    return OK


def _schema(arguments: argparse.Namespace) -> int:
    from dlpack_bindgen.emit.write import WriteError, write_file

    if arguments.report:
        from dlpack_bindgen.tools.try_.report import schema_text as text
    else:
        from dlpack_bindgen.spec.schema import text

    if arguments.output is None:
        print_line(text().removesuffix("\n"))
        return OK
    try:
        write_file(arguments.output, text().encode())
    except WriteError as error:
        raise Failure(str(error)) from error
    return OK


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
    tried = commands.add_parser(
        "try", help="run a module with checks, and show where its spec is wrong", allow_abbrev=False
    )
    _add_try(tried)
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
    """Splits the arguments of `init`, `generate` and `try` at `--`. The words for the C compiler after it are not
    options of the command."""
    if list(argv[:1]) not in (["init"], ["generate"], ["try"]) or "--" not in argv:
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
    parser.usage = "%(prog)s [-h] SPEC... (-o DIR | --stdout NAME | --list-outputs) [options] [--compile -- CFLAGS]"
    parser.description = (
        "Writes NAME_dlpack.h, NAME_dlpack.c, NAME_module.c and NAME.pyi for each spec, NAME being its module; files "
        "that would not change are left alone. Exit codes: 0 written or up to date, 1 the specs have errors or the "
        "output is stale, 2 wrong usage, or something is missing on this machine. With --compile, the flags of the C "
        "compiler stand after --, such as $(pkg-config --cflags LIBRARY)."
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
    parser.add_argument(
        "--compile",
        action="store_true",
        help="first let the C compiler (CC, or cc) check the generated C with the headers of the library, and report "
        "its errors at the keys of the specs; with errors, nothing is written",
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
        "%(prog)s [-h] HEADER [--library L] [--accept] [-o SPEC] [options] [-- CFLAGS]\n"
        "       %(prog)s [-h] --update [--accept] [--renew NAME] SPEC [--library L] [-- CFLAGS]\n"
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
        "--library",
        metavar="L",
        dest="libraries",
        action="append",
        default=[],
        type=_not_empty,
        help="a name as behind -l, or the path of a library: leave out functions that it does not define, and import "
        "the module; can be given several times",
    )
    parser.add_argument(
        "--pkg-config",
        metavar="PACKAGE",
        dest="package",
        type=_not_empty,
        help="take the flags of the compiler and the library from pkg-config",
    )
    parser.add_argument(
        "--only",
        metavar="PATTERN",
        action="append",
        default=[],
        type=_not_empty,
        help="describe only functions with such names, and types with their functions: 'lib_image_*'",
    )
    parser.add_argument(
        "--without", metavar="PATTERN", action="append", default=[], type=_not_empty, help="leave these out"
    )
    parser.add_argument(
        "--accept",
        action="store_true",
        help="answer the questions of the draft as suggested, which names and comments of the header decide; the "
        "answers are marked as unread",
    )
    parser.add_argument(
        "--update",
        action="store_true",
        help="write into SPEC the entries of functions whose questions are answered, and what a newer header declares",
    )
    parser.add_argument(
        "--renew",
        metavar="NAME",
        action="append",
        default=[],
        type=_not_empty,
        help="with --update: write the entry of this C function again",
    )
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
    of_headers = {
        "--type": arguments.type,
        "-o/--output": arguments.output,
        "--force": arguments.force,
        "--only": arguments.only,
        "--without": arguments.without,
    }
    of_drafts = {
        "--library": arguments.libraries,
        "--pkg-config": arguments.package,
        "--accept": arguments.accept,
        "--update": arguments.update,
        "--renew": arguments.renew,
    }
    if arguments.functions:
        _refuse(parser, "--function", {**of_headers, **of_drafts})
    elif arguments.update or arguments.renew:
        _refuse(parser, "--update" if arguments.update else "--renew", of_headers)


def _refuse(parser: argparse.ArgumentParser, option: str, others: Mapping[str, object]) -> None:
    """Refuses options that are given beside another one."""
    for other in (name for name, value in others.items() if value):
        parser.error(f"argument {option}: not allowed with argument {other}")


def _check_generate(parser: argparse.ArgumentParser, arguments: argparse.Namespace) -> None:
    if arguments.stdout is not None and arguments.output is not None:
        parser.error("argument --stdout: not allowed with argument -o/--output")
    if arguments.output is None and arguments.stdout is None and not arguments.list_outputs:
        parser.error("the following arguments are required: -o/--output")
    if arguments.compile and arguments.list_outputs:
        parser.error("argument --compile: not allowed with argument --list-outputs")
    if arguments.flags and not arguments.compile:
        parser.error(f"{arguments.flags[0]}: flags after -- are for the C compiler: add --compile")


def _add_try(parser: argparse.ArgumentParser) -> None:
    parser.usage = "%(prog)s [-h] SPEC... [--with TEST] [options] [-- SOURCES CFLAGS LIBS]"
    parser.description = (
        "Builds the modules of the specs with checks, runs your test and generated calls, and prints for each claim of "
        "a spec whether it is refuted, confirmed or not exercised. The C sources of the library, the flags of the "
        "compiler and libraries stand after --; paths there are relative to the working directory. It runs the "
        "compiler, the library and the test with your rights. See docs/try.md. Exit codes: 0 nothing was refuted, 1 "
        "refuted, 2 it could not run."
    )
    parser.add_argument("specs", metavar="SPEC", nargs="+", type=_not_empty, help="a spec (YAML)")
    parser.add_argument(
        "--with",
        metavar="TEST",
        dest="tests",
        action="append",
        default=[],
        type=_not_empty,
        help="also run this script, as __main__, with the module importable; or 'pytest ARGUMENTS'",
    )
    parser.add_argument(
        "--calls", metavar="N", type=_count, default=500, help="how many calls to generate for each spec (500)"
    )
    parser.add_argument("--seed", metavar="N", type=_count, default=1, help="the same seed makes the same calls (1)")
    names = "NAME: a function, a class, or CLASS.NAME"
    parser.add_argument(
        "--only", metavar="NAME", action="append", default=[], type=_not_empty, help=f"call only this. {names}"
    )
    parser.add_argument("--skip", metavar="NAME", action="append", default=[], type=_not_empty, help="do not call this")
    parser.add_argument("--strings", action="store_true", help="also call functions that take strings")
    parser.add_argument("--memcheck", action="store_true", help="run under valgrind: slower, and it names each element")
    parser.add_argument("--python", metavar="PATH", type=_not_empty, help="the CPython that imports the module")
    parser.add_argument("--json", metavar="FILE", type=_not_empty, help="also write the report as JSON; - is stdout")
    parser.add_argument("--keep", metavar="DIR", type=_not_empty, help="build there, and keep the files")
    _add_error_format(parser)


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
    parser.add_argument("--report", action="store_true", help="instead, print the schema of the report of `try --json`")
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


def _count(value: str) -> int:
    if not (value.isascii() and value.isdecimal() and len(value) < 10):
        raise argparse.ArgumentTypeError(f"'{value}' is not a number")
    return int(value)


def _number(value: str) -> int:
    if not (value.isascii() and value.isdecimal() and 1 <= int(value[:9]) == int(value)):
        raise argparse.ArgumentTypeError(f"'{value}' is not a number of processes")
    return int(value)
