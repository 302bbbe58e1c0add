# SPDX-License-Identifier: MIT
"""Handles and their parts: a part keeps the C object of its handle alive."""

from __future__ import annotations

import itertools
import threading
import weakref
from types import ModuleType
from typing import Any

import numpy as np
import pytest

PLACES = ["here", "without the GIL", "on a foreign thread", "with an exception pending"]


def test_a_handle_is_not_a_tensor(frame, frames: ModuleType) -> None:
    made = frame()
    handle = made.wrap()
    assert repr(handle) == f"<frames.Frame at {made.address:#x}>"
    assert frames.unwrap("Frame", handle) == made.address
    assert made.references == 1
    for name in ("__dlpack__", "__dlpack_device__", "__array__", "shape", "dtype"):
        assert not hasattr(handle, name)
    with pytest.raises(TypeError):
        memoryview(handle)
    del handle
    assert made.references == 0


def test_a_part_is_the_memory_of_the_whole(frame, frames: ModuleType) -> None:
    made = frame()
    made.fill()
    handle = made.wrap()
    for number in range(3):
        plane = handle.plane(number)
        assert type(plane) is frames.Plane
        assert plane.shape == (4, 6)
        assert frames.unwrap("Plane", plane) == made.address
        array = np.from_dlpack(plane)
        assert array.ctypes.data == made.struct.bytes + 24 * number
        assert array.ravel().tolist() == list(range(24 * number, 24 * (number + 1)))
    assert handle.plane(1, 0).strides == (6, 0)
    assert type(handle.whole()) is frames.Whole


def test_a_part_of_a_part_is_a_part(frame) -> None:
    made = frame()
    plane = made.wrap().plane(0)
    again = plane.plane(2)
    del plane
    assert np.from_dlpack(again).ctypes.data == made.struct.bytes + 48
    assert made.references == 1


def test_a_part_that_the_spec_refuses_is_refused_when_it_is_read(frame) -> None:
    handle = frame().wrap()
    for plane, reason in ((handle.plane(3), "no such plane"), (handle.plane(0, label="refused"), "refused")):
        assert repr(plane) == f"<frames.Plane, not exportable: frames.Plane: {reason}>"
        for read in (plane.__dlpack__, lambda plane=plane: plane.shape, lambda plane=plane: memoryview(plane)):
            with pytest.raises(BufferError, match=rf"^frames\.Plane: {reason}$"):
                read()


def test_a_part_takes_no_reference_of_its_own(frame, frames: ModuleType) -> None:
    """Counts of libraries are often not atomic, and parts end on any thread."""
    made = frame()
    handle = made.wrap()
    parts = [handle.plane(0), handle.whole(), handle.settings(text="x"), *handle.planes]
    assert frames.counts()[:2] == (1, 0)
    del handle, parts[1:]
    assert frames.counts()[:2] == (0, 0)
    parts.clear()
    assert frames.counts()[:2] == (0, 1)


def test_a_part_keeps_the_c_object_and_not_the_python_one(frame) -> None:
    made = frame()

    class Parent:
        pass

    handle, parent = made.wrap(), Parent()
    watched = weakref.ref(parent)
    borrowed = made.wrap("Frame", 0, parent)
    parts = [handle.plane(0), borrowed.plane(1)]
    del handle, borrowed, parent
    assert made.references == 2
    assert watched() is not None
    views = [np.from_dlpack(part) for part in parts] + [memoryview(part) for part in parts]
    del parts
    assert made.references == 2
    del views[::2]
    assert made.references == 1
    assert watched() is not None
    views.clear()
    assert (made.references, watched()) == (0, None)


@pytest.mark.parametrize("place", PLACES)
def test_the_last_export_of_a_part_may_be_released_in_any_thread(frame, producer: ModuleType, place: str) -> None:
    made = frame()
    handle = made.wrap()
    parts = [handle.plane(1), handle.settings(text="kept")]
    tensors = [producer.consume(part.__dlpack__(max_version=(v, 0))) for part in parts for v in (0, 1)]
    del handle, parts
    for tensor in tensors:
        assert made.references == 1
        producer.delete(*tensor, place)
    assert made.references == 0


