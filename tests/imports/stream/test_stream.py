# SPDX-License-Identifier: MIT
"""The stream on which an array is used: the producer makes the data ready for it, and the library works on it."""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from imports.stream.conftest import DRIVER

LENGTH, REPEATS = (1 << 24, 200) if DRIVER else (8, 3)
"""On a GPU, the work of the producer takes some milliseconds: a consumer that does not wait for it reads old values."""
CUDA, ROCM, METAL, CPU, CUDA_HOST, CUDA_MANAGED = (2, 0), (10, 0), (8, 0), (1, 0), (3, 0), (13, 0)


class TestOrder:
    """Work of the producer, which is not finished, is seen by the consumer. The log shows the calls of the driver."""

    def test_an_import_waits_on_the_stream_of_the_keyword(self, cards: ModuleType) -> None:
        theirs, ours = cards.Queue(), cards.Queue()
        source = cards.Source(theirs, LENGTH)
        source.fill(7, REPEATS)
        cards.Keyword.from_dlpack(source, stream=ours.handle)
        assert cards.log() == "fill A\nrecord A\nwait B\n"

    def test_an_import_waits_on_the_stream_of_a_param(self, cards: ModuleType) -> None:
        theirs, ours = cards.Queue(), cards.Queue()
        source = cards.Source(theirs, LENGTH)
        source.fill(7, REPEATS)
        made = cards.Param.from_dlpack(source, stream=ours.handle)
        assert made.last() == 7
        assert cards.log() == "fill A\nrecord A\nwait B\ncopy B\n"

    def test_an_import_waits_on_the_stream_of_the_context(self, cards: ModuleType) -> None:
        theirs, ours = cards.Queue(), cards.Queue()
        source = cards.Source(theirs, LENGTH)
        for number in (7, 8):
            source.fill(number, REPEATS)
            assert cards.Context.from_dlpack(source, q=ours).last() == number
        assert cards.log() == "fill A\nrecord A\nwait B\ncopy B\n" * 2

    def test_an_import_waits_on_the_default_stream(self, cards: ModuleType) -> None:
        theirs = cards.Queue()
        source = cards.Source(theirs, LENGTH)
        source.fill(7, REPEATS)
        assert cards.Context.from_dlpack(source, q=cards.default_queue()).last() == 7
        assert cards.log() == "fill A\nrecord A\nwait 1\ncopy 0\n"
        cards.clear()
        source.fill(8, REPEATS)
        assert cards.Param.from_dlpack(source).last() == 8
        cards.Keyword.from_dlpack(source)
        cards.Keyword.from_dlpack(source, stream=None)
        assert [line for line in cards.log().splitlines() if "wait" in line] == ["wait 1"] * 3

    def test_minus_1_waits_for_nothing(self, cards: ModuleType) -> None:
        source = cards.Source(cards.Queue(), LENGTH)
        cards.Keyword.from_dlpack(source, stream=-1)
        assert cards.log() == ""


class Wrapper:
    """An array of another library that is on a GPU."""

    def __init__(self, source: Any) -> None:
        self.source = source

    def __dlpack_device__(self) -> Any:
        return self.source.__dlpack_device__()

    def __dlpack__(self, **keywords: Any) -> Any:
        return self.source.__dlpack__(**keywords)


class TestFunctions:
    """Arguments of functions: the stream is that of the import of their class."""

    def test_the_context_can_be_another_argument(self, cards: ModuleType) -> None:
        theirs, ours = cards.Queue(), cards.Queue()
        source = cards.Source(theirs, LENGTH)
        for number in (7, 8):
            source.fill(number, REPEATS)
            assert cards.last_on(ours, Wrapper(source)) == number
        assert cards.log() == "fill A\nrecord A\nwait B\ncopy B\n" * 2

    def test_a_choice_between_functions_waits_on_the_stream_of_the_chosen_one(self, cards: ModuleType) -> None:
        source = cards.Source(cards.Queue(), LENGTH)
        source.fill(7, REPEATS)
        assert cards.last_of_either(cards.Queue(), Wrapper(source)) == 7
        assert cards.log() == "fill A\nrecord A\nwait 1\nrecord A\nwait B\ncopy B\n"

    def test_a_function_uses_the_default_of_the_param(self, cards: ModuleType) -> None:
        source = cards.Source(cards.Queue(), LENGTH)
        source.fill(7, REPEATS)
        assert cards.last(Wrapper(source)) == 7
        assert cards.log() == "fill A\nrecord A\nwait 1\ncopy 0\n"


