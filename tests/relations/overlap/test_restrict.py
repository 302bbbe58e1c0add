# SPDX-License-Identifier: MIT
"""Arguments that overlap where the prototype says `restrict`: C may then read what it has just written, or not."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from support.build import build_module

SPEC = """
dlpack-bindgen: 1
module: exclusive
include: exclusive.h
arrays: Array
tensors:
  Series:
    type: series
    data: self->at
    dtype: float64
    shape: [self->size]
    import: {set: {at: data, size: "shape[0]"}}
    methods:
      add_to: {c: "void series_add(series *restrict to, const series *restrict source)", args: {source: Series}}
  Copied:
    type: copied
    data: self->at
    dtype: float64
    shape: [self->size]
    import: {copy: allowed, set: {at: data, size: "shape[0]"}}
  Ledger:
    type: ledger
    data: self->entries
    dtype: int32
    shape: [4]
    release: free(self)
    methods:
      row: {c: "series *ledger_row(ledger *l)", returns: {of: Series, borrow: l}}
  Mapped:
    type: mapped
    data: self->at
    dtype: float64
    shape: [3]
    acquire: map_it(self)
    restore: unmap_it(self)
    release: free(self)
handles:
  Counter:
    type: counter
    release: free(self)
    new: {c: counter *counter_new(void)}
    methods:
      count: {c: "int counter_count(const counter *c)"}
  Placed: {type: counter, release: (void)self}
functions:
  shift: {c: "void shift(const double *restrict source, double *restrict to, size_t n)", args: {n: {count_of: source}}}
  shift_written_first:
    c: void shift_back(double *__restrict to, const double *__restrict__ source, size_t n)
    args: {n: {count_of: source}}
  shift_made: {c: "void shift(const double *restrict source, double *restrict to, size_t n)",
               args: {n: {count_of: source}, to: {default: like source}}}
  shift_optional: {c: "void shift(const double *restrict source, double *restrict to, size_t n)",
                   args: {n: {count_of: to}, source: {optional: true, require: []}, to: {optional: true}}}
  shift_copied: {c: "void shift(const double *restrict source, double *restrict to, size_t n)",
                 args: {n: {count_of: source}, source: {copy: allowed}, to: {copy: allowed}}}
  shift_plain: {c: "void shift(const double *source, double *to, size_t n)", args: {n: {count_of: source}}}
  shift_bracketed:
    c: void shift3(const double source[restrict 3], double to[static restrict 3])
  shift_bytes:
    c: void shift_bytes(const void *restrict source, void *restrict to, size_t n)
    args: {n: {size_of: source}, source: bytes, to: {of: bytes, require: [{count: n}]}}
  shift_tensor: {c: "void shift_tensor(const DLTensor *restrict source, DLTensor *restrict to)"}
  shift_codes:
    c: void shift_any(const void *restrict source, void *restrict to, size_t n)
    args:
      source: {of: array, require: [{dtype: int16}]}
      to: {of: array, require: [{dtype: int16}]}
      n: {count_of: source}
  dot: {c: "double dot(const double *restrict a, const double *restrict b, size_t n)", args: {n: {count_of: a}}}
  scale_by: {c: "void scale_by(double *x, const double *restrict by, size_t n)", args: {n: {count_of: x}}}
  read_only: {c: "void scale_by(double *x, const double *restrict by, size_t n)",
              args: {n: {count_of: x}, x: {writes: false}}}
  shift_steps:
    c: void shift_steps(const double *restrict source, long a, double *restrict to, long b, long n)
    args: {a: {stride_of: source, negative: true}, b: {stride_of: to, negative: true}, n: {extent_of: source}}
  copy_plane:
    c: void copy_plane(const short *restrict source, long fr, long fc, short *restrict to, long tr, long tc,
                       long h, long w)
    args:
      fr: {stride_of: source, unit: elements}
      fc: {stride_of: source, axis: 1, unit: elements}
      tr: {stride_of: to, unit: elements}
      tc: {stride_of: to, axis: 1, unit: elements}
      h: {extent_of: source}
      w: {extent_of: source, axis: 1}
      to: {require: [{shape: [h, w]}]}
  smooth_rows:
    c: void smooth_rows(const float *restrict const *source, float *restrict const *to, int rows, int columns)
    args:
      source: rows
      to: {of: rows, require: [{shape: [rows, columns]}]}
      rows: {extent_of: source}
      columns: {extent_of: source, axis: 1}
  total_rows:
    c: double total_rows(const float *restrict const *source, int rows, int columns)
    args: {source: rows, rows: {extent_of: source}, columns: {extent_of: source, axis: 1}}
  series_add: {c: "void series_add(series *restrict to, const series *restrict source)"}
  series_scale: {c: "void series_scale(series *s, const double *restrict by)", args: {by: {require: [{count: 1}]}}}
  copied_add: {c: "void copied_add(copied *restrict to, const copied *restrict source)"}
  fill_all: {c: "void fill_all(series *restrict const *all, int n, double value)", args: {n: {count_of: all}}}
  fill_shared: {c: "void fill_shared(series **restrict all, int n, double value)",
                args: {all: {writes: true}, n: {count_of: all}}}
  total_all: {c: "double total_all(const series *restrict const *all, int n)", args: {n: {count_of: all}}}
  add_all: {c: "void add_all(const series *const *all, int n, double *restrict to)",
            args: {n: {count_of: all}, to: {require: [{count: 1}]}}}
  counter_merge: {c: "int counter_merge(counter *restrict into, const counter *restrict source)",
                  args: {into: Counter, source: Counter}, returns: int}
  ledger_new: {c: ledger *ledger_new(void)}
  ledger_add: {c: "void ledger_add(ledger *l, const int32_t *restrict by)", args: {by: {require: [{count: 4}]}}}
  counter_at:
    c: counter *counter_at(void *bytes, size_t n)
    args: {bytes: bytes, n: {size_of: bytes}}
    returns: {of: Placed, keeps: bytes}
  counter_set:
    c: void counter_set(counter *c, const void *restrict bytes, size_t n)
    args: {c: Placed, bytes: bytes, n: {size_of: bytes}}
  mapped_new: {c: mapped *mapped_new(void)}
  mapped_add: {c: "void mapped_add(mapped *restrict to, const mapped *restrict source)"}
