"""Image surfaces of cairo: drawn on by cairo and by NumPy."""

from __future__ import annotations

import ctypes
import sys
import weakref
from typing import Any

import numpy as np
import pytest

from libraries.real import Array, Loader, count, frozen, without_gil
from structs.libraries import Library, assert_same, steps

ARGB32, RGB24, A8, A1, RGB16_565, RGB30 = range(6)
FINISHED = 12
# What is seen of a surface 5 wide and 2 high; rows are padded to words.
FORMATS: dict[int, tuple[Any, ...]] = {
    ARGB32: ((2, 5, 4), "uint8", [20, 4, 1]),
    RGB24: ((2, 5, 4), "uint8", [20, 4, 1]),
    A8: ((2, 5), "uint8", [8, 1]),
    RGB16_565: ((2, 5), "uint16", [12, 2]),
    RGB30: ((2, 5), "uint32", [20, 4]),
}
Notify = ctypes.CFUNCTYPE(None, ctypes.c_void_p)


@pytest.fixture(scope="session")
def cairo(real: Loader) -> Library:
    return real("cairo")


def surface(cairo: Library, form: int, width: int = 5, height: int = 2) -> ctypes.c_void_p:
    return cairo.pointer("cairo_image_surface_create", form, width, height)


def taken(cairo: Library, pointer: ctypes.c_void_p) -> Any:
    """Makes the Python object of a surface, and releases the caller's reference."""
    shown = cairo.wrap("surface", pointer)
    cairo.number("cairo_surface_destroy", pointer, kind=None)
    return shown


def references(cairo: Library, pointer: ctypes.c_void_p) -> int:
    return int(cairo.number("cairo_surface_get_reference_count", pointer))


def paint(cairo: Library, shown: Any, *colour: float, rectangle: tuple[float, ...] = (0, 0, 99, 99)) -> None:
    context = cairo.pointer("cairo_create", cairo.unwrap("surface", shown))
    cairo.number("cairo_set_operator", context, 1, kind=None)  # the source alone
    cairo.number("cairo_set_source_rgba", context, *map(ctypes.c_double, colour), kind=None)
    cairo.number("cairo_rectangle", context, *map(ctypes.c_double, rectangle), kind=None)
    cairo.number("cairo_fill", context, kind=None)
    cairo.number("cairo_destroy", context, kind=None)


def painted_from(cairo: Library, shown: Any) -> Array:
    """Returns the pixels of a new surface onto which cairo has painted this surface."""
    target = cairo.module.Surface.empty((2, 5, 4), dtype="uint8")
    context = cairo.pointer("cairo_create", cairo.unwrap("surface", target))
    zero = ctypes.c_double(0)
    cairo.number("cairo_set_source_surface", context, cairo.unwrap("surface", shown), zero, zero, kind=None)
    cairo.number("cairo_paint", context, kind=None)
    cairo.number("cairo_destroy", context, kind=None)
    return np.from_dlpack(target)


def words(array: Array) -> Array:
    """Pixels of four bytes as cairo counts them: 0xAARRGGBB."""
    return array.view(np.uint32)[..., 0]


# ---- Export ----


@pytest.mark.parametrize("form", FORMATS)
def test_surfaces_of_every_format_are_arrays(cairo: Library, form: int) -> None:
    pointer = surface(cairo, form)
    array = np.from_dlpack(taken(cairo, pointer))
    assert (array.shape, array.dtype, steps(array)) == FORMATS[form]
    assert array.ctypes.data == cairo.pointer("cairo_image_surface_get_data", pointer).value


@pytest.mark.parametrize("form, red", [(ARGB32, 0xFFFF0000), (RGB24, 0xFFFF0000), (RGB16_565, 0xF800)])
def test_numpy_sees_what_cairo_draws(cairo: Library, form: int, red: int) -> None:
    shown = taken(cairo, surface(cairo, form))
    paint(cairo, shown, 0, 0, 0, 1)
    paint(cairo, shown, 1, 0, 0, 1, rectangle=(1, 0, 2, 1))
    array = np.from_dlpack(shown)
    pixels = words(array) if array.ndim == 3 else array
    black = pixels[1, 0]
    assert pixels.tolist() == [[black, red, red, black, black], [black] * 5]
    assert black != red


