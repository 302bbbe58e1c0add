"""Functions of the GNU Scientific Library, except linear algebra, on arrays of all sources."""

from __future__ import annotations

import array
import inspect
from collections.abc import Callable
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from libraries.gsl_arrays import Producer, close, lib, numbers, spread
from libraries.real import Array, count, frozen
from structs.libraries import address

__all__ = ["lib"]

KINDS = {"": "float64", "F32": "float32", "I32": "int32", "U16": "uint16", "U8": "uint8", "Long": "long"}

VECTORS: dict[str, Callable[[ModuleType, Array], Any]] = {
    "an array": lambda lib, values: values,
    "elements that lie apart": lambda lib, values: spread(values),
    "a read-only array": lambda lib, values: frozen(values.copy()),
    "a vector of GSL": lambda lib, values: lib.Vector.from_dlpack(values),
    "a vector of elements that lie apart": lambda lib, values: lib.Vector.from_dlpack(spread(values)),
    "a buffer": lambda lib, values: array.array("d", values.tolist()),
    "another producer": lambda lib, values: Producer(values),
    "a capsule": lambda lib, values: values.__dlpack__(),
    "a list": lambda lib, values: values.tolist(),
}

# ---- Statistics ----


def _skew(a: Array) -> float:
    return float(np.mean((a - a.mean()) ** 3) / a.std(ddof=1) ** 3)


def _kurtosis(a: Array) -> float:
    return float(np.mean((a - a.mean()) ** 4) / a.std(ddof=1) ** 4 - 3)


STATISTICS: dict[str, Callable[[Array], Any]] = {
    "mean": np.mean,
    "variance": lambda a: np.var(a, ddof=1),
    "sd": lambda a: np.std(a, ddof=1),
    "absdev": lambda a: np.mean(np.abs(a - a.mean())),
    "skew": _skew,
    "kurtosis": _kurtosis,
}


@pytest.mark.parametrize("way", VECTORS)
@pytest.mark.parametrize("name", STATISTICS)
def test_statistics_agree_with_numpy(lib: ModuleType, name: str, way: str) -> None:
    values = numbers(25)
    result = getattr(lib, name)(VECTORS[way](lib, values))
    assert result == pytest.approx(STATISTICS[name](values), rel=1e-12)


@pytest.mark.parametrize("values", [[], [2.5]], ids=["nothing", "a number"])
def test_statistics_of_few_values_are_right(lib: ModuleType, values: list[float]) -> None:
    assert lib.mean(values) == lib.mean(np.array(values)) == sum(values)


def test_statistics_of_floats_need_floats(lib: ModuleType) -> None:
    values = numbers(25).astype("float32")
    assert lib.mean_of_floats(spread(values)) == pytest.approx(values.mean(dtype=float))
    with pytest.raises(BufferError, match=r"^mean_of_floats\(\) argument 'data': the dtype is float64, not float32$"):
        lib.mean_of_floats(numbers(3))


def test_sort_sorts_a_strided_array_in_place(lib: ModuleType) -> None:
    whole = numbers(20)
    before = whole.copy()
    assert lib.sort(whole[1::4]) is None
    assert whole[1::4].tolist() == sorted(before[1::4])
    rest = np.arange(20) % 4 != 1
    assert whole[rest].tolist() == before[rest].tolist()


PAIRS: dict[str, Callable[[Array, Array], Any]] = {
    "covariance": lambda a, b: np.cov(a, b)[0, 1],
    "correlation": lambda a, b: np.corrcoef(a, b)[0, 1],
    "wmean": lambda a, b: np.average(b, weights=np.abs(a)),
}


@pytest.mark.parametrize("way", VECTORS)
@pytest.mark.parametrize("name", PAIRS)
def test_statistics_of_two_arrays_agree_with_numpy(lib: ModuleType, name: str, way: str) -> None:
    a, b = np.abs(numbers(25)), numbers(25)
    expected = PAIRS[name](a, b)
    for first, second in ((VECTORS[way](lib, a), spread(b, 2)), (a, VECTORS[way](lib, b))):
        assert getattr(lib, name)(first, second) == pytest.approx(expected, rel=1e-10)


def test_spearman_is_the_correlation_of_ranks(lib: ModuleType) -> None:
    a, b = numbers(25), numbers(25)
    ranks = [np.argsort(np.argsort(each)).astype(float) for each in (a, b)]
    assert lib.spearman(spread(a), b, np.empty((2, 25))) == pytest.approx(lib.correlation(*ranks))


