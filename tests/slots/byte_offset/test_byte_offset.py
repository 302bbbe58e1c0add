"""Data that begins at an offset in elements."""

from __future__ import annotations

import ctypes

import numpy as np
import pytest

from structs.libraries import Library, assert_same, count, memory
from structs.modules import Loader


@pytest.fixture
def carrow(library: Loader) -> Library:
    return library("carrow")


@pytest.mark.parametrize(
    "name, dtype", [(b"c", "int8"), (b"S", "uint16"), (b"l", "int64"), (b"e", "float16"), (b"g", "float64")]
)
def test_an_offset_in_elements_moves_the_data(carrow: Library, name: bytes, dtype: str) -> None:
    array = count(9, dtype=dtype)
    pointer = carrow.pointer("column_new", name, ctypes.c_int64(4), ctypes.c_int64(3), ctypes.c_int64(0), memory(array))
    shown = carrow.wrap("column", pointer)
    assert_same(np.from_dlpack(shown), array[3:7])
    assert shown.readonly
    del shown
    assert carrow.number("column_live") == 0


def test_columns_with_missing_values_or_unknown_types_are_refused(carrow: Library) -> None:
    array = count(9)
    pointer = carrow.pointer("column_new", b"f", ctypes.c_int64(4), ctypes.c_int64(3), ctypes.c_int64(2), memory(array))
    with pytest.raises(BufferError, match="some values are missing"):
        np.from_dlpack(carrow.wrap("column", pointer))
    pointer = carrow.pointer("column_new", b"u", ctypes.c_int64(4), ctypes.c_int64(3), ctypes.c_int64(0), memory(array))
    with pytest.raises(BufferError, match=r"carrow\.Column: .*dtype.*self->schema\.format"):
        np.from_dlpack(carrow.wrap("column", pointer))
