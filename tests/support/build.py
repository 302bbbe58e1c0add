"""Specs to files, files to extension modules and programs, as a user would: the generator, the C compiler, one command.

The runtime is compiled once per set of flags and kept in `build/tests`. `CC` names the compiler; `DLB_SANITIZE=1` adds
the sanitizers (the interpreter then needs their libraries preloaded, as `.ci/run` does); `DLB_ABI3=1` makes modules of
the limited API; `DLB_VENDORED=1` compiles the copy of the runtime that `vendor` writes; `DLB_CFLAGS` adds flags of a
gate (coverage, injected failures), `DLB_OBJECTS` names another folder for the compiled runtime.
"""

from __future__ import annotations

import functools
import hashlib
import importlib.util
import os
import shlex
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from types import ModuleType

from dlpack_bindgen.emit import vendor
from dlpack_bindgen.emit.render import render
from dlpack_bindgen.emit.write import write
from dlpack_bindgen.spec.check import validate
from dlpack_bindgen.text import diagnostics
from dlpack_bindgen.text.yaml import load
from dlpack_bindgen.tools import config

TOP = Path(__file__).resolve().parent.parent.parent
RUNTIME = TOP / "runtime"
OBJECTS = Path(os.environ.get("DLB_OBJECTS", TOP / "build" / "tests"))
CC = shlex.split(os.environ.get("CC", "cc"))
SANITIZED = os.environ.get("DLB_SANITIZE") == "1"
ABI3 = os.environ.get("DLB_ABI3") == "1"
VENDORED = OBJECTS / "vendored" if os.environ.get("DLB_VENDORED") == "1" else None
SUFFIX = (config.abi3_suffix() if ABI3 else config.extension_suffix())[0]
SANITIZERS = ["-fsanitize=address,undefined", "-fno-sanitize-recover=undefined", "-fno-omit-frame-pointer", "-g"]
# A program started with it exits with 9 if it reads or frees what it must not, or leaves memory behind.
VALGRIND = ("valgrind", "-q", "--leak-check=full", "--error-exitcode=9", "--errors-for-leak-kinds=definite,possible")
GATE_FLAGS = shlex.split(os.environ.get("DLB_CFLAGS", ""))
# Without optimisation, since half of the time of all tests is the compiler's; `.ci/run` repeats a part with -O2.
BASE_FLAGS = [
    *("-std=c11", "-O0", "-fPIC", "-Wall", "-Wextra", "-Werror"),
    *(SANITIZERS if SANITIZED else []),
    *GATE_FLAGS,
]
OPTIMISED = [] if GATE_FLAGS else ["-O1"]
"""For the code that exists only where the compiler finds constants; a gate chooses for itself."""
EXPORTED = "-DDLB_EXPORT"
"""Shows the functions of generated C, which ctypes then finds in the module."""
LIMITED = config.abi3_cflags() if ABI3 else []
"""For what is compiled together with the CPython part of the runtime."""


def generate(spec: str, directory: Path, name: str = "spec.yaml") -> list[Path]:
    """Writes the files of a spec, given as YAML text, to `directory`."""
    loaded = load(name, spec.encode())
    specs, problems = validate([loaded])
    problems = [*loaded.diagnostics, *problems]
    assert not problems, diagnostics.render(problems, {name: loaded.text})
    written = []
    for file in render(specs):
        path = directory / file.name
        path.write_text(file.text, encoding="utf-8")
        written.append(path)
    return written


def header_flags() -> list[str]:
    """Returns the flags that find the headers of the runtime, dlpack.h and Python.h. The latter two are system headers,
    which cause no warnings."""
    paths = [flag.removeprefix("-I") for flag in (*config.cflags(), *config.python_cflags())]
    flags = [part for path in paths for part in ("-I" if Path(path) == RUNTIME else "-isystem", path)]
    # The runtime itself comes later, for tests that include its private headers.
    return flags if VENDORED is None else ["-I", str(vendored()), *flags]


@functools.cache
def vendored() -> Path:
    """Returns the folder of the copy of the runtime that `vendor` writes."""
    assert VENDORED is not None
    write(vendor.outputs(vendor.LIBRARIES, None), VENDORED)
    return VENDORED


def path_with_generator(folder: Path) -> str:
    """Returns a PATH on which `dlpack-bindgen` is the package under test; the command is written to `folder`."""
    script = folder / "dlpack-bindgen"
    script.write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} -m dlpack_bindgen "$@"\n', encoding="utf-8")
    script.chmod(0o755)
    return f"{folder}{os.pathsep}{os.environ['PATH']}"