@pytest.mark.parametrize("way", VECTORS)
def test_extremes_agree_with_numpy(lib: ModuleType, way: str) -> None:
    values = numbers(25)
    assert lib.minmax(VECTORS[way](lib, values)) == (values.min(), values.max())
    assert lib.minmax_index(VECTORS[way](lib, values)) == (values.argmin(), values.argmax())


def test_fit_linear_agrees_with_numpy(lib: ModuleType) -> None:
    x, y = numbers(25), numbers(25)
    slope, start = np.polyfit(x, y, 1)
    found = lib.fit_linear(spread(x), y.tolist())
    assert found[:2] == pytest.approx((start, slope))
    rest = ((y - start - slope * x) ** 2).sum()
    inverse = np.linalg.inv(np.vander(x, 2, increasing=True).T @ np.vander(x, 2, increasing=True)) * rest / 23
    assert found[2:] == pytest.approx((inverse[0, 0], inverse[0, 1], inverse[1, 1], rest))


def test_sort_index_and_sort_smallest_agree_with_numpy(lib: ModuleType) -> None:
    values, beside = numbers(20), np.arange(20.0)
    index = np.full(21, 99, np.uintp)
    lib.sort_index(index[:20], spread(values))
    assert index.tolist() == [*np.argsort(values).tolist(), 99]
    least = np.empty(3)
    lib.sort_smallest(least, spread(values))
    assert least.tolist() == np.sort(values)[:3].tolist()
    lib.sort2(values, beside)
    assert beside.tolist() == index[:20].tolist()
    assert values.tolist() == np.sort(values).tolist()


def test_median_and_quantiles_agree_with_numpy(lib: ModuleType) -> None:
    values = numbers(30)
    expected = np.median(values)
    ordered = spread(np.sort(values))
    assert lib.median_from_sorted_data(ordered) == pytest.approx(expected)
    assert lib.quantile_from_sorted_data(ordered, 0.3) == pytest.approx(np.quantile(values, 0.3))
    vector = lib.Vector.from_dlpack(values)
    assert lib.median(vector) == pytest.approx(expected)


def test_polynomials_are_evaluated_and_solved(lib: ModuleType) -> None:
    assert lib.poly_eval([1, 2, 3], 2) == lib.poly_eval(np.array([1.0, 2, 3]), x=2.0) == 17.0
    assert lib.solve_quadratic(1, -3, 2) == (2, 1.0, 2.0)
    assert lib.solve_quadratic(1, 0, 1)[0] == 0


@pytest.mark.parametrize("step", [1, 2])
def test_fourier_transforms_agree_with_numpy(lib: ModuleType, step: int) -> None:
    values = numbers(16) + 1j * numbers(16)
    changed = spread(values, step)
    assert lib.fft_radix2_forward(changed) is None
    close(changed, np.fft.fft(values))
    lib.fft_radix2_inverse(changed)
    close(changed, values)
    with pytest.raises(ValueError, match=r"^fft_radix2_forward\(\): invalid argument supplied by user$"):
        lib.fft_radix2_forward(values[:7])


# ---- Random numbers ----


def test_equal_seeds_give_equal_random_numbers(lib: ModuleType) -> None:
    rng, other = lib.Rng(), lib.Rng()
    for each in (rng, other):
        each.seed(42)
    assert [rng.get() for _ in range(5)] == [other.get() for _ in range(5)]
    copy = rng.clone()
    assert [copy.uniform(), copy.gaussian(sigma=2.0)] == [rng.uniform(), rng.gaussian(2)]
    assert (rng.name, rng.min, rng.max) == ("mt19937", 0, 2**32 - 1)
    assert [lib.Rng.taus().name, lib.Rng.ranlux().name] == ["taus", "ranlux"]
    copy.seed(1)
    rng.copy_from(copy)
    assert rng.get() == copy.get()
    with pytest.raises(ValueError, match=r"^copy_from\(\): invalid argument supplied by user$"):
        rng.copy_from(lib.Rng.taus())
    with pytest.raises(AttributeError):
        rng.name = "mine"
    with pytest.raises(OverflowError):
        rng.seed(-1)


