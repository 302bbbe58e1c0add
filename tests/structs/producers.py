"""Arrays that know whether their memory is still needed."""

from __future__ import annotations

import gc
import weakref
from typing import Any

import numpy as np


class Bytes:
    """A producer of which one can ask whether its memory is still needed."""

    def __init__(self, count: int, dtype: Any = np.uint8) -> None:
        self.array = np.arange(count).astype(dtype)

    def __dlpack__(self, **keywords: Any) -> Any:
        # NumPy's capsule keeps its array, a view that only the capsule keeps.
        view = self.array[:]
        self.alive = weakref.ref(view)
        return view.__dlpack__(**keywords)

    def __dlpack_device__(self) -> tuple[int, int]:
        return (1, 0)

    @property
    def needed(self) -> bool:
        gc.collect()
        return self.alive() is not None


def aligned(count: int, dtype: Any = np.float32, offset: int = 0) -> np.ndarray[Any, Any]:
    """Makes an array of 0, 1, 2, ... at an address `offset` bytes beyond a multiple of 64."""
    size = count * np.dtype(dtype).itemsize
    raw = np.zeros(size + 128, np.uint8)
    start = -raw.__array_interface__["data"][0] % 64 + offset
    array = raw[start : start + size].view(dtype)
    array[:] = np.arange(count)
    return array
