# SPDX-License-Identifier: MIT
"""Results that refer to arguments, where the library counts references: they keep the arrays that they show."""

from __future__ import annotations

import gc
import weakref
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from support.build import build_module

SPEC = """
module: referring
include: referring.h
tensors:
  Grid:
    type: grid
    data: self->at
    dtype: float32
    shape: [self->rows, self->cols]
    retain: grid_again(self)
    release: grid_drop(self)
    import: {set: {uses: 1, rows: "shape[0]", cols: "shape[1]", at: data}}
    new: {c: "grid *grid_zeros(int rows, int cols)"}
    methods:
      again: {c: grid *grid_again(grid *g), returns: Grid}
      tail: {c: "grid *grid_tail(grid *g, int first)", returns: Grid, args: {g: {of: Grid}}}
      borrowed: {c: grid *grid_itself(grid *g), args: {g: {of: Grid}}, returns: {of: Grid, borrow: g}}
  Flat:
    type: grid
    data: self->at
    dtype: float32
    shape: [self->rows * self->cols]
    retain: grid_again(self)
    release: grid_drop(self)
    methods:
      again: {c: grid *grid_again(grid *g), args: {g: {of: Flat}}, returns: Flat}
  Row:
    type: row
    data: self->at
    dtype: float32
    shape: [self->n]
    retain: row_again(self)
    release: row_drop(self)
    methods: {rest: {c: "row *row_rest(row *r)"}}
  Tile:
    type: tile
    data: tile_data(self)
    dtype: uint8
    shape: [tile_size(self)]
    retain: tile_ref(self)
    release: tile_unref(self)
    import: {require: [writable], construct: "tile_wrap(data, shape[0])"}
  Cell:
    type: cell
    data: self->at
    dtype: int32
    shape: [self->n]
    clone: cell_clone(self)
    release: cell_end(self)
    import: {init: "cell_init(self, data, shape[0])", destroy: cell_clear(self)}
  Span:
    type: span
    pass: value
    data: self.at
    dtype: int64
    shape: [self.n]
    retain: span_ref(self)
    release: span_unref(self)
    import: {set: {at: data, n: "shape[0]", uses: NULL}}
handles:
  Ref:
    type: grid
    retain: grid_again(self)
    release: grid_drop(self)
    properties: {rows: self->rows}
    methods: {again: {c: grid *grid_again(grid *g), args: {g: {of: Ref}}, returns: Grid}}
functions:
  again: {c: grid *grid_again(grid *g), args: {g: {of: Grid}}, returns: Grid}
  tail: {c: "grid *grid_tail(grid *g, int first)", args: {g: {of: Grid}}, returns: Grid}
  tail_of_flat: {c: "grid *grid_tail(grid *g, int first)", args: {g: {of: Flat}}, returns: Grid}
  flat: {c: grid *grid_again(grid *g), args: {g: {of: Grid}}, returns: Flat}
  ref: {c: grid *grid_again(grid *g), args: {g: {of: Grid}}, returns: Ref}
  ref_of_tail: {c: "grid *grid_tail(grid *g, int first)", args: {g: {of: Grid}}, returns: Ref}
  read_only: {c: "grid *grid_tail_of_const(const grid *g)", args: {g: {of: Grid}}, returns: Grid}
  copy: {c: grid *grid_copy(const grid *g), args: {g: {of: Grid}}, returns: Grid}
  copy_kept: {c: grid *grid_copy(const grid *g), args: {g: {of: Grid}}, returns: {of: Grid, keeps: g}}
  either: {c: "grid *grid_either(grid *g, grid *h, int second)", args: {g: {of: Grid}, h: {of: Grid}}, returns: Grid}
  largest:
    c: grid *grid_largest(grid *const *all, int n)
    args: {all: {of: Grid}, n: {count_of: all}}
    returns: Grid
  halves:
    c: int grid_halves(grid *g, grid **top, grid **bottom)
    args: {g: {of: Grid}, top: {of: Grid, out: true}, bottom: {of: Grid, out: true}}
    ok: == 0
  kept:
    c: grid *grid_either(grid *g, grid *h, int second)
    args: {g: {of: Grid}, h: {of: Grid}}
    returns: {of: Grid, keeps: h}
  row: {c: "row *grid_row(grid *g, int index)", args: {g: {of: Grid}}}
  view_of_copy:
    c: grid *grid_tail_of_const(const grid *g)
    args: {g: {of: Grid, require: [compact], copy: allowed}}
    returns: Grid
  shifted: {c: grid *grid_shifted(grid *g), args: {g: {of: Grid, copy: allowed}}, returns: Grid}
  itself: {c: grid *grid_itself(grid *g), args: {g: {of: Grid, copy: allowed}}, returns: Grid}
  ref_beside:
    c: "grid *grid_beside(grid *g, const row *r, grid *h)"
    args: {g: {of: Grid}, h: {of: Grid}}
    returns: Ref
  either_kept:
    c: grid *grid_either(grid *g, grid *h, int second)
    args: {g: {of: Grid}, h: {of: Grid}, second: {value: 1}}
    returns: {of: Grid, keeps: g}
  beside:
    c: "grid *grid_beside(grid *g, const row *r, grid *h)"
    args: {g: {of: Grid}, h: {of: Grid}}
    returns: Grid
  tail_beside: {c: "grid *grid_tail_beside(grid *g, grid *h)", args: {g: {of: Grid}, h: {of: Grid}}, returns: Grid}
  peek: {c: tile *tile_peek(const tile *t)}
  same_tile: {c: tile *tile_ref(tile *t)}
  rest_of_tile: {c: tile *tile_rest(tile *t)}
  same_cell: {c: cell *cell_share(cell *c)}
  same_span: {c: span span_ref(span s)}
  live: {c: int live_structs(void)}
"""
HEADER = Path(__file__).with_name("referring.h").read_text()
SOURCE = Path(__file__).with_name("referring.c").read_text()


