"""Tables of rows, strides in bytes and reversed axes are shared, or copied where they cannot be shared."""

from __future__ import annotations

import ctypes
from typing import Any

import numpy as np
import pytest

from python.tensors import IS_COPIED, inside
from structs.libraries import Library, address, assert_same
from structs.modules import Loader

Array = np.ndarray[Any, Any]


def grid(*shape: int, dtype: Any = np.float64) -> Array:
    return np.arange(np.prod(shape, dtype=int)).astype(dtype).reshape(shape)


# ---- Meschach: a table of rows ----


@pytest.fixture
def meschach(library: Loader) -> Library:
    return library("meschach")


def flags(shown: Any) -> int:
    return int(inside(shown.__dlpack__(max_version=(1, 0))).flags)


def matrix(meschach: Library, rows: int, columns: int) -> ctypes.c_void_p:
    """Makes a matrix of 0, 1, 2, ... by rows, with a gap of two numbers after each row."""
    pointer = meschach.pointer("m_get", rows, columns)
    base = ctypes.c_void_p.from_address((pointer.value or 0) + 32).value or 0
    values = np.ctypeslib.as_array((ctypes.c_double * (rows * (columns + 2))).from_address(base))
    values.reshape(rows, columns + 2)[:, :columns] = grid(rows, columns)
    return pointer


@pytest.mark.parametrize("rows, columns", [(3, 4), (1, 4), (0, 4), (3, 0), (3, 1)])
def test_rows_in_one_block_are_shared(meschach: Library, rows: int, columns: int) -> None:
    shown = meschach.wrap("matrix", matrix(meschach, rows, columns))
    array = np.from_dlpack(shown)
    np.testing.assert_array_equal(array, grid(rows, columns))
    if rows > 1 and columns > 0:
        assert array.strides[0] == 8 * (columns + 2)
    assert flags(shown) == 0
    del shown, array
    assert (meschach.number("m_live"), meschach.number("m_tables")) == (0, 0)


def test_rows_in_reversed_order_are_shared(meschach: Library) -> None:
    pointer = matrix(meschach, 3, 4)
    meschach.number("m_swap", pointer, 0, 2, kind=None)
    array = np.from_dlpack(meschach.wrap("matrix", pointer))
    assert array.strides == (-48, 8)
    np.testing.assert_array_equal(array, grid(3, 4)[::-1])


def test_rows_in_any_order_are_refused_or_gathered(meschach: Library) -> None:
    pointer = matrix(meschach, 3, 4)
    meschach.number("m_swap", pointer, 0, 1, kind=None)
    shown = meschach.wrap("matrix", pointer)
    with pytest.raises(BufferError, match=r"meschach\.Matrix: .*rows.*self->me"):
        np.from_dlpack(shown)
    assert "not exportable" in repr(shown)
    gathered = shown.gathered()
    assert flags(gathered) == IS_COPIED
    array = np.from_dlpack(gathered)
    np.testing.assert_array_equal(array, grid(3, 4)[[1, 0, 2]])
    assert array.flags.c_contiguous and address(array) % 64 == 0 and array.flags.writeable
    with pytest.raises(BufferError):
        gathered.__dlpack__(copy=False, max_version=(1, 0))
    meschach.number("m_swap", pointer, 0, 1, kind=None)
    assert flags(gathered) == 0, "nothing is copied that need not be"
    np.testing.assert_array_equal(np.from_dlpack(shown), grid(3, 4))
    del shown, gathered
    assert meschach.number("m_live") == 0
    assert array[2, 3] == 11, "a copy depends on nothing"


def test_a_type_can_always_copy_its_rows(meschach: Library) -> None:
    shown = meschach.wrap("snapshot", matrix(meschach, 3, 4))
    first = np.from_dlpack(shown)
    first[...] = -1
    np.testing.assert_array_equal(np.from_dlpack(shown), grid(3, 4))
    assert flags(shown) == IS_COPIED
    with pytest.raises(BufferError, match="cop"):
        np.from_dlpack(shown, copy=False)
    buffer = memoryview(shown)
    assert buffer.readonly and buffer.tolist() == grid(3, 4).tolist(), "what is written to a copy would be lost"
    first[...] = -1
    assert buffer[0, 0] == 0


