# SPDX-License-Identifier: MIT
"""Warp: legacy capsules, up to four axes, no complex numbers."""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType
from typing import Any, ClassVar

import numpy as np
import pytest

from interop.producer import Producer
from interop.seen import Refused, library, look

warp = library("warp")


@pytest.fixture(scope="module", autouse=True)
def started() -> None:
    warp.config.quiet = True
    warp.init()


class TestWarp(Producer):
    take = staticmethod(warp.from_dlpack)
    of = staticmethod(lambda array: warp.from_numpy(array))
    asks: ClassVar = {"stream": None}
    rows: ClassVar = {
        "rank 0": Refused(IndexError, "list assignment"),
        "rank 12": Refused(RuntimeError, "the maximum number of dimensions is 4"),
        "complex64": Refused(RuntimeError, "does not support complex"),
        "complex128": Refused(RuntimeError, "does not support complex"),
        "float8_e4m3fn": Refused(RuntimeError, "Unknown DLPack datatype"),
        "float4_e2m1fn": Refused(RuntimeError, "Unknown DLPack datatype"),
        "read-only": Refused(BufferError, "read-only data needs a versioned capsule"),
        "page-locked": Refused(RuntimeError, "CUDA is not supported"),
        "refused": Refused(BufferError, r"probe\.Moved: the probe refuses"),
    }
    makes: ClassVar = {
        "rank 5": Refused(RuntimeError, "the maximum number of dimensions is 4"),
        "empty": Refused(TypeError, "unsupported operand"),  # Warp 1.19.0
        "complex64": Refused(RuntimeError, "Unsupported NumPy data type"),
        "complex128": Refused(RuntimeError, "Unsupported NumPy data type"),
    }

    @staticmethod
    def numbers(array: Any) -> list[Any]:
        return array.numpy().ravel().tolist()

    def test_a_write_to_the_array_reaches_our_object(self, aligned: Callable[..., Any]) -> None:
        made = aligned("padded rows")
        warp.from_dlpack(made.object).fill_(5)
        assert (np.from_dlpack(made.object) == 5).all()
        row = np.ctypeslib.as_array((np.ctypeslib.ctypes.c_float * 8).from_address(made.struct.data))
        assert row.tolist() == [5, 5, 5, 0, 0, 0, 0, 0]

    def test_arrays_that_warp_allocated_are_imported(self, lab: ModuleType) -> None:
        array = warp.full((3, 4), 2.0, dtype=warp.float64, device="cpu")
        made = lab.Moved.from_dlpack(array)
        del array
        assert (np.from_dlpack(made) == 2).all()

    def test_vectors_become_an_axis(self, lab: ModuleType) -> None:
        array = warp.zeros(5, dtype=warp.vec3, device="cpu")
        made = lab.Moved.from_dlpack(array)
        assert (made.dtype, made.shape) == ("float32", (5, 3))
        assert look(made).address == array.ptr
