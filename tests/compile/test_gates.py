"""The first error tells which parts do not fit together: an old dlpack.h, another runtime, another Python."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from dlpack_bindgen.emit.module import OUTPUT_FORMAT
from support.build import CC, RUNTIME, TOP, header_flags


def first_error(flags: list[str | Path], source: str) -> str:
    command = [*CC, "-std=c11", "-fsyntax-only", *map(str, flags), "-xc", "-"]
    result = subprocess.run(command, input=source, capture_output=True, text=True, check=False)
    assert result.returncode != 0, "it compiles"
    found = re.search(r"error: (.*)", result.stderr)
    assert found, result.stderr
    return found[1]


@pytest.mark.parametrize(
    ("version", "complaint"),
    [
        ("#define DLPACK_VERSION 80", "older than 1.0"),
        ("#define DLPACK_MAJOR_VERSION 1\n#define DLPACK_MINOR_VERSION 2", "older than 1.3"),
        ("#define DLPACK_MAJOR_VERSION 2\n#define DLPACK_MINOR_VERSION 0", "another major version"),
    ],
)
def test_an_unfit_dlpack_header_is_refused(version: str, complaint: str, tmp_path: Path) -> None:
    (tmp_path / "dlpack").mkdir()
    (tmp_path / "dlpack" / "dlpack.h").write_text(version + "\n")
    error = first_error([f"-I{tmp_path}", f"-I{RUNTIME}"], '#include "dlb_core.h"\n')
    assert complaint in error and "first among the -I flags" in error


@pytest.mark.parametrize(
    ("macro", "step", "complaint"),
    [
        ("DLB_OLDEST_FORMAT", 1, "older than the runtime: run `dlpack-bindgen generate` again"),
        ("DLB_FORMAT", -1, "newer than the runtime: update the runtime"),
    ],
)
def test_files_and_runtime_of_different_ages_are_refused(macro: str, step: int, complaint: str, tmp_path: Path) -> None:
    pattern = rf"(#define {macro}) \d+\n"
    changed, count = re.subn(pattern, rf"\1 {OUTPUT_FORMAT + step}\n", (RUNTIME / "dlb_core.h").read_text())
    assert count == 1
    (tmp_path / "dlb_core.h").write_text(changed)
    folders = [f"-I{tmp_path}", f"-I{TOP / 'examples/imaging'}", f"-I{TOP / 'generated/imaging'}"]
    assert complaint in first_error([*folders, *header_flags()], '#include "imaging_dlpack.h"\n')


def test_files_of_the_first_release_are_refused() -> None:
    """These files include `dlb_runtime.h`, and compare formats later."""
    assert "run `dlpack-bindgen generate` again" in first_error(header_flags(), '#include "dlb_runtime.h"\n')


def test_the_runtime_has_the_output_format_of_the_generator() -> None:
    assert f"#define DLB_FORMAT {OUTPUT_FORMAT}\n" in (RUNTIME / "dlb_core.h").read_text()


@pytest.mark.parametrize(("macro", "python"), [("PYPY_VERSION", "PyPy"), ("GRAALVM_PYTHON", "GraalPy")])
@pytest.mark.parametrize("source", ["dlb_call.h", "dlb_object.c"])
@pytest.mark.parametrize("compiler", ["gcc", "clang"])
def test_headers_of_another_python_are_one_error(compiler: str, source: str, macro: str, python: str) -> None:
    """The compilers would go on, and report every member that objects of CPython alone have."""
    if shutil.which(compiler) is None:
        pytest.skip(f"needs {compiler}")
    command = [compiler, "-std=c11", "-fsyntax-only", f'-D{macro}="1"', *header_flags(), "-xc", "-"]
    result = subprocess.run(command, input=f'#include "{source}"\n', capture_output=True, text=True, check=False)
    errors = re.findall(r" error: (.*)", result.stderr)
    assert result.returncode != 0 and len(errors) == 2
    assert f"the runtime needs CPython: the headers are those of {python}" in errors[0]
    assert "CPython.h" in errors[1]
