"""Generates, compiles under strict flags, links and loads the specs of `specs/` with the real libraries."""

from __future__ import annotations

import ctypes
import os
import shlex
import shutil
import subprocess
import sys
import sysconfig
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from structs.libraries import STRICT, Library
from support.build import (
    CC,
    EXPORTED,
    GATE_FLAGS,
    SANITIZED,
    SANITIZERS,
    TOP,
    compile_c,
    generate,
    import_extension,
    runtime_objects,
)

FOLDER = Path(__file__).resolve().parent
Array = np.ndarray[Any, Any]
Loader = Callable[[str], Library]


@dataclass(frozen=True)
class Real:
    """The requirements of the spec of the same name."""

    header: str
    package: str
    """The package of Debian."""
    config: str | None = None
    """The name for pkg-config; None if `libraries` is all that it needs."""
    libraries: tuple[str, ...] = ()
    sources: tuple[str, ...] = ()
    """Files of this folder, with functions that the tests call beside the library."""


REAL = {
    "avframe": Real("libavutil/frame.h", "libavutil-dev", "libavutil", sources=("frames.c",)),
    "cairo": Real("cairo.h", "libcairo2-dev", "cairo"),
    "cfi": Real("ISO_Fortran_binding.h", "gfortran", sources=("arrays.f90",)),
    "fftw": Real("fftw3.h", "libfftw3-dev", "fftw3"),
    "gdkpixbuf": Real("gdk-pixbuf/gdk-pixbuf.h", "libgdk-pixbuf-2.0-dev", "gdk-pixbuf-2.0"),
    "gsl": Real("gsl/gsl_matrix.h", "libgsl-dev", libraries=("-lgsl", "-lgslcblas", "-lm")),
    "nrrd": Real("teem/nrrd.h", "libteem-dev", libraries=("-lteem",)),
}


def run(*command: str | Path) -> subprocess.CompletedProcess[str]:
    # What is preloaded is for this process.
    environment = {name: value for name, value in os.environ.items() if name != "LD_PRELOAD"}
    return subprocess.run(command, env=environment, capture_output=True, text=True, check=False)


def _output(*command: str) -> str | None:
    """Returns the output of a program; None if the program is missing or fails."""
    if shutil.which(command[0]) is None:
        return None
    result = run(*command)
    return result.stdout.strip() if result.returncode == 0 else None


def header_flags_of(name: str, directory: Path) -> list[str]:
    """Returns the flags that find the headers of a library as system headers, which cause no warnings. Skips the test
    if the headers are missing."""
    real = REAL[name]
    missing = f"no <{real.header}>: apt install {real.package} pkg-config"
    flags: list[str] = []
    if name == "cfi":  # the header lies among those of gcc itself, which are for gcc alone
        found = Path(_output("gfortran", f"-print-file-name=include/{real.header}") or "")
        if not found.is_absolute():
            pytest.skip(missing)
        (directory / "fortran").mkdir()
        (directory / "fortran" / real.header).symlink_to(found)
        flags = ["-isystem", str(directory / "fortran")]
    elif real.config:
        for flag in shlex.split(_output("pkg-config", "--cflags", real.config) or ""):
            flags += ["-isystem", flag.removeprefix("-I")] if flag.startswith("-I") else [flag]
    if _output(*CC, *flags, "-E", "-include", real.header, "-x", "c", os.devnull, "-o", os.devnull) is None:
        pytest.skip(missing)
    return flags


def _linked(name: str) -> list[str]:
    real = REAL[name]
    if name == "cfi":
        return [_output("gfortran", "-print-file-name=libgfortran.so") or ""]
    if real.config:
        return shlex.split(_output("pkg-config", "--libs", real.config) or "")
    return [*real.libraries]


def _object(source: Path, flags: Sequence[str], directory: Path) -> Path:
    target = directory / f"{source.stem}.o"
    if source.suffix == ".f90":
        result = run("gfortran", "-c", "-O1", "-fPIC", "-Wall", "-Werror", f"-J{directory}", source, "-o", target)
        assert result.returncode == 0, result.stderr
    else:
        compile_c([*STRICT, EXPORTED, *flags, f"-I{directory}", "-c", source], target)
    return target


def _of_try(name: str) -> Library | None:
    """Returns the module that `dlpack-bindgen try` has built and imported, if it runs these tests."""
    if "DLB_CHECKED_LOG" not in os.environ:
        return None
    module = sys.modules[name]
    path = Path(str(module.__file__))
    spec = (TOP / "specs" / f"{name}.yaml").read_text(encoding="utf-8")
    return Library(module, path, ctypes.PyDLL(str(path)), _prefix(spec))


def load(name: str, directory: Path) -> Library:
    if (checked := _of_try(name)) is not None:
        return checked
    flags = header_flags_of(name, directory)
    spec = (TOP / "specs" / f"{name}.yaml").read_text(encoding="utf-8")
    sources = [path for path in generate(spec, directory, f"{name}.yaml") if path.suffix == ".c"]
    sources += [FOLDER / source for source in REAL[name].sources]
    objects = [_object(source, flags, directory) for source in sources]
    path = directory / f"{name}{sysconfig.get_config_var('EXT_SUFFIX')}"
    added = [*(SANITIZERS if SANITIZED else []), *GATE_FLAGS]
    # The tests reach the library through the extension, whether or not that calls it.
    libraries = ["-Wl,--no-as-needed", *_linked(name)]
    subprocess.run([*CC, "-shared", *added, *objects, *runtime_objects(), *libraries, "-o", path], check=True)
    return Library(import_extension(name, path), path, ctypes.PyDLL(str(path)), _prefix(spec))


def _prefix(spec: str) -> str:
    return next(line.split()[1] for line in spec.splitlines() if line.startswith("prefix:"))


def count(*shape: int, dtype: Any = np.float64) -> Array:
    return np.arange(np.prod(shape, dtype=int)).astype(dtype).reshape(shape)


def frozen(array: Array) -> Array:
    array.flags.writeable = False
    return array


def without_gil(library: Library, function: str, pointer: ctypes.c_void_p) -> None:
    """Calls a function that returns nothing on another thread, which does not hold the GIL."""
    called = ctypes.CDLL(str(library.path))[function]
    called.restype = None
    thread = threading.Thread(target=called, args=[pointer])
    thread.start()
    thread.join()
