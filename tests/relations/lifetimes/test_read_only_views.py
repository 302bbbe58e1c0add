# SPDX-License-Identifier: MIT
"""Read-only arrays whose memory a result shows: arguments that C only reads take them, and the result is read-only."""

from __future__ import annotations

import gc
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from support.build import build_module, generate

HEADER = (Path(__file__).parent / "read_only.h").read_text()
SPEC = """
dlpack-bindgen: 1
module: read_only
include: read_only.h
arrays: Array
tensors:
  Line:
    type: line
    data: self->at
    dtype: float32
    shape: [self->n]
    import: {require: [writable], set: {at: data, n: "shape[0]"}}
  Any:
    type: line
    data: self->at
    dtype: float32
    shape: [self->n]
    import: {set: {at: data, n: "shape[0]"}}
  Copied:
    type: line
    data: self->at
    dtype: float32
    shape: [self->n]
    import: {require: [writable], copy: allowed, set: {at: data, n: "shape[0]"}}
  Rest: {type: line, data: self->at, dtype: float32, shape: [self->n], release: line_free(self)}
  Own: {type: line, data: self->at, dtype: float32, shape: [self->n], release: line_free_all(self)}
handles:
  Cursor:
    type: cursor
    release: cursor_free(self)
    methods:
      at: {c: float *cursor_at(const cursor *c), returns: {of: array, shape: [c->of->n], borrow: c}}
      move: {c: "void cursor_move(cursor *c, const line *to)", args: {c: {keeps: to}, to: {of: Any}}}
functions:
  all: {c: const float *line_all(const line *x), args: {x: {of: Line}}, returns: {of: array, shape: [x->n], borrow: x}}
  at: {c: float *line_at(const line *x), args: {x: {of: Line}}, returns: {of: array, shape: [x->n], borrow: x}}
  itself: {c: const line *line_itself(const line *x), args: {x: {of: Line}}, returns: {of: Line, borrow: x}}
  tail: {c: line line_tail(const line *x), args: {x: {of: Line}}, returns: {of: Line, borrow: x}}
  unchanged:
    c: float *line_of_mutable(line *x)
    args: {x: {of: Line, writes: false}}
    returns: {of: array, shape: [x->n], borrow: x}
  all_copied:
    c: const float *line_all(const line *x)
    args: {x: {of: Copied}}
    returns: {of: array, shape: [x->n], borrow: x}
  all_held:
    c: const float *line_all(const line *x)
    args: {x: {of: Line}}
    returns: {of: array, shape: [x->n], borrow: x}
    release_gil: true
  mutable:
    c: float *line_of_mutable(line *x)
    args: {x: {of: Line}}
    returns: {of: array, shape: [x->n], borrow: x}
  scale: {c: "void line_scale(line *x, float factor)", args: {x: {of: Line}}}
  cursor: {c: cursor *cursor_new(const line *of), args: {of: {of: Line}}, returns: {of: Cursor, keeps: of}}
  any_cursor: {c: cursor *cursor_new(const line *of), args: {of: {of: Any}}, returns: {of: Cursor, keeps: of}}
  rest: {c: line *line_rest(const line *x), args: {x: {of: Any}}, returns: {of: Rest, keeps: x}}
  rest_of:
    c: "line *line_first(const line *x, const line *y)"
    args: {x: {of: Any}, y: {of: Any}}
    returns: {of: Rest, keeps: [x, y]}
  copy: {c: line *line_copy(const line *x), args: {x: {of: Any}}, returns: {of: Own, keeps: x}}
"""
VIEWS = ["all", "at", "itself", "tail", "unchanged", "all_copied", "all_held"]


@pytest.fixture(scope="module")
def lib(tmp_path_factory: pytest.TempPathFactory) -> ModuleType:
    return build_module("read_only", SPEC, tmp_path_factory.mktemp("read_only"), HEADER)


def fixed() -> np.ndarray:
    array = np.arange(1, 4, dtype=np.float32)
    array.flags.writeable = False
    return array


