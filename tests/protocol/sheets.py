# SPDX-License-Identifier: MIT
"""A generated module whose classes differ in one key each, around one struct that can be put into every state."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from ctypes import c_int32, c_int64, c_uint64, c_void_p, py_object
from pathlib import Path
from types import ModuleType
from typing import Any

from protocol.table import pointer_in
from python.tensors import compact
from support.build import SUFFIX, build_extension, import_extension
from support.shared import build_once

HERE = Path(__file__).resolve().parent

_SLOTS = """
    type: sheet_t
    data: self->data
    byte_offset: self->byte_offset
    dtype: {code: self->code, bits: self->bits, lanes: self->lanes}
    device:
      of: self->device
      map: {1: cpu, 2: cuda, 3: cuda_host, 4: opencl, 10: rocm, 11: rocm_host, 13: cuda_managed, 20: 20}
      id: self->device_id
    shape: {ndim: self->ndim, each: "self->shape[axis]"}
    readonly: self->readonly
    require: [{expr: "!self->refused", message: the sheet refuses}]"""

_ELEMENTS = """
    strides: {each: "self->strides[axis]", unit: elements}"""

_BYTES = """
    strides: {each: "self->strides[axis]", unit: bytes}"""


KEYS = {
    "Plain": _ELEMENTS,
    "Frozen": f"{_ELEMENTS}\n    legacy_readonly: copy",
    "Copied": f"{_ELEMENTS}\n    copy: always",
    "Gathered": f"{_BYTES}\n    copy: allowed",
    "Strict": _BYTES,
    "Locked": f"{_ELEMENTS}\n    acquire: sheet_lock(self)\n    restore: sheet_unlock(self)",
    "Synced": f'{_ELEMENTS}\n    sync: "sheet_sync(self, stream)"\n    to_cpu: "sheet_download(self, dst, nbytes)"',
}

SPEC = "dlpack-bindgen: 1\nmodule: sheets\ninclude: [sheet.h]\ntensors:" + "".join(
    f"\n  {name}:{_SLOTS}{keys}" for name, keys in KEYS.items()
)

DEVICES = {
    "cpu": 1,
    "cuda": 2,
    "cuda_host": 3,
    "opencl": 4,
    "rocm": 10,
    "rocm_host": 11,
    "cuda_managed": 13,
    "kDLTPUHost": 20,
}


class Sheet(ctypes.Structure):
    """float32[2, 3] on the CPU, until its fields are set otherwise."""

    _fields_ = [
        ("data", c_void_p),
        ("byte_offset", c_uint64),
        ("_shape", c_int64 * 72),
        ("_strides", c_int64 * 72),
        ("stream", c_int64),
        ("ndim", c_int32),
        ("code", c_int32),
        ("bits", c_int32),
        ("lanes", c_int32),
        ("device", c_int32),
        ("device_id", c_int32),
        ("readonly", c_int32),
        ("refused", c_int32),
        ("locks", c_int32),
    ]

    def __init__(self, **fields: Any) -> None:
        super().__init__(device=1)
        self.memory = ctypes.create_string_buffer(1024)
        self.address = self.data = ctypes.addressof(self.memory)
        shape = fields.pop("shape", (2, 3))
        strides = fields.pop("strides", compact(shape))
        self.code, self.bits, self.lanes = fields.pop("dtype", (2, 32, 1))
        self.ndim = len(shape)
        self._shape[: len(shape)] = shape
        self._strides[: len(strides)] = strides
        for name, value in fields.items():
            assert hasattr(self, name), name
            setattr(self, name, value)


class Sheets:
    """The module, and its functions for C."""

    def __init__(self, directory: Path) -> None:
        target = directory / f"sheets{SUFFIX}"
        build_once(target, lambda: build_extension("sheets", SPEC, directory, flags=[f"-I{HERE}"]))
        self.module: ModuleType = import_extension("sheets", target)
        address = pointer_in(self.module._C_API, b"sheets._C_API")
        functions = (c_void_p * (1 + 2 * len(KEYS))).from_address(address)
        wrap = ctypes.PYFUNCTYPE(py_object, c_void_p, py_object)
        self._wraps: dict[str, Callable[..., Any]] = {
            name: wrap(functions[1 + 2 * place]) for place, name in enumerate(KEYS)
        }

    def make(self, kind: str = "Plain", **fields: Any) -> tuple[Any, Sheet]:
        """Makes an object of the class, which borrows a new struct. Returns the object and the struct."""
        sheet = Sheet(**fields)
        return self._wraps[kind](ctypes.addressof(sheet), sheet), sheet
