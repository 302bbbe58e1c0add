# SPDX-License-Identifier: MIT
"""Builds what the gate runs under ThreadSanitizer: two extension modules of `library.yaml`, and the programs in C."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from pythons.built import CLANG

HERE = Path(__file__).resolve().parent
TOP = HERE.parent.parent
RUNTIME_TESTS = TOP / "tests" / "runtime"
SANITIZER = ("-fsanitize=thread", "-fno-omit-frame-pointer", "-g", "-O1")
FLAGS = ("-std=c11", "-Wall", "-Wextra", "-Werror", "-pthread", *SANITIZER)
MODULES = ("first", "second")


def generator(*arguments: str | Path) -> str:
    """Runs the generator; returns what it prints."""
    command = [sys.executable, "-m", "dlpack_bindgen", *map(str, arguments)]
    return subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout


def compile_c(arguments: Sequence[str | Path], output: Path) -> None:
    """Compiles and links with clang; its messages are the failure."""
    command = [CLANG, *FLAGS, *shlex.split(generator("config", "--cflags")), *map(str, arguments), "-o", str(output)]
    if subprocess.run(command, check=False).returncode != 0:
        sys.exit(shlex.join(command))


def python_flags(python: Path) -> tuple[list[str], str]:
    """Returns the include flags of an interpreter, and the suffix of its extension modules."""
    code = "import sysconfig as s; print(s.get_path('include')); print(s.get_config_var('EXT_SUFFIX'))"
    printed = subprocess.run([python, "-c", code], capture_output=True, text=True, check=True).stdout
    include, suffix = printed.splitlines()
    return ["-isystem", include], suffix


def build_module(name: str, python: Path, folder: Path) -> None:
    """Builds one extension module of the library in `folder`. It has its own copy of the library and of the runtime."""
    includes, suffix = python_flags(python)
    own = folder / name
    own.mkdir(parents=True, exist_ok=True)
    spec = own / "library.yaml"
    text = (HERE / "library.yaml").read_text(encoding="utf-8")
    if name != MODULES[0]:  # its lamps are those of the first module
        text = re.sub(r"^  Lamp: .*$", f"  Lamp: {{type: lamp, from: {MODULES[0]}}}", text, flags=re.MULTILINE)
    spec.write_text(text.replace("module: first", f"module: {name}"), encoding="utf-8")
    generator("generate", spec, "-o", own)
    sources = [own / f"{name}_dlpack.c", own / f"{name}_module.c", HERE / "library.c"]
    sources += map(Path, shlex.split(generator("config", "--sources")))
    compile_c(["-shared", "-fPIC", *includes, f"-I{own}", f"-I{HERE}", *sources], folder / f"{name}{suffix}")


def build_modules(python: Path, folder: Path) -> None:
    """Builds both modules."""
    for name in MODULES:
        build_module(name, python, folder)


def build_programs(folder: Path) -> list[Path]:
    """Builds the programs of the runtime's tests that share owners among threads; returns them."""
    sys.path.insert(0, str(TOP / "tests"))
    from runtime.test_owner import GRIDS
    from support.build import generate

    folder.mkdir(parents=True, exist_ok=True)
    generated = [path for path in generate(GRIDS, folder) if path.name.endswith("_dlpack.c")]
    runtime = shlex.split(generator("config", "--c-sources"))
    parts: dict[str, list[Path]] = {"threads": [*generated, RUNTIME_TESTS / "grid.c"], "threads_special": []}
    programs = []
    for name, more in parts.items():
        program = folder / name
        sources: list[str | Path] = [RUNTIME_TESTS / f"{name}.c", *more, *runtime]
        compile_c([f"-I{RUNTIME_TESTS}", f"-I{folder}", *sources], program)
        programs.append(program)
    return programs
