"""Pictures of FFmpeg: several planes in one frame, references to buffers, and writable references."""

from __future__ import annotations

import ctypes
import sys
import weakref
from typing import Any

import numpy as np
import pytest

from libraries.real import Array, Loader, count, frozen, without_gil
from structs.libraries import Library, address, assert_same, memory, steps

# What is seen of a frame 5 wide and 3 high: the planes, each with shape, dtype and the strides within a row.
FORMATS: dict[str, list[tuple[Any, ...]]] = {
    "gray": [((3, 5), "uint8", [1])],
    "gray16": [((3, 5), "uint16", [2])],
    "grayf32": [((3, 5), "float32", [4])],
    "ya8": [((3, 5, 2), "uint8", [2, 1])],
    "rgb24": [((3, 5, 3), "uint8", [3, 1])],
    "bgr24": [((3, 5, 3), "uint8", [3, 1])],
    "rgba": [((3, 5, 4), "uint8", [4, 1])],
    "abgr": [((3, 5, 4), "uint8", [4, 1])],
    "rgb48": [((3, 5, 3), "uint16", [6, 2])],
    "nv12": [((3, 5), "uint8", [1]), ((2, 3, 2), "uint8", [2, 1])],
    "yuv420p": [((3, 5), "uint8", [1]), ((2, 3), "uint8", [1]), ((2, 3), "uint8", [1])],
    "gbrap": [((3, 5), "uint8", [1])] * 4,
}
ENDIAN = {"gray16", "grayf32", "rgb48"}


@pytest.fixture(scope="session")
def av(real: Loader) -> Library:
    return real("avframe")


def new(av: Library, form: str, width: int = 5, height: int = 3) -> ctypes.c_void_p:
    ending = ("le" if sys.byteorder == "little" else "be") if form in ENDIAN else ""
    return av.pointer("frames_new", f"{form}{ending}".encode(), width, height)


def free(av: Library, *frames: ctypes.c_void_p) -> None:
    for frame in frames:
        av.number("frames_free", frame, kind=None)


def plane(av: Library, frame: ctypes.c_void_p, index: int = 0) -> Any:
    """Makes the Python object of a plane; the caller still owns the frame."""
    return av.wrap("plane", frame, index)


def writable(av: Library, frame: ctypes.c_void_p) -> bool:
    return bool(av.number("av_frame_is_writable", frame))


# ---- Export ----


@pytest.mark.parametrize("form", FORMATS)
def test_planes_of_every_format_are_arrays(av: Library, form: str) -> None:
    frame = new(av, form)
    planes = av.wrap("frame", frame).planes
    arrays = [np.from_dlpack(shown) for shown in planes]
    assert [(array.shape, array.dtype, steps(array)[1:]) for array in arrays] == FORMATS[form]
    for index, array in enumerate(arrays):
        assert address(array) == av.pointer("frames_data", frame, index).value
        assert array.strides[0] == av.number("frames_linesize", frame, index)


@pytest.mark.parametrize("form", FORMATS)
def test_the_library_copies_what_numpy_wrote(av: Library, form: str) -> None:
    source, target = new(av, form), new(av, form)
    planes = [[np.from_dlpack(shown) for shown in av.wrap("frame", frame).planes] for frame in (source, target)]
    for array in planes[0]:
        array[...] = count(*array.shape)
    assert av.number("av_frame_copy", target, source) == 0
    for written, array in zip(*planes, strict=True):
        np.testing.assert_array_equal(array, written)
        assert array.any()


def test_planes_are_chosen_by_number(av: Library) -> None:
    pointer = new(av, "yuv420p")
    frame = av.wrap("frame", pointer)
    assert_same(np.from_dlpack(frame.plane(1)), np.from_dlpack(frame.planes[1]))
    assert_same(np.from_dlpack(frame.plane(plane=2)), np.from_dlpack(frame.planes[2]))
    assert_same(np.from_dlpack(frame.plane()), np.from_dlpack(frame.planes[0]))
    for number in (3, 8, -1):
        with pytest.raises(ValueError, match=r"avframe\.Plane: .*no such plane"):
            frame.plane(number)
    with pytest.raises(OverflowError):
        frame.plane(2**31)
    with pytest.raises(TypeError, match="plane"):
        frame.plane("luma")