class Producer:
    """Remembers the keywords of `__dlpack__`."""

    def __init__(self, device: Any = CUDA, old: bool = False) -> None:
        self.device = device
        self.old = old
        self.asked: list[dict[str, Any]] = []

    def __dlpack_device__(self) -> Any:
        if isinstance(self.device, BaseException):
            raise self.device
        return self.device

    def __dlpack__(self, **keywords: Any) -> Any:
        self.asked.append(keywords)
        if self.old and "max_version" in keywords:
            raise TypeError("__dlpack__() got an unexpected keyword argument 'max_version'")
        raise BufferError("asked")


def asked(take: Callable[..., Any], producer: Producer | None = None, **keywords: Any) -> list[dict[str, Any]]:
    producer = producer or Producer()
    with pytest.raises(BufferError, match=r"(^|: )asked$"):
        take(producer, **keywords)
    for each in producer.asked:
        each.pop("max_version", None)
    return producer.asked


class TestArgument:
    """The argument `stream` of `__dlpack__`."""

    @pytest.mark.parametrize("stream", [-1, 1, 2, 7, 2**47, np.int64(9)])
    def test_the_producer_gets_the_keyword(self, cards: ModuleType, stream: Any) -> None:
        assert asked(cards.Keyword.from_dlpack, stream=stream) == [{"stream": stream}]
        assert asked(cards.Keyword.from_dlpack, stream=stream, copy=False) == [{"stream": stream, "copy": False}]
        assert asked(cards.Keyword.from_dlpack, stream=stream, device=CUDA) == [
            {"stream": stream, "dl_device": CUDA},
            {"stream": stream},  # since the producer refuses
        ]
        assert asked(cards.Param.from_dlpack, stream=stream) == [{"stream": stream}]

    def test_without_a_stream_there_is_no_argument(self, cards: ModuleType) -> None:
        assert asked(cards.Keyword.from_dlpack) == asked(cards.Keyword.from_dlpack, stream=None) == [{}]

    def test_the_producer_gets_a_stream_that_needs_no_params(self, cards: ModuleType) -> None:
        assert asked(cards.OfThread.from_dlpack) == [{"stream": 2}]

    def test_a_handle_of_0_is_the_default_stream(self, cards: ModuleType) -> None:
        assert asked(cards.Param.from_dlpack) == asked(cards.Param.from_dlpack, stream=0) == [{"stream": 1}]
        assert asked(cards.Param.from_dlpack, Producer(CUDA_MANAGED)) == [{"stream": 1}]
        assert asked(cards.Param.from_dlpack, Producer(ROCM)) == [{"stream": 0}]
        assert asked(cards.Param.from_dlpack, Producer(METAL)) == [{"stream": 0}]

    @pytest.mark.parametrize("device", [CPU, CUDA_HOST])
    def test_producers_of_host_memory_get_no_stream(self, cards: ModuleType, device: Any) -> None:
        assert asked(cards.Keyword.from_dlpack, Producer(device), stream=7) == [{}]
        assert asked(cards.Param.from_dlpack, Producer(device), stream=7) == [{}]

    def test_an_older_producer_gets_the_stream_alone(self, cards: ModuleType) -> None:
        producer = Producer(old=True)
        assert asked(cards.Keyword.from_dlpack, producer, stream=7) == [{"stream": 7}, {"stream": 7}]

    def test_a_producer_that_knows_no_stream_is_refused(self, cards: ModuleType) -> None:
        class Oldest(Producer):
            def __dlpack__(self, *, max_version: Any = None) -> Any:
                raise AssertionError

        with pytest.raises(TypeError, match="unexpected keyword argument 'stream'"):
            cards.Keyword.from_dlpack(Oldest(), stream=7)

    @pytest.mark.parametrize(
        ("device", "stream", "allowed"),
        [
            (CUDA, -2, "on cuda it is None, -1, 1, 2 or a stream's address; 0 could mean two streams"),
            (ROCM, 1, "on rocm it is None, -1, 0 or a stream's address"),
            (ROCM, 2, "on rocm it is None, -1, 0 or a stream's address"),
        ],
    )
    def test_a_stream_that_the_device_does_not_have_is_refused(
        self, cards: ModuleType, device: Any, stream: int, allowed: str
    ) -> None:
        producer = Producer(device)
        with pytest.raises(ValueError, match=rf"^cards\.Param: stream={stream}: {allowed}$"):
            cards.Param.from_dlpack(producer, stream=stream)
        if device == CUDA:
            with pytest.raises(ValueError, match=rf"^cards\.Param: stream={stream}: {allowed}$"):
                cards.Param.from_dlpack(producer, stream=stream, device=device)
        assert producer.asked == []

    @pytest.mark.parametrize("stream", [0, -2, 2**64])
    def test_a_number_that_the_array_api_does_not_define_is_refused(self, cards: ModuleType, stream: int) -> None:
        problem = (
            "is not an address" if stream > 0 else ": on cuda it is None, -1, 1, 2 or .*; 0 could mean two streams"
        )
        producer = Producer()
        for thing in (producer, cards.Source(cards.Queue(), 1)):
            with pytest.raises(ValueError, match=rf"^cards\.Keyword: stream={stream}.*{problem}"):
                cards.Keyword.from_dlpack(thing, stream=stream)
        assert producer.asked == []

    @pytest.mark.parametrize("stream", ["1", 1.0, (1,)])
    def test_the_keyword_must_be_an_int(self, cards: ModuleType, stream: Any) -> None:
        with pytest.raises(TypeError, match=r"^from_dlpack\(\) argument 'stream' must be None or an int, not "):
            cards.Keyword.from_dlpack(Producer(), stream=stream)

    def test_an_error_of_the_number_reaches_the_caller(self, cards: ModuleType) -> None:
        class Number:
            def __index__(self) -> int:
                raise KeyboardInterrupt

        with pytest.raises(KeyboardInterrupt):
            cards.Keyword.from_dlpack(Producer(), stream=Number())

    def test_a_number_whose_index_is_switched_off_is_not_an_int(self, cards: ModuleType) -> None:
        class Switched:
            __index__ = None

        with pytest.raises(TypeError, match=r"^from_dlpack\(\) argument 'stream' must be None or an int, not <"):
            cards.Keyword.from_dlpack(Producer(), stream=Switched())

    def test_one_of_several_devices_must_have_the_stream(self, cards: ModuleType) -> None:
        """The device of the array is not known before. The message is about the first device."""
        assert asked(cards.Either.from_dlpack, stream=1) == [{"stream": 1}]
        assert asked(cards.Either.from_dlpack, Producer(ROCM), stream=0) == [{"stream": 0}]
        with pytest.raises(ValueError, match=r"^cards\.Either: stream=-2: on cuda it is None, -1, 1, 2 or a stream's"):
            cards.Either.from_dlpack(Producer(), stream=-2)

    @pytest.mark.parametrize("device", [None, (2,), "cuda", (0, 0), 2, [2, 0]])
    def test_a_wrong_device_of_the_producer_is_a_type_error(self, cards: ModuleType, device: Any) -> None:
        with pytest.raises(
            TypeError, match=r"^cards\.Keyword: __dlpack_device__\(\) returned .*, not a tuple of two ints"
        ):
            cards.Keyword.from_dlpack(Producer(device), stream=7)

    @pytest.mark.parametrize(
        ("error", "raised"), [(ValueError("no number"), TypeError), (KeyboardInterrupt(), KeyboardInterrupt)]
    )
    def test_an_error_of_a_number_of_the_device(
        self, cards: ModuleType, error: BaseException, raised: type[BaseException]
    ) -> None:
        class Number:
            def __index__(self) -> int:
                raise error

        with pytest.raises(raised) as caught:
            cards.Keyword.from_dlpack(Producer((2, Number())), stream=7)
        if raised is TypeError:
            assert str(caught.value).startswith("cards.Keyword: __dlpack_device__() returned (2, <")

    @pytest.mark.parametrize("error", [KeyboardInterrupt(), MemoryError(), RuntimeError("no device")])
    def test_an_error_of_the_device_reaches_the_caller(self, cards: ModuleType, error: BaseException) -> None:
        with pytest.raises(type(error)):
            cards.Keyword.from_dlpack(Producer(error), stream=7)

    def test_a_producer_without_dlpack_device_is_refused(self, cards: ModuleType) -> None:
        class Half:
            def __dlpack__(self, **keywords: Any) -> Any:
                raise AssertionError

        with pytest.raises(AttributeError, match="__dlpack_device__"):
            cards.Keyword.from_dlpack(Half(), stream=7)
        with pytest.raises(TypeError, match="takes an object with __dlpack__"):
            cards.Keyword.from_dlpack(7, stream=7)

    def test_a_class_with_a_stream_of_its_own_has_no_keyword(self, cards: ModuleType) -> None:
        with pytest.raises(TypeError, match="unexpected keyword argument 'stream'"):
            cards.Context.from_dlpack(Producer(), q=cards.Queue(), stream=7)
        assert "stream=0" in cards.Param.from_dlpack.__text_signature__
        assert "stream=None" in cards.Keyword.from_dlpack.__text_signature__
        assert "stream" not in cards.Context.from_dlpack.__text_signature__

    def test_a_param_called_stream_hides_the_keyword(self, cards: ModuleType) -> None:
        assert asked(cards.Sent.from_dlpack, stream=7) == [{}]
        assert cards.Sent.from_dlpack.__text_signature__.count("stream") == 1

    def test_buffers_are_refused_with_a_stream(self, cards: ModuleType) -> None:
        for thing in (np.zeros(3, np.float32), memoryview(np.zeros(3, np.float32))):
            with pytest.raises(BufferError, match="not cuda"):
                cards.Keyword.from_dlpack(thing, stream=7)
