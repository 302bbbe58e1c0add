"""Arrays of structures of ctypes: the fields are those of the class, since the format of a buffer can lack padding."""

from __future__ import annotations

import ctypes
import sys
from collections.abc import Callable
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from support.build import build_module

SPEC = """
dlpack-bindgen: 1
module: structures
include: structures.h
records:
  item: [kind, weight]
  inner: [w, k]
  nest: [tag, {several: inner}, name, m, {last: inner}, yes, end]
  packed: [c, d, n]
tensors:
  Items:
    type: items
    data: self->at
    dtype: {c: item}
    shape: [self->count]
    import: {set: {at: data, count: "shape[0]"}}
functions:
  weigh: {c: "double weigh(const item *x, size_t n)", args: {n: {count_of: x}}}
  add: {c: "void add(item *x, size_t n, double by)", args: {n: {count_of: x}}}
  of_nests: {c: "double of_nests(const nest *x, size_t n)", args: {n: {count_of: x}}}
  of_packed: {c: "double of_packed(const packed *x, size_t n)", args: {n: {count_of: x}}}
  either_item: {name: either, c: "double weigh(const item *x, size_t n)", args: {n: {count_of: x}}}
  either_packed: {name: either, c: "double of_packed(const packed *x, size_t n)", args: {n: {count_of: x}}}
"""
HEADER = """\
#include <stddef.h>
#include <stdint.h>
typedef struct { short kind; double weight; } item;
typedef struct { double w; char k; } inner;
typedef struct { char tag; inner several[2]; char name[5]; float m[2][3]; inner last; _Bool yes; int64_t end; } nest;
#pragma pack(push, 2)
typedef struct { char c; double d; int32_t n; } packed;
#pragma pack(pop)
typedef struct { item *at; size_t count; } items;
static inline double weigh(const item *x, size_t n)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++) { sum += x[i].weight * x[i].kind; }
    return sum;
}
static inline void add(item *x, size_t n, double by) { for (size_t i = 0; i < n; i++) { x[i].weight += by; } }
static inline double of_nests(const nest *x, size_t n)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++) {
        sum += x[i].several[1].w + x[i].several[1].k + x[i].name[4] + (double)x[i].m[1][2];
        sum += x[i].last.w + x[i].yes + (double)x[i].end;
    }
    return sum;
}
static inline double of_packed(const packed *x, size_t n)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++) { sum += x[i].d + x[i].n; }
    return sum;
}
"""


class Item(ctypes.Structure):
    _fields_ = (("kind", ctypes.c_short), ("weight", ctypes.c_double))


class First(ctypes.Structure):
    _fields_ = (("kind", ctypes.c_short),)


class Derived(First):
    _fields_ = (("weight", ctypes.c_double),)


class Empty(Item):
    pass


class Inner(ctypes.Structure):
    _fields_ = (("w", ctypes.c_double), ("k", ctypes.c_char))


class Nest(ctypes.Structure):
    _fields_ = (
        ("tag", ctypes.c_byte),
        ("several", Inner * 2),
        ("name", ctypes.c_char * 5),
        ("m", ctypes.c_float * 3 * 2),
        ("last", Inner),
        ("yes", ctypes.c_bool),
        ("end", ctypes.c_longlong),
    )


class Packed(ctypes.Structure):
    _pack_ = 2
    _layout_ = "ms"
    _fields_ = (("c", ctypes.c_char), ("d", ctypes.c_double), ("n", ctypes.c_int32))


@pytest.fixture(scope="module")
def lib(tmp_path_factory: pytest.TempPathFactory) -> ModuleType:
    return build_module("structures", SPEC, tmp_path_factory.mktemp("structures"), HEADER)


VIEWS: dict[str, Callable[[Any], Any]] = {
    "array": lambda x: x,
    "memoryview": memoryview,
    "slice": lambda x: memoryview(x)[:],
    "view of a view": lambda x: memoryview(memoryview(x)),
}


@pytest.mark.parametrize("view", VIEWS)
@pytest.mark.parametrize("cls", [Item, Derived, Empty])
def test_structures_with_padding_are_read_and_written(lib: ModuleType, cls: Any, view: str) -> None:
    x = (cls * 3)(cls(1, 2.5), cls(2, 4), cls(3, 0.5))
    given = VIEWS[view]
    assert lib.weigh(given(x)) == lib.either(given(x)) == 12
    lib.add(given(x), 1)
    assert [item.weight for item in x] == [3.5, 5, 1.5]
    made = lib.Items.from_dlpack(given(x))
    x[0].weight = 7
    assert np.asarray(made)["weight"].tolist() == [7, 5, 1.5]


