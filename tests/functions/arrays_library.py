"""The module of the library `arrays`, and objects of its classes."""

from __future__ import annotations

from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from support.build import SUFFIX, build_extension, import_extension
from support.shared import build_once, run_folder

HERE = Path(__file__).resolve().parent
SPEC = HERE / "arrays.yaml"

Doubles = np.ndarray[tuple[int, ...], np.dtype[np.float64]]


@pytest.fixture(scope="session")
def arrays_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Gives the folder of the module. With it on the path, subprocesses import the same file."""
    folder = run_folder(tmp_path_factory, "arrays")
    sources = [HERE / "arrays.c", HERE / "arrays_bare.c", HERE.parent / "python" / "scarcity.c"]
    flags = [f"-I{HERE}", "-pthread", "-Wl,--wrap=malloc"]
    spec = SPEC.read_text(encoding="utf-8")
    path = folder / f"arrays{SUFFIX}"
    build_once(path, lambda: build_extension("arrays", spec, folder, sources=sources, flags=flags))
    return folder


@pytest.fixture(scope="session")
def arrays(arrays_folder: Path) -> ModuleType:
    (path,) = arrays_folder.glob("arrays*.so")
    return import_extension("arrays", path)


def address(array: np.ndarray) -> int:
    return array.__array_interface__["data"][0]


def numbers(*shape: int) -> Doubles:
    """Returns the array 1, 2, 3, ..., which is not a view of another array."""
    return np.arange(1.0, 1 + np.prod(shape)).reshape(shape).copy()


def matrix(arrays: ModuleType, rows: int = 3, columns: int = 4, stride: int | None = None) -> tuple[Any, Doubles]:
    """Returns an object of 1, 2, 3, ... with the given distance of rows, and the array that it was made of."""
    array = numbers(rows, stride or columns)[:, :columns]
    return arrays.Matrix.from_dlpack(array), array


def read_only(array: np.ndarray) -> np.ndarray:
    view = array[...]
    view.flags.writeable = False
    return view
