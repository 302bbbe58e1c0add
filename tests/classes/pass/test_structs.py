"""Structs that a library fills in memory of the caller, or passes by value, of objects that also have addresses."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

from support.build import build_module

SPEC = """
dlpack-bindgen: 1
module: structs
include: structs.h
tensors:
  Vec:
    type: vec
    data: self->v
    dtype: float64
    shape: [self->n]
    require: [{expr: self->itself == NULL || self->itself == self, message: it has moved}]
    release: vec_clear(self)
    allocate: {init: "vec_init(self, shape[0])", ok: == 0, require: [{ndim: 1}]}
    import: {set: {v: data, n: "shape[0]"}}
    new: {c: "int vec_init(vec *v, int64_t n)", args: {v: {out: true}}, ok: == 0, raises: {1: ValueError}}
    methods:
      split:
        c: int vec_split(const vec *v, int64_t at, vec *head, vec *tail)
        args: {head: {out: true}, tail: {out: true}}
        ok: == 0
        error: "head->n == at ? NULL : \\"nothing was split\\""
      fork:
        c: int vec_fork(const vec *v, int64_t n, vec *made, bool *same)
        args: {made: {out: true}, same: {out: true}}
        ok: == 0
      resize: {c: "int vec_resize(vec *v, int64_t n)", args: {v: {invalidates: true}}, ok: == 0}
      window: {c: "vec vec_window(vec v, int64_t first, int64_t n)", returns: {of: Vec, borrow: v}}
      double_: {c: "vec vec_twice(vec v)", args: {v: {writes: false}}, ok: "%.v != NULL"}
      sum: {c: double vec_sum(vec v), args: {v: {writes: false}}}
      watch: {c: "void vec_watch(vec *v, const vec *other)", args: {v: {keeps: other}}}
      clear: {c: void vec_clear(vec *v), args: {v: {takes: true}}}
handles:
  Log:
    type: struct log
    params: [int64_t level = 3]
    release: log_end(self, level)
    new: {c: "struct log log_start(int64_t level)"}
    methods: {room: {c: "int64_t log_room(struct log l)"}}
    properties: {level: level, start: self->start}
functions:
  live: {c: int64_t structs_live(void)}
  total: {c: "double vec_total(const vec *const *all, size_t n)", args: {n: {count_of: all}}}
"""
HEADER = Path(__file__).with_name("structs.h").read_text()
SOURCE = Path(__file__).with_name("structs.c").read_text()


@pytest.fixture(scope="module")
def structs_module(tmp_path_factory: pytest.TempPathFactory) -> ModuleType:
    return build_module("structs", SPEC, tmp_path_factory.mktemp("structs"), HEADER, SOURCE)


@pytest.fixture
def structs(structs_module: ModuleType) -> Iterator[ModuleType]:
    """Gives the module. After each test, no struct may be left, and none may have been cleared twice."""
    yield structs_module
    gc.collect()
    assert structs_module.live() == 0


# ---- Structs that are filled ----


def test_a_struct_is_filled_in_its_object(structs: ModuleType) -> None:
    vec = structs.Vec(3)
    np.from_dlpack(vec)[:] = [1, 2, 3]
    assert vec.sum() == 6
    vec.resize(5)
    assert np.from_dlpack(vec).tolist() == [1, 2, 3, 7, 7]
    vec.close()
    assert structs.live() == 0


def test_a_struct_that_could_not_be_filled_is_not_released(structs: ModuleType) -> None:
    with pytest.raises(ValueError, match=r"Vec\(\): vec_init\(\) failed"):
        structs.Vec(-1)
    with pytest.raises(RuntimeError, match="failed"):
        structs.Vec(-2)


def test_several_are_returned_together(structs: ModuleType) -> None:
    vec = structs.Vec.empty(4)
    np.from_dlpack(vec)[:] = [1, 2, 3, 4]
    head, tail = vec.split(1)
    del vec
    assert np.from_dlpack(head).tolist() == [1]
    assert np.from_dlpack(tail).tolist() == [2, 3, 4]
    made, same = head.fork(1)
    assert (made.shape, same) == ((1,), True)


def test_the_message_of_a_failure_can_use_the_struct(structs: ModuleType) -> None:
    with pytest.raises(RuntimeError, match="nothing was split"):
        structs.Vec(1).split(2)
    with pytest.raises(RuntimeError, match=r"vec_split\(\) failed"):
        structs.Vec(1).split(99)


def test_empty_fills_a_struct(structs: ModuleType) -> None:
    assert np.from_dlpack(structs.Vec.empty((2,))).tolist() == [0, 0]


def test_the_library_can_free_a_struct(structs: ModuleType) -> None:
    vec = structs.Vec(2)
    array = np.from_dlpack(vec)
    with pytest.raises(BufferError, match="in use"):
        vec.clear()
    del array
    vec.clear()
    assert structs.live() == 0
    with pytest.raises(ValueError, match="closed"):
        vec.sum()


def test_a_struct_that_was_freed_keeps_nothing(structs: ModuleType) -> None:
    vec = structs.Vec(2)
    vec.watch(structs.Vec(1))
    assert structs.live() == 2
    vec.clear()
    assert structs.live() == 0


# ---- Structs by value ----


def test_a_result_by_value_is_an_object(structs: ModuleType) -> None:
    vec = structs.Vec(2)
    np.from_dlpack(vec)[:] = [1, 2]
    twice = vec.double_()
    del vec
    assert np.from_dlpack(twice).tolist() == [2, 4]
    with pytest.raises(RuntimeError, match=r"vec_twice\(\) failed"):
        structs.Vec(0).double_()


def test_a_borrowed_struct_keeps_its_owner(structs: ModuleType) -> None:
    vec = structs.Vec(4)
    window = vec.window(1, 2)
    np.from_dlpack(window)[:] = 5
    assert vec.sum() == 10
    with pytest.raises(BufferError, match="in use"):
        vec.resize(9)
    del vec
    assert structs.live() == 1
    assert np.from_dlpack(window).tolist() == [5, 5]


def test_an_array_can_be_passed_as_a_struct_by_value(structs: ModuleType) -> None:
    assert structs.Vec.sum(structs.Vec.from_dlpack(np.ones(3))) == 3
    assert structs.total([structs.Vec(2), np.ones(2)]) == 2


def test_a_struct_keeps_its_params(structs: ModuleType) -> None:
    log = structs.Log(2)
    assert (log.level, log.start, log.room(), structs.live()) == (2, 200, 200, 2)
    log.close()
    assert structs.live() == 0