@pytest.fixture(scope="module")
def module(tmp_path_factory: pytest.TempPathFactory) -> ModuleType:
    return build_module("referring", SPEC, tmp_path_factory.mktemp("referring"), HEADER, SOURCE)


@pytest.fixture
def lib(module: ModuleType) -> Iterator[ModuleType]:
    yield module
    gc.collect()
    assert module.live() == 0


def numbers() -> np.ndarray:
    return np.arange(12, dtype=np.float32).reshape(4, 3)


def scribble(lib: ModuleType) -> None:
    """Uses the stack, and the blocks that were freed last."""
    for _ in range(4):
        other = np.full((7, 5), -1, np.float32)
        lib.copy(other)
        lib.copy(lib.Grid.from_dlpack(other))


def check_kept(lib: ModuleType, array: Any, make: Callable[[Any], Any], wanted: object) -> None:
    """Checks that the result of `make` shows the array and keeps it alive, and that nothing else keeps it."""
    array = array.view()  # before Python 3.11, the caller keeps what it has passed
    known = weakref.ref(array)
    result = make(array)
    del array
    gc.collect()
    scribble(lib)
    assert known() is not None
    shown = np.from_dlpack(result)
    assert shown.tolist() == wanted
    del shown, result
    gc.collect()
    assert known() is None


WAYS: dict[str, tuple[Callable[[ModuleType, Any], Any], int]] = {
    "function": (lambda lib, x: lib.again(x), 0),
    "view": (lambda lib, x: lib.tail(x, 1), 1),
    "view of a view": (lambda lib, x: lib.tail(lib.tail(x, 1), 2), 3),
    "reference to a result": (lambda lib, x: lib.again(lib.again(x)), 0),
    "view of a reference": (lambda lib, x: lib.tail(lib.again(x), 1), 1),
    "of a list": (lambda lib, x: lib.largest([np.zeros((1, 1), np.float32), x]), 0),
    "of a tuple of objects": (lambda lib, x: lib.largest((lib.Grid(1, 1), lib.Grid.from_dlpack(x))), 0),
    "first of two": (lambda lib, x: lib.either(x, lib.Grid(1, 1), 0), 0),
    "second of two": (lambda lib, x: lib.either(lib.Grid(1, 1), x, 1), 0),
    "beside what it keeps": (lambda lib, x: lib.kept(x, lib.Grid(1, 1), 0), 0),
    "what it keeps": (lambda lib, x: lib.kept(lib.Grid(1, 1), x, 1), 0),
    "beside an object of another class": (
        lambda lib, x: lib.beside(lib.Grid(1, 1), lib.row(lib.Grid(2, 3), 0), x),
        0,
    ),
    "by a handle, beside an object of another class": (
        lambda lib, x: lib.ref_beside(lib.Grid(1, 1), lib.row(lib.Grid(2, 3), 0), x).again(),
        0,
    ),
    "first out": (lambda lib, x: lib.halves(x)[0], 0),
    "second out": (lambda lib, x: lib.halves(x)[1], 2),
    "by a handle": (lambda lib, x: lib.ref(x).again(), 0),
    "by a handle of a view": (lambda lib, x: lib.ref_of_tail(x, 2).again(), 2),
    "part of a result": (lambda lib, x: lib.flat(x).grid(), 0),
    "by another class": (lambda lib, x: lib.tail_of_flat(lib.flat(x), 1), 1),
}