def test_planes_keep_the_frame(av: Library) -> None:
    pointer = new(av, "yuv420p")
    witness = av.pointer("av_frame_clone", pointer)
    frame = av.wrap("frame", pointer)
    planes = frame.planes
    array = np.from_dlpack(planes[2])
    assert av.number("frames_references", witness) == 2
    del frame, planes
    assert av.number("frames_references", witness) == 2
    del array
    assert av.number("frames_references", witness) == 1
    free(av, witness)


def test_a_cropped_frame_shows_its_part(av: Library) -> None:
    pointer = new(av, "rgb24")
    frame = av.wrap("frame", pointer)
    whole = np.from_dlpack(frame.plane())
    assert av.number("frames_crop", pointer, ctypes.c_size_t(1), ctypes.c_size_t(2)) == 0
    assert_same(np.from_dlpack(frame.plane()), whole[2:, 1:])


# ---- Write access ----


def test_a_plane_is_a_reference(av: Library) -> None:
    frame = new(av, "rgb24")
    shown = plane(av, frame)
    assert av.number("frames_references", frame) == 2
    array = np.from_dlpack(shown)
    del shown
    assert av.number("frames_references", frame) == 2
    free(av, frame)
    array[...] = 7
    assert array.sum() == 7 * array.size


def test_only_the_first_reference_can_write(av: Library) -> None:
    frame = new(av, "gray")
    first = plane(av, frame)
    second = plane(av, frame)
    assert not first.readonly, "writable before the reference was taken"
    assert second.readonly
    assert np.from_dlpack(first).flags.writeable
    assert not np.from_dlpack(second).flags.writeable
    del first, second
    assert writable(av, frame)
    assert not plane(av, frame).readonly
    free(av, frame)


def test_planes_of_a_shared_frame_are_read_only(av: Library) -> None:
    frame = new(av, "nv12")
    other = av.pointer("av_frame_clone", frame)
    assert [shown.readonly for shown in av.wrap("frame", frame).planes] == [True, True]
    assert [shown.readonly for shown in av.wrap("frame", other).planes] == [False, False]


# ---- Refused exports ----


@pytest.mark.parametrize("form", ["pal8", "monow", "rgb565le", "gray16be" if sys.byteorder == "little" else "gray16le"])
def test_formats_without_a_dtype_are_refused(av: Library, form: str) -> None:
    frame = av.wrap("frame", av.pointer("frames_new", form.encode(), 5, 3))
    with pytest.raises(BufferError, match=r"avframe\.Plane: .*self->format"):
        np.from_dlpack(frame.plane())


def test_a_frame_of_sound_has_no_planes(av: Library) -> None:
    frame = av.wrap("frame", av.pointer("frames_sound"))
    with pytest.raises(ValueError, match="the frame is not a picture"):
        frame.plane()


def test_a_frame_without_reference_counting_is_refused(av: Library) -> None:
    array = count(3, 5, dtype="uint8")
    frame = av.pointer("frames_uncounted", memory(array), 5, 3)
    with pytest.raises((RuntimeError, BufferError), match="the frame is not reference-counted"):
        plane(av, frame)
    free(av, frame)


def test_a_frame_without_a_format_has_no_planes(av: Library) -> None:
    frame = av.wrap("frame", av.pointer("av_frame_alloc"))
    with pytest.raises((BufferError, ValueError), match=r"planes|count"):
        _ = frame.planes


# ---- Import ----


