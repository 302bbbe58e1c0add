"""Arrays of structs: structured arrays of NumPy and other buffers, whose fields must be those of the struct."""

from __future__ import annotations

import ctypes
import gc
import threading
import types
import weakref
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from support.build import build_module

HEADER = Path(__file__).with_name("clouds.h").read_text()
MANY = [*[f"{letter}{number}" for letter in "abcdefgh" for number in range(8)][:63], "third", "second", "last"]
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
  label: [words, z, counts, {at: inner}]
  many: [MANY]
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
  of_labels: {c: "double of_labels(const label *l, size_t n)", args: {n: {count_of: l}}}
  last_of: {c: "int last_of(const many *m, size_t n)", args: {n: {count_of: m}}}
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
    return build_module("clouds", SPEC.replace("MANY", ", ".join(MANY)), tmp_path_factory.mktemp("clouds"), HEADER)


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
        ({"descr": [("x", "<U1")]}, "the field 'x' of the array is another type at byte 0"),
        ({"descr": [("x", "<")]}, "the field 'x' of the array is another type at byte 0"),
        ({"descr": [(("a", "title", "x"), "<f4")]}, r"must be a list of fields, not \(\('a', 'title', 'x'\), '<f4'\)"),
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


def test_the_description_of_a_record_within_a_record_is_compared(clouds: ModuleType) -> None:
    labels = np.zeros(1, "V40")
    inner = [("w", "<f8"), ("k", "|i1"), ("", "|V7")]
    fields = [("words", "|S4", (2,)), ("z", "<c8"), ("counts", "<i2", (3,)), ("", "|V2"), ("at", inner)]
    assert clouds.of_labels(Interface(labels, descr=fields)) == 0
    inner[1] = ("k", "<i2")
    with pytest.raises(TypeError) as error:
        clouds.of_labels(Interface(labels, descr=fields))
    found = "the field 'at.k' of the array is int16 at byte 8, and must be int8 at byte 8"
    assert str(error.value) == f"of_labels() argument 'l': {found}"


def test_an_exception_of_a_key_of_an_interface_is_raised(clouds: ModuleType, points: np.ndarray) -> None:
    class Key:
        """A key that cannot be compared with the name whose hash it has."""

        def __hash__(self) -> int:
            return hash("descr")

        def __eq__(self, other: object) -> bool:
            raise LookupError("no descr")

    interface = {key: value for key, value in points.__array_interface__.items() if key != "descr"}
    source = types.SimpleNamespace(__array_interface__={**interface, Key(): points.dtype.descr})
    with pytest.raises(LookupError, match=r"^sum\(\) argument 'p': no descr$"):
        clouds.sum(source)


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
    for wrong in (np.ones(3), [1.0], 5, None, np.ndarray):
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


# ---- Formats of buffers (PEP 3118) ----


def buffer_of(claims: ModuleType, size: int, form: str | None) -> Any:
    """Returns a buffer of one item of zeros with this size and format."""
    return claims.Claim(size, len=size, itemsize=size, ndim=1, format=form, shape=(1,), strides=(size,))


WORDS, Z, COUNTS, AT = "(2)4s:words:", "Zf:z:", "(3)h:counts:2x", "T{d:w:b:k:7x}:at:"
FORMATS: dict[str, str] = {
    "NumPy's": f"T{{{WORDS}{Z}(3)h:counts:xx{AT}}}",
    "a count as the length of an array": f"T{{{WORDS}{Z}3h:counts:2x{AT}}}",
    "arrays of characters": f"T{{(2,4)c:words:{Z}{COUNTS}{AT}}}",
    "arrays of signed bytes": f"T{{(2,4)b:words:{Z}{COUNTS}{AT}}}",
    "arrays of unsigned bytes": f"T{{(2,4)B:words:{Z}{COUNTS}{AT}}}",
    "the letter of a complex number": f"T{{{WORDS}F:z:{COUNTS}{AT}}}",
    "the order of bytes before each part": "<T{=(2)4s:words:<Zf:z:(3)=h:counts:2x<T{d:w:b:k:7x}:at:}",
    "native numbers without alignment": f"^T{{{WORDS}{Z}{COUNTS}{AT}}}",
    "a record without padding at its end": f"T{{{WORDS}{Z}{COUNTS}T{{d:w:b:k:}}:at:7x}}",
}


@pytest.mark.parametrize("name", FORMATS)
def test_formats_of_the_same_fields_are_accepted(clouds: ModuleType, claims: ModuleType, name: str) -> None:
    assert clouds.of_labels(buffer_of(claims, 40, FORMATS[name])) == 0


