# SPDX-License-Identifier: MIT
"""The stream on which a function works: the producers of its arrays make them ready for this stream."""

from __future__ import annotations

import gc
from collections.abc import Callable
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from imports.stream.conftest import DRIVER
from imports.stream.test_stream import (
    CPU,
    CUDA,
    CUDA_HOST,
    CUDA_MANAGED,
    LENGTH,
    REPEATS,
    ROCM,
    Producer,
    Wrapper,
    asked,
)


def filled(cards: ModuleType, number: int) -> Any:
    """Returns an array with work that is not finished, on a stream of its own."""
    source = cards.Source(cards.Queue(), LENGTH)
    source.fill(number, REPEATS)
    return source


ORDER = "fill A\nrecord A\nwait {0}\ncopy {1}\n"


class TestOrder:
    """Work of the producer, which is not finished, is seen by the function. The log shows the calls of the driver."""

    @pytest.mark.parametrize("wrapped", [False, True])
    @pytest.mark.parametrize(
        "call",
        [
            lambda cards, q, x: q.last(x),
            lambda cards, q, x: cards.last_tensor(q, x),
            lambda cards, q, x: cards.last_slab(q, x),
            lambda cards, q, x: cards.last_optional(x, q=q),
            lambda cards, q, x: cards.last_on_stream(x, q.handle),
            lambda cards, q, x: cards.last_number(q, x),
            lambda cards, q, x: cards.sum(q, [x]),
            lambda cards, q, x: cards.last_of_import(q, x),
            lambda cards, q, x: q.last(cards.kept(x, q)),
        ],
        ids=["method", "tensor", "class", "optional", "integer", "alternatives", "list", "import", "result"],
    )
    def test_a_function_waits_for_its_arrays(self, cards: ModuleType, call: Callable[..., int], wrapped: bool) -> None:
        source = filled(cards, 7)
        ours = cards.Queue()
        for number in (7, 8):
            if number == 8:
                source.fill(8, REPEATS)
            assert call(cards, ours, Wrapper(source) if wrapped else source) == number
        log = cards.log().replace("record A\nwait 1\n", "")  # the choice between alternatives waits first
        assert log == ORDER.format("B", "B") * 2

    def test_a_method_waits_on_the_stream_of_its_object(self, cards: ModuleType) -> None:
        source = filled(cards, 7)
        ours = cards.Queue()
        for thing in (cards.OfQueue(ours, 1), cards.Context.from_dlpack(cards.Source(ours, 1), q=ours)):
            cards.clear()
            source.fill(7, REPEATS)
            assert thing.last_beside(source) == 7
            assert [line.split()[0] for line in cards.log().splitlines()] == ["fill", "record", "wait", "copy"]
            assert cards.log().splitlines()[2].split()[1] == cards.log().splitlines()[3].split()[1]

    def test_a_function_waits_on_the_default_stream(self, cards: ModuleType) -> None:
        source = filled(cards, 7)
        assert cards.last_optional(source) == 7
        assert cards.log() == ORDER.format(1, 0)
        cards.clear()
        source.fill(8, REPEATS)
        assert cards.last_on_stream(source) == 8
        assert cards.last_of_thread(source) == 8
        assert [line for line in cards.log().splitlines() if "fill" not in line] == [
            "record A", "wait 1", "copy 0", "record A", "wait 2", "copy 2"
        ]  # fmt: skip

    def test_the_stream_of_the_function_replaces_the_stream_of_the_import(self, cards: ModuleType) -> None:
        source = filled(cards, 7)
        assert cards.last_instead(cards.Queue(), source) == 7
        assert cards.log() == ORDER.format("B", "B")

    def test_a_stream_that_the_device_does_not_have_is_refused(self, cards: ModuleType) -> None:
        source = cards.Source(cards.Queue(), LENGTH)
        with pytest.raises(ValueError, match=r"^last_on_stream\(\) argument 'x': stream=-2: on cuda it is None, -1, "):
            cards.last_on_stream(source, -2)
        assert cards.log() == ""

    def test_an_output_is_ready_for_its_consumer(self, cards: ModuleType) -> None:
        source = filled(cards, 7)
        ours, theirs = cards.Queue(), cards.Queue()
        made = ours.copy(source)
        assert theirs.last(made) == 7
        assert cards.log() == ORDER.format("B", "B") + "fill B\nrecord B\nwait C\ncopy C\n"


