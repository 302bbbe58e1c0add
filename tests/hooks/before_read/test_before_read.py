"""Hooks that compute or fetch the elements before a consumer reads them."""

from __future__ import annotations

import ctypes

import numpy as np
import pytest

from python.tensors import inside
from structs.libraries import Library, address
from structs.modules import Loader

# ---- FFTW: elements that are computed by an export ----


@pytest.fixture
def fftw(library: Loader) -> Library:
    return library("fftw")


def test_elements_are_computed_before_they_are_read(fftw: Library) -> None:
    plan = fftw.pointer("fft_new", 4, 6)
    signal = fftw.wrap("signal", plan)
    values = np.from_dlpack(signal)
    spectrum = signal.spectrum()
    for seed in (1, 2):
        values[...] = np.random.default_rng(seed).random((4, 6))
        shown = np.from_dlpack(spectrum)
        np.testing.assert_allclose(shown, np.fft.fft2(values))
        assert not shown.flags.writeable
    copied = inside(spectrum.__dlpack__())
    assert copied.tensor.data != address(shown), "consumers that know no read-only memory get a copy"
    del signal, values, spectrum, copied
    assert fftw.number("fft_live") == 1
    del shown
    assert fftw.number("fft_live") == 0


# ---- TensorFlow Lite: stale data is fetched before it is read ----


def test_stale_data_is_fetched_before_it_is_read(library: Loader) -> None:
    tflite = library("tflite")
    array = np.zeros(4, np.uint8)
    dims = (ctypes.c_int * 1)(4)
    pointer = ctypes.c_void_p(address(array))
    tensor = tflite.pointer("tflite_arena", 3, 2, 1, dims, pointer, ctypes.c_size_t(4))
    shown = tflite.wrap("tensor", tensor, None)
    np.from_dlpack(shown)
    assert not array.any()
    tflite.number("tflite_stale", tensor, kind=None)
    assert shown.shape == (4,) and not array.any()
    np.from_dlpack(shown)
    assert (array == 7).all()
    tflite.number("tflite_forget", tensor, kind=None)