def test_an_import_makes_a_table_of_rows_and_frees_it(meschach: Library) -> None:
    for array in (grid(3, 6)[:, :4], grid(3, 4)[::-1], grid(1, 4), grid(0, 4)):
        shown = meschach.module.Matrix.from_dlpack(array)
        assert_same(np.from_dlpack(shown), array)
        assert meschach.number("m_tables") == 1
        del shown
        assert meschach.number("m_tables") == 0
    with pytest.raises(RuntimeError, match=r"m_fill\(table, data, rows, step\).*thirteen rows bring bad luck"):
        meschach.module.Matrix.from_dlpack(grid(13, 2))
    with pytest.raises(BufferError, match=r"meschach\.Matrix: the array must be compact but for the outermost axis"):
        meschach.module.Matrix.from_dlpack(grid(3, 4).T)
    assert meschach.number("m_tables") == 0, "what was made before the failure is undone"


def test_an_import_can_always_copy(meschach: Library) -> None:
    for array in (grid(3, 4), grid(3, 4).T, grid(3, 6)[::2, ::-1]):
        back = np.from_dlpack(meschach.module.Gathered.from_dlpack(array))
        np.testing.assert_array_equal(back, array)
        assert not np.shares_memory(back, array) and back.flags.c_contiguous and address(back) % 64 == 0
    frozen = grid(3, 4)
    frozen.flags.writeable = False
    assert np.from_dlpack(meschach.module.Gathered.from_dlpack(frozen)).flags.writeable, "the copy is nobody else's"


# ---- Leptonica: steps of four bytes ----


@pytest.fixture
def leptonica(library: Loader) -> Library:
    return library("leptonica")


