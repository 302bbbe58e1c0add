"""Wrong arguments of functions of the GNU Scientific Library are refused, by GSL or by the module."""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType

import numpy as np
import pytest

from libraries.gsl_arrays import CUDA, Producer, lib, numbers
from libraries.real import count, frozen

__all__ = ["lib"]

SQUARE, ROW = np.eye(3), count(3)
REFUSED: dict[str, tuple[Callable[[ModuleType], object], type[Exception], str]] = {
    "another dtype": (
        lambda lib: lib.mean(ROW.astype("float32")),
        BufferError,
        r"mean\(\) argument 'data': the dtype is float32, not float64",
    ),
    "another byte order": (
        lambda lib: lib.mean(ROW.astype(">f8")),
        BufferError,
        r"mean\(\) argument 'data': the dtype is float64 in the other byte order, not in that of this machine",
    ),
    "two axes": (lambda lib: lib.mean(SQUARE), BufferError, r"mean\(\) argument 'data': the array has 2 axes, not 1"),
    "backwards": (
        lambda lib: lib.mean(ROW[::-1]),
        BufferError,
        r"mean\(\) argument 'data': the array must be without negative strides; it has strides \(-1\)",
    ),
    "gaps between coefficients": (
        lambda lib: lib.poly_eval(count(6)[::2], 1.0),
        BufferError,
        r"poly_eval\(\) argument 'c': the array must be compact \(row-major\); it has strides \(2\)",
    ),
    "by columns": (
        lambda lib: lib.cholesky_decomp(numbers(3, 3).T),
        BufferError,
        r"cholesky_decomp\(\) argument 'a': the array must be compact but for the outermost axis; "
        r"it has strides \(1, 3\)",
    ),
    "read-only": (
        lambda lib: lib.sort(frozen(count(3))),
        BufferError,
        r"sort\(\) argument 'data': the array is read-only, and must be writable",
    ),
    "a read-only matrix": (
        lambda lib: lib.dgemm("NO", "NO", 1, SQUARE, SQUARE, 0, frozen(np.eye(3))),
        BufferError,
        r"dgemm\(\) argument 'c': the array is read-only, and must be writable",
    ),
    "memory of a GPU": (
        lambda lib: lib.mean(Producer(count(3), CUDA)),
        BufferError,
        r"mean\(\) argument 'data': the data is on cuda, not cpu",
    ),
    "a vector of a GPU": (
        lambda lib: lib.dnrm2(Producer(count(3), CUDA)),
        BufferError,
        r"dnrm2\(\) argument 'x': the data is on cuda, not cpu",
    ),
    "None": (
        lambda lib: lib.dnrm2(None),
        TypeError,
        r"dnrm2\(\) argument 'x' must be Vector or an array, not None",
    ),
    "a list to be written to": (
        lambda lib: lib.sort([3.0, 1.0]),
        TypeError,
        r"sort\(\) argument 'data' must be an array, not list",
    ),
    "a vector of another type": (
        lambda lib: lib.dnrm2(lib.VectorF32.empty((2,))),
        BufferError,
        r"dnrm2\(\) argument 'x': the dtype is float32, not float64",
    ),
    "no workspace": (
        lambda lib: lib.eigen_symm(np.eye(3), count(3), np.eye(3)),
        TypeError,
        r"eigen_symm\(\) argument 'w' must be EigenSymmWorkspace, not numpy\.ndarray",
    ),
    "too few": (lambda lib: lib.mean(), TypeError, r"mean\(\) missing required argument 'data' \(pos 1\)"),
    "too many": (lambda lib: lib.mean(ROW, 3), TypeError, r"mean\(\) takes exactly 1 argument \(2 given\)"),
    "a stride": (
        lambda lib: lib.mean(ROW, stride=1),
        TypeError,
        r"mean\(\) got an unexpected keyword argument 'stride'",
    ),
    "no member": (
        lambda lib: lib.dgemm("MAYBE", "NO", 1, SQUARE, SQUARE, 0, np.eye(3)),
        ValueError,
        r"dgemm\(\) argument 'trans_a': 'MAYBE' is not a member of Transpose: NO, YES, CONJUGATE",
    ),
    "matrices that do not fit": (
        lambda lib: lib.dgemm("NO", "NO", 1, SQUARE, numbers(4, 3), 0, np.eye(3)),
        ValueError,
        r"dgemm\(\): matrix/vector sizes are not conformant \(trans_a='NO', trans_b='NO', alpha=1, beta=0\)",
    ),
    "not square": (
        lambda lib: lib.LU_solve(numbers(3, 4), lib.Permutation(3), ROW),
        ValueError,
        r"LU_solve\(\): matrix not square",
    ),
    "not positive definite": (
        lambda lib: lib.cholesky_decomp(-np.eye(3)),
        ValueError,
        r"cholesky_decomp\(\): input domain error",
    ),
    "no rows": (
        lambda lib: lib.EigenSymmWorkspace(0),
        ValueError,
        r"EigenSymmWorkspace\(\): gsl_eigen_symm_alloc\(\) failed \(n=0\)",
    ),
    "nothing to choose from": (
        lambda lib: lib.Rng().choose(count(3), count(2)),
        ValueError,
        r"choose\(\): invalid argument supplied by user",
    ),
}
"""Calls that GSL refuses, or whose arguments have the wrong type or number."""

