# SPDX-License-Identifier: MIT
"""Compiles the library of the wrappers, and gives the compiler flags that make the tests' modules use them."""

from __future__ import annotations

import hashlib
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

HERE = Path(__file__).resolve().parent
TOP = HERE.parent.parent
BUILD = TOP / "build" / "starve"
LIBRARY = BUILD / "libstarve.so"
HAND_WRITTEN = {"malloc", "calloc", "PyMem_Malloc", "PyMem_Calloc", "PyMem_Realloc", "PyFloat_AsDouble"}
"""Wrapped in gates/starve/include: their blocks are counted, or they are called by address, too."""
FALLIBLE_C = {"malloc", "calloc", "realloc", "aligned_alloc", "posix_memalign", "strdup", "free"}
STUBS = {"NULL": "starve_null", "0": "starve_zero", "-1": "starve_minus_one", "quiet NULL": "starve_quiet_null"}
"""Maps the failure value of a function to the function of `include/Python.h` that is called instead and fails so."""
DATA = re.compile(r"PyExc_\w+|\w+_Type|_Py_\w+Struct")
"""Matches the symbols that are not functions."""


def read_names() -> dict[str, str]:
    """Returns the lines of names.txt: the name of a function, and the rest of its line."""
    lines = (HERE / "names.txt").read_text(encoding="utf-8").splitlines()
    pairs = (tuple(line.split(" ", 1)) for line in lines if line and not line.startswith("#"))
    return dict(pairs)


def wrapped_names() -> list[str]:
    """Returns the names of the functions that can fail."""
    return [name for name, rest in read_names().items() if not rest.startswith("- ")]


def print_macros() -> str:
    """Returns the text of starve_names.h: one macro for each function that is not wrapped by hand."""
    lines = []
    for name, rest in read_names().items():
        if rest.startswith("- ") or name in HAND_WRITTEN:
            continue
        # With PY_SSIZE_T_CLEAN, which only files of the tests define, some names are macros already.
        macro = f"#define {name}(...) STARVE_CHOOSE({name}, {STUBS.get(rest, rest)})(__VA_ARGS__)"
        lines.append(f"#ifndef {name}\n{macro}\n#endif")
    return "\n".join(lines) + "\n"


def build() -> list[str]:
    """Compiles the library if need be; returns the flags for DLB_CFLAGS, after those that it holds already."""
    sources = [*sorted(HERE.glob("*.[ch]")), *sorted(HERE.glob("include/*.h"))]
    digest = hashlib.sha256(print_macros().encode() + b"".join(path.read_bytes() for path in sources)).hexdigest()[:12]
    folder = BUILD / digest
    library = folder / "libstarve.so"
    if not library.exists():
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "starve_names.h").write_text(print_macros(), encoding="utf-8")
        flags = ["-std=c11", "-O2", "-g", "-fPIC", "-pthread", "-Wall", "-Wextra", "-Werror", "-shared"]
        command = [*shlex.split(os.environ.get("CC", "cc")), *flags, str(HERE / "starve.c"), "-o"]
        partial = folder / f"libstarve.{os.getpid()}.partial.so"
        subprocess.run([*command, str(partial)], check=True)
        partial.replace(library)
    # The runtime is compiled once per set of flags: the folder's name stands for the text of the wrappers.
    include = ["-I", str(HERE / "include"), "-I", str(folder)]
    return [*shlex.split(os.environ.get("DLB_CFLAGS", "")), *include, f"-Wl,--no-as-needed,{library}"]


def library_of(flags: Iterable[str]) -> Path:
    """Returns the library that the flags of build() name."""
    (library,) = (flag.rsplit(",", 1)[1] for flag in flags if flag.endswith("libstarve.so"))
    return Path(library)


def find_unlisted(objects: Iterable[Path]) -> set[str]:
    """Returns the functions of CPython, and the allocators of C, that object files call and names.txt does not list."""
    printed = subprocess.run(["nm", "-u", *map(str, objects)], capture_output=True, text=True, check=True).stdout
    called = {line.split()[-1] for line in printed.splitlines() if " U " in line}
    called = {name.split("@")[0] for name in called}
    relevant = {name for name in called if re.match(r"_?Py", name) and not DATA.fullmatch(name)} | called & FALLIBLE_C
    return relevant - read_names().keys()


if __name__ == "__main__":
    sys.stdout.write(shlex.join(build()) + "\n")
