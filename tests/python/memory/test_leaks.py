# SPDX-License-Identifier: MIT
"""Repeats every operation a thousand times, and looks for leaks of memory and of counted references."""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from python.leaks import ROUNDS, Operation, assert_no_growth, refused, warm_up
from python.tensors import C_CONTIGUOUS, Buffer, Managed, Probe


class World:
    """The objects that the operations use."""

    def __init__(self, lab: ModuleType, producer: ModuleType, imaging: ModuleType) -> None:
        self.lab, self.producer, self.imaging = lab, producer, imaging
        self.address = lab.new(256)
        self.struct = Probe.from_address(self.address)
        self.made = lab.wrap("Counted", self.address)
        self.refused_address = lab.new(64)
        self.refused = lab.wrap("Counted", self.refused_address)
        Probe.from_address(self.refused_address).refused = 1
        self.array = np.zeros((4, 6))
        self.padded = lab.Moved.from_dlpack(self.array[:, :3])
        self.read_only = np.zeros(3, np.uint8)
        self.read_only.flags.writeable = False

    def end(self) -> None:
        del self.made, self.refused, self.padded
        self.lab.unref(self.address)
        self.lab.unref(self.refused_address)

    def managed(self, versioned: bool = True, **fields: Any) -> object:
        return Managed(self.producer, versioned, **fields).capsule()

    def high_rank(self, use: Callable[[Any], Any]) -> None:
        self.struct.set_axes((1,) * 20)
        use(self.made)
        self.struct.set_axes((256,))

    def unwilling(self, mood: int) -> None:
        self.lab.set_mood(mood)
        try:
            self.lab.Moved.from_dlpack(self.managed(axes=((2,), (1,))))
        finally:
            self.lab.set_mood(0)

    def elsewhere(self, place: str) -> None:
        parent = [self]
        made = self.lab.wrap("Borrowed", self.address, parent)
        tensor = self.producer.consume(made.__dlpack__())
        del made, parent
        self.producer.delete(*tensor, place)


class OldProducer:
    def __init__(self, answer: Callable[[], Any]) -> None:
        self.answer = answer

    def __dlpack__(self) -> Any:
        return self.answer()


def ask_for_more() -> Any:
    raise TypeError("__dlpack__() missing 1 required positional argument: 'stream'")


def fail() -> Any:
    raise ValueError("no")


WORKING: dict[str, Callable[[World], Any]] = {
    "legacy capsule": lambda w: w.made.__dlpack__(),
    "versioned capsule": lambda w: w.made.__dlpack__(max_version=(1, 3)),
    "two capsules": lambda w: (w.made.__dlpack__(), w.made.__dlpack__(max_version=(1, 3))),
    "copy": lambda w: w.made.__dlpack__(copy=True),
    "versioned copy": lambda w: w.made.__dlpack__(copy=True, max_version=(1, 3), dl_device=(1, 0), stream=-1),
    "high rank": lambda w: w.high_rank(lambda x: (x.__dlpack__(), x.__dlpack__(max_version=(1, 0)), memoryview(x))),
    "numpy.from_dlpack": lambda w: np.from_dlpack(w.made),
    "numpy.asarray": lambda w: np.asarray(w.made),
    "array method": lambda w: (w.made.__array__(), w.made.__array__(copy=True)),
    "memoryviews": lambda w: [memoryview(w.made) for _ in range(3)],
    "attributes": lambda w: [getattr(w.made, n) for n in ("shape", "strides", "dtype", "device", "readonly", "nbytes")],
    "repr": lambda w: (repr(w.made), repr(w.refused)),
    "device": lambda w: w.made.__dlpack_device__(),
    "wrap, moved": lambda w: w.lab.wrap("Moved", w.lab.new(64)),
    "wrap, counted": lambda w: w.lab.wrap("Counted", w.address),
    "wrap, borrowed": lambda w: w.lab.wrap("Borrowed", w.address, [w]),
    "parent on a foreign thread": lambda w: w.elsewhere("on a foreign thread"),
    "parent without the GIL": lambda w: w.elsewhere("without the GIL"),
    "import of an array": lambda w: w.lab.Moved.from_dlpack(w.array[::2, ::-1]),
    "import of an own object": lambda w: w.lab.Moved.from_dlpack(w.made),
    "import of a capsule": lambda w: w.lab.Moved.from_dlpack(w.managed()),
    "import of a legacy capsule": lambda w: w.lab.Moved.from_dlpack(w.managed(False)),
    "import by the old call": lambda w: w.lab.Moved.from_dlpack(OldProducer(w.managed)),
    "import and export": lambda w: np.from_dlpack(w.lab.Moved.from_dlpack(w.array)),
    "empty": lambda w: w.imaging.Image.empty((4, 5, 3), dtype="uint8"),
    "unwrap": lambda w: w.lab.unwrap("Counted", w.made),
}

