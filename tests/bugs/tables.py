# SPDX-License-Identifier: MIT
"""The C exchange table of our classes, and imports through foreign tables."""

from __future__ import annotations

import ctypes
import gc
from ctypes import POINTER, PYFUNCTYPE, byref, c_char_p, c_int, c_int32, c_int64, c_uint32, c_void_p, py_object
from typing import Any

from bugs.bug import CRASH, bug, expect, refuse
from bugs.subject import NOT_DELETED, Subject
from python.tensors import READ_ONLY, DLTensor, inside

ATTRIBUTE, CAPSULE = "__dlpack_c_exchange_api__", b"dlpack_exchange_api"
FLOAT128, COMPLEX64 = (2, 128, 1), (5, 64, 1)
NOWHERE = 16
"""An address at which there is no function."""


class Table(ctypes.Structure):
    """DLPackExchangeAPI."""

    _fields_ = [
        ("major", c_uint32),
        ("minor", c_uint32),
        ("older", c_void_p),
        ("allocate", c_void_p),
        ("from_object", c_void_p),
        ("to_object", c_void_p),
        ("view", c_void_p),
        ("stream", c_void_p),
    ]


_new_capsule = ctypes.pythonapi.PyCapsule_New
_new_capsule.restype, _new_capsule.argtypes = py_object, [c_void_p, c_char_p, c_void_p]
_pointer = ctypes.pythonapi.PyCapsule_GetPointer
_pointer.restype, _pointer.argtypes = c_void_p, [py_object, c_char_p]

FROM_OBJECT = PYFUNCTYPE(c_int, c_void_p, POINTER(c_void_p))
TO_OBJECT = PYFUNCTYPE(c_int, c_void_p, POINTER(c_void_p))
VIEW = PYFUNCTYPE(c_int, py_object, POINTER(DLTensor))
STREAM = PYFUNCTYPE(c_int, c_int, c_int32, POINTER(c_void_p))
ALLOCATE = PYFUNCTYPE(c_int, POINTER(DLTensor), POINTER(c_void_p), c_void_p, c_void_p)


def table_of(s: Subject) -> Table:
    return Table.from_address(_pointer(getattr(s.cls, ATTRIBUTE), CAPSULE))


_for_ever: list[Any] = []
"""Tables are static: consumers keep their addresses."""


class Foreign:
    """A class with a table, and what its objects were asked for."""

    def __init__(self, s: Subject, bases: tuple[type, ...] = (), **fields: Any) -> None:
        self.asked: list[str] = []

        def from_object(_: Any, out: Any) -> int:
            self.asked.append("table")
            out[0] = s.foreign(**fields).address
            return 0

        function = FROM_OBJECT(from_object)
        self.table = Table(major=1, minor=3, from_object=ctypes.cast(function, c_void_p).value)
        _for_ever.extend((function, self.table))
        self.cls = type("Foreign", (), {"__dlpack__": self.call(s), ATTRIBUTE: self.capsule(self.table)})

    def call(self, s: Subject) -> Any:
        def __dlpack__(_: object, **keywords: Any) -> object:
            self.asked.append("call")
            return s.foreign().capsule()

        return __dlpack__

    @staticmethod
    def capsule(table: Table) -> object:
        return _new_capsule(ctypes.addressof(table), CAPSULE, None)


# ---- Foreign tables ----


@bug("Modern", CRASH)
def a_table_of_another_major_is_not_called(s: Subject) -> None:
    foreign = Foreign(s)
    foreign.table.major, foreign.table.from_object = 2, NOWHERE
    s.take(foreign.cls())
    expect("asked", foreign.asked, ["call"])


@bug("Modern", CRASH)
def an_older_table_behind_a_newer_one_is_found(s: Subject) -> None:
    foreign = Foreign(s)
    newer = Table(major=2, from_object=NOWHERE, older=ctypes.addressof(foreign.table))
    setattr(foreign.cls, ATTRIBUTE, foreign.capsule(newer))
    s.take(foreign.cls())
    expect("asked", foreign.asked, ["table"])


