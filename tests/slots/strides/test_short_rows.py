"""Exports whose elements overlap are refused, because a row is shorter than its elements, unless the spec allows it."""

from __future__ import annotations

import copy
import pickle
import subprocess
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest
from numpy.lib.stride_tricks import as_strided, sliding_window_view

from python.tensors import inside
from support.build import build_module, build_program

NEW = '{c: "sheet *sheet_new(long rows, long columns, long step, long right)"}'
SHEET = f"""
    type: sheet
    shape: [self->rows, self->columns]
    release: sheet_free(self)
    new: {NEW}
"""
BYTES = f"{SHEET}    data: (unsigned char *)self->cells\n    dtype: uint8\n"
POINTERS = f"{SHEET}    data: '((double **)self->table)[0]'\n    dtype: float64\n"
SPEC = f"""
dlpack-bindgen: 1
module: short_rows
include: short_rows.h
arrays: Array
records: {{point: [x, y]}}
tensors:
  Outer:{BYTES}    strides: {{outer: self->step, unit: bytes}}
    methods:
      sum: {{c: long sheet_sum(const sheet *s)}}
  Listed:{BYTES}    strides: [self->step, self->right]
  Columns:{BYTES}    order: F
    strides: {{outer: self->step, unit: bytes}}
  Reversed:{BYTES}    order: reversed
    strides: [self->right, self->step]
  Halves:{SHEET}    data: (int16_t *)self->cells
    dtype: int16
    strides: {{list: [self->step, self->right], unit: bytes}}
  Each:
    type: sheet
    data: (unsigned char *)self->cells
    dtype: uint8
    shape: {{ndim: self->rank, each: "self->shape[axis]"}}
    strides: {{each: "self->steps[axis]", unit: bytes}}
    release: sheet_free(self)
    new: {NEW}
  Rows:{POINTERS}    strides: {{rows: (double **)self->table}}
  GatheredRows:{POINTERS}    strides: {{rows: (double **)self->table}}
    copy: allowed
  Gathered:{SHEET}    data: (int32_t *)self->cells
    dtype: int32
    strides: {{outer: self->step, unit: bytes}}
    copy: allowed
  Copied:{BYTES}    strides: {{outer: self->step, unit: bytes}}
    copy: always
  Points:{SHEET}    data: (point *)self->cells
    dtype: {{c: point}}
    strides: {{outer: self->step, unit: bytes}}
  Nibbles:{SHEET}    data: self->cells
    dtype: uint4
    strides: {{outer: self->step}}
  Chosen:{BYTES}    match:
      of: self->kind
      arms:
        - {{when: 0, strides: {{outer: self->step, unit: bytes}}}}
        - {{when: 1, strides: {{outer: self->step, unit: bytes, overlap: true}}}}
    methods: {{set_kind: {{c: "void sheet_set_kind(sheet *s, int kind)"}}}}
  OuterWindows:{BYTES}    strides: {{outer: self->step, unit: bytes, overlap: true}}
  ListedWindows:{BYTES}    strides: {{list: [self->step, self->right], overlap: true}}
  RowWindows:{POINTERS}    strides: {{rows: (double **)self->table, overlap: true}}
  EachWindows:
    type: sheet
    data: (unsigned char *)self->cells
    dtype: uint8
    shape: {{ndim: self->rank, each: "self->shape[axis]"}}
    strides: {{each: "self->steps[axis]", unit: bytes, overlap: true}}
    release: sheet_free(self)
    new: {NEW}
  Header:
    type: sheet
    data: (unsigned char *)self->cells
    dtype: uint8
    shape: [self->rows, self->columns]
    strides: [self->step, self->right]
    import: {{set: {{cells: data, rows: "shape[0]", columns: "shape[1]", step: "strides[0]", right: "strides[1]"}}}}
functions:
  sheet_sum: {{c: long sheet_sum(const sheet *s), args: {{s: Header}}, returns: int}}
  sum_bytes:
    c: long sum_bytes(const unsigned char *x, long n, long m, long down, long right)
    args:
      n: {{extent_of: x}}
      m: {{extent_of: x, axis: 1}}
      down: {{stride_of: x}}
      right: {{stride_of: x, axis: 1}}
    returns: int
"""
HEADER = Path(__file__).with_name("short_rows.h").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def lib(tmp_path_factory: pytest.TempPathFactory) -> ModuleType:
    return build_module("short_rows", SPEC, tmp_path_factory.mktemp("short_rows"), f"#include <stdint.h>\n{HEADER}")


