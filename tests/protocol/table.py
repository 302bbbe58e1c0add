# SPDX-License-Identifier: MIT
"""The exchange table of a class, called as C would (dlpack.h: DLPackExchangeAPI)."""

from __future__ import annotations

import ctypes
from ctypes import POINTER, c_char_p, c_int, c_int32, c_int64, c_uint32, c_void_p, py_object
from typing import Any

from python.tensors import DLTensor, Versioned

pointer_in = ctypes.PYFUNCTYPE(c_void_p, py_object, c_char_p)(("PyCapsule_GetPointer", ctypes.pythonapi))

SET_ERROR = ctypes.CFUNCTYPE(None, c_void_p, c_char_p, c_char_p)
_ALLOCATE = (c_int, POINTER(DLTensor), POINTER(POINTER(Versioned)), c_void_p, SET_ERROR)


class Api(ctypes.Structure):
    _fields_ = [
        ("major", c_uint32),
        ("minor", c_uint32),
        ("prev_api", c_void_p),
        ("managed_tensor_allocator", c_void_p),
        ("managed_tensor_from_py_object_no_sync", c_void_p),
        ("managed_tensor_to_py_object_no_sync", c_void_p),
        ("dltensor_from_py_object_no_sync", c_void_p),
        ("current_work_stream", c_void_p),
    ]


def api_of(cls: type) -> Api:
    return Api.from_address(pointer_in(cls.__dlpack_c_exchange_api__, b"dlpack_exchange_api"))


def prototype(shape: tuple[int, ...] | None, dtype: tuple[int, int, int], **fields: int) -> DLTensor:
    """Makes a prototype for an allocator. Of the fields that an allocator does not read, `strides` is NULL and the
    others are garbage."""
    axes = (c_int64 * 72)(*(shape or ()))
    code, bits, lanes = dtype
    made = DLTensor(data=1, device_type=1, ndim=len(shape or ()), code=code, bits=bits, lanes=lanes, byte_offset=99)
    if shape is not None:
        made.shape = ctypes.cast(axes, POINTER(c_int64))
    for name, value in fields.items():
        assert hasattr(made, name), name
        setattr(made, name, value)
    return made


def allocate(cls: type, wanted: DLTensor, with_gil: bool, with_set_error: bool) -> Any:
    """Returns the new tensor, or the message passed to SetError. Without SetError, a failure returns "failed"."""
    messages: list[str] = []

    def set_error(context: int, kind: bytes, message: bytes) -> None:
        messages.append(f"{kind.decode()}: {message.decode()}" if context == 7 else f"context {context}")

    function = (ctypes.PYFUNCTYPE if with_gil else ctypes.CFUNCTYPE)(*_ALLOCATE)
    out = POINTER(Versioned)()
    callback = SET_ERROR(set_error) if with_set_error else SET_ERROR()
    result = function(api_of(cls).managed_tensor_allocator)(wanted, out, 7, callback)
    assert (result, len(messages)) in ((0, 0), (-1, int(with_set_error)))
    if result == 0:
        return out.contents
    return messages[0] if messages else "failed"


def from_object(cls: type, source: object) -> Versioned:
    function = ctypes.PYFUNCTYPE(c_int, py_object, POINTER(POINTER(Versioned)))
    out = POINTER(Versioned)()
    assert function(api_of(cls).managed_tensor_from_py_object_no_sync)(source, out) == 0
    return out.contents


def to_object(cls: type, address: int) -> Any:
    function = ctypes.PYFUNCTYPE(c_int, c_void_p, POINTER(py_object))
    out = py_object()
    assert function(api_of(cls).managed_tensor_to_py_object_no_sync)(address, out) == 0
    made = out.value
    ctypes.pythonapi.Py_DecRef(out)  # the new reference: `value` has taken another one
    return made


def view(cls: type, source: object) -> DLTensor:
    function = ctypes.PYFUNCTYPE(c_int, py_object, POINTER(DLTensor))
    out = DLTensor()
    assert function(api_of(cls).dltensor_from_py_object_no_sync)(source, out) == 0
    return out


def stream(cls: type, device_type: int, device_id: int) -> int | None:
    """Returns the value of the output argument after a call of `current_work_stream`."""
    function = ctypes.PYFUNCTYPE(c_int, c_int, c_int32, POINTER(c_void_p))
    out = c_void_p(99)
    assert function(api_of(cls).current_work_stream)(device_type, device_id, out) == 0
    return out.value
