"""Functions that return what they were given, but not as one object of that class by pointer: it has one owner too."""

from __future__ import annotations

import ctypes
import gc
from types import ModuleType

import pytest

from support.build import build_module

HEADER = """
#include <stdlib.h>
typedef struct image { unsigned char v[16]; int n; } image;
typedef struct context { int calls; } context;
typedef struct task { context *c; } task;
typedef struct buffer { char *v; size_t n; } buffer;
typedef int file;
extern int live;
image *image_new(int n);
void image_free(image *m);
image *image_largest(image *const *list, size_t n);
int image_extremes(image *const *list, size_t n, image **least, image **most);
image *image_inverted(image *m, int copies);
image *image_rows(image *m, int copies, int rows);
context *context_new(void);
void context_free(context *c);
task *task_new(context *c);
void task_free(task *t);
context *task_flushed(context *c, task *t, int fresh);
buffer buffer_make(size_t n);
void buffer_clear(buffer *b);
buffer buffer_blank(buffer b);
buffer buffer_blank_at(buffer *b);
buffer buffer_copy(buffer b);
file file_open(void);
void file_close(file f);
file file_dup2(file f, file to);
int file_first(file a, file b, file *first);
"""
SOURCE = """
#include "returned_relatives.h"
#include <string.h>

int live;

image *image_new(int n)
{
    image *made = calloc(1, sizeof *made);

    live++;
    made->n = n;
    return made;
}
void image_free(image *m) { live--; free(m); }
image *image_largest(image *const *list, size_t n)
{
    image *found = n > 0 ? list[0] : image_new(0);

    for (size_t i = 1; i < n; i++) {
        found = list[i]->n > found->n ? list[i] : found;
    }
    return found;
}
int image_extremes(image *const *list, size_t n, image **least, image **most)
{
    *least = *most = n > 0 ? list[0] : NULL;
    for (size_t i = 0; i < n; i++) {
        *least = list[i]->n < (*least)->n ? list[i] : *least;
        *most = list[i]->n > (*most)->n ? list[i] : *most;
    }
    return 0;
}
image *image_inverted(image *m, int copies)
{
    image *const made = copies ? image_new(m->n) : m;

    made->v[0] = m->v[0] ^ 255;
    return made;
}
image *image_rows(image *m, int copies, int rows)
{
    (void)rows;
    return image_inverted(m, copies);
}
context *context_new(void) { live++; return calloc(1, sizeof(context)); }
void context_free(context *c) { live--; free(c); }
task *task_new(context *c)
{
    task *made = calloc(1, sizeof *made);

    live++;
    made->c = c;
    return made;
}
void task_free(task *t) { live--; t->c->calls++; free(t); }
context *task_flushed(context *c, task *t, int fresh)
{
    t->c->calls++;
    return fresh ? context_new() : c;
}
buffer buffer_make(size_t n)
{
    buffer made = {n > 0 ? calloc(1, n) : NULL, n};

    live++;
    return made;
}
void buffer_clear(buffer *b) { live--; free(b->v); b->v = NULL; }
buffer buffer_blank(buffer b) { memset(b.v, 0, b.n); return b; }
buffer buffer_blank_at(buffer *b) { b->n = 1; return *b; }
buffer buffer_copy(buffer b) { return buffer_make(b.n); }
file file_open(void) { return live++; }
void file_close(file f) { (void)f; live--; }
file file_dup2(file f, file to) { return f >= 0 ? to : file_open(); }
int file_first(file a, file b, file *first) { *first = a < b ? a : b; return 0; }
"""
SPEC = """
module: returned_relatives
include: returned_relatives.h
tensors:
  Gray:
    type: image
    data: self->v
    dtype: uint8
    shape: [16]
    release: image_free(self)
    new: {c: image *image_new(int n)}
    properties: {n: self->n}
  Rgba: {type: image, data: self->v, dtype: uint8, shape: [4, 4], release: image_free(self)}
  Rows:
    type: image
    params: [int rows]
    data: self->v
    dtype: uint8
    shape: [rows, 16 / rows]
    release: image_free(self)
handles:
  Context:
    type: context
    release: context_free(self)
    new: {c: context *context_new(void)}
    properties: {calls: self->calls}
  Task:
    type: task
    params: [context *c]
    release: task_free(self)
    new: {c: task *task_new(context *c), returns: {of: Task, keeps: c}}
    methods:
      flushed: {c: "context *task_flushed(context *c, task *t, int fresh)", args: {c: {param_of: t}}}
  Buffer:
    type: buffer
    release: buffer_clear(self)
    new: {c: buffer buffer_make(size_t n)}
    properties: {n: self->n}
    methods:
      blank: {c: buffer buffer_blank(buffer b)}
      blank_at: {c: buffer buffer_blank_at(buffer *b), returns: Buffer}
      copy: {c: buffer buffer_copy(buffer b)}
  File:
    type: file
    pass: value
    release: file_close(self)
    new: {c: file file_open(void), ok: ">= 0"}
    methods:
      dup2: {c: "file file_dup2(file f, file to)", args: {to: {of: File}}, returns: File}
functions:
  largest:
    c: image *image_largest(image *const *list, size_t n)
    args: {list: {of: Gray}, n: {count_of: list}}
    returns: Gray
  largest_rgba:
    c: image *image_largest(image *const *list, size_t n)
    args: {list: {of: Gray}, n: {count_of: list}}
    returns: Rgba
  extremes:
    c: int image_extremes(image *const *list, size_t n, image **least, image **most)
    args:
      list: {of: Gray}
      n: {count_of: list}
      least: {of: Gray, out: true, optional: true}
      most: {of: Gray, out: true, optional: true}
    ok: == 0
  inverted: {c: "image *image_inverted(image *m, int copies)", args: {m: {of: Gray}}, returns: Rgba}
  rows_of:
    c: image *image_rows(image *m, int copies, int rows)
    args: {m: {of: Gray}}
    returns: Rows
  first:
    c: int file_first(file a, file b, file *first)
    args: {a: {of: File}, b: {of: File}, first: {of: File, out: true}}
    ok: == 0
"""


