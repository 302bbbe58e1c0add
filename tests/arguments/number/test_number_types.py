"""Number types of the headers, whose kind the spec declares once (`numbers`)."""

from __future__ import annotations

from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

from support.build import build_module

SPEC = """
dlpack-bindgen: 1
module: sums
include: sums.h
numbers: {real: float, index_t: int, flag: bool}
tensors:
  Indices:
    type: index_t
    params: [index_t n]
    data: self
    dtype: {c: index_t}
    shape: [n]
    release: free(self)
    methods:
      at: {c: "index_t sums_at(const index_t *list, index_t i)"}
functions:
  upto: {c: index_t *sums_upto(index_t n)}
  dot: {c: "real sums_dot(const real *x, const real *y, index_t n)", args: {n: {count_of: x}}}
  range: {c: "void sums_range(const real *x, index_t n, real *low, real *high)",
          args: {n: {count_of: x}, low: {out: true}, high: {out: true}}}
  fill: {c: "index_t sums_fill(real *x, index_t n, real value, flag negative)",
         args: {n: {count_of: x}, negative: {default: 0}}}
  after: {c: letter sums_after(letter given), args: {given: char}, returns: char}
  shift: {c: "void sums_shift(letter *given, index_t by, letter *old)",
          args: {given: char, old: {of: char, out: true}}, returns: [given, old]}
"""
HEADER = Path(__file__).with_name("sums.h").read_text()


@pytest.fixture(scope="module")
def sums(tmp_path_factory: pytest.TempPathFactory) -> ModuleType:
    return build_module("sums", SPEC, tmp_path_factory.mktemp("sums"), HEADER)


def test_types_of_numbers_are_numbers_and_arrays_of_numbers(sums: ModuleType) -> None:
    assert sums.dot(np.array([1.0, 2.0]), [3, 4.5]) == 12
    assert sums.range([2, -1.5, 3]) == (-1.5, 3.0)
    x = np.zeros(3)
    assert sums.fill(x, 2.5, True) == 3
    assert x.tolist() == [-2.5] * 3


def test_a_type_of_one_byte_can_be_a_character(sums: ModuleType) -> None:
    assert (sums.after("a"), sums.shift("a", 3)) == ("b", ("d", "a"))


def test_the_compiler_knows_the_dtype(sums: ModuleType) -> None:
    with pytest.raises(BufferError, match="argument 'x': the dtype is float32, not float64"):
        sums.fill(np.zeros(3, np.float32), 1)
    with pytest.raises(TypeError):
        sums.fill(np.zeros(3), "1")


def test_arrays_of_one_type_of_numbers_share_a_count(sums: ModuleType) -> None:
    with pytest.raises(ValueError, match="argument 'y' must have 2 elements, not 3"):
        sums.dot([1, 2], [1, 2, 3])


def test_a_class_of_such_a_type_is_passed_by_its_address_alone(sums: ModuleType) -> None:
    listed = sums.upto(4)
    assert np.from_dlpack(listed).tolist() == [0, 1, 2, 3]
    assert listed.at(2) == 2