def test_cairo_draws_what_numpy_wrote(cairo: Library) -> None:
    shown = taken(cairo, surface(cairo, ARGB32))
    pixels = 0xFF000000 | np.arange(10, dtype=np.uint32).reshape(2, 5)
    words(np.from_dlpack(shown))[...] = pixels
    assert words(painted_from(cairo, shown)).tolist() == pixels.tolist()


def test_pixels_of_one_channel_are_coverage(cairo: Library) -> None:
    shown = taken(cairo, surface(cairo, A8))
    np.from_dlpack(shown)[...] = count(2, 5)
    assert words(painted_from(cairo, shown)).tolist() == (count(2, 5, dtype="uint32") << 24).tolist()


def test_a_read_flushes_and_a_write_marks_the_surface(cairo: Library) -> None:
    pointer = surface(cairo, ARGB32)
    shown = cairo.wrap("surface", pointer)
    gone: list[int] = []
    notify = Notify(gone.append)

    def attach(token: int) -> None:
        text = ctypes.c_char_p(b"compressed")
        assert cairo.number("cairo_surface_set_mime_data", pointer, b"image/png", text, 10, notify, token) == 0

    attach(1)
    array = np.from_dlpack(shown)
    assert gone == [1], "a flush gives up what was derived from the pixels"
    attach(2)
    del array
    assert gone == [1, 2], "and so do the writes of an array"
    array = np.from_dlpack(shown)
    cairo.number("cairo_surface_finish", pointer, kind=None)
    assert cairo.number("cairo_surface_status", pointer) == 0
    del array
    assert cairo.number("cairo_surface_status", pointer) == FINISHED, "a finished surface cannot be marked dirty"
    cairo.number("cairo_surface_destroy", pointer, kind=None)


def test_the_surface_is_marked_dirty_with_the_last_array(cairo: Library) -> None:
    pointer = surface(cairo, ARGB32)
    shown = cairo.wrap("surface", pointer)
    first, second = np.from_dlpack(shown), np.from_dlpack(shown)
    cairo.number("cairo_surface_finish", pointer, kind=None)
    del first
    assert cairo.number("cairo_surface_status", pointer) == 0
    del second
    assert cairo.number("cairo_surface_status", pointer) == FINISHED
    cairo.number("cairo_surface_destroy", pointer, kind=None)


def test_all_exports_share_one_reference(cairo: Library) -> None:
    pointer = surface(cairo, RGB24)
    shown = cairo.wrap("surface", pointer)
    arrays = [np.from_dlpack(shown) for _ in range(3)]
    del shown
    assert references(cairo, pointer) == 2
    del arrays
    assert references(cairo, pointer) == 1
    cairo.number("cairo_surface_destroy", pointer, kind=None)


# ---- Refused exports ----


def test_a_surface_with_an_error_is_refused(cairo: Library) -> None:
    shown = taken(cairo, surface(cairo, ARGB32, width=-1))
    with pytest.raises(BufferError, match=r"cairo\.Surface: .*invalid value .* for the size of the input"):
        np.from_dlpack(shown)


def test_a_finished_surface_is_refused(cairo: Library) -> None:
    pointer = surface(cairo, ARGB32)
    shown = taken(cairo, pointer)
    cairo.number("cairo_surface_finish", pointer, kind=None)
    with pytest.raises(BufferError, match="the target surface has been finished"):
        np.from_dlpack(shown)


def test_only_image_surfaces_are_arrays(cairo: Library) -> None:
    shown = taken(cairo, cairo.pointer("cairo_recording_surface_create", 0x1000, None))
    with pytest.raises(BufferError, match="not an image surface"):
        np.from_dlpack(shown)


def test_pixels_of_1_bit_are_refused(cairo: Library) -> None:
    shown = taken(cairo, surface(cairo, A1))
    with pytest.raises(BufferError, match=rf"cairo_image_surface_get_format\(self\).*{A1}"):
        np.from_dlpack(shown)


