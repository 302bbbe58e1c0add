"""Slots chosen by values: tables of formats, keys of two values, `_` and `any`, defaults, orders and pointers."""

from __future__ import annotations

import ctypes
from typing import Any

import numpy as np
import pytest

from language.conftest import Loader
from language.libraries import Library, assert_same, int64s, memory

Array = np.ndarray[Any, Any]


def count(*shape: int, dtype: Any = np.float32) -> Array:
    return np.arange(np.prod(shape, dtype=int)).astype(dtype).reshape(shape)


def ints(*values: int) -> Any:
    return (ctypes.c_int * len(values))(*values)


def fourcc(name: str) -> int:
    return int.from_bytes(name.encode(), "little")


# ---- Video for Linux: one table of formats, with keys behind #if, and what any other format is ----


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
def test_formats(
    v4l2: Library, name: str, step: int, shape: tuple[int, ...], strides: tuple[int, ...], dtype: str
) -> None:
    camera = v4l2.pointer("camera_open", fourcc(name), 6, 4, step, 128)
    array = np.from_dlpack(v4l2.wrap("frame", camera))
    assert (array.shape, array.strides, array.dtype) == (shape, strides, dtype)
    assert array.view(np.uint8).flat[shape[-1]] == strides[-2] % 256 or len(shape) == 2
    assert array.flags.writeable
    del array
    assert v4l2.number("camera_live") == 0


def test_default_arm(v4l2: Library) -> None:
    """A format without pixels is the bytes that the camera sent."""
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
def test_two_values(
    fb: Library, bits: int, red: int, shape: tuple[int, ...], strides: tuple[int, ...], dtype: str
) -> None:
    array = np.from_dlpack(fb.wrap("screen", fb.pointer("fb_open", 5, 3, bits, red, 40, TRUECOLOR)))
    assert (array.shape, array.strides, array.dtype) == (shape, strides, dtype)


@pytest.mark.parametrize("visual, readonly", [(TRUECOLOR, False), (DIRECTCOLOR, False), (STATIC_PSEUDOCOLOR, True)])
def test_the_second_table(fb: Library, visual: int, readonly: bool) -> None:
    shown = fb.wrap("screen", fb.pointer("fb_open", 5, 3, 32, 8, 20, visual))
    assert shown.readonly == readonly
    assert np.from_dlpack(shown).flags.writeable != readonly


def test_no_arm(fb: Library) -> None:
    shown = fb.wrap("screen", fb.pointer("fb_open", 5, 3, 32, 7, 20, TRUECOLOR))
    with pytest.raises(BufferError, match=r"fb\.Screen: .*32.*7"):
        np.from_dlpack(shown)
    shown = fb.wrap("screen", fb.pointer("fb_open", 5, 3, 32, 8, 20, MONO01))
    with pytest.raises(BufferError, match=r"fb\.Screen: .*readonly.*self->fix\.visual.* 0"):
        np.from_dlpack(shown)
    del shown
    assert fb.number("fb_live") == 0


def test_the_part_that_is_shown(fb: Library) -> None:
    display = fb.pointer("fb_open", 5, 3, 24, 8, 40, TRUECOLOR)
    shown = fb.wrap("screen", display)
    before = np.from_dlpack(shown)
    fb.number("fb_pan", display, 2, 3, kind=None)
    assert np.from_dlpack(shown).__array_interface__["data"][0] - before.__array_interface__["data"][0] == 3 * 40 + 6


def test_distances_in_bits(fb: Library) -> None:
    """A pixel of 12 bits does not begin at a byte."""
    shown = fb.wrap("screen", fb.pointer("fb_open", 5, 3, 12, 5, 40, TRUECOLOR))
    with pytest.raises(BufferError, match=r"strides\[1\] \(bits\) is 12"):
        np.from_dlpack(shown)
    shown = fb.wrap("screen", fb.pointer("fb_open", 5, 3, 16, 5, 40, TRUECOLOR))
    assert (shown.shape, shown.strides[:2]) == ((3, 5, 1), (40, 2)), "the step of a single channel does not matter"


# ---- .npy and NIfTI: the order is data ----


