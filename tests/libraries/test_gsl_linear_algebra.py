"""Linear algebra of the GNU Scientific Library, BLAS and decompositions, on matrices of all sources."""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from libraries.gsl_arrays import Producer, block, close, lib, numbers, shown, spread
from libraries.real import Array

__all__ = ["lib"]

MATRICES: dict[str, Callable[[ModuleType, Array], Any]] = {
    "an array": lambda lib, values: values.copy(),
    "a part of an array": lambda lib, values: block(values),
    "a matrix of GSL": lambda lib, values: lib.Matrix.from_dlpack(values.copy()),
    "a matrix of a part": lambda lib, values: lib.Matrix.from_dlpack(block(values)),
    "another producer": lambda lib, values: Producer(values.copy()),
}


# ---- BLAS ----


@pytest.mark.parametrize("way", MATRICES)
@pytest.mark.parametrize("left, right", [("NO", "NO"), ("YES", "NO"), ("NO", "YES"), ("CONJUGATE", "YES")])
def test_dgemm_multiplies_matrices_of_all_sources(lib: ModuleType, left: str, right: str, way: str) -> None:
    a, b, c = numbers(3, 4), numbers(4, 2), numbers(3, 2)
    given = a if left == "NO" else a.T.copy(), b if right == "NO" else b.T.copy()
    first, second = (MATRICES[way](lib, each) for each in given)
    target = block(c)
    assert lib.dgemm(left, lib.Transpose[right], 2.0, first, second, 0.5, target) is None
    close(target, 2 * a @ b + c / 2)


def test_functions_of_blas_agree_with_numpy(lib: ModuleType) -> None:
    a, x, y = numbers(4, 3), numbers(3), numbers(4)
    target = spread(y)
    lib.dgemv(lib.Transpose.NO, 2, a, spread(x), 3, target)
    close(target, 2 * a @ x + 3 * y)
    lib.daxpy(alpha=0.5, x=target, y=y)
    assert np.isfinite(y).all()
    assert lib.ddot(target, y) == pytest.approx(target @ y)
    assert lib.dnrm2(x) == pytest.approx(np.linalg.norm(x))
    assert lib.dznrm2(spread(x * 1j)) == pytest.approx(np.linalg.norm(x))
    assert lib.sdot(x.astype("f"), x.astype("f")) == pytest.approx(x @ x, rel=1e-5)
    triangle, solved = numbers(3, 3) + 9 * np.eye(3), x.copy()
    lib.dtrsv("LOWER", "NO", "GIVEN", triangle, solved)
    close(solved, np.linalg.solve(np.tril(triangle), x))


# ---- Decompositions ----


@pytest.mark.parametrize("way", MATRICES)
def test_decompositions_solve_equations(lib: ModuleType, way: str) -> None:
    a, b = numbers(5, 5), numbers(5)
    lu, p = a.copy(), lib.Permutation(5)
    given = MATRICES[way](lib, lu)
    sign = lib.LU_decomp(given, p)
    lu = given._values if isinstance(given, Producer) else shown(given)
    close((np.tril(lu, -1) + np.eye(5)) @ np.triu(lu), a[np.from_dlpack(p)])
    assert lib.LU_det(given, sign) == pytest.approx(np.linalg.det(a))
    x = lib.LU_solve(given, p, b)
    assert isinstance(x, lib.Vector)
    close(x, np.linalg.solve(a, b))
    inverse = lib.LU_invert(given, p)
    assert isinstance(inverse, lib.Matrix)
    close(inverse, np.linalg.inv(a))
    lib.LU_invx(given, p)
    close(lu, inverse)


def test_results_are_written_to_the_given_arrays(lib: ModuleType) -> None:
    a, b = numbers(4, 4), numbers(4)
    lu, p, x = a.copy(), np.arange(4, dtype=np.uintp), spread(numbers(4))
    lib.LU_decomp(lu, p)
    assert lib.LU_solve(lu, p, b, x) is x
    close(x, np.linalg.solve(a, b))
    vector = lib.Vector.empty((4,))
    assert lib.LU_solve(lu, p, b, x=vector) is vector
    close(vector, x)
    assert sorted(p.tolist()) == [0, 1, 2, 3]
    made = np.from_dlpack(lib.LU_solve(lu, p, b, None))
    close(made, x)
    assert made.flags.writeable


def test_complex_decompositions_solve_equations(lib: ModuleType) -> None:
    a, b = numbers(3, 3) + 1j * numbers(3, 3), numbers(3) + 1j
    lu, p = a.copy(), lib.Permutation(3)
    assert lib.complex_LU_decomp(lu, p) in (1, -1)
    x = lib.complex_LU_solve(lu, p, spread(b))
    assert isinstance(x, lib.VectorC128)
    close(x, np.linalg.solve(a, b))


def test_cholesky_and_other_decompositions_agree_with_numpy(lib: ModuleType) -> None:
    a, b = numbers(4, 4), numbers(4)
    positive = a @ a.T + np.eye(4)
    factor = positive.copy()
    lib.cholesky_decomp(factor)
    close(np.tril(factor), np.linalg.cholesky(positive))
    close(lib.cholesky_solve(factor, b), np.linalg.solve(positive, b))
    qr, tau = a.copy(), np.zeros(4)
    lib.QR_decomp(qr, tau)
    close(np.abs(np.triu(qr)), np.abs(np.linalg.qr(a)[1]))
    close(lib.QR_solve(qr, tau, b), np.linalg.solve(a, b))
    u, v, s = numbers(5, 3), np.zeros((3, 3)), np.zeros(3)
    whole = u.copy()
    lib.SV_decomp(u, v, s, lib.Vector.empty((3,)))
    close(s, np.linalg.svd(whole, compute_uv=False))
    close(u * s @ v.T, whole)


def test_eigenvalues_agree_with_numpy(lib: ModuleType) -> None:
    a = numbers(6, 6)
    symmetric = a + a.T
    with lib.EigenSymmWorkspace(6) as workspace:
        assert workspace.size == 6
        found = np.zeros(6)
        assert lib.eigen_symm(symmetric.copy(), found, workspace) is None
    close(np.sort(found), np.linalg.eigvalsh(symmetric))
    with pytest.raises(ValueError, match=r"^eigen_symm\(\) argument 'w' is closed$"):
        lib.eigen_symm(symmetric, found, workspace)
    vectors = np.eye(6)
    lib.eigen_symmv_sort(found, vectors, lib.Order.DESCENDING)
    close(found, np.sort(found)[::-1])
    lib.eigen_symmv_sort(found, vectors)
    close(found, np.sort(found))


def test_a_permutation_shares_its_indices(lib: ModuleType) -> None:
    p = lib.Permutation(3)
    indices = np.from_dlpack(p)
    assert (indices.tolist(), indices.dtype) == ([0, 1, 2], np.uintp)
    assert p.next() == 0
    assert indices.tolist() == [0, 2, 1]
    p.reverse()
    assert lib.Permutation.from_dlpack(indices).valid() is None
    indices[:] = 7
    matrix, message = np.eye(3), r"LU_solve\(\) argument 'p': not each index is there once"
    for wrong in (p, indices, np.zeros(3, np.uintp)):
        with pytest.raises(BufferError, match=message):
            lib.LU_solve(matrix, wrong, numbers(3))
    with pytest.raises(ValueError, match=r"^valid\(\): failure$"):
        p.valid()
