"""Builds and loads the struct libraries of this folder: each has a header and a spec, most have a source file."""

from __future__ import annotations

import ctypes
import os
import shlex
import shutil
import subprocess
import sysconfig
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from support.build import (
    CC,
    EXPORTED,
    GATE_FLAGS,
    SANITIZED,
    SANITIZERS,
    compiler_environment,
    generate,
    header_flags,
    import_extension,
    runtime_objects,
)
from support.shared import build_once

FOLDER = Path(__file__).resolve().parent / "libraries"
NAMES = sorted(path.name for path in FOLDER.iterdir())
# Libraries of the system: the header that must be there, and what the linker needs.
SYSTEM = {
    "fftw": ("fftw3.h", ["-lfftw3", "-lfftw3f", "-lm"]),
    "hdf": ("hdf5/serial/hdf5.h", ["-lhdf5_serial"]),
    "tiff": ("tiffio.h", ["-ltiff"]),
}
COMPILERS = ["gcc", "clang"]
STRICT = (
    "-std=c11 -Wall -Wextra -Wpedantic -Wconversion -Wsign-conversion -Wshadow -DDLB_SHADOW_WARNINGS "
    "-Wstrict-prototypes -Wmissing-prototypes -Wundef -Wvla -Werror"
).split()


def need(name: str) -> None:
    """Skips the test where the library's header is not installed."""
    header = SYSTEM[name][0] if name in SYSTEM else None
    if (
        header
        and subprocess.run([*CC, "-E", "-"], input=f"#include <{header}>", text=True, capture_output=True).returncode
    ):
        pytest.skip(f"<{header}> is not installed")


def spec_of(name: str) -> str:
    return (FOLDER / name / f"{name}.yaml").read_text(encoding="utf-8")


def compile_strictly(compiler: str, source: Path, target: Path, include: Sequence[Path]) -> None:
    """Compiles a C file with all warnings, also those in headers of the folders in `include`."""
    sanitizers = SANITIZERS if SANITIZED and compiler == "gcc" else []
    own = [f"-I{path}" for path in include]
    command = [
        compiler,
        *STRICT,
        EXPORTED,
        "-O0",
        "-fPIC",
        *sanitizers,
        *GATE_FLAGS,
        *own,
        *header_flags(),
        "-c",
        str(source),
        "-o",
        str(target),
    ]
    result = subprocess.run(command, env=compiler_environment(), capture_output=True, text=True, check=False)
    assert result.returncode == 0, f"{shlex.join(command)}\n{result.stderr}"


def path_in(directory: Path, name: str) -> Path:
    """Returns the path of the extension of one library."""
    return directory / f"{name}{sysconfig.get_config_var('EXT_SUFFIX')}"


def build(name: str, compiler: str, directory: Path) -> Path:
    """Builds the extension of one library, whose C is compiled by `compiler` under strict flags. Returns its path."""
    if shutil.which(compiler) is None:
        pytest.skip(f"{compiler} is not installed")
    need(name)
    sources = [path for path in generate(spec_of(name), directory, f"{name}.yaml") if path.suffix == ".c"]
    sources += sorted((FOLDER / name).glob("*.c"))
    objects = [directory / f"{source.stem}.o" for source in sources]
    with ThreadPoolExecutor(os.cpu_count()) as threads:
        calls = [
            threads.submit(compile_strictly, compiler, source, target, [directory, FOLDER / name])
            for source, target in zip(sources, objects, strict=True)
        ]
    for call in calls:
        call.result()
    path = path_in(directory, name)
    added = [*(SANITIZERS if SANITIZED else []), *GATE_FLAGS]
    libraries = SYSTEM[name][1] if name in SYSTEM else []
    subprocess.run([*CC, "-shared", *added, *objects, *runtime_objects(), *libraries, "-o", path], check=True)
    return path


@dataclass(frozen=True)
class Library:
    """A library with its module; its C functions are called by their names."""

    module: ModuleType
    path: Path
    functions: ctypes.PyDLL
    prefix: str

    def pointer(self, function: str, *arguments: Any) -> ctypes.c_void_p:
        called = self.functions[function]
        called.restype = ctypes.c_void_p
        return ctypes.c_void_p(called(*arguments))

    def number(self, function: str, *arguments: Any, kind: Any = ctypes.c_int) -> Any:
        called = self.functions[function]
        called.restype = kind
        return called(*arguments)

    def wrap(self, tensor: str, *arguments: Any) -> Any:
        """Makes the Python object of a pointer; `tensor` is the name in C."""
        called = self.functions[f"{self.prefix}_{tensor}_wrap"]
        called.restype = ctypes.py_object
        return called(*arguments)

    def unwrap(self, tensor: str, value: Any) -> ctypes.c_void_p:
        return self.pointer(f"{self.prefix}_{tensor}_unwrap", ctypes.py_object(value))


def load(name: str, compiler: str, directory: Path, prefix: str | None = None) -> Library:
    path = build_once(path_in(directory, name), lambda: build(name, compiler, directory))
    return Library(import_extension(name, path), path, ctypes.PyDLL(str(path)), prefix or name)


def int64s(*values: int) -> Any:
    return (ctypes.c_int64 * len(values))(*values)


def memory(array: np.ndarray[Any, Any]) -> ctypes.c_void_p:
    """Returns the address of the elements of `array`, in the form that a C function takes."""
    return ctypes.c_void_p(address(array))


def count(*shape: int, dtype: Any = np.float32) -> np.ndarray[Any, Any]:
    """Returns an array of 0, 1, 2, ..."""
    return np.arange(np.prod(shape, dtype=int)).astype(dtype).reshape(shape)


def address(array: np.ndarray[Any, Any]) -> int:
    return int(array.__array_interface__["data"][0])


def steps(array: np.ndarray[Any, Any]) -> list[int]:
    """Returns the strides in bytes of the axes with more than one element; an empty array has none."""
    axes = zip(array.strides, array.shape, strict=True)
    return [step for step, extent in axes if extent > 1 and array.size > 0]


def assert_same(a: np.ndarray[Any, Any], b: np.ndarray[Any, Any]) -> None:
    """Checks that both arrays are the same view of the same memory."""
    assert (a.shape, a.dtype, steps(a)) == (b.shape, b.dtype, steps(b))
    assert address(a) == address(b) or a.size == 0
    np.testing.assert_array_equal(a, b)
