"""Devices of structs whose memory the CPU never reads."""

from __future__ import annotations

import ctypes

import numpy as np
import pytest

from structs.libraries import Library, assert_same, count, int64s
from structs.modules import Loader

CPU, CUDA, CUDA_HOST, ROCM = 1, 2, 3, 10


@pytest.fixture
def gpu(library: Loader) -> Library:
    return library("gpu")


def references(tensor: ctypes.c_void_p) -> int:
    return ctypes.c_int.from_address(tensor.value or 0).value


@pytest.mark.parametrize(
    "kind, device", [(0, (CPU, 0)), (1, (CUDA, 5)), (2, (CUDA_HOST, 0))], ids=["host", "cuda", "pinned"]
)
def test_a_map_chooses_the_device_in_both_directions(gpu: Library, kind: int, device: tuple[int, int]) -> None:
    tensor = gpu.pointer("rt_create", kind, 5, ctypes.c_void_p(0xDEAD0000), 2, int64s(2, 3), int64s(6, 2))
    shown = gpu.wrap("tensor", tensor)
    assert (shown.device, shown.__dlpack_device__()) == (device, device)
    assert (shown.shape, shown.strides, shown.readonly) == ((2, 3), (6, 2), False)
    back = gpu.module.Tensor.from_dlpack(shown)
    assert (back.device, back.shape, back.strides) == (device, (2, 3), (6, 2))
    assert gpu.number("rt_live") == 2
    assert references(tensor) == 2, "the caller's and the owner's"
    del shown
    assert references(tensor) == 2, "the export keeps the owner"
    del back
    assert references(tensor) == 1
    gpu.number("rt_destroy", tensor, kind=None)
    assert gpu.number("rt_live") == 0


def test_a_device_without_an_entry_is_refused(gpu: Library) -> None:
    tensor = gpu.pointer("rt_create", 3, 0, ctypes.c_void_p(0xDEAD0000), 0, int64s(), int64s())
    with pytest.raises(BufferError, match=r"gpu\.Tensor: .*device.*self->buffer\.kind.*3"):
        gpu.wrap("tensor", tensor).__dlpack__()
    gpu.number("rt_destroy", tensor, kind=None)


def test_a_fixed_device_type_has_a_number(gpu: Library) -> None:
    tensor = gpu.pointer("rt_create", 1, 7, ctypes.c_void_p(0xDEAD0000), 1, int64s(2), int64s(1))
    shown = gpu.wrap("managed", tensor)
    assert shown.device == (ROCM, 7)
    with pytest.raises(BufferError, match="the data is on rocm"):
        gpu.module.Tensor.from_dlpack(shown)
    ctypes.c_int.from_address((tensor.value or 0) + 12).value = -1
    with pytest.raises(BufferError, match=r"device id \(self->buffer\.ordinal\) is -1"):
        shown.__dlpack__()
    del shown
    gpu.number("rt_destroy", tensor, kind=None)


def test_an_import_sets_the_device(gpu: Library) -> None:
    array = count(3, 4)[:, ::2]
    shown = gpu.module.Tensor.from_dlpack(array)
    assert shown.device == (CPU, 0)
    assert_same(np.from_dlpack(shown), array)
