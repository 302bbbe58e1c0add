# SPDX-License-Identifier: MIT
"""Streams of PyTorch and CuPy, as producers and as consumers, on a GPU (`make test-gpu`)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from types import ModuleType
from typing import Any

import pytest

from dlpack_bindgen.frozen import Frozen
from imports.stream.test_stream import LENGTH, REPEATS


class Framework(Frozen):
    zeros: Callable[[], Any]
    """Returns a new array on the current stream."""
    fill: Callable[[Any, int], object]
    from_dlpack: Callable[[Any], Any]
    stream: AbstractContextManager[Any]
    """Makes a stream the current one."""
    handle: int
    """The address of this stream."""


def torch() -> Framework:
    library: Any = pytest.importorskip("torch")
    if not library.cuda.is_available():
        pytest.skip("PyTorch finds no GPU")
    stream = library.cuda.Stream()
    return Framework(
        zeros=lambda: library.zeros(LENGTH, dtype=library.float32, device="cuda"),
        fill=lambda array, number: array.fill_(number),
        from_dlpack=library.from_dlpack,
        stream=library.cuda.stream(stream),
        handle=stream.cuda_stream,
    )


def cupy() -> Framework:
    library: Any = pytest.importorskip("cupy")
    stream = library.cuda.Stream(non_blocking=True)
    return Framework(
        zeros=lambda: library.zeros(LENGTH, library.float32),
        fill=lambda array, number: array.fill(number),
        from_dlpack=library.from_dlpack,
        stream=stream,
        handle=stream.ptr,
    )


@pytest.fixture(params=[torch, cupy], ids=["torch", "cupy"])
def framework(request: pytest.FixtureRequest, cards: ModuleType) -> Iterator[Framework]:
    made = request.param()
    with made.stream:
        yield made


def filled(framework: Framework, number: int) -> Any:
    """Returns an array whose work is perhaps not finished."""
    array = framework.zeros()
    for _ in range(REPEATS):
        framework.fill(array, 0)
    framework.fill(array, number)
    return array


def test_a_producer(cards: ModuleType, framework: Framework) -> None:
    ours = cards.Queue()
    assert cards.Context.from_dlpack(filled(framework, 7), q=ours).last() == 7
    assert cards.Param.from_dlpack(filled(framework, 8), stream=ours.handle).last() == 8
    assert cards.Param.from_dlpack(filled(framework, 9)).last() == 9
    assert cards.last_on(ours, filled(framework, 10)) == 10
    assert cards.last(filled(framework, 11)) == 11


def test_a_consumer(cards: ModuleType, framework: Framework) -> None:
    source = cards.Source(cards.Queue(), LENGTH)
    source.fill(7, REPEATS)
    array = framework.from_dlpack(source)
    assert int(array[-1]) == 7
    assert cards.log() == f"fill A\nrecord A\nwait {framework.handle}\n"


def test_an_interface_without_dlpack(cards: ModuleType) -> None:
    framework = cupy()
    with framework.stream:
        array = filled(framework, 7)

        class Thing:
            __cuda_array_interface__ = array.__cuda_array_interface__

        made = cards.Context.from_dlpack(Thing(), q=cards.Queue())
    assert made.device == (2, 0)
    assert made.last() == 7
