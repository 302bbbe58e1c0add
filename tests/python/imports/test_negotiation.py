# SPDX-License-Identifier: MIT
"""`Name.from_dlpack` of every kind of producer: how `__dlpack__` is called, and which exception is raised."""

from __future__ import annotations

import gc
import re
import sys
from collections.abc import Callable
from typing import Any, NoReturn

import numpy as np
import pytest

DELETED_ONCE = (1, 0, 0)


class Call:
    """Remembers the keywords that it was called with, and answers by `answer()`."""

    def __init__(self, answer: Callable[[], Any]) -> None:
        self.answer = answer
        self.seen: list[dict[str, Any]] = []

    def __call__(self, **keywords: Any) -> Any:
        self.seen.append(keywords)
        return self.answer()


class Modern:
    def __init__(self, answer: Callable[[], Any]) -> None:
        self.call = Call(answer)

    def __dlpack__(self, *, stream=None, max_version=None, dl_device=None, copy=None) -> Any:
        return self.call(stream=stream, max_version=max_version, dl_device=dl_device, copy=copy)


class StreamOnly:
    def __init__(self, answer: Callable[[], Any]) -> None:
        self.call = Call(answer)

    def __dlpack__(self, stream=None) -> Any:
        return self.call(stream=stream)


class NoKeywords:
    def __init__(self, answer: Callable[[], Any]) -> None:
        self.call = Call(answer)

    def __dlpack__(self) -> Any:
        return self.call()


REFUSALS = [
    "__dlpack__() got an unexpected keyword argument 'max_version'",
    "__dlpack__() takes no keyword arguments",
    "__dlpack__() takes no arguments (1 given)",
    "__dlpack__() takes at most 0 keyword arguments (1 given)",
    "Python argument types in Thing.__dlpack__(Thing) did not match C++ signature:",
    "__dlpack__() takes 1 positional argument but 2 were given",
    "__dlpack__(): incompatible function arguments. The following argument types are supported:",
]
"""Of CPython, Cython, mypyc, Boost.Python, pybind11 and nanobind."""


def test_a_modern_producer_is_called_once_with_our_version(lab, managed) -> None:
    source = Modern(managed().capsule)
    lab.Moved.from_dlpack(source)
    assert source.call.seen == [{"stream": None, "max_version": (1, 3), "dl_device": None, "copy": None}]


@pytest.mark.parametrize("versioned", [False, True])
@pytest.mark.parametrize("cls", [Modern, StreamOnly, NoKeywords])
def test_producers_of_every_age_are_understood(lab, managed, producer, cls: Any, versioned: bool) -> None:
    source = cls(managed(versioned).capsule)
    made = lab.Moved.from_dlpack(source)
    assert made.shape == (2, 3)
    assert len(source.call.seen) == 1
    del made
    assert producer.record() == DELETED_ONCE


@pytest.mark.parametrize("versioned", [False, True])
@pytest.mark.parametrize("name", ["Bare", "Pedantic"])
def test_producers_in_c_without_the_keyword_max_version_are_understood(
    lab, managed, producer, name: str, versioned: bool
) -> None:
    call = Call(managed(versioned).capsule)
    made = lab.Moved.from_dlpack(getattr(producer, name)(call))
    assert made.shape == (2, 3)
    assert len(call.seen) == 1
    del made
    assert producer.record() == DELETED_ONCE


@pytest.mark.parametrize("text", REFUSALS)
def test_every_refusal_of_a_keyword_leads_to_a_call_without_keywords(lab, managed, text: str) -> None:
    class Guarded:
        def __dlpack__(self, *args: Any, **keywords: Any) -> Any:
            if keywords:
                raise TypeError(text)
            return managed().capsule()

    assert lab.Moved.from_dlpack(Guarded()).shape == (2, 3)


def test_memory_that_arrow_shares_is_read_only(lab, managed) -> None:
    """pyarrow 16 exports its columns without the read-only flag, and they are not buffers."""

    class Column(NoKeywords):
        def __arrow_c_array__(self) -> None: ...

    assert [lab.Moved.from_dlpack(cls(managed(False).capsule)).readonly for cls in (NoKeywords, Column)] == [
        False,
        True,
    ]