@pytest.mark.parametrize(
    "shape, form", [((3, 5), "gray"), ((3, 5, 2), "ya8"), ((3, 5, 3), "rgb24"), ((3, 5, 4), "rgba")]
)
def test_the_library_writes_to_an_array(av: Library, shape: tuple[int, ...], form: str) -> None:
    array = np.zeros((5, 8, *shape[2:]), np.uint8)
    view = array[1:4, 2:7]
    shown = av.module.Plane.from_dlpack(view)
    pointer = av.unwrap("plane", shown)
    assert av.number("frames_format", pointer, kind=ctypes.c_char_p) == form.encode()
    assert writable(av, pointer)
    assert_same(np.from_dlpack(shown), view)
    source = new(av, form)
    written = np.from_dlpack(av.wrap("frame", source).plane())
    written[...] = count(*shape) + 1
    assert av.number("av_frame_copy", pointer, source) == 0
    np.testing.assert_array_equal(view, written)
    assert np.count_nonzero(array) == view.size


@pytest.mark.parametrize("dtype, shape, form", [("uint16", (3, 5), "gray16"), ("float32", (3, 5), "grayf32")])
def test_elements_of_16_bits_and_more_are_shared(av: Library, dtype: str, shape: tuple[int, ...], form: str) -> None:
    array = count(*shape, dtype=dtype)
    target = new(av, form)
    shown = av.module.Plane.from_dlpack(array)
    assert av.number("av_frame_copy", target, av.unwrap("plane", shown)) == 0
    np.testing.assert_array_equal(np.from_dlpack(av.wrap("frame", target).plane()), array)


def test_the_library_keeps_the_array(av: Library) -> None:
    array = np.zeros((3, 5, 3), np.uint8)
    alive = weakref.ref(array)
    shown = av.module.Plane.from_dlpack(array)
    clone = av.pointer("av_frame_clone", av.unwrap("plane", shown))
    del array, shown
    assert alive() is not None
    free(av, clone)
    assert alive() is None


def test_the_array_is_released_once_on_any_thread(av: Library) -> None:
    array = np.zeros((3, 5, 3), np.uint8)
    before = sys.getrefcount(array)
    shown = av.module.Plane.from_dlpack(array)
    clones = [av.pointer("av_frame_clone", av.unwrap("plane", shown)) for _ in range(3)]
    del shown
    assert sys.getrefcount(array) == before + 1
    for clone in clones:
        without_gil(av, "frames_free", clone)
    assert sys.getrefcount(array) == before


def test_a_read_only_array_makes_a_read_only_plane(av: Library) -> None:
    array = frozen(count(3, 5, 3, dtype="uint8"))
    shown = av.module.Plane.from_dlpack(array)
    pointer = av.unwrap("plane", shown)
    assert not writable(av, pointer)
    assert shown.readonly
    assert not np.from_dlpack(shown).flags.writeable
    assert av.number("av_frame_make_writable", pointer) == 0
    assert writable(av, pointer), "the library has made a copy"
    assert av.pointer("frames_data", pointer, 0).value != address(array)


def test_one_row_of_an_array_has_a_valid_line_size(av: Library) -> None:
    shown = av.module.Plane.from_dlpack(np.zeros((3, 5, 3), np.uint8)[::-2][:1])
    assert av.number("frames_linesize", av.unwrap("plane", shown), 0) == 15


REFUSED: dict[str, tuple[Array, str]] = {
    "five channels": (np.zeros((3, 5, 5), np.uint8), r"arrays of uint8\["),
    "signed bytes": (np.zeros((3, 5), np.int8), "int8"),
    "rank 1": (np.zeros(5, np.uint8), "1 ax"),
    "empty": (np.zeros((0, 5), np.uint8), "at least one pixel"),
    "bottom-up": (np.zeros((3, 5), np.uint8)[::-1], "negative"),
    "by columns": (np.zeros((5, 3), np.uint8).T, "compact but for the outermost axis"),
    "one row for all": (np.lib.stride_tricks.as_strided(np.zeros(5, np.uint8), (3, 5), (0, 1)), "outermost"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_arrays_that_ffmpeg_cannot_use_are_refused(av: Library, case: str) -> None:
    array, message = REFUSED[case]
    before = sys.getrefcount(array)
    with pytest.raises(BufferError, match=rf"avframe\.Plane: .*({message})"):
        av.module.Plane.from_dlpack(array)
    assert sys.getrefcount(array) == before
