"""Pictures of GdkPixbuf: reference-counted, made around memory with a notifier, sometimes of immutable bytes."""

from __future__ import annotations

import ctypes
import sys
import weakref
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from libraries.real import Array, Loader, count, frozen, without_gil
from structs.libraries import Library, address, assert_same, memory, steps

RGB = 0  # the only colour space that there is


@pytest.fixture(scope="session")
def pixbuf(real: Loader) -> Library:
    return real("gdkpixbuf")


def new(pixbuf: Library, width: int, height: int, alpha: bool = False) -> ctypes.c_void_p:
    return pixbuf.pointer("gdk_pixbuf_new", RGB, int(alpha), 8, width, height)


def unref(pixbuf: Library, pointer: ctypes.c_void_p) -> None:
    pixbuf.number("g_object_unref", pointer, kind=None)


def taken(pixbuf: Library, pointer: ctypes.c_void_p) -> Any:
    """Makes the Python object of a picture, and releases the caller's reference."""
    shown = pixbuf.wrap("pixbuf", pointer)
    unref(pixbuf, pointer)
    return shown


@pytest.fixture
def ends(pixbuf: Library) -> Iterator[Any]:
    """Provides `ends(pointer)`: it returns a list that is not empty once the object is destroyed."""
    kept = []

    def watch(pointer: ctypes.c_void_p) -> list[int]:
        gone: list[int] = []
        notify = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_void_p)(lambda token, where: gone.append(token))
        kept.append(notify)
        pixbuf.number("g_object_weak_ref", pointer, notify, 1, kind=None)
        return gone

    yield watch
    assert kept


# ---- Export ----


@pytest.mark.parametrize("alpha, shape, strides", [(False, (3, 5, 3), [16, 3, 1]), (True, (3, 5, 4), [20, 4, 1])])
def test_numpy_sees_what_the_library_fills(pixbuf: Library, alpha: bool, shape: Any, strides: list[int]) -> None:
    pointer = new(pixbuf, 5, 3, alpha)
    array = np.from_dlpack(taken(pixbuf, pointer))
    assert (array.shape, steps(array), array.flags.writeable) == (shape, strides, True)
    pixbuf.number("gdk_pixbuf_fill", pointer, ctypes.c_uint32(0x11223344), kind=None)
    assert array.tolist() == [[[0x11, 0x22, 0x33, 0x44][: shape[2]]] * 5] * 3


def test_the_library_sees_what_numpy_wrote(pixbuf: Library) -> None:
    pointer = new(pixbuf, 5, 3)
    shown = taken(pixbuf, pointer)
    array = np.from_dlpack(shown)
    array[...] = count(3, 5, 3)
    mirrored = np.from_dlpack(taken(pixbuf, pixbuf.pointer("gdk_pixbuf_flip", pointer, 1)))
    np.testing.assert_array_equal(mirrored, array[:, ::-1])
    turned = np.from_dlpack(taken(pixbuf, pixbuf.pointer("gdk_pixbuf_rotate_simple", pointer, 180)))
    np.testing.assert_array_equal(turned, array[::-1, ::-1])


def test_a_part_of_a_picture_shares_its_pixels(pixbuf: Library) -> None:
    pointer = new(pixbuf, 5, 3)
    array = np.from_dlpack(taken(pixbuf, pointer))
    part = np.from_dlpack(taken(pixbuf, pixbuf.pointer("gdk_pixbuf_new_subpixbuf", pointer, 1, 1, 3, 2)))
    assert_same(part, array[1:3, 1:4])


def test_arrays_keep_the_object(pixbuf: Library, ends: Any) -> None:
    pointer = new(pixbuf, 5, 3)
    gone = ends(pointer)
    shown = taken(pixbuf, pointer)
    first, second = np.from_dlpack(shown), np.from_dlpack(shown)
    del shown, first
    assert not gone
    del second
    assert gone == [1]


# ---- Pixels of a GBytes ----


