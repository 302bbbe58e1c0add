"""Locks and maps that last as long as the exports of an object."""

from __future__ import annotations

import ctypes
import gc
import threading

import numpy as np
import pytest

from python.tensors import READ_ONLY, inside
from structs.libraries import Library, address
from structs.modules import Loader

# ---- Video for Linux: a buffer that is acquired while an export lives ----


@pytest.fixture
def v4l2(library: Loader) -> Library:
    return library("v4l2")


GREY = int.from_bytes(b"GREY", "little")


def test_a_buffer_is_acquired_once_for_all_exports(v4l2: Library) -> None:
    camera = v4l2.pointer("camera_open", GREY, 6, 4, 8, 32)
    shown = v4l2.wrap("frame", camera)

    def held() -> int:
        return int(v4l2.number("camera_dequeued", camera))

    assert (shown.shape, held()) == ((4, 6), 0), "an attribute keeps nothing"
    first = np.from_dlpack(shown)
    assert held() == 1
    second = np.asarray(shown)
    del first
    assert held() == 1, "the second still lives"
    del second
    assert held() == 0
    third = np.from_dlpack(shown)
    del shown
    assert held() == 1, "an array keeps the owner and what it acquired"
    del third
    assert v4l2.number("camera_live") == 0


def test_a_failing_acquire_is_an_error(v4l2: Library) -> None:
    camera = v4l2.pointer("camera_open", GREY, 6, 4, 8, 32)
    shown = v4l2.wrap("frame", camera)
    v4l2.number("camera_unplug", camera, kind=None)
    for _ in range(2):
        with pytest.raises((BufferError, RuntimeError), match=r"camera_ioctl\(self, VIDIOC_DQBUF\).*No such device"):
            np.from_dlpack(shown)
    v4l2.number("camera_plug", camera, kind=None)
    assert np.from_dlpack(shown).shape == (4, 6)


def test_an_object_that_cannot_be_described_is_restored(v4l2: Library) -> None:
    """The camera is asked for its buffer, and the buffer then cannot be described."""
    camera = v4l2.pointer("camera_open", int.from_bytes(b"Y16 ", "little"), 6, 4, 13, 52)
    shown = v4l2.wrap("frame", camera)
    with pytest.raises(BufferError, match="not a multiple of the item size"):
        np.from_dlpack(shown)
    assert v4l2.number("camera_dequeued", camera) == 0


# ---- OpenCL: several steps; a value that `acquire` assigns; device memory ----


@pytest.fixture
def opencl(library: Loader) -> Library:
    return library("opencl")


READ_WRITE, READ_ONLY_MEMORY = 1, 4


def test_memory_is_mapped_while_it_is_exported(opencl: Library) -> None:
    memory = opencl.pointer("cl_create_buffer", ctypes.c_uint64(READ_WRITE), ctypes.c_size_t(64))
    part = opencl.pointer("cl_create_sub_buffer", memory, ctypes.c_size_t(16), ctypes.c_size_t(32))
    shown = opencl.wrap("mapped", part)
    assert opencl.number("cl_maps") == 0
    finished = opencl.number("cl_finished")
    array = np.from_dlpack(shown)
    assert (opencl.number("cl_maps"), opencl.number("cl_finished")) == (1, finished + 1)
    np.testing.assert_array_equal(array, np.arange(16, 48))
    other = np.from_dlpack(shown)
    assert opencl.number("cl_maps") == 1
    del array, other
    assert opencl.number("cl_maps") == 0
    again = np.from_dlpack(shown)
    assert again[0] == 16
    for pointer in (memory, part):
        opencl.number("clReleaseMemObject", pointer)
    del shown, again
    assert (opencl.number("cl_maps"), opencl.number("cl_live")) == (0, 0)


def test_a_mapping_that_reports_its_failure_in_an_argument_is_an_error(opencl: Library) -> None:
    """The status is read after the call."""
    memory = opencl.pointer("cl_create_buffer", ctypes.c_uint64(READ_WRITE), ctypes.c_size_t(64))
    shown = opencl.wrap("mapped", memory)
    opencl.number("cl_break", memory, 2, kind=None)
    with pytest.raises(RuntimeError, match=r"mapped = clEnqueueMapBuffer\("):
        np.from_dlpack(shown)
    opencl.number("cl_break", memory, 0, kind=None)
    assert np.from_dlpack(shown)[63] == 63
    assert opencl.number("cl_maps") == 0
    opencl.number("clReleaseMemObject", memory)


