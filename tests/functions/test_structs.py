"""Structs that a library fills in memory of the caller's, or passes by value, of objects that also have addresses."""

from __future__ import annotations

import gc
from collections.abc import Iterator
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
HEADER = """
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
typedef struct vec { double *v; int64_t n; const struct vec *itself; } vec;
struct log { int64_t start; };
int64_t structs_live(void);
int vec_init(vec *v, int64_t n);
void vec_clear(vec *v);
int vec_split(const vec *v, int64_t at, vec *head, vec *tail);
int vec_fork(const vec *v, int64_t n, vec *made, bool *same);
int vec_resize(vec *v, int64_t n);
void vec_watch(vec *v, const vec *other);
vec vec_window(vec v, int64_t first, int64_t n);
vec vec_twice(vec v);
double vec_sum(vec v);
double vec_total(const vec *const *all, size_t n);
struct log log_start(int64_t level);
void log_end(struct log *l, int64_t level);
int64_t log_room(struct log l);
"""
SOURCE = """
#include "structs.h"
#include <stdlib.h>
#include <string.h>
static int64_t live;
int64_t structs_live(void) { return live; }
int vec_init(vec *v, int64_t n)
{
    if (n < 0) { return n == -1 ? 1 : 2; }
    *v = (vec){calloc((size_t)n + 1, sizeof(double)), n, v};
    live++;
    return 0;
}
void vec_clear(vec *v) { live--; free(v->v); *v = (vec){0}; }
int vec_split(const vec *v, int64_t at, vec *head, vec *tail)
{
    if (at > v->n) { head->n = at == 99 ? at : 0; return 1; }
    (void)vec_init(head, at);
    (void)vec_init(tail, v->n - at);
    memcpy(head->v, v->v, sizeof(double) * (size_t)at);
    memcpy(tail->v, v->v + at, sizeof(double) * (size_t)(v->n - at));
    return 0;
}
int vec_fork(const vec *v, int64_t n, vec *made, bool *same) { *same = n == v->n; return vec_init(made, n); }
int vec_resize(vec *v, int64_t n)
{
    v->v = realloc(v->v, sizeof(double) * ((size_t)n + 1));
    for (int64_t i = v->n; i < n; i++) { v->v[i] = 7; }
    v->n = n;
    return 0;
}
void vec_watch(vec *v, const vec *other) { (void)v, (void)other; }
vec vec_window(vec v, int64_t first, int64_t n) { return (vec){v.v + first, n, NULL}; }
vec vec_twice(vec v)
{
    vec made = {0};
    if (v.n == 0) { return made; }
    (void)vec_init(&made, v.n);
    made.itself = NULL;
    for (int64_t i = 0; i < v.n; i++) { made.v[i] = 2 * v.v[i]; }
    return made;
}
double vec_sum(vec v) { double sum = 0; for (int64_t i = 0; i < v.n; i++) { sum += v.v[i]; } return sum; }
double vec_total(const vec *const *all, size_t n)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++) { sum += vec_sum(*all[i]); }
    return sum;
}
struct log log_start(int64_t level) { live += level; return (struct log){100 * level}; }
void log_end(struct log *l, int64_t level) { live -= level * (l->start != 0); }
int64_t log_room(struct log l) { return l.start; }
"""


@pytest.fixture(scope="module")
def structs_module(tmp_path_factory: pytest.TempPathFactory) -> ModuleType:
    return build_module("structs", SPEC, tmp_path_factory.mktemp("structs"), HEADER, SOURCE)


@pytest.fixture
def structs(structs_module: ModuleType) -> Iterator[ModuleType]:
    """In the end, nothing may be left, and nothing was cleared twice."""
    yield structs_module
    gc.collect()
    assert structs_module.live() == 0


# ---- Structs that are filled ----


def test_a_struct_is_filled_where_it_stays(structs: ModuleType) -> None:
    vec = structs.Vec(3)
    np.from_dlpack(vec)[:] = [1, 2, 3]
    assert vec.sum() == 6
    vec.resize(5)
    assert np.from_dlpack(vec).tolist() == [1, 2, 3, 7, 7]
    vec.close()
    assert structs.live() == 0


def test_one_that_could_not_be_filled_is_not_released(structs: ModuleType) -> None:
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


def test_the_message_of_a_failure_may_look_at_it(structs: ModuleType) -> None:
    with pytest.raises(RuntimeError, match="nothing was split"):
        structs.Vec(1).split(2)
    with pytest.raises(RuntimeError, match=r"vec_split\(\) failed"):
        structs.Vec(1).split(99)


def test_empty_fills_one(structs: ModuleType) -> None:
    assert np.from_dlpack(structs.Vec.empty((2,))).tolist() == [0, 0]


def test_a_struct_may_be_ended_by_the_library(structs: ModuleType) -> None:
    vec = structs.Vec(2)
    array = np.from_dlpack(vec)
    with pytest.raises(BufferError, match="in use"):
        vec.clear()
    del array
    vec.clear()
    assert structs.live() == 0
    with pytest.raises(ValueError, match="closed"):
        vec.sum()


def test_one_that_was_ended_keeps_nothing(structs: ModuleType) -> None:
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


def test_a_borrowed_result_keeps_what_it_lives_in(structs: ModuleType) -> None:
    vec = structs.Vec(4)
    window = vec.window(1, 2)
    np.from_dlpack(window)[:] = 5
    assert vec.sum() == 10
    with pytest.raises(BufferError, match="in use"):
        vec.resize(9)
    del vec
    assert structs.live() == 1
    assert np.from_dlpack(window).tolist() == [5, 5]


def test_an_array_is_passed_by_value(structs: ModuleType) -> None:
    assert structs.Vec.sum(structs.Vec.from_dlpack(np.ones(3))) == 3
    assert structs.total([structs.Vec(2), np.ones(2)]) == 2


def test_a_struct_keeps_its_params(structs: ModuleType) -> None:
    log = structs.Log(2)
    assert (log.level, log.start, log.room(), structs.live()) == (2, 200, 200, 2)
    log.close()
    assert structs.live() == 0
