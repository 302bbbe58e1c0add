"""Strides that C counts in bytes, whatever the elements are."""

from __future__ import annotations

from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

from support.build import build_module

SPEC = """
dlpack-bindgen: 1
module: byte_strides
include: byte_strides.h
tensors:
  Nibbles:
    type: nibbles
    data: self->data
    dtype: uint4
    shape: [3, self->columns]
    release: free(self)
    new: {c: nibbles *nibbles_new(int columns)}
functions:
  sum:
    c: double sum(const float *x, int h, int w, int pitch)
    args: {h: {extent_of: x}, w: {extent_of: x, axis: 1}, pitch: {stride_of: x, unit: bytes, negative: true}}
  first_of_rows:
    c: double first_of_rows(const float *x, int h, int pitch, int step)
    args:
      x: {of: array, require: [{ndim: 2}]}
      h: {extent_of: x}
      pitch: {stride_of: x, unit: bytes, negative: true}
      step: {stride_of: x, axis: 1}
  any:
    c: int any(const void *x, int h, int w, int pitch, int step)
    args:
      x: {of: array, optional: true}
      h: {extent_of: x}
      w: {extent_of: x, axis: 1}
      pitch: {stride_of: x, unit: bytes, plus: 1}
      step: {stride_of: x, axis: 1, unit: bytes}
  rows:
    c: int rows(const void *x, int pitch)
    args: {x: {of: array, require: [{ndim: 2}]}, pitch: {stride_of: x, unit: bytes}}
  narrow:
    c: int narrow(const double *x, int h, int w, signed char pitch)
    args: {h: {extent_of: x}, w: {extent_of: x, axis: 1}, pitch: {stride_of: x, unit: bytes}}
"""
HEADER = Path(__file__).with_name("byte_strides.h").read_text()


@pytest.fixture(scope="module")
def lib(tmp_path_factory: pytest.TempPathFactory) -> ModuleType:
    return build_module("byte_strides", SPEC, tmp_path_factory.mktemp("byte_strides"), HEADER)


@pytest.mark.parametrize("part", [np.s_[:], np.s_[:, 1:4], np.s_[::2, 2:], np.s_[::-1, :3]], ids=str)
def test_c_finds_rows_by_byte_strides(lib: ModuleType, part: tuple[slice, ...]) -> None:
    x = np.arange(35, dtype=np.float32).reshape(5, 7)[part]
    assert lib.sum(x) == x.sum()


@pytest.mark.parametrize("dtype", ["uint8", "int16", "float64", "complex128"])
def test_the_dtype_of_the_array_says_how_many(lib: ModuleType, dtype: str) -> None:
    x = np.zeros((4, 6), dtype)[:, ::2]
    assert lib.any(x) == 1000 * (x.strides[0] + 1) + x.strides[1]
    assert lib.any(None) == 1000


def test_a_stride_that_the_parameter_cannot_hold_is_refused(lib: ModuleType) -> None:
    assert lib.narrow(np.zeros((3, 15))) == 120
    with pytest.raises(OverflowError, match="narrow"):
        lib.narrow(np.zeros((3, 16)))


def test_negative_strides_need_a_spec_that_allows_them(lib: ModuleType) -> None:
    x = np.arange(6.0, dtype=np.float32).reshape(2, 3)[::-1]
    assert lib.sum(x) == 15
    with pytest.raises(BufferError, match=r"argument 'x': the array must be without negative strides; it has strides"):
        lib.rows(x)


def test_rows_of_elements_smaller_than_a_byte_need_whole_bytes(lib: ModuleType) -> None:
    assert [lib.rows(lib.Nibbles(columns)) for columns in (2, 4, 6)] == [1, 2, 3]
    with pytest.raises(ValueError, match=r"^rows\(\) argument 'x': the stride of axis 0 is not a number of bytes$"):
        lib.rows(lib.Nibbles(3))


def test_one_of_several_strides_may_be_negative(lib: ModuleType) -> None:
    x = np.array([[1, 2, 3], [4, 5, 6]], np.float32)
    assert lib.first_of_rows(x) == 14
    assert lib.first_of_rows(x[::-1]) == 41
    assert lib.first_of_rows(x[:, ::2]) == 14
    with pytest.raises(BufferError, match=r"first_of_rows\(\) argument 'x' must not run backwards along axis 1"):
        lib.first_of_rows(x[:, ::-1])
