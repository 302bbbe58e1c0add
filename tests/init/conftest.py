"""Specs that `init` writes, and the compiler for what the generator makes of them."""

from __future__ import annotations

import subprocess
from collections.abc import Sequence
from pathlib import Path

from dlpack_bindgen.cli import main
from support.build import CC, SANITIZED, compiler_environment, generate, header_flags

# libclang leaves memory behind, and runs no code of the runtime.
collect_ignore_glob = ["test_*.py"] if SANITIZED else []

FOLDER = Path(__file__).resolve().parent
HEADERS = FOLDER / "headers"
STRICT = ("-std=c11", "-Wall", "-Wextra", "-Werror")


def initialised(output: Path, header: str, *arguments: str, flags: Sequence[str] = ()) -> str:
    """Returns the spec that `init` writes for a header."""
    assert main(["init", header, *arguments, "-o", str(output), *(["--", *flags] if flags else [])]) == 0
    return output.read_text(encoding="utf-8")


def described(folder: Path, name: str, header: str) -> str:
    """Writes a header, and returns the spec that `init` writes for it."""
    (folder / name).write_text(header)
    return initialised((folder / name).with_suffix(".yaml"), str(folder / name))


def compile_generated(spec: str, directory: Path, flags: Sequence[str]) -> None:
    """Generates the files of a spec, and checks them with the compiler."""
    sources = [str(path) for path in generate(spec, directory) if path.name.endswith(".c")]
    includes = [f"-I{directory}", *header_flags(), *flags]
    command = [*CC, "-fsyntax-only", *STRICT, *includes, *sources]
    result = subprocess.run(command, capture_output=True, text=True, check=False, env=compiler_environment())
    assert result.returncode == 0, result.stderr
