"""Memory that no function may move, since others use it; and what must be there until a call has ended."""

from __future__ import annotations

import gc
from types import ModuleType

import numpy as np
import pytest

from support.build import build_module

SPEC = """
dlpack-bindgen: 1
module: moving
include: moving.h
handles:
  Box:
    type: box
    release: box_free(self)
    new: {c: box *box_new(void)}
    methods:
      buf: {c: buf *box_buf(box *x), returns: {of: Buf, borrow: x}}
tensors:
  Buf:
    type: buf
    data: self->data
    dtype: float64
    shape: [self->n]
    retain: buf_ref(self)
    release: buf_unref(self)
    release_on: gil
    methods: {resize: {c: "void buf_resize(buf *x, int n)", args: {x: {invalidates: true}}}}
  One:
    type: one
    data: self->data
    dtype: float64
    shape: [self->n]
    release: one_free(self)
    new: {c: one *one_new(int n)}
    methods:
      resize: {c: "void one_resize(one *x, int n)", args: {x: {of: One, invalidates: true}}}
      save:
        c: int one_save(one *x, const char *path)
        args: {x: One, path: path}
        ok: == 0
        raises: OSError
        finally: one_done(x)
      fail:
        c: int one_fails(one *x, const char *path)
        args: {x: One, path: path}
        ok: == 0
        raises: OSError
        undo: one_done(x)
  Named:
    type: one
    params: ["const char *name", int start = 0]
    data: self->data + start
    dtype: float64
    shape: [self->n - start]
    methods: {resize: {c: "void one_resize(one *x, int n)", args: {x: {of: Named, invalidates: true}}}}
functions:
  shared: {c: one *one_shared(void), returns: {of: One, borrow: static}}
  seen: {c: int one_seen(void)}
"""
HEADER = """
typedef struct { double *data; int n; } one;
one *one_new(int n);
void one_free(one *x);
void one_resize(one *x, int n);
int one_save(one *x, const char *path);
int one_fails(one *x, const char *path);
void one_done(one *x);
one *one_shared(void);
int one_seen(void);
typedef struct { double *data; int n, refs; } buf;
typedef struct { buf *b; } box;
box *box_new(void);
void box_free(box *x);
buf *box_buf(box *x);
void buf_ref(buf *x);
void buf_unref(buf *x);
void buf_resize(buf *x, int n);
"""
SOURCE = """
#include "moving.h"
#include <errno.h>
#include <stdlib.h>
static int seen;
static one *last;
static one for_good;
one *one_new(int n)
{
    one *x = calloc(1, sizeof *x);
    x->data = calloc((size_t)n, sizeof *x->data);
    x->n = n;
    return last = x;
}
void one_free(one *x) { last = NULL; free(x->data); free(x); }
void one_resize(one *x, int n) { x->data = realloc(x->data, sizeof(double) * (size_t)n); x->n = n; }
int one_save(one *x, const char *path) { (void)x; (void)path; errno = EAGAIN; return 1; }
int one_fails(one *x, const char *path) { return one_save(x, path); }
void one_done(one *x) { seen = x == last; }
one *one_shared(void)
{
    if (for_good.data == NULL) { for_good.data = calloc(8, sizeof(double)); for_good.n = 8; }
    return &for_good;
}
int one_seen(void) { int found = seen; seen = -1; return found; }
box *box_new(void)
{
    box *x = calloc(1, sizeof *x);
    x->b = calloc(1, sizeof *x->b);
    x->b->data = calloc(8, sizeof(double));
    x->b->n = 8;
    x->b->refs = 1;
    return x;
}
void box_free(box *x) { buf_unref(x->b); free(x); }
buf *box_buf(box *x) { return x->b; }
void buf_ref(buf *x) { x->refs++; }
void buf_unref(buf *x) { if (--x->refs == 0) { free(x->data); free(x); } }
void buf_resize(buf *x, int n) { x->data = realloc(x->data, sizeof(double) * (size_t)n); x->n = n; }
"""


@pytest.fixture(scope="module")
def moving(tmp_path_factory: pytest.TempPathFactory) -> ModuleType:
    return build_module("moving", SPEC, tmp_path_factory.mktemp("moving"), HEADER, SOURCE)


ELSEWHERE = "it lives in another object, or stays the library's"


def test_a_part_that_keeps_texts(moving: ModuleType) -> None:
    one = moving.One(100)
    memory = memoryview(one)
    with pytest.raises(BufferError, match=ELSEWHERE):
        one.named("abc").resize(10000)
    assert bytes(memory) == bytes(800)


def test_what_is_borrowed_and_released_with_the_gil(moving: ModuleType) -> None:
    box = moving.Box()
    memory = memoryview(box.buf())
    with pytest.raises(BufferError, match=ELSEWHERE):
        box.buf().resize(10000)
    assert bytes(memory) == bytes(64)


def test_what_stays_the_librarys(moving: ModuleType) -> None:
    memory = memoryview(moving.shared())
    with pytest.raises(BufferError, match=ELSEWHERE):
        moving.shared().resize(10000)
    assert bytes(memory) == bytes(64)


def test_what_nobody_else_uses_is_moved(moving: ModuleType) -> None:
    one = moving.One(4)
    one.resize(6)
    assert np.from_dlpack(one).shape == (6,)


class Closing:
    """A path that an OSError asks for a number (BlockingIOError), which closes the object of the call."""

    def __init__(self, target: object) -> None:
        self.target = target

    def __fspath__(self) -> str:
        return "file"

    def __index__(self) -> int:
        self.target.close()  # type: ignore[attr-defined]
        return 3


@pytest.mark.parametrize("method", ["save", "fail"])
def test_what_is_mentioned_at_the_end_is_there_until_then(moving: ModuleType, method: str) -> None:
    one = moving.One(4)
    with pytest.raises(BlockingIOError):
        getattr(one, method)(Closing(one))
    assert moving.seen() == 1
    with pytest.raises(ValueError, match="closed"):
        _ = one.shape
    gc.collect()
