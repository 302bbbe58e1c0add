"""C gets some strides of an array, and relies on the others."""

from __future__ import annotations

from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from support.build import build_module

SPEC = """
dlpack-bindgen: 1
module: stepped
include: stepped.h
functions:
  by_column:
    c: double by_column(int m, int n, const double *a, int lda)
    args: {m: {extent_of: a}, n: {extent_of: a, axis: 1}, lda: {stride_of: a, axis: 1}}
  by_column_ldim:
    c: double by_column(int m, int n, const double *a, int ldim)
    args: {m: {extent_of: a}, n: {extent_of: a, axis: 1}, ldim: {stride_of: a, axis: 1}}
  by_column_leading_dim:
    c: double by_column(int m, int n, const double *a, int leading_dim)
    args: {m: {extent_of: a}, n: {extent_of: a, axis: 1}, leading_dim: {stride_of: a, axis: 1}}
  by_column_copied:
    c: double by_column(int m, int n, const double *a, int lda)
    args: {m: {extent_of: a}, n: {extent_of: a, axis: 1}, lda: {stride_of: a, axis: 1}, a: {copy: allowed}}
  fortran:
    c: double by_column(int m, int n, const double *a, int lda)
    args: {m: {extent_of: a}, n: {extent_of: a, axis: 1}, lda: {value: m}, a: {require: [column_major]}}
  fortran_copied:
    c: int leading(int m, int n, double *a, int lda)
    args:
      m: {extent_of: a}
      n: {extent_of: a, axis: 1}
      lda: {value: m}
      a: {require: [column_major], copy: allowed}
  leading:
    c: int leading(int m, int n, double *a, int lda)
    args: {m: {extent_of: a}, n: {extent_of: a, axis: 1}, lda: {stride_of: a, axis: 1}}
  pixels:
    c: double pixels(const double *p, long h, long w, long row, long pixel)
    args:
      h: {extent_of: p}
      w: {extent_of: p, axis: 1}
      row: {stride_of: p, negative: true}
      pixel: {stride_of: p, axis: 1, negative: true}
      p: {require: [{shape: [h, w, 2]}]}
  planes:
    c: double planes(const double *p, long count, long h, long w, long pitch)
    args:
      count: {extent_of: p}
      h: {extent_of: p, axis: 1}
      w: {extent_of: p, axis: 2}
      pitch: {stride_of: p, axis: 1, unit: elements}
  room:
    c: long room(const unsigned short *p, long size, long h, long w, long pitch)
    args:
      size: {size_of: p}
      h: {extent_of: p}
      w: {extent_of: p, axis: 1}
      pitch: {stride_of: p, unit: bytes, negative: true}
"""
HEADER = Path(__file__).with_name("stepped.h").read_text()


@pytest.fixture(scope="module")
def module(tmp_path_factory: pytest.TempPathFactory) -> ModuleType:
    return build_module("stepped", SPEC, tmp_path_factory.mktemp("stepped"), HEADER)


def count(*shape: int) -> Any:
    return np.arange(1.0, 1 + np.prod(shape)).reshape(shape)


def weighted(x: Any) -> float:
    return float(x.ravel() @ np.arange(1.0, 1 + x.size))


TAKEN = {
    "columns": ("by_column", count(4, 3).T),
    "padded columns": ("by_column", count(4, 7).T[2:5]),
    "some columns": ("by_column", count(4, 3).T[:, ::2]),
    "one row": ("by_column", count(1, 4)),
    "one column": ("by_column", count(4, 1)),
    "no column": ("by_column", count(4, 0)),
    "pixels": ("pixels", count(3, 4, 2)),
    "some pixels": ("pixels", count(6, 8, 3)[::2, ::-1, :2]),
    "turned": ("pixels", count(3, 4, 2).transpose(1, 0, 2)),
    "one row of pixels": ("pixels", count(3, 4, 2)[1:2, ::2]),
    "one pixel per row": ("pixels", count(3, 4, 2)[:, 1:2]),
    "planes": ("planes", count(2, 3, 4)),
    "padded planes": ("planes", count(2, 3, 7)[:, :, 2:6]),
    "one plane": ("planes", count(2, 5, 7)[1:, ::2, :3]),
}
COLUMN = r"compact \(column-major\) but for the outermost axis"
AXES = "compact but for the axes whose strides are passed"
REFUSED = {
    "rows": ("by_column", count(3, 4), COLUMN),
    "one row for all": ("by_column", np.broadcast_to(count(3), (1000, 3)), COLUMN),
    "some rows": ("by_column", count(4, 6).T[::2], COLUMN),
    "one column for all": ("by_column", np.broadcast_to(count(3, 1), (3, 4)), COLUMN),
    "channels apart": ("pixels", count(3, 4, 4)[:, :, ::2], AXES),
    "channels first": ("pixels", count(2, 3, 4).transpose(1, 2, 0), AXES),
    "one channel for all": ("pixels", np.broadcast_to(count(3, 4, 1), (3, 4, 2)), AXES),
    "rows between the planes": ("planes", count(2, 4, 4)[:, :3], AXES),
    "columns apart": ("planes", count(2, 3, 8)[:, :, ::2], AXES),
}


