# SPDX-License-Identifier: MIT
"""The specs of this repository that `make try-specs` and `make try-seeded` run, with the arguments of each."""

from __future__ import annotations

import shlex
import shutil
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

TOP = Path(__file__).resolve().parents[2]
BUILD = TOP / "build" / "try"
TESTS = TOP / "tests" / "libraries"
EXPORTED = ("-DDLB_EXPORT", "-Wl,--no-as-needed")
"""Flags for modules whose C functions, and those of the library, are called by tests with ctypes."""


@dataclass(frozen=True)
class Library:
    """A spec, and how its library is compiled or linked."""

    name: str
    package: str
    """The package of Debian; empty: the sources are in this repository."""
    spec: str
    """The path in the repository."""
    sources: tuple[str, ...] = ()
    """The C files that are compiled together with the module, as paths in the repository."""
    flags: tuple[str, ...] = ()
    config: str | None = None
    """The name for pkg-config."""
    tests: tuple[str, ...] = ()
    """The values of `--with`."""
    members: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """The integer members of each C type. `make try-seeded` exchanges them."""
    itemsize: str = "8"
    """A C expression for the size of an element."""


LIBRARIES = (
    Library(
        "imaging",
        "",
        "specs/imaging.yaml",
        ("examples/imaging/image.c", "examples/imaging/image_bmp.c", "examples/imaging/image_ops.c"),
        ("-Iexamples/imaging",),
        members={"image_t": ("self->width", "self->height", "self->channels", "self->pitch")},
        itemsize="1",
    ),
    Library("sound", "", "examples/template/sound.yaml", ("examples/template/clip.c",), ("-Iexamples/template",)),
    Library(
        "gsl",
        "libgsl-dev",
        "specs/gsl.yaml",
        flags=("-lgsl", "-lgslcblas", "-lm"),
        members={
            "gsl_matrix": ("self->size1", "self->size2", "self->tda", "self->owner"),
            "gsl_vector": ("self->size", "self->stride", "self->owner"),
            "gsl_permutation": ("self->size",),
        },
    ),
    Library(
        "nrrd",
        "libteem-dev",
        "specs/nrrd.yaml",
        flags=("-lteem",),
        members={"Nrrd": ("self->dim", "self->spaceDim", "self->axis[axis].size", "self->axis[axis].center")},
    ),
    Library(
        "gdkpixbuf",
        "libgdk-pixbuf-2.0-dev",
        "specs/gdkpixbuf.yaml",
        flags=EXPORTED,
        config="gdk-pixbuf-2.0",
        tests=(f"pytest -q {TESTS / 'test_gdkpixbuf.py'}",),
    ),
    Library("fftw", "libfftw3-dev", "specs/fftw.yaml", config="fftw3"),
    Library(
        "cairo",
        "libcairo2-dev",
        "specs/cairo.yaml",
        flags=EXPORTED,
        config="cairo",
        tests=(f"pytest -q {TESTS / 'test_cairo.py'}",),
    ),
    Library(
        "avframe",
        "libavutil-dev",
        "specs/avframe.yaml",
        ("tests/libraries/frames.c",),
        EXPORTED,
        config="libavutil",
        tests=(f"pytest -q {TESTS / 'test_avframe.py'}",),
    ),
    Library("cfi", "gfortran", "specs/cfi.yaml", tests=(f"pytest -q {TESTS / 'test_cfi.py'}",)),
)
"""Those of the repository first; the order of the results."""


def library(name: str) -> Library:
    """Returns the library of a name. Exits if there is none."""
    found = next((each for each in LIBRARIES if each.name == name), None)
    if found is None:
        sys.exit(f"there is no spec '{name}'; there are: {', '.join(each.name for each in LIBRARIES)}")
    return found


def arguments(of: Library) -> list[str]:
    """Returns what follows `--` in the command. Exits if the library is not installed."""
    found = [str(TOP / source) for source in of.sources]
    found += [f"-I{TOP / flag[2:]}" if flag.startswith("-I") else flag for flag in of.flags]
    if of.config is not None:
        done = subprocess.run(["pkg-config", "--cflags", "--libs", of.config], capture_output=True, text=True)
        if done.returncode != 0:
            sys.exit(f"{of.name}: pkg-config does not know {of.config}: apt install {of.package} pkg-config")
        found += shlex.split(done.stdout)
    return [*found, *_of_fortran()] if of.name == "cfi" else found


def _of_fortran() -> list[str]:
    """Compiles the procedures of the tests, and returns the arguments: the header of gfortran lies among those of gcc
    itself, so a folder of its own has a link to it."""
    if shutil.which("gfortran") is None:
        sys.exit("cfi: there is no gfortran: apt install gfortran")
    folder = BUILD / "fortran"
    (folder / "include").mkdir(parents=True, exist_ok=True)
    header = _printed("-print-file-name=include/ISO_Fortran_binding.h")
    link = folder / "include" / Path(header).name
    link.unlink(missing_ok=True)
    link.symlink_to(header)
    made = folder / "arrays.o"
    command = ["gfortran", "-c", "-O1", "-g", "-fPIC", f"-J{folder}", str(TESTS / "arrays.f90"), "-o", str(made)]
    subprocess.run(command, check=True)
    flags = ["-isystem", str(folder / "include"), *EXPORTED]
    return [str(made), *flags, _printed("-print-file-name=libgfortran.so")]


def _printed(argument: str) -> str:
    return subprocess.run(["gfortran", argument], capture_output=True, text=True, check=True).stdout.strip()
