# SPDX-License-Identifier: MIT
"""Versions, keywords and flags."""

from __future__ import annotations

import ctypes
from typing import Any

from bugs.bug import bug, expect, refuse
from bugs.subject import DELETED_ONCE, Subject
from python.tensors import READ_ONLY, inside, name_of


@bug("Modern", "the capsule: 'dltensor_versioned', not 'dltensor'")
def who_names_no_version_gets_a_legacy_capsule(s: Subject) -> None:
    capsule = s.make().__dlpack__()
    expect("the capsule", name_of(capsule), "dltensor")


@bug("Patched", "the capsule: 'dltensor', not 'dltensor_versioned'")
def an_older_minor_gets_a_versioned_capsule(s: Subject) -> None:
    capsule = s.make().__dlpack__(max_version=(1, 0))
    expect("the capsule", name_of(capsule), "dltensor_versioned")


@bug("Modern", "not refused")
def another_major_is_not_read(s: Subject) -> None:
    refuse(BufferError, lambda: s.take(s.foreign(major=2).capsule()))
    expect("deleted", s.deleted(), DELETED_ONCE)
    tensor = s.foreign(major=2)
    start = type(tensor.struct).flags.offset
    ctypes.memset(tensor.address + start, 0xFF, ctypes.sizeof(tensor.struct) - start)
    refuse(BufferError, lambda: s.take(tensor.capsule()))
    expect("deleted", s.deleted(), DELETED_ONCE)


class _Buggy:
    """A modern producer with a bug of its own, and read-only data."""

    def __init__(self, s: Subject) -> None:
        self._subject = s

    def __dlpack__(self, *, max_version: Any = None) -> object:
        if max_version is not None:
            raise TypeError("unsupported operand type(s) for +: 'int' and 'str'")
        return self._subject.foreign(False).capsule()


@bug("Patched", "not refused")
def a_type_error_of_the_producer_is_not_swallowed(s: Subject) -> None:
    message = refuse(TypeError, lambda: s.take(_Buggy(s)))
    expect("the exception", message, "unsupported operand type(s) for +: 'int' and 'str'")


@bug("Patched", "not refused")
def read_only_data_is_no_legacy_capsule(s: Subject) -> None:
    refuse(BufferError, s.make(readonly=1).__dlpack__)


@bug("Modern", "flags of the export: 0, not 1")
def read_only_data_stays_read_only(s: Subject) -> None:
    made = s.take(s.foreign(flags=READ_ONLY).capsule())
    capsule = made.__dlpack__(max_version=(1, 3))
    expect("flags of the export", inside(capsule).flags, READ_ONLY)


@bug("Patched", "has memory of its own: False, not True")
def a_copy_that_is_asked_for_is_made(s: Subject) -> None:
    made = s.make()
    capsule = made.__dlpack__(copy=True)
    expect("has memory of its own", inside(capsule).tensor.data != s.struct(made).data, True)


@bug("Patched", "not refused")
def a_stream_is_refused_where_there_are_none(s: Subject) -> None:
    made = s.make()
    for stream in (1, 2, 0x5000):
        refuse(ValueError, lambda stream=stream: made.__dlpack__(stream=stream))


@bug("Patched", "not refused")
def another_device_is_refused(s: Subject) -> None:
    refuse(BufferError, lambda: s.make().__dlpack__(dl_device=(2, 0)))


@bug("Modern", r"the device: \(3, 0\), not \(1, 0\)")
def memory_of_the_host_is_shown_to_the_cpu(s: Subject) -> None:
    made = s.make(device=3)
    for asked in ({}, {"copy": False}):
        capsule = made.__dlpack__(max_version=(1, 3), dl_device=(1, 0), **asked)
        tensor = inside(capsule).tensor
        expect("the device", (tensor.device_type, tensor.device_id), (1, 0))
        expect("the data", tensor.data, s.struct(made).data)
