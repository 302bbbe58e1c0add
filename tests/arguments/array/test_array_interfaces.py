# SPDX-License-Identifier: MIT
"""Arguments that only have an array interface."""

from __future__ import annotations

import gc
import sys
import weakref
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from support.build import build_module

HEADER = """
#include <stddef.h>
#include <stdlib.h>
typedef struct { float *at; long n; } line;
typedef struct { const float *at; size_t n; } view;
static inline double sum(const float *x, size_t n)
{
    double s = 0;
    for (size_t i = 0; i < n; i++) s += x[i];
    return s;
}
static inline void fill(float *x, size_t n, float value) { for (size_t i = 0; i < n; i++) x[i] = value; }
static inline void skip(line *x, const line *y) { x->at += y->n; x->n -= y->n; }
static inline void join(line *x, const line *y) { *x = *y; }
static inline double line_sum(const line *x) { return sum(x->at, (size_t)x->n); }
static inline size_t count(const void *x, size_t n) { (void)x; return n; }
static inline double sums(const line *const *x, size_t n)
{
    double s = 0;
    for (size_t i = 0; i < n; i++) s += line_sum(x[i]);
    return s;
}
static inline view *view_new(const float *x, size_t n)
{
    view *v = malloc(sizeof *v);
    if (v) *v = (view){x, n};
    return v;
}
static inline double view_sum(const view *v) { return sum(v->at, v->n); }
static inline void view_end(view *v) { free(v); }
"""
SPEC = """
dlpack-bindgen: 1
module: interfaces
include: interfaces.h
arrays: Array
tensors:
  Line: {type: line, data: self->at, dtype: float32, shape: [self->n], import: {set: {at: data, n: "shape[0]"}}}
handles:
  View:
    type: view
    release: view_end(self)
    new: {c: "view *view_new(const float *x, size_t n)", args: {n: {count_of: x}}, returns: {of: View, keeps: x}}
    methods: {sum: {c: double view_sum(const view *v)}}
functions:
  sum: {c: "double sum(const float *x, size_t n)", args: {n: {count_of: x}}}
  fill: {c: "void fill(float *x, size_t n, float value)", args: {n: {count_of: x}}}
  line_sum: {c: double line_sum(const line *x)}
  skip: {c: "void skip(line *x, const line *y)"}
  join: {c: "void join(line *x, const line *y)"}
  sums: {c: "double sums(const line *const *x, size_t n)", args: {n: {count_of: x}}}
  all_axes: {c: "size_t count(const void *x, size_t n)", args: {x: array, n: {count_of: x}}}
  on_cuda:
    c: size_t count(const void *x, size_t n)
    args: {x: {of: array, require: [{device: cuda}, {dtype: float32}]}, n: {count_of: x}}
"""


@pytest.fixture(scope="module")
def lib(tmp_path_factory: pytest.TempPathFactory) -> ModuleType:
    return build_module("interfaces", SPEC, tmp_path_factory.mktemp("interfaces"), HEADER)


class Thing:
    def __init__(self, **entries: Any) -> None:
        self.memory = np.arange(4, dtype=np.float32)
        data = (self.memory.ctypes.data, False)
        self.__array_interface__ = {"version": 3, "shape": (4,), "typestr": "<f4", "data": data, **entries}


class Picture:
    """Makes its bytes again for each lookup, like images of Pillow."""

    looks = 0

    @property
    def __array_interface__(self) -> dict[str, Any]:
        self.looks += 1
        return {"version": 3, "shape": (4,), "typestr": "<f4", "data": np.arange(4, dtype=np.float32).tobytes()}


@pytest.mark.parametrize("kind", [Thing, Picture])
def test_arrays_with_only_an_array_interface_are_read(lib: ModuleType, kind: type) -> None:
    assert lib.sum(kind()) == 6
    assert lib.line_sum(kind()) == 6
    assert lib.sums([kind(), kind()]) == 12
    assert lib.Line.from_dlpack(kind()).shape == (4,)


def test_a_property_is_called_once(lib: ModuleType) -> None:
    for look in (lib.sum, lib.line_sum, lib.Line.from_dlpack, lambda picture: lib.View(picture)):
        picture = Picture()
        look(picture)
        assert picture.looks == 1


def test_c_writes_to_the_memory_of_the_interface(lib: ModuleType) -> None:
    thing = Thing()
    lib.fill(thing, 7)
    assert thing.memory.tolist() == [7] * 4
    for constant in (Thing(data=(thing.memory.ctypes.data, True)), Picture()):
        with pytest.raises(BufferError, match=r"^fill\(\) argument 'x': the array is read-only"):
            lib.fill(constant, 1)


def test_an_object_that_is_kept_outlives_the_call(lib: ModuleType) -> None:
    thing = Thing()
    alive = weakref.ref(thing)
    made = lib.View(thing)
    del thing
    gc.collect()
    assert alive() is not None
    assert made.sum() == 6
    del made
    assert alive() is None
    assert lib.View(Picture()).sum() == 6


def test_c_may_move_an_object_of_an_interface_within_its_memory_only(lib: ModuleType) -> None:
    line, other = lib.Line.from_dlpack(Thing()), Thing(shape=(1,))
    lib.skip(line, other)
    assert np.asarray(line).tolist() == [1, 2, 3]
    other = Thing()
    with pytest.raises(BufferError) as error:
        lib.join(line, other)
    assert str(error.value) == (
        "join() argument 'x': after the call it points outside of the array that was passed: "
        "a function that moves or resizes the memory must be declared with 'invalidates: true'"
    )