def test_a_letter_has_its_standard_size_after_an_order(clouds: ModuleType, claims: ModuleType) -> None:
    assert clouds.sum(buffer_of(claims, 12, "=T{f:x:f:y:l:tag:}")) == 0
    with pytest.raises(TypeError, match="the field 'tag' of the array is int64 at byte 8, and must be int32 at byte 8"):
        clouds.sum(buffer_of(claims, 12, "T{f:x:f:y:l:tag:}"))


HAVE = "the records of the array have"
HUGE = 999999999
OTHER_FORMATS: dict[str, tuple[str, str]] = {
    "one string for several": (
        f"T{{8s:words:{Z}",
        "the field 'words' of the array is S8 at byte 0, and must be S4[2] at byte 0",
    ),
    "longer strings": (
        "T{(2)5s:words:",
        "the field 'words' of the array is S5[2] at byte 0, and must be S4[2] at byte 0",
    ),
    "more strings": (
        "T{(3)4s:words:",
        "the field 'words' of the array is S4[3] at byte 0, and must be S4[2] at byte 0",
    ),
    "strings with a length": (
        "T{(2)4p:words:",
        "the field 'words' of the array is another type[2] at byte 0, and must be S4[2] at byte 0",
    ),
    "bools for characters": (
        "T{(2,4)?:words:",
        "the field 'words' of the array is bool[2][4] at byte 0, and must be S4[2] at byte 0",
    ),
    "one axis of characters": (
        "T{(8)b:words:",
        "the field 'words' of the array is int8[8] at byte 0, and must be S4[2] at byte 0",
    ),
    "an unknown letter": (
        f"T{{{WORDS}T:z:",
        "the field 'z' of the array is another type at byte 8, and must be complex64 at byte 8",
    ),
    "a complex integer": (
        f"T{{{WORDS}Zi:z:",
        "the field 'z' of the array is another type at byte 8, and must be complex64 at byte 8",
    ),
    "padding with a name": (
        f"T{{{WORDS}x:z:",
        "the field 'z' of the array is another type at byte 8, and must be complex64 at byte 8",
    ),
    "a record for a number": (
        f"T{{{WORDS}T{{f:re:}}:z:",
        "the field 'z' of the array is record(0 bytes) at byte 8, and must be complex64 at byte 8",
    ),
    "another extent": (
        f"T{{{WORDS}{Z}(4)h:counts:",
        "the field 'counts' of the array is int16[4] at byte 16, and must be int16[3] at byte 16",
    ),
    "another rank": (
        f"T{{{WORDS}{Z}(3,1)h:counts:",
        "the field 'counts' of the array is int16[3][1] at byte 16, and must be int16[3] at byte 16",
    ),
    "too many axes": (
        f"T{{{WORDS}{Z}(3,1,1,1)h:counts:",
        "the field 'counts' of the array is int16[3][1][1] at byte 16, and must be int16[3] at byte 16",
    ),
    "extents that overflow": (
        f"T{{{WORDS}{Z}({HUGE},{HUGE},{HUGE})h:counts:",
        f"the field 'counts' of the array is int16[{HUGE}][{HUGE}][{HUGE}] at byte 16, and must be int16[3] at byte 16",
    ),
    "a negative extent": (
        f"T{{{WORDS}{Z}(-3)h:counts:",
        f"{HAVE} a field '', and must have the fields words, z, counts, at only",
    ),
    "more padding": (
        f"T{{{WORDS}{Z}3x(3)h:counts:",
        "the field 'counts' of the array is int16[3] at byte 19, and must be int16[3] at byte 16",
    ),
    "one byte of padding": (
        f"T{{{WORDS}{Z}x(3)h:counts:",
        "the field 'counts' of the array is int16[3] at byte 17, and must be int16[3] at byte 16",
    ),
    "an array of one record": (
        f"T{{{WORDS}{Z}{COUNTS}(1)T{{d:w:b:k:7x}}:at:",
        "the field 'at' of the array is record(16 bytes)[1] at byte 24, and must be record(16 bytes) at byte 24",
    ),
    "numbers for a record": (
        f"T{{{WORDS}{Z}{COUNTS}(2)q:at:",
        "the field 'at' of the array is int64[2] at byte 24, and must be record(16 bytes) at byte 24",
    ),
    "another field of a record": (
        f"T{{{WORDS}{Z}{COUNTS}T{{d:w:b:kind:}}:at:",
        f"{HAVE} a field 'at.kind', and must have the fields w, k only",
    ),
    "a record without a field": (
        f"T{{{WORDS}{Z}{COUNTS}T{{d:w:}}:at:",
        f"{HAVE} no field 'at.k', and must have the fields w, k",
    ),
    "the beginning of the name of a field": (
        "T{(2)4s:word:",
        f"{HAVE} a field 'word', and must have the fields words, z, counts, at only",
    ),
    "the beginning of the name of a record": (
        f"T{{{WORDS}{Z}{COUNTS}T{{d:w:b:k:}}:a:",
        f"{HAVE} a field 'a', and must have the fields words, z, counts, at only",
    ),
    "no name": (f"T{{{WORDS}Zf", f"{HAVE} a field '', and must have the fields words, z, counts, at only"),
    "no letter after the Z": ("T{Z", f"{HAVE} a field '', and must have the fields words, z, counts, at only"),
    "an end after an order": ("T{<", f"{HAVE} no field 'words', and must have the fields words, z, counts, at"),
    "an end within a record": ("T{T{d:w:", f"{HAVE} a field '', and must have the fields words, z, counts, at only"),
    "an end after a count": (f"T{{{WORDS}5", f"{HAVE} no field 'z', and must have the fields words, z, counts, at"),
    "a count without a letter": (
        f"T{{{WORDS}5}}",
        f"{HAVE} no field 'z', and must have the fields words, z, counts, at",
    ),
    "no fields": ("T{}", f"{HAVE} no field 'words', and must have the fields words, z, counts, at"),
}
ELEMENTS = "must be records with the fields words, z, counts, at (label in C)"
OTHER_FORMATS |= {
    f"{form!r}": (form, f"the elements of the array are of the format '{form}', and {ELEMENTS}")
    for form in ("", "T", "T[", "2h", "&T{h:words:}")
}


