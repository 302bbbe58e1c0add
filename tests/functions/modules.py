"""Fixtures for the modules of `libraries.py` and `arrays_library.py`. A run of the tests builds each module once."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

from functions import libraries
from functions.arrays_library import arrays, arrays_folder
from functions.arrays_producers import tabled
from support.build import SUFFIX, import_extension
from support.shared import build_once, run_folder

__all__ = ["arrays", "arrays_folder", "tabled"]


@pytest.fixture(scope="session")
def calls_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Gives the folder of these modules. With it on the path, subprocesses import the same files."""
    return run_folder(tmp_path_factory, "calls")


def import_module(name: str, folder: Path) -> ModuleType:
    path = build_once(folder / f"{name}{SUFFIX}", lambda: libraries.build(name, folder))
    return import_extension(name, path)


@pytest.fixture(scope="session")
def calls(calls_folder: Path) -> ModuleType:
    """Gives the module with values and signatures of every form."""
    return import_module("calls", calls_folder)


@pytest.fixture(scope="session")
def outcomes_module(calls_folder: Path) -> ModuleType:
    return import_module("outcomes", calls_folder)


@pytest.fixture
def outcomes(outcomes_module: ModuleType) -> Iterator[ModuleType]:
    """Gives the module with results and failures. After each test, no token or string may be left."""
    outcomes_module.counts()
    yield outcomes_module
    gc.collect()  # exceptions that the test caught refer to its objects
    assert outcomes_module.counts()[1] == 0, "a token or a text was not ended, or twice"


@pytest.fixture(scope="session")
def things_module(calls_folder: Path) -> ModuleType:
    return import_module("things", calls_folder)


@pytest.fixture
def things(things_module: ModuleType) -> Iterator[ModuleType]:
    """Gives the module with classes. After each test, none of their objects may be left."""
    yield things_module
    gc.collect()
    left = [getattr(things_module, name)() for name in ("stores", "points", "doors", "blocks")]
    assert left == [0, 0, 0, 0], "an object was not released, or twice"


@pytest.fixture(scope="session")
def named_module(calls_folder: Path) -> ModuleType:
    return import_module("named", calls_folder)
