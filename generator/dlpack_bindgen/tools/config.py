"""The commands `config` and `vendor`: the files of the runtime, for a compile line and as a copy."""

from __future__ import annotations

import argparse
import importlib.machinery
import shlex
import sysconfig
from collections.abc import Callable, Sequence
from pathlib import Path

from dlpack_bindgen.resources import ResourceError, include_folder, resource_folder
from dlpack_bindgen.tools.terminal import OK, STALE_OR_INVALID, Failure, Report, print_line, shell_word

# ---- The command `config`: flags and files for a compile line, each found where it is installed ----
# Everything is quoted for a shell. `$(dlpack-bindgen config ...)` is right for every path without special characters,
# and `eval` or a Makefile for the others.


# The docstrings of the functions up to `cmakedir` are the help of the options.


def cflags() -> list[str]:
    """The include flags of the runtime and of dlpack.h."""
    return [f"-I{resource_folder('runtime')}", f"-I{include_folder()}"]


def python_cflags() -> list[str]:
    """CPython's include flags."""
    include = sysconfig.get_path("include")
    if not Path(include, "Python.h").is_file():
        raise ResourceError(
            f"no Python.h in {include}: install CPython's headers (Debian: apt install python3-dev, "
            "Fedora: dnf install python3-devel)"
        )
    return [f"-I{path}" for path in dict.fromkeys([include, sysconfig.get_path("platinclude")])]


def sources() -> list[str]:
    """The C files of the runtime, one for each of its libraries: core, object and call."""
    return [*object_sources(), str(resource_folder("runtime") / "dlb_call.c")]


def object_sources() -> list[str]:
    """The C files for a module whose spec has no functions, methods or properties: core and object."""
    return [*c_sources(), str(resource_folder("runtime") / "dlb_object.c")]


def c_sources() -> list[str]:
    """The C file for a program without Python: core."""
    return [str(resource_folder("runtime") / "dlb_core.c")]


def extension_suffix() -> list[str]:
    """The suffix of extension modules."""
    return [str(sysconfig.get_config_var("EXT_SUFFIX"))]


def abi3_cflags() -> list[str]:
    """The limited API: one module for all Pythons from 3.11 on."""
    return ["-DPy_LIMITED_API=0x030B0000"]


_ABI3_SUFFIXES = (".abi3.so", ".pyd")
"""The suffixes of all Pythons from 3.11 on. CPython 3.15 also has `.abi3-PLATFORM.so`, which older ones do not load."""


def abi3_suffix() -> list[str]:
    """The suffix of modules of the limited API."""
    suffix = next((each for each in _ABI3_SUFFIXES if each in importlib.machinery.EXTENSION_SUFFIXES), None)
    if suffix is None:
        raise ResourceError("this Python loads no modules of the limited API: it has no GIL")
    return [suffix]


def cmakedir() -> list[str]:
    """The folder of the CMake package, for -Ddlpack_bindgen_DIR=."""
    return [str(resource_folder("cmake"))]


QUESTIONS: dict[str, Callable[[], list[str]]] = {
    "cflags": cflags,
    "python-cflags": python_cflags,
    "sources": sources,
    "object-sources": object_sources,
    "c-sources": c_sources,
    "extension-suffix": extension_suffix,
    "abi3-cflags": abi3_cflags,
    "abi3-suffix": abi3_suffix,
    "cmakedir": cmakedir,
}


def answer(questions: Sequence[str], have_functions: bool = True) -> str:
    """Returns the answers in the order of the questions, on one line. Without functions, `sources` leaves out what only
    functions need."""
    asked = [question if have_functions or question != "sources" else "object-sources" for question in questions]
    return " ".join(shlex.quote(word) for question in asked for word in QUESTIONS[question]())


# ---- The command `vendor`: writes, or checks, the files that a project commits beside its generated C ----

LICENCES = "dlpack/LICENSE (Apache-2.0) covers dlpack/dlpack.h, dlb_LICENSE.txt (MIT-0) the files named dlb_*"


def vendor(arguments: argparse.Namespace, report: Report) -> int:
    """Writes or checks the files, and returns the exit code."""
    from dlpack_bindgen.emit.vendor import left_over, namespace_of, outputs, with_present
    from dlpack_bindgen.emit.write import WriteError, stale, write

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
    except (ResourceError, WriteError) as error:
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
    from dlpack_bindgen.tools.generate import specs_have_functions

    have_functions = specs_have_functions(arguments.specs, report)
    if have_functions is None:
        return None
    return LIBRARIES if have_functions else LIBRARIES[:2]


def _report_differences(
    names: Sequence[str], extra: Sequence[str], arguments: argparse.Namespace, report: Report
) -> int:
    from dlpack_bindgen.tools.generate import report_stale

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
