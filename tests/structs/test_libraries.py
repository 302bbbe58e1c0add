"""Structs in the style of real libraries: shared with NumPy in both directions."""

from __future__ import annotations

import ctypes
import gc
from typing import Any

import numpy as np
import pytest

from structs.libraries import Library, assert_same, count, int64s, memory
from structs.modules import Loader

# ---- ggml: a rank that follows from the extents, strides in bytes, fastest axis first ----


@pytest.fixture
def ggml(library: Loader) -> Library:
    return library("ggml")


def test_a_tensor_of_ggml_is_exported(ggml: Library) -> None:
    tensor = ggml.pointer("ggml_new_2d", 0, ctypes.c_int64(4), ctypes.c_int64(3))
    shown = ggml.wrap("tensor", tensor)
    array = np.from_dlpack(shown)
    assert (array.shape, array.strides, array.dtype) == ((3, 4), (16, 4), np.float32)
    array[...] = count(3, 4)
    assert ggml.number("ggml_get_f32", tensor, ctypes.c_int64(3), ctypes.c_int64(1), kind=ctypes.c_float) == array[1, 3]
    ggml.number("ggml_transpose", tensor, kind=None)
    assert_same(np.from_dlpack(shown), array.T)
    del shown
    assert ggml.number("ggml_live") == 1
    del array
    assert ggml.number("ggml_live") == 0


def test_a_quantised_tensor_of_ggml_is_refused(ggml: Library) -> None:
    shown = ggml.wrap("tensor", ggml.pointer("ggml_new_2d", 2, ctypes.c_int64(32), ctypes.c_int64(1)))
    with pytest.raises(BufferError, match="quantised tensors have no elements"):
        np.from_dlpack(shown)


def test_a_type_of_ggml_without_a_dtype_is_refused(ggml: Library) -> None:
    shown = ggml.wrap("tensor", ggml.pointer("ggml_new_2d", 23, ctypes.c_int64(2), ctypes.c_int64(2)))
    with pytest.raises(BufferError, match=r"ggml\.Tensor: .*dtype.*self->type.*23"):
        np.from_dlpack(shown)


@pytest.mark.parametrize("dtype, code", [("float32", 0), ("float16", 1), ("int8", 24)])
def test_a_tensor_of_ggml_is_made_of_an_array(ggml: Library, dtype: str, code: int) -> None:
    array = count(2, 3, 5, dtype=dtype)[:, ::2]
    shown = ggml.module.Tensor.from_dlpack(array)
    struct = ggml.unwrap("tensor", shown).value or 0
    assert ctypes.c_int.from_address(struct).value == code
    assert [*(ctypes.c_int64 * 4).from_address(struct + 16)] == [5, 2, 2, 1]
    assert_same(np.from_dlpack(shown), array)


def test_arrays_that_ggml_cannot_use_are_refused(ggml: Library) -> None:
    tensor = ggml.module.Tensor
    with pytest.raises(BufferError, match="5 axes, not 1 to 4"):
        tensor.from_dlpack(count(1, 1, 1, 1, 2))
    with pytest.raises(BufferError, match="without negative strides"):
        tensor.from_dlpack(count(4)[::-1])
    with pytest.raises(BufferError, match="dtype is float64, not float32"):
        tensor.from_dlpack(count(4, dtype=np.float64))
    with pytest.raises(BufferError, match="the new object shows 2 axes, not 3"):
        tensor.from_dlpack(count(1, 4, 5))
    assert ggml.number("ggml_live") == 0


# ---- NRRD: axes as an array of structs, made and freed by the library ----


@pytest.fixture
def nrrd(library: Loader) -> Library:
    return library("nrrd")


def test_an_array_of_nrrd_is_exported_with_reversed_axes(nrrd: Library) -> None:
    pointer = nrrd.pointer("nrrdAlloc", 3, 3, int64s(2, 3, 4))
    array = np.from_dlpack(nrrd.wrap("nrrd", pointer))
    assert (array.shape, array.dtype) == ((4, 3, 2), np.int16)
    array[...] = count(4, 3, 2)
    assert nrrd.number("nrrdLookup", pointer, 1, 2, 3, kind=ctypes.c_double) == array[3, 2, 1]
    del array
    assert nrrd.number("nrrdLive") == 0


def test_an_import_of_nrrd_leaves_the_memory_to_the_array(nrrd: Library) -> None:
    nixed = nrrd.number("nrrdNixed")
    array = count(2, 3, dtype=np.uint8)
    shown = nrrd.module.Nrrd.from_dlpack(array)
    assert_same(np.from_dlpack(shown), array)
    assert nrrd.number("nrrdLive") == 1
    del shown
    assert (nrrd.number("nrrdLive"), nrrd.number("nrrdNixed")) == (0, nixed + 1)


def test_arrays_that_nrrd_cannot_use_are_refused(nrrd: Library) -> None:
    with pytest.raises(RuntimeError, match=r"nrrdWrap\(data, code, rank, shape\).*thirteen axes bring bad luck"):
        nrrd.module.Nrrd.from_dlpack(count(*[1] * 13))
    with pytest.raises(BufferError, match="compact"):
        nrrd.module.Nrrd.from_dlpack(count(4, 4)[:, :2])
    array = count(4)
    array.flags.writeable = False
    with pytest.raises(BufferError, match="read-only"):
        nrrd.module.Nrrd.from_dlpack(array)
    assert nrrd.number("nrrdLive") == 0


