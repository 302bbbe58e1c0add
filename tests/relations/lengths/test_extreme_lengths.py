# SPDX-License-Identifier: MIT
"""Lengths that are computed from numbers: a length that does not fit in 64 bits is refused."""

from __future__ import annotations

from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from support.build import build_module

SPEC = """
dlpack-bindgen: 1
module: extremes
include: extremes.h
functions:
  plus: {c: "int64_t sum(const double *x, int64_t a, int64_t b)", args: {x: {require: [{count: a + b}]}}}
  minus: {c: "int64_t sum(const double *x, int64_t a, int64_t b)", args: {x: {require: [{count: a - b}]}}}
  times: {c: "int64_t sum(const double *x, int64_t a, int64_t b)", args: {x: {require: [{count: a * b}]}}}
  over: {c: "int64_t sum(const double *x, int64_t a, int64_t b)", args: {x: {require: [{count: a / b}]}}}
  modulo: {c: "int64_t sum(const double *x, int64_t a, int64_t b)", args: {x: {require: [{count: a % b}]}}}
  band:
    c: "int64_t sum(const double *x, int64_t a, int64_t b)"
    args: {x: {require: [{count: 2 * a + 1}]}, b: {default: 0}}
  lone: {c: "int64_t sum(const double *x, int64_t a, int64_t b)", args: {x: {require: [{count: a}]}}}
  literal: {c: "int64_t sum(const double *x, int64_t a, int64_t b)", args: {x: {require: [{count: 1 - 3}]}}}
  chosen: {c: "int64_t sum(const double *x, int64_t a, int64_t b)", args: {x: {require: [{count: "b > 0 ? b : a"}]}}}
  shifted: {c: "int64_t sum(const double *x, int64_t a, int64_t b)", args: {x: {require: [{count: a * 2 | 0}]}}}
  cast:
    c: "int64_t sum(const double *x, int64_t a, int64_t b)"
    args: {x: {require: [{count: (int64_t)a}]}}
  back: {c: "int64_t sum(const double *x, int64_t a, int64_t b)", args: {x: {require: [{count: -a}]}}}
  shape: {c: "int64_t sum(const double *x, int64_t a, int64_t b)", args: {x: {require: [{shape: [a + b, a]}]}}}
  unsigned_count: {c: "uint64_t counted(const double *x, uint64_t n)", args: {x: {require: [{count: n}]}}}
  element:
    c: "double element(const double *x, int64_t a, int64_t b, double n)"
    args: {x: array, n: {value: "x[a + b]"}}
  anywhere:
    c: "double element(const double *x, int64_t a, int64_t b, double n)"
    args: {x: {of: array, require: [{device: [cpu, cuda]}]}, n: {value: "x[a + b]"}}
  letter:
    c: "int letter(const char *text, int64_t a, int64_t b, int n)"
    args: {n: {value: "text[a + b]"}}
  name:
    c: "const char *name(const char *const *names, int count, int64_t a, int64_t b, char n)"
    args: {count: {count_of: names}, n: {value: "names[a + b][0]"}}
  nested_times:
    c: "int64_t sum(const double *x, int64_t a, int64_t b)"
    args: {x: {require: [{count: (a + b) * (b - a)}]}}
  nested_over:
    c: "int64_t sum(const double *x, int64_t a, int64_t b)"
    args: {x: {require: [{count: (a + b) / b}]}}
  nested_modulo:
    c: "int64_t sum(const double *x, int64_t a, int64_t b)"
    args: {x: {require: [{count: a % (a + b)}]}}
  perhaps_shape:
    c: "int64_t sum(const double *x, int64_t a, int64_t b)"
    args: {x: {optional: true, require: [{shape: [a, b]}]}}
    keyword_only: [x]
  perhaps_names:
    c: "int64_t named(const char *const *names, int64_t a, int64_t b)"
    args: {names: {optional: true, require: [{count: a + b}]}}
    keyword_only: [names]
  names:
    c: "int64_t named(const char *const *names, int64_t a, int64_t b)"
    args: {names: {require: [{count: a + b}]}}
"""
HEADER = Path(__file__).with_name("extremes.h").read_text()
LEAST, MOST = -(2**63), 2**63 - 1


@pytest.fixture(scope="module")
def extremes(tmp_path_factory: pytest.TempPathFactory) -> ModuleType:
    return build_module("extremes", SPEC, tmp_path_factory.mktemp("extremes"), HEADER)


