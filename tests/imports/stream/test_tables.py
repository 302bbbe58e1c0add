# SPDX-License-Identifier: MIT
"""Streams and arrays of libraries that have an exchange table, but no `__dlpack__`: no function of a table waits."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from ctypes import POINTER, PYFUNCTYPE, addressof, c_char_p, c_int, c_int32, c_void_p, py_object
from types import ModuleType
from typing import Any

import pytest

from imports.stream.test_stream import LENGTH, REPEATS
from python.exchange import NAME, ExchangeAPI
from python.tensors import DLTensor, Versioned

_new_capsule = ctypes.pythonapi.PyCapsule_New
_new_capsule.restype, _new_capsule.argtypes = py_object, [c_void_p, c_char_p, c_void_p]
_pointer = ctypes.pythonapi.PyCapsule_GetPointer
_pointer.restype, _pointer.argtypes = c_void_p, [py_object, c_char_p]
_FROM = PYFUNCTYPE(c_int, py_object, POINTER(c_void_p))
_LEND = PYFUNCTYPE(c_int, py_object, POINTER(DLTensor))
_STREAM = PYFUNCTYPE(c_int, c_int32, c_int32, POINTER(c_void_p))


class Library:
    """A library whose arrays are those of `cards.Source`. `current` returns the stream of its work. `lends`: its table
    also describes arrays without an export."""

    def __init__(self, cards: ModuleType, current: Callable[[], int] | None, lends: bool = False) -> None:
        theirs = ExchangeAPI.from_address(_pointer(cards.Source.__dlpack_c_exchange_api__, NAME))

        def from_object(array: Any, out: Any) -> int:
            result = int(_FROM(theirs.from_object)(array.source, out))
            Versioned.from_address(out[0]).tensor.device_type = array.device
            return result

        def lend(array: Any, out: Any) -> int:
            if _LEND(theirs.view)(array.source, out) != 0:
                return -1
            out[0].device_type = array.device
            return 0

        def stream(device: int, number: int, out: Any) -> int:
            assert (device, number, current is not None) == (2, 0, True)
            handle = current() if current is not None else 0
            out[0] = handle
            return -1 if handle < 0 else 0

        self.callbacks = _FROM(from_object), _STREAM(stream), _LEND(lend)
        addresses = [ctypes.cast(each, c_void_p).value for each in self.callbacks]
        used = addresses[1] if current is not None else None
        functions = (theirs.allocator, addresses[0], theirs.to_object, addresses[2] if lends else None, used)
        self.api = ExchangeAPI(theirs.major, theirs.minor, None, *functions)

        class Array:
            __dlpack_c_exchange_api__ = _new_capsule(addressof(self.api), NAME, None)

            def __init__(self, source: Any, device: int = 2) -> None:
                self.source = source
                self.device = device

        self.array = Array


@pytest.fixture
def library(cards: ModuleType) -> Callable[..., Library]:
    made = []

    def make(current: Callable[[], int] | None, lends: bool = False) -> Library:
        made.append(Library(cards, current, lends))
        return made[-1]

    return make


def test_an_array_on_the_stream_of_the_function_is_taken(cards: ModuleType, library: Callable[..., Library]) -> None:
    ours = cards.Queue()
    source = cards.Source(ours, LENGTH)
    source.fill(7, REPEATS)
    array = library(lambda: ours.handle).array(source)
    assert ours.last(array) == cards.last_slab(ours, array) == cards.sum(ours, [array]) == 7
    assert cards.log() == "fill A\n" + "copy A\n" * 3
    cards.Keyword.from_dlpack(array, stream=ours.handle)


def test_an_array_on_the_default_stream_is_taken(cards: ModuleType, library: Callable[..., Library]) -> None:
    default = cards.default_queue()
    source = cards.Source(default, LENGTH)
    source.fill(7, REPEATS)
    array = library(lambda: 0).array(source)
    assert default.last(array) == 7
    cards.Keyword.from_dlpack(array, stream=1)


def test_an_array_on_the_cpu_is_taken_without_a_stream(cards: ModuleType, library: Callable[..., Library]) -> None:
    ours = cards.Queue()
    source = cards.Source(ours, LENGTH)
    ours.fill(library(None).array(source, device=1), 7)
    assert ours.last(source) == 7


def test_an_array_on_another_stream_is_refused(cards: ModuleType, library: Callable[..., Library]) -> None:
    ours, theirs = cards.Queue(), cards.Queue()
    array = library(lambda: theirs.handle).array(cards.Source(theirs, LENGTH))
    problem = rf"the array is on stream {theirs.handle}, and its library has no __dlpack__\(\) that makes stream "
    with pytest.raises(BufferError, match=rf"^last\(\) argument 'x': {problem}") as raised:
        ours.last(array)
    assert str(ours.handle) in str(raised.value)
    for call in (cards.last_slab, lambda q, x: cards.sum(q, [x])):
        with pytest.raises(BufferError, match=problem):
            call(ours, array)
    with pytest.raises(BufferError, match=r"^cards\.Keyword: the array is on stream "):
        cards.Keyword.from_dlpack(array, stream=ours.handle)
    cards.Keyword.from_dlpack(array)
    cards.Keyword.from_dlpack(array, stream=-1)
    assert cards.log() == ""


@pytest.mark.parametrize("lends", [False, True])
def test_an_array_on_another_stream_than_the_stream_of_the_class_is_refused(
    cards: ModuleType, library: Callable[..., Library], lends: bool
) -> None:
    """The function has no stream of its own: the import of the class has one."""
    theirs = cards.Queue()
    array = library(lambda: theirs.handle, lends).array(cards.Source(theirs, LENGTH))
    problem = rf"the array is on stream {theirs.handle}, and its library has no __dlpack__\(\) that makes stream "
    with pytest.raises(BufferError, match=problem):
        cards.OfThread.from_dlpack(array)
    with pytest.raises(BufferError, match=rf"^last_in_thread\(\) argument 's': {problem}2 wait"):
        cards.last_in_thread(array)
    with pytest.raises(BufferError, match=rf"^sum_in_thread\(\) argument 's': {problem}2 wait"):
        cards.sum_in_thread(array, array)
    assert cards.last_in_thread(library(lambda: 2, lends).array(cards.Source(theirs, LENGTH))) == 0


def test_a_stream_that_the_device_does_not_have_is_refused(cards: ModuleType, library: Callable[..., Library]) -> None:
    array = library(lambda: 0).array(cards.Source(cards.Queue(), LENGTH))
    with pytest.raises(ValueError, match=r"^last_on_stream\(\) argument 'x': stream=-2: on cuda it is "):
        cards.last_on_stream(array, -2)


@pytest.mark.parametrize("current", [None, lambda: -1])
def test_an_array_on_an_unknown_stream_is_refused(
    cards: ModuleType, library: Callable[..., Library], current: Any
) -> None:
    array = library(current).array(cards.Source(cards.Queue(), LENGTH))
    with pytest.raises(
        BufferError, match=r"^last\(\) argument 'x': the library of the array does not report its stream"
    ):
        cards.Queue().last(array)
