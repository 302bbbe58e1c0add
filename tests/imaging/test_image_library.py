# SPDX-License-Identifier: MIT
"""Tests the example image library from C, without Python and DLPack."""

import os
import shlex
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

import pytest

HERE = Path(__file__).resolve().parent
LIBRARY = HERE.parents[1] / "examples" / "imaging"
SOURCES = ("image.c", "image_bmp.c", "image_ops.c")
WARNINGS = (
    "-Wall -Wextra -Wpedantic -Wconversion -Wsign-conversion -Wshadow -Wstrict-prototypes "
    "-Wmissing-prototypes -Wundef -Wvla -Werror"
).split()
SANITIZERS = ["-fsanitize=address,undefined", "-fno-sanitize-recover=all"]
# The test program defines these, so that it can make them fail.
ALLOCATION = [f"-D{name}=test_{name}" for name in ("malloc", "calloc", "aligned_alloc")]


def run(*command: str | Path) -> str:
    """Runs a command without the settings of a sanitizer run of the tests themselves, and returns its output. Fails the
    test if the command fails."""
    environment = {k: v for k, v in os.environ.items() if k not in ("LD_PRELOAD", "ASAN_OPTIONS", "LSAN_OPTIONS")}
    done = subprocess.run(
        command, check=False, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    )
    if done.returncode != 0:
        pytest.fail(f"{shlex.join(map(str, command))} exited with {done.returncode}:\n{done.stdout}")
    return done.stdout


def compiler(variable: str, default: str) -> list[str]:
    """Returns the command of the compiler that an environment variable names, or the default one."""
    return shlex.split(os.environ.get(variable) or default)


def sanitizers(cc: Sequence[str], directory: Path) -> list[str]:
    """Returns the options of the sanitizers; none if a program compiled with them does not run here."""
    program = directory / "probe"
    source = program.with_suffix(".c")
    source.write_text("int main(void) { return 0; }\n")
    commands: list[list[str | Path]] = [[*cc, *SANITIZERS, source, "-o", program], [program]]
    for command in commands:
        if subprocess.run(command, check=False, capture_output=True).returncode != 0:
            return []
    return SANITIZERS


def test_the_library_does_what_its_header_says(tmp_path: Path) -> None:
    cc = compiler("CC", "cc")
    options = ["-std=c11", "-O1", "-g", "-pthread", *sanitizers(cc, tmp_path), f"-I{LIBRARY}"]
    objects = [tmp_path / source.replace(".c", ".o") for source in SOURCES]
    for source, compiled in zip(SOURCES, objects, strict=True):
        run(*cc, *options, *ALLOCATION, "-c", LIBRARY / source, "-o", compiled)
    program = tmp_path / "image_test"
    run(*cc, *options, f"-I{HERE}", *sorted(HERE.glob("*.c")), *objects, "-lm", "-o", program)
    assert run(program, tmp_path).endswith(" checks, 0 failed\n")


def test_the_library_compiles_without_warnings(tmp_path: Path) -> None:
    for source in SOURCES:
        options = ["-std=c11", "-O2", *WARNINGS]
        run(*compiler("CC", "cc"), *options, "-c", LIBRARY / source, "-o", tmp_path / "object.o")


def test_the_header_is_valid_cplusplus(tmp_path: Path) -> None:
    cxx = compiler("CXX", "c++")
    if shutil.which(cxx[0]) is None:
        pytest.skip("no C++ compiler")
    source = tmp_path / "include.cpp"
    source.write_text('#include "image.h"\nint height(const image_t *image);\n')
    warnings = [w for w in WARNINGS if w not in ("-Wstrict-prototypes", "-Wmissing-prototypes")]
    run(*cxx, "-std=c++17", *warnings, f"-I{LIBRARY}", "-c", source, "-o", tmp_path / "include.o")