def test_threads_can_map_one_object(opencl: Library) -> None:
    memory = opencl.pointer("cl_create_buffer", ctypes.c_uint64(READ_WRITE), ctypes.c_size_t(64))
    shared = [opencl.wrap("mapped", memory)]
    wrong: list[int] = []

    def work() -> None:
        for _ in range(100):
            first, second = np.from_dlpack(shared[0]), memoryview(shared[0])
            if first.sum() != 2016 or second[63] != 63:
                wrong.append(1)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong
    opencl.number("clReleaseMemObject", memory)
    shared.clear()
    assert (opencl.number("cl_maps"), opencl.number("cl_live")) == (0, 0)


def test_device_memory_is_exported_as_a_handle(opencl: Library) -> None:
    memory = opencl.pointer("cl_create_buffer", ctypes.c_uint64(READ_WRITE), ctypes.c_size_t(64))
    part = opencl.pointer("cl_create_sub_buffer", memory, ctypes.c_size_t(16), ctypes.c_size_t(32))
    shown = opencl.wrap("buffer", part, ctypes.c_size_t(2), ctypes.c_size_t(4), None)
    assert (shown.shape, shown.device, shown.dtype) == ((2, 4), (4, 1), "float32")
    assert not shown.readonly
    finished = opencl.number("cl_finished")
    capsule = shown.__dlpack__(max_version=(1, 3))
    tensor = inside(capsule).tensor
    assert (tensor.data, tensor.byte_offset) == (part.value, 16), "an opaque handle, not an address"
    assert (tensor.device_type, tensor.device_id, tensor.axes()) == (4, 1, ((2, 4), (4, 1)))
    assert opencl.number("cl_finished") == finished + 1
    with pytest.raises(BufferError, match="opencl"):
        memoryview(shown)
    array = np.from_dlpack(shown, device="cpu")
    np.testing.assert_array_equal(array.view(np.uint8).ravel(), np.arange(16, 48))
    assert address(array) % 64 == 0 and array.flags.writeable
    for pointer in (memory, part):
        opencl.number("clReleaseMemObject", pointer)
    del shown, capsule, array
    assert opencl.number("cl_live") == 0


def test_read_only_device_memory_has_the_flag(opencl: Library) -> None:
    memory = opencl.pointer("cl_create_buffer", ctypes.c_uint64(READ_ONLY_MEMORY), ctypes.c_size_t(64))
    shown = opencl.wrap("buffer", memory, ctypes.c_size_t(4), ctypes.c_size_t(4), None)
    assert shown.readonly
    assert inside(shown.__dlpack__(max_version=(1, 0))).flags == READ_ONLY
    too_large = opencl.wrap("buffer", memory, ctypes.c_size_t(5), ctypes.c_size_t(4), None)
    with pytest.raises(BufferError, match="there is less memory than that"):
        too_large.__dlpack__()
    opencl.number("cl_break", memory, 1, kind=None)
    with pytest.raises((BufferError, RuntimeError), match=r"clGetMemObjectInfo\(self, CL_MEM_OFFSET"):
        shown.__dlpack__(max_version=(1, 0))
    opencl.number("clReleaseMemObject", memory)
    del shown, too_large
    gc.collect()
    assert opencl.number("cl_live") == 0


def test_a_failing_copy_from_the_device_is_an_error(opencl: Library) -> None:
    """Copies through a queue whose reads fail."""
    memory = opencl.pointer("cl_create_buffer", ctypes.c_uint64(READ_WRITE), ctypes.c_size_t(64))
    queue = opencl.pointer("cl_queue")
    shown = opencl.wrap("buffer", memory, ctypes.c_size_t(4), ctypes.c_size_t(4), queue)
    with pytest.raises((BufferError, RuntimeError), match=r"clEnqueueReadBuffer\("):
        np.from_dlpack(shown, device="cpu")
    opencl.number("clReleaseMemObject", memory)