SOURCES: dict[str, Callable[[], Any]] = {
    "array": fixed,
    "buffer": lambda: memoryview(fixed()),
    "capsule": lambda: fixed().__dlpack__(max_version=(1, 0)),
}


@pytest.mark.parametrize("source", SOURCES)
@pytest.mark.parametrize("name", VIEWS)
def test_a_function_that_returns_a_view_takes_a_read_only_array(lib: ModuleType, name: str, source: str) -> None:
    """The class requires writable arrays, but this function only reads."""
    made = getattr(lib, name)(SOURCES[source]())
    gc.collect()
    assert made.readonly
    array = np.asarray(made)
    assert array.tolist() == ([2, 3] if name == "tail" else [1, 2, 3])
    assert not array.flags.writeable


@pytest.mark.parametrize("name", VIEWS)
def test_the_view_shows_the_array(lib: ModuleType, name: str) -> None:
    array = fixed()
    shown = np.asarray(getattr(lib, name)(array))
    assert np.shares_memory(shown, array)


@pytest.mark.parametrize("name", ["at", "tail", "unchanged"])
def test_a_view_of_a_writable_array_is_writable(lib: ModuleType, name: str) -> None:
    array = np.arange(3, dtype=np.float32)
    made = getattr(lib, name)(array)
    assert not made.readonly
    np.asarray(made)[-1] = 9
    assert array.tolist() == [0, 1, 9]


def test_a_read_only_view_is_not_written_by_the_library(lib: ModuleType) -> None:
    view = lib.tail(fixed())
    with pytest.raises(BufferError, match=r"^scale\(\) argument 'x': the object is read-only, and must be writable$"):
        lib.scale(view, 2.0)


@pytest.mark.parametrize("name", ["mutable", "cursor"])
def test_a_function_that_could_write_refuses_a_read_only_array(lib: ModuleType, name: str) -> None:
    """C declares no `const`, or the library stores the array, so that a later call could write to it."""
    with pytest.raises(BufferError, match="is read-only, and must be writable"):
        getattr(lib, name)(fixed())
    with pytest.raises(BufferError, match="is read-only, and must be writable"):
        lib.Line.from_dlpack(fixed())


def test_the_flag_for_read_only_arguments_is_emitted_only_where_it_matters(tmp_path: Path) -> None:
    """It matters if the import requires a writable array, C only reads, and the library does not store the array."""

    def count(spec: str) -> int:
        return sum(path.read_text().count("DLB_PY_UNSTORED") for path in generate(spec, tmp_path))

    assert count(SPEC) == len(VIEWS)
    assert count(SPEC.replace("require: [writable], ", "")) == 0


class TestKeeping:
    """An object that keeps a read-only array, and shows its memory, is read-only."""

    def test_a_new_object_that_shows_a_read_only_array_is_read_only(self, lib: ModuleType) -> None:
        array = fixed()
        rest = lib.rest(array)
        assert rest.readonly
        assert np.shares_memory(np.asarray(rest), array)
        assert not lib.rest(array.copy()).readonly
        assert lib.rest(lib.rest(array)).readonly

    def test_a_new_object_with_other_memory_is_writable(self, lib: ModuleType) -> None:
        assert not lib.copy(fixed()).readonly

    def test_a_view_through_a_handle_is_read_only_like_the_array(self, lib: ModuleType) -> None:
        assert lib.any_cursor(fixed()).at().readonly
        assert not lib.any_cursor(fixed().copy()).at().readonly

    def test_only_the_array_that_a_view_shows_decides(self, lib: ModuleType) -> None:
        """Each call makes the object keep another array. Only the memory of the view counts."""
        rest = lib.rest(np.arange(1, 4, dtype=np.float32))
        for _ in range(300):
            rest = lib.rest_of(rest, fixed())
        assert not rest.readonly

    def test_the_stored_array_decides_about_later_views(self, lib: ModuleType) -> None:
        cursor = lib.any_cursor(fixed().copy())
        assert not cursor.at().readonly
        cursor.move(fixed())
        assert cursor.at().readonly
        cursor.move(fixed().copy())
        assert not cursor.at().readonly
