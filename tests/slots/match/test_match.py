"""Slots that values choose: tables of formats, keys of two values, `_` and `any`, defaults, typed pointers."""

from __future__ import annotations

import ctypes
from typing import Any

import numpy as np
import pytest

from structs.libraries import Library, assert_same, count, memory
from structs.modules import Loader


def ints(*values: int) -> Any:
    return (ctypes.c_int * len(values))(*values)


def fourcc(name: str) -> int:
    return int.from_bytes(name.encode(), "little")


# ---- Video for Linux: one table of formats, with keys behind #if, and a default arm ----


@pytest.fixture
def v4l2(library: Loader) -> Library:
    return library("v4l2")


@pytest.mark.parametrize(
    "name, step, shape, strides, dtype",
    [
        ("GREY", 8, (4, 6), (8, 1), "uint8"),
        ("Y16 ", 16, (4, 6), (16, 2), "uint16"),
        ("Z16 ", 0, (4, 6), (12, 2), "uint16"),
        ("RGB3", 20, (4, 6, 3), (20, 3, 1), "uint8"),
        ("BGR3", 18, (4, 6, 3), (18, 3, 1), "uint8"),
        ("YUYV", 16, (4, 6, 2), (16, 2, 1), "uint8"),
        ("NV12", 8, (6, 6), (8, 1), "uint8"),
    ],
)
def test_a_table_of_formats_chooses_shape_strides_and_dtype(
    v4l2: Library, name: str, step: int, shape: tuple[int, ...], strides: tuple[int, ...], dtype: str
) -> None:
    camera = v4l2.pointer("camera_open", fourcc(name), 6, 4, step, 128)
    array = np.from_dlpack(v4l2.wrap("frame", camera))
    assert (array.shape, array.strides, array.dtype) == (shape, strides, dtype)
    assert array.view(np.uint8).flat[shape[-1]] == strides[-2] % 256 or len(shape) == 2
    assert array.flags.writeable
    del array
    assert v4l2.number("camera_live") == 0


def test_the_default_arm_sets_every_slot(v4l2: Library) -> None:
    """A format without pixels is exported as the bytes that the camera sent."""
    array = np.from_dlpack(v4l2.wrap("frame", v4l2.pointer("camera_open", fourcc("MJPG"), 6, 4, 8, 99)))
    assert (array.shape, array.strides, array.dtype) == ((99,), (1,), np.uint8)
    assert not array.flags.writeable, "the default sets this slot as well"
    np.testing.assert_array_equal(array, np.arange(99))


# ---- The frame buffer: two tables, the first with two values ----


@pytest.fixture
def fb(library: Loader) -> Library:
    return library("fb")


TRUECOLOR, DIRECTCOLOR, STATIC_PSEUDOCOLOR, MONO01 = 2, 4, 5, 0


@pytest.mark.parametrize(
    "bits, red, shape, strides, dtype",
    [
        (32, 8, (3, 5, 4), (40, 4, 1), "uint8"),
        (24, 8, (3, 5, 3), (40, 3, 1), "uint8"),
        (48, 16, (3, 5, 3), (40, 6, 2), "uint16"),
    ],
)
def test_two_values_choose_an_arm(
    fb: Library, bits: int, red: int, shape: tuple[int, ...], strides: tuple[int, ...], dtype: str
) -> None:
    array = np.from_dlpack(fb.wrap("screen", fb.pointer("fb_open", 5, 3, bits, red, 40, TRUECOLOR)))
    assert (array.shape, array.strides, array.dtype) == (shape, strides, dtype)


@pytest.mark.parametrize("visual, readonly", [(TRUECOLOR, False), (DIRECTCOLOR, False), (STATIC_PSEUDOCOLOR, True)])
def test_a_second_table_chooses_readonly(fb: Library, visual: int, readonly: bool) -> None:
    shown = fb.wrap("screen", fb.pointer("fb_open", 5, 3, 32, 8, 20, visual))
    assert shown.readonly == readonly
    assert np.from_dlpack(shown).flags.writeable != readonly


def test_values_without_an_arm_are_refused(fb: Library) -> None:
    shown = fb.wrap("screen", fb.pointer("fb_open", 5, 3, 32, 7, 20, TRUECOLOR))
    with pytest.raises(BufferError, match=r"fb\.Screen: .*32.*7"):
        np.from_dlpack(shown)
    shown = fb.wrap("screen", fb.pointer("fb_open", 5, 3, 32, 8, 20, MONO01))
    with pytest.raises(BufferError, match=r"fb\.Screen: .*readonly.*self->fix\.visual.* 0"):
        np.from_dlpack(shown)
    del shown
    assert fb.number("fb_live") == 0


def test_an_offset_of_the_struct_moves_the_data(fb: Library) -> None:
    display = fb.pointer("fb_open", 5, 3, 24, 8, 40, TRUECOLOR)
    shown = fb.wrap("screen", display)
    before = np.from_dlpack(shown)
    fb.number("fb_pan", display, 2, 3, kind=None)
    assert np.from_dlpack(shown).__array_interface__["data"][0] - before.__array_interface__["data"][0] == 3 * 40 + 6


