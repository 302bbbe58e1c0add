# SPDX-License-Identifier: MIT
"""`hold` and `clone`: values that an object keeps, and copies of an object that the caller keeps."""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from python.framing import FAIL_CLONE, FAIL_HOLD


@pytest.mark.parametrize(("hook", "text"), [(FAIL_HOLD, "hold"), (FAIL_CLONE, "clone")])
def test_on_failure_the_caller_keeps_the_object(frame, frames: ModuleType, hook: int, text: str) -> None:
    made = frame(fails=hook)
    parent = [1]
    watched = [parent]
    for arguments in ((), (0, parent)):
        with pytest.raises(RuntimeError, match=f"^the frame fails to {text}$"):
            made.wrap("Plane", *arguments)
    assert made.references == 0
    del watched
    made.struct.fails = 0
    assert made.wrap("Plane").shape == (4, 6)


def test_a_part_that_cannot_hold_leaves_nothing_behind(frame) -> None:
    made = frame(fails=FAIL_HOLD)
    handle = made.wrap()
    factories: list[Callable[[Any], Any]] = [lambda x: x.plane(0, label="text"), lambda x: x.planes]
    for make in factories:
        with pytest.raises(RuntimeError, match="fails to hold"):
            make(handle)
    made.struct.fails = FAIL_CLONE
    assert handle.plane(0).shape == (4, 6), "a part is never cloned"
    del handle
    assert made.references == 0


def test_a_wrapped_state_is_copied_held_and_cloned(frame, frames: ModuleType) -> None:
    made = frame()
    planes = [made.wrap("Plane", number) for number in range(3)]
    assert made.references == 3
    assert made.struct.held == 3
    for number, plane in enumerate(planes):
        assert np.from_dlpack(plane).ctypes.data == made.struct.bytes + 24 * number
    assert made.struct.held == 3, "held values are computed once"
    del planes, plane
    assert made.references == 0
    assert frames.counts()[:2] == (3, 3)
