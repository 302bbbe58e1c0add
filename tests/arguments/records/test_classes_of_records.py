"""Classes whose elements are records: their buffers are structured arrays, and their imports take such arrays."""

from __future__ import annotations

import copy
import ctypes
import gc
import pickle
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from python.scripts import AT_THE_END, ENDING, run
from support.build import build_module

HEADER = Path(__file__).with_name("fields.h").read_text()
SPEC = """
dlpack-bindgen: 1
module: fields
include: fields.h
records:
  point: [x, y, tag]
  inner: [w, k]
  big: [b, {several: inner}, name, m, {last: inner}]
  packed: [c, n, d]
  holder: [first, {in: inner}]
  tail: [n, c]
  shifted: [c, n, rest]
  crate: [n, {in: shifted}]
  struct drawer: [{in: inner}]
  chest: [first, {drawer: struct drawer}]
  shelf: [number, {chest: chest}]
tensors:
  Cloud:
    type: cloud
    data: self->at
    dtype: {c: point}
    shape: [self->rows, self->columns]
    release: cloud_free(self)
    new: {c: "cloud *cloud_new(size_t rows, size_t columns)"}
    import: {set: {at: data, rows: "shape[0]", columns: "shape[1]"}}
    methods:
      sum: {c: double cloud_sum(const cloud *c)}
      shift: {c: "void cloud_shift(cloud *c, float by)"}
  Bigs: {type: bigs, data: self->at, dtype: {c: big}, shape: [self->count]}
  Packs: {type: packs, data: self->at, dtype: {c: packed}, shape: ["3"], release: (void)self, new: {}}
  Holders: {type: holders, data: self->at, dtype: {c: holder}, shape: ["2"], release: (void)self, new: {}}
  Tails: {type: tails, data: self->at, dtype: {c: tail}, shape: ["2"], release: (void)self, new: {}}
  Crates: {type: crates, data: self->at, dtype: {c: crate}, shape: ["2"], release: (void)self, new: {}}
  Shelves: {type: shelves, data: self->at, dtype: {c: shelf}, shape: ["2"], release: (void)self, new: {}}
functions:
  of_cloud: {c: double cloud_sum(const cloud *c)}
  move: {c: "void cloud_shift(cloud *c, float by)"}
  sum: {c: "double sum(const point *p, size_t n)", args: {n: {count_of: p}}}
  total: {c: "double total(const float *x, size_t n)", args: {n: {count_of: x}}}
  bigs: {c: const bigs *bigs_all(void), returns: {of: Bigs, borrow: static}}
"""
POINT = np.dtype([("x", "f4"), ("y", "f4"), ("tag", "i4")])
INNER = np.dtype([("w", "f8"), ("k", "S1")], align=True)
BIG = np.dtype(
    [("b", "i1"), ("several", INNER, 2), ("name", "S8"), ("m", "f4", (2, 3)), ("last", INNER)],
    align=True,
)


@pytest.fixture(scope="module")
def fields(tmp_path_factory: pytest.TempPathFactory) -> ModuleType:
    return build_module("fields", SPEC, tmp_path_factory.mktemp("fields"), HEADER)


def test_numpy_shows_the_struct(fields: ModuleType) -> None:
    cloud = fields.Cloud(2, 3)
    array = np.asarray(cloud)
    assert (array.dtype, array.shape, array.flags.writeable) == (POINT, (2, 3), True)
    assert array["x"].tolist() == [[0, 1, 2], [3, 4, 5]]
    array["x"] = 1
    assert (cloud.sum(), fields.sum(cloud), fields.of_cloud(cloud)) == (6, 24, 6)
    assert memoryview(cloud).format == memoryview(array).format == "T{f:x:f:y:i:tag:}"
    assert np.array(cloud, copy=True).dtype == POINT
    del cloud
    gc.collect()
    assert array["tag"].tolist() == [[2, 2, 2], [2, 2, 2]]


def test_records_are_refused_after_the_interpreter_has_released_its_states(fields: ModuleType) -> None:
    script = """
import ctypes, fields
class Point(ctypes.Structure): _fields_ = [("x", ctypes.c_float), ("y", ctypes.c_float), ("tag", ctypes.c_int)]
points = ((Point * 3) * 2)()
assert fields.Cloud.from_dlpack(points).shape == (2, 3)
call_at_the_end([lambda: fields.Cloud.from_dlpack(points), lambda: fields.of_cloud(points), lambda: fields.sum(points)])
"""
    lines = run(Path(str(fields.__file__)).parent, script, prelude=AT_THE_END)
    assert lines == [ENDING] * 3