@pytest.fixture
def npy(library: Loader) -> Library:
    return library("npy")


def sizes(*values: int) -> Any:
    return (ctypes.c_size_t * len(values))(*values)


@pytest.mark.parametrize("fortran, strides", [(False, (96, 32, 8)), (True, (8, 16, 48))])
def test_order_by_a_flag(npy: Library, fortran: bool, strides: tuple[int, ...]) -> None:
    shown = npy.wrap("array", npy.pointer("npy_new", b"<f8", ctypes.c_bool(fortran), 3, sizes(2, 3, 4)))
    array = np.from_dlpack(shown)
    assert (array.shape, array.strides) == ((2, 3, 4), strides)


def test_order_of_new_arrays(npy: Library) -> None:
    array = np.from_dlpack(npy.module.Array.empty((2, 3), dtype="complex128"))
    assert (array.shape, array.strides, array.dtype) == ((2, 3), (48, 16), np.complex128)
    with pytest.raises(ValueError, match="dtype is uint64"):
        npy.module.Array.empty((2, 3), dtype="uint64")
    del array
    assert npy.number("npy_live") == 0


def test_foreign_byte_order(npy: Library) -> None:
    shown = npy.wrap("array", npy.pointer("npy_new", b">f8", ctypes.c_bool(False), 1, sizes(2)))
    with pytest.raises(BufferError, match=r"npy\.Array: .*dtype.*self->descr.*>f8"):
        np.from_dlpack(shown)


@pytest.mark.parametrize("slow_first, shape", [(0, (4, 3, 2)), (1, (2, 3, 4))])
def test_reversed_by_a_flag(npy: Library, slow_first: int, shape: tuple[int, ...]) -> None:
    dims = (ctypes.c_short * 3)(2, 3, 4)
    image = npy.pointer("nifti_new", 16, 32, 3, dims, slow_first)
    array = np.from_dlpack(npy.wrap("image", image))
    assert (array.shape, array.flags.c_contiguous, array.dtype) == (shape, True, np.float32)


def test_an_entry_that_is_decoded(npy: Library) -> None:
    dims = (ctypes.c_short * 1)(5)
    assert npy.wrap("image", npy.pointer("nifti_new", 512, 16, 1, dims, 0)).dtype == "uint16"
    assert npy.wrap("image", npy.pointer("nifti_new", 512, 64, 1, dims, 0)).dtype == "uint64"
    with pytest.raises(BufferError, match="bits"):
        npy.wrap("image", npy.pointer("nifti_new", 512, 0, 1, dims, 0)).__dlpack__()


@pytest.mark.parametrize("dtype, code", [("uint8", 2), ("int16", 4), ("float32", 16), ("complex64", 32)])
def test_import_into_a_boxed_header(npy: Library, dtype: str, code: int) -> None:
    array = count(4, 3, 2, dtype=dtype)
    shown = npy.module.Image.from_dlpack(array)
    image = npy.unwrap("image", shown).value or 0
    assert [*(ctypes.c_short * 10).from_address(image)] == [3, 2, 3, 4, 0, 0, 0, 0, code, 8 * array.itemsize]
    assert_same(np.from_dlpack(shown), array)


def test_import_copies_what_is_not_compact(npy: Library) -> None:
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


# ---- OpenCV: which way is up chooses address and strides ----


@pytest.fixture
def opencv(library: Loader) -> Library:
    return library("opencv")


@pytest.mark.parametrize("origin", [0, 1])
def test_origin(opencv: Library, origin: int) -> None:
    image = opencv.pointer("cv_image", 5, 3, 16, 1, origin)
    array = np.from_dlpack(opencv.wrap("image", image))
    assert (array.shape, array.dtype) == ((3, 5, 1), np.uint16)
    assert array.strides[0] == (-12 if origin else 12)
    array[...] = count(3, 5, 1)
    start = array.__array_interface__["data"][0] - (24 if origin else 0)
    rows = np.ctypeslib.as_array((ctypes.c_uint16 * 18).from_address(start)).reshape(3, 6)[:, :5]
    np.testing.assert_array_equal(rows[::-1] if origin else rows, array[:, :, 0])


