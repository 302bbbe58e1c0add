"""Lengths that are read from other arrays, which must be long enough."""

from __future__ import annotations

from pathlib import Path
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
  at:
    c: int at(const int *x, int i, int n)
    args: {n: {value: "x[i]"}, x: {of: array}}
  head:
    c: int at(const int *x, int i, int n)
    args: {n: {value: "x[0]"}, x: {of: array}}
  before:
    c: int at(const int *x, int i, int n)
    args: {n: {value: "i > 0 ? x[i - 1] : -1"}, x: {of: array}}
  every_second:
    c: int every_second(const int *x, int stride, int i, int n)
    args: {stride: {stride_of: x, negative: true}, x: {require: [{count: "3"}]}, n: {value: "x[i]"}}
  byte:
    c: int byte(const unsigned char *x, int i, int n)
    args: {x: {of: bytes, require: []}, n: {value: "x[i]"}}
  cell:
    c: int cell(const int x[][3], int rows, int i, int j, int n)
    args: {rows: {extent_of: x}, n: {value: "x[i][j]"}}
  perhaps:
    c: int at(const int *x, int i, int n)
    args: {x: {of: array, optional: true}, i: {default: 0}, n: {value: "x != NULL ? x[i] : -1"}}
  weighted:
    c: int weighted(const int *x, const double *y, int n)
    args: {x: {require: [{count: n}]}, y: {require: [{count: "x[n - 1]"}]}, n: int}
    require: [{expr: "n < 4", message: too many}, {expr: "n < 1 || x[n - 1] > 0", message: no weight}]
  library:
    c: int library(int which, const double *y)
    args: {y: {require: [{count: "known(which)"}]}}
    require: [{expr: "which >= 0 && which < 2", message: no such thing}]
  letter:
    c: int letter(const char *text, int i, int n)
    args: {n: {value: "text[0] != 0 ? text[i] : -1"}}
  part:
    c: const char *part(const int *sizes, int k)
    args: {sizes: {of: array}}
    returns: {of: bytes, size: "sizes[k]"}
  fill:
    c: void fill(char **made)
    args: {made: {out: true, of: bytes, size: strlen(made)}}
