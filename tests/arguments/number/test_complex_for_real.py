"""A complex number for a real one: its imaginary part is never dropped, whatever type the number has."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from types import ModuleType
from typing import Any

import array_api_strict
import numpy as np
import pytest

from support.build import build_module

HEADER = Path(__file__).with_name("measures.h").read_text()
SPEC = """
dlpack-bindgen: 1
module: measures
include: measures.h
tensors:
  Scaled:
    type: scaled
    data: self->at
    dtype: float64
    shape: [self->n]
    import: {params: [double scale], set: {at: data, n: "shape[0]", scale: scale}}
    properties: {scale: {get: self->scale, type: float}}
handles:
  Span:
    type: span
    release: (void)self
    new: {}
    properties:
      low: {get: self->low, type: float, set: true}
      high: {get: self->high, type: float, set: true}
functions:
  real: {c: double real(double x), args: {x: {default: 1.5}}}
  single: {c: float single(float x)}
  turned: {c: double complex turned(double complex z)}
  width: {c: double width(span s)}
  total: {c: "double total(const double *x, size_t n)", args: {n: {count_of: x}}}
  total_single: {c: "float total_single(const float *x, size_t n)", args: {n: {count_of: x}}}
  total_complex: {c: "double complex total_complex(const double complex *x, size_t n)", args: {n: {count_of: x}}}
  first: {c: "double first(const double x[3])"}
"""


class WithDType:
    """A tensor of rank 0 of a library whose dtypes have a name only."""

    dtype, shape, ndim = "torch.complex64", (), 0

    def __float__(self) -> float:
        return 3.0

    def __complex__(self) -> complex:
        return 3 + 4j


class WithoutDType:
    def __float__(self) -> float:
        return 3.0

    def __complex__(self) -> complex:
        return 3 + 4j


class OnlyFloat:
    """A complex number that no method converts to a complex number."""

    dtype, shape, ndim = np.dtype("c8"), (), 0

    def __float__(self) -> float:
        return 3.0


COMPLEX = [
    *(3 + 4j, np.complex64(3 + 4j), np.complex128(3 + 4j), np.clongdouble(3 + 4j), np.array(3 + 4j, "c8")),
    *(np.array(3 + 4j), array_api_strict.asarray(3 + 4j), WithDType(), WithoutDType(), np.complex64(3), np.array([3j])),
]
REAL = [2.5, np.float16(2.5), np.float32(2.5), np.longdouble(2.5), np.array(2.5, "f4"), Decimal("2.5"), Fraction(5, 2)]


@pytest.fixture(scope="module")
def lib(tmp_path_factory: pytest.TempPathFactory) -> ModuleType:
    return build_module("measures", SPEC, tmp_path_factory.mktemp("measures"), HEADER)


@pytest.fixture(autouse=True)
def quietly() -> Iterator[None]:
    """Ignores warnings. NumPy warns when it drops the imaginary part: these tests must not pass because a filter turns
    the warning into an error."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


def _name(value: object) -> str:
    return type(value).__name__


@pytest.mark.parametrize("value", COMPLEX, ids=_name)
def test_a_complex_argument_is_refused_for_a_real_number(lib: ModuleType, value: Any) -> None:
    for function in (lib.real, lib.single):
        with pytest.raises(TypeError, match=r"\(\) argument 'x' must be real number, not "):
            function(value)


@pytest.mark.parametrize("value", COMPLEX, ids=_name)
def test_a_complex_item_of_a_list_is_refused_for_a_real_number(lib: ModuleType, value: Any) -> None:
    for function in (lib.total, lib.total_single):
        with pytest.raises(TypeError, match=r"\(\) argument 'x\[1\]' must be real number, not "):
            function([1, value])
    with pytest.raises(TypeError, match=r"^first\(\) argument 'x\[2\]' must be real number, not "):
        lib.first((1, 2, value))


@pytest.mark.parametrize("value", COMPLEX, ids=_name)
def test_a_complex_value_is_refused_for_a_real_property(lib: ModuleType, value: Any) -> None:
    span = lib.Span(1, 2)
    with pytest.raises(TypeError, match="must be real number, not "):
        span.low = value
    assert span.low == 1


@pytest.mark.parametrize("value", COMPLEX, ids=_name)
def test_a_complex_value_is_refused_for_a_real_member(lib: ModuleType, value: Any) -> None:
    for call in (
        lambda: lib.Span(1, value),
        lambda: lib.Span(low=value),
        lambda: lib.width((value, 2)),
        lambda: lib.width({"low": 1, "high": value}),
    ):
        with pytest.raises(TypeError, match="must be real number, not "):
            call()