@pytest.mark.parametrize("case", TAKEN)
def test_an_array_whose_strides_fit_is_not_copied(module: ModuleType, case: str) -> None:
    function, x = TAKEN[case]
    assert getattr(module, function)(x) == weighted(x)


@pytest.mark.parametrize("case", REFUSED)
def test_strides_that_c_does_not_get_must_be_those_of_a_compact_array(module: ModuleType, case: str) -> None:
    function, x, missing = REFUSED[case]
    with pytest.raises(BufferError, match=rf"^{function}\(\) argument '[ap]': the array must be {missing}; it has "):
        getattr(module, function)(x)


@pytest.mark.parametrize("function", ["by_column", "by_column_ldim", "by_column_leading_dim"])
def test_a_leading_dimension_is_never_negative(module: ModuleType, function: str) -> None:
    with pytest.raises(BufferError, match=r"argument 'a': the array must be without negative strides; it has "):
        getattr(module, function)(count(4, 3).T[:, ::-1])


def test_arrays_of_other_strides_may_be_copied(module: ModuleType) -> None:
    for x in (count(3, 4), count(8, 9)[::-2, ::3], np.broadcast_to(count(3), (50, 3))):
        assert module.by_column_copied(x) == weighted(x)


@pytest.mark.parametrize(("shape", "lda"), [((4, 1), 4), ((1, 1), 1), ((4, 0), 4), ((0, 0), 1), ((1, 4), 1)])
def test_the_leading_dimension_holds_a_column_where_there_is_but_one(
    module: ModuleType, shape: tuple[int, int], lda: int
) -> None:
    x = np.zeros(shape)
    assert module.leading(x) == lda
    assert (x == 1).all()


def test_docstrings_describe_the_strides(module: ModuleType) -> None:
    text = "`a` is read: an array of float64, of 2 axes, in column-major order, compact but for the outermost axis,"
    assert text in module.by_column.__doc__
    assert "of shape (p.shape[0], p.shape[1], 2), compact but for axis 0 and axis 1" in module.pixels.__doc__


def test_compact_arrays_in_column_major_order_are_accepted(module: ModuleType) -> None:
    for x in (count(4, 3).T, count(1, 4), count(4, 1), count(0, 4), np.asfortranarray(count(3, 5))):
        assert module.fortran(x) == weighted(x)
    for x in (count(4, 3), count(4, 6).T[:3], count(4, 6).T[:, ::2]):
        with pytest.raises(BufferError, match=r"argument 'a': the array must be compact \(column-major\); it"):
            module.fortran(x)
    assert "of 2 axes, in column-major order, compact." in module.fortran.__doc__


def test_arrays_of_other_orders_are_copied_and_written_back(module: ModuleType) -> None:
    for x in (count(4, 3), count(3, 4).T, count(8, 9)[::-2, ::3]):
        before = x.copy()
        module.fortran_copied(x)
        assert (x == before + 1).all()


def test_a_sequence_is_not_accepted_for_an_array_of_two_axes(module: ModuleType) -> None:
    with pytest.raises(TypeError, match=r"^by_column\(\) argument 'a' must be an array, not list$"):
        module.by_column([[1.0, 2.0]])


@pytest.mark.parametrize(
    ("picture", "size"),
    [
        (np.zeros((3, 4), np.uint16), 24),
        (np.zeros((3, 6), np.uint16)[:, :4], 2 * 12 + 8),
        (np.zeros((6, 4), np.uint16)[::2], 2 * 16 + 8),
        (np.zeros((3, 4), np.uint16)[::-1], 24),
        (np.zeros((1, 6), np.uint16)[:, :4], 8),
        (np.zeros((3, 0), np.uint16), 0),
        (np.zeros((0, 4), np.uint16), 0),
    ],
)
def test_the_size_includes_the_gaps_between_rows(module: ModuleType, picture: Any, size: int) -> None:
    assert module.room(picture) == size