@pytest.mark.parametrize("origin, first", [(0, 12), (1, 12)])
def test_region(opencv: Library, origin: int, first: int) -> None:
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
def test_readonly_by_a_table(tflite: Library, kind: int, readonly: bool) -> None:
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
def test_typed_pointers(tflite: Library, dtype: str, code: int) -> None:
    array = count(4, 3, dtype=dtype)
    tensor = tflite.pointer("tflite_arena", code, 2, 2, ints(4, 3), memory(array), ctypes.c_size_t(array.nbytes))
    assert_same(np.from_dlpack(tflite.wrap("tensor", tensor, None)), array)
    tflite.number("tflite_forget", tensor, kind=None)


def test_an_arm_beats_the_slot_beside_it(tflite: Library) -> None:
    """Without a type, a tensor is its bytes, whatever its shape says."""
    array = count(12, dtype=np.uint8)
    tensor = tflite.pointer("tflite_arena", 0, 2, 2, ints(2, 3), memory(array), ctypes.c_size_t(12))
    assert_same(np.from_dlpack(tflite.wrap("tensor", tensor, None)), array)
    tflite.number("tflite_forget", tensor, kind=None)


# ---- Names of devices, and devices that are found by calls ----


def test_devices_by_name(library: Loader) -> None:
    ort = library("ort")
    array = count(2, 3)
    for name, device in [(b"Cpu", (1, 0)), (b"Cuda", (2, 3)), (b"CudaPinned", (3, 0))]:
        value = ort.pointer("ort_make", 1, name, 3, ctypes.c_size_t(2), int64s(2, 3), memory(array))
        assert ort.wrap("value", value).device == device
    value = ort.pointer("ort_make", 1, b"WebGPU", 3, ctypes.c_size_t(2), int64s(2, 3), memory(array))
    with pytest.raises(BufferError, match=r"ort\.Value: .*device.*name"):
        ort.wrap("value", value).__dlpack__()
    assert (ort.number("ort_values"), ort.number("ort_infos")) == (0, 0)


def test_devices_by_calls(library: Loader) -> None:
    ggml = library("ggml")
    for device in (0, 1):
        tensor = ggml.pointer("ggml_new_2d", 0, ctypes.c_int64(4), ctypes.c_int64(3))
        shown = ggml.wrap("tensor", tensor)
        assert shown.device == (1, 0)
        ggml.number("ggml_offload", tensor, device, kind=None)
        assert shown.device == (2, device)
    ggml.number("ggml_offload", tensor, -1, kind=None)
    with pytest.raises(BufferError, match=r"ggml\.Tensor: .*device.*ggml_backend_buffer_get_type"):
        shown.__dlpack__()


# ---- Arrow: text, an offset in elements ----


@pytest.fixture
def carrow(library: Loader) -> Library:
    return library("carrow")


@pytest.mark.parametrize(
    "name, dtype", [(b"c", "int8"), (b"S", "uint16"), (b"l", "int64"), (b"e", "float16"), (b"g", "float64")]
)
def test_offset_in_elements(carrow: Library, name: bytes, dtype: str) -> None:
    array = count(9, dtype=dtype)
    pointer = carrow.pointer("column_new", name, ctypes.c_int64(4), ctypes.c_int64(3), ctypes.c_int64(0), memory(array))
    shown = carrow.wrap("column", pointer)
    assert_same(np.from_dlpack(shown), array[3:7])
    assert shown.readonly
    del shown
    assert carrow.number("column_live") == 0


def test_values_that_are_missing(carrow: Library) -> None:
    array = count(9)
    pointer = carrow.pointer("column_new", b"f", ctypes.c_int64(4), ctypes.c_int64(3), ctypes.c_int64(2), memory(array))
    with pytest.raises(BufferError, match="some values are missing"):
        np.from_dlpack(carrow.wrap("column", pointer))
    pointer = carrow.pointer("column_new", b"u", ctypes.c_int64(4), ctypes.c_int64(3), ctypes.c_int64(0), memory(array))
    with pytest.raises(BufferError, match=r"carrow\.Column: .*dtype.*self->schema\.format"):
        np.from_dlpack(carrow.wrap("column", pointer))
