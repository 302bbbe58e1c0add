# SPDX-License-Identifier: MIT
"""Calls exchange tables (dlpack.h 1.3) with ctypes, as a consumer in C does."""

from __future__ import annotations

import ctypes
import threading
from collections.abc import Callable, Sequence
from ctypes import POINTER, PYFUNCTYPE, byref, c_int, c_int32, c_int64, c_uint32, c_void_p, py_object
from typing import Any

from python.tensors import DLTensor, Managed, Versioned

ATTRIBUTE = "__dlpack_c_exchange_api__"
NAME = b"dlpack_exchange_api"


class ExchangeAPI(ctypes.Structure):
    _fields_ = [
        ("major", c_uint32),
        ("minor", c_uint32),
        ("prev_api", c_void_p),
        ("allocator", c_void_p),
        ("from_object", c_void_p),
        ("to_object", c_void_p),
        ("view", c_void_p),
        ("stream", c_void_p),
    ]


_pointer = ctypes.pythonapi.PyCapsule_GetPointer
_pointer.restype, _pointer.argtypes = c_void_p, [py_object, ctypes.c_char_p]
_FROM = PYFUNCTYPE(c_int, py_object, POINTER(c_void_p))
_TO = PYFUNCTYPE(c_int, c_void_p, POINTER(c_void_p))
_VIEW = PYFUNCTYPE(c_int, py_object, POINTER(DLTensor))
_STREAM = PYFUNCTYPE(c_int, c_int32, c_int32, POINTER(c_void_p))


class Table:
    """The table of a class. What its functions raise is raised; a failure without an exception is none of ours."""

    def __init__(self, cls: type) -> None:
        self.capsule = cls.__dlpack_c_exchange_api__  # type: ignore[attr-defined]
        self.api = ExchangeAPI.from_address(_pointer(self.capsule, NAME))

    def export(self, source: object) -> int:
        """Exports an object. Returns the address of the managed tensor, which the caller owns."""
        tensor = c_void_p()
        assert _FROM(self.api.from_object)(source, byref(tensor)) == 0
        assert tensor.value
        return tensor.value

    def make(self, address: int | None) -> Any:
        """Makes an object that owns the managed tensor."""
        made = c_void_p()
        assert _TO(self.api.to_object)(address, byref(made)) == 0
        result = ctypes.cast(made, py_object).value
        ctypes.pythonapi.Py_DecRef(py_object(result))  # the reference that came with it
        return result

    def view(self, source: object) -> DLTensor:
        tensor = DLTensor()
        assert _VIEW(self.api.view)(source, byref(tensor)) == 0
        return tensor

    def stream(self, device: int, number: int = 0) -> int | None:
        current = c_void_p(1)
        assert _STREAM(self.api.stream)(device, number, byref(current)) == 0
        return current.value


def tensor_at(address: int) -> Versioned:
    return Versioned.from_address(address)


def delete(address: int) -> None:
    """Calls the deleter of a managed tensor that nobody has taken over."""
    ctypes.CFUNCTYPE(None, c_void_p)(tensor_at(address).deleter)(address)


class Prototype:
    """A prototype for an allocator; its tensor is valid as long as this object lives."""

    def __init__(self, extents: Sequence[int], dtype: tuple[int, int, int] = (1, 8, 1), **fields: Any) -> None:
        self._shape = (c_int64 * max(len(extents), 1))(*extents)
        self.tensor = DLTensor()
        self.tensor.device_type = 1
        self.tensor.code, self.tensor.bits, self.tensor.lanes = dtype
        self.tensor.ndim = len(extents)
        self.tensor.shape = ctypes.cast(self._shape, POINTER(c_int64))
        for name, value in fields.items():
            setattr(self.tensor, name, value)

    @property
    def address(self) -> int:
        return ctypes.addressof(self.tensor)


def run_at_once(works: list[Callable[[], None]]) -> None:
    threads = [threading.Thread(target=work) for work in works]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


class Source:
    """A producer: a table of the module `scripted` asks give(), the call __dlpack__()."""

    def __init__(self, managed: Callable[..., Managed], **fields: Any) -> None:
        self.managed, self.fields = managed, fields
        self.asked: list[str] = []

    def give(self) -> Any:
        self.asked.append("table")
        return self.managed(**self.fields).address


class Calls(Source):
    def __dlpack__(self, *, max_version: Any = None, **keywords: Any) -> Any:
        self.asked.append("call")
        return self.managed(**self.fields).capsule()


def with_table(base: type, capsule: object) -> Any:
    return type(f"Tabled{base.__name__}", (base,), {ATTRIBUTE: capsule})