"""
HEADER = Path(__file__).with_name("lengths.h").read_text()


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


def test_an_array_is_at_least_as_long_as_the_subtracted_number(lengths: ModuleType) -> None:
    assert lengths.rows(np.zeros(1, np.int32)) == 0
    with pytest.raises(ValueError, match=r"rows\(\) argument 'offsets' is of length 0, which must be 1 at least"):
        lengths.rows(np.zeros(0, np.int32))
    assert lengths.columns(np.zeros((5, 2), np.int32)) == 0
    with pytest.raises(ValueError, match=r"argument 'offsets' is of length 1, which must be 2 at least"):
        lengths.columns(np.zeros((5, 1), np.int32))


def test_a_length_is_computed_after_the_lengths_that_it_uses(lengths: ModuleType) -> None:
    assert lengths.twice([7, 1], [1.0, 2.0]) == 2
    with pytest.raises(ValueError, match=r"argument 'values' must have 2 elements, not 3"):
        lengths.twice([7, 1], [1.0, 2.0, 3.0])


def test_a_value_is_read_from_an_array_that_is_long_enough(lengths: ModuleType) -> None:
    assert lengths.first([3, 4]) == 3
    with pytest.raises(ValueError, match=r"argument 'offsets' must have 2 elements, not 0"):
        lengths.first(np.zeros(0, np.int32))


def test_each_value_is_computed_after_the_lengths_of_the_arrays_that_it_reads(lengths: ModuleType) -> None:
    assert lengths.chain([7, 0], [2]) == 72
    with pytest.raises(ValueError, match=r"argument 'y' must have 1 element, not 0"):
        lengths.chain([7, 0], [])
    with pytest.raises(ValueError, match=r"argument 'x' must have 2 elements, not 1"):
        lengths.chain([7], [2])


@pytest.mark.parametrize("index", [-1, 3, 2**31 - 1, -(2**31)])
def test_an_index_leads_to_an_element(lengths: ModuleType, index: int) -> None:
    assert [lengths.at([7, 8, 9], index) for index in range(3)] == [7, 8, 9]
    with pytest.raises(ValueError, match=rf"at\(\) reads element {index} of argument 'x', which has 3"):
        lengths.at([7, 8, 9], index)
    with pytest.raises(ValueError, match="which has 0"):
        lengths.at([], 0)


def test_an_empty_array_has_no_first_element(lengths: ModuleType) -> None:
    assert lengths.head([7, 8], 0) == 7
    with pytest.raises(ValueError, match=r"head\(\) reads element 0 of argument 'x', which has 0"):
        lengths.head([], 0)


def test_an_index_is_checked_where_it_is_read(lengths: ModuleType) -> None:
    assert [lengths.before([7], 0), lengths.before([7], 1), lengths.before([], -5)] == [-1, 7, -1]
    with pytest.raises(ValueError, match="reads element 1 of argument 'x', which has 1"):
        lengths.before([7], 2)
    assert [lengths.perhaps(None, 5), lengths.perhaps([3], 0)] == [-1, 3]
    with pytest.raises(ValueError, match="reads element 5 of argument 'x', which has 1"):
        lengths.perhaps([3], 5)


def test_an_index_counts_the_gaps_between_elements(lengths: ModuleType) -> None:
    x = np.arange(6, dtype=np.int32)
    assert lengths.every_second(x[::2], 4) == 42
    assert lengths.every_second(x[5:2:-1], -2) == 29
    for array, index in ((x[::2], 5), (x[::2], -1), (x[5:2:-1], 1), (x[5:2:-1], -3)):
        with pytest.raises(ValueError, match=f"reads element {index} of argument 'x'"):
            lengths.every_second(array, index)


def test_an_index_counts_the_elements_that_c_has(lengths: ModuleType) -> None:
    assert lengths.byte(np.array([1, 2], np.int16), 2) == 2
    with pytest.raises(ValueError, match="reads element 4 of argument 'x'"):
        lengths.byte(np.array([1, 2], np.int16), 4)
    table = np.arange(6, dtype=np.int32).reshape(2, 3)
    assert lengths.cell(table, 1, 2) == 5
    for place in ((2, 0), (-1, 0), (0, 6), (2**31 - 1, 2**31 - 1)):
        with pytest.raises(ValueError, match="of argument 'x'"):
            lengths.cell(table, *place)


def test_conditions_are_checked_before_the_reads_that_they_protect(lengths: ModuleType) -> None:
    assert lengths.weighted([5, 2], [1.0, 2.0], 2) == 2
    with pytest.raises(ValueError, match="too many"):
        lengths.weighted([1, 1, 1, 1], [1.0], 4)
    with pytest.raises(ValueError, match="no weight"):
        lengths.weighted([5, 0], [], 2)
    with pytest.raises(ValueError, match="reads element -1 of argument 'x', which has 0"):
        lengths.weighted([], [], 0)
    assert lengths.library(1, [1.0, 2.0]) == 1
    for which in (-1, 2):
        with pytest.raises(ValueError, match="no such thing"):
            lengths.library(which, [1.0])


def test_a_character_is_read_only_if_the_string_has_it(lengths: ModuleType) -> None:
    assert [lengths.letter("ab", i) for i in range(3)] == [ord("a"), ord("b"), 0]
    assert lengths.letter("", 9) == -1
    for index in (3, -1):
        with pytest.raises(ValueError, match=f"reads element {index} of argument 'text', which has 2"):
            lengths.letter("ab", index)


def test_the_size_of_bytes_is_read_only_if_the_array_of_sizes_has_it(lengths: ModuleType) -> None:
    assert lengths.part([3, 1], 1) == b"a"
    for index in (2, -1):
        with pytest.raises(ValueError, match=f"reads element {index} of argument 'sizes', which has 2"):
            lengths.part([3, 1], index)


def test_the_size_of_bytes_can_be_computed_from_them(lengths: ModuleType) -> None:
    assert lengths.fill() == b"abc"