@pytest.mark.parametrize("depth, dtype, step", [(8, "uint8", 12), (16, "uint16", 16), (32, "uint32", 24)])
def test_strides_in_words_become_strides_of_elements(leptonica: Library, depth: int, dtype: str, step: int) -> None:
    pix = leptonica.pointer("pixCreate", 5, 3, depth)
    shown = leptonica.wrap("pix", pix)
    array = np.from_dlpack(shown)
    assert (array.shape, array.strides, array.dtype) == ((3, 5), (step, depth // 8), dtype)
    leptonica.number("pixDestroy", ctypes.byref(pix), kind=None)
    del shown
    assert leptonica.number("pixLive") == 1, "the clone keeps it"
    array[2, 4] = 7
    del array
    assert leptonica.number("pixLive") == 0


def test_elements_of_1_bit_are_refused(leptonica: Library) -> None:
    pix = leptonica.pointer("pixCreate", 5, 3, 1)
    with pytest.raises(BufferError, match=r"leptonica\.Pix: .*dtype.*self->d.*1"):
        np.from_dlpack(leptonica.wrap("pix", pix))
    leptonica.number("pixDestroy", ctypes.byref(pix), kind=None)
    assert leptonica.number("pixLive") == 0


def test_an_import_makes_a_header_around_the_array(leptonica: Library) -> None:
    freed = leptonica.number("pixFreed")
    for array in (grid(3, 8, dtype=np.uint8)[:, :5], grid(3, 6, dtype=np.uint16), grid(3, 2, dtype=np.uint32)):
        shown = leptonica.module.Pix.from_dlpack(array)
        assert_same(np.from_dlpack(shown), array)
        assert leptonica.number("pixLive") == 1
        del shown
        assert (leptonica.number("pixLive"), leptonica.number("pixFreed")) == (0, freed), "the data is not the header's"
    with pytest.raises(RuntimeError, match=r"pixSetWpl\(pix, words\)"):
        leptonica.module.Pix.from_dlpack(np.zeros((2, 4004), np.uint8))
    with pytest.raises(BufferError, match="rows are whole words of 32 bits"):
        leptonica.module.Pix.from_dlpack(grid(3, 5, dtype=np.uint8))
    with pytest.raises(BufferError, match="without negative strides"):
        leptonica.module.Pix.from_dlpack(grid(3, 8, dtype=np.uint8)[::-1])
    with pytest.raises(RuntimeError, match=r"pixCreateHeader\(.*\).*no extent may be zero"):
        leptonica.module.Pix.from_dlpack(np.zeros((0, 4), np.uint32))
    with pytest.raises(BufferError, match=rf"width.*{2**31}|{2**31}.*width"):
        leptonica.module.Pix.from_dlpack(np.zeros((0, 2**31), np.uint32))
    assert leptonica.number("pixLive") == 0


def test_a_failing_allocation_is_undone(leptonica: Library) -> None:
    new = leptonica.module.Pix.empty((3, 5), dtype="uint16")
    assert (new.shape, new.strides, new.dtype) == ((3, 5), (8, 1), "uint16")
    with pytest.raises(RuntimeError, match=r"pixCreate\(width, height, depth\).*narrower than a thousand"):
        leptonica.module.Pix.empty((3, 1000), dtype="uint8")
    assert leptonica.number("pixLive") == 1
    del new
    assert leptonica.number("pixLive") == 0


# ---- Arrays of other integers, in either order ----


@pytest.fixture
def layouts(library: Loader) -> Library:
    return library("layouts")


@pytest.mark.parametrize("form", [(2, 3, 4), (5,), (), (2, 0, 4)])
def test_a_spec_can_reverse_the_axes_itself(layouts: Library, form: tuple[int, ...]) -> None:
    for array in (grid(*form), np.asfortranarray(grid(*form)), grid(*form)[..., ::-1] if form else grid()):
        shown = layouts.module.CTurned.from_dlpack(array)
        assert_same(np.from_dlpack(shown), array)
    block = layouts.unwrap("c_turned", layouts.module.CTurned.from_dlpack(grid(2, 3, 4))).value or 0
    assert block


def test_extents_and_strides_must_fit_narrow_members(layouts: Library) -> None:
    for array in (grid(3, 4), grid(3, 4)[::-1], grid(255)):
        assert_same(np.from_dlpack(layouts.module.NarrowBytes.from_dlpack(array)), array)
    with pytest.raises(BufferError, match=r"extents\[.*256"):
        layouts.module.NarrowBytes.from_dlpack(grid(256))
    with pytest.raises(BufferError, match=r"steps\[.*32768"):
        layouts.module.NarrowBytes.from_dlpack(np.zeros((2, 4096))[:, :2])
    with pytest.raises(BufferError, match=r"steps\[.*-32776"):
        layouts.module.NarrowBytes.from_dlpack(np.zeros((2, 4097))[::-1, :2])


def test_strides_that_split_elements_are_gathered(layouts: Library) -> None:
    memory = np.zeros(1000, np.uint8)
    for index in np.ndindex(2, 3, 4):
        start = sum(i * step for i, step in zip(index, (300, 90, 11), strict=True))
        memory[start : start + 8] = np.frombuffer(np.float64(sum(index)).tobytes(), np.uint8)
    ints = ctypes.c_int64 * 3
    block = layouts.pointer("block_wrap", ctypes.c_void_p(address(memory)), 3, ints(2, 3, 4), ints(300, 90, 11))
    shown = layouts.wrap("c_copied", block)
    assert flags(shown) == IS_COPIED
    np.testing.assert_array_equal(np.from_dlpack(shown), np.indices((2, 3, 4)).sum(axis=0))
    block = layouts.pointer("block_wrap", ctypes.c_void_p(address(memory)), 3, ints(2, 3, 4), ints(304, 88, 8))
    assert flags(layouts.wrap("c_copied", block)) == 0
