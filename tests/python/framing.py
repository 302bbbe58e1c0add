# SPDX-License-Identifier: MIT
"""Frames of the `frames` module, whose fields the tests set."""

from __future__ import annotations

import ctypes
from ctypes import c_int32, c_int64, c_uint64, c_void_p
from types import ModuleType
from typing import Any

FAIL_HOLD, FAIL_CLONE, FAIL_ACQUIRE, FAIL_SYNC, FAIL_TO_CPU = 1, 2, 4, 8, 16

CPU, CUDA, CUDA_HOST, ROCM, ROCM_HOST, CUDA_MANAGED, TPU_HOST = 1, 2, 3, 10, 11, 13, 20


class Frame(ctypes.Structure):
    _fields_ = [
        ("bytes", c_void_p),
        ("planes", c_int64),
        ("rows", c_int64),
        ("columns", c_int64),
        ("device", c_int32),
        ("device_id", c_int32),
        ("readonly", c_int32),
        ("fails", c_int32),
        ("references", c_int32),
        ("held", c_int32),
        ("count", c_uint64),
    ]


class Framed:
    """A frame and the reference to it that the test has."""

    def __init__(self, frames: ModuleType, planes: int, rows: int, columns: int, fields: dict[str, int]) -> None:
        self._frames = frames
        self.address: int = frames.new(planes, rows, columns)
        self.struct = Frame.from_address(self.address)
        for name, value in fields.items():
            setattr(self.struct, name, value)

    def wrap(self, kind: str = "Frame", *arguments: Any) -> Any:
        return self._frames.wrap(kind, self.address, *arguments)

    @property
    def references(self) -> int:
        """Returns the number of references to the frame, without the one of the test."""
        return self.struct.references - 1

    def fill(self) -> None:
        """Fills the frame: each byte is its index, modulo 256."""
        count = self.struct.planes * self.struct.rows * self.struct.columns
        ctypes.memmove(self.struct.bytes, bytes(i % 256 for i in range(count)), count)
