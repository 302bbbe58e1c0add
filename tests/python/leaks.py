# SPDX-License-Identifier: MIT
"""Finds operations that leave memory of Python or of C behind: each is repeated a thousand times."""

from __future__ import annotations

import ctypes
import gc
import sys
from collections.abc import Callable
from types import ModuleType
from typing import Any

from support.build import SANITIZED

ROUNDS = 1000
TIMES = 3
SLACK_BLOCKS = 20
SLACK_BYTES = 24 * ROUNDS
"""Less than one of the smallest allocations in each round."""

Operation = Callable[[], Any]


class _MallocInfo(ctypes.Structure):
    _names = "arena ordblks smblks hblks hblkhd usmblks fsmblks uordblks fordblks keepcost"
    _fields_ = [(name, ctypes.c_size_t) for name in _names.split()]


_mallinfo = None if SANITIZED else getattr(ctypes.CDLL(None), "mallinfo2", None)
"""Found once: each CDLL is a class of its own, some 20 blocks that the next collection frees."""
if _mallinfo is not None:
    _mallinfo.restype = _MallocInfo


def _malloc_bytes() -> int:
    """Returns the bytes that malloc() has allocated. Returns 0 where the number is unknown, and under the sanitizers,
    which find leaks themselves."""
    return 0 if _mallinfo is None else _mallinfo().uordblks


def counters(lib: ModuleType, *names: str) -> tuple[int, ...]:
    """Returns `int` variables of the C library, after unreachable objects are freed."""
    gc.collect()
    library = ctypes.PyDLL(lib.__file__)
    return tuple(ctypes.c_int.in_dll(library, name).value for name in names)


clear_caches = getattr(sys, "_clear_internal_caches", None) or sys._clear_type_cache  # the first: since Python 3.13


def allocated_blocks() -> int:
    """Returns how many blocks Python's allocator has given out, without the names that the cache of methods keeps.

    PyObject_GetAttrString() makes a new str for each look-up. The cache keeps tens of them, by chance.
    """
    clear_caches()
    return sys.getallocatedblocks()


def warm_up(operation: Operation) -> None:
    """Repeats the operation, so that everything that is made once exists. Then collects garbage until none is left,
    because a finalizer can release objects that only the next collection finds."""
    for _ in range(100):
        operation()
    while gc.collect():
        pass


def assert_no_growth(operation: Operation, slack_blocks: int = SLACK_BLOCKS) -> None:
    """Checks that the operation leaks nothing. A leak grows in each measurement; the memory that NumPy keeps for reuse
    (tens of blocks) stops growing."""
    for _ in range(TIMES):
        blocks, nbytes = _growth(operation)
        if abs(blocks) <= slack_blocks and nbytes < SLACK_BYTES:
            return
    raise AssertionError(
        f"{ROUNDS} rounds left {blocks} blocks of Python and {nbytes} bytes of malloc(), the last of {TIMES} times"
    )


def _growth(operation: Operation) -> tuple[int, int]:
    blocks, nbytes = allocated_blocks(), _malloc_bytes()
    for _ in range(ROUNDS):
        operation()
    gc.collect()
    return allocated_blocks() - blocks, _malloc_bytes() - nbytes


def refused(error: type[BaseException], call: Operation) -> Operation:
    """Returns an operation that makes the call and checks that it raises `error`."""

    def operation() -> None:
        try:
            call()
        except error:
            return
        raise AssertionError("did not fail")

    return operation
