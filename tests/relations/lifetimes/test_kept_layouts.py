# SPDX-License-Identifier: MIT
"""Arrays of any layout that an object keeps: buffers of bytes, column-major arrays, strided arrays."""

from __future__ import annotations

import gc
import weakref
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

from support.build import build_module

SPEC = """
module: layouts
include: layouts.h
arrays: Array
handles:
  Reader:
    type: reader
    release: free(self)
    new:
      c: reader *reader_new(const unsigned char *bytes, size_t size)
      args: {bytes: bytes, size: {size_of: bytes}}
      returns: {of: Reader, keeps: bytes}
    properties: {size: self->size}
    methods:
      at: {c: "int reader_at(const reader *r, size_t index)", require: [index < r->size]}
      append:
        c: void reader_set(reader *r, const unsigned char *bytes, size_t size)
        args: {r: {keeps: bytes, replaces: true}, bytes: bytes, size: {size_of: bytes}}
  Solver:
    type: solver
    release: free(self)
    new: {c: solver *solver_new(void)}
    methods:
      columns:
        c: void solver_set(solver *s, const double *x, int m, int n, int ldx)
        args:
          s: {keeps: x, replaces: true}
          x: {require: [column_major]}
          m: {extent_of: x}
          n: {extent_of: x, axis: 1}
          ldx: {value: m}
      padded:
        c: void solver_set(solver *s, const double *x, int m, int n, int ldx)
        args:
          s: {keeps: x, replaces: true}
          m: {extent_of: x}
          n: {extent_of: x, axis: 1}
          ldx: {stride_of: x, axis: 1}
      vector:
        c: void solver_set_vector(solver *s, const double *x, int n, ptrdiff_t inc)
        args: {s: {keeps: x, replaces: true}, n: {count_of: x}, inc: {stride_of: x, negative: true}}
      sum: {c: double solver_sum(const solver *s)}
"""
HEADER = Path(__file__).with_name("layouts.h").read_text()


@pytest.fixture(scope="module")
def lib(tmp_path_factory: pytest.TempPathFactory) -> ModuleType:
    return build_module("layouts", SPEC, tmp_path_factory.mktemp("layouts"), HEADER)


def weighted(x: np.ndarray) -> float:
    columns_first = np.asarray(x).ravel(order="F")
    return float((np.arange(1, columns_first.size + 1) * columns_first).sum())


class Watched(np.ndarray):
    """An array that can be referenced weakly."""


@pytest.mark.parametrize(
    "buffer",
    [
        b"Abcd",
        bytearray(b"Abcd"),
        memoryview(b"xAbcd")[1:],
        np.frombuffer(b"Abcd", np.uint8),
        np.frombuffer(b"Abcd", np.uint16),
        np.frombuffer(b"Abcd", np.uint8).reshape(2, 2),
    ],
    ids=["bytes", "bytearray", "memoryview", "array", "wider elements", "two axes"],
)
def test_buffers_are_kept_as_bytes(lib: ModuleType, buffer: object) -> None:
    reader = lib.Reader(buffer)
    del buffer
    gc.collect()
    assert (reader.size, bytes(map(reader.at, range(4)))) == (4, b"Abcd")
    reader.append(b"Ef")
    assert (reader.size, bytes(map(reader.at, range(2)))) == (2, b"Ef")


def test_a_buffer_is_released_with_the_object(lib: ModuleType) -> None:
    array = np.zeros(4, np.uint16).view(Watched)
    alive, reader = weakref.ref(array), lib.Reader(array)
    del array
    gc.collect()
    assert alive() is not None
    del reader
    gc.collect()
    assert alive() is None


@pytest.mark.parametrize("buffer", [np.zeros(4, np.uint8)[::2], "text", [1, 2], None], ids=type)
def test_objects_without_contiguous_bytes_are_refused(lib: ModuleType, buffer: object) -> None:
    with pytest.raises((TypeError, BufferError), match=r"^Reader\(\) argument 'bytes'"):
        lib.Reader(buffer)


@pytest.mark.parametrize(
    ("method", "x"),
    [
        ("columns", np.asfortranarray(np.arange(6.0).reshape(2, 3))),
        ("columns", np.arange(6.0).reshape(3, 2).T),
        ("padded", np.arange(6.0).reshape(3, 2).T),
        ("padded", np.arange(12.0).reshape(3, 4).T[1:3, ::2]),
        ("vector", np.arange(6.0)),
        ("vector", np.arange(6.0)[::2]),
        ("vector", np.arange(6.0)[::-2]),
    ],
)
def test_arrays_of_the_required_layout_are_kept(lib: ModuleType, method: str, x: np.ndarray) -> None:
    solver, wanted = lib.Solver(), weighted(x)
    getattr(solver, method)(x.view(Watched))
    del x
    gc.collect()
    assert solver.sum() == wanted


@pytest.mark.parametrize("method", ["columns", "padded"])
def test_row_major_arrays_are_refused_where_columns_are_required(lib: ModuleType, method: str) -> None:
    with pytest.raises(BufferError, match=rf"^{method}\(\) argument 'x': the array must be compact \(column-major\)"):
        getattr(lib.Solver(), method)(np.arange(6.0).reshape(2, 3))


def test_own_arrays_are_kept(lib: ModuleType) -> None:
    x = np.arange(12.0).reshape(3, 4).T[1:3, ::2]
    solver = lib.Solver()
    solver.padded(lib.Array.from_dlpack(x))
    assert solver.sum() == weighted(x)