class TestArgument:
    """The argument `stream` of `__dlpack__`."""

    @pytest.mark.parametrize("device", [CUDA, CUDA_MANAGED, ROCM])
    def test_producers_on_devices_with_streams_get_the_stream(self, cards: ModuleType, device: Any) -> None:
        ours = cards.Queue()
        assert asked(ours.fill, Producer(device), number=1) == [{"stream": ours.handle}]

    @pytest.mark.parametrize("device", [CPU, CUDA_HOST])
    def test_producers_of_host_memory_get_no_stream(self, cards: ModuleType, device: Any) -> None:
        assert asked(cards.Queue().fill, Producer(device), number=1) == [{}]

    def test_an_array_on_the_cpu_needs_no_stream(self, cards: ModuleType) -> None:
        ours = cards.Queue()
        array = np.zeros(LENGTH, np.float32)
        if DRIVER is None:
            ours.fill(array, 7)
            assert ours.last(cards.Source(ours, 1)) == 0
            assert array[-1] == 7
        with pytest.raises(BufferError, match="cpu"):
            ours.last(array)

    def test_a_handle_of_0_is_the_default_stream(self, cards: ModuleType) -> None:
        default = cards.default_queue()
        assert asked(default.fill, Producer(CUDA), number=1) == [{"stream": 1}]
        assert asked(default.fill, Producer(ROCM), number=1) == [{"stream": 0}]
        assert asked(cards.last_on_stream, Producer()) == [{"stream": 1}]

    def test_an_older_producer_gets_the_stream_alone(self, cards: ModuleType) -> None:
        ours = cards.Queue()
        assert asked(ours.last, Producer(old=True)) == [{"stream": ours.handle}] * 2

    def test_each_array_of_a_list_is_made_ready(self, cards: ModuleType) -> None:
        ours, theirs = cards.Queue(), cards.Queue()
        sources = [filled(cards, number) for number in (1, 2, 3)]
        assert cards.sum(ours, [Wrapper(each) for each in sources]) == 6
        assert cards.log().count("wait A\n") == 3
        assert cards.sum(theirs, []) == 0

    def test_a_chosen_list_is_made_ready_for_the_stream(self, cards: ModuleType) -> None:
        """The choice calls `__dlpack__` without the stream, and the chosen function calls it again."""
        ours = cards.Queue()
        sources = [filled(cards, number) for number in (1, 2)]
        assert cards.sum_either(ours, [Wrapper(each) for each in sources]) == 3
        waits = [line for line in cards.log().splitlines() if line.startswith("wait")]
        assert waits == ["wait 1", "wait 1", "wait A", "wait A"]
        assert cards.sum_either(ours, Wrapper(sources[1])) == 2

    def test_the_chosen_alternative_calls_dlpack_again_with_the_stream(self, cards: ModuleType) -> None:
        ours = cards.Queue()
        source = filled(cards, 7)

        class Array(Producer):
            def __dlpack__(self, **keywords: Any) -> Any:
                self.asked.append(keywords.get("stream"))
                return source.__dlpack__(**keywords)

        array = Array()
        assert cards.last_number(ours, array) == 7
        assert array.asked == [None, ours.handle]


class TestObjects:
    """The object that has the stream."""

    def test_a_closed_stream_object_is_refused_before_a_producer_is_called(self, cards: ModuleType) -> None:
        ours, producer = cards.Queue(), Producer()
        ours.close()
        with pytest.raises(ValueError, match="closed"):
            ours.last(producer)
        with pytest.raises(ValueError, match=r"^last_slab\(\) argument 'q' is closed$"):
            cards.last_slab(ours, producer)
        for array in (producer, cards.Source(cards.Queue(), 1)):
            with pytest.raises(ValueError, match=r"^last_optional\(\) argument 'q' is closed$"):
                cards.last_optional(array, q=ours)
            with pytest.raises(ValueError, match=r"^kept\(\) argument 'q' is closed$"):
                cards.kept(array, ours)
        assert producer.asked == []

    @pytest.mark.parametrize("value", [None, 7, "q"])
    def test_a_wrong_stream_object_is_refused_before_a_producer_is_called(self, cards: ModuleType, value: Any) -> None:
        producer = Producer()
        with pytest.raises(TypeError, match=r"^last_slab\(\) argument 'q' must be Queue, not "):
            cards.last_slab(value, producer)
        assert producer.asked == []

    def test_a_stream_object_outlives_a_producer_that_closes_it(self, cards: ModuleType) -> None:
        ours = cards.Queue()
        source = cards.Source(cards.Queue(), LENGTH)

        class Closing(Producer):
            def __dlpack_device__(self) -> Any:
                ours.close()
                gc.collect()
                return CUDA

            def __dlpack__(self, **keywords: Any) -> Any:
                return source.__dlpack__(**keywords)

        source.fill(7, REPEATS)
        assert cards.last_slab(ours, Closing()) == 7
        with pytest.raises(ValueError, match="closed"):
            ours.last(source)

    def test_a_failing_call_leaves_the_stream_object_usable(self, cards: ModuleType) -> None:
        ours = cards.Queue()
        for error in (KeyboardInterrupt(), MemoryError(), RuntimeError("no device")):
            with pytest.raises(type(error)):
                ours.last(Producer(error))
            with pytest.raises(type(error)):
                cards.sum(ours, [cards.Source(ours, 1), Producer(error)])
        ours.close()
