# SPDX-License-Identifier: MIT
"""Repeats every operation of wholes, parts and hooks a thousand times, and looks for leaks."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from python.framing import CUDA, FAIL_ACQUIRE, FAIL_CLONE, FAIL_HOLD, FAIL_SYNC, FAIL_TO_CPU, Framed
from python.leaks import Operation, assert_no_growth, refused, warm_up


class World:
    """The objects that the operations use."""

    def __init__(self, frames: ModuleType, frame: Callable[..., Framed]) -> None:
        self.gil = frames.Gil
        self.frame, self.remote, self.broken, self.frozen = frame(), frame(device=CUDA), frame(), frame(readonly=1)
        self.handle = self.frame.wrap()
        self.broken_handle = self.broken.wrap()
        self.array = np.zeros((2, 3), np.uint8)

    def failing(self, hook: int, use: Callable[[], Any]) -> None:
        self.broken.struct.fails = hook
        self.broken.struct.device = CUDA if hook in (FAIL_SYNC, FAIL_TO_CPU) else 1
        use()

    def count(self, count: int, use: Callable[[], Any]) -> None:
        self.broken.struct.fails = 0
        self.broken.struct.count = count
        use()


WORKING: dict[str, Callable[[World], Any]] = {
    "handle": lambda w: repr(w.frame.wrap()),
    "child": lambda w: w.handle.plane(1, step=1, label="label"),
    "large child": lambda w: w.handle.settings(text="text", i8=1, f=0.5, d=1, b=1, u64=int("9" * 19)),
    "child without a state": lambda w: w.handle.whole(),
    "parts": lambda w: w.handle.planes,
    "exports of parts": lambda w: [np.from_dlpack(plane) for plane in w.handle.planes],
    "wrapped state": lambda w: w.frame.wrap("Plane", 2),
    "borrowed state": lambda w: w.frame.wrap("Plane", 2, [w]),
    "value": lambda w: w.frame.wrap("Value").shape,
    "sync": lambda w: w.remote.wrap("Remote").__dlpack__(stream=1),
    "to_cpu": lambda w: w.remote.wrap("Remote").__dlpack__(dl_device=(1, 0)),
    "locked": lambda w: memoryview(w.frame.wrap("Locked")),
    "legacy copy": lambda w: w.frozen.wrap("Frozen").__dlpack__(),
    "copied buffer": lambda w: np.asarray(w.frame.wrap("Copied")),
    "gil": lambda w: w.frame.wrap("Gil", 0, [w]),
    "gil, imported": lambda w: w.gil.from_dlpack(w.array, rate=1, label="label"),
    "gil, allocated": lambda w: w.gil.empty((2, 3)),
}

FAILING: dict[str, tuple[type[Exception], Callable[[World], Any]]] = {
    "missing argument": (TypeError, lambda w: w.handle.plane()),
    "unexpected argument": (TypeError, lambda w: w.handle.settings(nonsense=1)),
    "wrong argument": (TypeError, lambda w: w.handle.settings(text=1)),
    "argument out of range": (OverflowError, lambda w: w.handle.settings(u64=2**64)),
    "text with null": (ValueError, lambda w: w.handle.settings(text="a\0")),
    "stranger": (TypeError, lambda w: w.handle.stranger()),
    "parts that are too many": (OverflowError, lambda w: w.count(129, lambda: w.broken_handle.few)),
    "parts without end": (BufferError, lambda w: w.count(2**63, lambda: w.broken_handle.planes)),
    "hold": (RuntimeError, lambda w: w.failing(FAIL_HOLD, lambda: w.broken.wrap("Plane", 0, [w]))),
    "hold of a part": (RuntimeError, lambda w: w.failing(FAIL_HOLD, lambda: w.broken_handle.plane(0, label="x"))),
    "clone": (RuntimeError, lambda w: w.failing(FAIL_CLONE, lambda: w.broken.wrap("Plane", 0, [w]))),
    "acquire": (RuntimeError, lambda w: w.failing(FAIL_ACQUIRE, lambda: memoryview(w.broken.wrap("Locked")))),
    "sync": (RuntimeError, lambda w: w.failing(FAIL_SYNC, lambda: w.broken.wrap("Remote").__dlpack__())),
    "to_cpu": (
        RuntimeError,
        lambda w: w.failing(FAIL_TO_CPU, lambda: w.broken.wrap("Remote").__dlpack__(dl_device=(1, 0))),
    ),
    "no copy": (BufferError, lambda w: w.frame.wrap("Copied").__dlpack__(copy=False)),
    "no legacy copy": (BufferError, lambda w: w.frozen.wrap("Frozen").__dlpack__(copy=False)),
    "writable buffer of a copy": (TypeError, lambda w: memoryview(w.frame.wrap("Copied")).__setitem__((0, 0), 1)),
    "import with wrong params": (TypeError, lambda w: w.gil.from_dlpack(w.array)),
    "import of a wrong array": (BufferError, lambda w: w.gil.from_dlpack(w.array[0], rate=1)),
    "allocation of a wrong shape": (ValueError, lambda w: w.gil.empty((1, 2, 3))),
}


@pytest.fixture
def world(frames: ModuleType, frame: Callable[..., Framed]) -> Iterator[World]:
    made = World(frames, frame)
    yield made
    vars(made).clear()


def assert_nothing_is_left(frames: ModuleType, operation: Operation) -> None:
    warm_up(operation)
    living = frames.counts()[3]
    frames.log()
    assert_no_growth(operation)
    retained, released, without_gil, living_after = frames.counts()
    assert (living_after, without_gil) == (living, 0)
    assert released >= retained, "retained without a release"


@pytest.mark.parametrize("name", WORKING)
def test_a_successful_operation_leaves_nothing_behind(world: World, frames: ModuleType, name: str) -> None:
    assert_nothing_is_left(frames, lambda: WORKING[name](world))


@pytest.mark.parametrize("name", FAILING)
def test_a_failing_operation_leaves_nothing_behind(world: World, frames: ModuleType, name: str) -> None:
    error, call = FAILING[name]
    assert_nothing_is_left(frames, refused(error, lambda: call(world)))