def test_shuffle_keeps_all_values(lib: ModuleType) -> None:
    rng, values = lib.Rng(), count(50)
    rng.shuffle(values)
    assert values.tolist() != list(range(50))
    assert sorted(values.tolist()) == list(range(50))


def test_choose_and_sample_take_values_of_the_array(lib: ModuleType) -> None:
    generator, values = lib.Rng(), np.arange(10.0)
    some, many = np.zeros(4), np.zeros(30)
    generator.choose(some, frozen(values.copy()))
    assert sorted(set(some.tolist())) == some.tolist()
    generator.sample(many, values)
    assert set(many.tolist()) <= set(values.tolist())
    assert len(set(many.tolist())) > 3


def test_a_with_block_closes_a_generator(lib: ModuleType) -> None:
    with lib.Rng() as rng:
        assert 0 <= rng.uniform() < 1
    with pytest.raises(ValueError, match=r"gsl\.Rng: the object is closed"):
        rng.uniform()


# ---- Methods of matrices and vectors, for each type of elements ----


@pytest.mark.parametrize("kind", KINDS)
def test_methods_change_matrices_and_vectors(lib: ModuleType, kind: str) -> None:
    values = count(3, 3, dtype=KINDS[kind])
    matrix = getattr(lib, f"Matrix{kind}").from_dlpack(values)
    assert matrix.transpose() is None
    assert values.tolist() == count(3, 3).T.tolist()
    matrix.swap_rows(0, j=2)
    assert values[0].tolist() == [2, 5, 8]
    matrix.add(values.copy())
    assert values[0].tolist() == [4, 10, 16]
    assert matrix.isnull() is False
    matrix.set_all(0)
    assert matrix.isnull() is True
    matrix.set_identity()
    assert values.tolist() == np.eye(3).tolist()
    column = values[:, 0]
    vector = getattr(lib, f"Vector{kind}").from_dlpack(column)
    vector.scale(3)
    vector.add(values[2])
    assert column.tolist() == [3, 0, 1]
    vector.reverse()
    assert column.tolist() == [1, 0, 3]


def test_methods_change_complex_matrices(lib: ModuleType) -> None:
    values = count(2, 2) * 1j
    matrix = lib.MatrixC128.from_dlpack(values)
    matrix.transpose()
    matrix.add(np.ones((2, 2), complex))
    assert values.tolist() == [[1, 1 + 2j], [1 + 1j, 1 + 3j]]
    assert not hasattr(lib.VectorC128, "scale")


def test_failing_methods_raise_the_error_of_gsl(lib: ModuleType) -> None:
    matrix = lib.Matrix.empty((2, 3))
    with pytest.raises(ValueError, match=r"^transpose\(\): matrix not square$"):
        matrix.transpose()
    with pytest.raises(IndexError, match=r"^swap_rows\(\): invalid argument supplied by user \(i=0, j=2\)$"):
        matrix.swap_rows(0, 2)
    with pytest.raises(ValueError, match=r"^add\(\): matrix/vector sizes are not conformant$"):
        matrix.add(np.ones((3, 2)))
    with pytest.raises(OverflowError, match=r"^set_all\(\) argument 'x'"):
        lib.MatrixU8.empty((1, 1)).set_all(256)


# ---- The module ----


def test_the_module_has_constants_signatures_and_docstrings(lib: ModuleType) -> None:
    assert lib.VERSION.startswith("2.")
    assert (lib.Transpose.NO, lib.Transpose.YES, lib.Triangle.UPPER) == (111, 112, 121)
    assert str(inspect.signature(lib.LU_solve)) == "(lu, p, b, x=None)"
    taken = "{0}, or an array that {0}.from_dlpack() takes"
    assert lib.LU_solve.__doc__ == (
        "Solves A x = b from the decomposition of A.\n\n"
        f"`lu` is read: {taken.format('Matrix')}.\n"
        f"`p` is read: {taken.format('Permutation')}, of 1 axis.\n"
        f"`b` is read: {taken.format('Vector')}.\n"
        f"`x` is written: {taken.format('Vector')}; a new one like `b` where none is given.\n"
        "Raises ValueError if the library reports a failure."
    )


def test_arrays_are_not_copied(lib: ModuleType) -> None:
    values = numbers(6)
    vector = lib.Vector.from_dlpack(values)
    assert address(np.from_dlpack(vector)) == address(values)
    lib.sort(vector)
    assert values.tolist() == sorted(values.tolist())