def test_records_are_read_by_their_interface_if_a_device_is_requested(fields: ModuleType) -> None:
    """DLPack has no records, so that `__dlpack__()` is not called."""

    class Both:
        array = np.ones((2, 3), POINT)
        __array_interface__ = property(lambda self: self.array.__array_interface__)

        def __dlpack__(self, **keywords: Any) -> Any:
            raise AssertionError

    assert fields.Cloud.from_dlpack(Both(), device="cpu").sum() == 6


def test_attributes_count_records(fields: ModuleType) -> None:
    cloud = fields.Cloud(2, 3)
    assert (cloud.dtype, cloud.itemsize, cloud.nbytes, cloud.shape, cloud.strides) == ("point", 12, 72, (2, 3), (3, 1))
    assert repr(cloud) == "<fields.Cloud point[2, 3] on cpu>"


def test_the_buffer_describes_padding_and_members_of_every_kind(fields: ModuleType) -> None:
    array = np.asarray(fields.bigs())
    inner = "T{d:w:b:k:xxxxxxx}"
    assert memoryview(fields.bigs()).format == f"T{{b:b:xxxxxxx(2){inner}:several:8s:name:(2,3)f:m:{inner}:last:}}"
    assert (array.itemsize, array.flags.writeable) == (BIG.itemsize, False)
    assert {name: field[1] for name, field in (array.dtype.fields or {}).items()} == {
        name: field[1] for name, field in (BIG.fields or {}).items()
    }
    assert (array["several"]["w"].tolist(), array["name"].tolist()) == ([[2, 3], [8, 9]], [b"four", b"ten"])
    assert (array["m"][0, 1, 2], array["last"]["k"].tolist()) == (5, [ord("c"), ord("f")])


def test_the_buffer_describes_packed_structs(fields: ModuleType) -> None:
    packs = fields.Packs()
    array = np.asarray(packs)
    array["n"] = [1, 2, 3]
    assert memoryview(packs).format == "=T{b:c:i:n:d:d:}"
    assert (array.dtype.itemsize, np.asarray(packs)["n"].tolist()) == (13, [1, 2, 3])


def test_the_buffer_describes_a_struct_in_a_packed_struct(fields: ModuleType) -> None:
    """NumPy would expect padding before the inner struct, which needs the alignment of its largest number."""
    holders = fields.Holders()
    array = np.asarray(holders)
    array["in"]["w"] = [1, 2]
    assert memoryview(holders).format == "=T{b:first:T{d:w:b:k:xxxxxxx}:in:}"
    assert (array.dtype.itemsize, np.asarray(holders)["in"]["w"].tolist()) == (17, [1, 2])


def test_the_buffer_describes_a_struct_whose_size_does_not_fit_its_numbers(fields: ModuleType) -> None:
    tails = fields.Tails()
    np.asarray(tails)["n"] = [1, 2]
    assert memoryview(tails).format == "=T{i:n:b:c:}"
    assert bytes(tails) == bytes([1, 0, 0, 0, 0, 2, 0, 0, 0, 0])


def test_the_buffer_describes_a_packed_struct_in_an_aligned_struct(fields: ModuleType) -> None:
    """The place and the size of the inner struct fit its numbers, and the places of its numbers do not."""
    crates = fields.Crates()
    np.asarray(crates)["in"]["n"] = [1, 2]
    assert memoryview(crates).format == "=T{i:n:T{b:c:i:n:(3)b:rest:}:in:}"
    assert (bytes(crates)[5], bytes(crates)[17], len(bytes(crates))) == (1, 2, 24)


def test_the_buffer_describes_structs_of_structs_of_structs(fields: ModuleType) -> None:
    shelves = fields.Shelves()
    array = np.asarray(shelves)
    array["chest"]["drawer"]["in"]["w"] = [1, 2]
    inner = "T{d:w:b:k:xxxxxxx}"
    assert memoryview(shelves).format == f"T{{b:number:xxxxxxxT{{b:first:xxxxxxxT{{{inner}:in:}}:drawer:}}:chest:}}"
    assert array.dtype.itemsize == 32
    assert np.frombuffer(bytes(shelves), np.float64)[[2, 6]].tolist() == [1, 2]


