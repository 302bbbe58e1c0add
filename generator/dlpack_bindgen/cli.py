"""The command line: parses the arguments, runs one command, and prints each expected failure as one line.

Exit codes: 0 for success, 1 for errors in specs or stale output, 2 for wrong usage or a missing requirement. Each
command imports the slow modules (YAML, Jinja2) that it needs."""

from __future__ import annotations

import argparse
import atexit
import gc
import os
import sys
from collections.abc import Sequence

from dlpack_bindgen.tools.command import (
    FAILED,
    OK,
    STALE_OR_INVALID,
    Failure,
    Report,
    discard_stdout,
    parse,
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
        return _schema(arguments) if arguments.command == "schema" else _config(arguments, report)
    finally:
        # Flushes here, where a failure can still be reported.
        if sys.stdout is not None:
            sys.stdout.flush()


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
    from dlpack_bindgen.spec.schema import text

    if arguments.output is None:
        print_line(text().removesuffix("\n"))
        return OK
    try:
        write_file(arguments.output, text().encode())
    except WriteError as error:
        raise Failure(str(error)) from error
    return OK