@pytest.mark.parametrize("value", COMPLEX, ids=_name)
def test_a_complex_value_is_refused_for_a_real_param(lib: ModuleType, value: Any) -> None:
    with pytest.raises(TypeError, match="must be real number, not "):
        lib.Scaled.from_dlpack(np.zeros(2), scale=value)


@pytest.mark.parametrize("value", REAL, ids=_name)
def test_real_numbers_are_accepted_everywhere(lib: ModuleType, value: Any) -> None:
    assert (lib.real(value), lib.single(value), lib.total([value, value]), lib.first((value, 1, 2))) == (
        2.5,
        2.5,
        5,
        2.5,
    )
    assert (lib.Span(1, value).high, lib.width((1, value)), lib.width({"low": value, "high": 3})) == (2.5, 1.5, 0.5)
    assert lib.Scaled.from_dlpack(np.zeros(2), scale=value).scale == 2.5
    assert (lib.turned(value), lib.total_complex([value])) == (2.5j, 2.5)


@pytest.mark.parametrize("value", [each for each in COMPLEX if np.shape(each) == ()][:-1], ids=_name)
def test_complex_numbers_are_accepted_where_c_takes_complex_numbers(lib: ModuleType, value: Any) -> None:
    assert (lib.turned(value), lib.total_complex([value, 1])) == (-4 + 3j, 4 + 4j)


def test_a_complex_dtype_without_a_conversion_to_complex_is_refused(lib: ModuleType) -> None:
    for call in (
        lambda: lib.real(OnlyFloat()),
        lambda: lib.turned(OnlyFloat()),
        lambda: lib.total_complex([OnlyFloat()]),
    ):
        with pytest.raises(TypeError, match=r"must be (real|complex) number, not "):
            call()


def test_an_exception_of_the_attribute_dtype_counts_as_no_dtype(lib: ModuleType) -> None:
    """An ordinary exception of an attribute counts as a missing one; one that must stop the program is raised."""

    class Failing:
        error: BaseException = ValueError("no dtype")

        @property
        def dtype(self) -> Any:
            raise self.error

        def __float__(self) -> float:
            return 2.5

    assert lib.real(Failing()) == 2.5
    Failing.error = KeyboardInterrupt()
    with pytest.raises(KeyboardInterrupt):
        lib.real(Failing())
    with pytest.raises(KeyboardInterrupt):
        lib.turned(Failing())


class DType:
    def __init__(self, kind: Any, name: str) -> None:
        self.kind, self.name = kind, name

    def __str__(self) -> str:
        return self.name


class Scalar:
    def __init__(self, dtype: DType) -> None:
        self.dtype = dtype

    def __float__(self) -> float:
        return 2.5


@pytest.mark.parametrize("kind", [5, None, "", "fc", "\xe9", "V"])
def test_a_dtype_of_an_unknown_kind_is_known_by_its_name(lib: ModuleType, kind: Any) -> None:
    for name in ("float32", "mystery", "record[complex64]", "\udcff"):
        assert lib.real(Scalar(DType(kind, name))) == 2.5
    with pytest.raises(TypeError, match=r"^real\(\) argument 'x' must be real number, not Scalar$"):
        lib.real(Scalar(DType(kind, "complex64")))


def test_minus_one_is_a_number_and_not_a_failure(lib: ModuleType) -> None:
    """The functions of CPython return -1 for an exception, too."""
    assert lib.real(np.float32(-1)) == lib.total([np.float32(-1)]) == -1
    assert (lib.turned(np.complex64(-1 - 1j)), lib.turned(np.float32(-1))) == (1 - 1j, -1j)


def test_an_instance_of_a_subclass_of_float_has_its_value_as_in_c_of_cpython(lib: ModuleType) -> None:
    class Twice(float):
        def __float__(self) -> float:
            return 2 * super().__float__()

    assert (lib.real(Twice(2)), lib.turned(Twice(2))) == (2, 2j)


def test_an_exception_of_a_subclass_of_int_is_raised(lib: ModuleType) -> None:
    class Broken(int):
        def __float__(self) -> float:
            raise LookupError("no float")

    for function, name in ((lib.real, "x"), (lib.turned, "z")):
        with pytest.raises(LookupError, match=rf"^{function.__name__}\(\) argument '{name}': no float$"):
            function(Broken(2))