@pytest.mark.parametrize("error", [LookupError, MemoryError])
def test_a_lookup_that_fails_does_not_make_memory_writable(lab, managed, producer, error: type[Exception]) -> None:
    """Whether Arrow shares the memory is unknown then."""

    class Meta(type):
        def __getattr__(cls, name: str) -> Any:
            raise error(name) if name == "__arrow_c_array__" else AttributeError(name)

    class Column(NoKeywords, metaclass=Meta):
        pass

    source = Column(managed(False).capsule)
    if error is MemoryError:
        with pytest.raises(MemoryError, match="__arrow_c_array__"):
            lab.Moved.from_dlpack(source)
    else:
        assert lab.Moved.from_dlpack(source).readonly is True
    assert producer.record() == DELETED_ONCE


class Unwilling(np.ndarray):
    """As arrays of NumPy before 2.1 are that are read-only, and before 1.25 those of bool."""

    refusal: BaseException = BufferError("Cannot export readonly array")

    def __getattribute__(self, name: str) -> Any:
        if name == "__dlpack__":
            raise self.refusal
        return super().__getattribute__(name)


def test_an_array_of_numpy_that_is_not_exported_is_a_buffer(lab) -> None:
    array = np.arange(6).reshape(2, 3).view(Unwilling)
    array.flags.writeable = False
    for _ in range(2):
        made = lab.Moved.from_dlpack(array)
        assert (made.shape, made.readonly) == ((2, 3), True)
        assert np.shares_memory(np.asarray(made), array)


def test_without_a_buffer_the_exception_of_dlpack_is_raised(lab) -> None:
    with pytest.raises(BufferError, match="Cannot export readonly array"):
        lab.Moved.from_dlpack(np.zeros(2, "M8[s]").view(Unwilling))


def test_an_interrupt_is_not_taken_for_a_refusal(lab) -> None:
    class Stopped(Unwilling):
        refusal = KeyboardInterrupt()

    with pytest.raises(KeyboardInterrupt):
        lab.Moved.from_dlpack(np.zeros(2).view(Stopped))


def raising(exception: BaseException) -> Callable[[], Any]:
    def answer() -> Any:
        raise exception

    return answer


INNER = [
    TypeError("unsupported operand type(s) for +: 'int' and 'str'"),
    TypeError("an integer is required (got type str)"),
    TypeError(),
    BufferError("not exportable"),
    ValueError("no such thing"),
    RuntimeError("max_version"),
    KeyboardInterrupt(),
    SystemExit(3),
    MemoryError(),
    GeneratorExit(),
    AttributeError("'Thing' object has no attribute 'inner'"),
]


@pytest.mark.parametrize("exception", INNER, ids=repr)
def test_an_exception_of_a_modern_producer_reaches_the_caller_after_one_call(lab, exception) -> None:
    source = Modern(raising(exception))
    with pytest.raises(type(exception)) as caught:
        lab.Moved.from_dlpack(source)
    assert caught.value is exception
    assert len(source.call.seen) == 1


SECOND = [ValueError("inner"), BufferError("inner"), TypeError("inner"), KeyboardInterrupt(), MemoryError()]


@pytest.mark.parametrize("cls", ["StreamOnly", "NoKeywords", "Bare", "Pedantic"])
@pytest.mark.parametrize("exception", SECOND, ids=repr)
def test_an_exception_of_the_call_without_keywords_reaches_the_caller(lab, producer, cls: str, exception) -> None:
    call = raising(exception)
    source = getattr(producer, cls)(call) if cls in ("Bare", "Pedantic") else globals()[cls](call)
    with pytest.raises(type(exception)) as caught:
        lab.Moved.from_dlpack(source)
    assert caught.value is exception