@bug("Modern", r"asked: \['table'\], not \['call'\]")
def a_subclass_with_its_own_call_is_called(s: Subject) -> None:
    foreign = Foreign(s)
    s.take(type("Own", (foreign.cls,), {"__dlpack__": foreign.call(s)})())
    expect("asked", foreign.asked, ["call"])


@bug("Modern", r"asked: \['table'\], not \['call'\]")
def a_subclass_that_answers_otherwise_is_called(s: Subject) -> None:
    foreign = Foreign(s)
    s.take(type("Answering", (foreign.cls,), {"__torch_function__": classmethod(lambda cls, *_: None)})())
    expect("asked", foreign.asked, ["call"])


@bug("Modern", "flags of the export: 0, not 1")
def a_tensor_that_requires_grad_is_not_written_to(s: Subject) -> None:
    foreign = Foreign(s)
    foreign.cls.requires_grad = True
    capsule = s.take(foreign.cls()).__dlpack__(max_version=(1, 3))
    expect("flags of the export", inside(capsule).flags, READ_ONLY)


@bug("Modern", r"asked: \['table', 'table'\], not \['table', 'call'\]")
def a_type_at_the_address_of_an_ended_one_is_another_type(s: Subject) -> None:
    foreign = Foreign(s)
    s.take(foreign.cls())
    address = id(foreign.cls)
    del foreign.cls
    gc.collect()
    others = [type("Other", (), {"__dlpack__": foreign.call(s)}) for _ in range(1000)]
    successor = next((other for other in others if id(other) == address), others[0])
    expect("has a table", hasattr(successor, ATTRIBUTE), False)  # which gives it a version, as every lookup does
    s.take(successor())
    expect("asked", foreign.asked, ["table", "call"])


@bug("Modern", "not refused")
def complex_data_is_not_taken_past_the_call(s: Subject) -> None:
    """Tables do not look at the bit that says that a complex tensor is still to be conjugated; the call does."""
    foreign = Foreign(s, dtype=COMPLEX64)

    def __dlpack__(_: object, **keywords: Any) -> object:
        raise BufferError("the conjugate bit is set")

    foreign.cls.__dlpack__ = __dlpack__
    expect("the exception", refuse(BufferError, lambda: s.take(foreign.cls())), "the conjugate bit is set")


# ---- Our table ----


@bug("Modern", r"deleted by the failure: \(1, 1, 0\), not \(0, 0, 0\)")
def a_tensor_that_the_table_refuses_stays_the_callers(s: Subject) -> None:
    tensor = s.foreign(dtype=FLOAT128)
    out = c_void_p()
    refuse(BufferError, lambda: TO_OBJECT(table_of(s).to_object)(tensor.address, byref(out)))
    expect("deleted by the failure", s.deleted(), NOT_DELETED)
    s.delete((tensor.address, True))


@bug("Modern", "not refused")
def read_only_data_has_no_borrowed_view(s: Subject) -> None:
    made, seen = s.make(), DLTensor()
    view = VIEW(table_of(s).view)
    expect("result for writable data", (view(made, byref(seen)), seen.data), (0, s.struct(made).data))
    s.struct(made).readonly = 1
    refuse(BufferError, lambda: view(made, byref(seen)))


@bug("Modern", r"the stream: 221, not None")
def a_stream_is_always_written(s: Subject) -> None:
    stream = c_void_p(0xDD)
    expect("result", STREAM(table_of(s).stream)(1, 0, byref(stream)), 0)
    expect("the stream", stream.value, None)


@bug("Modern", CRASH)
def an_allocator_reports_to_nobody_if_told_so(s: Subject) -> None:
    shape = (c_int64 * 1)(4)
    prototype = DLTensor(device_type=1, code=17, bits=4, lanes=1, ndim=1, shape=shape)
    out = c_void_p()
    expect("result", ALLOCATE(table_of(s).allocate)(byref(prototype), byref(out), None, None), -1)
