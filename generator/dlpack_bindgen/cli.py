"""The command line: runs one command and turns every foreseeable failure into one line.

Exit codes: 0 done, 1 the specs have errors or the output is stale, 2 wrong usage or something is missing here.
Modules that are slow to import (YAML, Jinja2) are imported by the command that needs them.
"""

from __future__ import annotations

import argparse
import atexit
import gc
import os
import sys
from collections.abc import Sequence

from dlpack_bindgen.command.options import parse
from dlpack_bindgen.command.report import Report, report_as
from dlpack_bindgen.command.streams import FAILED, OK, Failure, discard_stdout, print_line

BROKEN_PIPE, INTERRUPTED = 128 + 13, 128 + 2


def main(argv: Sequence[str] | None = None) -> int:
    """Without `argv`, the process is ours, and ends after it."""
    if argv is None:
        # Next to nothing that we make hangs in cycles; looking for it, and again at the end, took a tenth of the time.
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
            from dlpack_bindgen.command.generate import generate

            return generate(arguments, report)
        return _schema(arguments) if arguments.command == "schema" else _config(arguments)
    finally:
        # Here, where a failure can still be told.
        if sys.stdout is not None:
            sys.stdout.flush()


def _check_working_directory(arguments: argparse.Namespace) -> None:
    """Without one, what is at fault would be told of every relative path in other words."""
    named = [getattr(arguments, name, None) for name in ("output", "depfile")]
    paths = [path for path in (*getattr(arguments, "specs", ()), *named) if path not in (None, "-")]
    if all(map(os.path.isabs, paths)):
        return
    try:
        os.getcwd()
    except FileNotFoundError as error:
        raise Failure("the working directory has been deleted") from error


def _config(arguments: argparse.Namespace) -> int:
    from dlpack_bindgen.command.config import ConfigError, answer
    from dlpack_bindgen.resources import ResourceError

    try:
        print_line(answer(arguments.questions))
    except (ConfigError, ResourceError) as error:
        raise Failure(str(error)) from error
    return OK


def _schema(arguments: argparse.Namespace) -> int:
    from dlpack_bindgen.language.schema import text
    from dlpack_bindgen.write import WriteError, write_file

    if arguments.output is None:
        print_line(text().removesuffix("\n"))
        return OK
    try:
        write_file(arguments.output, text().encode())
    except WriteError as error:
        raise Failure(str(error)) from error
    return OK
