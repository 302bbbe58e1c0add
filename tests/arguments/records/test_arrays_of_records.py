"""Arrays of structs: structured arrays of NumPy and other buffers, whose fields must be those of the struct."""

from __future__ import annotations

import ctypes
import gc
import threading
import weakref
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from support.build import build_module

HEADER = Path(__file__).with_name("clouds.h").read_text()
SPEC = """
dlpack-bindgen: 1
module: clouds
include: clouds.h
arrays: Array
records:
  struct everything: [first, {several: inner}, name, m, one, {last: inner}, yes, z, c, deep]
  point: [x, y, tag]
  item: [kind, weight]
  inner: [w, k]
  packed: [c, n, d, s]
handles:
  Keeper:
    type: keeper
    release: free(self)
    new:
      c: keeper *keeper_new(const point *p, size_t n)
      args: {p: records, n: {count_of: p}}
      returns: {of: Keeper, keeps: p}
    methods: {sum: {c: double keeper_sum(const keeper *k)}}
  Point:
    type: point
    release: (void)self
    methods:
      minus:
        c: double distance(const point *a, const point *b, size_t n)
        args: {b: {of: records, require: [{count: 1}]}, n: {value: "1"}}
functions:
  sum: {c: "double sum(const point *p, size_t n)", args: {p: records, n: {count_of: p}}}
  maybe: {c: "double sum(const point *p, size_t n)", args: {p: {of: records, optional: true}, n: {count_of: p}}}
  shift: {c: "void shift(point *p, size_t n, float by)", args: {p: records, n: {extent_of: p}}, keyword_only: by}
  copied: {c: "void shift(point *p, size_t n, float by)", args: {p: {of: records, copy: allowed}, n: {count_of: p}}}
  grid:
    c: double grid(const point *p, int rows, int columns)
    args: {p: records, rows: {extent_of: p}, columns: {extent_of: p, axis: 1}}
  steps:
    c: double steps(const point *p, size_t n, ptrdiff_t step)
    args: {p: records, n: {extent_of: p}, step: {stride_of: p}}
  three: {c: "double three(const point p[3])", args: {p: records}}
  weigh: {c: "double weigh(const item *items, int n)", args: {n: {count_of: items}}}
  of_all: {c: "double of_all(const struct everything *e, int n)", args: {n: {count_of: e}}}
  of_packed: {c: "long of_packed(packed *p, int n)", args: {n: {count_of: p}}}
  released: {c: "double sum(const point *p, size_t n)", args: {p: records, n: {count_of: p}}, release_gil: true}
  both:
    c: double distance(const point *a, const point *b, size_t n)
    args: {a: records, b: records, n: {count_of: a}}
  any: {name: size, c: "double weigh(const item *items, int n)", args: {n: {count_of: items}}}
  other: {name: size, c: "double sum(const point *p, size_t n)", args: {p: records, n: {count_of: p}}}
"""
POINT = np.dtype([("x", "f4"), ("y", "f4"), ("tag", "i4")])
ITEM = np.dtype([("kind", "i2"), ("weight", "f8")], align=True)
INNER = np.dtype([("w", "f8"), ("k", "i1")], align=True)
PACKED = np.dtype([("c", "S1"), ("n", "i4"), ("d", "f8"), ("s", "i2")])


@pytest.fixture(scope="module")
def clouds(tmp_path_factory: pytest.TempPathFactory) -> ModuleType:
    return build_module("clouds", SPEC, tmp_path_factory.mktemp("clouds"), HEADER)


@pytest.fixture
def points() -> np.ndarray:
    made = np.zeros(3, POINT)
    made["x"], made["tag"] = [1, 2, 3], 10
    return made


class Point(ctypes.Structure):
    _fields_ = (("x", ctypes.c_float), ("y", ctypes.c_float), ("tag", ctypes.c_int32))


class Interface:
    """An object with nothing but `__array_interface__`."""

    def __init__(self, array: np.ndarray, **changes: object) -> None:
        self.array = array
        self.changes = changes

    @property
    def __array_interface__(self) -> dict[str, Any]:
        return {**self.array.__array_interface__, **self.changes}


class Record(np.ndarray):
    pass


PRODUCERS: dict[str, Callable[[np.ndarray], Any]] = {
    "array": lambda points: points,
    "recarray": lambda points: points.view(np.recarray),
    "subclass": lambda points: points.view(Record),
    "memoryview": memoryview,
    "interface": Interface,
    "ctypes": lambda points: (Point * len(points)).from_buffer(points),
    "axes": lambda points: points.reshape(1, 3, 1),
}


