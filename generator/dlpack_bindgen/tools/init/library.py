"""The library itself: which functions of the header it defines, and whether the module of a draft can be imported."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from dlpack_bindgen.emit.render import OutputFile, render
from dlpack_bindgen.frozen import Frozen
from dlpack_bindgen.spec.check import validate
from dlpack_bindgen.text.yaml import load
from dlpack_bindgen.tools.c_compiler import CompilerError, needed_compiler, run
from dlpack_bindgen.tools.init.declarations import Header
from dlpack_bindgen.tools.terminal import Failure

_UNDEFINED = re.compile(r"undefined (?:reference to|symbol:?) [`'\"]?(\w+)", re.IGNORECASE)
_NO_LIBRARY = re.compile(r"(?:cannot find|unable to find library|library not found for) (-l\S+|\S+)")
_SECONDS = 60
"""How long the import of a module may take."""


class Library(Frozen):
    flags: tuple[str, ...]
    """The flags of the linker."""
    header_flags: tuple[str, ...]
    """The flags of the compiler that the library needs, as pkg-config prints them."""


def library(names: Sequence[str], package: str | None) -> Library | None:
    """Returns the library that the options `--library` and `--pkg-config` name; None without any."""
    if not names and package is None:
        return None
    of_package = _pkg_config(package, "--libs") if package is not None else []
    header_flags = _pkg_config(package, "--cflags") if package is not None else []
    return Library((*(flag for name in names for flag in _flags(name)), *of_package), tuple(header_flags))


def _flags(name: str) -> list[str]:
    """Returns the flags of the linker for a name, such as `z` or `-lz`, or for the path of a library."""
    if name.startswith(("-l", "-L")):
        return [name]
    if "/" not in name and not os.path.exists(name):
        return [f"-l{name.removeprefix('lib').removesuffix('.so')}" if name.endswith(".so") else f"-l{name}"]
    if not os.path.isfile(name):
        raise Failure(f"there is no library {name}: name a file, or a name as behind -l")
    path = os.path.abspath(name)
    return [path, f"-Wl,-rpath,{os.path.dirname(path)}"]


def _pkg_config(package: str, question: str) -> list[str]:
    command = os.environ.get("PKG_CONFIG", "pkg-config")
    if shutil.which(command) is None:
        raise Failure(f"there is no {command} here (Debian: apt install pkg-config): give --library and flags after --")
    result = subprocess.run([command, question, package], capture_output=True, text=True, check=False)
    if result.returncode != 0:
        reason = next((line for line in result.stderr.splitlines() if line.strip()), "it failed")
        raise Failure(f"pkg-config knows no {package}: {reason.strip()}")
    return shlex.split(result.stdout)


def without_undefined(header: Header, given: Library, flags: Sequence[str]) -> tuple[Header, list[str]]:
    """Returns the header without the functions that the library does not define, and their names. A program that takes
    the address of each function is linked, so that functions in the header and macros count as the compiler sees them.
    """
    names = [each.name for each in header.functions]
    includes = "".join(f"#include {_included(each)}\n" for each in (*header.before, header.include))
    addresses = "".join(f"    (dlb_function)&{name},\n" for name in names)
    text = (
        f"{includes}typedef void (*dlb_function)(void);\n"
        f"const dlb_function dlb_functions[] = {{\n{addresses}    0,\n}};\nint main(void) {{ return 0; }}\n"
    )
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "functions.c").write_text(text, encoding="utf-8")
        command = [*_compiler(), "-w", *flags, "functions.c", "-o", "functions"]
        result = run([*command, *given.flags], folder)
    if result.succeeded:
        return header, []
    missing = _NO_LIBRARY.search(result.messages)
    if missing is not None:
        raise Failure(f"the linker finds no library {missing[1].removeprefix('-l').rstrip(':')}: name its path")
    undefined = set(_UNDEFINED.findall(result.messages))
    left_out = [name for name in names if name in undefined]
    if not left_out:
        raise Failure(f"the header cannot be linked with the library: {_first_line(result.messages)}")
    kept = tuple(each for each in header.functions if each.name not in undefined)
    return replace(header, functions=kept), left_out


def _included(name: str) -> str:
    return name if name.startswith(("<", '"')) else f'"{name}"'


def _compiler() -> list[str]:
    try:
        return needed_compiler()
    except CompilerError as error:
        raise Failure(str(error)) from error


def _first_line(messages: str) -> str:
    lines = [line.strip() for line in messages.splitlines() if "error" in line or "undefined" in line]
    return (lines or messages.strip().splitlines() or ["no message"])[0]


def import_problem(text: str, given: Library, flags: Sequence[str]) -> str:
    """Builds the module of a spec, and imports it in another process. Returns why it cannot be imported; empty: it
    can."""
    from dlpack_bindgen.resources import ResourceError
    from dlpack_bindgen.tools.config import cflags, extension_suffix, python_cflags, sources

    specs, problems = validate([load("spec.yaml", text.encode())])
    if problems or not specs:
        return problems[0].message if problems else ""
    try:
        build = [*cflags(), *python_cflags(), *sources()]
        module = f"{specs[0].module}{extension_suffix()[0]}"
    except ResourceError:
        return ""  # without the headers of Python, no module can be built here
    files: Sequence[OutputFile] = render(specs)
    with tempfile.TemporaryDirectory() as folder:
        for file in files:
            Path(folder, file.name).write_text(file.text, encoding="utf-8")
        own = [file.name for file in files if file.name.endswith(".c")]
        command = [*_compiler(), "-w", "-shared", "-fPIC", "-I.", *flags, *build, *own, "-o", module, *given.flags]
        result = run(command, folder)
        if not result.succeeded:
            return _first_line(result.messages)
        return _imported(specs[0].module, folder)


def _imported(module: str, folder: str) -> str:
    """Imports a module in another process with an empty home, and returns the reason of a failure."""
    with tempfile.TemporaryDirectory() as home:
        environment = {**os.environ, "HOME": home, "PYTHONPATH": folder}
        command = [sys.executable, "-c", f"import {module}"]
        try:
            result = subprocess.run(
                command,
                cwd=home,
                env=environment,
                stdin=subprocess.DEVNULL,
                capture_output=True,
                text=True,
                errors="replace",
                timeout=_SECONDS,
                check=False,
            )
        except subprocess.TimeoutExpired:
            return f"its import did not end within {_SECONDS} seconds"
    if result.returncode == 0:
        return ""
    if result.returncode < 0:
        return f"its import ended with signal {-result.returncode}"
    return (result.stderr.strip().splitlines() or ["its import failed"])[-1]
