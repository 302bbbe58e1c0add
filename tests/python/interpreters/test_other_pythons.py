# SPDX-License-Identifier: MIT
"""Importing a module that was compiled for another CPython is an ImportError, and touches no object.

The name of a file does not keep them apart: every CPython loads `lone.so`."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from dlpack_bindgen.tools import config
from support.build import ABI3, build_extension, compile_c, generate, import_extension

SPEC = """
dlpack-bindgen: 1
module: lone
include: lone.h
functions: {seven: {c: int lone_seven(void)}}
"""
HEADER = "static inline int lone_seven(void) { return 7; }\n"
VERSIONED = """
#include <Python.h>
const char *__wrap_Py_GetVersion(void);
const char *__wrap_Py_GetVersion(void) { return VERSION; }
"""
OURS = f"{sys.version_info[0]}.{sys.version_info[1]}"


def import_under(version: str, folder: Path) -> int:
    """Imports the module in an interpreter that reports `version`, and returns the result of its function."""
    files = {"lone.h": HEADER, "version.c": VERSIONED}
    flags = [f'-DVERSION="{version}"', "-Wl,--wrap=Py_GetVersion"]
    return int(import_extension("lone", build_extension("lone", SPEC, folder, files=files, flags=flags)).seven())


@pytest.mark.parametrize("patch", ["0a1", "7", "99+"])
def test_every_patch_of_its_version_imports_a_module(patch: str, tmp_path: Path) -> None:
    assert import_under(f"{OURS}.{patch} (main, Jan  1 2026, 00:00:00) [GCC]", tmp_path) == 7


@pytest.mark.parametrize(
    ("version", "name"),
    [
        ("3.9.25 (main) [GCC]", "CPython 3.9"),
        ("4.0.0 (main) [GCC]", "CPython 4.0"),
        ("3.100.1 (main) [GCC]", "CPython 3.100"),
        (f"{OURS}.0 free-threading build (main) [GCC]", f"free-threaded CPython {OURS}"),
        (f"{OURS}.0 experimental free-threading build (main) [GCC]", f"free-threaded CPython {OURS}"),
    ],
)
def test_another_interpreter_is_an_import_error(version: str, name: str, tmp_path: Path) -> None:
    if ABI3 and name == "CPython 3.100":
        assert import_under(version, tmp_path) == 7
        return
    with pytest.raises(ImportError) as caught:
        import_under(version, tmp_path)
    compiled = "CPython 3.11 or newer" if ABI3 else f"CPython {OURS}"
    assert str(caught.value) == (
        f"lone was compiled for {compiled} and cannot be imported by {name}: "
        "compile it with the headers of the CPython that imports it"
    )


def other_headers() -> tuple[int, Path] | None:
    """Returns the minor version and the headers of another CPython, which DLB_OTHER_PYTHONS names or which is on the
    PATH. Returns None if there is none."""
    print_include = "import sys, sysconfig; print(sys.version_info[1], sysconfig.get_path('include'))"
    named = os.environ.get("DLB_OTHER_PYTHONS", "").split()
    for python in (*named, *(f"python3.{minor}" for minor in range(10, 20))):
        if shutil.which(python) is None:
            continue
        done = subprocess.run([python, "-c", print_include], capture_output=True, text=True, check=False)
        minor, _, include = done.stdout.strip().partition(" ")
        if done.returncode == 0 and int(minor) != sys.version_info[1] and Path(include, "Python.h").is_file():
            return int(minor), Path(include)
    return None


def test_a_module_of_real_headers_of_another_version_is_an_import_error(tmp_path: Path) -> None:
    """A module of the limited API fits several versions: this one is compiled without it."""
    found = other_headers()
    if found is None:
        pytest.skip("needs the headers of another CPython")
    minor, include = found
    (tmp_path / "lone.h").write_text(HEADER)
    sources = [path for path in generate(SPEC, tmp_path) if path.suffix == ".c"]
    target = tmp_path / "lone.so"
    compile_c(["-shared", f"-I{include}", f"-I{tmp_path}", *sources, *config.sources()], target)
    message = f"lone was compiled for CPython 3.{minor} and cannot be imported by CPython {OURS}"
    # Where the headers name a symbol that this version lacks, the loader raises the error.
    with pytest.raises(ImportError, match=re.escape(message) + "|undefined symbol"):
        import_extension("lone", target)
