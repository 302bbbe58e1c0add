"""Objects that are used by a call while other code ends them: what waits for the thread that made it, and what the
collector finds. Ended objects of this library are marked, not freed, so that a use of one is seen."""

from __future__ import annotations

import gc
import threading
from collections.abc import Iterator
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from functions.arrays_producers import Ending
from support.build import build_extension, import_extension

HEADER = """
#include <dlpack/dlpack.h>
#include <stdlib.h>
typedef struct mat {
    double *data;
    int rows, columns, step; /* from element to element */
    int ended;
} mat;
typedef struct local {
    double *data;
    int count, owns;
} local;

mat *mat_new(int rows, int columns, int step);
void mat_end(mat *self);
int mats_freed(void);
double mats_last(void); /* the first element of the one that was ended last */
local *local_new(int count);
local *local_around(double *data, int count);
void local_free(local *self);

static inline int both(const mat *a, local *b) { return a->ended + 0 * b->count; }
static inline local *derived(const mat *a) { return a->ended ? NULL : local_new(a->rows); }
static inline int fill(DLTensor *x, int *first, int *second)
{
    double *const data = x->data;

    for (int64_t i = 0; i < x->shape[0] * x->shape[1]; i++) {
        data[i] = 7;
    }
    *first = 1;
    *second = 2;
    return 3;
}
"""
SOURCE = """
#include "ends.h"

mat *mat_new(int rows, int columns, int step)
{
    mat *const made = calloc(1, sizeof *made);

    if (made != NULL) {
        *made = (mat){calloc((size_t)(rows * columns * step), sizeof(double)), rows, columns, step, 0};
    }
    return made;
}

static mat *ended;
static double last;

/* Freed by mats_freed(). */
void mat_end(mat *self)
{
    self->ended = 1;
    last = self->data[0];
    free(self->data);
    self->data = NULL;
    ended = self;
}

int mats_freed(void)
{
    const int any = ended != NULL;

    free(ended);
    ended = NULL;
    return any;
}

double mats_last(void)
{
    return last;
}

local *local_around(double *data, int count)
{
    local *const made = calloc(1, sizeof *made);

    if (made != NULL) {
        *made = (local){data, count, 0};
    }
    return made;
}

local *local_new(int count)
{
    local *const made = local_around(calloc((size_t)count, sizeof(double)), count);

    if (made != NULL) {
        made->owns = 1;
    }
    return made;
}

void local_free(local *self)
{
    if (self->owns) {
        free(self->data);
    }
    free(self);
}
"""
SPEC = """
module: ends
include: [ends.h]
tensors:
  Mat:
    type: mat
    data: self->data
    dtype: float64
    shape: [self->rows, self->columns]
    strides: {list: [self->columns * self->step, self->step]}
    release: mat_end(self)
    new: {c: "mat *mat_new(int rows, int columns, int step)"}
  Local:
    type: local
    data: self->data
    dtype: float64
    shape: [self->count]
    release: local_free(self)
    release_on: creator
    new: {c: local *local_new(int count)}
    import: {require: [writable, compact], construct: "local_around(data, (int)shape[0])", ok: "!= NULL"}
functions:
  freed: {c: int mats_freed(void)}
  last: {c: double mats_last(void)}
  both: {c: "int both(const mat *a, local *b)"}
  derived: {c: "local *derived(const mat *a)", returns: {of: Local, keeps: a}}
  fill:
    c: int fill(DLTensor *x, int *first, int *second)
    args:
      x: {require: [{dtype: float64}, compact, {ndim: 2}], copy: allowed}
      first: {out: true}
      second: {out: true}
"""


@pytest.fixture(scope="module")
def ends(tmp_path_factory: pytest.TempPathFactory) -> ModuleType:
    folder = tmp_path_factory.mktemp("ends")
    return import_extension("ends", build_extension("ends", SPEC, folder, files={"ends.h": HEADER, "ends.c": SOURCE}))


@pytest.fixture
def mat(ends: ModuleType) -> Iterator[Any]:
    made = ends.Mat(300, 2, 2)
    yield made
    made.close()
    gc.collect()
    assert ends.freed() == 1


def leave_waiting(ends: ModuleType, mat: Any) -> None:
    """A Local that this thread is to finish; its memory, let go of, closes the Mat."""
    box = [ends.Local.from_dlpack(Ending(np.zeros(2), mat.close))]
    thread = threading.Thread(target=box.clear)
    thread.start()
    thread.join()


def test_looking_at_one_argument_closes_another(ends: ModuleType, mat: Any) -> None:
    local = ends.Local(4)
    leave_waiting(ends, mat)
    assert ends.both(mat, local) == 0
    with pytest.raises(ValueError, match=r"^both\(\) argument 'a' is closed$"):
        ends.both(mat, local)


def test_the_result_ends_what_it_keeps(ends: ModuleType, mat: Any) -> None:
    leave_waiting(ends, mat)
    made = ends.derived(mat)
    assert made.shape == (300,) and repr(mat) == "<ends.Mat, closed>"
    assert ends.freed() == 0, "it is still kept"
    del made


def test_the_collector_closes_what_was_copied(ends: ModuleType, mat: Any) -> None:
    """The tuple of the results starts it, before the copy is written back."""

    class Cycle:
        def __init__(self) -> None:
            self.me = self

        def __del__(self) -> None:
            closed.append(mat.close())

    closed: list[None] = []
    threshold = gc.get_threshold()
    gc.disable()
    kept = [(i, i, i) for i in range(5000)]  # no tuple comes from a list of free ones
    Cycle()
    gc.set_threshold(1)
    gc.enable()
    try:
        assert ends.fill(mat) == (3, 1, 2)
    finally:
        gc.set_threshold(*threshold)
    assert closed == [None] and len(kept) == 5000
    assert ends.last() == 7
