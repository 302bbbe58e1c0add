# SPDX-License-Identifier: MIT
"""Locks: `acquire` takes the lock for the first export, `restore` releases it after the last one."""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from python.framing import CUDA_HOST, FAIL_ACQUIRE
from python.tensors import inside


def test_all_exports_share_one_lock(frame, frames: ModuleType) -> None:
    made = frame().wrap("Locked")
    first = made.__dlpack__()
    assert frames.log() == "acquire\n"
    second, third = made.__dlpack__(max_version=(1, 0)), memoryview(made)
    del first, second
    assert frames.log() == ""
    del third
    assert frames.log() == "after_write\nrestore\n"


def test_attributes_take_and_release_the_lock(frame, frames: ModuleType) -> None:
    made = frame().wrap("Locked")
    assert (made.shape, made.dtype, made.nbytes) == ((4, 6), "uint8", 24)
    assert repr(made) == "<frames.Locked uint8[4, 6] on cpu>"
    assert frames.log() == "acquire\nrestore\n" * 4
    array = np.asarray(made)
    assert array.shape == made.shape
    del array
    log = frames.log()
    assert log.count("acquire") == log.count("restore") > 0


def test_a_lock_that_cannot_be_taken_is_an_error(frame) -> None:
    made = frame(fails=FAIL_ACQUIRE)
    locked = made.wrap("Locked")
    uses: list[Callable[[Any], Any]] = [lambda x: x.__dlpack__(), memoryview, lambda x: x.__dlpack__(copy=True)]
    for use in uses:
        with pytest.raises(RuntimeError, match=r"^the frame fails to lock$"):
            use(locked)
    made.struct.fails = 0
    assert locked.__dlpack__()
    del locked
    assert made.references == 0


def test_a_locked_frame_is_released_after_its_view_for_the_cpu(frame, frames: ModuleType) -> None:
    made = frame(device=CUDA_HOST)
    locked = made.wrap("Locked")
    capsule = locked.__dlpack__(dl_device=(1, 0), copy=False)
    assert inside(capsule).tensor.device_type == 1
    assert "release" not in (log := frames.log()), log
    del capsule, locked
    assert made.references == 0
