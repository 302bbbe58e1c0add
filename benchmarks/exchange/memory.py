"""The resident memory that 1,000 exports of 256 MiB cost: nothing may be copied, and nothing kept."""

from __future__ import annotations

import gc
import os
from pathlib import Path
from typing import Any

import numpy

from sides import Field

EXPORTS = 1000
SHAPE = (1 << 12, 1 << 14, 4)  # 256 MiB


def resident() -> int:
    """Bytes."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def growth(x: Any) -> dict[str, float]:
    """KiB, while all exports live and after the last has gone."""
    numpy.from_dlpack(x)
    gc.collect()
    before = resident()
    arrays = [numpy.from_dlpack(x) for _ in range(EXPORTS)]
    living = resident()
    assert len({array.ctypes.data for array in arrays[:2]}) == 1, "copied"
    del arrays
    for _ in range(EXPORTS):
        numpy.from_dlpack(x)
    return {"living": (living - before) / 1024, "after": (resident() - before) / 1024}


def all_growths(field: Field) -> dict[str, dict[str, float]]:
    objects: dict[str, Any] = {"numpy": numpy.zeros(SHAPE, numpy.uint8)}
    for name in ("ours", "baseline", "pyo3", "dlpark", "nanobind"):
        if name in field.sides:
            objects[name] = type(field.sides[name].x)(*SHAPE)
    return {name: growth(x) for name, x in objects.items()}
