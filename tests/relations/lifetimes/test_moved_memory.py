# SPDX-License-Identifier: MIT
"""Functions that move the memory of a struct that shows an array of Python, without 'invalidates': an error."""

from __future__ import annotations

import gc
import weakref
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from support.build import build_module

SPEC = """
module: shifting
include: shifting.h
arrays: Array
tensors:
  Tape:
    type: tape
    data: self->at
    dtype: float64
    shape: [self->n]
    release: tape_end(self)
    import: {set: {at: data, n: "shape[0]"}}
    new: {c: tape *tape_new(int n)}
    properties: {read: {get: self->n, set: {c: "int tape_set_n(tape *t, int n)", ok: == 0}}}
    methods:
      reverse: {c: void tape_reverse(tape *t)}
      skip: {c: "void tape_skip(tape *t, int n)"}
      resize: {c: "void tape_resize(tape *t, int n)", args: {t: {invalidates: true}}}
      use: {c: "void tape_use(tape *t, double *at, int n)", args: {t: {keeps: at}, n: {count_of: at}}}
  Frame:
    type: frame
    data: frame_pixels(self)
    dtype: uint8
    shape: [frame_height(self), frame_width(self)]
    strides: {outer: frame_pitch(self)}
    retain: frame_ref(self)
    release: frame_unref(self)
    import:
      require: [writable]
      construct: "frame_wrap(data, shape[0], shape[1], strides[0])"
    new: {c: "frame *frame_new(int64_t height, int64_t width)"}
  Ring:
    type: ring_t
    pass: value
    data: self->at
    dtype: int32
    shape: [self->n]
    release: ring_end(self)
    import: {construct: "ring_wrap(data, shape[0])"}
  Pair:
    type: pair
    match:
      of: self->wide
      arms:
        - {when: 0, dtype: uint8, data: self->low, shape: [self->n]}
        - {when: 1, dtype: uint16, data: self->high, shape: [self->n]}
    release: (void)self
    import:
      set: {wide: code, low: data, high: data, n: "shape[0]"}
functions:
  reverse: {c: void tape_reverse(tape *t)}
  sum_reversed: {c: double tape_sum_reversed(tape *t)}
  reversed_copy: {c: "tape *tape_reversed_copy(tape *t)"}
  fails: {c: int tape_fails(tape *t), ok: == 0}
  grow: {c: "void tape_grow(tape *t)"}
  shrink: {c: "void tape_shrink(tape *t)"}
  drop: {c: "void tape_drop(tape *t)"}
  steal: {c: "void tape_steal(tape *t)"}
  next: {c: double tape_next(tape *t)}
  swap: {c: "void tape_swap(tape *a, tape *b)"}
  maybe: {c: void tape_maybe(tape *t), args: {t: {optional: true}}}
  all_reversed:
    c: void tape_reverse_all(tape *const *all, int n)
    args: {all: {of: Tape}, n: {count_of: all}}
  unlocked: {c: void tape_reverse(tape *t), release_gil: true}
  frame_hide: {c: "void frame_hide(frame *f, int64_t height)"}
  frame_copy: {c: void frame_copy(frame *f)}
  frame_crop: {c: "void frame_crop(frame *f, int64_t rows)"}
  frame_stretch: {c: "void frame_stretch(frame *f)"}
  turn: {c: void ring_turn(ring_t r)}
  widen: {c: void pair_widen(pair *p)}
  renew: {c: void pair_renew(pair *p)}
  live: {c: int live_blocks(void)}
"""
HEADER = Path(__file__).with_name("shifting.h").read_text()
SOURCE = Path(__file__).with_name("shifting.c").read_text()


@pytest.fixture(scope="module")
def module(tmp_path_factory: pytest.TempPathFactory) -> ModuleType:
    return build_module("shifting", SPEC, tmp_path_factory.mktemp("shifting"), HEADER, SOURCE)


@pytest.fixture
def lib(module: ModuleType) -> Iterator[ModuleType]:
    yield module
    gc.collect()
    module.live()


def numbers() -> np.ndarray:
    return np.arange(4.0)