@pytest.fixture
def of_bytes(pixbuf: Library) -> Iterator[Any]:
    """Provides `of_bytes(array)`: it returns a picture whose pixels are an immutable GBytes around the array, and a
    list that is not empty once the GBytes is freed."""
    kept = []

    def make(array: Array) -> tuple[Any, list[int]]:
        height, width, channels = array.shape
        gone: list[int] = []
        notify = ctypes.CFUNCTYPE(None, ctypes.c_void_p)(gone.append)
        kept.append(notify)
        size = ctypes.c_size_t(array.nbytes)
        held = pixbuf.pointer("g_bytes_new_with_free_func", memory(array), size, notify, 1)
        numbers = RGB, int(channels == 4), 8, width, height, array.strides[0]
        pointer = pixbuf.pointer("gdk_pixbuf_new_from_bytes", held, *numbers)
        pixbuf.number("g_bytes_unref", held, kind=None)
        return taken(pixbuf, pointer), gone

    yield make
    assert kept


def test_bytes_are_read_without_a_copy(of_bytes: Any) -> None:
    array = count(3, 5, 3, dtype="uint8")
    shown, gone = of_bytes(array)
    again = np.from_dlpack(shown.read_only())
    assert_same(again, array)
    assert not again.flags.writeable
    del shown
    assert not gone
    del again
    assert gone == [1]


def test_bytes_are_copied_before_they_are_written(of_bytes: Any) -> None:
    array = count(3, 5, 3, dtype="uint8")
    shown, gone = of_bytes(array)
    copy = np.from_dlpack(shown)
    assert gone == [1], "the picture needs them no longer"
    np.testing.assert_array_equal(copy, array)
    assert address(copy) != address(array)
    copy[...] = 0
    assert array.any()
    assert not np.from_dlpack(shown.read_only()).any()
    assert address(np.from_dlpack(shown)) == address(copy)


def test_a_reader_of_bytes_keeps_them(of_bytes: Any) -> None:
    array = count(3, 5, 3, dtype="uint8")
    shown, gone = of_bytes(array)
    pixels = shown.read_only()
    same = np.from_dlpack(pixels)
    np.from_dlpack(shown)[...] = 0
    assert not gone, "the picture has pixels of its own now, but the old ones are still read"
    assert_same(same, array)
    assert_same(np.from_dlpack(pixels), array)
    del same
    assert gone == [1]
    assert not np.from_dlpack(pixels).any()


def test_a_read_only_view_keeps_the_object(pixbuf: Library, ends: Any) -> None:
    pointer = new(pixbuf, 5, 3)
    gone = ends(pointer)
    shown = taken(pixbuf, pointer)
    pixbuf.number("gdk_pixbuf_fill", pointer, ctypes.c_uint32(0x11223344), kind=None)
    pixels = shown.read_only()
    assert (pixels.shape, pixels.dtype) == ((3, 5, 3), "uint8")
    array = np.from_dlpack(pixels)
    del shown, pixels
    assert not gone
    assert array[2, 4].tolist() == [0x11, 0x22, 0x33]
    del array
    assert gone == [1]


# ---- Allocation ----


@pytest.mark.parametrize("channels", [3, 4])
def test_a_new_picture_has_3_or_4_channels(pixbuf: Library, channels: int) -> None:
    made = pixbuf.module.Pixbuf.empty((3, 5, channels))
    assert made.shape == (3, 5, channels)
    pointer = pixbuf.unwrap("pixbuf", made)
    assert pixbuf.number("gdk_pixbuf_get_has_alpha", pointer) == (channels == 4)


def test_impossible_new_pictures_are_refused(pixbuf: Library) -> None:
    with pytest.raises(ValueError, match="3 or 4 channels"):
        pixbuf.module.Pixbuf.empty((3, 5, 2))
    with pytest.raises(ValueError, match="at least one pixel"):
        pixbuf.module.Pixbuf.empty((3, 0, 3))


# ---- Import ----


@pytest.mark.parametrize("channels", [3, 4])
def test_the_library_draws_on_an_array(pixbuf: Library, channels: int) -> None:
    array = np.zeros((4, 8, channels), np.uint8)
    view = array[1:3, 2:7]
    shown = pixbuf.module.Pixbuf.from_dlpack(view)
    assert_same(np.from_dlpack(shown), view)
    pointer = pixbuf.unwrap("pixbuf", shown)
    assert pixbuf.number("gdk_pixbuf_get_rowstride", pointer) == 8 * channels
    pixbuf.number("gdk_pixbuf_fill", pointer, ctypes.c_uint32(0x11223344), kind=None)
    colour = [0x11, 0x22, 0x33, 0x44][:channels]
    assert view.tolist() == [[colour] * 5] * 2
    assert np.count_nonzero(array) == 10 * channels


