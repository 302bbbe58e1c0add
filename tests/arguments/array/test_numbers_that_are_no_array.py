# SPDX-License-Identifier: MIT
"""Sequences of numbers where C takes an array that they cannot become."""

from __future__ import annotations

from types import ModuleType

import numpy as np
import pytest

from support.build import build_module

SPEC = """
dlpack-bindgen: 1
module: sequences
include: sequences.h
functions:
  half: {c: "int count(const void *x, int n)",
         args: {x: {of: array, require: [{dtype: float16}]}, n: {count_of: x}}}
  nibble: {c: "int count(const void *x, int n)",
           args: {x: {of: array, require: [{dtype: uint4}]}, n: {count_of: x}}}
  brain: {c: "int count(const void *x, int n)",
          args: {x: {of: array, require: [{dtype: bfloat16}]}, n: {count_of: x}}}
  square: {c: "int count_doubles(const double *x, int n)",
           args: {x: {of: array, require: [{ndim: 2}]}, n: {count_of: x}}}
  on_device: {c: "int count_doubles(const double *x, int n)",
              args: {x: {of: array, require: [{device: [cuda, rocm]}]}, n: {count_of: x}}}
  anywhere: {c: "int count_doubles(const double *x, int n)",
             args: {x: {of: array, require: [{device: [cuda, cpu]}]}, n: {count_of: x}}}
  three: {c: "double second(const double x[3])"}
  one: {c: "double first(const double x[1])"}
  aligned: {c: "int count_doubles(const double *x, int n)",
            args: {x: {of: array, require: [{align: 4096}]}, n: {count_of: x}}}
"""
HEADER = """
static inline int count(const void *x, int n) { (void)x; return n; }
static inline int count_doubles(const double *x, int n) { (void)x; return n; }
static inline double first(const double *x) { return x[0]; }
static inline double second(const double *x) { return x[1]; }
"""


@pytest.fixture(scope="module")
def sequences(tmp_path_factory: pytest.TempPathFactory) -> ModuleType:
    return build_module("sequences", SPEC, tmp_path_factory.mktemp("sequences"), HEADER)


@pytest.mark.parametrize(("name", "dtype"), [("half", "float16"), ("nibble", "uint4"), ("brain", "bfloat16")])
def test_python_numbers_are_not_converted_to_float16_uint4_or_bfloat16(
    sequences: ModuleType, name: str, dtype: str
) -> None:
    with pytest.raises(TypeError, match=rf"^{name}.* must be an array: Python numbers are not converted to {dtype}$"):
        getattr(sequences, name)([1, 2])


def test_a_sequence_is_refused_where_c_takes_two_axes(sequences: ModuleType) -> None:
    assert sequences.square(np.zeros((2, 3))) == 6
    with pytest.raises(TypeError, match=r"^square\(\) argument 'x' must be an array, not list$"):
        sequences.square([1, 2])


def test_a_sequence_is_refused_where_c_takes_memory_of_a_device(sequences: ModuleType) -> None:
    """A list is copied to the memory of the CPU."""
    for given in ([1, 2], (1.0, 2.0), range(2)):
        assert sequences.anywhere(given) == 2
        with pytest.raises(TypeError, match=r"^on_device\(\) argument 'x' must be an array, not"):
            sequences.on_device(given)
    with pytest.raises(BufferError, match=r"^on_device\(\) argument 'x': the data is on cpu, not cuda"):
        sequences.on_device(np.zeros(2))


def test_a_sequence_with_another_number_of_elements_is_refused(sequences: ModuleType) -> None:
    assert (sequences.three([1, 2, 3]), sequences.one([5])) == (2, 5)
    for given in ([1, 2], range(2)):
        with pytest.raises(ValueError, match=r"^three\(\) argument 'x' must have 3 elements, not 2$"):
            sequences.three(given)
    with pytest.raises(ValueError, match=r"^one\(\) argument 'x' must have 1 element, not 2$"):
        sequences.one([1, 2])


def test_a_sequence_is_copied_to_the_required_alignment(sequences: ModuleType) -> None:
    assert (sequences.aligned([1, 2]), sequences.aligned(range(1000))) == (2, 1000)