"""
HEADER = Path(__file__).with_name("exclusive.h").read_text()


@pytest.fixture(scope="module")
def exclusive(tmp_path_factory: pytest.TempPathFactory) -> ModuleType:
    return build_module("exclusive", SPEC, tmp_path_factory.mktemp("exclusive"), HEADER)


def refused(call: Callable[..., Any], *arguments: Any, names: str = "") -> None:
    with pytest.raises(BufferError, match=rf"its memory overlaps the memory of .*{names}.*pass a copy of one of them"):
        call(*arguments)


def test_the_message_names_both_arguments(exclusive: ModuleType) -> None:
    a = np.arange(5.0)
    expected = (
        r"^shift\(\) argument 'to': its memory overlaps the memory of 'source', which the function does not allow: "
        r"pass a copy of one of them$"
    )
    with pytest.raises(BufferError, match=expected):
        exclusive.shift(a[:-1], a[1:])
    assert a.tolist() == [0, 1, 2, 3, 4]


@pytest.mark.parametrize("name", ["shift", "shift_copied", "shift_made", "shift_optional", "shift_bracketed"])
def test_slices_that_overlap_are_refused(exclusive: ModuleType, name: str) -> None:
    a = np.arange(7.0)
    shift = getattr(exclusive, name)
    for shown, filled in ((a[:3], a[2:5]), (a[2:5], a[:3]), (a[:3], a[:3]), (memoryview(a)[:3], a[1:4])):
        refused(shift, shown, filled)
    shift(a[:3], a[3:6])
    assert a.tolist() == [0, 1, 2, 1, 2, 3, 6]


def test_the_order_of_the_parameters_does_not_matter(exclusive: ModuleType) -> None:
    a = np.arange(5.0)
    refused(exclusive.shift_written_first, a[1:], a[:-1], names="to")
    exclusive.shift_written_first(a[3:], a[:2])
    assert a.tolist() == [0, 1, 2, 1, 2]


def test_without_restrict_arrays_may_overlap(exclusive: ModuleType) -> None:
    a = np.zeros(4)
    exclusive.shift_plain(a[:-1], a[1:])
    assert a.tolist() == [0, 1, 2, 3]


def test_arrays_that_are_only_read_may_overlap(exclusive: ModuleType) -> None:
    a = np.arange(4.0)
    assert exclusive.dot(a, a) == 14
    exclusive.read_only(a, np.ones(4))
    exclusive.read_only(a, a)
    rows = np.ones((3, 4), np.float32)
    assert exclusive.total_rows(np.lib.stride_tricks.sliding_window_view(rows[0], 2)) == 6
    s = exclusive.Series.from_dlpack(a)
    assert exclusive.total_all([s, s, a[1:]]) > 0


def test_one_restrict_pointer_is_enough(exclusive: ModuleType) -> None:
    a = np.arange(4.0)
    refused(exclusive.scale_by, a, a)


def test_arrays_without_elements_and_none_do_not_overlap(exclusive: ModuleType) -> None:
    a = np.zeros(4)
    exclusive.shift(a[:0], a[:0])
    exclusive.shift(a[2:2], a[1:1])
    exclusive.shift_optional(None, a)
    assert a.tolist() == [1, 1, 1, 1]


def pair(managed: Any, distance: int, first: dict[str, Any], second: dict[str, Any]) -> tuple[object, object]:
    """Makes two tensors of 8 elements, the second one at a distance in bytes behind the first one."""
    one = managed(**({"dtype": (1, 8, 1), "axes": ((8,), (1,))} | first))
    other = managed(**({"dtype": (1, 8, 1), "axes": ((8,), (1,)), "data": one.data + distance} | second))
    return one.capsule(), other.capsule()


def test_elements_below_a_byte_are_compared_by_their_bytes(exclusive: ModuleType, managed: Any) -> None:
    packed = {"dtype": (1, 4, 1)}
    refused(exclusive.shift_tensor, *pair(managed, 3, packed, packed))
    refused(exclusive.shift_tensor, *pair(managed, 3, packed, {}))
    exclusive.shift_tensor(*pair(managed, 4, packed, packed))
    exclusive.shift_tensor(*pair(managed, 4, packed, {}))


CUDA, CUDA_HOST, OPENCL = {"device_type": 2}, {"device_type": 3}, {"device_type": 4}


@pytest.mark.parametrize(
    ("first", "second"),
    [(CUDA, CUDA), (CUDA_HOST, {}), (OPENCL, OPENCL), (OPENCL, OPENCL | {"byte_offset": 7})],
    ids=["device", "host", "handle", "offset"],
)
def test_equal_memory_of_one_device_is_refused(exclusive: ModuleType, managed: Any, first: Any, second: Any) -> None:
    refused(exclusive.shift_tensor, *pair(managed, 0, first, second))


@pytest.mark.parametrize(
    ("distance", "first", "second"),
    [
        (0, CUDA, {}),
        (0, {}, CUDA),
        (0, CUDA, CUDA | {"device_id": 1}),
        (0, CUDA, OPENCL),
        (8, CUDA, CUDA),
        (1, OPENCL, OPENCL),  # another handle
        (0, OPENCL, OPENCL | {"byte_offset": 8}),
        (0, {}, {"axes": ((0,), (1,))}),
    ],
)
def test_memory_of_other_devices_or_at_other_addresses_is_accepted(
    exclusive: ModuleType, managed: Any, distance: int, first: Any, second: Any
) -> None:
    exclusive.shift_tensor(*pair(managed, distance, first, second))


def test_new_outputs_and_sequences_overlap_nothing(exclusive: ModuleType) -> None:
    a = np.arange(3.0)
    assert np.asarray(exclusive.shift_made(a)).tolist() == [1, 2, 3]
    assert np.asarray(exclusive.shift_made([1, 2])).tolist() == [2, 3]
    exclusive.shift([5, 6, 7], a)
    assert a.tolist() == [6, 7, 8]
    exclusive.shift(list(range(100)), np.zeros(100))


def test_copies_overlap_nothing(exclusive: ModuleType) -> None:
    a = np.arange(8.0)
    exclusive.shift_copied(a[::2], a[1:5])  # the one that is read is copied
    assert a.tolist() == [0, 1, 3, 5, 7, 5, 6, 7]
    a = np.arange(8.0)
    exclusive.shift_copied(a[:4], a[::2])  # and so is the one that is written
    assert a.tolist() == [1, 1, 2, 3, 3, 5, 4, 7]
    a = np.arange(8.0)
    exclusive.copied_add(a[::2], a[:4])
    assert a.tolist() == [0, 1, 3, 3, 6, 5, 9, 7]
    refused(exclusive.copied_add, a[1:], a[:4])


def test_interleaved_slices_are_accepted(exclusive: ModuleType) -> None:
    a = np.arange(6.0)
    exclusive.shift_steps(a[::2], a[1::2])
    assert a.tolist() == [0, 1, 2, 3, 4, 5]
    exclusive.shift_steps(a[4::-2], a[1::2])
    assert a.tolist() == [0, 5, 2, 3, 4, 1]
    refused(exclusive.shift_steps, a[::2], a[2:5])
    refused(exclusive.shift_steps, a[::3], a[1::2][:2][::-1])
    refused(exclusive.shift_steps, a[::2], a[4::-2])
    exclusive.shift_steps(a[::3], a[1::3])


def test_planes_columns_and_blocks_are_compared_exactly(exclusive: ModuleType) -> None:
    image = np.arange(60, dtype=np.int16).reshape(4, 5, 3)
    exclusive.copy_plane(image[..., 0], image[..., 1])
    assert (image[..., 0] == image[..., 1]).all()
    table = image[..., 2]
    exclusive.copy_plane(table[:, :2], table[:, 3:])
    exclusive.copy_plane(table[:2, :2], table[2:, 3:])
    exclusive.copy_plane(table[::2], table[1::2])
    exclusive.copy_plane(table[:3, :3], table[:3, :3].T.copy())
    refused(exclusive.copy_plane, table[:, :3], table[:, 2:])
    refused(exclusive.copy_plane, table[:3, :3], table[:3, :3].T)
    refused(exclusive.copy_plane, table[:2, 1:], table[1:3, :4])


def test_overlap_agrees_with_numpy_for_all_small_views(exclusive: ModuleType) -> None:
    """Compares all pairs of small views of one array with numpy.shares_memory()."""
    memory = np.zeros(24, np.int16)
    steps = np.lib.stride_tricks.as_strided
    shapes = [(2, 3), (3, 2)]
    strides = [(2, 6), (6, 2), (10, 4), (4, 10), (14, 4), (8, 12)]
    views = []
    for start in (0, 1, 2, 3, 5, 8, 11):
        for shape in shapes:
            for stride in strides:
                last = start + sum((extent - 1) * step // 2 for extent, step in zip(shape, stride, strict=True))
                if last < memory.size:
                    views.append(steps(memory[start:], shape, stride))
    compared = {True: 0, False: 0}
    for one in views:
        for other in views:
            if one.shape != other.shape:
                continue
            shared = np.shares_memory(one, other)
            try:
                exclusive.copy_plane(one, other)
                found = False
            except BufferError as error:
                if "without overlap" in str(error):  # what is written must not overlap itself
                    continue
                found = True
            assert found == shared, (one.__array_interface__, other.__array_interface__)
            compared[shared] += 1
    assert compared[True] > 100 and compared[False] > 10


def test_bytes_that_overlap_are_refused(exclusive: ModuleType) -> None:
    memory = bytearray(range(8))
    whole = memoryview(memory)
    refused(exclusive.shift_bytes, whole[:4], whole[3:7])
    refused(exclusive.shift_bytes, memory, memory)
    exclusive.shift_bytes(whole[:4], whole[4:])
    exclusive.shift_bytes(b"ab", whole[:2])
    assert memory == b"ab\x02\x03\x00\x01\x02\x03"


def test_arrays_of_any_dtype_and_tensors_are_compared(exclusive: ModuleType) -> None:
    a = np.arange(6, dtype=np.int16)
    refused(exclusive.shift_codes, a[:3], a[2:5])
    exclusive.shift_codes(a[:3], a[3:])
    assert a.tolist() == [0, 1, 2, 0, 1, 2]
    refused(exclusive.shift_tensor, a, a[::-1])
    refused(exclusive.shift_tensor, a.view(np.int8)[1:], a[:1])
    exclusive.shift_tensor(a.view(np.int8)[2:], a[:1])


def test_tables_of_rows_are_compared(exclusive: ModuleType) -> None:
    rows = np.ones((4, 3), np.float32)
    refused(exclusive.smooth_rows, rows[:2], rows[1:3])
    exclusive.smooth_rows(rows[:2], rows[2:])
    exclusive.smooth_rows(rows[::2], rows[1::2])
    assert rows[:, 0].tolist() == [1, 0.5, 0.5, 0.25]


def test_objects_and_their_memory_are_compared(exclusive: ModuleType) -> None:
    a = np.arange(4.0)
    one, other = exclusive.Series.from_dlpack(a), exclusive.Series.from_dlpack(a[2:])
    refused(exclusive.series_add, one, one)
    refused(exclusive.series_add, one, other)
    refused(exclusive.series_add, a, one)
    refused(exclusive.series_add, one, a[3:])
    refused(exclusive.series_add, a, a)
    refused(one.add_to, one)
    refused(one.add_to, a[1:], names="self")
    exclusive.series_add(exclusive.Series.from_dlpack(a[:2]), other)
    assert a.tolist() == [2, 4, 2, 3]
    refused(exclusive.series_scale, one, a[1:2])
    exclusive.series_scale(one, np.array([2.0]))
    exclusive.series_scale(other, [2])
    assert a.tolist() == [4, 8, 8, 12]


def test_one_handle_cannot_be_both_arguments(exclusive: ModuleType) -> None:
    one, other = exclusive.Counter(), exclusive.Counter()
    refused(exclusive.counter_merge, one, one)
    assert exclusive.counter_merge(one, other) == 1


def test_objects_of_lists_are_compared(exclusive: ModuleType) -> None:
    a = np.arange(4.0)
    one, other = exclusive.Series.from_dlpack(a[:2]), exclusive.Series.from_dlpack(a[1:])
    refused(exclusive.fill_all, [one, other], 1, names=r"all\[0\]")
    refused(exclusive.fill_all, (a[2:], one, a[3:]), 1)
    exclusive.fill_all([one, a[2:]], 5)
    assert a.tolist() == [5, 5, 5, 5]
    exclusive.fill_shared([one, one, other], 6)  # only the pointer to the table is restrict
    sum_ = np.zeros(1)
    exclusive.add_all([one, other], sum_)
    assert sum_[0] == 30
    refused(exclusive.add_all, [one, other], a[3:], names=r"all\[1\]")
    refused(exclusive.add_all, [a], a[:1])
    exclusive.add_all([], a[:1])


def test_a_struct_is_compared_with_its_elements(exclusive: ModuleType) -> None:
    ledger = exclusive.ledger_new()
    entries = np.from_dlpack(ledger)
    refused(exclusive.ledger_add, ledger, entries)
    exclusive.ledger_add(ledger, np.arange(4, dtype=np.int32))
    assert entries.tolist() == [0, 1, 2, 3]


def test_a_struct_in_an_array_is_compared_with_the_array(exclusive: ModuleType) -> None:
    memory = np.full(8, 7, np.int64)
    placed = exclusive.counter_at(memory[2:])
    refused(exclusive.counter_set, placed, memory[2:4])
    exclusive.counter_set(placed, memory[:2])
    assert memory.tolist() == [7] * 8


def test_memory_that_exists_only_while_exported_is_compared(exclusive: ModuleType) -> None:
    one, other = exclusive.mapped_new(), exclusive.mapped_new()
    refused(exclusive.mapped_add, one, one)
    exclusive.mapped_add(one, other)
    assert np.from_dlpack(one).tolist() == [1, 0, 0]


def test_the_docstring_says_which_arguments_must_not_overlap(exclusive: ModuleType) -> None:
    assert "`to` must not overlap `source`." in exclusive.shift.__doc__
    assert "overlap" not in exclusive.dot.__doc__ and "overlap" not in exclusive.shift_plain.__doc__
    assert "The objects of `all` must not overlap each other." in exclusive.fill_all.__doc__