def given(function: str, name: str = "t") -> str:
    """Returns the error as a regular expression."""
    return rf"^{function}\(\) argument '{name}': after the call it points outside of .* 'invalidates: true'$"


def check_moved(call: Callable[[Any], Any], array: Any, told: str) -> None:
    """Checks that the call is an error, and that the array stays unchanged and is freed as usual."""
    before = array.tolist()
    array = array.view()  # before Python 3.11, the caller keeps what it has passed
    known = weakref.ref(array)
    with pytest.raises(BufferError, match=told):
        call(array)
    gc.collect()
    assert array.tolist() == before
    del array
    gc.collect()
    assert known() is None


class Capsules:
    """An array of which there are only capsules."""

    def __init__(self, array: np.ndarray, versioned: bool) -> None:
        self.array, self.version = array, (1, 0) if versioned else None

    def __dlpack__(self, **_: Any) -> object:
        return self.array.__dlpack__(max_version=self.version)

    def __dlpack_device__(self) -> tuple[int, int]:
        return (1, 0)


@pytest.mark.parametrize("versioned", [False, True])
def test_moved_memory_of_a_capsule_is_an_error(lib: ModuleType, versioned: bool) -> None:
    made = lib.Tape.from_dlpack(Capsules(numbers(), versioned))
    lib.next(made)
    with pytest.raises(BufferError, match=given("reverse")):
        lib.reverse(made)


WAYS = ["reverse", "sum_reversed", "reversed_copy", "grow", "drop", "steal", "maybe", "unlocked"]


@pytest.mark.parametrize("name", WAYS)
@pytest.mark.parametrize("as_object", [False, True])
def test_a_function_that_moves_the_memory_of_an_array_is_an_error(lib: ModuleType, name: str, as_object: bool) -> None:
    call = getattr(lib, name)
    check_moved(lambda x: call(lib.Tape.from_dlpack(x) if as_object else x), numbers(), given(name))


def test_a_method_or_attribute_that_moves_the_memory_is_an_error(lib: ModuleType) -> None:
    check_moved(lambda x: lib.Tape.from_dlpack(x).reverse(), numbers(), given("reverse", "self"))
    told = "^attribute 'read': after the call it points outside"
    check_moved(lambda x: setattr(lib.Tape.from_dlpack(x), "read", 9), numbers(), told)


def test_moved_memory_of_buffers_and_own_objects_is_an_error(lib: ModuleType) -> None:
    memory = bytearray(np.float64([1, 2]).tobytes())
    for _ in range(2):
        with pytest.raises(BufferError, match=given("reverse")):
            lib.reverse(memoryview(memory).cast("d"))
        with pytest.raises(BufferError, match=given("reverse")):
            lib.reverse(lib.Tape.from_dlpack(memoryview(memory).cast("d")))
        with pytest.raises(BufferError, match=given("reverse")):
            lib.reverse(lib.Tape.from_dlpack(lib.Tape(2)))
    memory.clear()


def test_moved_memory_of_one_of_several_arguments_is_an_error(lib: ModuleType) -> None:
    check_moved(lambda x: lib.swap(x, numbers()), numbers(), given("swap", "a"))
    array = numbers()
    check_moved(lambda x: lib.swap(lib.Tape.from_dlpack(x), array), numbers(), given("swap", "a"))


def test_moved_memory_of_an_item_of_a_list_is_an_error(lib: ModuleType) -> None:
    tapes = [lib.Tape(2), lib.Tape.from_dlpack(numbers())]
    for many in (tapes, tuple(tapes), tapes * 30):
        with pytest.raises(BufferError, match=given("all_reversed", "all")):
            lib.all_reversed(many)
    check_moved(lambda x: lib.all_reversed([lib.Tape(1), x]), numbers(), given("all_reversed", "all"))


