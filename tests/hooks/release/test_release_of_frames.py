# SPDX-License-Identifier: MIT
"""`release_on: gil` releases the object with the GIL, wherever its last export ends, or never."""

from __future__ import annotations

import gc
import sys
import threading
import weakref
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from python.scripts import run

PLACES = ["here", "without the GIL", "on a foreign thread", "with an exception pending"]

PRELUDE = """
import frames, os, producer, sys
import numpy as np
from python.scripts import Another

def say(text, write=os.write):
    write(1, text.encode() + b"\\n")

def export(made, versioned=True):
    return producer.consume(made.__dlpack__(max_version=(int(versioned), 0)))

class Parent:
    def __init__(self):
        self.say = say
    def __del__(self):
        self.say("parent ended")
"""

FACTORIES = {
    "wrapped": "frames.wrap('Gil', address)",
    "a part": "frames.wrap('Gil', address).plane(0)",
    "allocated": "frames.Gil.empty((2, 3))",
    "imported": "frames.Gil.from_dlpack(np.zeros((2, 3), np.uint8), rate=1)",
}


class Parent:
    pass


def make(frames: ModuleType, how: str) -> Any:
    address = frames.new(1, 2, 3)
    try:
        return eval(FACTORIES[how], {"frames": frames, "np": np, "address": address})
    finally:
        frames.unref(address)


@pytest.fixture(autouse=True)
def nothing_left(frames: ModuleType) -> Any:
    frames.counts()
    yield
    gc.collect()
    assert frames.counts()[2:] == (0, 0)


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("how", FACTORIES)
def test_the_object_is_released_with_the_gil_held(frames, producer, how: str, place: str) -> None:
    made = make(frames, how)
    tensors = [producer.consume(made.__dlpack__(max_version=(v, 0))) for v in (1, 0)]
    del made
    for tensor in tensors:
        assert frames.counts()[3] == 1
        producer.delete(*tensor, place)
    assert frames.counts()[2:] == (0, 0)


