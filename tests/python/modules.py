# SPDX-License-Identifier: MIT
"""Fixtures for the extension modules, which are built once for all tests, and for new objects of them."""

from __future__ import annotations

import gc
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from python import builds
from python.framing import Framed
from python.tensors import Managed, Probe
from support.build import import_extension
from support.shared import run_folder


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Returns the folder of the modules, for all processes of a run; on the path of subprocesses, it lets them import
    the same files. DLB_MODULES names a folder that outlives the run, so that another Python finds the modules of this
    one."""
    kept = os.environ.get("DLB_MODULES")
    if kept is None:
        return run_folder(tmp_path_factory, "modules")
    Path(kept).mkdir(parents=True, exist_ok=True)
    return Path(kept).resolve()


@pytest.fixture(scope="session")
def imaging(folder: Path) -> ModuleType:
    return import_extension("imaging", builds.imaging(folder))


@pytest.fixture(scope="session")
def gsl(folder: Path) -> ModuleType:
    return import_extension("gsl", builds.gsl(folder))


@pytest.fixture(scope="session")
def lab(folder: Path) -> ModuleType:
    return import_extension("lab", builds.lab(folder))


@pytest.fixture(scope="session")
def frames(folder: Path) -> ModuleType:
    return import_extension("frames", builds.frames(folder))


@pytest.fixture(scope="session")
def stocked(folder: Path) -> ModuleType:
    """Builds and imports the module that stock.py describes."""
    return import_extension("stock", builds.stock(folder))


@pytest.fixture(scope="session")
def scripted(folder: Path) -> ModuleType:
    return import_extension("scripted", builds.scripted(folder))


@pytest.fixture
def table(scripted: ModuleType) -> Callable[..., object]:
    """Makes a capsule of a chain of tables of these majors; `without` names a function that is NULL."""

    def make(*majors: int, without: str = "") -> object:
        return scripted.table(without, *(majors or (1,)))

    return make


@pytest.fixture
def frame(frames: ModuleType) -> Iterator[Callable[..., Framed]]:
    """Makes frames of 3 planes with 4 rows and 6 columns; in the end, none may be left."""
    made: list[Framed] = []
    frames.counts()
    frames.log()

    def make(planes: int = 3, rows: int = 4, columns: int = 6, **fields: int) -> Framed:
        made.append(Framed(frames, planes, rows, columns, fields))
        return made[-1]

    yield make
    for one in made:
        frames.unref(one.address)
    gc.collect()  # exceptions that the test caught refer to its objects
    assert frames.counts()[2:] == (0, 0), "a frame was not released, or without the GIL"


@pytest.fixture(scope="session")
def producer_module(folder: Path) -> ModuleType:
    return import_extension("producer", builds.producer(folder))


@pytest.fixture
def producer(producer_module: ModuleType) -> ModuleType:
    """Provides the producer, with an empty record."""
    gc.collect()  # exceptions that other tests caught refer to its capsules
    producer_module.record()
    return producer_module


@pytest.fixture
def managed(producer: ModuleType) -> Callable[..., Managed]:
    """Makes managed tensors of the producer."""

    def make(versioned: bool = True, **fields: Any) -> Managed:
        return Managed(producer, versioned, **fields)

    return make


class Subject:
    """A Python object and the struct behind it."""

    def __init__(self, object_: Any, struct: Probe) -> None:
        self.object = object_
        self.struct = struct


@pytest.fixture
def subject(lab: ModuleType) -> Iterator[Callable[..., Subject]]:
    """Makes a `lab` object whose struct can be changed; in the end, none of the structs may be left."""
    living = lab.counts()[2]

    def make(
        shape: tuple[int, ...] = (2, 3),
        strides: tuple[int, ...] | None = None,
        dtype: str = "float32",
        kind: str = "Moved",
        nbytes: int = 1024,
    ) -> Subject:
        address = lab.new(nbytes)
        struct = Probe.from_address(address)
        struct.dtype = builds.DTYPES.index(dtype) + 1
        struct.set_axes(shape, strides)
        made = Subject(lab.wrap(kind, address), struct)
        if kind == "Counted":
            lab.unref(address)
        return made

    yield make
    if lab.counts()[2] != living:
        gc.collect()  # exceptions that the test caught refer to its objects
    assert lab.counts()[2] == living, "a struct was not released"


@pytest.fixture
def rows(lab: ModuleType) -> Iterator[tuple[Any, Probe]]:
    """Provides a `Rows` object and its probe: the extents are unsigned, the stride is in bytes, and it is never
    read-only."""
    address = lab.new(1024)
    struct = Probe.from_address(address)
    struct.rows, struct.shape[1], struct.row_bytes = 2, 3, 16
    yield lab.wrap("Rows", address), struct
    lab.unref(address)
