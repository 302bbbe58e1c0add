# SPDX-License-Identifier: MIT
"""Types that are pointers themselves (`typedef struct table_s *table`), and tables of rows that may not be there: NULL
is no object, and no row is read of a table that has none."""

from __future__ import annotations

import ctypes
import itertools
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

from support.build import EXPORTED, build_extension, import_extension

HEADER = Path(__file__).with_name("tables.h").read_text()
SPEC = """
module: tables
include: [tables.h]
functions:
  count: {c: long table_count(void)}
tensors:
  Table:
    type: table
    pass: value
    data: self->rows[0]
    dtype: float32
    shape: [self->count, self->columns]
    strides: {rows: self->rows}
    copy: allowed
    release: table_free(self)
    new: {c: "table table_new(long count, long columns)"}
    allocate: {construct: "table_new((long)shape[0], (long)shape[1])", require: [{ndim: 2}]}
    methods:
      maybe: {c: "table table_or_none(table self, int wanted)", returns: {of: Table, borrow: self, optional: true}}
      surely: {c: "table table_or_none(table self, int wanted)", returns: {of: Table, borrow: self}}
      moved: {c: "table table_moved(table self, int wanted)", args: {self: {takes: true}}}
      out: {c: "void table_out(table self, int wanted, table *out)", args: {out: {out: true}}}
  Odd:
    type: odd
    pass: value
    data: self->rows[0]
    dtype: float32
    shape: [self->count, self->columns]
    strides: {rows: self->rows}
    release: table_free(self)
    clone: table_or_none(self, 0)
    allocate: {construct: "table_new(-1, (long)shape[1])", require: [{ndim: 2}]}
"""


@pytest.fixture(scope="module")
def tables(tmp_path_factory: pytest.TempPathFactory) -> ModuleType:
    folder = tmp_path_factory.mktemp("tables")
    return import_extension(
        "tables",
        build_extension(
            "tables", SPEC, folder, files={"tables.h": HEADER, "tables.c": "long tables;\n"}, flags=[EXPORTED]
        ),
    )


@pytest.fixture(autouse=True)
def none_left(tables: ModuleType) -> Iterator[None]:
    yield
    assert tables.count() == 0


def test_a_constructor_that_returns_null_is_a_failure(tables: ModuleType) -> None:
    with pytest.raises(RuntimeError, match=r"^Table\(\): table_new\(\) failed \(count=-1, columns=4\)$"):
        tables.Table(-1, 4)


def test_null_is_none_if_the_result_is_optional(tables: ModuleType) -> None:
    made = tables.Table(2, 3)
    assert made.maybe(0) is None
    assert made.maybe(1).shape == (2, 3)


def test_null_is_a_failure_if_the_result_is_required(tables: ModuleType) -> None:
    made = tables.Table(2, 3)
    with pytest.raises(RuntimeError, match=r"^surely\(\): table_or_none\(\) failed \(wanted=0\)$"):
        made.surely(0)
    with pytest.raises(RuntimeError, match=r"^tables\.Table: the function returned NULL$"):
        made.out(0)
    assert made.surely(1).shape == (2, 3)
    assert made.out(1).shape == (2, 1)


def test_a_failing_call_does_not_take_its_object(tables: ModuleType) -> None:
    made = tables.Table(2, 3)
    with pytest.raises(RuntimeError, match=r"^moved\(\): table_moved\(\) failed \(wanted=0\)$"):
        made.moved(0)
    assert (made.shape, made.moved(1).shape) == ((2, 3), (2, 2))
    with pytest.raises(ValueError, match="closed"):
        made.maybe(1)


def test_a_new_object_that_is_null_is_an_error(tables: ModuleType) -> None:
    with pytest.raises(RuntimeError, match=r"^tables\.Odd: the new object is NULL$"):
        tables.Odd.empty((2, 3))


def test_a_clone_that_is_null_is_an_error(tables: ModuleType) -> None:
    library = ctypes.PyDLL(tables.__file__)
    library.tables_odd_wrap.argtypes, library.tables_odd_wrap.restype = [ctypes.c_void_p], ctypes.py_object
    library.tables_table_unwrap.argtypes, library.tables_table_unwrap.restype = [ctypes.py_object], ctypes.c_void_p
    made = tables.Table(2, 3)
    pointer = ctypes.c_void_p.from_address(library.tables_table_unwrap(made))
    with pytest.raises(RuntimeError, match=r"^tables\.Odd: the clone of the object is NULL$"):
        library.tables_odd_wrap(pointer)
    with pytest.raises(ValueError, match=r"^tables\.Odd: the object is NULL$"):
        library.tables_odd_wrap(None)


@pytest.mark.parametrize("shape", [*itertools.product((0, 1, 2, 5), (0, 1, 4))])
def test_tables_of_every_shape_are_exported(tables: ModuleType, shape: tuple[int, int]) -> None:
    for made in (tables.Table(*shape), tables.Table.empty(shape)):
        array = np.from_dlpack(made)
        assert array.shape == shape and not array.any()


def test_no_row_is_read_if_an_extent_is_negative(tables: ModuleType) -> None:
    assert repr(tables.Table(0, -4)).endswith("shape[1] (self->columns) is -4: an extent is 0 to 2^63 - 1>")