def test_nothing_is_held_after_the_call(lib: ModuleType) -> None:
    data = bytearray(16)
    for call in (lib.sum, lib.line_sum):
        assert call(Thing(data=data)) == 0
        data.append(1)
        with pytest.raises(BufferError, match="does not lie in its data"):
            call(Thing(data=data, shape=(5,)))
        data.append(1)
        del data[16:]


def test_messages_about_an_interface_name_the_argument(lib: ModuleType) -> None:
    message = r"argument 'x': 'shape' of __array_interface__ must be a tuple of at most 64 ints of 64 bits, not \[4\]$"
    for call in (lib.sum, lib.line_sum, lib.View):
        with pytest.raises(BufferError, match=message):
            call(Thing(shape=[4]))
    with pytest.raises(BufferError, match=r"^sum\(\) argument 'x': the dtype is int32, not float32"):
        lib.sum(Thing(typestr="<i4"))
    with pytest.raises(BufferError, match=r"^on_cuda\(\) argument 'x': the data is on cpu, not cuda"):
        lib.on_cuda(Thing())


class Key:
    """A key that cannot be compared with the name whose hash it has."""

    def __init__(self, name: str) -> None:
        self.name = name

    def __hash__(self) -> int:
        return hash(self.name)

    def __eq__(self, other: object) -> bool:
        raise LookupError(f"no {self.name}")


@pytest.mark.parametrize("name", ["shape", "typestr", "data", "offset", "strides", "version", "mask"])
def test_an_exception_of_a_key_of_the_dict_is_raised(lib: ModuleType, name: str) -> None:
    thing = Thing(data=bytes(16))
    entries = thing.__array_interface__
    entries.pop(name, None)
    entries[Key(name)] = 1
    for call in (lib.sum, lib.line_sum, lib.View):
        with pytest.raises(LookupError, match=f"argument 'x': no {name}$"):
            call(thing)
    with pytest.raises(LookupError, match=f"^no {name}$"):
        lib.Line.from_dlpack(thing)


def test_an_exception_of_the_key_of_a_stream_is_raised(lib: ModuleType) -> None:
    thing = Thing()
    thing.__cuda_array_interface__ = {**thing.__array_interface__, Key("stream"): 1}
    del thing.__array_interface__
    with pytest.raises(LookupError, match=r"^on_cuda\(\) argument 'x': no stream$"):
        lib.on_cuda(thing)


@pytest.mark.parametrize("order", ["=", "|", "<" if sys.byteorder == "little" else ">"])
def test_a_dtype_of_this_machine_can_have_any_native_order(lib: ModuleType, order: str) -> None:
    assert lib.sum(Thing(typestr=f"{order}f4")) == 6


@pytest.mark.parametrize("typestr", ["<f1", "<f16", "<c4", "<i3", "<b2", "<u16", "<M8", "<f", "f4", "!f4", "", "<f4x"])
def test_a_dtype_that_dlpack_does_not_have_is_refused(lib: ModuleType, typestr: str) -> None:
    with pytest.raises(BufferError) as error:
        lib.sum(Thing(typestr=typestr))
    assert str(error.value) == f"sum() argument 'x': typestr '{typestr}' of __array_interface__ has no DLPack dtype"


def test_the_strides_of_an_empty_array_do_not_matter(lib: ModuleType) -> None:
    assert lib.all_axes(Thing(shape=(0, 3), strides=(2**62, 2**62), data=b"")) == 0
    with pytest.raises(BufferError, match=r"^all_axes\(\) argument 'x': .* beyond the address space"):
        lib.all_axes(Thing(shape=(2, 3), strides=(2**62, 2**62), data=bytes(24)))


@pytest.mark.parametrize("version", ["3", 4, 2**64])
def test_an_interface_of_another_version_is_refused(lib: ModuleType, version: Any) -> None:
    with pytest.raises(BufferError) as error:
        lib.sum(Thing(version=version))
    message = f"'version' of __array_interface__ must be 3 or older, not {version!r}"
    assert str(error.value) == f"sum() argument 'x': {message}"
    for accepted in (None, 2, -1):
        assert lib.sum(Thing(version=accepted)) == 6


def test_strides_that_dlpack_cannot_describe_need_an_axis_of_their_own(lib: ModuleType) -> None:
    data = bytearray(9)
    strided = {"data": data, "typestr": "<i2", "strides": (*[2] * 63, 3)}
    with pytest.raises(BufferError) as error:
        lib.all_axes(Thing(**strided, shape=(*[1] * 63, 2)))
    message = "DLPack can describe neither the strides nor the byte order of the array"
    assert str(error.value) == f"all_axes() argument 'x': {message}"


def test_objects_without_an_interface_are_refused_as_before(lib: ModuleType) -> None:
    for nothing in (object(), Thing, 1):
        with pytest.raises(TypeError, match=r"^sum\(\) argument 'x' must be an array or a sequence of numbers, not "):
            lib.sum(nothing)
    assert lib.sum([1, 2]) == 3
    assert lib.sum((1, np.float32(2))) == 3


@pytest.mark.parametrize("call", ["sum", "line_sum", "View"])
@pytest.mark.parametrize("error", [KeyboardInterrupt, MemoryError, RecursionError])
def test_a_final_exception_of_a_lookup_is_raised(lib: ModuleType, error: type[BaseException], call: str) -> None:
    """An attribute is looked up again after other exceptions, to raise them."""
    looked = []

    class Failing:
        def __getattr__(self, name: str) -> Any:
            if name != "__array_interface__":
                raise AttributeError
            looked.append(name)
            raise error if len(looked) == 1 else AttributeError

    with pytest.raises(error):
        getattr(lib, call)(Failing())
    assert len(looked) == 1
