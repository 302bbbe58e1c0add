# SPDX-License-Identifier: MIT
"""`managed_tensor_allocator` of our classes makes new memory on any thread, without the GIL."""

from __future__ import annotations

import ctypes

import numpy as np
import pytest

from python.exchange import Prototype, Table, delete, run_at_once, tensor_at

PLACES = ["here", "without the GIL", "on a foreign thread"]
FLOAT32 = (2, 32, 1)
NO_SHAPE = ctypes.POINTER(ctypes.c_int64)()


@pytest.mark.parametrize("listens", [False, True])
@pytest.mark.parametrize("place", PLACES)
def test_the_allocator_makes_new_memory_on_any_thread(imaging, scripted, producer, place: str, listens: bool) -> None:
    wanted = Prototype((4, 5, 3))
    answer = scripted.allocate(Table(imaging.Image).capsule, wanted.address, place, listens)
    if answer[0] != 0:  # C may have nobody who listens
        raise MemoryError(answer)
    assert answer[2:] == (0, "", "")
    made = tensor_at(answer[1])
    assert made.tensor.axes() == ((4, 5, 3), (64, 3, 1))
    assert (made.major, made.minor, made.flags) == (1, 3, 0)
    ctypes.memset(made.tensor.data, 7, 64 * 4)
    try:
        image = Table(imaging.Image).make(answer[1])
    except MemoryError:
        delete(answer[1])  # it still belongs to the caller
        raise
    assert (np.from_dlpack(image) == 7).all()


@pytest.mark.parametrize(
    ("prototype", "kind", "message"),
    [
        (Prototype((4, 5, 3), FLOAT32), "ValueError", "imaging.Image: the dtype is float32, not uint8"),
        (Prototype((4, 5)), "ValueError", "imaging.Image: the array has 2 axes, not 3"),
        (Prototype((4, -5, 3)), "ValueError", "imaging.Image: shape[1] is -5: an extent is not negative"),
        (Prototype((1,) * 65), "ValueError", "imaging.Image: an array cannot have 65 axes"),
        (Prototype((4, 5, 3), ndim=-1), "ValueError", "imaging.Image: an array cannot have -1 axes"),
        (Prototype((4, 5, 3), shape=NO_SHAPE), "ValueError", "imaging.Image: the shape of the array is NULL"),
        (Prototype((4, 5, 2)), "RuntimeError", "imaging.Image: image_create(width, height, channels) failed"),
        (Prototype((4, 5, 3), device_type=2), "ValueError", "imaging.Image: new objects are not on cuda:0"),
        (
            Prototype((4, 5, 3), device_id=1),
            "ValueError",
            "imaging.Image: new objects are not on cpu:1",
        ),
    ],
    ids=range(9),
)
@pytest.mark.parametrize("place", PLACES)
def test_the_allocator_sets_an_error_once(imaging, scripted, place: str, prototype, kind: str, message: str) -> None:
    capsule = Table(imaging.Image).capsule
    result, address, errors, told, text = scripted.allocate(capsule, prototype.address, place, True)
    assert (result, address, errors) == (-1, 0, 1)
    assert told == kind
    assert text.startswith(message)
    assert scripted.allocate(capsule, prototype.address, place, False) == (-1, 0, 0, "", "")


def test_the_allocator_of_a_class_without_allocate_sets_an_error(lab, scripted) -> None:
    wanted = Prototype((3,))
    answer = scripted.allocate(Table(lab.Moved).capsule, wanted.address, "without the GIL", True)
    assert answer == (-1, 0, 1, "TypeError", "probe.Moved: new arrays cannot be allocated")


@pytest.mark.parametrize("place", PLACES)
def test_objects_that_need_the_gil_are_not_made_without_it(frames, scripted, place: str) -> None:
    wanted = Prototype((2, 3))
    answer = scripted.allocate(Table(frames.Gil).capsule, wanted.address, place, True)
    assert (answer[0], answer[3]) == (-1, "RuntimeError")
    assert "frames.Gil: its objects need the GIL" in answer[4]


def test_many_threads_allocate_and_delete_at_once(imaging, scripted, producer) -> None:
    capsule, wanted = Table(imaging.Image).capsule, Prototype((4, 5, 3))
    errors: list[BaseException] = []

    def work(place: str) -> None:
        try:
            for _ in range(100):
                tensors = [scripted.allocate(capsule, wanted.address, place, True)[1] for _ in range(3)]
                assert len(set(tensors)) == 3
                for tensor in tensors:
                    producer.delete(tensor, True, place)
        except BaseException as error:
            errors.append(error)

    run_at_once([lambda place=place: work(place) for place in PLACES * 2])
    assert not errors