@pytest.mark.parametrize("name", WAYS)
@pytest.mark.parametrize("as_object", [False, True])
def test_the_result_keeps_the_array(lib: ModuleType, name: str, as_object: bool) -> None:
    way, rows = WAYS[name]
    wanted = numbers()[rows:].tolist()
    check_kept(lib, numbers(), lambda x: way(lib, lib.Grid.from_dlpack(x) if as_object else x), wanted)


def test_an_empty_result_keeps_the_array(lib: ModuleType) -> None:
    """The memory of an array without elements is unknown, so that it may be that of the argument."""
    array = numbers()
    known = weakref.ref(array)
    result = lib.tail(array, 4)
    del array
    gc.collect()
    assert (result.shape, known() is not None) == ((0, 3), True)
    del result
    gc.collect()
    assert known() is None


def test_a_result_without_a_reference_keeps_what_is_declared(lib: ModuleType) -> None:
    array = numbers()
    for given in (lib.Grid(2, 2), lib.Grid.from_dlpack(array), array):
        result = lib.copy_kept(given)
        assert np.from_dlpack(result).shape == given.shape
        assert not np.shares_memory(np.from_dlpack(result), np.from_dlpack(given))
    known = weakref.ref(array)
    del array, given
    gc.collect()
    assert known() is not None
    del result
    gc.collect()
    assert known() is None


@pytest.mark.parametrize(("name", "rows"), [("again", 0), ("tail", 2), ("borrowed", 0)])
def test_the_result_of_a_method_keeps_the_array(lib: ModuleType, name: str, rows: int) -> None:
    arguments = [rows] if rows else []
    wanted = numbers()[rows:].tolist()
    check_kept(lib, numbers(), lambda x: getattr(lib.Grid.from_dlpack(x), name)(*arguments), wanted)


def test_a_result_keeps_the_buffer_of_bytes(lib: ModuleType) -> None:
    memory = bytearray(np.float32([[1, 2], [3, 4]]).tobytes())
    view = memoryview(memory).cast("f", (2, 2))
    again, tail = lib.again(view), lib.tail(view, 1)
    del view
    scribble(lib)
    assert (np.from_dlpack(again).tolist(), np.from_dlpack(tail).tolist()) == ([[1, 2], [3, 4]], [[3, 4]])
    with pytest.raises(BufferError):
        memory.clear()
    del again, tail
    gc.collect()
    memory.clear()


def test_a_result_of_another_class_of_the_struct_keeps_the_array(lib: ModuleType) -> None:
    check_kept(lib, numbers(), lib.flat, numbers().ravel().tolist())
    check_kept(lib, numbers(), lambda x: lib.flat(x).again(), numbers().ravel().tolist())


def test_a_result_of_another_struct_keeps_the_array(lib: ModuleType) -> None:
    check_kept(lib, numbers(), lambda x: lib.row(x, 2), [6, 7, 8])
    check_kept(lib, numbers(), lambda x: lib.row(x, 2).rest(), [7, 8])


def test_a_result_of_a_struct_from_the_library_keeps_the_array(lib: ModuleType) -> None:
    for given in (lambda x: x, lib.Tile.from_dlpack):
        check_kept(lib, np.uint8([1, 2, 3]), lambda x, given=given: lib.same_tile(given(x)), [1, 2, 3])
        check_kept(lib, np.uint8([1, 2, 3]), lambda x, given=given: lib.rest_of_tile(given(x)), [2, 3])
        check_kept(lib, np.uint8([1, 2, 3]), lambda x, given=given: lib.rest_of_tile(lib.rest_of_tile(given(x))), [3])


