"""Data that does not come from the object."""

from __future__ import annotations

import ctypes

import numpy as np

from structs.libraries import address
from structs.modules import Loader


def test_data_need_not_come_from_the_object(library: Loader) -> None:
    screen = library("screen")
    opened = screen.pointer("screen_open")
    array = np.from_dlpack(screen.wrap("screen", opened))
    frame = (ctypes.c_uint16 * 256).in_dll(screen.functions, "screen_memory")
    assert array.shape == (8, 32)
    assert address(array) == ctypes.addressof(frame)
    del array
    assert screen.number("screen_opened") == 0
    shown = screen.wrap("brightness", opened, None)
    brightness = np.from_dlpack(shown)
    assert (brightness.shape, float(brightness), shown.strides) == ((), 0.5, ())
    brightness[...] = 0.75
    assert ctypes.c_double.in_dll(screen.functions, "screen_brightness").value == 0.75
