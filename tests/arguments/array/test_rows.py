"""Tables of pointers to rows: `float **` and its like, of arrays of two axes."""

from __future__ import annotations

from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from python.leaks import assert_no_growth, refused, warm_up
from support.build import build_module

SPEC = """
dlpack-bindgen: 1
module: rows
include: rows.h
arrays: Array
functions:
  mix:
    c: double mix(const float *const *in_, float **out, int channels, int frames, float gain)
    args:
      in_: rows
      channels: {extent_of: in_}
      frames: {extent_of: in_, axis: 1}
      out: {of: rows, default: like in_, require: [{shape: [channels, frames]}]}
      gain: {default: 2}
  trace:
    c: double trace(double **m, int n)
    args: {m: {of: rows, writes: false, optional: true, require: [{shape: [n, n]}]}, n: {extent_of: m}}
    release_gil: true
  stereo:
    c: long stereo(const short *planes[2], size_t frames)
    args: {planes: rows, frames: {extent_of: planes, axis: 1}}
  bytes:
    c: long bytes(void **rows, int h, int w)
    args:
      rows: {of: rows, writes: false, require: [{dtype: uint8}]}
      h: {extent_of: rows}
      w: {extent_of: rows, axis: 1}
  count:
    c: void count(unsigned char **rows, int h, int w)
    args: {h: int, w: int, rows: {of: rows, copy: allowed, require: [{shape: [h, w]}], default: new}}
    keyword_only: [rows]
"""
HEADER = Path(__file__).with_name("rows.h").read_text()


@pytest.fixture(scope="module")
def lib(tmp_path_factory: pytest.TempPathFactory) -> ModuleType:
    return build_module("rows", SPEC, tmp_path_factory.mktemp("rows"), HEADER)


@pytest.mark.parametrize("part", [np.s_[:], np.s_[::-1], np.s_[::2, 1:3], np.s_[:0], np.s_[:, :0]], ids=str)
def test_rows_may_have_any_distance(lib: ModuleType, part: Any) -> None:
    x = np.arange(12, dtype=np.float32).reshape(3, 4)[part]
    total, out = lib.mix(x)
    assert total == x.sum()
    assert np.array_equal(np.asarray(out), 2 * x)


@pytest.mark.parametrize("count", [1, 31, 32, 33, 1000])
def test_few_and_many_rows_are_passed(lib: ModuleType, count: int) -> None:
    x = np.arange(count * 3, dtype=np.float32).reshape(count, 3)
    assert np.array_equal(np.asarray(lib.mix(x, gain=1)[1]), x)


def test_an_output_that_is_given_is_filled_in_place(lib: ModuleType) -> None:
    wide = np.zeros((2, 5), np.float32)
    target = wide[:, 1:3]
    assert lib.mix(np.ones((2, 2), np.float32), target)[1] is target
    assert wide.tolist() == [[0, 2, 2, 0, 0]] * 2


def test_copies_of_rows_are_written_back(lib: ModuleType) -> None:
    target = np.zeros((3, 2), np.uint8).T
    assert lib.count(2, 3, rows=target) is target
    assert target.tolist() == [[0, 1, 2], [3, 4, 5]]
    assert memoryview(lib.count(2, 3)).tolist() == [[0, 1, 2], [3, 4, 5]]


def test_no_rows_and_none_are_passed(lib: ModuleType) -> None:
    assert [lib.trace(np.eye(40)), lib.trace(np.zeros((0, 0))), lib.trace(None), lib.trace()] == [40, 0, -1, -1]


def test_the_number_of_rows_must_be_that_of_the_prototype(lib: ModuleType) -> None:
    assert lib.stereo(np.array([[1, 2], [3, 4]], np.int16)) == 37
    with pytest.raises(ValueError, match=r"^stereo\(\) argument 'planes' must have shape \(2, 2\), not \(3, 2\)$"):
        lib.stereo(np.zeros((3, 2), np.int16))


def test_rows_may_consist_of_bytes(lib: ModuleType) -> None:
    assert lib.bytes(memoryview(bytes(range(6))).cast("B", (2, 3))) == 15


@pytest.mark.parametrize(
    ("x", "exception", "message"),
    [
        (np.zeros((2, 4), np.float32)[:, ::2], BufferError, "must be compact but for"),
        (np.zeros((4, 2), np.float32).T, BufferError, "must be compact but for"),
        (np.zeros(4, np.float32), BufferError, "the array has 1 axis, not 2"),
        (np.zeros((2, 2)), BufferError, "the dtype is float64, not float32"),
        ([[1.0, 2.0]], TypeError, "must be an array, not list"),
    ],
)
def test_arrays_that_have_no_rows_for_c_are_refused(lib: ModuleType, x: Any, exception: type, message: str) -> None:
    with pytest.raises(exception, match=rf"^mix\(\) argument 'in_'.*{message}"):
        lib.mix(x)


def test_tables_of_rows_leak_nothing(lib: ModuleType) -> None:
    many, few = np.zeros((100, 2), np.float32), np.zeros((2, 2), np.float32)

    def everything() -> None:
        lib.mix(many)
        lib.mix(many, many)
        lib.mix(few)
        lib.trace(np.eye(100))
        refused(ValueError, lambda: lib.mix(many, few))()

    warm_up(everything)
    assert_no_growth(everything)
