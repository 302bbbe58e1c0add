"""Extents that are bit-fields of a struct."""

from __future__ import annotations

import numpy as np
import pytest

from structs.libraries import assert_same, count
from structs.modules import Loader


def test_an_import_sets_and_checks_bit_fields(library: Loader) -> None:
    frame = library("bits").module.Frame
    for dtype in ("uint16", "int16", "float16"):
        array = count(4, 3, 9, dtype=dtype)[::-1, :, :2].copy()[::-1]
        assert_same(np.from_dlpack(frame.from_dlpack(array)), array)
    with pytest.raises(BufferError, match=r"self->width.*4096|4096.*width"):
        frame.from_dlpack(np.empty((1, 4096, 1), np.uint16))
    with pytest.raises(BufferError, match="pitch"):
        frame.from_dlpack(np.empty((2, 9000, 1), np.uint16)[:, :4])
    with pytest.raises(BufferError, match="dtype is uint8"):
        frame.from_dlpack(np.empty((2, 2, 1), np.uint8))
