"""The stubs of libraries with functions agree with the modules."""

from __future__ import annotations

from pathlib import Path

import pytest

from structs.libraries import Library
from support.stubs import check_stubs

pytest.importorskip("mypy")


def test_stubs_agree_with_the_modules(gsl: Library, fftw: Library, tmp_path: Path) -> None:
    left_out = [r"gsl\.MatrixC128\.set_all", r"gsl\.VectorC128\.scale"]
    check_stubs({"gsl": gsl.path, "fftw": fftw.path}, tmp_path, left_out)
