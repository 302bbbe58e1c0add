# SPDX-License-Identifier: MIT
"""Elements that share memory, given to functions that only read, of a class whose import requires `writable`."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest
from numpy.lib.stride_tricks import as_strided, sliding_window_view

from support.build import build_module

SPEC = """
dlpack-bindgen: 1
module: folded
include: folded.h
arrays: Array
tensors:
  Sheet:
    type: sheet
    data: self->cells
    dtype: int32
    shape: [self->rows, self->columns]
    strides: [self->down, self->right]
    import:
      require: [writable]
      set: {cells: data, rows: "shape[0]", columns: "shape[1]", down: "strides[0]", right: "strides[1]"}
    methods:
      plus: {c: "int sheet_both(const sheet *a, const sheet *b)", args: {a: Sheet}, returns: int}
  Begun:
    type: begun
    data: self->base.cells
    dtype: int32
    shape: [self->base.rows, self->base.columns]
    strides: [self->base.down, self->base.right]
    import:
      require: [writable, nonnegative_strides]
      init: begun_over(self, data, shape, strides)
      ok: == 0
      destroy: none
  Copied:
    type: copied
    data: self->base.cells
    dtype: int32
    shape: [self->base.rows, self->base.columns]
    strides: [self->base.down, self->base.right]
    import:
      copy: allowed
      require: [writable]
      set:
        base.cells: data
        base.rows: "shape[0]"
        base.columns: "shape[1]"
        base.down: "strides[0]"
        base.right: "strides[1]"
  Shown:
    type: shown
    data: self->base.cells
    dtype: int32
    shape: [self->base.rows, self->base.columns]
    strides: [self->base.down, self->base.right]
    import:
      set:
        base.cells: data
        base.rows: "shape[0]"
        base.columns: "shape[1]"
        base.down: "strides[0]"
        base.right: "strides[1]"
functions:
  count: {c: int sheet_count(const sheet *s), returns: int}
  count_unlocked: {c: int sheet_count(const sheet *s), returns: int, release_gil: true}
  count_required: {c: int sheet_count(const sheet *s), args: {s: {require: [{shape: [3, 4]}]}}, returns: int}
  count_promised: {c: int sheet_touch(sheet *s), args: {s: {writes: false}}, returns: int}
  count_all:
    c: int sheet_count_all(const sheet *const *all, int n)
    args: {n: {count_of: all}}
    returns: int
  both: {c: "int sheet_both(const sheet *a, const sheet *b)", returns: int}
  begun_count: {c: int begun_count(const begun *s), returns: int}
  copied_sum: {c: int copied_sum(const copied *s), returns: int}
  copied_fill: {c: void copied_fill(copied *s)}
  shown_sum: {c: int shown_sum(const shown *s), returns: int}
"""
HEADER = Path(__file__).with_name("folded.h").read_text()


@pytest.fixture(scope="module")
def folded(tmp_path_factory: pytest.TempPathFactory) -> ModuleType:
    return build_module("folded", SPEC, tmp_path_factory.mktemp("folded"), HEADER)


def folds() -> Iterator[np.ndarray]:
    """Yields 3 rows of 4 that share memory: equal rows, equal columns, rows with common columns, one element."""
    yield np.broadcast_to(np.ones(4, np.int32), (3, 4))
    yield np.broadcast_to(np.ones((3, 1), np.int32), (3, 4))
    yield sliding_window_view(np.ones(6, np.int32), 4)
    yield as_strided(np.ones(6, np.int32), (3, 4), (4, 4))
    yield np.broadcast_to(np.int32(1), (3, 4))


FUNCTIONS = ["count", "count_unlocked", "count_required", "count_promised", "begun_count"]


@pytest.mark.parametrize("name", FUNCTIONS)
def test_an_array_whose_elements_overlap_is_refused_by_a_function_that_reads(folded: ModuleType, name: str) -> None:
    for array in folds():
        with pytest.raises(BufferError, match="the array must be without overlap"):
            getattr(folded, name)(array)


@pytest.mark.parametrize("name", FUNCTIONS)
def test_a_read_only_array_is_accepted_by_a_function_that_reads(folded: ModuleType, name: str) -> None:
    array = np.ones((3, 8), np.int32)[:, ::2]
    array.flags.writeable = False
    assert getattr(folded, name)(array) == 6


def test_an_array_whose_elements_overlap_is_refused_among_several_arguments(folded: ModuleType) -> None:
    array = np.ones((3, 4), np.int32)
    sheet = folded.Sheet.from_dlpack(array)
    for fold in folds():
        for arguments in ((array, fold), (fold, sheet)):
            with pytest.raises(BufferError, match="without overlap"):
                folded.both(*arguments)
        with pytest.raises(BufferError, match="without overlap"):
            sheet.plus(fold)
        with pytest.raises(BufferError, match="without overlap"):
            folded.count_all([sheet, array, fold])
    assert folded.count_all([sheet, array]) == folded.both(sheet, array) == 12


def test_an_import_refuses_arrays_whose_elements_overlap(folded: ModuleType) -> None:
    for fold in folds():
        for cls in (folded.Sheet, folded.Begun):
            with pytest.raises(BufferError, match=r"without overlap|read-only"):
                cls.from_dlpack(fold)


def test_elements_that_overlap_are_copied_where_the_import_copies(folded: ModuleType) -> None:
    for fold in folds():
        assert folded.copied_sum(fold) == 612
        assert np.from_dlpack(folded.Copied.from_dlpack(fold)).tolist() == fold.tolist()


def test_a_copy_of_elements_that_overlap_is_not_written(folded: ModuleType) -> None:
    with pytest.raises(BufferError, match="without overlap"):
        folded.copied_fill(as_strided(np.ones(6, np.int32), (3, 4), (4, 4)))


def test_a_class_that_does_not_require_writable_accepts_elements_that_overlap(folded: ModuleType) -> None:
    for fold in folds():
        assert folded.shown_sum(fold) == 12


def test_single_rows_and_empty_arrays_overlap_nothing(folded: ModuleType) -> None:
    assert folded.count(np.broadcast_to(np.ones(4, np.int32), (1, 4))) == 4
    assert np.from_dlpack(folded.Sheet.from_dlpack(as_strided(np.ones(4, np.int32), (0, 4), (0, 0)))).shape == (0, 4)
