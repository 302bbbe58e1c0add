"""Emitted files are C99 too: with `_Generic` as an extension, and within limits for a compiler that has none."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from support.build import SANITIZED, SANITIZERS, TOP, generate, header_flags, runtime_objects

COMPILERS = ["gcc", "clang"]
MODES = {
    "c11": ["-std=c11"],
    "c99": ["-std=c99"],
    "no-generic": ["-std=c99", "-DDLB_NO_GENERIC=1"],
}
STRICT = (
    "-pedantic-errors -Wall -Wextra -Wconversion -Wsign-conversion -Wshadow -DDLB_SHADOW_WARNINGS -Wvla -Werror"
).split()
LIBRARIES = sorted((TOP / "tests" / "structs" / "libraries").glob("*/*.yaml"))
PICTURE = Path(__file__).with_name("picture.h")

# What every mode can say; the spec of the whole language is in `docs/spec.md`.
SPEC = """
dlpack-bindgen: 1
module: right
include: [picture.h]
tensors:
  Picture:
    type: picture_t
    let: [{int rows: self->size.rows}]
    require: [{expr: self->locked == 0, message: the picture is locked}]
    data: self->pixels
    shape: [rows, self->size.columns, self->channels]
    strides: {outer: self->pitch, unit: bytes}
    dtype: {of: self->format, map: {PICTURE_GRAY: uint8, PICTURE_RGB: uint8}}
    device: {of: self->place, map: {PICTURE_HOST: cpu, PICTURE_GPU: cuda}, id: self->device}
    acquire: {do: picture_lock(self), ok: == 0, error: picture_strerror(result)}
    restore: picture_unlock(self)
    release: picture_free(self)
    import:
      require: [{ndim: 3}, inner_compact, writable]
      let: [{int rows: "shape[0]"}, {int columns: "shape[1]"}, {ptrdiff_t pitch: "byte_strides[0]"}]
      construct: picture_wrap(data, rows, columns, pitch)
  Axes:
    type: picture_t
    data: (void *)self->palette
    readonly: 1
    shape: {ndim: self->depth, each: "self->dims[axis]"}
    strides: {each: "self->axis[axis].step", unit: bytes}
    dtype: {c: uint16_t}
"""

# Values on their way to DLPack's types, the same in all modes.
VALUES = Path(__file__).with_name("values.c").read_text()


def skip_unless_installed(compiler: str) -> None:
    if shutil.which(compiler) is None:
        pytest.skip(f"{compiler} is not installed")


def compiled(compiler: str, mode: str, arguments: list[str | Path]) -> None:
    command = [compiler, *MODES[mode], *STRICT, *header_flags(), *map(str, arguments)]
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stderr


@pytest.mark.parametrize("compiler", COMPILERS)
@pytest.mark.parametrize("mode", MODES)
def test_emitted_files_compile(mode: str, compiler: str, tmp_path: Path) -> None:
    skip_unless_installed(compiler)
    shutil.copy(PICTURE, tmp_path)
    generate(SPEC, tmp_path)
    compiled(compiler, mode, [f"-I{tmp_path}", "-O2", "-c", tmp_path / "right_dlpack.c", "-o", tmp_path / "right.o"])


@pytest.mark.parametrize("compiler", COMPILERS)
@pytest.mark.parametrize("mode", MODES)
def test_values_are_the_same_as_in_c11(mode: str, compiler: str, tmp_path: Path) -> None:
    skip_unless_installed(compiler)
    if SANITIZED and compiler != "gcc":
        pytest.skip("the runtime is built with the sanitizers of another compiler")
    source = tmp_path / "values.c"
    source.write_text(VALUES)
    program = tmp_path / "values"
    flags = SANITIZERS if SANITIZED else []
    compiled(compiler, mode, [*flags, f"-I{PICTURE.parent}", source, *runtime_objects("core"), "-o", program])
    result = subprocess.run([program], capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stdout


@pytest.mark.parametrize("compiler", COMPILERS)
@pytest.mark.parametrize("spec", LIBRARIES, ids=lambda path: path.stem)
def test_the_specs_of_the_libraries_compile_as_c99(spec: Path, compiler: str, tmp_path: Path) -> None:
    skip_unless_installed(compiler)
    emitted = next(path for path in generate(spec.read_text(), tmp_path, spec.name) if path.name.endswith("_dlpack.c"))
    flags = "-std=c99 -D_DEFAULT_SOURCE -pedantic-errors -Wall -Wextra -Werror -fsyntax-only".split()
    command = [compiler, *flags, "-isystem", str(spec.parent), f"-I{tmp_path}", *header_flags(), str(emitted)]
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    if re.search("fatal error: .*(No such file|not found)", result.stderr):
        pytest.skip("a header of the library is not installed")
    assert result.returncode == 0, result.stderr
