"""Failures that a parameter reports: the 'info' of Fortran, 'int *err' beside a result."""

from __future__ import annotations

from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

from support.build import build_module

SPEC = """
dlpack-bindgen: 1
module: statuses
include: statuses.h
constants:
  Code: {enum: {FINE: FINE, EMPTY: EMPTY, SINGULAR: SINGULAR}}
functions:
  solve:
    c: void solve(int n, double *a, int *info)
    args: {n: {count_of: a}, info: {out: true}}
    ok: info == 0
  median:
    c: double median(const double *x, size_t n, int *err)
    args: {n: {count_of: x}, err: {of: Code, out: true}}
    ok: err == FINE
    error: message(err)
    raises: {EMPTY: KeyError, SINGULAR: ZeroDivisionError, _: ValueError}
  counted:
    c: int counted(const double *x, size_t n, int *zeros)
    args: {n: {count_of: x}, zeros: {out: true}}
    ok: zeros < 2
  quietly:
    c: int counted(const double *x, size_t n, int *zeros)
    args: {n: {count_of: x}, zeros: {out: true}}
    ok: zeros == 0
    returns: None
  both:
    c: int counted(const double *x, size_t n, int *zeros)
    args: {n: {count_of: x}, zeros: {out: true}}
    ok: "% > zeros"
    returns: [zeros]
  odd:
    c: int counted(const double *x, size_t n, int *zeros)
    args: {n: {count_of: x}, zeros: {out: true}}
    ok: zeros % 2
    returns: [result, zeros]
  again:
    c: void again(int *info, const double *x, size_t n)
    args: {info: int, n: {count_of: x}}
    returns: [info]
    ok: info >= 0
"""
HEADER = Path(__file__).with_name("statuses.h").read_text()


@pytest.fixture(scope="module")
def lib(tmp_path_factory: pytest.TempPathFactory) -> ModuleType:
    return build_module("statuses", SPEC, tmp_path_factory.mktemp("statuses"), HEADER)


def test_a_status_is_checked_and_not_returned(lib: ModuleType) -> None:
    a = np.array([1.0, 2.0])
    assert lib.solve(a) is None
    assert a.tolist() == [2, 4]
    with pytest.raises(RuntimeError, match=r"^solve\(\): solve\(\) failed with 2$"):
        lib.solve(np.array([1.0, 0.0, 3.0]))


def test_a_status_beside_a_result_chooses_the_exception(lib: ModuleType) -> None:
    assert lib.median([1.0, 5.0, 2.0]) == 5
    for x, exception, message in (
        ([], KeyError, "nothing"),
        ([0.0], ZeroDivisionError, "zero"),
        ([-1.0], ValueError, "negative"),
    ):
        with pytest.raises(exception, match=message):
            lib.median(x)


def test_an_output_that_ok_does_not_test_for_equality_is_returned(lib: ModuleType) -> None:
    assert lib.counted([1.0, 0.0]) == (2, 1)
    with pytest.raises(RuntimeError, match="failed with 2"):
        lib.counted([0.0, 0.0])
    assert lib.quietly([1.0]) is None
    with pytest.raises(RuntimeError, match="failed with 1"):
        lib.quietly([0.0])


def test_the_result_is_the_status_where_it_is_tested(lib: ModuleType) -> None:
    assert lib.both([1.0, 0.0]) == 1
    with pytest.raises(RuntimeError, match="failed with 1"):
        lib.both([0.0])


def test_a_remainder_is_not_a_result(lib: ModuleType) -> None:
    assert lib.odd([1.0, 0.0]) == (2, 1)
    with pytest.raises(RuntimeError, match="failed with 0"):
        lib.odd([1.0])


def test_a_parameter_that_c_reads_and_fills_can_be_a_status(lib: ModuleType) -> None:
    assert lib.again(3, [2.0]) == 5
    with pytest.raises(RuntimeError, match="failed with -1"):
        lib.again(3, [])
