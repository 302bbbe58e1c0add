"""Specs for the headers of installed libraries: each generates and compiles, as drafted and with its suggestions."""

from __future__ import annotations

import shlex
import subprocess
from pathlib import Path

import pytest

from init.conftest import compile_generated, initialised

TYPES = [
    pytest.param("gsl/gsl_matrix_double.h", "gsl", "    strides: {outer: self->tda, unit: elements}", id="gsl"),
    pytest.param(
        "gdk-pixbuf/gdk-pixbuf.h",
        "gdk-pixbuf-2.0",
        "  - {parameter: GError **error, ok: error == NULL",
        id="gdk-pixbuf",
    ),
    pytest.param("teem/nrrd.h", "", '    shape: {ndim: self->dim, each: "self->axis[axis].size"}', id="teem"),
    pytest.param("hdf5.h", "hdf5", "functions:", id="hdf5"),
]
"""Lines that follow from types alone."""
SUGGESTED = [
    pytest.param("gsl/gsl_statistics_double.h", "gsl", "functions:", id="gsl_statistics"),
    pytest.param("cairo.h", "cairo", "    release: cairo_surface_destroy(self)", id="cairo"),
    pytest.param("libavutil/frame.h", "libavutil", "    release: av_frame_free(&self)", id="libavutil"),
    pytest.param("tiffio.h", "libtiff-4", "    release: TIFFClose(self)", id="tiff"),
    pytest.param("fftw3.h", "fftw3", "    release: fftw_destroy_plan(self)", id="fftw"),
]
"""Lines that follow from suggestions."""


@pytest.mark.parametrize(("header", "package", "line"), TYPES)
def test_a_spec_generates_and_compiles(tmp_path: Path, header: str, package: str, line: str) -> None:
    assert has_line(compiled(tmp_path, header, package), line)


@pytest.mark.parametrize(("header", "package", "line"), SUGGESTED)
def test_an_accepted_spec_generates_and_compiles(tmp_path: Path, header: str, package: str, line: str) -> None:
    assert has_line(compiled(tmp_path, header, package, "--accept"), line)
    assert not has_line(compiled(tmp_path, header, package, "--force"), line)


def has_line(spec: str, start: str) -> bool:
    return any(each.startswith(start) for each in spec.splitlines())


def compiled(folder: Path, header: str, package: str, *arguments: str) -> str:
    """Returns the spec that `init` writes for an installed header, after a check of the C that it gives."""
    flags: list[str] = []
    if package:
        found = subprocess.run(["pkg-config", "--cflags", package], capture_output=True, text=True, check=False)
        if found.returncode != 0:
            pytest.skip(f"{package} is not installed")
        flags = shlex.split(found.stdout)
    elif not Path("/usr/include", header).is_file():
        pytest.skip(f"{header} is not installed")
    spec = initialised(folder / "spec.yaml", header, *arguments, flags=flags)
    compile_generated(spec, folder, flags)
    return spec
