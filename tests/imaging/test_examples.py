# SPDX-License-Identifier: MIT
"""The programs of examples/c, cpp and python: built by the commands in their headers, and run; the first two have
nothing of Python."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from support.build import TOP, VALGRIND, path_with_generator

STRICT = "-Wall -Wextra -Wpedantic -Wconversion -Werror"
PRELOADED = ("LD_PRELOAD", "ASAN_OPTIONS", "LSAN_OPTIONS", "UBSAN_OPTIONS")
C_OUTPUT = """\
view: 2 (step 64) 20 (step 3) 3 (step 1)
3 exports live
the last export still shows 200
refused: imaging.Image: the dtype is float16, not uint8
4 by 2, the foreign memory now begins with 9
the foreign tensor is deleted
"""
CPP_OUTPUT = """\
4 by 5
the same memory
refused: imaging.Image: the array has 2 axes, not 3
"""
PROGRAMS = [
    pytest.param(("examples/c/share.c", {"cc": "gcc"}, C_OUTPUT), id="c-gcc"),
    pytest.param(("examples/c/share.c", {"cc": "clang"}, C_OUTPUT), id="c-clang"),
    pytest.param(("examples/cpp/share.cpp", {"cc": "gcc", "c++": "g++"}, CPP_OUTPUT), id="cpp-g++"),
    pytest.param(("examples/cpp/share.cpp", {"cc": "clang", "c++": "clang++"}, CPP_OUTPUT), id="cpp-clang++"),
]


def commands(source: str) -> list[str]:
    """Returns the commands in the comment at the top of a program, each as one line."""
    header = (TOP / source).read_text(encoding="utf-8").split("*/\n#include")[0]
    indented = re.findall(r"^ \*   (.*)", header, re.MULTILINE)
    return "\n".join(indented).replace("\\\n", " ").splitlines()


def run(command: list[str | Path], path: str) -> str:
    """Runs a command at the top of the checkout, free of what a sanitizer run of the tests themselves has set."""
    environment = {name: value for name, value in os.environ.items() if name not in PRELOADED} | {"PATH": path}
    done = subprocess.run(
        command, cwd=TOP, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False
    )
    assert done.returncode == 0, f"{shlex.join(map(str, command))}\n{done.stdout}"
    return done.stdout


@pytest.fixture(scope="module", params=PROGRAMS)
def built(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str, str]:
    """Builds a program in a folder of its own, with all warnings. Returns the program, the PATH, and the expected
    output."""
    source, compilers, output = request.param
    for compiler in compilers.values():
        if shutil.which(compiler) is None:
            pytest.skip(f"{compiler} is not installed")
    folder = tmp_path_factory.mktemp("program")
    path = path_with_generator(folder)
    first, *builds, last = commands(source)
    assert (first, last) == ("PATH=.venv/bin:$PATH", "build/share")
    for command in builds:
        name, arguments = command.split(" ", 1)
        arguments = arguments.replace("build/", f"{folder}/")
        run(["bash", "-euc", f"{compilers[name]} {STRICT} {arguments}"], path)
    return folder / "share", path, output


def test_the_programs_print_the_expected_output(built: tuple[Path, str, str]) -> None:
    program, path, output = built
    assert run([program], path) == output


def test_the_programs_leave_nothing_behind(built: tuple[Path, str, str]) -> None:
    if shutil.which(VALGRIND[0]) is None:
        pytest.skip("valgrind is not installed")
    program, path, output = built
    assert run([*VALGRIND, program], path) == output


def test_the_programs_need_no_python(built: tuple[Path, str, str]) -> None:
    program, path, _ = built
    symbols = run(["nm", program], path)
    assert "dlb_export" in symbols
    assert re.findall(r"\b_?Py\w*|\bdlb_py_\w*", symbols) == []
    assert "libc" in (libraries := run(["ldd", program], path))
    assert "python" not in libraries


@pytest.mark.parametrize("compiler", ["gcc", "clang"])
def test_the_commands_in_the_header_build_and_run_the_extension_module(compiler: str, tmp_path: Path) -> None:
    if shutil.which(compiler) is None:
        pytest.skip(f"{compiler} is not installed")
    path = path_with_generator(tmp_path)
    first, build, shown = commands("examples/python/halves.c")
    assert (first, build[:3]) == ("PATH=.venv/bin:$PATH", "cc ")
    build = build[3:].replace("build/", f"{tmp_path}/")
    run(["bash", "-euc", f"{compiler} {STRICT} {build}"], path)
    name, arguments = shown.replace("=build ", f"={tmp_path} ").split(" python ")
    shown = run(["bash", "-euc", f"{name} {sys.executable} {arguments}"], path)
    assert shown == "<imaging.Image uint8[300, 256, 3] on cpu>\n"
    script = """
import numpy as np, halves
image = halves.Image.empty((3, 5, 4))
np.asarray(image)[:] = np.arange(60).reshape(3, 5, 4)
assert (np.asarray(halves.half(image)) == np.arange(60).reshape(3, 5, 4)[::2, ::2]).all()
try:
    halves.half(np.asarray(image))
except TypeError as error:
    print(error)
"""
    refused = run(["env", f"PYTHONPATH={tmp_path}", sys.executable, "-c", script], path)
    assert refused == "expected imaging.Image, not 'numpy.ndarray'\n"
