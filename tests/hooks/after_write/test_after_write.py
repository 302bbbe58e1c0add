"""Flags of a struct that the last writable export sets."""

from __future__ import annotations

import ctypes

import numpy as np
import pytest

from structs.libraries import Library
from structs.modules import Loader

HOST_DIRTY, DEVICE_DIRTY = 1, 2


@pytest.fixture
def halide(library: Loader) -> Library:
    return library("halide")


def flags(buffer: ctypes.c_void_p) -> ctypes.c_uint64:
    return ctypes.c_uint64.from_address((buffer.value or 0) + 24)


def test_the_last_writable_export_sets_the_dirty_flag(halide: Library) -> None:
    dims = (ctypes.c_int32 * 8)(0, 4, 1, 0, 0, 3, 4, 0)
    buffer = halide.pointer("halide_make", 1, 8, 1, 2, dims)
    shown = halide.wrap("buffer", buffer)
    flags(buffer).value = DEVICE_DIRTY
    assert (shown.shape, flags(buffer).value) == ((3, 4), DEVICE_DIRTY), "attributes copy nothing"
    array = np.from_dlpack(shown)
    assert (array[0, 0], flags(buffer).value) == (99, 0)
    other = np.from_dlpack(shown)
    del array
    assert flags(buffer).value == 0
    del other
    assert flags(buffer).value == HOST_DIRTY, "the last one that could write is gone"