def test_fields_are_read_from_the_class_that_declares_them(lib: ModuleType) -> None:
    """A derived class can have an attribute of the same name, which is not the field."""

    class Hidden(Item):
        weight = property(lambda self: 3)

    x = (Hidden * 2).from_buffer((Item * 2)(Item(1, 2.5), Item(2, 4)))
    assert lib.weigh(x) == 10.5


def test_arrays_of_structures_can_have_several_axes(lib: ModuleType) -> None:
    assert lib.weigh((Item * 2 * 1)((Item(1, 2), Item(1, 3)))) == 5
    assert lib.weigh((Item * 0)()) == 0
    assert lib.weigh(memoryview((Item * 2)(Item(1, 2), Item(1, 3)))[1:]) == 3


@pytest.mark.parametrize("view", ["array", "memoryview"])
def test_structures_can_contain_structures_and_arrays(lib: ModuleType, view: str) -> None:
    x = (Nest * 2)()
    for nest in x:
        nest.several[1] = Inner(1, b"\2")
        nest.name, nest.m[1][2], nest.last.w, nest.yes, nest.end = b"abcd\3", 4, 5, True, 6
    assert lib.of_nests(VIEWS[view](x)) == 2 * (1 + 2 + 3 + 4 + 5 + 1 + 6)


@pytest.mark.parametrize("view", ["array", "memoryview"])
def test_packed_structures_are_read(lib: ModuleType, view: str) -> None:
    x = (Packed * 2)(Packed(b"a", 1, 2), Packed(b"b", 3, 4))
    assert lib.of_packed(VIEWS[view](x)) == lib.either(VIEWS[view](x)) == 10


def structure(*fields: Any, base: Any = ctypes.Structure, **attributes: Any) -> Any:
    return type("S", (base,), {**attributes, "_fields_": fields})


PAIR = structure(("kind", ctypes.c_short), ("weight", ctypes.c_double), base=ctypes.Union)
MUST = "and must have the fields kind, weight"
WRONG: dict[str, tuple[Any, str]] = {
    "packed": (
        structure(("kind", ctypes.c_short), ("weight", ctypes.c_double), _pack_=1, _layout_="ms"),
        "the field 'weight' of the array is float64 at byte 2, and must be float64 at byte 8",
    ),
    "other order": (
        structure(("weight", ctypes.c_double), ("kind", ctypes.c_short)),
        "the field 'weight' of the array is float64 at byte 0, and must be float64 at byte 8",
    ),
    "other type": (
        structure(("kind", ctypes.c_ushort), ("weight", ctypes.c_double)),
        "the field 'kind' of the array is uint16 at byte 0, and must be int16 at byte 0",
    ),
    "fewer": (structure(("kind", ctypes.c_short)), f"the records of the array have no field 'weight', {MUST}"),
    "more": (
        structure(("kind", ctypes.c_short), ("weight", ctypes.c_double), ("more", ctypes.c_int)),
        f"the records of the array have a field 'more', {MUST} only",
    ),
    "longer": (
        structure(("kind", ctypes.c_short), ("weight", ctypes.c_double * 2)),
        r"the field 'weight' of the array is float64\[2\] at byte 8",
    ),
    "axis": (
        structure(("kind", ctypes.c_short * 1), ("weight", ctypes.c_double)),
        r"the field 'kind' of the array is int16\[1\] at byte 0, and must be int16 at byte 0",
    ),
    "no elements": (
        structure(("kind", ctypes.c_short * 0), ("weight", ctypes.c_double)),
        r"the field 'kind' of the array is another type\[0\] at byte 0, and must be int16 at byte 0",
    ),
    "too many axes": (
        structure(("kind", ctypes.c_short * 1 * 1 * 1 * 1), ("weight", ctypes.c_double)),
        r"the field 'kind' of the array is int16\[1\]\[1\]\[1\] at byte 0, and must be int16 at byte 0",
    ),
    "pointer": (
        structure(("kind", ctypes.c_short), ("weight", ctypes.POINTER(ctypes.c_double))),
        "the field 'weight' of the array is another type at byte 8, and must be float64 at byte 8",
    ),
    "structure": (
        structure(("kind", ctypes.c_short), ("weight", Inner)),
        r"the field 'weight' of the array is record\(16 bytes\) at byte 8, and must be float64 at byte 8",
    ),
    "union in a structure": (
        structure(("kind", ctypes.c_short), ("weight", PAIR)),
        "the field 'weight' of the array is another type at byte 8, and must be float64 at byte 8",
    ),
    "bit-field": (
        structure(("kind", ctypes.c_short, 9), ("weight", ctypes.c_double)),
        "the field 'kind' of the array is a bit-field, which has no address",
    ),
    "swapped": (
        structure(("kind", ctypes.c_short), ("weight", ctypes.c_double), base=ctypes.BigEndianStructure),
        "the field 'kind' of the array is int16 in the other byte order at byte 0, and must be int16 at byte 0",
    ),
    "union": (PAIR, "the elements of the array are .*, and must be records with the fields kind, weight"),
    "numbers": (
        ctypes.c_double,
        "the elements of the array are float64, and must be records with the fields kind, weight",
    ),
}


