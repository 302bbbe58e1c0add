"""Objects that have the addresses of arrays: `keeps` of several arguments, arrays among them."""

from __future__ import annotations

import array
import gc
import weakref
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

from python.leaks import assert_no_growth, counters, refused, warm_up
from support.build import build_module

HEADER = Path(__file__).with_name("kept_arrays.h").read_text()
SOURCE = Path(__file__).with_name("kept_arrays.c").read_text()
SPEC = """
module: kept_arrays
include: kept_arrays.h
arrays: Array
tensors:
  Page:
    type: page
    data: self->numbers
    dtype: float64
    shape: [2]
    acquire: page_lock(self)
    restore: page_unlock(self)
    release: free(self)
    new: {c: page *page_new(void)}
    methods: {locks: {c: int page_locks(const page *p)}}
handles:
  Pool:
    type: pool
    release: pool_free(self)
    new: {c: pool *pool_new(void)}
    methods:
      plan:
        c: plan *plan_within(pool *home, int n, const double *from_, double *to)
        args: {n: {count_of: to}, from_: {optional: true, require: [{count: n}]}}
        keyword_only: [from_]
        returns: {of: Plan, keeps: [home, from_, to]}
  Plan:
    type: plan
    release: plan_free(self)
    new:
      c: plan *plan_new(int n, const double *from_, double *to)
      args: {n: {count_of: from_}}
      returns: {of: Plan, keeps: [from_, to]}
    methods:
      of:
        c: plan *plan_new(int n, const double *from_, double *to)
        args: {n: {count_of: from_}, to: {default: like from_}}
        returns: {of: Plan, keeps: [from_, to]}
      find:
        c: int plan_find(int n, double *to, plan **made)
        args: {n: {count_of: to}, made: {out: true, of: Plan, keeps: to}}
        ok: == 0
      run: {c: void plan_run(plan *p)}
"""


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> ModuleType:
    return build_module("kept_arrays", SPEC, tmp_path_factory.mktemp("kept_arrays"), HEADER, SOURCE)


@pytest.fixture
def lib(built: ModuleType) -> ModuleType:
    assert counts(built) == (0, 0)
    return built


def counts(lib: ModuleType) -> tuple[int, ...]:
    """Returns the number of plans that live, and of plans that lived longer than their pool."""
    return counters(lib, "plans_live", "too_late")


class Watched(np.ndarray):
    """An array that can be referenced weakly."""


def watched(count: int) -> Watched:
    return np.arange(float(count)).view(Watched)


def test_kept_arrays_live_as_long_as_the_object(lib: ModuleType) -> None:
    source, target = watched(4), watched(4)
    ends = [weakref.ref(source), weakref.ref(target)]
    shown = np.asarray(target)
    plan = lib.Plan(source, target)
    del source, target
    plan.run()
    assert shown.tolist() == [0, 3, 6, 9]
    del shown
    gc.collect()
    assert all(end() is not None for end in ends)
    del plan
    assert counts(lib) == (0, 0)
    assert all(end() is None for end in ends)


def test_an_output_keeps_an_array(lib: ModuleType) -> None:
    target = watched(3)
    end, plan = weakref.ref(target), lib.Plan.find(target)
    plan.run()
    assert target.tolist() == [0, 1, 2]
    del target
    assert end() is not None
    plan.close()
    assert end() is None
    assert counts(lib) == (0, 0)


def test_a_new_output_is_kept(lib: ModuleType) -> None:
    plan, target = lib.Plan.of(np.array([1.0, 2.0]))
    plan.run()
    assert memoryview(target).tolist() == [3, 6]
    target.close()
    plan.run()
    del plan
    assert counts(lib) == (0, 0)


def test_an_object_and_arrays_are_kept_together(lib: ModuleType) -> None:
    pool, target = lib.Pool(), np.zeros(2)
    plan = pool.plan(target, from_=np.array([1.0, 2.0]))
    without = pool.plan(target)
    pool.close()
    plan.run()
    assert target.tolist() == [3, 6]
    without.run()
    assert target.tolist() == [0, 1]
    del plan, without
    assert counts(lib) == (0, 0)


def test_memory_that_could_move_is_locked(lib: ModuleType) -> None:
    numbers = array.array("d", [1.0, 2.0])
    plan = lib.Plan(numbers, np.zeros(2))
    with pytest.raises(BufferError):
        numbers.append(3.0)
    del plan
    assert counts(lib) == (0, 0)
    numbers.append(3.0)


def test_own_objects_are_kept(lib: ModuleType) -> None:
    both = lib.Array.from_dlpack(np.array([1.0, 2.0]))
    plan = lib.Plan(both, both)
    shown = np.asarray(both)
    both.close()
    plan.run()
    assert shown.tolist() == [3, 6]
    del plan
    assert counts(lib) == (0, 0)


def test_a_kept_object_stays_exported(lib: ModuleType) -> None:
    page = lib.Page()
    plan = lib.Plan(page, np.zeros(2))
    assert page.locks() == 1
    del plan
    assert (counts(lib), page.locks()) == ((0, 0), 0)


@pytest.mark.parametrize(
    ("source", "target", "exception", "message"),
    [
        ([1.0, 2.0], np.zeros(2), TypeError, r"^Plan\(\) argument 'from_' must be an array, not list$"),
        (np.zeros(4)[::2], np.zeros(2), BufferError, r"^Plan\(\) argument 'from_': the array must be compact"),
        (np.zeros(2), np.zeros(2, np.float32), BufferError, r"^Plan\(\) argument 'to': the dtype is float32, not"),
        (np.zeros(2), np.zeros(3), ValueError, r"^Plan\(\) argument 'to' must have 2 elements, not 3$"),
        (np.zeros(2), bytes(16), BufferError, r"^Plan\(\) argument 'to': the array is read-only"),
        (np.zeros(0), np.zeros(0), RuntimeError, "plan_new"),
    ],
)
def test_arrays_that_cannot_be_kept_are_refused(
    lib: ModuleType, source: object, target: object, exception: type, message: str
) -> None:
    with pytest.raises(exception, match=message):
        lib.Plan(source, target)
    assert counts(lib) == (0, 0)


def test_kept_arrays_leak_nothing(lib: ModuleType) -> None:
    source, target, pool = np.zeros(3), np.zeros(3), lib.Pool()

    def everything() -> None:
        lib.Plan(source, target)
        lib.Plan.of(source)
        lib.Plan.find(target)
        pool.plan(target, from_=source)
        refused(ValueError, lambda: lib.Plan(source, np.zeros(2)))()
        refused(BufferError, lambda: lib.Plan(np.zeros(6)[::2], target))()
        refused(RuntimeError, lambda: lib.Plan(np.zeros(0), np.zeros(0)))()

    warm_up(everything)
    assert_no_growth(everything)