def compiler_environment() -> dict[str, str]:
    """Returns the environment without the preloaded sanitizers: they are for this process, and compilers leak."""
    return {name: value for name, value in os.environ.items() if name != "LD_PRELOAD"}


CACHE = Path(os.environ.get("XDG_CACHE_HOME", TOP / "build" / "cache"))
"""The folder of the compiled runtimes of `dlpack-bindgen try`."""


def compile_c(arguments: Sequence[str | Path], output: Path) -> None:
    """Calls the compiler once; if it fails, the AssertionError has its messages."""
    command = [*CC, *BASE_FLAGS, *header_flags(), *map(str, arguments), "-o", str(output)]
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    assert result.returncode == 0, f"{shlex.join(command)}\n{result.stderr}"


def runtime_sources(library: str) -> list[Path]:
    """Returns the C files of the runtime: its libraries up to `library`, which is core, object or call."""
    found = map(Path, {"core": config.c_sources, "object": config.object_sources, "call": config.sources}[library]())
    return list(found) if VENDORED is None else [vendored() / source.name for source in found]


@functools.cache
def runtime_objects(library: str = "call") -> tuple[Path, ...]:
    """Returns the compiled runtime: its libraries up to `library`."""
    digest = hashlib.sha256(" ".join([*CC, *BASE_FLAGS, *LIMITED, sys.version, *header_flags()]).encode())
    for path in sorted((VENDORED or RUNTIME).rglob("*.[ch]")):
        digest.update(path.read_bytes())
    folder = OBJECTS / f"runtime-{digest.hexdigest()[:16]}"
    folder.mkdir(parents=True, exist_ok=True)
    objects = []
    for source in runtime_sources(library):
        target = folder / f"{source.stem}.o"
        if not target.exists():
            partial = folder / f"{source.stem}.{os.getpid()}.partial.o"
            compile_c(["-c", *LIMITED, source], partial)
            partial.replace(target)
        objects.append(target)
    return tuple(objects)


def build_extension(
    module: str,
    spec: str,
    directory: Path,
    *,
    files: dict[str, str] | None = None,
    sources: Sequence[Path] = (),
    flags: Sequence[str] = (),
    libraries: Sequence[str] = (),
) -> Path:
    """Builds the extension `module` from a spec, from `files` (name to content, put beside the generated files) and
    from `sources`. Returns its path."""
    for name, text in (files or {}).items():
        (directory / name).write_text(text, encoding="utf-8")
    generated = generate(spec, directory)
    own = [path for path in generated if path.suffix == ".c"]
    own += [directory / name for name in files or {} if name.endswith(".c")]
    target = directory / f"{module}{SUFFIX}"
    calls = any('"dlb_call.h"' in path.read_text(encoding="utf-8") for path in own)
    objects = runtime_objects("call" if calls else "object")
    compile_c(["-shared", *LIMITED, f"-I{directory}", *flags, *own, *sources, *objects, *libraries], target)
    return target


def import_extension(module: str, path: Path) -> ModuleType:
    """Imports an extension from its path; the name is kept in `sys.modules`, as an import would."""
    spec = importlib.util.spec_from_file_location(module, path)
    assert spec is not None and spec.loader is not None
    loaded = importlib.util.module_from_spec(spec)
    sys.modules[module] = loaded
    spec.loader.exec_module(loaded)
    return loaded


def build_module(
    module: str, spec: str, directory: Path, header: str, source: str | None = None, flags: Sequence[str] = ()
) -> ModuleType:
    """Builds and imports the extension of a library that is one header, named after the module, and perhaps one source
    file."""
    files = {f"{module}.h": header, **({f"{module}.c": source} if source is not None else {})}
    return import_extension(module, build_extension(module, spec, directory, files=files, flags=flags))


def build_program(
    spec: str, directory: Path, *, files: dict[str, str], flags: Sequence[str] = (), libraries: Sequence[str] = ()
) -> Path:
    """Builds a C program without Python from a spec and `files` (name to content), one of which has main(). Returns its
    path."""
    for name, text in files.items():
        (directory / name).write_text(text, encoding="utf-8")
    sources = [path for path in generate(spec, directory) if path.name.endswith("_dlpack.c")]
    sources += [directory / name for name in files if name.endswith(".c")]
    program = directory / "main"
    compile_c([f"-I{directory}", *flags, *sources, *runtime_objects("core"), *libraries], program)
    return program