def test_all_parts_are_a_tuple(frame, frames: ModuleType) -> None:
    made = frame(5)
    handle = made.wrap()
    planes = handle.planes
    assert type(planes) is tuple
    assert [type(plane) for plane in planes] == [frames.Plane] * 5
    assert [np.from_dlpack(plane).ctypes.data for plane in planes] == [made.struct.bytes + 24 * i for i in range(5)]
    assert planes[4].strides == (6, 1), "the other params have their defaults"
    assert handle.planes[0] is not planes[0]
    made.struct.count = 0
    assert handle.planes == ()
    del handle
    assert made.references == 1
    made.struct.planes = 1
    assert planes[4].__class__ is frames.Plane
    with pytest.raises(BufferError, match="no such plane"):
        _ = planes[4].shape


def test_an_impossible_count_is_a_buffer_error(frame, frames: ModuleType) -> None:
    made = frame()
    handle = made.wrap()
    made.struct.count = 2**64 - 1
    message = rf"^frames\.Frame: count of planes \(self->count\) is {2**64 - 1}: an impossible number$"
    with pytest.raises(BufferError, match=message):
        _ = handle.planes
    made.struct.count = 2**62
    with pytest.raises(MemoryError):
        _ = handle.planes
    assert made.references == 1


def test_an_index_that_the_param_cannot_hold_is_an_overflow(frame, frames: ModuleType) -> None:
    made = frame()
    handle = made.wrap()
    made.struct.count = 128
    assert [frames.read(part)[0] for part in handle.few] == list(range(128))
    made.struct.count = 129
    message = r"^frames\.Settings: 'i8' is too small for number 128 of few$"
    with pytest.raises(OverflowError, match=message):
        _ = handle.few


def test_only_types_of_the_same_struct_share_objects(frame) -> None:
    handle = frame().wrap()
    with pytest.raises(TypeError):
        handle.stranger()


def test_a_state_may_be_borrowed(frame) -> None:
    class Parent:
        pass

    made, parent = frame(), Parent()
    watched = weakref.ref(parent)
    array = np.from_dlpack(made.wrap("Plane", 2, parent))
    del parent
    assert array.ctypes.data == made.struct.bytes + 48
    assert watched() is not None
    del array
    assert watched() is None
    assert made.references == 0


def test_a_struct_passed_by_value_lives_in_its_owner(frame, frames: ModuleType) -> None:
    made = frame()
    value = made.wrap("Value")
    address = frames.unwrap("Value", value)
    assert address != made.address
    made.struct.rows = 1
    assert value.shape == (4, 6)
    array = np.from_dlpack(value)
    del value
    assert array.ctypes.data == made.struct.bytes


def test_classes_are_distinguished(frame, frames: ModuleType) -> None:
    handle = frame().wrap()
    plane = handle.plane(0)
    for kind, wrong in (("Frame", plane), ("Plane", handle), ("Whole", plane), ("Frame", None)):
        with pytest.raises(TypeError, match=rf"^expected frames\.{kind}, not "):
            frames.unwrap(kind, wrong)


def test_threads_can_make_and_release_parts(frame, producer: ModuleType) -> None:
    made = frame()
    handle = made.wrap()
    errors: list[BaseException] = []

    def work(place: str) -> None:
        try:
            for number in range(100):
                part = handle.plane(number % 3, label=str(number))
                tensor = producer.consume(part.__dlpack__(max_version=(number % 2, 0)))
                assert [plane.shape for plane in handle.planes] == [(4, 6)] * 3
                del part
                producer.delete(*tensor, place)
        except BaseException as error:
            errors.append(error)

    threads = [threading.Thread(target=work, args=(place,)) for place in PLACES for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not errors
    assert made.references == 1


def test_the_c_object_lives_until_the_last_holder_in_any_order(frame) -> None:
    made = frame()
    for order in itertools.permutations(range(4)):
        handle = made.wrap()
        plane = handle.plane(0)
        holders: list[Any] = [handle, plane, np.from_dlpack(plane), plane.plane(1).__dlpack__()]
        del handle, plane
        for index in order:
            assert made.references == 1
            holders[index] = None
        assert made.references == 0
