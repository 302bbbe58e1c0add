"""Lengths that are read from other arrays: of what is known to be so long."""

from __future__ import annotations

from types import ModuleType

import numpy as np
import pytest

from support.build import build_module

SPEC = """
dlpack-bindgen: 1
module: lengths
include: lengths.h
functions:
  last:
    c: double last(const double *values, const int *offsets, int n)
    args: {values: {require: [{count: "offsets[n]"}]}, offsets: {require: [{count: n + 1}]}, n: int}
  rows:
    c: int rows(const int *offsets, int n)
    args: {n: {count_of: offsets, plus: -1}}
  columns:
    c: int rows(const int *offsets, int n)
    args: {n: {extent_of: offsets, axis: 1, plus: -2}, offsets: {of: array, require: [{ndim: 2}]}}
  twice:
    c: int twice(const int *offsets, int n, int k, const double *values)
    args: {n: {count_of: offsets}, k: {value: "2 * offsets[n - 1]"}, values: {require: [{count: k}]}}
  first:
    c: int first(const int *offsets, int k)
    args: {offsets: {require: [{count: 2}]}, k: {value: "offsets[0]"}}
  chain:
    c: int chain(const int *x, const int *y, int n, int m, int k)
    args:
      n: {value: "x[0]"}
      x: {require: [{count: m}]}
      m: {value: "y[0]"}
      y: {require: [{count: k}]}
      k: {value: "1"}
  fill:
    c: void fill(char **made)
    args: {made: {out: true, of: bytes, size: strlen(made)}}
"""
HEADER = """
#include <string.h>
static inline double last(const double *values, const int *offsets, int n) { return values[offsets[n] - 1]; }
static inline int rows(const int *offsets, int n) { (void)offsets; return n; }
static inline int twice(const int *offsets, int n, int k, const double *values)
{
    (void)offsets, (void)n, (void)values;
    return k;
}
static inline int first(const int *offsets, int k) { (void)offsets; return k; }
static inline int chain(const int *x, const int *y, int n, int m, int k)
{
    (void)x, (void)y, (void)k;
    return 10 * n + m;
}
static inline void fill(char **made) { *made = "abc"; }
"""


@pytest.fixture(scope="module")
def lengths(tmp_path_factory: pytest.TempPathFactory) -> ModuleType:
    return build_module("lengths", SPEC, tmp_path_factory.mktemp("lengths"), HEADER)


def test_a_length_is_read_from_an_array_that_is_long_enough(lengths: ModuleType) -> None:
    offsets = np.array([0, 1, 3], np.int32)
    assert lengths.last([1.0, 2.0, 3.0], offsets, 2) == 3.0
    with pytest.raises(ValueError, match=r"argument 'values' must have 3 elements, not 1"):
        lengths.last([1.0], offsets, 2)
    with pytest.raises(ValueError, match=r"argument 'offsets' must have 10000001 elements, not 3"):
        lengths.last([1.0], offsets, 10_000_000)


def test_an_array_is_as_long_as_what_is_subtracted(lengths: ModuleType) -> None:
    assert lengths.rows(np.zeros(1, np.int32)) == 0
    with pytest.raises(ValueError, match=r"rows\(\) argument 'offsets' is of length 0, which must be 1 at least"):
        lengths.rows(np.zeros(0, np.int32))
    assert lengths.columns(np.zeros((5, 2), np.int32)) == 0
    with pytest.raises(ValueError, match=r"argument 'offsets' is of length 1, which must be 2 at least"):
        lengths.columns(np.zeros((5, 1), np.int32))


def test_a_length_that_is_computed_once_others_are_known(lengths: ModuleType) -> None:
    assert lengths.twice([7, 1], [1.0, 2.0]) == 2
    with pytest.raises(ValueError, match=r"argument 'values' must have 2 elements, not 3"):
        lengths.twice([7, 1], [1.0, 2.0, 3.0])


def test_a_value_is_read_from_an_array_that_is_long_enough(lengths: ModuleType) -> None:
    assert lengths.first([3, 4]) == 3
    with pytest.raises(ValueError, match=r"argument 'offsets' must have 2 elements, not 0"):
        lengths.first(np.zeros(0, np.int32))


def test_each_value_comes_after_the_length_of_what_it_reads(lengths: ModuleType) -> None:
    assert lengths.chain([7, 0], [2]) == 72
    with pytest.raises(ValueError, match=r"argument 'y' must have 1 element, not 0"):
        lengths.chain([7, 0], [])
    with pytest.raises(ValueError, match=r"argument 'x' must have 2 elements, not 1"):
        lengths.chain([7], [2])


def test_bytes_that_say_themselves_how_many_they_are(lengths: ModuleType) -> None:
    assert lengths.fill() == b"abc"