DEMANDED: dict[str, tuple[Callable[[ModuleType], object], type[Exception], str]] = {
    "fewer data": (
        lambda lib: lib.correlation(count(4), count(3)),
        ValueError,
        r"correlation\(\) argument 'data2' must have 4 elements, not 3",
    ),
    "more data that lie apart": (
        lambda lib: lib.covariance(count(4), count(10)[::2]),
        ValueError,
        r"covariance\(\) argument 'data2' must have 4 elements, not 5",
    ),
    "too little room": (
        lambda lib: lib.spearman(count(4), count(4), count(7)),
        ValueError,
        r"spearman\(\) argument 'work' must have 8 elements, not 7",
    ),
    "fewer weights": (
        lambda lib: lib.wmean([1.0], [1.0, 2.0]),
        ValueError,
        r"wmean\(\) argument 'w' must have 2 elements, not 1",
    ),
    "a point without a height": (
        lambda lib: lib.fit_linear([1.0, 2.0], [1.0]),
        ValueError,
        r"fit_linear\(\) argument 'y' must have 2 elements, not 1",
    ),
    "fewer to sort": (
        lambda lib: lib.sort2(count(4), count(3)),
        ValueError,
        r"sort2\(\) argument 'data2' must have 4 elements, not 3",
    ),
    "fewer indices": (
        lambda lib: lib.sort_index(np.zeros(3, np.uintp), count(4)),
        ValueError,
        r"sort_index\(\) argument 'p' must have 4 elements, not 3",
    ),
    "indices of another type": (
        lambda lib: lib.sort_index(np.zeros(4, np.int32), count(4)),
        BufferError,
        r"sort_index\(\) argument 'p': the dtype is int32, not uint64",
    ),
    "the least of nothing": (lambda lib: lib.minmax([]), ValueError, r"minmax\(\): there are no data"),
    "where nothing is": (lambda lib: lib.minmax_index([]), ValueError, r"minmax_index\(\): there are no data"),
    "no pairs": (lambda lib: lib.correlation([], []), ValueError, r"correlation\(\): there are no data"),
    "no ranks": (lambda lib: lib.spearman([], [], count(0)), ValueError, r"spearman\(\): there are no data"),
    "no coefficients": (
        lambda lib: lib.poly_eval([], 1),
        ValueError,
        r"poly_eval\(\): there are no coefficients \(x=1\)",
    ),
    "no samples": (
        lambda lib: lib.Rng().sample(count(3), count(0)),
        ValueError,
        r"sample\(\): there is nothing to take from",
    ),
    "more than all": (
        lambda lib: lib.quantile_from_sorted_data(ROW, 1.25),
        ValueError,
        r"quantile_from_sorted_data\(\): 'f' must be from 0 to 1 \(f=1.25\)",
    ),
    "no fraction": (
        lambda lib: lib.quantile_from_sorted_data(ROW, float("nan")),
        ValueError,
        r"quantile_from_sorted_data\(\): 'f' must be from 0 to 1 \(f=nan\)",
    ),
    "a determinant of what is not square": (
        lambda lib: lib.LU_det(numbers(4, 3), 1),
        ValueError,
        r"LU_det\(\) argument 'lu' must have shape \(4, 4\), not \(4, 3\)",
    ),
    "an inverse of another size": (
        lambda lib: lib.LU_invert(SQUARE, lib.Permutation(3), np.eye(2)),
        ValueError,
        r"LU_invert\(\) argument 'inverse' must have shape \(3, 3\), not \(2, 2\)",
    ),
    "a shorter tau": (
        lambda lib: lib.QR_solve(SQUARE, count(2), ROW),
        ValueError,
        r"QR_solve\(\) argument 'tau' must have shape \(3,\), not \(2,\)",
    ),
}
"""Calls whose mistakes GSL itself would not notice."""


@pytest.mark.parametrize("case", {**REFUSED, **DEMANDED})
def test_wrong_arguments_are_refused_with_the_reason(lib: ModuleType, case: str) -> None:
    call, exception, message = {**REFUSED, **DEMANDED}[case]
    with pytest.raises(exception, match=rf"^{message}$") as caught:
        call(lib)
    assert caught.type is exception


def test_a_refused_call_writes_nothing(lib: ModuleType) -> None:
    whole = numbers(4, 4)
    before = whole.copy()
    with pytest.raises(BufferError):
        lib.LU_decomp(whole.T, lib.Permutation(4))
    with pytest.raises(BufferError):
        lib.LU_decomp(whole, np.zeros(4, np.int32))
    np.testing.assert_array_equal(whole, before)