# The class, its arguments, and the axis, the stride and the least stride that the message must show.
REFUSED = [
    ("Outer", (4, 64, 8, 1), (0, 8, 64)),
    ("Outer", (2, 3, -2, 1), (0, -2, 3)),
    ("Listed", (3, 4, 1, 1), (0, 1, 4)),
    ("Listed", (4, 3, 1, 2), (1, 2, 4)),
    ("Listed", (2, 5, 7, 2), (0, 7, 9)),
    ("Columns", (64, 4, 8, 1), (1, 8, 64)),
    ("Reversed", (3, 4, 2, 1), (0, 2, 3)),
    ("Halves", (3, 4, 6, 2), (0, 3, 4)),
    ("Each", (4, 64, 8, 1), (0, 8, 64)),
    ("Each", (4, 64, 1, 2), (1, 2, 4)),
    ("Rows", (3, 4, 8, 1), (0, 1, 4)),
    ("Rows", (3, 4, -24, 1), (0, -3, 4)),
    ("GatheredRows", (3, 4, 24, 1), (0, 3, 4)),
    ("Gathered", (3, 4, 12, 1), (0, 3, 4)),
    ("Gathered", (3, 4, 14, 1), (0, "14 bytes", 16)),
    ("Copied", (4, 64, 8, 1), (0, 8, 64)),
    ("Chosen", (4, 64, 8, 1), (0, 8, 64)),
]
EXPORTS: dict[str, Callable[[Any], object]] = {
    "capsule": lambda made: made.__dlpack__(),
    "versioned capsule": lambda made: made.__dlpack__(max_version=(1, 0)),
    "copy by the producer": lambda made: made.__dlpack__(max_version=(1, 0), copy=True),
    "NumPy": np.asarray,
    "buffer": memoryview,
}


@pytest.mark.parametrize("export", EXPORTS)
@pytest.mark.parametrize("name, arguments, numbers", REFUSED)
def test_elements_that_overlap_are_refused_by_every_kind_of_export(
    lib: ModuleType, name: str, arguments: tuple[int, ...], numbers: tuple[int, object, int], export: str
) -> None:
    """Every kind of export is refused. The message shows the stride and the smallest stride that is allowed."""
    made = getattr(lib, name)(*arguments)
    axis, stride, least = numbers
    with pytest.raises(BufferError) as caught:
        EXPORTS[export](made)
    message = f"short_rows.{name}: elements overlap: strides[{axis}] is {stride}, shorter than the {least} that"
    assert message in str(caught.value)


@pytest.mark.parametrize("export", [np.asarray, memoryview])
def test_no_buffer_of_records_has_records_that_overlap(lib: ModuleType, export: Callable[[Any], object]) -> None:
    with pytest.raises(BufferError, match=r"Points: elements overlap: strides\[0\] is 3, shorter than the 4 that"):
        export(lib.Points(3, 4, 24, 1))
    assert np.asarray(lib.Points(3, 4, 40, 1)).strides == (40, 8)


def test_attributes_show_strides_that_overlap(lib: ModuleType) -> None:
    """Attributes can be read, since they show the wrong strides. A method gets the object itself."""
    page = lib.Outer(4, 64, 8, 1)
    assert (page.shape, page.strides, page.dtype, page.ndim) == ((4, 64), (8, 1), "uint8", 2)
    assert page.sum() == 0
    assert lib.Each(3, 4, 1, 1).strides == (1, 1)


ACCEPTED = [
    ("Outer", (4, 64, 64, 1)),
    ("Outer", (4, 64, -64, 1)),
    ("Outer", (1, 64, 8, 1)),
    ("Outer", (4, 1, 1, 1)),
    ("Outer", (4, 64, 0, 1)),
    ("Outer", (0, 64, 8, 1)),
    ("Outer", (4, 0, 8, 1)),
    ("Listed", (4, 3, 1, 4)),
    ("Listed", (2, 3, 5, 2)),
    ("Listed", (2, 4, 1, 2)),
    ("Listed", (4, 5, 0, 0)),
    ("Listed", (4, 5, 2, 0)),
    ("Columns", (64, 4, 64, 1)),
    ("Columns", (64, 4, 70, 1)),
    ("Reversed", (3, 4, 4, 1)),
    ("Halves", (3, 4, 8, 2)),
    ("Halves", (3, 4, 2, 6)),
    ("Each", (4, 64, 1, 4)),
    ("Rows", (3, 4, 32, 1)),
    ("Rows", (3, 4, -32, 1)),
    ("Rows", (3, 4, 0, 1)),
    ("GatheredRows", (3, 4, 40, 1)),
    ("Gathered", (3, 4, 18, 1)),
    ("Copied", (4, 64, 64, 1)),
    ("Chosen", (4, 64, 64, 1)),
]