@pytest.mark.parametrize("dtype, code", [("int8", 1), ("uint8", 2), ("int16", 3), ("float32", 4), ("float64", 5)])
def test_a_new_array_of_nrrd_has_the_code_of_its_dtype(nrrd: Library, dtype: str, code: int) -> None:
    shown = nrrd.module.Nrrd.empty((3, 2), dtype=dtype)
    array = np.from_dlpack(shown)
    assert (array.shape, array.dtype) == ((3, 2), dtype)
    struct = nrrd.unwrap("nrrd", shown).value or 0
    assert ctypes.c_int.from_address(struct + 8).value == code
    del shown, array
    assert nrrd.number("nrrdLive") == 0


def test_impossible_new_arrays_of_nrrd_are_refused(nrrd: Library) -> None:
    with pytest.raises(TypeError, match="dtype"):
        nrrd.module.Nrrd.empty((3, 2))
    with pytest.raises(ValueError, match="dtype is int64"):
        nrrd.module.Nrrd.empty((3, 2), dtype="int64")
    with pytest.raises(ValueError, match="0 axes, not 1 to 16"):
        nrrd.module.Nrrd.empty((), dtype="int8")


# ---- OpenCV: a pitch in bytes, two tensors in one module ----


@pytest.fixture
def ipl(library: Loader) -> Library:
    return library("ipl")


def test_an_image_of_ipl_is_exported(ipl: Library) -> None:
    image = ipl.pointer("cvCreateFrame", 3, 2, 16, 1)
    array = np.from_dlpack(ipl.wrap("image", image))
    assert (array.shape, array.strides, array.dtype) == ((2, 3, 1), (8, 2, 2), np.uint16)
    array[...] = count(2, 3, 1)
    assert ipl.number("cvGetReal2D", image, 1, 2, kind=ctypes.c_double) == array[1, 2, 0]
    del array
    assert ipl.number("cvLive") == 0


@pytest.mark.parametrize("depth, dtype", [(8, "uint8"), (ctypes.c_int(0x80000008), "int8"), (32, "float32")])
def test_depths_of_ipl_are_dtypes_in_both_directions(ipl: Library, depth: Any, dtype: str) -> None:
    shown = ipl.wrap("image", ipl.pointer("cvCreateFrame", 3, 2, depth, 2))
    assert np.from_dlpack(shown).dtype == dtype
    array = count(2, 4, 2, dtype=dtype)
    back = ipl.module.Image.from_dlpack(array)
    image = ipl.unwrap("image", back).value or 0
    assert ctypes.c_int.from_address(image + 4).value == (depth if isinstance(depth, int) else depth.value)
    assert_same(np.from_dlpack(back), array)


def test_a_bottom_up_image_of_ipl_is_refused(ipl: Library) -> None:
    image = ipl.pointer("cvCreateFrame", 3, 2, 8, 1)
    ctypes.c_int.from_address((image.value or 0) + 8).value = 1
    with pytest.raises(BufferError, match="bottom-up images are not supported"):
        np.from_dlpack(ipl.wrap("image", image))


def test_arrays_that_an_image_of_ipl_cannot_hold_are_refused(ipl: Library) -> None:
    with pytest.raises(BufferError, match=rf"height.*{2**31}"):
        ipl.module.Image.from_dlpack(np.empty((2**31, 0, 1), np.uint8))
    with pytest.raises(BufferError, match="aligned to 2 bytes"):
        ipl.module.Image.from_dlpack(np.zeros(9, np.uint8)[1:].reshape(2, 4, 1))


@pytest.mark.parametrize("depth, dtype", [(0, "uint8"), (2, "uint16"), (6, "float64")])
def test_a_depth_has_the_dtype_of_its_entry_or_the_default_dtype(ipl: Library, depth: int, dtype: str) -> None:
    shown = ipl.wrap("mat", ipl.pointer("cvCreateMat", 3, 2, depth | 2 << 3))
    if depth == 2:  # of the map's default; the fake library has it in steps of one byte
        with pytest.raises(BufferError, match="item size"):
            np.from_dlpack(shown)
    else:
        assert (np.from_dlpack(shown).shape, shown.dtype) == ((3, 2, 3), dtype)


def test_a_new_matrix_has_the_required_dtype_and_size(ipl: Library) -> None:
    shown = ipl.module.Mat.empty((2, 3, 4))
    assert (shown.shape, shown.strides, shown.dtype) == ((2, 3, 4), (12, 4, 1), "float64")
    with pytest.raises(ValueError, match="too large"):
        ipl.module.Mat.empty((2, 3, 5), dtype="float64")
    with pytest.raises(ValueError, match="dtype is uint8"):
        ipl.module.Mat.empty((2, 3, 4), dtype="uint8")
    with pytest.raises(TypeError, match=r"expected ipl\.Image, not"):
        ipl.unwrap("image", shown)
    del shown
    gc.collect()
    assert ipl.number("cvLive") == 0