@pytest.mark.parametrize("make", PRODUCERS.values(), ids=PRODUCERS)
def test_records_are_read_in_place(clouds: ModuleType, points: np.ndarray, make: Callable[[np.ndarray], Any]) -> None:
    assert clouds.sum(make(points)) == 36
    points["x"] = 0
    assert clouds.sum(make(points)) == 30


@pytest.mark.parametrize("name", ["array", "recarray", "subclass", "memoryview", "interface", "ctypes"])
def test_records_are_written_in_place(clouds: ModuleType, points: np.ndarray, name: str) -> None:
    clouds.shift(PRODUCERS[name](points), by=0.5)
    assert points["x"].tolist() == [1.5, 2.5, 3.5]


def test_lengths_and_strides_count_records(clouds: ModuleType, points: np.ndarray) -> None:
    assert [clouds.sum(points[:count]) for count in range(4)] == [0, 11, 23, 36]
    assert clouds.grid(np.ones((2, 3), POINT)) == 100 * 18 + 2
    assert clouds.steps(points[::2]) == 4
    assert clouds.three(points) == 36
    with pytest.raises(ValueError, match=r"three\(\) argument 'p': the array must have 3 elements, not 2"):
        clouds.three(points[:2])
    with pytest.raises(ValueError, match="both"):
        clouds.both(points, points[:2])
    assert clouds.both(points, points) == 0


def test_an_array_of_records_can_be_optional(clouds: ModuleType, points: np.ndarray) -> None:
    assert (clouds.maybe(), clouds.maybe(None), clouds.maybe(p=points)) == (0, 0, 36)


def test_records_with_the_padding_of_the_struct_are_read(clouds: ModuleType) -> None:
    items = np.zeros(64, ITEM)
    items["weight"][:3] = 1
    assert (clouds.weigh(items[:3]), clouds.weigh(memoryview(items[:3]))) == (3, 3)


def everything(*, hidden: bool = True) -> np.dtype:
    """Returns the dtype of the struct. A member that the spec leaves out is padding."""
    fields: list[Any] = [("first", "i1"), ("several", INNER, 2), ("name", "S8"), ("m", "f4", (2, 3)), ("one", "S1")]
    fields += [("last", INNER), ("yes", "?"), ("z", "c8"), ("c", "u4"), ("hidden", "u8"), ("deep", "u2", (1, 2, 3))]
    whole = np.dtype([*fields, ("more", "u8")], align=True)
    names = [name for name in whole.names or () if name not in ("hidden", "more")]
    offsets = [whole.fields[name][1] for name in names] if whole.fields else []
    formats = [whole[name] for name in names]
    size = offsets[-1] + 12 + (4 if hidden else 0)
    return np.dtype({"names": names, "formats": formats, "offsets": offsets, "itemsize": -size % 8 + size})


def test_members_of_every_kind_are_fields(clouds: ModuleType) -> None:
    array = np.zeros(2, everything(hidden=False))
    array["first"], array["several"]["w"], array["m"], array["last"]["k"] = 1, 2, 3, 4
    array["name"], array["yes"], array["deep"], array["c"] = b"ab", True, 7, 1
    try:
        assert clouds.of_all(array) == 2 * (1 + 2 + 3 + 4 + ord("b") + 1 + 7 + 1)
    except TypeError as error:  # the compiler lays the bit-field out in another way
        assert "bytes, and must have" in str(error)
        array = np.zeros(2, everything())
        clouds.of_all(array)
    with pytest.raises(
        TypeError, match=r"the field 'several' of the array is record\(9 bytes\)\[2\] at byte 8, and must be record"
    ):
        clouds.of_all(memoryview(array))


def test_packed_structs_are_read(clouds: ModuleType) -> None:
    array = np.zeros(3, PACKED)
    array["n"] = [1, 2, 3]
    assert (clouds.of_packed(array), clouds.of_packed(memoryview(array))) == (6, 6)
    assert array["s"].tolist() == [2, 2, 2]
    with pytest.raises(TypeError, match="the field 'n' of the array is int32 at byte 4, and must be int32 at byte 1"):
        clouds.of_packed(np.zeros(3, np.dtype(PACKED.descr, align=True)))


