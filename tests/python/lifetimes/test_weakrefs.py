# SPDX-License-Identifier: MIT
"""Weak references to our objects, and what their callbacks do."""

from __future__ import annotations

import gc
import sys
import threading
import weakref
from types import ModuleType
from typing import Any

import numpy as np
import pytest


def test_a_weak_reference_is_cleared_with_the_object_and_not_with_its_exports(subject) -> None:
    made = subject()
    watched = weakref.ref(made.object)
    array = np.from_dlpack(made.object)
    assert watched() is made.object
    made.object = None
    assert watched() is None
    assert array.shape == (2, 3)


def test_a_buffer_keeps_the_object_itself(subject) -> None:
    made = subject()
    watched, view = weakref.ref(made.object), memoryview(made.object)
    made.object = None
    assert watched() is view.obj
    view.release()
    assert watched() is None


def test_closing_an_object_does_not_clear_its_weak_references(subject) -> None:
    made = subject()
    ended: list[Any] = []
    watched = weakref.ref(made.object, ended.append)
    made.object.close()
    assert (watched() is made.object, ended) == (True, [])
    made.object = None
    assert ended == [watched]


def test_handles_and_parts_have_weak_references(frame) -> None:
    handle = frame().wrap()
    watched = weakref.ref(handle)
    planes = weakref.WeakSet(handle.planes)
    assert (watched() is handle, len(planes)) == (True, 0)
    del handle
    assert watched() is None


def test_the_object_is_released_after_the_callbacks(subject, lab: ModuleType) -> None:
    made = subject()
    released = lab.counts()[1]
    seen: list[int] = []
    watched = [weakref.ref(made.object, lambda _: seen.append(lab.counts()[1])) for _ in range(3)]
    made.object = None
    assert seen == [released] * 3
    assert all(each() is None for each in watched)
    assert lab.counts()[1] == released + 1


def test_containers_of_weak_references_work(subject, lab: ModuleType) -> None:
    made = subject()
    names = weakref.WeakKeyDictionary({made.object: "key"})
    values = weakref.WeakValueDictionary({"key": made.object})
    finalizer = weakref.finalize(made.object, lambda: lab.counts())
    assert names[made.object] == "key" and values["key"] is made.object
    made.object = None
    assert (len(names), len(values), finalizer.alive) == (0, 0, False)


def test_a_weak_proxy_is_a_producer_until_the_object_is_freed(subject, lab: ModuleType) -> None:
    made = subject((3,))
    proxy = weakref.proxy(made.object)
    assert np.from_dlpack(proxy).shape == (3,)
    assert lab.Moved.from_dlpack(proxy).shape == (3,)
    with pytest.raises(TypeError, match=r"expected probe\.Moved, not '.*[Pp]roxy"):
        lab.unwrap("Moved", proxy)
    made.object = None
    with pytest.raises(ReferenceError):
        lab.Moved.from_dlpack(proxy)


def test_a_callback_can_use_the_runtime(subject, lab: ModuleType) -> None:
    seen = []

    def callback(reference: Any) -> None:
        inner = lab.Moved.from_dlpack(bytearray(b"abc"))
        seen.append((reference(), np.from_dlpack(inner).tobytes()))
        gc.collect()

    made = subject()
    watched = weakref.ref(made.object, callback)
    made.object = None
    assert (seen, watched()) == ([(None, b"abc")], None)


def test_an_exception_of_a_callback_is_reported(subject, lab: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    unraisable: list[Any] = []
    monkeypatch.setattr(sys, "unraisablehook", lambda report: unraisable.append(report.exc_type))
    made = subject()
    released = lab.counts()[1]
    watched = weakref.ref(made.object, lambda _: 1 / 0)
    made.object = None
    assert (unraisable, watched(), lab.counts()[1]) == ([ZeroDivisionError], None, released + 1)


def test_an_object_that_is_freed_keeps_the_pending_exception(subject, lab: ModuleType) -> None:
    """A set whose construction fails frees the objects that it has."""
    made = subject()
    seen: list[Any] = []
    watched = weakref.ref(made.object, lambda _: seen.append(sys.exc_info()[0]))

    def values() -> Any:
        item, made.object = made.object, None
        yield item
        del item
        raise LookupError

    with pytest.raises(LookupError):
        set(values())
    gc.collect()
    assert (len(seen), watched()) == (1, None)


def test_an_object_in_a_cycle_is_released_by_the_collector(subject, lab: ModuleType) -> None:
    """The collector does not track the object, and clears the container that refers to it."""
    made = subject()
    released = lab.counts()[1]
    cycle: list[Any] = [made.object]
    cycle.append(cycle)
    watched = weakref.ref(made.object)
    made.object = None
    del cycle
    gc.collect()
    assert (watched(), lab.counts()[1]) == (None, released + 1)


def test_threads_can_read_a_weak_reference_while_the_object_is_freed(lab: ModuleType) -> None:
    errors: list[BaseException] = []

    def look(watched: Any) -> None:
        try:
            for _ in range(100):  # for ever, and one of them would always hold it
                found = watched()
                assert found is None or found.shape == (64,)
                del found
        except BaseException as error:
            errors.append(error)

    living = lab.counts()[2]
    for _ in range(30):
        made = lab.wrap("Moved", lab.new(64))
        threads = [threading.Thread(target=look, args=(weakref.ref(made),)) for _ in range(4)]
        for thread in threads:
            thread.start()
        del made
        for thread in threads:
            thread.join()
    assert (errors, lab.counts()[2]) == ([], living)
