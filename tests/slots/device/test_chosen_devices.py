"""Devices that the library names, or that its functions return."""

from __future__ import annotations

import ctypes

import pytest

from structs.libraries import count, int64s, memory
from structs.modules import Loader


def test_a_device_is_chosen_by_a_string(library: Loader) -> None:
    ort = library("ort")
    array = count(2, 3)
    for name, device in [(b"Cpu", (1, 0)), (b"Cuda", (2, 3)), (b"CudaPinned", (3, 0))]:
        value = ort.pointer("ort_make", 1, name, 3, ctypes.c_size_t(2), int64s(2, 3), memory(array))
        assert ort.wrap("value", value).device == device
    value = ort.pointer("ort_make", 1, b"WebGPU", 3, ctypes.c_size_t(2), int64s(2, 3), memory(array))
    with pytest.raises(BufferError, match=r"ort\.Value: .*device.*name"):
        ort.wrap("value", value).__dlpack__()
    assert (ort.number("ort_values"), ort.number("ort_infos")) == (0, 0)


def test_a_device_is_returned_by_a_call(library: Loader) -> None:
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
