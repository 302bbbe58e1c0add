"""Addresses of any elements with the library's code for their dtype: `code_of`, and several required dtypes."""

from __future__ import annotations

import re
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

from functions.libraries import build
from support.build import import_extension


@pytest.fixture(scope="module")
def codes(tmp_path_factory: pytest.TempPathFactory) -> ModuleType:
    return import_extension("codes", build("codes", tmp_path_factory.mktemp("codes")))


@pytest.mark.parametrize("dtype", ["uint8", "float32", "long"])
def test_c_gets_the_code_of_the_dtype(codes: ModuleType, dtype: str) -> None:
    values = np.arange(1, 5, dtype=dtype)
    assert codes.sum(values) == 10
    assert codes.sum(values.reshape(2, 2)) == 10


def test_a_code_can_have_any_c_type(codes: ModuleType) -> None:
    assert codes.size(np.zeros(2, np.uint8)) == 1
    assert codes.size(np.zeros(2, np.float32)) == 4
    assert codes.only(np.zeros(2, np.float32)) == 4


def test_arrays_with_a_code_are_written(codes: ModuleType) -> None:
    floats, doubles = np.zeros(3, np.float32), np.zeros((2, 6))[:, ::2]
    assert (codes.fill(floats, 2.5), codes.fill(doubles, 0.1)) == (-32, -64)
    assert floats.tolist() == [2.5] * 3
    assert doubles.tolist() == [[0.1] * 3] * 2


def test_other_dtypes_are_refused(codes: ModuleType) -> None:
    with pytest.raises(BufferError) as caught:
        codes.sum(np.zeros(3, np.int16))
    expected = r"sum\(\) argument 'values': the dtype is int16, not uint8, float32 or int(64|32)"
    assert re.fullmatch(expected, str(caught.value))
    with pytest.raises(BufferError, match="the dtype is uint8, not float32"):
        codes.only(np.zeros(2, np.uint8))


def test_a_sequence_of_numbers_has_no_dtype(codes: ModuleType) -> None:
    with pytest.raises(TypeError):
        codes.sum([1, 2])


def test_only_required_dtypes_with_a_code_are_accepted(codes: ModuleType) -> None:
    assert codes.first(np.array([3, 4], np.uint8)) == 3
    assert codes.first(np.array([2.5], np.float32)) == 2.5
    for dtype in ("int8", "long", "float64"):
        with pytest.raises(BufferError, match="dtype is "):
            codes.first(np.zeros(1, dtype))


def test_docstrings_and_stubs_list_the_dtypes(codes: ModuleType) -> None:
    assert "`values` is read: an array, of uint8, float32 or C's `long`, compact." in codes.sum.__doc__
    stub = Path(codes.__file__ or "").with_name("codes.pyi").read_text(encoding="utf-8")
    assert "def sum(values: _Array) -> float:" in stub
    assert "def fill(values: _Array, value: float) -> int:" in stub
