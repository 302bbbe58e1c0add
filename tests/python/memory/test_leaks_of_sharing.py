# SPDX-License-Identifier: MIT
"""Repeats every operation of exchange tables, foreign buffers, closing, pickles and `to()`, and looks for leaks."""

from __future__ import annotations

import copy
import pickle
import weakref
from collections.abc import Callable, Iterator
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from python.exchange import Prototype, Table
from python.leaks import ROUNDS, Operation, assert_no_growth, refused, warm_up
from python.tensors import Managed, Probe

ATTRIBUTE = "__dlpack_c_exchange_api__"
UINT8 = (1, 8, 1)
GILLESS = "without the GIL"
SLACK_BLOCKS = ROUNDS // 4
"""Functions in Python that raise come and go with blocks of their own; a leak is one in each round."""


class World:
    """The objects that the operations use."""

    def __init__(self, lab: Any, stocked: Any, imaging: Any, producer: Any, scripted: Any) -> None:
        self.lab, self.stocked, self.imaging, self.producer, self.scripted = lab, stocked, imaging, producer, scripted
        self.address = lab.new(256)
        self.struct = Probe.from_address(self.address)
        self.made = lab.wrap("Counted", self.address)
        self.moved = lab.Moved.from_dlpack(bytearray(256))
        self.closed = lab.Moved.from_dlpack(bytearray(1))
        self.closed.close()
        self.padded = lab.Moved.from_dlpack(np.zeros((4, 6))[:, :3])
        self.records = np.zeros(3, "i1, i4")
        self.image = Table(imaging.Image)
        self.target: Any = type("Target", (), {ATTRIBUTE: scripted.table("", 1)})
        self.source: Any = type("Source", (), {ATTRIBUTE: scripted.table("", 1), "give": lambda x: x.answer()})
        self.script: Any = type("Script", (), {})()
        scripted.follow(self.script)

    def end(self) -> None:
        self.scripted.follow(None)
        vars(self).pop("made")
        self.lab.unref(self.address)

    def managed(self, **fields: Any) -> Managed:
        return Managed(self.producer, True, **fields)

    def delete(self, address: int, place: str = "here") -> None:
        self.producer.delete(address, True, place)

    def allocate(self, shape: Any, place: str, refused: bool = False) -> int:
        """Returns the address of a new tensor; 0 if its shape is `refused`."""
        wanted = Prototype(shape)
        _, address, *failure = self.scripted.allocate(self.image.capsule, wanted.address, place, True)
        assert bool(address) != refused, failure
        return int(address)

    def giving(self, answer: Callable[[], Any]) -> Any:
        source = self.source()
        source.answer = answer
        return source

    def refuse(self, made: Any) -> None:
        """Passes the table a tensor that it refuses, and deletes the tensor, which the caller still owns."""
        given = self.managed(ndim=-1)
        try:
            Table(made).make(given.address)
        finally:
            self.delete(given.address)

    def unwilling(self, use: Callable[[], Any]) -> None:
        self.lab.set_mood(1)
        try:
            use()
        finally:
            self.lab.set_mood(0)

    def sent(self, answer: Callable[[int], Any]) -> Any:
        self.script.make = answer
        return self.made.to(self.target)

    def swallow(self, address: int) -> str:
        self.delete(address)
        return "made"


def fail(*unused: Any) -> Any:
    raise ValueError("no")


def close_with_exports(made: Any) -> None:
    held = np.from_dlpack(made), made.__dlpack__()
    made.close()
    del held


def out_of_band(made: Any, buffers: list[Any]) -> Any:
    return pickle.loads(pickle.dumps(made, 5, buffer_callback=buffers.append), buffers=buffers)


WORKING: dict[str, Callable[[World], Any]] = {
    "table": lambda w: Table(w.lab.Moved),
    "export by the table": lambda w: w.delete(Table(w.lab.Counted).export(w.made)),
    "two of them": lambda w: [w.delete(t, GILLESS) for t in [Table(w.lab.Counted).export(w.made) for _ in range(2)]],
    "import by the table": lambda w: Table(w.lab.Moved).make(w.managed().address),
    "borrowed view": lambda w: Table(w.lab.Counted).view(w.made),
    "stream": lambda w: Table(w.lab.Counted).stream(2),
    "allocation": lambda w: w.delete(w.allocate((4, 5, 3), "here")),
    "allocation without the GIL": lambda w: w.delete(w.allocate((4, 5, 3), GILLESS), GILLESS),
    "allocation elsewhere": lambda w: w.delete(w.allocate((4, 5, 3), "on a foreign thread"), "on a foreign thread"),
    "allocation that is refused": lambda w: w.allocate((4, 5), GILLESS, refused=True),
    "allocation that the library refuses": lambda w: w.allocate((4, 5, 2), GILLESS, refused=True),
    "foreign table": lambda w: w.lab.Moved.from_dlpack(w.giving(lambda: w.managed().address)),
    "buffer": lambda w: w.lab.Moved.from_dlpack(bytearray(3)),
    "buffer that is copied": lambda w: w.stocked.Copying.from_dlpack(memoryview(bytes(48)).cast("d", (2, 3))),
    "buffer and params": lambda w: w.stocked.Labelled.from_dlpack(bytearray(3), rate=1),
    "buffer, exported": lambda w: np.from_dlpack(w.lab.Moved.from_dlpack(bytearray(3))),
    "close": lambda w: w.lab.Moved.from_dlpack(bytearray(3)).close(),
    "close with exports": lambda w: close_with_exports(w.lab.wrap("Counted", w.address)),
    "with": lambda w: w.lab.Moved.from_dlpack(bytearray(3)).__enter__().__exit__(None, None, None),
    "repr of what is closed": lambda w: repr(w.closed),
    "weak reference": lambda w: weakref.ref(w.lab.Moved.from_dlpack(bytearray(3)), lambda _: None),
    "weak dictionary": lambda w: weakref.WeakKeyDictionary({w.lab.Moved.from_dlpack(bytearray(3)): 1}),
    **{f"pickle, protocol {n}": lambda w, n=n: pickle.loads(pickle.dumps(w.moved, n)) for n in (2, 3, 4, 5)},
    "pickle, out of band": lambda w: out_of_band(w.moved, []),
    "pickle, gathered": lambda w: pickle.loads(pickle.dumps(w.padded)),
    "pickle, copied": lambda w: w.stocked.Aligned._rebuild(b"abc", UINT8, (3,), "C"),
    "copies": lambda w: (copy.copy(w.moved), copy.deepcopy(w.padded)),
    "to a table": lambda w: w.sent(w.swallow),
    "to our own": lambda w: w.made.to(w.lab.Moved),
    "to numpy": lambda w: (w.made.to(np), w.made.to(np.ndarray)),
}

