"""Functions that take a `DLTensor *`: any dtype, any strides, any device."""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from functions.arrays_library import address, numbers, read_only
from functions.arrays_producers import FLOAT64, PRODUCERS, Called, description

DTYPES = "bool int8 int16 int32 int64 uint8 uint16 uint32 uint64 float32 float64 complex128".split()
CUDA, OPENCL = 2, 4


@pytest.mark.parametrize("producer", PRODUCERS)
def test_a_tensor_is_shown_as_it_is(arrays: ModuleType, producer: str) -> None:
    x = numbers(4, 6)[1::2, ::-1]
    assert arrays.tensor_where(PRODUCERS[producer](x)) == address(x)
    assert arrays.tensor_text(PRODUCERS[producer](x)) == description(x)
    assert arrays.tensor_sum(PRODUCERS[producer](x)) == x.sum()


@pytest.mark.parametrize("dtype", DTYPES)
def test_every_dtype_arrives_unchanged(arrays: ModuleType, dtype: str) -> None:
    x = np.ones((2, 3), dtype)
    for given in (x, memoryview(x), Called(x)):
        assert arrays.tensor_text(given) == description(x)
        assert arrays.tensor_sum(given) == 6


@pytest.mark.parametrize("strides", [(3, 1), (1, 2)])
def test_a_function_that_changes_axes_does_not_change_those_of_the_table(
    arrays: ModuleType, tabled: Any, strides: tuple[int, int]
) -> None:
    source = tabled(axes=((2, 3), strides))
    arrays.tensor_squeeze(source)
    assert source.kept.struct.tensor.axes() == ((2, 3), strides)


def test_a_tensor_may_be_on_any_device(arrays: ModuleType, managed: Callable[..., Any]) -> None:
    made = managed(device_type=CUDA, device_id=3, data=0xDEAD0000, byte_offset=64)
    assert arrays.tensor_text(made.capsule()) == "2:32:1 on 2:3, 2/3 3/1"
    made = managed(device_type=CUDA, data=0xDEAD0000, byte_offset=64)
    assert arrays.tensor_where(made.capsule()) == 0xDEAD0040


def test_a_handle_stays_separate_from_its_offset(arrays: ModuleType, managed: Callable[..., Any]) -> None:
    made = managed(device_type=OPENCL, data=0xDEAD0000, byte_offset=64)
    assert arrays.tensor_where(made.capsule()) == 0xDEAD0040


def test_flags_are_the_flags_of_dlpack(arrays: ModuleType, managed: Callable[..., Any]) -> None:
    assert arrays.tensor_flags(numbers(3)) == 0
    assert arrays.tensor_flags(read_only(numbers(3))) == arrays.tensor_flags(b"abc") == 1
    assert arrays.tensor_flags(managed(flags=5, dtype=FLOAT64).capsule()) == 5
    assert arrays.tensor_flags(arrays.Matrix.from_dlpack(read_only(numbers(3, 3)))) == 1
    assert arrays.tensor_flags_copied(numbers(4)) == 0
    assert arrays.tensor_flags_copied(numbers(4)[::2]) == 2