@pytest.mark.parametrize(
    ("name", "a", "b"),
    [
        *[("plus", 1, 2), ("plus", -1, 4), ("minus", 5, 2), ("minus", MOST, MOST - 3), ("times", 3, 1), ("over", 7, 2)],
        *[("modulo", 7, 4), ("over", MOST, MOST // 3), ("modulo", MOST, 4)],
    ],
)
def test_computed_lengths_that_arrays_can_have_are_accepted(extremes: ModuleType, name: str, a: int, b: int) -> None:
    assert getattr(extremes, name)(np.zeros(3), a, b) == 7
    with pytest.raises(ValueError, match=rf"^{name}\(\) argument 'x' must have 3 elements, not 2$"):
        getattr(extremes, name)(np.zeros(2), a, b)


@pytest.mark.parametrize(
    ("name", "a", "b"),
    [
        *[("plus", MOST, 1), ("plus", LEAST, -1), ("minus", LEAST, 1), ("minus", MOST, -1), ("minus", 0, LEAST)],
        *[("times", MOST, 2), ("times", LEAST, 2), ("times", -1, -3), ("times", 2, MOST), ("over", 3, 0)],
        *[("over", LEAST, -1), ("modulo", 3, 0), ("modulo", LEAST, -1)],
    ],
)
def test_lengths_from_overflow_division_by_zero_or_negative_factors_are_refused(
    extremes: ModuleType, name: str, a: int, b: int
) -> None:
    with pytest.raises(
        ValueError, match=rf"^{name}\(\): no array has as many elements as 'x' must have \(a = {a}, b = {b}\)$"
    ):
        getattr(extremes, name)(np.zeros(3), a, b)


@pytest.mark.parametrize(
    ("name", "a", "b", "count"), [("nested_times", 1, 2, 3), ("nested_over", 6, 3, 3), ("nested_modulo", 3, 1, 3)]
)
def test_a_part_of_a_length_that_overflows_is_refused(
    extremes: ModuleType, name: str, a: int, b: int, count: int
) -> None:
    assert getattr(extremes, name)(np.zeros(count), a, b) == 7
    for numbers in ((MOST, 1), (LEAST, -1), (1, MOST)):
        with pytest.raises(ValueError, match=rf"^{name}\(\): no array has as many elements as 'x' must have "):
            getattr(extremes, name)(np.zeros(count), *numbers)


def test_none_meets_each_requirement(extremes: ModuleType) -> None:
    assert extremes.perhaps_shape(1, 2, x=None) == extremes.perhaps_shape(1, 2, x=np.zeros((1, 2))) == 7
    with pytest.raises(ValueError, match=r"^perhaps_shape\(\) argument 'x' must have shape \(1, 2\), not \(2, 1\)$"):
        extremes.perhaps_shape(1, 2, x=np.zeros((2, 1)))
    assert extremes.perhaps_names(1, 2, names=None) == extremes.perhaps_names(1, 2, names=["a", "b", "c"]) == 3
    with pytest.raises(ValueError, match=r"^perhaps_names\(\) argument 'names' must have 3 strings, not 1$"):
        extremes.perhaps_names(1, 2, names=["a"])


def test_computed_shapes_that_overflow_are_refused(extremes: ModuleType) -> None:
    assert extremes.shape(np.zeros((3, 1)), 1, 2) == 7
    with pytest.raises(
        ValueError, match=rf"^shape\(\): no array has the shape that 'x' must have \(a = {MOST}, b = 1\)$"
    ):
        extremes.shape(np.zeros((3, 1)), MOST, 1)
    with pytest.raises(ValueError, match=r"^shape\(\) argument 'x' must have shape \(3, 1\), not \(1, 3\)$"):
        extremes.shape(np.zeros((1, 3)), 1, 2)


def test_an_unsigned_number_above_the_signed_range_is_refused(extremes: ModuleType) -> None:
    assert extremes.unsigned_count(np.zeros(3), 3) == 3
    with pytest.raises(ValueError, match=rf"no array has as many elements as 'x' must have \(n = {2**64 - 1}\)$"):
        extremes.unsigned_count(np.zeros(3), 2**64 - 1)


def test_an_index_that_overflows_or_lies_outside_is_refused(extremes: ModuleType) -> None:
    assert extremes.element(np.arange(3.0), 1, 1) == 2
    for a, b in ((MOST, 1), (LEAST, -1)):
        with pytest.raises(ValueError, match=r"^element\(\): no array has the element of 'x' that is read$"):
            extremes.element(np.arange(3.0), a, b)
    with pytest.raises(ValueError, match=r"^element\(\) reads element 3 of argument 'x', which has 3$"):
        extremes.element(np.arange(3.0), 1, 2)
    with pytest.raises(ValueError, match=r"^element\(\) reads element 0 of argument 'x', which has 0$"):
        extremes.element(np.zeros(0), 0, 0)


def test_elements_on_a_device_are_not_read(extremes: ModuleType, managed: Any) -> None:
    doubles = {"dtype": (2, 64, 1), "axes": ((3,), (1,))}
    assert extremes.anywhere(np.arange(3.0), 1, 1) == 2
    with pytest.raises(ValueError, match=r"^anywhere\(\) reads elements of argument 'x', which is on a device$"):
        extremes.anywhere(managed(device_type=2, **doubles).capsule(), 1, 1)


def test_characters_and_strings_outside_their_sequence_are_refused(extremes: ModuleType) -> None:
    assert extremes.letter("abc", 1, 1) == ord("c")
    assert extremes.letter("abc", 1, 2) == 0
    assert extremes.name(["ab", "cd"], 0, 1) == "cd"
    for a, b in ((MOST, 1), (3, 1), (0, -1)):
        with pytest.raises(ValueError, match=r"^letter\(\)"):
            extremes.letter("abc", a, b)
        with pytest.raises(ValueError, match=r"^name\(\)"):
            extremes.name(["ab", "cd"], a, b)


def test_the_number_of_strings_must_be_the_computed_one(extremes: ModuleType) -> None:
    assert extremes.names(["a", "b", "c"], 1, 2) == 3
    for a, number in ((1, "1 string"), (2, "2 strings"), (0, "0 strings")):
        with pytest.raises(ValueError, match=rf"^names\(\) argument 'names' must have {number}, not 3$"):
            extremes.names(["a", "b", "c"], a, 0)
    with pytest.raises(
        ValueError, match=rf"^names\(\): no sequence has as many strings as 'names' must have \(a = {MOST}, b = 1\)$"
    ):
        extremes.names(["a", "b", "c"], MOST, 1)
    with pytest.raises(ValueError, match=r"^names\(\): 'names' cannot have -3 strings \(a = 1, b = -4\)$"):
        extremes.names(["a", "b", "c"], 1, -4)


@pytest.mark.parametrize(
    ("name", "a", "b", "message"),
    [
        ("plus", 1, -3, "'x' cannot have -2 elements (a = 1, b = -3)"),
        ("minus", 1, 3, "'x' cannot have -2 elements (a = 1, b = 3)"),
        ("times", 2, -3, "'x' cannot have -6 elements (a = 2, b = -3)"),
        ("over", -7, 2, "'x' cannot have -3 elements (a = -7, b = 2)"),
        ("over", LEAST, 1, f"'x' cannot have {LEAST} elements (a = {LEAST}, b = 1)"),
        ("modulo", -7, 4, "'x' cannot have -3 elements (a = -7, b = 4)"),
        ("band", -1, 0, "'x' cannot have -1 elements (a = -1)"),
        ("lone", -1, 0, "'x' cannot have -1 elements (a = -1)"),
        ("literal", 0, 0, "'x' cannot have -2 elements"),
        ("chosen", -5, 0, "'x' cannot have -5 elements (a = -5)"),
        ("shifted", -1, 0, "'x' cannot have -2 elements (a * 2 | 0 = -2)"),
        ("cast", -1, 0, "'x' cannot have -1 elements ((int64_t)a = -1)"),
        ("shape", 1, -3, "'x' cannot have shape (-2, 1) (a = 1, b = -3)"),
        ("shape", -1, 3, "'x' cannot have shape (2, -1) (a = -1)"),
        ("shape", -1, 0, "'x' cannot have shape (-1, -1) (a = -1, b = 0)"),
    ],
)
def test_negative_lengths_are_reported_with_the_numbers_that_made_them(
    extremes: ModuleType, name: str, a: int, b: int, message: str
) -> None:
    """A negative number of elements is the fault of the numbers, and not of the array."""
    for x in (np.zeros((0, 1)), np.zeros((3, 1))):
        with pytest.raises(ValueError) as caught:
            getattr(extremes, name)(x, a, b)
        assert str(caught.value) == f"{name}(): {message}"


def test_a_negative_part_of_a_length_is_not_a_fault(extremes: ModuleType) -> None:
    assert extremes.band(np.zeros(3), 1) == 7
    assert extremes.back(np.zeros(3), -3, 0) == 7
    with pytest.raises(ValueError, match=r"^back\(\): 'x' cannot have -1 elements \(a = 1\)$"):
        extremes.back(np.zeros(3), 1, 0)