@pytest.mark.parametrize("width, height", [(0, 2), (5, 0), (0, 0)])
def test_surfaces_without_pixels_are_empty_arrays(cairo: Library, width: int, height: int) -> None:
    assert np.from_dlpack(taken(cairo, surface(cairo, ARGB32, width, height))).shape == (height, width, 4)


# ---- Allocation ----


@pytest.mark.parametrize("shape, dtype, form", [((2, 5, 4), "uint8", ARGB32), ((2, 5), "uint8", A8)])
def test_a_new_surface_has_the_format_of_its_shape_and_dtype(
    cairo: Library, shape: tuple[int, ...], dtype: str, form: int
) -> None:
    made = cairo.module.Surface.empty(shape, dtype=dtype)
    array = np.from_dlpack(made)
    assert (array.shape, array.dtype, steps(array)) == FORMATS[form]
    assert cairo.number("cairo_image_surface_get_format", cairo.unwrap("surface", made)) == form


def test_surfaces_that_are_too_large_are_refused(cairo: Library) -> None:
    with pytest.raises(RuntimeError, match=r"invalid value .* for the size of the input"):
        cairo.module.Surface.empty((1, 40000, 4), dtype="uint8")
    with pytest.raises(ValueError, match=str(2**31)):
        cairo.module.Surface.empty((1, 2**31, 4), dtype="uint8")


# ---- Import ----


def test_cairo_draws_on_an_array(cairo: Library) -> None:
    array = np.zeros((4, 9, 4), np.uint8)
    view = array[1:3, 2:7]
    shown = cairo.module.Surface.from_dlpack(view)
    pointer = cairo.unwrap("surface", shown)
    assert cairo.number("cairo_image_surface_get_format", pointer) == ARGB32
    assert cairo.number("cairo_image_surface_get_stride", pointer) == 36
    assert_same(np.from_dlpack(shown), view)
    paint(cairo, shown, 0, 1, 0, 0.2, rectangle=(0, 1, 2, 9))
    assert words(view).tolist() == [[0] * 5, [0x33003300] * 2 + [0] * 3]
    assert np.count_nonzero(array) == 4


@pytest.mark.parametrize("opaque, form", [(False, ARGB32), (True, RGB24)])
def test_a_param_makes_a_surface_opaque(cairo: Library, opaque: bool, form: int) -> None:
    shown = cairo.module.Surface.from_dlpack(np.zeros((2, 5, 4), np.uint8), opaque=opaque)
    assert cairo.number("cairo_image_surface_get_format", cairo.unwrap("surface", shown)) == form
    with pytest.raises(BufferError, match="only pixels of four channels can be opaque"):
        cairo.module.Surface.from_dlpack(np.zeros((2, 8), np.uint8), opaque=True)


@pytest.mark.parametrize("dtype, form", [("uint8", A8), ("uint16", RGB16_565), ("uint32", RGB30)])
def test_the_dtype_of_an_array_of_one_channel_chooses_the_format(cairo: Library, dtype: str, form: int) -> None:
    array = np.zeros((2, 8), dtype)
    shown = cairo.module.Surface.from_dlpack(array)
    assert cairo.number("cairo_image_surface_get_format", cairo.unwrap("surface", shown)) == form
    paint(cairo, shown, 1, 1, 1, 1, rectangle=(3, 0, 1, 2))
    assert (array != 0).tolist() == [[column == 3 for column in range(8)]] * 2


def test_an_array_with_negative_row_stride_is_a_surface(cairo: Library) -> None:
    array = np.zeros((2, 5, 4), np.uint8)
    shown = cairo.module.Surface.from_dlpack(array[::-1])
    assert cairo.number("cairo_image_surface_get_stride", cairo.unwrap("surface", shown)) == -20
    paint(cairo, shown, 1, 1, 1, 1, rectangle=(0, 0, 5, 1))
    assert array[:, 0, 0].tolist() == [0, 255]
    assert_same(np.from_dlpack(shown), array[::-1])


