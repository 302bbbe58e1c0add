# SPDX-License-Identifier: MIT
"""DLPack's structs (dlpack.h 1.3) and the struct of probe.h with ctypes, and CPython's buffers with every flag."""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from ctypes import c_char_p, c_int, c_int32, c_int64, c_ssize_t, c_uint8, c_uint16, c_uint32, c_uint64, c_void_p
from types import ModuleType
from typing import Any

READ_ONLY = 1
IS_COPIED = 2
SUBBYTE_PADDED = 4


class DLTensor(ctypes.Structure):
    _fields_ = [
        ("data", c_void_p),
        ("device_type", c_int32),
        ("device_id", c_int32),
        ("ndim", c_int32),
        ("code", c_uint8),
        ("bits", c_uint8),
        ("lanes", c_uint16),
        ("shape", ctypes.POINTER(c_int64)),
        ("strides", ctypes.POINTER(c_int64)),
        ("byte_offset", c_uint64),
    ]

    def axes(self) -> tuple[tuple[int, ...], tuple[int, ...]]:
        return tuple(self.shape[: self.ndim]), tuple(self.strides[: self.ndim])


class Legacy(ctypes.Structure):
    _fields_ = [("tensor", DLTensor), ("manager_ctx", c_void_p), ("deleter", c_void_p)]


class Versioned(ctypes.Structure):
    _fields_ = [
        ("major", c_uint32),
        ("minor", c_uint32),
        ("manager_ctx", c_void_p),
        ("deleter", c_void_p),
        ("flags", c_uint64),
        ("tensor", DLTensor),
    ]


class Probe(ctypes.Structure):
    _fields_ = [
        ("data", c_void_p),
        ("shape", c_int64 * 72),
        ("strides", c_int64 * 72),
        ("rows", c_uint64),
        ("row_bytes", c_int64),
        ("device_id", c_int64),
        ("ndim", c_int32),
        ("dtype", c_int32),
        ("device", c_int32),
        ("readonly", c_int32),
        ("refused", c_int32),
        ("references", c_int32),
        ("flushes", c_int32),
    ]

    def set_axes(self, shape: Sequence[int], strides: Sequence[int] | None = None) -> None:
        strides = compact(shape) if strides is None else strides
        self.ndim = len(shape)
        self.shape[: len(shape)] = shape
        self.strides[: len(shape)] = strides


def compact(shape: Sequence[int]) -> list[int]:
    """Returns row-major strides, in elements."""
    strides = [1] * len(shape)
    for axis in range(len(shape) - 2, -1, -1):
        strides[axis] = strides[axis + 1] * max(shape[axis + 1], 1)
    return strides


_capsule_name = ctypes.pythonapi.PyCapsule_GetName
_capsule_name.restype, _capsule_name.argtypes = c_char_p, [ctypes.py_object]
_capsule_pointer = ctypes.pythonapi.PyCapsule_GetPointer
_capsule_pointer.restype, _capsule_pointer.argtypes = c_void_p, [ctypes.py_object, c_char_p]


def name_of(capsule: object) -> str:
    return _capsule_name(capsule).decode()


def inside(capsule: object) -> Legacy | Versioned:
    """Returns the managed tensor in a capsule of either kind. It is valid while the capsule lives and nobody consumes
    it."""
    name = _capsule_name(capsule)
    kind = Versioned if name == b"dltensor_versioned" else Legacy
    return kind.from_address(_capsule_pointer(capsule, name))


class Managed:
    """A managed tensor of the `producer` module, float32[2, 3] until its fields are set otherwise."""

    def __init__(self, producer: ModuleType, versioned: bool = True, **fields: Any) -> None:
        self._producer = producer
        self.versioned = versioned
        self.address, axes, self.data = producer.managed(versioned)
        self.struct = (Versioned if versioned else Legacy).from_address(self.address)
        self._axes = axes
        if versioned:
            self.struct.major, self.struct.minor = 1, 3
        tensor = self.struct.tensor
        tensor.data = self.data
        tensor.device_type = 1
        tensor.code, tensor.bits, tensor.lanes = 2, 32, 1
        self.set_axes((2, 3))
        for name, value in fields.items():
            self.set(name, value)

    def set_axes(self, shape: Sequence[int], strides: Sequence[int] | None = None) -> None:
        for start, values in ((0, shape), (72, compact(shape) if strides is None else strides)):
            (c_int64 * len(values)).from_address(self._axes + 8 * start)[:] = values
        tensor = self.struct.tensor
        tensor.ndim = len(shape)
        tensor.shape = ctypes.cast(self._axes, ctypes.POINTER(c_int64))
        tensor.strides = ctypes.cast(self._axes + 8 * 72, ctypes.POINTER(c_int64))

    def set(self, name: str, value: Any) -> None:
        if name == "axes":
            self.set_axes(*value)
        elif name == "dtype":
            self.struct.tensor.code, self.struct.tensor.bits, self.struct.tensor.lanes = value
        elif name in ("shape", "strides") and value is None:
            setattr(self.struct.tensor, name, ctypes.POINTER(c_int64)())
        else:
            place = self.struct if hasattr(self.struct, name) else self.struct.tensor
            assert hasattr(place, name), name
            setattr(place, name, value)

    def capsule(self, name: str | None = "") -> object:
        """Makes a capsule of the tensor; a `name` other than "" replaces the right one."""
        right = "dltensor_versioned" if self.versioned else "dltensor"
        return self._producer.capsule(self.address, right if name == "" else name)


# ---- Buffers with every flag ----

SIMPLE, WRITABLE, FORMAT, ND, STRIDES, INDIRECT = 0, 1, 4, 8, 0x18, 0x118
C_CONTIGUOUS, F_CONTIGUOUS, ANY_CONTIGUOUS = 0x38, 0x58, 0x98


class Buffer(ctypes.Structure):
    """Py_buffer."""

    _fields_ = [
        ("buf", c_void_p),
        ("obj", ctypes.py_object),
        ("len", c_ssize_t),
        ("itemsize", c_ssize_t),
        ("readonly", c_int),
        ("ndim", c_int),
        ("format", c_char_p),
        ("shape", ctypes.POINTER(c_ssize_t)),
        ("strides", ctypes.POINTER(c_ssize_t)),
        ("suboffsets", ctypes.POINTER(c_ssize_t)),
        ("internal", c_void_p),
    ]

    def __init__(self, source: object, flags: int) -> None:
        super().__init__()
        ctypes.pythonapi.PyObject_GetBuffer(ctypes.py_object(source), ctypes.byref(self), c_int(flags))

    def release(self) -> None:
        ctypes.pythonapi.PyBuffer_Release(ctypes.byref(self))
