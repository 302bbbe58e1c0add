"""The command `vendor`: writes, or checks, the files that a project commits beside its generated C."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

from dlpack_bindgen.command.report import Report
from dlpack_bindgen.command.streams import OK, STALE_OR_INVALID, Failure, print_line, shell_word

LICENCES = "dlpack/LICENSE (Apache-2.0) covers dlpack/dlpack.h, dlb_LICENSE.txt (MIT-0) the files named dlb_*"


def vendor(arguments: argparse.Namespace, report: Report) -> int:
    """Writes or checks the files, and returns the exit code."""
    from dlpack_bindgen.emit.vendor import left_over, namespace_of, outputs, with_present
    from dlpack_bindgen.emit.write import WriteError, stale, write
    from dlpack_bindgen.header import HeaderError
    from dlpack_bindgen.resources import ResourceError, resource_folder

    directory = Path(arguments.directory)
    libraries = _libraries(arguments, report)
    if libraries is None:
        return STALE_OR_INVALID
    try:
        if directory.resolve() == resource_folder("runtime").resolve():
            raise Failure(f"cannot write to {directory}: it is the source of the copy")
        namespace = namespace_of(directory)
        if namespace is not None and namespace != arguments.namespace:
            raise Failure(f"{directory} was written with --namespace {namespace}: pass it again, or delete the files")
        all_libraries = with_present(libraries, directory)
        files = outputs(all_libraries, arguments.namespace)
        extra = left_over(files, directory)
        if arguments.check:
            return _report_differences(stale(files, directory), extra, arguments, report)
        if extra:
            raise Failure(_not_a_part(extra, directory))
        written = write(files, directory)
    except (HeaderError, ResourceError, WriteError) as error:
        raise Failure(str(error)) from error
    for name in written:
        print_line(f"wrote {directory / name}")
    if written:
        print_line(LICENCES)
        if kept := ", ".join(f"dlb_{library}.c" for library in all_libraries[len(libraries) :]):
            print_line(f"kept from an earlier call, and updated: {kept}, with the headers")
    return OK


def _libraries(arguments: argparse.Namespace, report: Report) -> Sequence[str] | None:
    """Returns the libraries to write, or None if a spec has errors, which are then reported."""
    from dlpack_bindgen.emit.vendor import LIBRARIES

    if arguments.c_only:
        return LIBRARIES[:1]
    if not arguments.specs:
        return LIBRARIES
    from dlpack_bindgen.command.generate import specs_have_functions

    have_functions = specs_have_functions(arguments.specs, report)
    if have_functions is None:
        return None
    return LIBRARIES if have_functions else LIBRARIES[:2]


def _report_differences(
    names: Sequence[str], extra: Sequence[str], arguments: argparse.Namespace, report: Report
) -> int:
    from dlpack_bindgen.command.generate import report_stale

    directory = Path(arguments.directory)
    words = ["dlpack-bindgen", "vendor", arguments.directory, *arguments.specs]
    words += ["--c-only"] if arguments.c_only else []
    words += ["--namespace", arguments.namespace] if arguments.namespace else []
    status = report_stale([str(directory / name) for name in names], words, report)
    if not extra:
        return status
    for name in extra:
        print_line(str(directory / name))
    report.failure(_not_a_part(extra, directory))
    return STALE_OR_INVALID


def _not_a_part(extra: Sequence[str], directory: Path) -> str:
    paths = " ".join(shell_word(str(directory / name)) for name in extra)
    return f"these files are of an older copy of the runtime; run: rm {paths}"