# ---- LAPACK and FFTW: column-major arrays ----


@pytest.fixture
def blas(library: Loader) -> Library:
    return library("blas")


def test_matrices_of_blas_are_exported_in_column_major_order(blas: Library) -> None:
    matrix = blas.pointer("dmatrix_new", 2, 3, 5)
    array = np.from_dlpack(blas.wrap("matrix", matrix))
    assert (array.shape, array.strides) == ((2, 3), (8, 40))
    array[...] = count(2, 3)
    assert blas.number("dmatrix_at", matrix, 1, 2, kind=ctypes.c_double) == array[1, 2]
    assert blas.number("dmatrix_trace", matrix, kind=ctypes.c_double) == np.trace(array)
    grid = blas.pointer("dgrid_new", *map(ctypes.c_size_t, (2, 3, 4)))
    array = np.from_dlpack(blas.wrap("grid3d", grid))
    assert (array.shape, array.flags.f_contiguous) == ((2, 3, 4), True)
    array[...] = count(2, 3, 4)
    assert blas.number("dgrid_at", grid, 1, 2, 3, kind=ctypes.c_double) == array[1, 2, 3]
    del array
    assert blas.number("blas_live") == 0


def test_a_matrix_of_blas_is_made_of_a_column_major_array(blas: Library) -> None:
    array = np.asfortranarray(count(4, 3, dtype=np.float64))[1:3]
    shown = blas.module.Matrix.from_dlpack(array)
    assert_same(np.from_dlpack(shown), array)
    assert blas.number("dmatrix_at", blas.unwrap("matrix", shown), 1, 2, kind=ctypes.c_double) == array[1, 2]
    with pytest.raises(BufferError, match=r"compact \(column-major\) but for the outermost axis"):
        blas.module.Matrix.from_dlpack(count(4, 3, dtype=np.float64))
    with pytest.raises(BufferError, match="without negative strides"):
        blas.module.Matrix.from_dlpack(array[:, ::-1])


def test_a_new_grid_of_blas_is_column_major(blas: Library) -> None:
    shown = blas.module.Grid3D.empty((2, 3, 4))
    assert (shown.shape, shown.strides) == ((2, 3, 4), (1, 2, 6))
    assert blas.number("blas_live") == 1
    with pytest.raises(BufferError, match=r"compact \(column-major\)"):
        blas.module.Grid3D.from_dlpack(count(2, 3, 4, dtype=np.float64))
    assert_same(np.from_dlpack(blas.module.Grid3D.from_dlpack(shown)), np.from_dlpack(shown))


# ---- Fortran descriptors: borrowed, byte strides per axis ----


@pytest.fixture
def cfi(library: Loader) -> Library:
    return library("cfi")


def test_a_descriptor_of_fortran_is_borrowed(cfi: Library) -> None:
    array = count(4, 6, dtype=np.float64)
    descriptor = cfi.pointer("cfi_establish", memory(array), 3 + (8 << 8), 2, int64s(3, 2), int64s(16, 96))
    shown = cfi.wrap("descriptor", descriptor, None)
    back = np.from_dlpack(shown)
    assert_same(back, array[::2, ::2])
    assert cfi.number("cfi_element", descriptor, 1, 1, kind=ctypes.c_double) == back[1, 1] == 14
    del shown, back
    assert cfi.number("cfi_live") == 1, "a borrow gives nothing back"
    cfi.number("cfi_deallocate", descriptor, kind=None)


def test_the_parent_of_a_descriptor_lives_as_long_as_the_arrays(cfi: Library) -> None:
    array = count(4, dtype=np.float64)
    descriptor = cfi.pointer("cfi_establish", memory(array), 3 + (8 << 8), 1, int64s(4), int64s(8))
    gone: list[bool] = []
    parent = type("Parent", (), {"__del__": lambda self: gone.append(True)})()
    back = np.from_dlpack(cfi.wrap("descriptor", descriptor, ctypes.py_object(parent)))
    del parent
    assert not gone
    del back
    assert gone
    cfi.number("cfi_deallocate", descriptor, kind=None)


@pytest.mark.parametrize("dtype", ["int32", "float32", "float64", "complex128"])
def test_a_descriptor_of_fortran_is_made_of_an_array(cfi: Library, dtype: str) -> None:
    array = count(3, 4, 5, dtype=dtype)[:, ::-2, 1:3]
    shown = cfi.module.Descriptor.from_dlpack(array)
    assert_same(np.from_dlpack(shown), array)
    assert cfi.number("cfi_live") == 1
    del shown
    assert cfi.number("cfi_live") == 0


def test_a_descriptor_without_memory_is_refused(cfi: Library) -> None:
    descriptor = cfi.pointer("cfi_establish", None, 3 + (8 << 8), 1, int64s(4), int64s(8))
    with pytest.raises(BufferError, match="self->base_addr != NULL does not hold"):
        np.from_dlpack(cfi.wrap("descriptor", descriptor, None))
    cfi.number("cfi_deallocate", descriptor, kind=None)