def test_strides_in_bits_must_be_whole_elements(fb: Library) -> None:
    """A pixel of 12 bits does not begin at a byte."""
    shown = fb.wrap("screen", fb.pointer("fb_open", 5, 3, 12, 5, 40, TRUECOLOR))
    with pytest.raises(BufferError, match=r"strides\[1\] \(bits\) is 12"):
        np.from_dlpack(shown)
    shown = fb.wrap("screen", fb.pointer("fb_open", 5, 3, 16, 5, 40, TRUECOLOR))
    assert (shown.shape, shown.strides[:2]) == ((3, 5, 1), (40, 2)), "the step of a single channel does not matter"


# ---- OpenCV: the origin chooses address and strides ----


@pytest.fixture
def opencv(library: Loader) -> Library:
    return library("opencv")


@pytest.mark.parametrize("origin", [0, 1])
def test_the_origin_chooses_the_direction_of_the_rows(opencv: Library, origin: int) -> None:
    image = opencv.pointer("cv_image", 5, 3, 16, 1, origin)
    array = np.from_dlpack(opencv.wrap("image", image))
    assert (array.shape, array.dtype) == ((3, 5, 1), np.uint16)
    assert array.strides[0] == (-12 if origin else 12)
    array[...] = count(3, 5, 1)
    start = array.__array_interface__["data"][0] - (24 if origin else 0)
    rows = np.ctypeslib.as_array((ctypes.c_uint16 * 18).from_address(start)).reshape(3, 6)[:, :5]
    np.testing.assert_array_equal(rows[::-1] if origin else rows, array[:, :, 0])


@pytest.mark.parametrize("origin, first", [(0, 12), (1, 12)])
def test_a_region_chooses_a_part_of_the_image(opencv: Library, origin: int, first: int) -> None:
    image = opencv.pointer("cv_image", 10, 4, 8, 1, origin)
    shown = opencv.wrap("image", image)
    whole = np.from_dlpack(shown)
    whole[...] = count(4, 10, 1, dtype=np.uint8)
    opencv.number("cv_set_roi", image, 2, 1, 5, 2, 0, kind=None)
    part = np.from_dlpack(shown)
    assert_same(part, whole[1:3, 2:7])
    assert part[0, 0, 0] == first
    opencv.number("cv_set_roi", image, 2, 1, 5, 2, 1, kind=None)
    with pytest.raises(BufferError, match="a single channel is selected"):
        np.from_dlpack(shown)
    assert whole[0, 9, 0] == 9, "what was exported before stays"


# ---- TensorFlow Lite: a typed pointer for each type, read-only by the kind of memory ----


@pytest.fixture
def tflite(library: Loader) -> Library:
    return library("tflite")


@pytest.mark.parametrize("kind, readonly", [(1, True), (2, False), (5, True), (6, False)])
def test_a_table_chooses_readonly(tflite: Library, kind: int, readonly: bool) -> None:
    array = count(2, 3)
    tensor = tflite.pointer("tflite_arena", 1, kind, 2, ints(2, 3), memory(array), ctypes.c_size_t(24))
    shown = tflite.wrap("tensor", tensor, None)
    assert shown.readonly == readonly
    assert_same(np.from_dlpack(shown), array)
    old = np.from_dlpack(
        type("Old", (), {"__dlpack__": lambda s: shown.__dlpack__(), "__dlpack_device__": lambda s: (1, 0)})()
    )
    assert np.shares_memory(old, array) != readonly, "those that cannot know that it is read-only get a copy"
    np.testing.assert_array_equal(old, array)
    tflite.number("tflite_forget", tensor, kind=None)


@pytest.mark.parametrize(
    "dtype, code", [("float32", 1), ("int32", 2), ("uint8", 3), ("int64", 4), ("bool", 6), ("float16", 10)]
)
def test_a_typed_pointer_is_chosen_with_its_dtype(tflite: Library, dtype: str, code: int) -> None:
    array = count(4, 3, dtype=dtype)
    tensor = tflite.pointer("tflite_arena", code, 2, 2, ints(4, 3), memory(array), ctypes.c_size_t(array.nbytes))
    assert_same(np.from_dlpack(tflite.wrap("tensor", tensor, None)), array)
    tflite.number("tflite_forget", tensor, kind=None)


def test_an_arm_overrides_the_slot_beside_the_match(tflite: Library) -> None:
    """A tensor without a type is exported as its bytes, whatever its shape."""
    array = count(12, dtype=np.uint8)
    tensor = tflite.pointer("tflite_arena", 0, 2, 2, ints(2, 3), memory(array), ctypes.c_size_t(12))
    assert_same(np.from_dlpack(tflite.wrap("tensor", tensor, None)), array)
    tflite.number("tflite_forget", tensor, kind=None)
