# SPDX-License-Identifier: MIT
"""`sys.getsizeof()` counts the elements that an object owns, and no memory that belongs to another object."""

from __future__ import annotations

import sys
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from support.build import build_module

SPEC = """
dlpack-bindgen: 1
module: sizes
include: sizes.h
arrays: Array
records: {item: [kind, weight]}
tensors:
  Vec:
    type: vec
    data: self->at
    dtype: float64
    shape: [self->n]
    release: vec_free(self)
    new: {c: vec *vec_new(long n)}
    import: {set: {at: data, n: "shape[0]"}}
    methods:
      same: {c: vec *vec_same(vec *v), returns: {of: Vec, borrow: v}}
      set_length: {c: "void vec_set_length(vec *v, long n)"}
      part: {c: "double *vec_part(vec *v, long n)", returns: {of: array, shape: [n], borrow: v}}
  Copied:
    type: vec
    data: self->at
    dtype: float64
    shape: [self->n]
    import: {copy: allowed, cast: safe, set: {at: data, n: "shape[0]"}}
  Leased:
    type: kept
    data: self->at
    dtype: float64
    shape: [self->n]
    release: kept_free(self)
    import: {copy: allowed, construct: "kept_new(data, shape[0], deleter, user)", deleter: [user]}
  Rows:
    type: rows
    data: self->at
    dtype: uint8
    shape: [self->height, self->width]
    strides: {outer: self->pitch, unit: bytes}
    release: rows_free(self)
    new: {c: "rows *rows_new(long height, long width, long pitch)"}
  Items:
    type: items
    data: self->at
    dtype: {c: item}
    shape: [self->n]
    release: items_free(self)
    new: {c: items *items_new(long n)}
  Locked:
    type: locked
    data: self->at
    dtype: float64
    shape: [self->n]
    acquire: {do: locked_acquire(self), ok: "== 0"}
    restore: locked_restore(self)
    release: locked_free(self)
    new: {c: "locked *locked_new(long n, int fails)"}
handles:
  Pair:
    type: pair
    release: pair_free(self)
    new: {c: pair *pair_new(long n)}
    methods: {first: {c: vec *pair_first(pair *p), returns: {of: Vec, borrow: p}}}
functions:
  ones: {c: double *ones(long n), returns: {of: array, shape: [n]}, finally: free(result)}
  fixed: {c: const double *fixed(void), returns: {of: array, shape: ["4"], borrow: static}}
  total: {c: "double total(const double *x, long n)", args: {n: {count_of: x}}}
"""
HEADER = """\
#include <stdlib.h>
typedef struct vec { double *at; long n; } vec;
typedef struct kept { double *at; long n; void (*deleter)(void *); void *user; } kept;
typedef struct rows { unsigned char *at; long height, width, pitch; } rows;
typedef struct item { short kind; double weight; } item;
typedef struct items { item *at; long n; } items;
typedef struct locked { double *at; long n; int fails; } locked;
typedef struct pair { vec first, second; } pair;
static inline vec *vec_new(long n) { vec *v = malloc(sizeof *v); *v = (vec){calloc((size_t)n + 1, 8), n}; return v; }
static inline void vec_free(vec *v) { free(v->at); free(v); }
static inline vec *vec_same(vec *v) { return v; }
static inline void vec_set_length(vec *v, long n) { v->n = n; }
static inline double *vec_part(vec *v, long n) { (void)n; return v->at; }
static inline kept *kept_new(double *at, long n, void (*deleter)(void *), void *user)
{
    kept *k = malloc(sizeof *k);
    *k = (kept){at, n, deleter, user};
    return k;
}
static inline void kept_free(kept *k) { k->deleter(k->user); free(k); }
static inline rows *rows_new(long height, long width, long pitch)
{
    rows *r = malloc(sizeof *r);
    *r = (rows){calloc((size_t)height, (size_t)pitch), height, width, pitch};
    return r;
}
static inline void rows_free(rows *r) { free(r->at); free(r); }
static inline items *items_new(long n)
{
    items *i = malloc(sizeof *i);
    *i = (items){calloc((size_t)n, sizeof(item)), n};
    return i;
}
static inline void items_free(items *i) { free(i->at); free(i); }
static inline locked *locked_new(long n, int fails)
{
    locked *l = malloc(sizeof *l);
    *l = (locked){calloc((size_t)n + 1, 8), n, fails};
    return l;
}
static inline int locked_acquire(locked *l) { return l->fails; }
static inline void locked_restore(locked *l) { (void)l; }
static inline void locked_free(locked *l) { free(l->at); free(l); }
static inline pair *pair_new(long n)
{
    pair *p = malloc(sizeof *p);
    *p = (pair){{calloc((size_t)n + 1, 8), n}, {calloc((size_t)n + 1, 8), n}};
    return p;
}
static inline void pair_free(pair *p) { free(p->first.at); free(p->second.at); free(p); }
static inline vec *pair_first(pair *p) { return &p->first; }
static inline double *ones(long n)
{
    double *x = malloc((size_t)n * 8 + 1);
    for (long i = 0; i < n; i++) { x[i] = 1; }
    return x;
}
static inline const double *fixed(void)
{
    static const double four[4] = {1, 2, 3, 4};
    return four;
}
static inline double total(const double *x, long n) { return n > 0 ? x[0] : 0; }
"""