MUST = "and must have the fields x, y, tag"
OTHER_FIELDS: dict[str, tuple[Any, str]] = {
    "type": (
        [("x", "f4"), ("y", "f8"), ("tag", "i4")],
        "field 'y' of the array is float64 at byte 4, and must be float32 at byte 4",
    ),
    "sign": (
        [("x", "f4"), ("y", "f4"), ("tag", "u4")],
        "field 'tag' of the array is uint32 at byte 8, and must be int32",
    ),
    "order": (
        [("x", "f4"), ("tag", "i4"), ("y", "f4")],
        "field 'tag' of the array is int32 at byte 4, and must be int32 at byte 8",
    ),
    "swapped": (
        [("x", "f4"), ("y", "f4"), ("tag", ">i4")],
        "field 'tag' of the array is int32 in the other byte order at byte 8, and must be int32 at byte 8",
    ),
    "objects": (
        [("x", "f4"), ("y", "f4"), ("tag", "O")],
        "field 'tag' of the array is another type at byte 8",
    ),
    "name": ([("x", "f4"), ("z", "f4"), ("tag", "i4")], f"records of the array have a field 'z', {MUST} only"),
    "fewer": ([("x", "f4"), ("y", "f4")], f"records of the array have no field 'tag', {MUST}"),
    "more": ([*POINT.descr, ("more", "i4")], f"records of the array have a field 'more', {MUST} only"),
    "axis": (
        [("x", "f4", (1,)), *POINT.descr[1:]],
        r"field 'x' of the array is float32\[1\] at byte 0, and must be float32 at",
    ),
    "nested": ([("x", [("y", "f4")]), *POINT.descr[1:]], r"field 'x' of the array is record\(\d bytes\) at byte 0"),
    "string": (
        [("x", "S4"), *POINT.descr[1:]],
        "field 'x' of the array is S4 at byte 0, and must be float32 at byte 0",
    ),
    "numbers": (
        "f4",
        r"elements of the array are float32, and must be records with the fields x, y, tag \(point in C\)",
    ),
    "bytes": ("S12", "elements of the array are .*12.*, and must be records"),
}


@pytest.mark.parametrize("view", [lambda array: array, memoryview, Interface], ids=["array", "memoryview", "interface"])
@pytest.mark.parametrize(("dtype", "message"), OTHER_FIELDS.values(), ids=OTHER_FIELDS)
def test_other_fields_are_refused(clouds: ModuleType, dtype: Any, message: str, view: Callable[[Any], Any]) -> None:
    with pytest.raises(TypeError, match=rf"^sum\(\) argument 'p': the {message}"):
        clouds.sum(view(np.zeros(3, dtype)))


def test_records_of_another_size_are_refused(clouds: ModuleType) -> None:
    array = np.zeros(3, np.dtype({"names": list(POINT.names or ()), "formats": ["f4", "f4", "i4"], "itemsize": 16}))
    for each in (array, memoryview(array), Interface(array), Interface(np.zeros(3, POINT), typestr="|V16")):
        with pytest.raises(
            TypeError, match=r"sum\(\) argument 'p': the records of the array have 16 bytes, and must have 12"
        ):
            clouds.sum(each)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"descr": None}, r"the elements of the array are \|V12, and must be records"),
        ({"descr": 5}, "'descr' of the array interface must be a list of fields, not 5"),
        ({"descr": [5]}, "must be a list of fields, not 5"),
        ({"descr": [("x",)]}, r"must be a list of fields, not \('x',\)"),
        ({"descr": [(b"x", "<f4")]}, r"must be a list of fields, not \(b'x', '<f4'\)"),
        ({"descr": [("x", "<f4", ("a",))]}, "must be a list of fields"),
        ({"descr": [("x", "<f4", -1)]}, "must be a list of fields"),
        ({"descr": [("x", "<f4", (1, 1, 1, 1))]}, r"the field 'x' of the array is float32\[1\]\[1\]\[1\]"),
        ({"descr": [("x", 5)]}, r"the field 'x' of the array is record\(0 bytes\)"),
        ({"descr": [("x", "")]}, "the field 'x' of the array is another type"),
        ({"descr": [("x", "<f" + 30 * "9")]}, "the field 'x' of the array is another type"),
        ({"descr": []}, "the records of the array have no field 'x'"),
        ({"descr": [("", "|V12")]}, "the records of the array have no field 'x'"),
        ({"descr": [("x", "<f4", (2**40, 2**40, 2**40))]}, "must be a list of fields"),
        ({"typestr": "<f4"}, "the elements of the array are float32"),
        ({"typestr": ""}, "the elements of the array are , and must be"),
    ],
)
def test_invalid_descriptions_of_fields_are_refused(
    clouds: ModuleType, points: np.ndarray, changes: dict[str, object], message: str
) -> None:
    with pytest.raises(TypeError, match=rf"^sum\(\) argument 'p': .*{message}"):
        clouds.sum(Interface(points, **changes))


