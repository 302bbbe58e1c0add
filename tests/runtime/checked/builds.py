# SPDX-License-Identifier: MIT
"""Builds the library under test and the memory of a checked build, as two shared libraries."""

from __future__ import annotations

import subprocess
from pathlib import Path

from support.build import CC, compiler_environment

HERE = Path(__file__).resolve().parent
STRICT = (
    "-Wall -Wextra -Wpedantic -Wconversion -Wsign-conversion -Wshadow -Wstrict-prototypes -Wmissing-prototypes "
    "-Wundef -Wvla -Werror"
).split()


def compile_shared(output: Path, *arguments: str | Path, compiler: list[str] = CC) -> Path:
    command = [*compiler, "-fPIC", "-g", "-shared", *arguments, "-o", output, "-lpthread", "-ldl"]
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=compiler_environment())
    assert done.returncode == 0, done.stderr
    return output
