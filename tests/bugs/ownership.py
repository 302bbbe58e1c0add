# SPDX-License-Identifier: MIT
"""Tensors are deleted by the right side, and only once."""

from __future__ import annotations

import ctypes

from bugs.bug import CRASH, bug, expect, refuse
from bugs.subject import DELETED_ONCE, NO_DTYPE, NOT_DELETED, Producer, Subject

FLOAT128 = (2, 128, 1)
"""A dtype that no probe has."""


@bug("Early", r"deleted with the object: \(0, 0, 0\)")
def an_import_ends_with_its_deleter(s: Subject) -> None:
    made = s.take(s.foreign(False).capsule())
    expect("deleted while in use", s.deleted(), NOT_DELETED)
    del made
    expect("deleted with the object", s.deleted(), DELETED_ONCE)


@bug("Patched", r"deleted: \(0, 0, 0\)")
def an_empty_import_ends_with_its_deleter(s: Subject) -> None:
    s.take(s.foreign(axes=((0, 3), (3, 1))).capsule())
    expect("deleted", s.deleted(), DELETED_ONCE)


@bug("Patched", "calls of the deleter: 2, not 1")
def a_refused_import_deletes_once(s: Subject) -> None:
    calls: list[int] = []
    deleter = ctypes.PYFUNCTYPE(None, ctypes.c_void_p)(calls.append)
    tensor = s.foreign(dtype=FLOAT128, deleter=ctypes.cast(deleter, ctypes.c_void_p).value)
    refuse(BufferError, lambda: s.take(Producer(tensor.capsule())))
    expect("calls of the deleter", len(calls), 1)
    s.producer.free(tensor.address)


@bug("Modern", r"deleted: \(1, 1, 0\)")
def a_refused_import_deletes_with_no_exception_pending(s: Subject) -> None:
    refuse(BufferError, lambda: s.take(s.foreign(dtype=FLOAT128).capsule()))
    expect("deleted", s.deleted(), DELETED_ONCE)


@bug("Patched", CRASH)
def a_tensor_without_deleter_is_taken(s: Subject) -> None:
    tensor = s.foreign(deleter=None)
    s.take(tensor.capsule())
    expect("deleted", s.deleted(), NOT_DELETED)
    s.producer.free(tensor.address)


@bug("Early", "not refused")
def a_capsule_is_consumed_once(s: Subject) -> None:
    capsule = s.foreign(False).capsule()
    made = s.take(capsule)
    refuse(ValueError, lambda: s.take(Producer(capsule)))
    del made
    expect("deleted", s.deleted(), DELETED_ONCE)


@bug("Patched", r"objects behind a consumed export: 0, not 1")
def a_consumed_capsule_frees_nothing(s: Subject) -> None:
    made = s.make()
    capsule = made.__dlpack__()
    tensor = s.producer.consume(capsule)
    del made, capsule
    expect("objects behind a consumed export", s.living, 1)
    s.delete(tensor)
    expect("objects afterwards", s.living, 0)


@bug("Early", "objects behind a dropped export: 1, not 0")
def an_unconsumed_capsule_leaks_nothing(s: Subject) -> None:
    s.make().__dlpack__()
    expect("objects behind a dropped export", s.living, 0)


@bug("Modern", "objects after a failed export: 1, not 0")
def a_failed_export_leaks_nothing(s: Subject) -> None:
    refuse(BufferError, lambda: s.make(dtype=NO_DTYPE).__dlpack__(max_version=(1, 3)))
    expect("objects after a failed export", s.living, 0)


def _fail(message: str) -> None:
    raise KeyError(message)


@bug("Modern", rf"SystemError|{CRASH}")
def a_capsule_that_ends_keeps_the_pending_error(s: Subject) -> None:
    made = s.make()

    def consumed() -> object:
        capsule = made.__dlpack__(max_version=(1, 3))
        s.delete(s.producer.consume(capsule))
        return capsule

    for capsule in (consumed, lambda: made.__dlpack__(max_version=(1, 3))):
        # The tuple is never made: its first item ends while the exception is on its way.
        message = refuse(KeyError, lambda capsule=capsule: (capsule(), _fail("pending")))
        expect("the exception", message, "'pending'")