@pytest.mark.parametrize("cls", ["StreamOnly", "NoKeywords", "Bare", "Pedantic"])
def test_the_first_exception_is_raised_if_the_call_without_keywords_lacks_arguments(lab, producer, cls: str) -> None:
    def call() -> NoReturn:
        raise TypeError("__dlpack__() missing 1 required positional argument: 'stream'")

    source = getattr(producer, cls)(call) if cls in ("Bare", "Pedantic") else globals()[cls](call)
    with pytest.raises(TypeError, match=r"max_version|keyword|no arguments"):
        lab.Moved.from_dlpack(source)


def test_a_refused_fallback_does_not_destroy_a_capsule_while_an_exception_is_pending(lab, managed, producer) -> None:
    """The traceback of the second exception keeps the capsule; it is dropped together with that exception."""

    def answer() -> Any:
        capsule = managed().capsule()
        raise TypeError(f"takes no arguments, with {type(capsule).__name__} at hand")

    with pytest.raises(TypeError, match="max_version"):
        lab.Moved.from_dlpack(StreamOnly(answer))
    gc.collect()
    assert producer.record() == DELETED_ONCE


def test_a_capsule_in_the_traceback_of_a_refusal_is_destroyed_without_an_exception(lab, managed, producer) -> None:
    class Clumsy:
        def __dlpack__(self, **keywords: Any) -> Any:
            capsule = managed().capsule()
            if keywords:
                raise TypeError("__dlpack__() got an unexpected keyword argument 'max_version'")
            return capsule

    made = lab.Moved.from_dlpack(Clumsy())
    gc.collect()
    assert producer.record() == DELETED_ONCE
    del made
    assert producer.record() == DELETED_ONCE


@pytest.mark.parametrize("answer", [None, 1, "dltensor", (), object(), np.zeros(2), Modern])
def test_an_answer_that_is_no_capsule_is_a_type_error(lab, answer: Any) -> None:
    name = re.escape(type(answer).__name__)
    message = rf"probe\.Moved: __dlpack__\(\) of 'Modern' returned '.*{name}', not a capsule"
    with pytest.raises(TypeError, match=message):
        lab.Moved.from_dlpack(Modern(lambda: answer))


@pytest.mark.parametrize("container", [list, tuple, iter])
def test_a_capsule_inside_a_wrong_answer_is_destroyed_without_an_exception(
    lab, managed, producer, container: Any
) -> None:
    with pytest.raises(TypeError, match="not a capsule"):
        lab.Moved.from_dlpack(Modern(lambda: container([managed().capsule()])))
    assert producer.record() == DELETED_ONCE


@pytest.mark.parametrize("name", ["used_dltensor", "used_dltensor_versioned"])
def test_a_producer_that_answers_a_used_capsule_is_a_value_error(lab, managed, producer, name: str) -> None:
    tensor = managed("versioned" in name)
    with pytest.raises(ValueError, match=r"probe\.Moved: this DLPack capsule has been consumed already"):
        lab.Moved.from_dlpack(Modern(lambda: tensor.capsule(name)))
    assert producer.record() == (0, 0, 0)
    producer.delete(tensor.address, tensor.versioned, "here")


def test_the_second_producer_with_the_same_capsule_is_a_value_error(lab, managed, producer) -> None:
    capsule = managed().capsule()
    first = lab.Moved.from_dlpack(Modern(lambda: capsule))
    with pytest.raises(ValueError, match="consumed already"):
        lab.Moved.from_dlpack(Modern(lambda: capsule))
    del first
    assert producer.record() == DELETED_ONCE


@pytest.mark.parametrize("thing", [None, 1, "x", [1, 2], object(), type])
def test_the_message_names_the_type_of_an_object_without_dlpack(lab, thing: Any) -> None:
    message = (
        r"probe\.Moved: from_dlpack\(\) takes an object with __dlpack__\(\) or a buffer, "
        rf"not '{type(thing).__name__}'"
    )
    with pytest.raises(TypeError, match=message):
        lab.Moved.from_dlpack(thing)