def test_the_library_copies_from_array_to_array(pixbuf: Library) -> None:
    source, target = count(2, 3, 3, dtype="uint8"), np.zeros((4, 5, 3), np.uint8)
    pictures = [pixbuf.module.Pixbuf.from_dlpack(array) for array in (source, target)]
    first, second = (pixbuf.unwrap("pixbuf", picture) for picture in pictures)
    pixbuf.number("gdk_pixbuf_copy_area", first, 1, 0, 2, 2, second, 3, 1, kind=None)
    np.testing.assert_array_equal(target[1:3, 3:], source[:, 1:])


def test_the_library_keeps_the_array(pixbuf: Library) -> None:
    array = np.zeros((3, 5, 3), np.uint8)
    alive = weakref.ref(array)
    shown = pixbuf.module.Pixbuf.from_dlpack(array)
    part = pixbuf.pointer("gdk_pixbuf_new_subpixbuf", pixbuf.unwrap("pixbuf", shown), 1, 1, 2, 2)
    del array, shown
    assert alive() is not None, "a part of the picture has a reference"
    unref(pixbuf, part)
    assert alive() is None


def test_the_array_is_released_once_on_any_thread(pixbuf: Library) -> None:
    array = np.zeros((3, 5, 3), np.uint8)
    before = sys.getrefcount(array)
    shown = pixbuf.module.Pixbuf.from_dlpack(array)
    part = pixbuf.pointer("gdk_pixbuf_new_subpixbuf", pixbuf.unwrap("pixbuf", shown), 1, 1, 2, 2)
    del shown
    assert sys.getrefcount(array) == before + 1
    without_gil(pixbuf, "g_object_unref", part)
    assert sys.getrefcount(array) == before


REFUSED: dict[str, tuple[Array, str]] = {
    "two channels": (np.zeros((3, 5, 2), np.uint8), "3 or 4 channels"),
    "rank 2": (np.zeros((3, 5), np.uint8), "2 axes, not 3"),
    "words": (np.zeros((3, 5, 3), np.uint16), "uint16"),
    "no rows": (np.zeros((0, 5, 3), np.uint8), "at least one pixel"),
    "no columns": (np.zeros((3, 0, 3), np.uint8), "at least one pixel"),
    "bottom-up": (np.zeros((3, 5, 3), np.uint8)[::-1], "negative"),
    "blue first": (np.zeros((3, 5, 3), np.uint8)[:, :, ::-1], "compact but for the outermost|negative"),
    "planes": (np.zeros((3, 3, 5), np.uint8).transpose(1, 2, 0), "compact but for the outermost axis"),
    "overlapping rows": (np.lib.stride_tricks.as_strided(np.zeros(99, np.uint8), (3, 5, 3), (6, 3, 1)), "outermost"),
    "read-only": (frozen(np.zeros((3, 5, 3), np.uint8)), "read-only"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_arrays_that_gdkpixbuf_cannot_use_are_refused(pixbuf: Library, case: str) -> None:
    array, message = REFUSED[case]
    before = sys.getrefcount(array)
    with pytest.raises(BufferError, match=rf"gdkpixbuf\.Pixbuf: .*({message})"):
        pixbuf.module.Pixbuf.from_dlpack(array)
    assert sys.getrefcount(array) == before


def test_strides_of_single_elements_do_not_matter(pixbuf: Library) -> None:
    row = np.zeros((3, 5, 3), np.uint8)[::-2][:1]
    shown = pixbuf.module.Pixbuf.from_dlpack(row)
    assert pixbuf.number("gdk_pixbuf_get_rowstride", pixbuf.unwrap("pixbuf", shown)) == 15
    column = np.zeros((3, 5, 3), np.uint8)[:, 4::7]
    assert pixbuf.module.Pixbuf.from_dlpack(column).strides[0] == 15