@pytest.mark.parametrize("how", FACTORIES)
def test_without_exports_the_object_is_freed_with_the_python_object(frames, how: str) -> None:
    make(frames, how)
    assert frames.counts()[2:] == (0, 0)
    with pytest.raises(ZeroDivisionError):
        print([make(frames, how), 1 // 0])
    assert frames.counts()[2:] == (0, 0)


@pytest.mark.parametrize("place", PLACES)
def test_an_exception_of_release_is_reported(frames, producer, monkeypatch: pytest.MonkeyPatch, place: str) -> None:
    heard: list[str] = []
    monkeypatch.setattr(sys, "unraisablehook", lambda told: heard.append(str(told.exc_value)))
    tensor = producer.consume(make(frames, "wrapped").__dlpack__())
    frames.leave(True)
    try:
        producer.delete(*tensor, place)
    finally:
        frames.leave(False)
    assert heard == ["left by a release"]


@pytest.mark.parametrize("place", PLACES)
def test_the_object_is_released_before_its_parent(frame, frames, producer, place: str) -> None:
    made, parent = frame(), Parent()
    order: list[int] = []
    finalizer = weakref.finalize(parent, lambda: order.append(made.references))
    tensor = producer.consume(made.wrap("Gil", 0, parent).__dlpack__())
    del parent
    assert finalizer.alive
    producer.delete(*tensor, place)
    assert order == [0]


@pytest.mark.parametrize("place", PLACES)
def test_the_object_is_released_before_the_memory_that_it_shows(frames, producer, place: str) -> None:
    array = np.zeros((2, 3), np.uint8)
    living: list[int] = []
    finalizer = weakref.finalize(array, lambda: living.append(frames.counts()[3]))
    tensor = producer.consume(frames.Gil.from_dlpack(array, rate=0).__dlpack__())
    del array
    assert finalizer.alive
    producer.delete(*tensor, place)
    assert living == [0]


def test_many_threads_delete_last_exports(frames, producer) -> None:
    for how in FACTORIES:
        made = make(frames, how)
        tensors = [producer.consume(made.__dlpack__()) for _ in range(8)]
        del made
        threads = [threading.Thread(target=producer.delete, args=(*t, "on a foreign thread")) for t in tensors]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert frames.counts()[2:] == (0, 0)


def test_an_import_that_fails_releases_everything(frames, producer, managed) -> None:
    for fields in ({"dtype": (2, 32, 1)}, {"axes": ((2,), (1,)), "dtype": (1, 8, 1)}, {"data": None}):
        with pytest.raises(BufferError):
            frames.Gil.from_dlpack(managed(**fields).capsule(), rate=1)
        assert producer.record() == (1, 0, 0)
    with pytest.raises(ValueError, match="axes"):
        frames.Gil.empty((1, 2, 3))


@pytest.fixture
def modules(frames, producer_module) -> None:
    """Builds what the scripts import."""


@pytest.mark.usefixtures("modules")
class TestInterpreters:
    @pytest.mark.parametrize("how", FACTORIES)
    def test_after_the_interpreter_the_object_is_leaked_with_its_memory(self, folder: Path, how: str) -> None:
        script = f"""
address = frames.new(1, 2, 3)
made = {FACTORIES[how]}
producer.delete(*export(made), "after the interpreter")
del made
say(str(frames.counts()[3]))
"""
        assert run(folder, script, prelude=PRELUDE, leaks=True) == ["2" if "address" not in FACTORIES[how] else "1"]

    def test_an_imported_tensor_is_leaked_with_the_object_that_shows_it(self, folder: Path) -> None:
        script = """
array = np.zeros((2, 3), np.uint8)
import weakref
weakref.finalize(array, say, "gone").atexit = False
producer.delete(*export(frames.Gil.from_dlpack(array, rate=1)), "after the interpreter")
del array
"""
        assert run(folder, script, prelude=PRELUDE, leaks=True) == []

    @pytest.mark.subinterpreters
    @pytest.mark.parametrize("place", PLACES)
    def test_an_export_can_be_deleted_in_another_interpreter(self, folder: Path, place: str) -> None:
        script = f"""
address = frames.new(1, 2, 3)
made = frames.wrap("Gil", address, 0, Parent())
frames.unref(address)
tensor = export(made)
del made
another = Another()
another.run(f"import producer; producer.delete(*{{tensor}}, {place!r})")
say(str(frames.counts()[2:]))
another.end()
"""
        assert run(folder, script, prelude=PRELUDE, leaks=True) == ["parent ended", "(0, 0)"]

    @pytest.mark.subinterpreters
    @pytest.mark.parametrize(
        ("made", "released"),
        [
            ("frames.wrap('Gil', address)", 0),
            ("frames.wrap('Gil', address).plane(0)", 0),
            ("frames.wrap('Frame', address).released()", 1),
            ("frames.wrap('Whole', address, 0, [])", 1),
        ],
    )
    @pytest.mark.parametrize("place", PLACES)
    def test_only_objects_that_need_an_ended_interpreter_are_leaked(self, folder, place, made, released) -> None:
        script = f"""
reader, writer = os.pipe()
another = Another()
another.run(f'''
import frames, os, producer
address = frames.new(1, 2, 3)
tensor = producer.consume({made}.__dlpack__())
os.write({{writer}}, repr(tensor).encode())
''')
another.end()
producer.delete(*eval(os.read(reader, 99)), {place!r})
say(str(frames.counts()[1]))
"""
        assert run(folder, script, prelude=PRELUDE, leaks=True) == [str(released)]

    def test_objects_left_at_exit_cause_no_error(self, folder: Path) -> None:
        script = """
address = frames.new(3, 2, 3)
sys.held = [frames.wrap("Gil", address), frames.wrap("Frame", address).planes]
sys.held.append(sys.held)
frames.held = [frames.Gil.empty((2, 3)), frames.wrap("Frame", address)]
"""
        assert run(folder, script, prelude=PRELUDE, leaks=True) == []

    @pytest.mark.subinterpreters
    def test_parts_have_the_classes_of_the_interpreter_that_makes_them(self, folder: Path, frames: ModuleType) -> None:
        """Each interpreter has its own classes."""
        script = """
another = Another()
another.run('''
import frames
address = frames.new(3, 4, 6)
handle = frames.wrap("Frame", address)
assert [type(plane) for plane in handle.planes] == [frames.Plane] * 3
assert type(handle.plane(0)) is frames.Plane
''')
another.end()
import frames
handle = frames.wrap("Frame", frames.new(3, 4, 6))
assert [type(plane) for plane in handle.planes] == [frames.Plane] * 3
"""
        assert run(folder, script, prelude=PRELUDE, leaks=True) == []
