"""The order of the axes, chosen by a value of the struct."""

from __future__ import annotations

import ctypes
from typing import Any

import numpy as np
import pytest

from structs.libraries import Library, assert_same, count
from structs.modules import Loader

Array = np.ndarray[Any, Any]


@pytest.fixture
def npy(library: Loader) -> Library:
    return library("npy")


def sizes(*values: int) -> Any:
    return (ctypes.c_size_t * len(values))(*values)


@pytest.mark.parametrize("fortran, strides", [(False, (96, 32, 8)), (True, (8, 16, 48))])
def test_a_flag_chooses_the_order(npy: Library, fortran: bool, strides: tuple[int, ...]) -> None:
    shown = npy.wrap("array", npy.pointer("npy_new", b"<f8", ctypes.c_bool(fortran), 3, sizes(2, 3, 4)))
    array = np.from_dlpack(shown)
    assert (array.shape, array.strides) == ((2, 3, 4), strides)


def test_a_new_array_has_the_order_of_the_spec(npy: Library) -> None:
    array = np.from_dlpack(npy.module.Array.empty((2, 3), dtype="complex128"))
    assert (array.shape, array.strides, array.dtype) == ((2, 3), (48, 16), np.complex128)
    with pytest.raises(ValueError, match="dtype is uint64"):
        npy.module.Array.empty((2, 3), dtype="uint64")
    del array
    assert npy.number("npy_live") == 0


def test_a_foreign_byte_order_is_refused(npy: Library) -> None:
    shown = npy.wrap("array", npy.pointer("npy_new", b">f8", ctypes.c_bool(False), 1, sizes(2)))
    with pytest.raises(BufferError, match=r"npy\.Array: .*dtype.*self->descr.*>f8"):
        np.from_dlpack(shown)


@pytest.mark.parametrize("slow_first, shape", [(0, (4, 3, 2)), (1, (2, 3, 4))])
def test_a_flag_reverses_the_axes(npy: Library, slow_first: int, shape: tuple[int, ...]) -> None:
    dims = (ctypes.c_short * 3)(2, 3, 4)
    image = npy.pointer("nifti_new", 16, 32, 3, dims, slow_first)
    array = np.from_dlpack(npy.wrap("image", image))
    assert (array.shape, array.flags.c_contiguous, array.dtype) == (shape, True, np.float32)


def test_an_entry_of_a_map_can_be_decoded(npy: Library) -> None:
    dims = (ctypes.c_short * 1)(5)
    assert npy.wrap("image", npy.pointer("nifti_new", 512, 16, 1, dims, 0)).dtype == "uint16"
    assert npy.wrap("image", npy.pointer("nifti_new", 512, 64, 1, dims, 0)).dtype == "uint64"
    with pytest.raises(BufferError, match="bits"):
        npy.wrap("image", npy.pointer("nifti_new", 512, 0, 1, dims, 0)).__dlpack__()


@pytest.mark.parametrize("dtype, code", [("uint8", 2), ("int16", 4), ("float32", 16), ("complex64", 32)])
def test_an_import_fills_a_boxed_header(npy: Library, dtype: str, code: int) -> None:
    array = count(4, 3, 2, dtype=dtype)
    shown = npy.module.Image.from_dlpack(array)
    image = npy.unwrap("image", shown).value or 0
    assert [*(ctypes.c_short * 10).from_address(image)] == [3, 2, 3, 4, 0, 0, 0, 0, code, 8 * array.itemsize]
    assert_same(np.from_dlpack(shown), array)


def test_an_import_copies_an_array_that_is_not_compact(npy: Library) -> None:
    array = count(4, 6)[:, ::2]
    back = np.from_dlpack(npy.module.Image.from_dlpack(array))
    np.testing.assert_array_equal(back, array)
    assert back.flags.c_contiguous and not np.shares_memory(back, array)
    back[0, 0] = -1
    assert array[0, 0] == 0
    with pytest.raises(BufferError, match="dtype is uint16"):
        npy.module.Image.from_dlpack(count(3, dtype=np.uint16))
    with pytest.raises(BufferError, match="more than a page"):
        npy.module.Image.from_dlpack(count(2000))
    with pytest.raises(BufferError, match=r"32768"):
        npy.module.Image.from_dlpack(np.zeros((0, 32768), np.uint8))
