# SPDX-License-Identifier: MIT
"""Objects in which C stores arrays and other objects keep these alive."""

from __future__ import annotations

import gc
import weakref
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

from support.build import build_module

SPEC = """
module: netted
include: netted.h
arrays: Array
tensors:
  Buffer:
    type: buffer
    data: self->data
    dtype: float64
    shape: [self->size]
    import: {set: {data: data, size: "shape[0]", mask: NULL}}
    methods:
      set_mask:
        c: void buffer_set_mask(buffer *b, const unsigned char *mask, int size)
        args: {b: {keeps: mask, replaces: true, invalidates: false}, size: {count_of: mask}}
      masked: {c: double buffer_masked(const buffer *b)}
handles:
  Layer:
    type: layer
    release: layer_free(self)
    new: {c: layer *layer_new(int factor)}
    properties: {factor: {get: self->factor, type: int}}
  Net:
    type: net
    release: net_free(self)
    new: {c: net *net_new(void)}
    properties: {input_count: {get: self->count, type: int}}
    methods:
      set_input:
        c: int net_set_input(net *n, const double *input, int count)
        args: {n: {keeps: input, replaces: true}, input: {optional: true}, count: {count_of: input}}
        ok: "== 0"
        raises: ValueError
      set_bounds:
        c: void net_set_bounds(net *n, const double low[2], double high[2])
        args: {n: {keeps: [low, high], replaces: true}}
      add:
        c: int net_add(net *n, layer *l)
        args: {n: {keeps: l}}
        ok: "== 0"
      add_slowly:
        c: int net_add(net *n, layer *l)
        args: {n: {keeps: l}}
        ok: "== 0"
        release_gil: true
      run: {c: double net_run(const net *n)}
      settings: {c: "settings *net_settings(net *n)", returns: {of: Settings, borrow: n}}
  Settings:
    type: settings
    methods:
      set_weights:
        c: void settings_set_weights(settings *s, const double *weights, int n)
        args: {s: {keeps: weights, replaces: true}, n: {count_of: weights}}
      sum: {c: double settings_sum(const settings *s)}
functions:
  mask:
    c: void buffer_set_mask(buffer *b, const unsigned char *mask, int size)
    args: {b: {keeps: mask}, size: {count_of: mask}}
  shared_settings: {c: "settings *settings_shared(void)", returns: {of: Settings, borrow: static}}
"""
HEADER = Path(__file__).with_name("netted.h").read_text()


@pytest.fixture(scope="module")
def lib(tmp_path_factory: pytest.TempPathFactory) -> ModuleType:
    return build_module("netted", SPEC, tmp_path_factory.mktemp("netted"), HEADER)


def watched(*values: float) -> tuple[np.ndarray, weakref.ref[np.ndarray]]:
    array = np.array(values, float)
    return array, weakref.ref(array)


def test_a_stored_array_lives_as_long_as_the_object(lib: ModuleType) -> None:
    net = lib.Net()
    array, alive = watched(1, 2, 3)
    net.set_input(array)
    del array
    gc.collect()
    assert (net.run(), alive() is not None) == (6, True)
    del net
    gc.collect()
    assert alive() is None


def test_the_next_call_releases_the_array_of_the_last_call(lib: ModuleType) -> None:
    net = lib.Net()
    arrays = [watched(number, number) for number in range(20)]
    seen = [alive for _, alive in arrays]
    while arrays:
        net.set_input(arrays.pop()[0])
        assert [alive() is not None for alive in seen].count(True) == len(arrays) + 1
    net.set_input(None)
    assert [alive() for alive in seen] == [None] * 20
    assert net.run() == 0


def test_the_array_of_another_function_stays(lib: ModuleType) -> None:
    net = lib.Net()
    (low, low_alive), (high, high_alive), (first, first_alive) = watched(10, 0), watched(0, 20), watched(1, 2)
    net.set_bounds(low, high)
    net.set_input(first)
    del low, high, first
    net.set_input(np.ones(4))
    assert (net.run(), first_alive()) == (34, None)
    net.set_bounds(np.zeros(2), np.zeros(2))
    assert (low_alive(), high_alive(), net.run()) == (None, None, 4)


