"""Arrays of Fortran are borrowed by NumPy, and made of NumPy's arrays for a subroutine."""

from __future__ import annotations

import ctypes
import sys
import weakref
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from libraries.real import Array, Loader, count, frozen
from structs.libraries import Library, assert_same

Borrower = ctypes.CFUNCTYPE(None, ctypes.c_void_p)
DTYPES = ["int8", "int16", "int32", "int64", "float32", "float64", "complex64", "complex128", "bool"]


@pytest.fixture(scope="session")
def cfi(real: Loader) -> Library:
    return real("cfi")


def borrowed(cfi: Library, source: str, use: Callable[[Any], object]) -> tuple[list[Any], float]:
    """Calls a Fortran procedure that lends arrays. Returns the result of `use` for each array, or the BufferError, and
    then the result of the procedure."""
    got: list[Any] = []

    def borrow(pointer: int) -> None:
        try:
            got.append(use(cfi.wrap("array", ctypes.c_void_p(pointer), None)))
        except BufferError as error:
            got.append(str(error))

    returned = cfi.number(source, Borrower(borrow), kind=ctypes.c_double)
    return got, returned


def descriptor(cfi: Library, array: Any) -> ctypes.c_void_p:
    return cfi.unwrap("array", array)


# ---- Export: arrays borrowed from Fortran ----


def test_a_section_is_borrowed(cfi: Library) -> None:
    def change(source: Any) -> tuple[Any, ...]:
        array = np.from_dlpack(source)
        before = array.copy()
        array[1, :] = 0
        return before, array.strides, source.strides, source.dtype

    [(before, strides, steps, dtype)], total = borrowed(cfi, "lend", change)
    x = np.array([[10 * i + j for j in range(1, 8)] for i in range(1, 7)], float)
    np.testing.assert_array_equal(before, x[0:4:2, 1:5])
    assert (strides, steps, dtype) == ((16, 48), (2, 6), "float64")
    x[2, 1:5] = 0
    assert total == x.sum(), "Fortran sees the change"


def test_an_allocatable_array_is_borrowed(cfi: Library) -> None:
    def double(source: Any) -> tuple[int, ...]:
        array = np.from_dlpack(source)
        array *= 2
        return array.shape

    (first, second), total = borrowed(cfi, "lend_whole", double)
    assert "cfi.Array: " in first
    assert "the array is not allocated" in first
    assert (second, total) == ((4,), 8)


def test_arrays_of_characters_are_refused(cfi: Library) -> None:
    (message,), _ = borrowed(cfi, "lend_characters", np.from_dlpack)
    assert "self->type" in message


def test_the_source_is_kept(cfi: Library) -> None:
    class Source:
        pass

    source = Source()
    alive = weakref.ref(source)
    shown = cfi.module.Array.from_dlpack(count(3))
    again = np.from_dlpack(cfi.wrap("array", descriptor(cfi, shown), ctypes.py_object(source)))
    del source
    assert alive() is not None
    del again
    assert alive() is None


# ---- Import: NumPy's arrays in Fortran ----


def test_fortran_changes_a_section(cfi: Library) -> None:
    array = count(6, 7)
    expected = array.copy()
    expected[0:4:2, 1:5] *= 10
    shown = cfi.module.Array.from_dlpack(array)
    cfi.number("scale_section", descriptor(cfi, shown), ctypes.c_double(10), kind=None)
    np.testing.assert_array_equal(array, expected)


LAYOUTS: dict[str, Callable[[Array], Array]] = {
    "by rows": lambda a: a,
    "by columns": np.asfortranarray,
    "every other": lambda a: np.repeat(np.repeat(a, 2, 0), 3, 1)[::2, ::3],
    "backwards": lambda a: a[::-1, ::-1].copy()[::-1, ::-1],
    "with a margin": lambda a: np.pad(a, 2)[2:-2, 2:-2],
}


@pytest.mark.parametrize("layout", LAYOUTS)
def test_fortran_multiplies_arrays_of_every_layout(cfi: Library, layout: str) -> None:
    lay = LAYOUTS[layout]
    a, b, c = lay(count(3, 4)), lay(count(4, 2)), lay(np.zeros((3, 2)))
    objects = [cfi.module.Array.from_dlpack(array) for array in (a, b, c)]
    cfi.number("matrix_product", *[descriptor(cfi, each) for each in objects], kind=None)
    np.testing.assert_array_equal(c, a @ b)


