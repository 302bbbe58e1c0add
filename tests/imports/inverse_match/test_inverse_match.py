"""An inverse match sets the values of a struct from the dtype and the rank of an array, and from arguments."""

from __future__ import annotations

import ctypes

import numpy as np
import pytest

from structs.libraries import Library, assert_same, count
from structs.modules import Loader

# ---- OpenCV: a type is an expression; a struct by value; imports with arguments ----


@pytest.fixture
def opencv(library: Loader) -> Library:
    return library("opencv")


def test_an_import_has_checked_arguments(opencv: Library) -> None:
    array = count(2, 6, 1, dtype=np.uint8)
    with pytest.raises(BufferError, match="the rows are not aligned"):
        opencv.module.Image.from_dlpack(array)
    shown = opencv.module.Image.from_dlpack(array, align=2)
    assert_same(np.from_dlpack(shown), array)
    with pytest.raises(BufferError, match="gamma must be positive"):
        opencv.module.Image.from_dlpack(array, align=2, gamma=-0.5)
    assert_same(np.from_dlpack(opencv.module.Image.from_dlpack(array, gamma=2.5, align=3)), array)
    with pytest.raises(TypeError, match="aling"):
        opencv.module.Image.from_dlpack(array, aling=2)
    with pytest.raises(TypeError, match="align"):
        opencv.module.Image.from_dlpack(array, align="2")
    with pytest.raises(OverflowError, match="align"):
        opencv.module.Image.from_dlpack(array, align=2**31)
    assert "align=4, gamma=1.0" in opencv.module.Image.from_dlpack.__doc__ or "align=4" in str(
        opencv.module.Image.from_dlpack.__text_signature__
    )


class CvMat(ctypes.Structure):
    _fields_ = [
        ("type", ctypes.c_int),
        ("step", ctypes.c_int),
        ("refcount", ctypes.c_void_p),
        ("hdr_refcount", ctypes.c_int),
        ("data", ctypes.c_void_p),
        ("rows", ctypes.c_int),
        ("cols", ctypes.c_int),
    ]


@pytest.mark.parametrize(
    "kind, shape, dtype",
    [
        (0, (3, 4), "uint8"),
        (0 + (2 << 3), (3, 4, 3), "uint8"),
        (4, (3, 4), "int32"),
        (6, (3, 4), "float64"),
        (6 + 0x800, (3, 4), "float64"),
        (6 + (2 << 3), (3, 4, 3), "float64"),
    ],
)
def test_a_struct_by_value_keeps_its_reference(opencv: Library, kind: int, shape: tuple[int, ...], dtype: str) -> None:
    mat = opencv.number("cv_create", 3, 4, kind, kind=CvMat)
    shown = opencv.wrap("mat", mat)
    assert opencv.number("cv_references", mat) == 2
    array = np.from_dlpack(shown)
    assert (array.shape, array.dtype) == (shape, dtype)
    assert array.__array_interface__["data"][0] == mat.data
    del shown
    assert opencv.number("cv_references", mat) == 2, "the array keeps the owner"
    del array
    assert opencv.number("cv_references", mat) == 1
    opencv.number("cvReleaseData", mat, kind=None)
    assert opencv.number("cv_live") == 0


@pytest.mark.parametrize(
    "shape, dtype, kind", [((3, 4), "uint8", 0), ((3, 4, 3), "uint8", 16), ((3, 4), "int32", 4), ((3, 4), "float64", 6)]
)
def test_the_arm_of_the_dtype_and_the_rank_sets_the_values(
    opencv: Library, shape: tuple[int, ...], dtype: str, kind: int
) -> None:
    """Several arms have the same dtype and rank: the one with `import` is used."""
    array = count(5, *shape[1:], dtype=dtype)[::2]
    shown = opencv.module.Mat.from_dlpack(array)
    mat = CvMat.from_address(opencv.unwrap("mat", shown).value or 0)
    assert (mat.type, mat.rows, mat.cols, mat.step) == (kind, 3, 4, array.strides[0])
    assert_same(np.from_dlpack(shown), array)


def test_an_array_without_an_arm_is_refused(opencv: Library) -> None:
    for array, text in [
        (count(3, 4, 2, dtype=np.uint8), r"uint8\[3, 4, 2\]"),
        (count(3, 4, dtype=np.int16), r"int16\[3, 4\]"),
        (count(3, 4, 3, dtype=np.int32), r"int32\[3, 4, 3\]"),
    ]:
        with pytest.raises(BufferError, match=rf"opencv\.Mat: .* {text}"):
            opencv.module.Mat.from_dlpack(array)


# ---- CHOLMOD: two codes for one dtype, in both directions ----


@pytest.fixture
def cholmod(library: Loader) -> Library:
    return library("cholmod")


REAL, COMPLEX, DOUBLE, SINGLE = 1, 2, 0, 1


@pytest.mark.parametrize(
    "dtype, xtype, precision",
    [
        ("float64", REAL, DOUBLE),
        ("float32", REAL, SINGLE),
        ("complex128", COMPLEX, DOUBLE),
        ("complex64", COMPLEX, SINGLE),
    ],
)
def test_an_arm_can_set_two_codes(cholmod: Library, dtype: str, xtype: int, precision: int) -> None:
    array = np.asfortranarray(count(5, 3, dtype=dtype))[1:4]
    shown = cholmod.module.Dense.from_dlpack(array)
    struct = cholmod.unwrap("dense", shown).value or 0
    assert [*(ctypes.c_size_t * 4).from_address(struct)] == [3, 3, 15, 5]
    assert [*(ctypes.c_int * 2).from_address(struct + 48)] == [xtype, precision]
    assert_same(np.from_dlpack(shown), array)
    new = np.from_dlpack(cholmod.module.Dense.empty((2, 3), dtype=dtype))
    assert (new.shape, new.dtype, new.flags.f_contiguous) == ((2, 3), dtype, True)
    del new
    assert cholmod.number("cholmod_live") == 0
    with pytest.raises(ValueError, match="a matrix has rows"):
        cholmod.module.Dense.empty((0, 3), dtype=dtype)
