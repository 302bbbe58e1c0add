"""Functions that return one of their arguments in another form than one object by pointer: it has one owner, too."""

from __future__ import annotations

import ctypes
import gc
from pathlib import Path
from types import ModuleType

import pytest

from support.build import build_module

HEADER = Path(__file__).with_name("returned_related_classes.h").read_text()
SOURCE = Path(__file__).with_name("returned_related_classes.c").read_text()
SPEC = """
module: returned_related_classes
include: returned_related_classes.h
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
    return build_module(
        "returned_related_classes", SPEC, tmp_path_factory.mktemp("returned_related_classes"), HEADER, SOURCE
    )


def live(lib: ModuleType) -> int:
    gc.collect()
    return ctypes.c_int.in_dll(ctypes.PyDLL(lib.__file__), "live").value


def test_an_item_of_a_list_is_returned_itself(lib: ModuleType) -> None:
    small, great = lib.Gray(1), lib.Gray(2)
    assert lib.largest([small, great]) is great
    assert lib.largest((great, small)) is great
    made = lib.largest([])
    assert (made.n, live(lib)) == (0, 3)
    del small, great, made
    assert live(lib) == 0


def test_several_items_of_a_list_are_returned_themselves(lib: ModuleType) -> None:
    small, great = lib.Gray(1), lib.Gray(2)
    least, most = lib.extremes([great, small])
    assert (least is small, most is great, live(lib)) == (True, True, 2)
    assert lib.extremes([]) == (None, None)
    del small, great, least, most
    assert live(lib) == 0


def test_an_item_of_a_list_is_returned_as_a_view_of_another_class(lib: ModuleType) -> None:
    small, great = lib.Gray(1), lib.Gray(2)
    view = lib.largest_rgba([small, great])
    assert (type(view), view.shape) == (lib.Rgba, (4, 4))
    del small, great
    assert live(lib) == 1
    del view
    assert live(lib) == 0


def test_an_argument_of_another_class_is_returned_as_a_view(lib: ModuleType) -> None:
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


def test_a_view_of_the_param_of_an_object_is_returned(lib: ModuleType) -> None:
    context = lib.Context()
    task = lib.Task(context)
    view, made = task.flushed(0), task.flushed(1)
    assert (view.calls, made.calls, live(lib)) == (2, 0, 3)
    del context, task
    assert (view.calls, live(lib)) == (2, 3)
    del view, made
    assert live(lib) == 0


def test_a_struct_with_the_bytes_of_an_argument_is_the_argument(lib: ModuleType) -> None:
    buffer = lib.Buffer(9)
    assert buffer.blank() is buffer
    assert buffer.blank_at() is buffer
    assert buffer.n == 1
    other = buffer.copy()
    assert (other is buffer, live(lib)) == (False, 2)
    del buffer, other
    assert live(lib) == 0


def test_an_empty_struct_is_never_an_argument(lib: ModuleType) -> None:
    empty = lib.Buffer(0)
    other = empty.copy()
    assert (other is empty, live(lib)) == (False, 2)
    del empty, other
    assert live(lib) == 0


def test_a_number_that_is_equal_to_an_argument_is_the_argument(lib: ModuleType) -> None:
    zero, one = lib.File(), lib.File()
    assert zero.dup2(one) is one
    assert one.dup2(zero) is zero
    assert lib.first(one, zero) is zero
    assert live(lib) == 2
    del zero, one
    assert live(lib) == 0