def test_titles_are_not_names_of_fields(clouds: ModuleType) -> None:
    dtype = np.dtype([(("the x", "x"), "f4"), ("y", "f4"), ("tag", "i4")])
    assert clouds.sum(np.ones(2, dtype)) == 6


@pytest.mark.parametrize("wrong", [[1, 2], (1.0,), 3, "abc", np.ndarray, POINT, [(1.0, 2.0, 3)]], ids=repr)
def test_other_objects_are_refused(clouds: ModuleType, wrong: object) -> None:
    with pytest.raises(TypeError, match=r"^sum\(\) argument 'p' must be an array of records, not "):
        clouds.sum(wrong)
    with pytest.raises(TypeError, match=r"maybe\(\) argument 'p' must be an array of records or None, not "):
        clouds.maybe(wrong)


def test_read_only_arrays_are_read_and_not_written(clouds: ModuleType, points: np.ndarray) -> None:
    points.flags.writeable = False
    for each in (points, memoryview(points), Interface(points)):
        assert clouds.sum(each) == 36
        with pytest.raises(BufferError, match=r"shift\(\) argument 'p': the array is read-only, and must be writable"):
            clouds.shift(each, by=1)


def test_layouts_are_checked_as_those_of_other_arrays(clouds: ModuleType, points: np.ndarray) -> None:
    with pytest.raises(BufferError, match=r"sum\(\) argument 'p': the array must be compact"):
        clouds.sum(points[::2])
    clouds.copied(points[::2], 1)
    assert points["x"].tolist() == [2, 2, 4]
    odd = np.zeros(3 * POINT.itemsize + 1, np.uint8)[1:].view(POINT)
    with pytest.raises(BufferError, match=r"sum\(\) argument 'p': the data must be aligned to 4 bytes"):
        clouds.sum(odd)
    clouds.copied(odd, 2)
    assert odd["x"].tolist() == [2, 2, 2]
    with pytest.raises(BufferError, match="not a multiple of the item size 12"):
        clouds.sum(np.lib.stride_tricks.as_strided(points, (2,), (16,)))


@pytest.mark.parametrize("view", [lambda array: array, memoryview, Interface], ids=["array", "memoryview", "interface"])
def test_records_at_any_distance_are_copied(clouds: ModuleType, view: Callable[[Any], Any]) -> None:
    packed = np.zeros(4, [("tag", "u1"), ("point", POINT)])
    packed["point"]["x"] = [1, 2, 3, 4]
    clouds.copied(view(packed["point"]), 1)
    assert packed["point"]["x"].tolist() == [2, 3, 4, 5]
    clouds.copied(view(packed["point"][::-2]), 1)
    assert packed["point"]["x"].tolist() == [2, 4, 4, 6]
    with pytest.raises(BufferError, match=r"strides\[0\] of the array is 13 bytes: not a multiple of the item size 12"):
        clouds.sum(view(packed["point"]))


def test_a_kept_array_lives_as_long_as_its_object(clouds: ModuleType) -> None:
    class Kept(np.ndarray):
        pass

    points = np.ones(3, POINT).view(Kept)
    gone = weakref.ref(points)
    keeper = clouds.Keeper(points)
    points["x"] = 2
    del points
    gc.collect()
    assert keeper.sum() == 12
    keeper.close()
    gc.collect()
    assert gone() is None
    with pytest.raises(TypeError, match="the field 'y' of the array is float64"):
        clouds.Keeper(np.ones(3, [("x", "f4"), ("y", "f8"), ("tag", "i4")]))
    assert clouds.Keeper(memoryview(np.ones(2, POINT))).sum() == 6
    with pytest.raises(TypeError, match="must be an array of records, not list"):
        clouds.Keeper([1.0])


def test_alternatives_can_differ_in_their_records(clouds: ModuleType, points: np.ndarray) -> None:
    items = np.ones(2, ITEM)
    assert (clouds.size(points), clouds.size(items), clouds.size(memoryview(items))) == (36, 2, 2)
    for wrong in (np.ones(3), [1.0], 5, None):
        with pytest.raises(TypeError, match=r"^size\(\)"):
            clouds.size(wrong)


def test_several_threads_can_call_at_once(clouds: ModuleType, points: np.ndarray) -> None:
    found: list[float] = []
    threads = [
        threading.Thread(target=lambda: found.extend(clouds.released(points) for _ in range(50))) for _ in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [36] * 200


def test_the_docstring_lists_the_fields(clouds: ModuleType) -> None:
    assert "an array of records with the fields `kind` and `weight` (C's `item`), compact" in clouds.weigh.__doc__