def test_cairo_keeps_the_array(cairo: Library) -> None:
    array = np.zeros((2, 5, 4), np.uint8)
    alive = weakref.ref(array)
    shown = cairo.module.Surface.from_dlpack(array)
    pattern = cairo.pointer("cairo_pattern_create_for_surface", cairo.unwrap("surface", shown))
    del array, shown
    assert alive() is not None, "the pattern has a reference"
    cairo.number("cairo_pattern_destroy", pattern, kind=None)
    assert alive() is None


def test_the_array_is_released_once_on_any_thread(cairo: Library) -> None:
    array = np.zeros((2, 5, 4), np.uint8)
    before = sys.getrefcount(array)
    shown = cairo.module.Surface.from_dlpack(array)
    pattern = cairo.pointer("cairo_pattern_create_for_surface", cairo.unwrap("surface", shown))
    del shown
    assert sys.getrefcount(array) == before + 1
    without_gil(cairo, "cairo_pattern_destroy", pattern)
    assert sys.getrefcount(array) == before


def test_exports_of_imports_keep_the_array(cairo: Library) -> None:
    array = np.zeros((2, 5, 4), np.uint8)
    alive, before = weakref.ref(array), sys.getrefcount(array)
    again = np.from_dlpack(cairo.module.Surface.from_dlpack(array))
    assert sys.getrefcount(array) == before + 1
    del array
    again[...] = 1
    assert alive() is not None
    del again
    assert alive() is None


REFUSED: dict[str, tuple[Array, str]] = {
    "three channels": (np.zeros((2, 5, 3), np.uint8), r"arrays of uint8\["),
    "rank 1": (np.zeros(4, np.uint8), "1 ax"),
    "rank 4": (np.zeros((1, 2, 5, 4), np.uint8), "4 axes"),
    "floats": (np.zeros((2, 5), np.float32), "float32|this dtype and shape"),
    "words of four": (np.zeros((2, 5, 4), np.uint16), "uint16|this dtype and shape"),
    "channels apart": (np.zeros((2, 5, 8), np.uint8)[:, :, ::2], "compact but for the outermost axis"),
    "pixels apart": (np.zeros((2, 10, 4), np.uint8)[:, ::2], "compact but for the outermost axis"),
    "mirrored": (np.zeros((2, 5, 4), np.uint8)[:, ::-1], "compact but for the outermost axis"),
    "one row for all": (np.lib.stride_tricks.as_strided(np.zeros((1, 5, 4), np.uint8), (3, 5, 4), (0, 4, 1)), "outer"),
    "read-only": (frozen(np.zeros((2, 5, 4), np.uint8)), "read-only"),
    "between words": (np.zeros(64, np.uint8)[1:41].reshape(2, 5, 4), "aligned to 4 bytes"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_arrays_that_cairo_cannot_use_are_refused(cairo: Library, case: str) -> None:
    array, message = REFUSED[case]
    before = sys.getrefcount(array)
    with pytest.raises(BufferError, match=rf"cairo\.Surface: .*({message})"):
        cairo.module.Surface.from_dlpack(array)
    assert sys.getrefcount(array) == before


def test_a_refusal_of_cairo_has_its_message(cairo: Library) -> None:
    array = np.zeros((2, 5), np.uint8)
    before = sys.getrefcount(array)
    with pytest.raises(RuntimeError, match=r"cairo_image_surface_create_for_data.*invalid value for stride"):
        cairo.module.Surface.from_dlpack(array)
    assert sys.getrefcount(array) == before


def test_strides_of_single_elements_do_not_matter(cairo: Library) -> None:
    row = np.zeros((3, 5, 4), np.uint8)[::-2][:1]
    assert cairo.module.Surface.from_dlpack(row).strides == (20, 4, 1)
    column = np.zeros((3, 5, 4), np.uint8)[:, 1::9]
    shown = cairo.module.Surface.from_dlpack(column)
    assert (shown.shape, shown.strides[0]) == ((3, 1, 4), 20)
    assert cairo.module.Surface.from_dlpack(np.zeros((0, 5, 4), np.uint8)).shape == (0, 5, 4)
    assert cairo.module.Surface.from_dlpack(np.zeros((2, 0, 4), np.uint8)).shape == (2, 0, 4)
