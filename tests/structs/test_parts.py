"""Objects that show several arrays: arguments, tensors of one struct, tuples of parts, and one spec for many types."""

from __future__ import annotations

import ctypes
import inspect
from typing import Any

import numpy as np
import pytest

from structs.libraries import Library, address, assert_same
from structs.modules import Loader

Array = np.ndarray[Any, Any]


def uints(*values: int) -> Any:
    return (ctypes.c_uint * len(values))(*values)


# ---- Video for Linux: planes of a handle ----


@pytest.fixture
def v4l2(library: Loader) -> Library:
    return library("v4l2")


NV12M, YUV420M = (int.from_bytes(name, "little") for name in (b"NM12", b"YM12"))


def test_planes_of_a_camera_are_a_tuple_of_parts(v4l2: Library) -> None:
    pointer = v4l2.pointer("camera_open_planes", NV12M, 6, 4, 2, uints(8, 10))
    camera = v4l2.wrap("camera", pointer)
    assert repr(camera).startswith("<v4l2.Camera")
    assert not hasattr(camera, "__dlpack__")
    planes = camera.planes
    assert isinstance(planes, tuple) and {type(plane) for plane in planes} == {v4l2.module.Plane}
    arrays = [np.from_dlpack(plane) for plane in planes]
    assert [(array.shape, array.strides) for array in arrays] == [((4, 6), (8, 1)), ((2, 3, 2), (10, 2, 1))]
    assert_same(np.from_dlpack(camera.plane(1)), arrays[1])
    assert_same(np.from_dlpack(camera.plane(plane=1)), arrays[1])
    assert_same(np.from_dlpack(camera.plane()), arrays[0])
    assert v4l2.unwrap("camera", camera).value == v4l2.unwrap("plane", planes[1]).value == pointer.value
    del camera, planes
    assert v4l2.number("camera_live") == 1, "an array of a part keeps the whole"
    assert arrays[1][1, 2, 1] == 15
    arrays.clear()
    assert v4l2.number("camera_live") == 0


def test_a_camera_without_planes_has_an_empty_tuple(v4l2: Library) -> None:
    camera = v4l2.wrap("camera", v4l2.pointer("camera_open", int.from_bytes(b"GREY", "little"), 6, 4, 8, 32))
    assert camera.planes == ()
    with pytest.raises(ValueError, match="the camera sends one buffer"):
        camera.plane()
    assert np.from_dlpack(camera.frame()).shape == (4, 6)


def test_arguments_of_a_part_are_checked(v4l2: Library) -> None:
    camera = v4l2.wrap("camera", v4l2.pointer("camera_open_planes", YUV420M, 6, 4, 3, uints(8, 4, 4)))
    assert [plane.shape for plane in camera.planes] == [(4, 6), (2, 3), (2, 3)]
    with pytest.raises(ValueError, match=r"v4l2\.Plane: no such plane"):
        camera.plane(3)
    with pytest.raises(TypeError, match="plane"):
        camera.plane("1")
    with pytest.raises(TypeError, match="plane"):
        camera.plane(1.0)
    with pytest.raises(OverflowError, match="plane"):
        camera.plane(-1)
    with pytest.raises(OverflowError, match="plane"):
        camera.plane(2**32)
    with pytest.raises(TypeError, match=r"(?i)plane\(\) takes at most 1"):
        camera.plane(1, 2)
    with pytest.raises(TypeError, match="palne"):
        camera.plane(palne=1)
    with pytest.raises(TypeError, match="plane"):
        camera.plane(1, plane=1)
    assert camera.plane.__text_signature__ == "($self, /, plane=0)"


def test_a_part_of_a_part_keeps_the_whole(v4l2: Library) -> None:
    camera = v4l2.wrap("camera", v4l2.pointer("camera_open_planes", YUV420M, 6, 4, 3, uints(8, 4, 4)))
    plane = camera.plane(2).frame().plane(1)
    del camera
    assert plane.shape == (2, 3)
    del plane
    assert v4l2.number("camera_live") == 0


def test_a_tensor_whose_condition_is_false_is_not_in_the_module(v4l2: Library) -> None:
    assert not hasattr(v4l2.module, "Tomorrow")


# ---- OpenCV: channels of an image, which is a tensor itself ----


@pytest.fixture
def opencv(library: Loader) -> Library:
    return library("opencv")


def test_channels_are_parts_of_an_image(opencv: Library) -> None:
    image = opencv.wrap("image", opencv.pointer("cv_image", 5, 4, 16, 3, 0))
    array = np.from_dlpack(image)
    array[...] = np.arange(60).reshape(4, 5, 3)
    channels = image.channels
    for number, channel in enumerate(channels):
        assert_same(np.from_dlpack(channel), array[:, :, number])
    frozen = image.channel(1, frozen=True)
    assert frozen.readonly and not channels[1].readonly
    assert_same(np.from_dlpack(frozen), array[:, :, 1])
    with pytest.raises(TypeError, match="channel"):
        image.channel()
    with pytest.raises(ValueError, match="no such channel"):
        image.channel(channel=3)
    assert [*inspect.signature(image.channel).parameters] == ["channel", "frozen"]
    del image, array, frozen
    assert opencv.number("cv_live") == 1
    del channels, channel
    assert opencv.number("cv_live") == 0