@pytest.mark.parametrize("name, arguments", ACCEPTED)
def test_elements_that_are_apart_or_repeated_are_exported(
    lib: ModuleType, name: str, arguments: tuple[int, ...]
) -> None:
    """Exports column-major arrays, gaps, single rows, repeated rows and empty arrays."""
    made = getattr(lib, name)(*arguments)
    assert np.asarray(made).shape == made.shape == arguments[:2][:: -1 if name == "Reversed" else 1]
    assert inside(made.__dlpack__(max_version=(1, 0))).tensor.ndim == 2


def test_packed_elements_must_be_compact_in_any_case(lib: ModuleType) -> None:
    with pytest.raises(BufferError, match="elements of 4 bits are packed, so they must be compact"):
        lib.Nibbles(4, 64, 8, 1).__dlpack__(max_version=(1, 0))
    assert lib.Nibbles(4, 64, 64, 1).__dlpack__(max_version=(1, 0))


@pytest.mark.parametrize(
    "name, arguments, strides",
    [
        ("OuterWindows", (4, 64, 8, 1), (8, 1)),
        ("OuterWindows", (4, 64, 64, 1), (64, 1)),
        ("ListedWindows", (3, 4, 1, 1), (1, 1)),
        ("RowWindows", (3, 4, 8, 1), (8, 8)),
        ("EachWindows", (3, 4, 1, 1), (1, 1)),
    ],
)
def test_a_spec_can_allow_overlap(
    lib: ModuleType, name: str, arguments: tuple[int, ...], strides: tuple[int, int]
) -> None:
    made = getattr(lib, name)(*arguments)
    for array in (np.asarray(made), np.from_dlpack(made), np.asarray(memoryview(made))):
        assert (array.shape, array.strides) == (arguments[:2], strides)


def test_one_case_of_a_match_can_allow_overlap(lib: ModuleType) -> None:
    made = lib.Chosen(3, 4, 1, 1)
    with pytest.raises(BufferError, match=r"strides\[0\] is 1, shorter than the 4"):
        np.asarray(made)
    made.set_kind(1)
    assert np.asarray(made).strides == (1, 1)


def test_imports_of_windows_stay_and_only_their_exports_are_refused(lib: ModuleType) -> None:
    """C may read an array whose elements overlap. An object that an import made of it has the strides of the array."""
    windows = sliding_window_view(np.arange(6, dtype=np.uint8), 4)
    assert lib.sum_bytes(windows) == windows.sum()
    assert lib.sheet_sum(windows) == windows.sum()
    for cls in (lib.Header, lib.Array):
        made = cls.from_dlpack(windows)
        assert (made.shape, made.strides) == ((3, 4), (1, 1))
        for export in (np.asarray, memoryview, copy.copy, pickle.dumps):
            with pytest.raises(BufferError, match=r"strides\[0\] is 1, shorter than the 4"):
                export(made)
        repeated = cls.from_dlpack(as_strided(windows, (3, 4), (0, 1)))
        assert np.asarray(repeated).tolist() == [[0, 1, 2, 3]] * 3


PROGRAM = """
#include "short_rows_dlpack.h"
#include <stdio.h>
#include <string.h>

int main(void)
{
    unsigned char bytes[32] = {0};
    sheet page = {.cells = bytes, .rows = 4, .columns = 64, .step = 8};
    DLManagedTensorVersioned *managed = NULL;
    dlb_error error = {0};

    if (short_rows_page_to_dlpack(&page, &managed, &error) == 0) {
        return 1;
    }
    puts(error.message);
    page.columns = 8;
    if (short_rows_page_to_dlpack(&page, &managed, &error) != 0) {
        return 2;
    }
    managed->deleter(managed);
    return 0;
}
"""

PAGE = """
dlpack-bindgen: 1
module: short_rows
include: short_rows.h
tensors:
  Page:
    type: sheet
    data: (unsigned char *)self->cells
    dtype: uint8
    shape: [self->rows, self->columns]
    strides: {outer: self->step, unit: bytes}
"""


def test_to_dlpack_of_c_refuses_rows_that_overlap(tmp_path: Path) -> None:
    """A page of 4 rows with 64 pixels of 1 bit in 8 bytes is not an array of 4 x 64 bytes."""
    program = build_program(PAGE, tmp_path, files={"short_rows.h": HEADER, "main.c": PROGRAM})
    done = subprocess.run([program], capture_output=True, text=True, check=False)
    assert done.returncode == 0
    assert "elements overlap: strides[0] is 8, shorter than the 64" in done.stdout