@pytest.mark.parametrize("args", [(), (1, 2)])
def test_from_dlpack_takes_one_positional_argument(lab, args: tuple[Any, ...]) -> None:
    with pytest.raises(TypeError, match=r"from_dlpack\(\) takes exactly 1 positional argument \("):
        lab.Moved.from_dlpack(*args)
    with pytest.raises(TypeError, match=r"takes exactly 1 positional argument \(0 given\)"):
        lab.Moved.from_dlpack(x=np.zeros(3))
    with pytest.raises(TypeError, match=r"got an unexpected keyword argument 'x'"):
        lab.Moved.from_dlpack(np.zeros(3), x=np.zeros(3))


def test_a_lookup_that_fails_is_not_taken_for_a_missing_method(lab) -> None:
    class Broken:
        @property
        def __dlpack__(self) -> Any:
            raise ZeroDivisionError("in the lookup")

    with pytest.raises(ZeroDivisionError, match="in the lookup"):
        lab.Moved.from_dlpack(Broken())


def test_an_exception_that_cannot_be_printed_reaches_the_caller(lab) -> None:
    class Rude(TypeError):
        def __str__(self) -> str:
            raise ValueError("no text")

    with pytest.raises(Rude):
        lab.Moved.from_dlpack(Modern(raising(Rude())))


def test_a_producer_need_not_know_its_device(lab, managed) -> None:
    class Mute(Modern):
        def __dlpack_device__(self) -> Any:
            raise AssertionError("nobody should ask: the capsule tells")

    assert lab.Moved.from_dlpack(Mute(managed().capsule)).device == (1, 0)


def test_a_producer_can_import_in_dlpack(lab, managed, producer) -> None:
    def answer() -> Any:
        inner = lab.Moved.from_dlpack(Modern(managed().capsule))
        return inner.__dlpack__(max_version=(1, 0))

    made = lab.Moved.from_dlpack(Modern(answer))
    assert made.shape == (2, 3)
    assert producer.record() == (0, 0, 0)
    del made
    assert producer.record() == DELETED_ONCE


class Frozen(bytes):
    """Of the struct that cannot say read-only; its buffer does."""

    def __dlpack__(self) -> Any:
        return self.answer()

    answer: Callable[[], Any]


@pytest.mark.parametrize("elsewhere", [0, 4])
def test_a_read_only_buffer_makes_the_memory_of_an_older_struct_read_only(managed, lab, elsewhere: int) -> None:
    """A buffer that shows other memory does not."""
    given = Frozen(bytes(24 + elsewhere))
    tensor = managed(versioned=False, data=np.frombuffer(given, np.uint8).ctypes.data + elsewhere)
    given.answer = tensor.capsule
    assert lab.Moved.from_dlpack(given).readonly == (elsewhere == 0)


def test_the_offset_of_an_older_struct_is_part_of_its_address(managed, lab) -> None:
    given = Frozen(bytes(24))
    given.answer = managed(versioned=False, data=np.frombuffer(given, np.uint8).ctypes.data - 8, byte_offset=8).capsule
    assert lab.Moved.from_dlpack(given).readonly


def test_a_buffer_that_fails_does_not_make_memory_read_only(managed, lab) -> None:
    class Dated(np.ndarray):
        def __dlpack__(self, **keywords: Any) -> Any:
            return managed(versioned=False).capsule()

    given = np.zeros(3, "datetime64[s]").view(Dated)
    with pytest.raises(ValueError, match="buffer"):
        memoryview(given)
    assert not lab.Moved.from_dlpack(given).readonly


if sys.version_info >= (3, 12):  # buffers can be made in Python

    def test_an_interrupt_in_the_buffer_reaches_the_caller(managed, lab, producer) -> None:
        class Interrupted:
            def __dlpack__(self) -> Any:
                return managed(versioned=False).capsule()

            def __buffer__(self, flags: int) -> memoryview:
                raise KeyboardInterrupt

        with pytest.raises(KeyboardInterrupt):
            lab.Moved.from_dlpack(Interrupted())
        gc.collect()
        assert producer.record() == DELETED_ONCE