def test_a_clone_keeps_the_array(lib: ModuleType) -> None:
    for given in (lambda x: x, lib.Cell.from_dlpack):
        check_kept(lib, np.int32([1, 2, 3]), lambda x, given=given: lib.same_cell(given(x)), [1, 2, 3])
        check_kept(lib, np.int32([1, 2]), lambda x, given=given: lib.same_cell(lib.same_cell(given(x))), [1, 2])


def test_a_struct_by_value_keeps_the_array(lib: ModuleType) -> None:
    check_kept(lib, np.int64([1, 2, 3]), lib.same_span, [1, 2, 3])


def test_a_copy_keeps_nothing(lib: ModuleType) -> None:
    array = numbers()
    known = weakref.ref(array)
    copies = [lib.copy(array), lib.copy(lib.tail(array, 1)), lib.copy(lib.Grid.from_dlpack(array))]
    del array
    gc.collect()
    assert known() is None
    assert [np.from_dlpack(copy).shape for copy in copies] == [(4, 3), (3, 3), (4, 3)]


def test_a_result_that_refers_to_a_read_only_array_is_read_only(lib: ModuleType) -> None:
    array = numbers()
    array.setflags(write=False)
    assert memoryview(lib.read_only(array)).readonly
    assert not memoryview(lib.read_only(numbers())).readonly


def test_a_function_that_only_reads_needs_no_writable_array(lib: ModuleType) -> None:
    """The import of the class requires writable arrays, but a function that only reads does not need them."""
    for memory in (b"abc", bytearray(b"abc")):
        result = lib.peek(memoryview(memory))
        scribble(lib)
        assert (bytes(memoryview(result)), memoryview(result).readonly) == (b"abc", isinstance(memory, bytes))
        del result
    with pytest.raises(BufferError, match="read-only"):
        lib.same_tile(b"abc")


def test_a_view_of_a_copy_keeps_the_copy(lib: ModuleType) -> None:
    columns = np.asfortranarray(numbers())
    result = lib.view_of_copy(columns)
    columns[:] = -1
    scribble(lib)
    assert np.from_dlpack(result).tolist() == numbers()[1:].tolist()
    array = numbers()
    with pytest.raises(BufferError, match=r"^shifted\(\): the result shows memory that"):
        lib.shifted(np.asfortranarray(array))
    own = lib.shifted(lib.Grid.from_dlpack(array))
    assert np.from_dlpack(own)[0, 0] == array[0, 0] == 1


def test_a_struct_made_only_for_the_call_cannot_be_the_result(lib: ModuleType) -> None:
    with pytest.raises(BufferError, match=r"^itself\(\): the result shows memory that exists only during the call"):
        lib.itself(np.asfortranarray(numbers()))


def test_results_can_be_freed_in_any_order(lib: ModuleType) -> None:
    array = numbers()
    known = weakref.ref(array)
    grid = lib.Grid.from_dlpack(array)
    tail, row = grid.tail(1), lib.row(grid, 1)
    again = tail.again()
    del array, grid, tail
    gc.collect()
    assert np.from_dlpack(again).tolist() == numbers()[1:].tolist()
    del again
    gc.collect()
    assert np.from_dlpack(row).tolist() == [3, 4, 5]
    del row
    gc.collect()
    assert known() is None


def test_objects_that_the_library_counts_keep_no_owner(lib: ModuleType) -> None:
    grid = lib.Grid(4, 3)
    again = lib.again(grid)
    tail = again.tail(1)
    del grid, again
    gc.collect()
    assert (lib.live(), np.from_dlpack(tail).shape) == (2, (3, 3))


def test_an_object_that_owns_its_memory_is_not_kept_beside_an_array(lib: ModuleType) -> None:
    array, own = np.arange(6, dtype=np.float32).reshape(3, 2), lib.Grid(1, 2)
    made = lib.tail_beside(array, own)
    own.close()
    del array
    gc.collect()
    assert np.from_dlpack(made).tolist() == [[2, 3], [4, 5]]
