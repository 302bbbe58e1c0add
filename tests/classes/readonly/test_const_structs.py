# SPDX-License-Identifier: MIT
"""Structs that C calls `const` although they describe memory that may be written: `readonly` of the spec decides."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from support.build import build_module

SPEC = """
dlpack-bindgen: 1
module: borrowed
include: borrowed.h
tensors:
  Area:
    type: area
    data: self->cells
    dtype: int32
    shape: [self->count]
    readonly: 0
    properties: {mark: {get: self->mark, set: true}}
    parts: {name: halves, of: Half, count: 2}
  Half:
    type: area
    data: self->cells + half * (self->count / 2)
    dtype: int32
    shape: [self->count / 2]
    readonly: 0
    params: [int half]
  Silent: {type: quiet, data: self->area.cells, dtype: int32, shape: [self->area.count]}
  Closed: {type: closed, data: self->area.cells, dtype: int32, shape: [self->area.count], readonly: 1}
  Locked: {type: locked, data: self->area.cells, dtype: int32, shape: [self->area.count], readonly: self->area.mark}
  Arms:
    type: arms
    data: (void *)self->area.cells
    shape: [self->area.count]
    match:
      of: self->area.mark
      arms:
        - {when: 0, dtype: int32, readonly: 0}
        - {when: 1, dtype: uint32, readonly: 1}
        - {when: _, dtype: float32, readonly: 0}
  Few:
    type: few
    data: (void *)self->area.cells
    shape: [self->area.count]
    match:
      of: self->area.mark
      arms:
        - {when: 0, dtype: int32, readonly: 0}
        - {when: _, dtype: uint32}
  Taken:
    type: taken
    data: self->area.cells
    dtype: int32
    shape: [self->area.count]
    readonly: 0
    import: {set: {area.cells: data, area.count: "shape[0]"}}
    methods:
      inner: {c: "const area *taken_inner(taken *t)", args: {t: {writes: false}}, returns: {of: Area, borrow: t}}
handles:
  Pool:
    type: pool
    release: free(self)
    new: {c: pool *pool_new(void)}
    methods:
      area: {c: "const area *pool_area(pool *p)", returns: {of: Area, borrow: p}}
      own: {c: "area *pool_own(pool *p)", returns: {of: Area, borrow: p}}
      filled: {c: "int pool_filled(pool *p, const area **to)", args: {to: {out: true, of: Area, borrow: p}}, ok: == 0}
      silent: {c: "const quiet *pool_silent(pool *p)", returns: {of: Silent, borrow: p}}
      closed: {c: "const closed *pool_closed(pool *p)", returns: {of: Closed, borrow: p}}
      locked: {c: "const locked *pool_locked(pool *p)", returns: {of: Locked, borrow: p}}
      arms: {c: "const arms *pool_arms(pool *p)", returns: {of: Arms, borrow: p}}
      few: {c: "const few *pool_few(pool *p)", returns: {of: Few, borrow: p}}
      shared: {c: "const pool *pool_shared(pool *p)", returns: {of: Pool, borrow: p}}
      inside: {c: "area *pool_inside(const pool *p)", returns: {of: Area, borrow: p}}
      silent_inside: {c: "quiet *pool_silent_inside(const pool *p)", returns: {of: Silent, borrow: p}}
      mark: {c: "void pool_mark(const pool *p, int mark)"}
functions:
  made: {c: const area *made(void), returns: {of: Area, borrow: static}}
  fill: {c: "void area_fill(const area *a, int value)", args: {a: {of: Area, writes: true}}}
  total: {c: int area_total(const area *a), args: {a: Area}, returns: int}
  resize: {c: "void area_resize(area *a, int count)", args: {a: Area}}
  fill_closed: {c: "void closed_fill(const closed *a, int value)", args: {a: {writes: true}}}
  fill_silent: {c: "void quiet_fill(const quiet *a, int value)", args: {a: {writes: true}}}
  fill_locked: {c: "void locked_fill(const locked *a, int value)", args: {a: {writes: true}}}
  fill_taken: {c: "void taken_fill(const taken *a, int value)", args: {a: {writes: true}}}
  fill_all:
    c: void fill_all(const area *const *all, int n)
    args: {all: {of: Area, writes: true}, n: {count_of: all}}