def test_fortran_reads_a_section_of_three_axes(cfi: Library) -> None:
    array = count(4, 5, 6)[::-2, 1:4, ::3].transpose(2, 0, 1)
    shown = cfi.module.Array.from_dlpack(array)
    assert_same(np.from_dlpack(shown), array)
    assert cfi.number("total", descriptor(cfi, shown), kind=ctypes.c_double) == array.sum()


@pytest.mark.parametrize(
    "subroutine, array, expected",
    [
        ("flip", count(5, dtype="int32"), [4, 3, 2, 1, 0]),
        ("conjugate", np.array([1 + 2j, 3 - 4j], "complex64"), [1 - 2j, 3 + 4j]),
        ("negate", np.array([True, False, True]), [False, True, False]),
    ],
)
def test_fortran_changes_arrays_of_other_types(
    cfi: Library, subroutine: str, array: Array, expected: list[Any]
) -> None:
    shown = cfi.module.Array.from_dlpack(array)
    cfi.number(subroutine, descriptor(cfi, shown), kind=None)
    assert array.tolist() == expected


@pytest.mark.parametrize("dtype", DTYPES)
def test_every_dtype_is_shared_with_fortran(cfi: Library, dtype: str) -> None:
    array = count(4, 6, dtype=dtype)[1:, ::-2]
    shown = cfi.module.Array.from_dlpack(array)
    assert shown.dtype == dtype
    assert_same(np.from_dlpack(shown), array)


@pytest.mark.parametrize("rank", [1, 2, 7, 15])
def test_every_rank_is_shared_with_fortran(cfi: Library, rank: int) -> None:
    array = count(3, *[1] * (rank - 2), 2) if rank > 1 else count(3)
    shown = cfi.module.Array.from_dlpack(array)
    extents = (ctypes.c_int * rank)()
    cfi.number("shape_of", descriptor(cfi, shown), extents, kind=None)
    assert (*extents,) == array.shape
    assert_same(np.from_dlpack(shown), array)


def test_a_scalar_is_an_array_without_axes(cfi: Library) -> None:
    shown = cfi.module.Array.from_dlpack(np.array(3.5))
    assert (shown.shape, np.from_dlpack(shown)[()]) == ((), 3.5)


@pytest.mark.parametrize("shape", [(0, 4), (4, 0)])
def test_empty_arrays_keep_their_shape(cfi: Library, shape: tuple[int, ...]) -> None:
    array = np.zeros(shape)
    shown = cfi.module.Array.from_dlpack(array)
    extents = (ctypes.c_int * 2)()
    cfi.number("shape_of", descriptor(cfi, shown), extents, kind=None)
    assert (*extents,) == shape
    assert np.from_dlpack(shown).shape == shape


def test_the_array_is_kept(cfi: Library) -> None:
    array = count(3, 4)
    alive = weakref.ref(array)
    shown = cfi.module.Array.from_dlpack(array)
    again = np.from_dlpack(shown)
    del array, shown
    again[...] = 1
    assert alive() is not None
    del again
    assert alive() is None


REFUSED: dict[str, tuple[Array, str]] = {
    "rank 16": (np.zeros([1] * 16), "16 axes, not 0 to 15"),
    "unsigned": (np.zeros(3, np.uint8), "uint8"),
    "half": (np.zeros(3, np.float16), "float16"),
    "read-only": (frozen(np.zeros(3)), "read-only"),
    "one element for all": (np.lib.stride_tricks.as_strided(np.zeros(1), (3,), (0,)), "overlap"),
    "windows": (np.lib.stride_tricks.as_strided(np.zeros(9), (3, 3), (8, 8)), "overlap"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_arrays_that_fortran_cannot_use_are_refused(cfi: Library, case: str) -> None:
    array, message = REFUSED[case]
    before = sys.getrefcount(array)
    with pytest.raises(BufferError, match=rf"cfi\.Array: .*({message})"):
        cfi.module.Array.from_dlpack(array)
    assert sys.getrefcount(array) == before


def test_strides_of_single_elements_do_not_matter(cfi: Library) -> None:
    array = count(4, 5)
    for part in (array[1:2], array[:, 3:4], array[::9, ::-9], array.T[2:3]):
        shown = cfi.module.Array.from_dlpack(part)
        assert_same(np.from_dlpack(shown), part)