def test_bytes_and_read_only_buffers_of_records_are_exported(fields: ModuleType) -> None:
    cloud = fields.Cloud(1, 2)
    assert bytes(cloud) == np.asarray(cloud).tobytes()
    with pytest.raises((BufferError, TypeError), match=r"read-only|not writable"):
        (ctypes.c_char * 1).from_buffer(fields.bigs())


@pytest.mark.parametrize(
    "keywords", [{}, {"max_version": (1, 0)}, {"copy": True}, {"dl_device": (1, 0)}, {"stream": None}, {"copy": False}]
)
def test_dlpack_has_no_records(fields: ModuleType, keywords: dict[str, Any]) -> None:
    cloud = fields.Cloud(1, 1)
    message = r"^fields\.Cloud: DLPack has no records: use numpy\.asarray\(\) or memoryview\(\), which read the buffer$"
    with pytest.raises(BufferError, match=message):
        cloud.__dlpack__(**keywords)
    with pytest.raises(BufferError, match=message):
        np.from_dlpack(cloud)
    assert cloud.__dlpack_device__() == (1, 0)
    cloud.close()
    with pytest.raises(ValueError, match="closed"):
        cloud.__dlpack__(**keywords)


def test_imports_show_structured_arrays(fields: ModuleType) -> None:
    array = np.ones((2, 2), POINT)
    cloud = fields.Cloud.from_dlpack(array)
    array["x"] = 3
    assert (cloud.sum(), fields.Cloud.from_dlpack(memoryview(array)).sum()) == (12, 12)
    cloud.shift(1)
    assert array["x"].tolist() == [[4, 4], [4, 4]]
    assert np.shares_memory(np.asarray(fields.Cloud.from_dlpack(cloud)), array)
    assert fields.Cloud.from_dlpack(array, copy=True).sum() == 16
    del array
    gc.collect()
    assert cloud.sum() == 16


def test_arguments_are_objects_or_structured_arrays(fields: ModuleType) -> None:
    array = np.ones((1, 2), POINT)
    fields.move(array, 2)
    assert (fields.of_cloud(array), fields.of_cloud(memoryview(array)), array["x"].tolist()) == (6, 6, [[3, 3]])
    array.flags.writeable = False
    assert fields.of_cloud(array) == 6
    with pytest.raises(BufferError, match=r"move\(\) argument 'c': the array is read-only"):
        fields.move(array, 2)


@pytest.mark.parametrize("call", ["Cloud.from_dlpack", "cloud_sum"])
def test_other_elements_are_refused(fields: ModuleType, call: str) -> None:
    function, prefix = {
        "Cloud.from_dlpack": (fields.Cloud.from_dlpack, r"fields\.Cloud"),
        "cloud_sum": (fields.of_cloud, r"of_cloud\(\) argument 'c'"),
    }[call]
    wrong = np.zeros((1, 1), [("x", "f4"), ("y", "f4"), ("tag", "u4")])
    for each in (wrong, memoryview(wrong)):
        with pytest.raises(TypeError, match=rf"^{prefix}: the field 'tag' of the array is uint32 at byte 8, and must"):
            function(each)
    with pytest.raises(TypeError, match=rf"^{prefix}: the elements of the array are float32, and must be records"):
        function(np.zeros((1, 1), np.float32))
    with pytest.raises(TypeError, match=rf"^{prefix}: the records of the array have a field 'b', and must have"):
        function(fields.bigs())
    with pytest.raises(BufferError, match=rf"^{prefix}: the array has 1 axis, not 2"):
        function(np.zeros(1, POINT))
    with pytest.raises(TypeError):
        function([1.0])


def test_records_are_not_numbers(fields: ModuleType) -> None:
    with pytest.raises(BufferError, match=r"total\(\) argument 'x': the dtype is record\(12 bytes\), not float32"):
        fields.total(fields.Cloud(1, 1))


def test_objects_of_records_are_not_pickled(fields: ModuleType) -> None:
    for each in (pickle.dumps, copy.copy, copy.deepcopy):
        with pytest.raises(TypeError, match=r"cannot pickle .fields\.Cloud. object: its elements are records"):
            each(fields.Cloud(1, 1))