@pytest.mark.parametrize("name", OTHER_FORMATS)
def test_formats_of_other_fields_are_refused(clouds: ModuleType, claims: ModuleType, name: str) -> None:
    form, message = OTHER_FORMATS[name]
    source = buffer_of(claims, 40, form)
    with pytest.raises(TypeError) as error:
        clouds.of_labels(source)
    assert str(error.value) == f"of_labels() argument 'l': {message}"
    assert source.alive == 0


def test_a_buffer_without_a_format_has_bytes(clouds: ModuleType, claims: ModuleType) -> None:
    with pytest.raises(TypeError, match="the elements of the array are of the format 'B', and must be records"):
        clouds.sum(buffer_of(claims, 12, None))


@pytest.mark.parametrize("letter", ["c", "s", "1s", "b", "B"])
def test_a_char_is_a_string_of_one_byte_or_an_integer(clouds: ModuleType, claims: ModuleType, letter: str) -> None:
    assert clouds.of_packed(buffer_of(claims, 15, f"=T{{{letter}:c:i:n:d:d:h:s:}}")) == 0


@pytest.mark.parametrize(
    ("letter", "found"),
    [("p", "another type"), ("2s", "S2"), ("0s", "S0"), ("?", "bool"), ("h", "int16"), ("1b", "int8[1]")],
)
def test_a_char_is_not_another_type(clouds: ModuleType, claims: ModuleType, letter: str, found: str) -> None:
    with pytest.raises(TypeError) as error:
        clouds.of_packed(buffer_of(claims, 15, f"=T{{{letter}:c:i:n:d:d:h:s:}}"))
    assert (
        str(error.value)
        == f"of_packed() argument 'p': the field 'c' of the array is {found} at byte 0, and must be int8 at byte 0"
    )


def test_a_record_can_have_many_fields(clouds: ModuleType) -> None:
    array = np.zeros(2, [(name, "i1") for name in MANY])
    array["last"] = 5
    assert (clouds.last_of(array), clouds.last_of(memoryview(array))) == (5, 5)
    message = rf"^last_of\(\) argument 'm': {HAVE} no field '{{}}', and must have the fields a0, a1, a2, "
    for missing in ("a0", "d3", "third"):
        names = [name for name in MANY if name != missing]
        offsets = [MANY.index(name) for name in names]
        fewer = np.zeros(2, {"names": names, "formats": ["i1"] * 65, "offsets": offsets, "itemsize": 66})
        with pytest.raises(TypeError, match=message.format(missing)):
            clouds.last_of(fewer)