"""
HEADER = Path(__file__).with_name("borrowed.h").read_text()


@pytest.fixture(scope="module")
def borrowed(tmp_path_factory: pytest.TempPathFactory) -> ModuleType:
    return build_module("borrowed", SPEC, tmp_path_factory.mktemp("borrowed"), HEADER)


def writable(made: Any) -> bool:
    """Tells if the object is writable, and checks that all exports agree."""
    found = np.from_dlpack(made).flags.writeable
    assert made.readonly is not found
    assert memoryview(made).readonly is not found
    try:
        made.__dlpack__()  # to who knows no read-only memory
    except BufferError:
        assert not found
    else:
        assert found
    return found


def refused(call: Callable[..., Any], *arguments: Any) -> None:
    with pytest.raises(BufferError, match="read-only"):
        call(*arguments)


@pytest.mark.parametrize("way", ["area", "filled", "own"])
def test_a_const_struct_that_declares_writable_memory_is_writable(borrowed: ModuleType, way: str) -> None:
    pool = borrowed.Pool()
    area = getattr(pool, way)()
    assert writable(area)
    np.from_dlpack(area)[1:] = 5
    assert borrowed.total(area) == 15
    borrowed.fill(area, 2)
    borrowed.fill_all([area])
    assert borrowed.total(area) == 4
    assert writable(area)


def test_a_static_const_struct_can_be_writable(borrowed: ModuleType) -> None:
    assert writable(borrowed.made())
    borrowed.fill(borrowed.made(), 3)
    assert np.from_dlpack(borrowed.made()).tolist() == [3] * 4


def test_the_struct_stays_const(borrowed: ModuleType) -> None:
    for area in (borrowed.made(), borrowed.Pool().area(), borrowed.Pool().filled()):
        refused(borrowed.resize, area, 2)
        refused(setattr, area, "mark", 1)
        assert area.shape == (4,) and area.mark == 0
    own = borrowed.Pool().own()
    borrowed.resize(own, 2)
    own.mark = 1
    assert own.shape == (2,) and own.mark == 1


def test_a_struct_without_readonly_is_as_const_as_the_prototype(borrowed: ModuleType) -> None:
    silent = borrowed.Pool().silent()
    assert not writable(silent)
    refused(borrowed.fill_silent, silent, 1)


def test_a_struct_that_declares_read_only_memory_is_read_only(borrowed: ModuleType) -> None:
    closed = borrowed.Pool().closed()
    assert not writable(closed)
    refused(borrowed.fill_closed, closed, 1)


def test_an_expression_of_readonly_is_evaluated_each_time(borrowed: ModuleType) -> None:
    pool = borrowed.Pool()
    locked = pool.locked()
    assert writable(locked)
    borrowed.fill_locked(locked, 1)
    pool.mark(1)
    assert not writable(locked)
    refused(borrowed.fill_locked, locked, 1)
    pool.mark(0)
    assert writable(locked)


def test_the_arms_of_a_match_decide(borrowed: ModuleType) -> None:
    pool = borrowed.Pool()
    arms = pool.arms()
    found = {}
    for mark in (0, 1, 2):
        pool.mark(mark)
        found[arms.dtype] = writable(arms)
    assert found == {"int32": True, "uint32": False, "float32": True}


def test_const_decides_where_an_arm_has_no_readonly(borrowed: ModuleType) -> None:
    pool = borrowed.Pool()
    few = pool.few()
    assert not writable(few)
    pool.mark(1)
    assert not writable(few)


def test_parts_of_a_const_struct_can_be_writable(borrowed: ModuleType) -> None:
    halves = borrowed.Pool().area().halves
    assert [writable(half) for half in halves] == [True, True]
    assert [writable(half) for half in borrowed.made().halves] == [True, True]


def test_an_object_in_a_const_handle_can_be_writable(borrowed: ModuleType) -> None:
    shared = borrowed.Pool().shared()
    inside = shared.inside()
    assert writable(inside)
    refused(borrowed.resize, inside, 2)
    assert not writable(shared.silent_inside())
    assert writable(borrowed.Pool().silent_inside())


def test_a_read_only_array_stays_read_only(borrowed: ModuleType) -> None:
    array = np.arange(4, dtype=np.int32)
    assert writable(borrowed.Taken.from_dlpack(array).inner())
    array.flags.writeable = False
    taken = borrowed.Taken.from_dlpack(array)
    assert not writable(taken)
    refused(borrowed.fill_taken, taken, 1)
    inner = taken.inner()
    assert not writable(inner)
    assert [writable(half) for half in inner.halves] == [False, False]
    refused(borrowed.fill, inner, 1)
    assert array.tolist() == [0, 1, 2, 3]
