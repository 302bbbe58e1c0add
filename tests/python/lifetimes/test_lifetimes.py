# SPDX-License-Identifier: MIT
"""Objects are retained, released and kept alive at the right time, on every thread of one process."""

from __future__ import annotations

import gc
import itertools
import threading
import weakref
from collections.abc import Callable
from types import ModuleType
from typing import Any, ClassVar

import numpy as np
import pytest

from python.tensors import Probe

PLACES = ["here", "without the GIL", "on a foreign thread", "with an exception pending"]
KINDS = ["Moved", "Counted", "Borrowed"]


class Parent:
    """Stands for the Python object whose memory a struct borrows; it counts its ends."""

    ended: ClassVar[list[str]] = []

    def __del__(self) -> None:
        self.ended.append(threading.current_thread().name)


@pytest.fixture
def ended() -> list[str]:
    Parent.ended.clear()
    return Parent.ended


def export(made: Any, producer: ModuleType, versioned: bool = True) -> tuple[int, bool]:
    """Exports a managed tensor, which the caller owns. Returns its address and whether it is versioned."""
    return producer.consume(made.__dlpack__(max_version=(int(versioned), 0)))


VIEWS: list[Callable[[Any], Any]] = [
    lambda x: x,
    lambda x: x.__dlpack__(),
    lambda x: np.from_dlpack(x)[1:],
    memoryview,
    lambda x: np.asarray(x)[1:],
]


def test_a_moved_object_is_released_once(subject, lab: ModuleType) -> None:
    retained, released, _ = lab.counts()
    for order in itertools.permutations(range(len(VIEWS))):
        made = subject()
        holders = [view(made.object) for view in VIEWS]
        made.object = None
        for index in order:
            assert lab.counts()[:2] == (retained, released)
            holders[index] = None
        released += 1
    assert lab.counts()[:2] == (retained, released)


def test_a_reference_is_taken_when_the_object_is_wrapped_and_released_once(lab: ModuleType) -> None:
    """Exports take none: the counts of libraries are often not atomic, and exports end on any thread."""
    address = lab.new(64)
    struct = Probe.from_address(address)
    retained, released, living = lab.counts()
    for rounds, order in enumerate(itertools.permutations(range(len(VIEWS))), 1):
        made = lab.wrap("Counted", address)
        assert lab.counts() == (retained + rounds, released + rounds - 1, living)
        holders = [view(made) for view in VIEWS]
        del made
        for index in order:
            assert (lab.counts()[1], struct.references) == (released + rounds - 1, 2)
            holders[index] = None
        assert (lab.counts()[1], struct.references) == (released + rounds, 1)
    lab.unref(address)
    assert lab.counts()[2] == living - 1


def test_an_object_without_release_is_not_released(lab: ModuleType) -> None:
    address, counts = lab.new(64), lab.counts()
    array = np.from_dlpack(lab.wrap("Borrowed", address))
    assert array.shape == (64,)
    del array
    assert lab.counts() == counts
    lab.unref(address)


def test_null_is_not_wrapped(lab: ModuleType, ended: list[str]) -> None:
    counts = lab.counts()
    for kind in KINDS:
        with pytest.raises(ValueError, match=rf"probe\.{kind}: the object is NULL"):
            lab.wrap(kind, 0, Parent())
    assert lab.counts() == counts
    assert len(ended) == 3


def test_a_parent_lives_as_long_as_the_exports_of_its_child(lab: ModuleType, ended: list[str]) -> None:
    address = lab.new(64)
    for order in itertools.permutations(range(len(VIEWS))):
        parent = Parent()
        made = lab.wrap("Borrowed", address, parent)
        holders = [view(made) for view in VIEWS]
        del made, parent
        for index in order:
            assert not ended
            holders[index] = None
        assert len(ended) == 1
        ended.clear()
    lab.unref(address)


def test_a_parent_can_be_one_of_our_objects(subject, lab: ModuleType) -> None:
    whole = subject()
    part = lab.wrap("Borrowed", lab.unwrap("Moved", whole.object), whole.object)
    array, released = np.from_dlpack(part), lab.counts()[1]
    del whole.object, part
    assert lab.counts()[1] == released
    del array
    assert lab.counts()[1] == released + 1


@pytest.mark.parametrize("versioned", [False, True])
@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("kind", KINDS)
def test_the_last_export_can_be_deleted_anywhere(lab, producer, ended, kind: str, place: str, versioned: bool) -> None:
    address = lab.new(64)
    parent = Parent()
    watched = weakref.ref(parent)
    made = lab.wrap(kind, address, parent)
    tensors = [export(made, producer, versioned) for _ in range(3)]  # in the owner's own place, and beside it
    released = lab.counts()[1]
    del made, parent
    for tensor in tensors:
        assert lab.counts()[1] == released
        assert (watched() is None) == (kind != "Borrowed")
        producer.delete(*tensor, place)
    assert watched() is None
    assert len(ended) == 1
    assert lab.counts()[1] == released + (kind != "Borrowed")
    if kind != "Moved":
        lab.unref(address)