def test_moved_memory_behind_accessors_is_an_error(lib: ModuleType) -> None:
    def pixels() -> np.ndarray:
        return np.arange(12, dtype=np.uint8).reshape(3, 4)

    for as_given in (lambda x: x, lib.Frame.from_dlpack):
        check_moved(lambda x, f=as_given: lib.frame_copy(f(x)), pixels(), given("frame_copy", "f"))
        check_moved(lambda x, f=as_given: lib.frame_stretch(f(x)), pixels(), given("frame_stretch", "f"))
    frame = lib.Frame(3, 4)
    lib.frame_copy(frame)
    assert frame.shape == (3, 4)


def test_moved_memory_behind_a_pointer_by_value_is_an_error(lib: ModuleType) -> None:
    check_moved(lib.turn, np.int32([1, 2]), given("turn", "r"))
    check_moved(lambda x: lib.turn(lib.Ring.from_dlpack(x)), np.int32([1, 2]), given("turn", "r"))


def test_moved_memory_of_a_variant_is_an_error(lib: ModuleType) -> None:
    check_moved(lib.renew, np.uint8([1, 2]), given("renew", "p"))
    check_moved(lib.widen, np.uint8([1, 2]), given("widen", "p"))
    lib.widen(np.uint16([1, 2]))


def test_the_error_of_the_call_comes_first(lib: ModuleType) -> None:
    with pytest.raises(RuntimeError, match=r"tape_fails\(\) failed"):
        lib.fails(numbers())


def test_the_object_keeps_the_array(lib: ModuleType) -> None:
    array = numbers()
    known = weakref.ref(array)
    tape = lib.Tape.from_dlpack(array)
    view = np.from_dlpack(tape)
    del array
    with pytest.raises(BufferError, match="invalidates"):
        tape.reverse()
    del tape
    gc.collect()
    assert view.tolist() == [0, 1, 2, 3]
    del view
    gc.collect()
    assert known() is None


def test_a_pointer_that_stays_in_the_array_is_accepted(lib: ModuleType) -> None:
    array = numbers()
    assert (lib.next(array), array.tolist()) == (0, [0, 1, 2, 3])
    lib.shrink(array)
    tape = lib.Tape.from_dlpack(array)
    assert [lib.next(tape) for _ in range(4)] == [0, 1, 2, 3]
    assert tape.shape == (0,)
    tape.skip(-4)
    assert np.from_dlpack(tape).tolist() == [0, 1, 2, 3]
    lib.shrink(tape)
    lib.grow(tape)
    tape.read = 3
    assert np.from_dlpack(tape).tolist() == [0, 1, 2]
    frame = lib.Frame.from_dlpack(np.arange(12, dtype=np.uint8).reshape(3, 4))
    lib.frame_crop(frame, 1)
    assert np.from_dlpack(frame).tolist() == [[4, 5, 6, 7], [8, 9, 10, 11]]


def test_a_state_that_shows_no_array_is_accepted(lib: ModuleType) -> None:
    frame = lib.Frame.from_dlpack(np.arange(12, dtype=np.uint8).reshape(3, 4))
    lib.frame_hide(frame, -1)
    with pytest.raises(BufferError, match=r"shape\[0\]"):
        np.from_dlpack(frame)
    lib.frame_hide(frame, 3)
    assert np.from_dlpack(frame)[2, 3] == 11


def test_memory_of_the_library_may_move(lib: ModuleType) -> None:
    first, second = lib.Tape(2), lib.Tape(3)
    lib.swap(first, second)
    assert (first.shape, second.shape) == ((3,), (2,))
    first.resize(9)
    lib.shrink(first)
    lib.maybe(None)
    assert first.shape == (4,)


def test_memory_of_an_array_that_the_object_keeps_is_accepted(lib: ModuleType) -> None:
    tape = lib.Tape.from_dlpack(numbers())
    tape.use(np.array([7.0, 8.0]))
    gc.collect()
    assert np.from_dlpack(tape).tolist() == [7, 8]


def test_an_object_that_keeps_an_array_still_shows_its_own(lib: ModuleType) -> None:
    array = numbers()
    tape = lib.Tape.from_dlpack(array)
    tape.use(array[1:])
    assert lib.next(tape) == 1
    assert np.from_dlpack(tape).tolist() == [2, 3]
    with pytest.raises(BufferError, match=given("reverse")):
        lib.reverse(tape)