def test_a_failed_call_releases_no_stored_array(lib: ModuleType) -> None:
    """Nobody knows which of the two arrays the library has stored."""
    net = lib.Net()
    (before, before_alive), (refused, refused_alive) = watched(1, 2), watched(*range(13))
    net.set_input(before)
    with pytest.raises(ValueError, match="set_input"):
        net.set_input(refused)
    del before, refused
    gc.collect()
    assert before_alive() is not None
    assert refused_alive() is not None
    net.set_input(np.ones(1))
    assert (before_alive(), refused_alive()) == (None, None)


@pytest.mark.parametrize("add", ["add", "add_slowly"])
def test_all_stored_objects_are_kept(lib: ModuleType, add: str) -> None:
    net = lib.Net()
    net.set_input(np.ones(2))
    for factor in (2, 3, 5):
        layer = lib.Layer(factor)
        getattr(net, add)(layer)
        layer.close()
    assert net.run() == 60
    with pytest.raises(TypeError, match=r"add\w*\(\) argument 'l'"):
        getattr(net, add)(np.ones(3))


def test_an_object_that_is_stored_many_times_is_kept(lib: ModuleType) -> None:
    net, layer = lib.Net(), lib.Layer(2)
    for _ in range(8):
        net.add(layer)
    with pytest.raises(RuntimeError, match="add"):
        net.add(layer)
    net.set_input(np.ones(1))
    del layer
    assert net.run() == 256


def test_arrays_of_a_borrowed_object_are_kept_with_its_owner(lib: ModuleType) -> None:
    net = lib.Net()
    weights, alive = watched(1, 2)
    settings = net.settings()
    settings.set_weights(weights)
    del weights, settings
    gc.collect()
    assert alive() is not None
    assert net.settings().sum() == 3
    net.settings().set_weights(np.ones(5))
    assert (alive(), net.settings().sum()) == (None, 5)


def test_a_struct_that_was_made_of_an_array_keeps_too(lib: ModuleType) -> None:
    buffer, mask = lib.Buffer.from_dlpack(np.arange(4.0)), np.array([0, 1, 1, 0], np.uint8)
    alive = weakref.ref(mask)
    buffer.set_mask(mask)
    del mask
    gc.collect()
    assert buffer.masked() == 3
    shown = np.asarray(buffer)
    del buffer
    assert alive() is not None
    del shown
    assert alive() is None


def test_an_array_is_not_converted_to_an_object_that_keeps_arguments(lib: ModuleType) -> None:
    with pytest.raises(TypeError, match=r"^mask\(\) argument 'b' must be Buffer, not numpy\.ndarray$"):
        lib.mask(np.arange(4.0), np.zeros(4, np.uint8))


def test_an_object_that_the_library_never_frees_stores_nothing(lib: ModuleType) -> None:
    with pytest.raises(TypeError, match="only the library knows when it is freed"):
        lib.shared_settings().set_weights(np.ones(2))
    assert lib.shared_settings().sum() == 0


def test_an_array_that_is_kept_many_times_is_freed_without_recursion(tmp_path: Path) -> None:
    spec = """
module: many
include: many.h
arrays: Array
handles:
  Pool:
    type: pool
    release: free(self)
    new: {c: pool *pool_new(void)}
    properties: {first: "self->last[0]"}
    methods:
      add:
        c: void pool_add(pool *p, const char *bytes)
        args: {p: {keeps: bytes}, bytes: {of: bytes, require: []}}
"""
    header = """
#include <stdlib.h>
typedef struct pool { const char *last; } pool;
static inline pool *pool_new(void) { return calloc(1, sizeof(pool)); }
static inline void pool_add(pool *p, const char *bytes) { p->last = bytes; }
"""
    module = build_module("many", spec, tmp_path, header)
    pool, array, pools = module.Pool(), np.array([7], np.uint8), weakref.WeakSet()
    alive = weakref.ref(array)
    for _ in range(200_000):
        pool.add(array)
    pools.add(pool)
    assert pool.first == 7
    del pool, array
    gc.collect()
    assert (alive(), len(pools)) == (None, 0)


def test_docstrings_say_which_object_keeps_which_argument(lib: ModuleType) -> None:
    assert "This object keeps `input` alive from now on, until the next call." in lib.Net.set_input.__doc__
    assert "This object keeps `l` alive from now on." in lib.Net.add.__doc__