@pytest.fixture(scope="module")
def lib(tmp_path_factory: pytest.TempPathFactory) -> ModuleType:
    return build_module("sizes", SPEC, tmp_path_factory.mktemp("sizes"), HEADER)


def elements(made: Any) -> int:
    """Returns the bytes that are counted beside the Python object."""
    return sys.getsizeof(made) - object.__sizeof__(made)


def test_an_object_counts_the_elements_that_it_owns(lib: ModuleType) -> None:
    assert elements(lib.Vec(1_000_000)) == 8_000_000
    assert elements(lib.Vec(0)) == 0
    assert elements(lib.Rows(3, 5, 16)) == 2 * 16 + 5
    assert elements(lib.Items(3)) == 48
    assert elements(lib.ones(3)) == 24


def test_an_object_counts_no_memory_of_others(lib: ModuleType) -> None:
    made = lib.Vec(10)
    array = np.zeros(10)
    assert elements(made.same()) == elements(made.part(4)) == elements(lib.Pair(5).first()) == 0
    assert elements(lib.Vec.from_dlpack(array)) == elements(lib.Vec.from_dlpack(made)) == 0
    assert elements(lib.Leased.from_dlpack(array)) == elements(lib.Array.from_dlpack(array)) == 0
    assert elements(lib.fixed()) == 0
    assert elements(made) == 80


def test_an_import_counts_its_copy(lib: ModuleType) -> None:
    array = np.zeros(10)
    assert elements(lib.Copied.from_dlpack(array)) == 0
    assert elements(lib.Copied.from_dlpack(array, copy=True)) == 80
    assert elements(lib.Copied.from_dlpack(array[::2])) == 40
    assert elements(lib.Copied.from_dlpack(array.astype("f4"))) == 80
    assert elements(lib.Leased.from_dlpack(array[::2])) == 40


def test_an_object_that_cannot_be_described_counts_itself(lib: ModuleType) -> None:
    made = lib.Vec(4)
    made.set_length(-1)
    assert elements(made) == 0
    made.set_length(2**62)
    assert elements(made) == 0
    made.set_length(4)
    assert elements(made) == 32
    made.close()
    assert elements(made) == 0
    assert (elements(lib.Locked(3, 0)), elements(lib.Locked(3, 1))) == (24, 0)
    assert elements(lib.Pair(5)) == 0


def test_elements_that_a_closed_object_leaves_to_its_arrays_are_not_counted(lib: ModuleType) -> None:
    made = lib.Vec(4)
    array = np.from_dlpack(made)
    assert elements(made) == 32
    made.close()
    assert (elements(made), array.nbytes) == (0, 32)
