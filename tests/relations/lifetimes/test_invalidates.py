"""Memory that other objects use is not moved, and the objects of a call live until it has ended."""

from __future__ import annotations

import gc
from pathlib import Path
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
  Row:
    type: row
    data: self->data
    dtype: float64
    shape: [self->n]
    release: row_free(self)
    new: {c: row *row_new(int n)}
    import: {set: {data: data, n: "shape[0]"}}
functions:
  grow: {c: "void row_grow(row *to, const row *by)", args: {to: {invalidates: true}}}
  swallow: {c: "int row_swallow(row *what, const row *by)", args: {what: {takes: true}}}
  swallow_beside:
    c: int row_swallow_beside(row *what, const row *const *all, int n)
    args: {what: {takes: true}, n: {count_of: all}}
  shared: {c: one *one_shared(void), returns: {of: One, borrow: static}}
  seen: {c: int one_seen(void)}
"""
HEADER = Path(__file__).with_name("moving.h").read_text()
SOURCE = Path(__file__).with_name("moving.c").read_text()


@pytest.fixture(scope="module")
def moving(tmp_path_factory: pytest.TempPathFactory) -> ModuleType:
    return build_module("moving", SPEC, tmp_path_factory.mktemp("moving"), HEADER, SOURCE)


@pytest.mark.parametrize("name", ["grow", "swallow"])
def test_calls_that_move_or_free_an_object_borrow_no_arrays(moving: ModuleType, name: str) -> None:
    """This also holds after the module knows NumPy's arrays, which it then borrows for other calls."""
    call = getattr(moving, name)
    array = np.ones(3)
    for _ in range(2):
        with pytest.raises(TypeError, match=rf"^{name}\(\) argument '\w+' must be Row, not (numpy\.)?ndarray$"):
            call(array, array)
        kept = moving.Row.from_dlpack(array)
        assert call(moving.Row(2), array) == (5 if name == "swallow" else None)
    assert kept.shape == (3,) and array.tolist() == [1, 1, 1]


ELSEWHERE = "it belongs to another object or to the library"


def test_a_part_that_keeps_strings_is_not_moved(moving: ModuleType) -> None:
    one = moving.One(100)
    memory = memoryview(one)
    with pytest.raises(BufferError, match=ELSEWHERE):
        one.named("abc").resize(10000)
    assert bytes(memory) == bytes(800)


def test_a_borrowed_object_with_release_on_gil_is_not_moved(moving: ModuleType) -> None:
    box = moving.Box()
    memory = memoryview(box.buf())
    with pytest.raises(BufferError, match=ELSEWHERE):
        box.buf().resize(10000)
    assert bytes(memory) == bytes(64)


def test_an_object_of_the_library_is_not_moved(moving: ModuleType) -> None:
    memory = memoryview(moving.shared())
    with pytest.raises(BufferError, match=ELSEWHERE):
        moving.shared().resize(10000)
    assert bytes(memory) == bytes(64)


def test_an_object_that_nothing_else_uses_is_moved(moving: ModuleType) -> None:
    one = moving.One(4)
    one.resize(6)
    assert np.from_dlpack(one).shape == (6,)


def test_an_object_that_the_call_takes_is_not_an_item_of_a_list(moving: ModuleType) -> None:
    """An item may be an array, so that each item is described."""
    row, other = moving.Row(2), moving.Row(3)
    for items in ([row], (np.zeros(4), row)):
        with pytest.raises(BufferError) as caught:
            moving.swallow_beside(row, items)
        assert str(caught.value) == (
            "swallow_beside() argument 'all' has the object of argument 'what', which the call takes over or moves: "
            "pass another object"
        )
    assert moving.swallow_beside(row, [other, np.zeros(4)]) == 9


class Closing:
    """A path whose conversion in a BlockingIOError closes the object of the call."""

    def __init__(self, target: object) -> None:
        self.target = target

    def __fspath__(self) -> str:
        return "file"

    def __index__(self) -> int:
        self.target.close()  # type: ignore[attr-defined]
        return 3


@pytest.mark.parametrize("method", ["save", "fail"])
def test_an_object_that_finally_or_error_mentions_lives_until_then(moving: ModuleType, method: str) -> None:
    one = moving.One(4)
    with pytest.raises(BlockingIOError):
        getattr(one, method)(Closing(one))
    assert moving.seen() == 1
    with pytest.raises(ValueError, match="closed"):
        _ = one.shape
    gc.collect()