FAILING: dict[str, tuple[type[Exception], Callable[[World], Any]]] = {
    "refused capsule": (BufferError, lambda w: w.refused.__dlpack__()),
    "refused versioned capsule": (BufferError, lambda w: w.refused.__dlpack__(max_version=(1, 0))),
    "refused copy": (BufferError, lambda w: w.refused.__dlpack__(copy=True)),
    "refused memoryview": (BufferError, lambda w: memoryview(w.refused)),
    "refused asarray": (BufferError, lambda w: np.asarray(w.refused)),
    "refused attribute": (BufferError, lambda w: w.refused.shape),
    "unknown keyword": (TypeError, lambda w: w.made.__dlpack__(nonsense=1)),
    "wrong keyword": (TypeError, lambda w: w.made.__dlpack__(max_version=[1, 0])),
    "wrong device": (BufferError, lambda w: w.made.__dlpack__(dl_device=(2, 0))),
    "wrong stream": (ValueError, lambda w: w.made.__dlpack__(stream=5)),
    "wrong buffer": (BufferError, lambda w: Buffer(w.padded, C_CONTIGUOUS)),
    "wrap of NULL": (ValueError, lambda w: w.lab.wrap("Borrowed", 0, [w])),
    "unwrap of another class": (TypeError, lambda w: w.lab.unwrap("Moved", w.made)),
    "import of nothing": (TypeError, lambda w: w.lab.Moved.from_dlpack(object())),
    "import of no capsule": (TypeError, lambda w: w.lab.Moved.from_dlpack(OldProducer(list))),
    "import of a used capsule": (ValueError, lambda w: [w.lab.Moved.from_dlpack(c) for c in [w.managed()] * 2]),
    "import that the producer refuses": (ValueError, lambda w: w.lab.Moved.from_dlpack(OldProducer(fail))),
    "import that lacks arguments": (TypeError, lambda w: w.lab.Moved.from_dlpack(OldProducer(ask_for_more))),
    "import of a bad tensor": (BufferError, lambda w: w.lab.Moved.from_dlpack(w.managed(ndim=-1))),
    "import of a bad legacy tensor": (BufferError, lambda w: w.lab.Moved.from_dlpack(w.managed(False, ndim=65))),
    "import of another major": (BufferError, lambda w: w.lab.Moved.from_dlpack(w.managed(major=2))),
    "import of a wrong dtype": (BufferError, lambda w: w.imaging.Image.from_dlpack(w.array)),
    "import of read-only data": (BufferError, lambda w: w.imaging.Image.from_dlpack(w.read_only[None, None])),
    "import that the library refuses": (RuntimeError, lambda w: w.unwilling(1)),
    "import that comes out wrong": (BufferError, lambda w: w.unwilling(2)),
    "empty of a wrong shape": (ValueError, lambda w: w.imaging.Image.empty((1, 2))),
    "empty of a wrong type": (TypeError, lambda w: w.imaging.Image.empty((1, 2, "x"))),
    "empty that the library refuses": (RuntimeError, lambda w: w.imaging.Image.empty((4, 5, 2))),
}


@pytest.fixture
def world(lab, producer, imaging) -> Any:
    made = World(lab, producer, imaging)
    yield made
    made.end()


def assert_nothing_is_left(world: World, operation: Operation) -> None:
    warm_up(operation)
    retained, released, living = world.lab.counts()
    assert_no_growth(operation)
    counts = world.lab.counts()
    assert counts[2] == living
    assert counts[1] - released >= counts[0] - retained, "retained without a release"


@pytest.mark.parametrize("name", WORKING)
def test_a_successful_operation_leaves_nothing_behind(world: World, name: str) -> None:
    assert_nothing_is_left(world, lambda: WORKING[name](world))


@pytest.mark.parametrize("name", FAILING)
def test_a_failing_operation_leaves_nothing_behind(world: World, name: str) -> None:
    error, call = FAILING[name]
    assert_nothing_is_left(world, refused(error, lambda: call(world)))


def test_each_deleter_is_called_once_for_each_tensor(world: World) -> None:
    made = 0
    for versioned in (False, True):
        for fields in ({}, {"ndim": -1}, {"data": None}, {"dtype": (9, 9, 9)}):
            for _ in range(ROUNDS // 10):
                made += 1
                try:
                    world.lab.Moved.from_dlpack(world.managed(versioned, **fields))
                except BufferError:
                    assert fields
    assert world.producer.record() == (made, 0, 0)