def test_channels_of_an_import_keep_its_array(opencv: Library) -> None:
    array = np.arange(24, dtype=np.float32).reshape(2, 4, 3)
    image = opencv.module.Image.from_dlpack(array)
    blue = np.from_dlpack(image.channels[2])
    del image
    assert_same(blue, array[:, :, 2])
    array.flags.writeable = False
    with pytest.raises(BufferError, match="read-only"):
        opencv.module.Image.from_dlpack(array)


# ---- CHOLMOD: three arrays of one sparse matrix; a spec for several fields ----


@pytest.fixture
def cholmod(library: Loader) -> Library:
    return library("cholmod")


def sparse(cholmod: Library, count: int, *kinds: int) -> ctypes.c_void_p:
    return cholmod.pointer("cholmod_make", ctypes.c_size_t(count), *kinds)


@pytest.mark.parametrize("itype, integer", [(0, "int32"), (2, "int64")])
def test_a_sparse_matrix_is_three_arrays(cholmod: Library, itype: int, integer: str) -> None:
    values = cholmod.wrap("values", sparse(cholmod, 4, itype, 1, 0))
    pointers = np.from_dlpack(values.column_pointers())
    rows = np.from_dlpack(values.row_indices())
    entries = np.from_dlpack(values)
    assert (pointers.dtype, rows.dtype, entries.dtype) == (integer, integer, "float64")
    dense = np.zeros((4, 4))
    for column in range(4):
        for at in range(pointers[column], pointers[column + 1]):
            dense[rows[at], column] = entries[at]
    np.testing.assert_array_equal(dense, [[1, 2, 0, 0], [0, 3, 4, 0], [0, 0, 5, 6], [0, 0, 0, 7]])
    del values, rows, entries
    assert cholmod.number("cholmod_live") == 1
    assert pointers[4] == 7
    del pointers
    assert cholmod.number("cholmod_live") == 0


def test_a_pattern_has_no_values(cholmod: Library) -> None:
    indices = cholmod.wrap("row_indices", sparse(cholmod, 4, 0, 0, 0))
    assert np.from_dlpack(indices).shape == (11,)
    with pytest.raises(BufferError, match="a pattern has no values"):
        np.from_dlpack(indices.values())
    with pytest.raises(BufferError, match=r"cholmod\.Values: .*dtype.*self->xtype is 3, self->dtype is 0"):
        np.from_dlpack(cholmod.wrap("values", sparse(cholmod, 4, 0, 3, 0)))


def test_objects_of_different_types_are_not_mixed(cholmod: Library) -> None:
    vector = cholmod.wrap("vector_value", cholmod.pointer("cholmod_vector_new", 5))
    with pytest.raises(TypeError, match=r"expected cholmod\.Values, not 'cholmod\.VectorValue'"):
        cholmod.unwrap("values", vector)
    assert not hasattr(vector, "row_indices")


def test_variants_of_one_spec_share_an_object(cholmod: Library) -> None:
    value = cholmod.wrap("vector_value", cholmod.pointer("cholmod_vector_new", 5))
    index, mark = value.vector_index(), value.vector_mark()
    assert [(x.dtype, x.shape, x.readonly) for x in (value, index, mark)] == [
        ("float32", (5,), False),
        ("int64", (5,), False),
        ("uint8", (5,), True),
    ]
    assert type(mark).__doc__ == "The mark of a vector."


# ---- FFTW: memory whose extents only the caller knows ----


@pytest.fixture
def fftw(library: Loader) -> Library:
    return library("fftw")


@pytest.mark.parametrize(
    "tensor, factory, dtype",
    [
        ("buffer", "fft_buffer", "complex128"),
        ("buffer_f", "fft_bufferf", "complex64"),
        ("buffer_real", "fft_reals", "float64"),
    ],
)
def test_extents_can_be_arguments(fftw: Library, tensor: str, factory: str, dtype: str) -> None:
    memory = fftw.pointer(factory, ctypes.c_size_t(12))
    array = np.from_dlpack(fftw.wrap(tensor, memory, ctypes.c_ssize_t(3), ctypes.c_ssize_t(4)))
    assert (array.shape, array.dtype, address(array)) == ((3, 4), dtype, memory.value)
    assert not array.any()
    shown = fftw.wrap(tensor, fftw.pointer(factory, ctypes.c_size_t(1)), ctypes.c_ssize_t(-3), ctypes.c_ssize_t(4))
    with pytest.raises(BufferError, match=r"shape\[0\] \(rows\) is -3"):
        np.from_dlpack(shown)


def test_two_arrays_keep_their_plan(fftw: Library) -> None:
    signal = fftw.wrap("signal", fftw.pointer("fft_new", 2, 3))
    spectrum = signal.spectrum()
    assert address(np.from_dlpack(spectrum.signal())) == address(np.from_dlpack(signal))
    assert address(np.from_dlpack(spectrum)) != address(np.from_dlpack(signal))
    del signal
    assert fftw.number("fft_live") == 1
    del spectrum
    assert fftw.number("fft_live") == 0
