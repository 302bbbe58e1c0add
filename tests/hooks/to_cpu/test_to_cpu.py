"""Copies to the CPU, from a device with the streams of DLPack."""

from __future__ import annotations

import ctypes

import numpy as np

from python.tensors import inside
from structs.modules import Loader


def test_data_of_a_device_is_copied_to_the_cpu_and_stays_on_the_device(library: Loader) -> None:
    ggml = library("ggml")
    tensor = ggml.pointer("ggml_new_2d", 0, ctypes.c_int64(4), ctypes.c_int64(3))
    shown = ggml.wrap("tensor", tensor)
    original = np.from_dlpack(shown)
    original[...] = np.arange(12).reshape(3, 4)
    assert ggml.number("ggml_synchronized") == 0, "plain memory"
    ggml.number("ggml_offload", tensor, 1, kind=None)
    assert inside(shown.__dlpack__(max_version=(1, 0))).tensor.device_id == 1
    assert ggml.number("ggml_synchronized") == 1
    array = np.from_dlpack(shown, device="cpu")
    np.testing.assert_array_equal(array, original)
    assert not np.shares_memory(array, original)
    del shown, original
    assert array[2, 3] == 11
    assert ggml.number("ggml_live") == 0