@pytest.mark.parametrize("view", ["array", "memoryview"])
@pytest.mark.parametrize("name", WRONG)
def test_other_structures_are_refused(lib: ModuleType, name: str, view: str) -> None:
    cls, message = WRONG[name]
    with pytest.raises(TypeError, match=rf"^weigh\(\) argument 'x': {message}"):
        lib.weigh(VIEWS[view]((cls * 2)()))


def test_a_class_whose_fields_cannot_be_read_is_refused(lib: ModuleType) -> None:
    class Strange(ctypes.Structure):
        _fields_ = (("kind", ctypes.c_short), ("weight", ctypes.c_double))

    Strange.weight = 5
    with pytest.raises(AttributeError, match="offset"):
        lib.weigh((Strange * 2)())


class Typed:
    """A class that is not one of ctypes, with a type."""

    _type_ = 5


class Refusing:
    def __getattr__(self, name: str) -> Any:
        raise LookupError(f"no {name} today")


class Lengthy(ctypes.c_short * 1):  # type: ignore[misc]
    pass


Lengthy._length_ = "one"


@pytest.mark.parametrize(
    ("cls", "error", "message"),
    [
        (5, TypeError, "the field 'kind' of the array is another type at byte 0, and must be int16 at byte 0"),
        (Typed, TypeError, "the field 'kind' of the array is another type at byte 0, and must be int16 at byte 0"),
        (Refusing(), LookupError, "no __ctype_le__ today"),
        (Lengthy, TypeError, "'str' object cannot be interpreted as an integer"),
    ],
    ids=["number", "class", "attributes that raise", "length"],
)
def test_a_list_of_fields_that_has_changed_is_not_trusted(
    lib: ModuleType, cls: Any, error: type[Exception], message: str
) -> None:
    """ctypes keeps the list as an attribute, and does not read it again."""
    fields = [("kind", ctypes.c_short), ("weight", ctypes.c_double)]
    x = (type("S", (ctypes.Structure,), {"_fields_": fields}) * 2)()
    fields[0] = ("kind", cls)
    with pytest.raises(error) as raised:
        lib.weigh(x)
    assert message in str(raised.value)


@pytest.mark.parametrize("field", [(), ("kind",), (5, ctypes.c_short)], ids=["empty", "name alone", "number"])
def test_a_list_with_something_else_than_fields_is_refused(lib: ModuleType, field: tuple[Any, ...]) -> None:
    fields: list[Any] = [("kind", ctypes.c_short), ("weight", ctypes.c_double)]
    x = (type("S", (ctypes.Structure,), {"_fields_": fields}) * 2)()
    fields[0] = field
    with pytest.raises(TypeError) as error:
        lib.weigh(x)
    message = "a field in _fields_ of the array's structure is not a name with a type"
    assert str(error.value) == f"weigh() argument 'x': {message}"


def test_a_structure_without_a_tuple_of_bases_is_refused(lib: ModuleType) -> None:
    class Meta(type(ctypes.Structure)):  # type: ignore[misc]
        def __getattribute__(cls, name: str) -> Any:
            return 5 if name == "__mro__" and hidden else super().__getattribute__(name)

    hidden: list[bool] = []
    x = (Meta("S", (ctypes.Structure,), {"_fields_": Item._fields_}) * 2)()
    hidden.append(True)
    with pytest.raises(TypeError, match="the __mro__ of a type must be a tuple"):
        lib.weigh(x)


@pytest.mark.parametrize("name", ["Array", "Structure", "Union"])
def test_a_module_of_ctypes_without_its_classes_is_refused(
    lib: ModuleType, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    x = (Item * 2)()
    monkeypatch.setattr(sys.modules["_ctypes"], name, 5)
    with pytest.raises(TypeError) as error:
        lib.weigh(x)
    assert str(error.value) == f"weigh() argument 'x': _ctypes.{name} must be a class"