@pytest.mark.parametrize("place", PLACES)
def test_a_finalizer_of_a_parent_can_run_code_raise_and_use_the_runtime(lab, producer, place: str) -> None:
    done = []

    class Loud:
        def __del__(self) -> None:
            inner = lab.wrap("Moved", lab.new(64))
            done.append(np.from_dlpack(inner).shape)
            raise_quietly()

    def raise_quietly() -> None:
        try:
            raise RuntimeError("caught")
        except RuntimeError:
            done.append("caught")

    address = lab.new(64)
    tensor = export(lab.wrap("Borrowed", address, Loud()), producer)
    counts = lab.counts()
    producer.delete(*tensor, place)
    assert done == [(64,), "caught"]
    assert lab.counts() == (counts[0], counts[1] + 1, counts[2])
    lab.unref(address)


def test_a_destructor_of_a_parent_runs_without_a_pending_exception(lab, managed, producer) -> None:
    """Finalizers in Python save what is pending; destructors of capsules do not."""
    address = lab.new(64)
    tensor = export(lab.wrap("Borrowed", address, managed().capsule()), producer)
    producer.delete(*tensor, "with an exception pending")
    assert producer.record() == (1, 0, 0)
    lab.unref(address)


@pytest.mark.parametrize(("place", "gil"), [("here", 0), ("without the GIL", 1), ("on a foreign thread", 1)])
def test_the_deleter_of_an_imported_tensor_runs_where_the_last_export_ends(lab, managed, producer, place, gil) -> None:
    tensor = export(lab.Moved.from_dlpack(managed().capsule()), producer)
    assert producer.record() == (0, 0, 0)
    producer.delete(*tensor, place)
    assert producer.record() == (1, 0, gil)


def test_no_deleter_runs_while_an_exception_is_pending(lab, managed, producer) -> None:
    """A frame that is left by an exception frees its objects while the exception is pending or handled."""

    def fail(what: str) -> None:
        made = lab.Moved.from_dlpack(managed().capsule())
        keep = {"object": made, "array": np.from_dlpack(made), "buffer": memoryview(made), "capsule": made.__dlpack__()}
        holder = keep[what]
        keep.clear()
        del made
        raise LookupError(type(holder).__name__)

    for what in ("object", "array", "buffer", "capsule"):
        with pytest.raises(LookupError):
            fail(what)
        gc.collect()
        assert producer.record() == (1, 0, 0), what


def test_an_unconsumed_capsule_keeps_the_pending_exception(subject, lab, producer) -> None:
    """As in numpy#32697: the interpreter closes a generator, or a failing call clears a container."""
    made = subject()
    released = lab.counts()[1]
    with pytest.raises(TypeError, match="unhashable"):
        {made.object.__dlpack__(): 1, made.object.__dlpack__(): []}[{}]
    made.object = None
    assert lab.counts()[1] == released + 1


@pytest.mark.parametrize("kind", KINDS)
def test_threads_delete_exports_while_others_make_them(lab: ModuleType, producer, ended, kind: str) -> None:
    address, parent = lab.new(64), Parent()
    made = lab.wrap(kind, address, parent)
    del parent
    released = lab.counts()[1]
    errors: list[BaseException] = []

    def work(shared: Any, place: str) -> None:
        try:
            for number in range(150):
                tensor = export(shared, producer, versioned=bool(number % 2))
                assert np.from_dlpack(shared).shape == shared.shape == (64,)
                producer.delete(*tensor, place)
        except BaseException as error:
            errors.append(error)

    threads = [threading.Thread(target=work, args=(made, place)) for place in PLACES for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not errors
    assert lab.counts()[1] == released
    del made, threads, thread
    assert lab.counts()[1] == released + (kind != "Borrowed")
    assert len(ended) == 1
    if kind != "Moved":
        lab.unref(address)


def test_many_threads_delete_the_last_exports_of_one_parent(lab: ModuleType, producer, ended) -> None:
    address = lab.new(64)
    for _ in range(20):
        made = lab.wrap("Borrowed", address, Parent())
        tensors = [export(made, producer) for _ in range(8)]
        del made
        threads = [threading.Thread(target=producer.delete, args=(*t, "on a foreign thread")) for t in tensors]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert len(ended) == 20
    lab.unref(address)


CHAINS: dict[str, Callable[[ModuleType, Any, int], Any]] = {
    "imports": lambda lab, made, address: lab.Moved.from_dlpack(made),
    "capsules": lambda lab, made, address: lab.Moved.from_dlpack(made.__dlpack__()),
    "buffers": lambda lab, made, address: lab.Moved.from_dlpack(memoryview(made)),
    "parents": lambda lab, made, address: lab.wrap("Borrowed", address, made),
}


@pytest.mark.parametrize("name", CHAINS)
def test_a_long_chain_of_objects_is_freed_without_a_deep_stack(lab: ModuleType, name: str) -> None:
    released, borrowed = lab.counts()[1], lab.new(16)
    made = lab.wrap("Moved", lab.new(16))
    for _ in range(100_000):
        made = CHAINS[name](lab, made, borrowed)
    del made
    assert lab.counts()[1] - released == (1 if name == "parents" else 100_001)
    lab.unref(borrowed)
