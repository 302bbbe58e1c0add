# SPDX-License-Identifier: MIT
"""MLX copies every array that it is given, and leaves the capsule unconsumed."""

from __future__ import annotations

from types import ModuleType
from typing import ClassVar

import numpy as np

from interop.producer import Producer
from interop.seen import Copied, Refused, library

mlx = library("mlx.core")

UNKNOWN = Refused(ValueError, "Cannot convert array to mlx")


class TestMlx(Producer):
    take = staticmethod(mlx.from_dlpack)
    of = staticmethod(mlx.array)
    asks: ClassVar = {}
    usual = Copied()
    rows: ClassVar = {
        "negative": Refused(ValueError, "negative strides"),
        "float64": Copied("float32"),  # MLX 0.32.4 has no such numbers on most devices, and narrows them on all
        "complex128": Copied("complex64"),
        "float8_e4m3fn": UNKNOWN,
        "float4_e2m1fn": UNKNOWN,
        "page-locked": Refused(ValueError, "device"),
        # What the producer raises is replaced by nanobind's message.
        "refused": Refused(TypeError, "incompatible function arguments"),
    }
    makes: ClassVar = {
        "negative": Refused(ValueError, "negative strides"),
        "float64": "float32",
        "complex128": "complex64",
    }

    def test_memory_of_mlx_is_freed_with_our_object(self, lab: ModuleType) -> None:
        mlx.clear_cache()
        before = mlx.get_active_memory()
        made = lab.Moved.from_dlpack(mlx.ones((1024, 1024)))
        assert mlx.get_active_memory() - before >= 4 << 20
        assert (np.from_dlpack(made) == 1).all()
        del made
        assert mlx.get_active_memory() == before

    def test_lazy_arrays_are_computed(self, lab: ModuleType) -> None:
        assert np.from_dlpack(lab.Moved.from_dlpack(mlx.ones(3) + mlx.ones(3))).tolist() == [2, 2, 2]

    def test_small_floats_are_exchanged(self, lab: ModuleType) -> None:
        array = mlx.arange(4).astype(mlx.bfloat16)
        made = lab.Moved.from_dlpack(array)
        assert made.dtype == "bfloat16"
        assert mlx.from_dlpack(made).tolist() == [0, 1, 2, 3]
