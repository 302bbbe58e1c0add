# SPDX-License-Identifier: MIT
"""Streams of PyTorch and CuPy, as producers and as consumers, on a GPU (`make test-gpu`).

Without a GPU, the module `cards` stands in for them, with a stream of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, nullcontext
from types import ModuleType
from typing import Any

import pytest

from dlpack_bindgen.frozen import Frozen
from imports.stream.conftest import DRIVER
from imports.stream.test_stream import LENGTH, REPEATS


class Framework(Frozen):
    zeros: Callable[[], Any]
    """Returns a new array on the current stream."""
    fill: Callable[[Any, int], object]
    last: Callable[[Any], int]
    """Returns the last element, after the work on the current stream."""
    from_dlpack: Callable[[Any], Any]
    stream: AbstractContextManager[Any]
    """Makes a stream the current one."""
    name: str
    """The name of this stream in the log."""


def stand_in(cards: ModuleType) -> Framework:
    *_, queue = [cards.Queue() for _ in range(26)]
    cards.clear()
    return Framework(
        zeros=lambda: cards.Source(queue, LENGTH),
        fill=lambda array, number: array.fill(number, 0),
        last=queue.last,
        from_dlpack=lambda x: cards.Context.from_dlpack(x, q=queue),
        stream=nullcontext(),
        name="Z",
    )


def torch(cards: ModuleType) -> Framework:
    library: Any = pytest.importorskip("torch")
    if not library.cuda.is_available():
        pytest.skip("PyTorch finds no GPU")
    stream = library.cuda.Stream()
    return Framework(
        zeros=lambda: library.zeros(LENGTH, dtype=library.float32, device="cuda"),
        fill=lambda array, number: array.fill_(number),
        last=lambda array: int(array[-1]),
        from_dlpack=library.from_dlpack,
        stream=library.cuda.stream(stream),
        name=str(stream.cuda_stream),
    )


def cupy(cards: ModuleType) -> Framework:
    library: Any = pytest.importorskip("cupy")
    stream = library.cuda.Stream(non_blocking=True)
    return Framework(
        zeros=lambda: library.zeros(LENGTH, library.float32),
        fill=lambda array, number: array.fill(number),
        last=lambda array: int(array[-1]),
        from_dlpack=library.from_dlpack,
        stream=stream,
        name=str(stream.ptr),
    )


@pytest.fixture(params=[stand_in, torch, cupy] if DRIVER else [stand_in], ids=lambda each: each.__name__)
def framework(request: pytest.FixtureRequest, cards: ModuleType) -> Iterator[Framework]:
    made = request.param(cards)
    with made.stream:
        yield made


def filled(framework: Framework, number: int) -> Any:
    """Returns an array whose work is perhaps not finished."""
    array = framework.zeros()
    for _ in range(REPEATS):
        framework.fill(array, 0)
    framework.fill(array, number)
    return array


def test_an_import_waits_for_the_stream_of_a_framework(cards: ModuleType, framework: Framework) -> None:
    ours = cards.Queue()
    assert cards.Context.from_dlpack(filled(framework, 7), q=ours).last() == 7
    assert cards.Param.from_dlpack(filled(framework, 8), stream=ours.handle).last() == 8
    assert cards.Param.from_dlpack(filled(framework, 9)).last() == 9
    assert cards.last_on(ours, filled(framework, 10)) == 10
    assert cards.last(filled(framework, 11)) == 11


def test_a_function_waits_for_the_stream_of_a_framework(cards: ModuleType, framework: Framework) -> None:
    ours = cards.Queue()
    assert ours.last(filled(framework, 7)) == 7
    assert cards.last_slab(ours, filled(framework, 8)) == 8
    assert cards.last_tensor(ours, filled(framework, 9)) == 9
    assert cards.last_number(ours, filled(framework, 10)) == 10
    assert cards.last_on_stream(filled(framework, 11), ours.handle) == 11
    assert cards.last_on_stream(filled(framework, 12)) == 12
    assert cards.sum(ours, [filled(framework, 13), filled(framework, 14)]) == 27


def test_a_framework_sees_the_array_that_a_function_fills(cards: ModuleType, framework: Framework) -> None:
    ours, array = cards.Queue(), filled(framework, 7)
    ours.fill(array, 8)
    assert ours.last(array) == 8
    assert framework.last(array) == 8


def test_a_framework_waits_for_the_stream_of_our_object(cards: ModuleType, framework: Framework) -> None:
    source = cards.Source(cards.Queue(), LENGTH)
    source.fill(7, REPEATS)
    assert framework.last(framework.from_dlpack(source)) == 7
    assert cards.log().startswith(f"fill A\nrecord A\nwait {framework.name}\n")


def test_a_framework_waits_for_the_stream_of_an_output(cards: ModuleType, framework: Framework) -> None:
    output = cards.Queue().copy(filled(framework, 7))
    cards.clear()
    assert framework.last(framework.from_dlpack(output)) == 7
    assert cards.log().startswith(f"record A\nwait {framework.name}\n")
