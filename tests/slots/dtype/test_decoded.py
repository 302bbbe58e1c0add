"""Dtypes that are decoded from numbers of a descriptor, and imports that box such a descriptor."""

from __future__ import annotations

import ctypes
from typing import Any

import numpy as np
import pytest

from python.tensors import inside
from structs.libraries import Library, address, assert_same
from structs.modules import Loader

Array = np.ndarray[Any, Any]


def grid(*shape: int, dtype: Any = np.float64) -> Array:
    return np.arange(np.prod(shape, dtype=int)).astype(dtype).reshape(shape)


# ---- Halide: types by their codes, the fastest axis first, a box with storage for axes ----


@pytest.fixture
def halide(library: Loader) -> Library:
    return library("halide")


def dimensions(*axes: tuple[int, int]) -> Any:
    return (ctypes.c_int32 * (4 * len(axes)))(*(value for extent, step in axes for value in (0, extent, step, 0)))


@pytest.mark.parametrize(
    "code, bits, lanes, dtype",
    [
        (0, 16, 1, "int16"),
        (1, 8, 1, "uint8"),
        (2, 64, 1, "float64"),
        (4, 16, 1, "bfloat16"),
        (2, 32, 4, "dtype(2, 32, 4)"),
    ],
)
def test_a_dtype_is_decoded_from_code_bits_and_lanes(
    halide: Library, code: int, bits: int, lanes: int, dtype: str
) -> None:
    shown = halide.wrap("buffer", halide.pointer("halide_make", code, bits, lanes, 2, dimensions((4, 1), (3, 6))))
    assert (shown.dtype, shown.shape, shown.strides) == (dtype, (3, 4), (6, 1))
    tensor = inside(shown.__dlpack__(max_version=(1, 0))).tensor
    assert (tensor.code, tensor.bits, tensor.lanes) == (code, bits, lanes)


@pytest.mark.parametrize(
    "code, bits, lanes, message",
    [
        (3, 64, 1, "elements that are pointers are not shared"),
        (2, 0, 1, "bits"),
        (2, 32, 0, "lanes"),
        (99, 8, 1, "code"),
    ],
)
def test_impossible_dtypes_are_refused(halide: Library, code: int, bits: int, lanes: int, message: str) -> None:
    shown = halide.wrap("buffer", halide.pointer("halide_make", code, bits, lanes, 1, dimensions((4, 1))))
    with pytest.raises(BufferError, match=rf"halide\.Buffer: .*{message}"):
        shown.__dlpack__(max_version=(1, 0))


def test_an_import_boxes_a_descriptor_with_storage_for_axes(halide: Library) -> None:
    array = grid(2, 3, 4, 10, dtype=np.uint8)[:, ::-1, :, ::2]
    freed = halide.number("halide_freed")
    shown = halide.module.Buffer.from_dlpack(array)
    assert_same(np.from_dlpack(shown), array)
    assert_same(np.from_dlpack(shown.bytes()), array)
    del shown
    assert halide.number("halide_freed") == freed + 1
    with pytest.raises(BufferError, match="5 axes, not 0 to 4"):
        halide.module.Buffer.from_dlpack(np.zeros((1, 1, 1, 1, 1), np.uint8))
    with pytest.raises(BufferError, match="dtype is float32, not uint8"):
        halide.module.Bytes.from_dlpack(grid(2, dtype=np.float32))
    with pytest.raises(BufferError, match=rf"extent.*{2**31}"):
        halide.module.Bytes.from_dlpack(np.zeros((0, 2**31), np.uint8))
    assert np.from_dlpack(halide.module.Bytes.from_dlpack(np.array(5, np.uint8))) == 5


# ---- Fortran: descriptors with a flexible array at their end ----


@pytest.fixture
def cfi(library: Loader) -> Library:
    return library("cfi")


@pytest.mark.parametrize(
    "kind, dtype",
    [(1 + (4 << 8), "int32"), (3 + (4 << 8), "float32"), (4 + (8 << 8), "complex128"), (1 + (1 << 8), "int8")],
)
def test_a_dtype_is_decoded_from_a_descriptor(cfi: Library, kind: int, dtype: str) -> None:
    array = grid(3, 4, dtype=dtype)
    extents = (ctypes.c_int64 * 2)(4, 3)
    steps = (ctypes.c_int64 * 2)(array.itemsize, 4 * array.itemsize)
    descriptor = cfi.pointer("cfi_establish", ctypes.c_void_p(address(array)), kind, 2, extents, steps)
    assert_same(np.from_dlpack(cfi.wrap("decoded", descriptor, None)), array)
    cfi.number("cfi_deallocate", descriptor, kind=None)


def test_an_import_boxes_a_descriptor_of_up_to_15_axes(cfi: Library) -> None:
    array = grid(3, 4, 5)[:, ::-2, 1:3]
    shown = cfi.module.Decoded.from_dlpack(array)
    assert_same(np.from_dlpack(shown), array)
    assert cfi.number("cfi_element", cfi.unwrap("decoded", shown), 1, 1, kind=ctypes.c_double) == array[0, 1, 1]
    most = grid(*[1] * 14, 2)
    assert_same(np.from_dlpack(cfi.module.Decoded.from_dlpack(most)), most)
    with pytest.raises(BufferError, match="16 axes, not 0 to 15"):
        cfi.module.Decoded.from_dlpack(grid(*[1] * 16))
    assert cfi.number("cfi_live") == 0