FAILING: dict[str, tuple[type[Exception], Callable[[World], Any]]] = {
    "export of a stranger": (TypeError, lambda w: Table(w.lab.Moved).export(object())),
    "export of what is closed": (ValueError, lambda w: Table(w.lab.Moved).export(w.closed)),
    "view of a stranger": (TypeError, lambda w: Table(w.lab.Moved).view(object())),
    "import that is refused": (BufferError, lambda w: w.refuse(w.lab.Moved)),
    "import without import": (TypeError, lambda w: w.refuse(w.lab.Counted)),
    "foreign table that fails": (ValueError, lambda w: w.lab.Moved.from_dlpack(w.giving(fail))),
    "foreign table without an exception": (
        RuntimeError,
        lambda w: w.lab.Moved.from_dlpack(w.giving(lambda: NotImplemented)),
    ),
    "foreign table that gives nonsense": (
        BufferError,
        lambda w: w.lab.Moved.from_dlpack(w.giving(lambda: w.managed(ndim=-1).address)),
    ),
    "buffer without a dtype": (BufferError, lambda w: w.lab.Moved.from_dlpack(memoryview(np.zeros(3, "U2")))),
    "buffer with wrong strides": (
        BufferError,
        lambda w: w.lab.Moved.from_dlpack(memoryview(w.records["f1"])),
    ),
    "buffer that is refused": (BufferError, lambda w: w.stocked.Rows.from_dlpack(bytearray(3))),
    "buffer that the library refuses": (RuntimeError, lambda w: w.unwilling(lambda: w.lab.Moved.from_dlpack(b"abc"))),
    "use of what is closed": (ValueError, lambda w: w.closed.shape),
    "buffer of what is closed": (ValueError, lambda w: memoryview(w.closed)),
    "pickle of what is closed": (ValueError, lambda w: pickle.dumps(w.closed)),
    "pickle that is refused": (TypeError, lambda w: pickle.dumps(w.made)),
    "pickle of the wrong size": (ValueError, lambda w: w.lab.Moved._rebuild(b"abcd", UINT8, (3,), "C")),
    "pickle of nonsense": (TypeError, lambda w: w.lab.Moved._rebuild(b"abc", UINT8, ("x",), "C")),
    "pickle of no dtype": (BufferError, lambda w: w.lab.Moved._rebuild(b"abc", (99, 8, 1), (3,), "C")),
    "pickle that the library refuses": (
        RuntimeError,
        lambda w: w.unwilling(lambda: w.lab.Moved._rebuild(b"abc", UINT8, (3,), "C")),
    ),
    "to a table that fails": (ValueError, lambda w: w.sent(fail)),
    "to a table without an exception": (RuntimeError, lambda w: w.sent(lambda address: NotImplemented)),
    "to our own that refuses": (BufferError, lambda w: w.made.to(w.imaging.Image)),
    "to nothing": (TypeError, lambda w: w.made.to(int)),
}


@pytest.fixture
def world(lab, stocked, imaging, producer, scripted) -> Iterator[World]:
    made = World(lab, stocked, imaging, producer, scripted)
    yield made
    made.end()


def assert_nothing_is_left(lab: ModuleType, operation: Operation) -> None:
    warm_up(operation)
    living = lab.counts()[2]
    assert_no_growth(operation, SLACK_BLOCKS)
    assert lab.counts()[2] == living


@pytest.mark.parametrize("name", WORKING)
def test_a_successful_operation_leaves_nothing_behind(world: World, lab: ModuleType, name: str) -> None:
    assert_nothing_is_left(lab, lambda: WORKING[name](world))


@pytest.mark.parametrize("name", FAILING)
def test_a_failing_operation_leaves_nothing_behind(world: World, lab: ModuleType, name: str) -> None:
    error, call = FAILING[name]
    assert_nothing_is_left(lab, refused(error, lambda: call(world)))