@pytest.fixture(scope="module")
def lib(tmp_path_factory: pytest.TempPathFactory) -> ModuleType:
    return build_module("returned_relatives", SPEC, tmp_path_factory.mktemp("returned_relatives"), HEADER, SOURCE)


def live(lib: ModuleType) -> int:
    gc.collect()
    return ctypes.c_int.in_dll(ctypes.PyDLL(lib.__file__), "live").value


def test_one_of_a_list(lib: ModuleType) -> None:
    small, great = lib.Gray(1), lib.Gray(2)
    assert lib.largest([small, great]) is great
    assert lib.largest((great, small)) is great
    made = lib.largest([])
    assert (made.n, live(lib)) == (0, 3)
    del small, great, made
    assert live(lib) == 0


def test_several_of_a_list(lib: ModuleType) -> None:
    small, great = lib.Gray(1), lib.Gray(2)
    least, most = lib.extremes([great, small])
    assert (least is small, most is great, live(lib)) == (True, True, 2)
    assert lib.extremes([]) == (None, None)
    del small, great, least, most
    assert live(lib) == 0


def test_one_of_a_list_as_another_class(lib: ModuleType) -> None:
    small, great = lib.Gray(1), lib.Gray(2)
    view = lib.largest_rgba([small, great])
    assert (type(view), view.shape) == (lib.Rgba, (4, 4))
    del small, great
    assert live(lib) == 1
    del view
    assert live(lib) == 0


def test_one_of_another_class_is_seen_as_that(lib: ModuleType) -> None:
    gray = lib.Gray(3)
    view, copy = lib.inverted(gray, 0), lib.inverted(gray, 1)
    assert (view.shape, copy.shape, live(lib)) == ((4, 4), (4, 4), 2)
    assert memoryview(view)[0, 0] == 255
    del view
    assert live(lib) == 2
    rows = lib.rows_of(gray, 0, 2)
    del gray
    assert (rows.shape, memoryview(rows)[0, 0], live(lib)) == ((2, 8), 0, 2)
    del rows, copy
    assert live(lib) == 0


def test_what_an_object_was_made_with(lib: ModuleType) -> None:
    context = lib.Context()
    task = lib.Task(context)
    view, made = task.flushed(0), task.flushed(1)
    assert (view.calls, made.calls, live(lib)) == (2, 0, 3)
    del context, task
    assert (view.calls, live(lib)) == (2, 3)
    del view, made
    assert live(lib) == 0


def test_a_struct_of_which_all_bytes_are_the_same(lib: ModuleType) -> None:
    buffer = lib.Buffer(9)
    assert buffer.blank() is buffer
    assert buffer.blank_at() is buffer
    assert buffer.n == 1
    other = buffer.copy()
    assert (other is buffer, live(lib)) == (False, 2)
    del buffer, other
    assert live(lib) == 0


def test_a_struct_with_nothing_in_it_is_never_the_same(lib: ModuleType) -> None:
    empty = lib.Buffer(0)
    other = empty.copy()
    assert (other is empty, live(lib)) == (False, 2)
    del empty, other
    assert live(lib) == 0


def test_a_number_that_is_the_same(lib: ModuleType) -> None:
    zero, one = lib.File(), lib.File()
    assert zero.dup2(one) is one
    assert one.dup2(zero) is zero
    assert lib.first(one, zero) is zero
    assert live(lib) == 2
    del zero, one
    assert live(lib) == 0
