"""Buffers whose fields contradict each other are never read."""

from __future__ import annotations

import gc
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from support.build import build_module

HEADER = Path(__file__).with_name("contradict.h").read_text()
SPEC = """
dlpack-bindgen: 1
module: contradict
include: contradict.h
arrays: Array
tensors:
  Strip:
    type: strip
    data: self->steps
    dtype: int16
    shape: [self->count]
    import: {set: {steps: data, count: "(size_t)shape[0]"}}
handles:
  Reel:
    type: reel
    release: free(self)
    new:
      c: reel *reel_new(const void *tape, size_t size)
      args: {tape: bytes, size: {size_of: tape}}
      returns: {of: Reel, keeps: tape}
    methods: {sum: {c: long long reel_sum(const reel *r)}}
functions:
  strip_sum: {c: "long long strip_sum(const int16_t *steps, size_t n)", args: {n: {count_of: steps}}}
  strips_sum: {c: "long long strips_sum(const strip *const *all, size_t n)", args: {n: {count_of: all}}}
  bytes_sum: {c: "long long bytes_sum(const void *bytes, size_t n)", args: {bytes: bytes, n: {size_of: bytes}}}
  extents:
    c: size_t extents(const void *x, size_t h, size_t w, size_t size)
    args:
      x: {of: bytes, require: [{ndim: 3}]}
      h: {extent_of: x}
      w: {extent_of: x, axis: 1}
      size: {extent_of: x, axis: 2}
  strip_fill:
    c: void strip_fill(int16_t *steps, size_t n, int16_t value)
    args: {n: {count_of: steps}}
"""


@pytest.fixture(scope="module")
def lib(tmp_path_factory: pytest.TempPathFactory) -> ModuleType:
    return build_module("contradict", SPEC, tmp_path_factory.mktemp("contradict"), HEADER)


Take = Callable[[ModuleType, Any], Any]
ARRAYS: dict[str, Take] = {
    "a class": lambda lib, x: memoryview(lib.Strip.from_dlpack(x)).tolist(),
    "the class of arrays": lambda lib, x: memoryview(lib.Array.from_dlpack(x)).tolist(),
    "an argument": lambda lib, x: lib.strip_sum(x),
    "an argument that is written": lambda lib, x: lib.strip_fill(x, 1),
    "an item of a list": lambda lib, x: lib.strips_sum([x]),
}
BYTES: dict[str, Take] = {
    "bytes": lambda lib, x: lib.bytes_sum(x),
    "bytes that are kept": lambda lib, x: lib.Reel(x).sum(),
    "a pickle": lambda lib, x: memoryview(lib.Strip._rebuild(x, (0, 16, 1), (x_count(x),), "C")).tolist(),
}
EVERYWHERE = {**ARRAYS, **BYTES}
HUGE = 2**62


def x_count(source: Any) -> int:
    """Returns the number of items of two bytes that the length of the buffer promises."""
    return max(source.promised, 0) // 2


LENGTH = "the buffer has a length of .* bytes, which is not the product of its shape and its item size"
WRONG: dict[str, tuple[dict[str, Any], str]] = {
    "a longer shape": ({"len": 8, "shape": (50,)}, LENGTH),
    "a shorter shape": ({"len": 8, "shape": (3,)}, LENGTH),
    "a longer length": ({"len": 80, "shape": (4,)}, LENGTH),
    "a negative length": ({"len": -8, "shape": (4,)}, LENGTH),
    "negative length and shape": ({"len": -8, "shape": (-4,)}, LENGTH),
    "two negative extents": ({"len": 8, "ndim": 2, "shape": (-2, -2), "strides": (4, 2)}, LENGTH),
    "a product that overflows to it": ({"len": 0, "ndim": 2, "shape": (HUGE, 4), "strides": (8, 2)}, LENGTH),
    "a product that overflows": ({"len": 8, "ndim": 3, "shape": (HUGE, HUGE, 4), "strides": (8, 8, 2)}, LENGTH),
    "an item size of nothing": ({"len": 8, "itemsize": 0, "shape": (4,)}, LENGTH),
    "a negative item size": ({"len": 8, "itemsize": -2, "shape": (-4,)}, LENGTH),
    "no shape, and half an item": ({"len": 7, "shape": None, "strides": None}, LENGTH),
    "no axis, and several items": ({"len": 80, "ndim": 0, "shape": None, "strides": None}, LENGTH),
    "no shape, but strides": ({"len": 8, "shape": None, "strides": (2,)}, "the buffer has no shape"),
    "no shape of two axes": ({"len": 8, "ndim": 2, "shape": None, "strides": None}, "the buffer has no shape"),
    "a negative rank": ({"len": 8, "ndim": -1, "shape": (4,)}, "the buffer has -1 axes"),
    "a huge rank": ({"len": 8, "ndim": 2**30, "shape": (4,)}, "the buffer has 1073741824 axes"),
    "65 axes": ({"len": 2, "ndim": 65, "shape": (1,) * 65, "strides": (2,) * 65}, "the buffer has 65 axes"),
    "no address": ({"len": 8, "shape": (4,), "address": 0}, "the buffer has 8 bytes, but no address"),
}


def claim(claims: ModuleType, **fields: Any) -> Any:
    """Makes a buffer of eight bytes with these fields."""
    members = {"itemsize": 2, "ndim": 1, "format": "h", "strides": (2,), **fields}

    class Source(claims.Claim):  # type: ignore[misc, name-defined]
        promised = members["len"]

    return Source(8, **members)


@pytest.mark.parametrize("way", EVERYWHERE)
@pytest.mark.parametrize("name", WRONG)
def test_a_buffer_that_contradicts_itself_is_refused(lib: ModuleType, claims: ModuleType, name: str, way: str) -> None:
    fields, message = WRONG[name]
    for _ in range(2):
        source = claim(claims, **fields)
        with pytest.raises(BufferError, match=message):
            EVERYWHERE[way](lib, source)
        gc.collect()
        assert source.alive == 0


@pytest.mark.parametrize("way", ARRAYS)
@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"len": 8, "format": "q", "shape": (4,)}, "a buffer of format 'q' with items of 2 bytes has no DLPack dtype"),
        ({"len": 8, "format": "i", "shape": (4,)}, "a buffer of format 'i' with items of 2 bytes has no DLPack dtype"),
        ({"len": 8, "format": None, "shape": (4,)}, "a buffer of format 'B' with items of 2 bytes has no DLPack dtype"),
        ({"len": 8, "itemsize": 8, "format": "i", "shape": (1,), "strides": (8,)}, "format 'i' with items of 8 bytes"),
        ({"len": 8, "itemsize": 1, "format": "l", "shape": (8,), "strides": (1,)}, "format 'l' with items of 1 bytes"),
        (
            {"len": 8, "itemsize": 4, "format": "Zh", "shape": (2,), "strides": (4,)},
            "format 'Zh' with items of 4 bytes",
        ),
        (
            {"len": 8, "itemsize": 1, "format": "Zf", "shape": (8,), "strides": (1,)},
            "format 'Zf' with items of 1 bytes",
        ),
        ({"len": 8, "format": "!h", "shape": (4,)}, "the dtype is int16 in the other byte order"),
        ({"len": 8, "shape": (4,), "suboffsets": (0,)}, "the buffer has suboffsets"),
        ({"len": 8, "shape": (4,), "strides": None, "suboffsets": (0,)}, "the buffer has suboffsets"),
        ({"len": 8, "shape": (4,), "strides": (3,)}, r"strides\[0\] of the array is 3 bytes: not a multiple"),
        ({"len": 8, "shape": (4,), "strides": (2**62,)}, "beyond the address space"),
        ({"len": 8, "shape": (4,), "strides": (-(2**62),)}, "beyond the address space"),
    ],
    ids=range(13),
)
def test_a_buffer_that_is_not_a_valid_array_is_refused(
    lib: ModuleType, claims: ModuleType, fields: dict[str, Any], message: str, way: str
) -> None:
    source = claim(claims, **fields)
    with pytest.raises(BufferError, match=message):
        ARRAYS[way](lib, source)
    gc.collect()
    assert source.alive == 0


@pytest.mark.parametrize("way", BYTES)
def test_bytes_do_not_go_through_pointers(lib: ModuleType, claims: ModuleType, way: str) -> None:
    source = claim(claims, len=8, shape=(4,), suboffsets=(0,))
    with pytest.raises(BufferError, match=r"compact|gaps"):
        BYTES[way](lib, source)
    assert source.alive == 0


SOUND: dict[str, dict[str, Any]] = {
    "everything": {"len": 8, "shape": (4,)},
    "no strides": {"len": 8, "shape": (4,), "strides": None},
    "no shape": {"len": 8, "shape": None, "strides": None},
    "no indirection": {"len": 8, "shape": (4,), "suboffsets": (-1,)},
    "no owner": {"len": 8, "shape": (4,), "owned": 0},
    "no elements, and no address": {"len": 0, "shape": (0,), "address": 0},
    "part of the memory": {"len": 4, "shape": (2,)},
}


@pytest.mark.parametrize("way", EVERYWHERE)
@pytest.mark.parametrize("name", SOUND)
def test_a_buffer_that_does_not_contradict_itself_is_accepted(
    lib: ModuleType, claims: ModuleType, name: str, way: str
) -> None:
    source = claim(claims, **SOUND[name])
    EVERYWHERE[way](lib, source)
    gc.collect()
    assert source.alive == 0


def test_the_bytes_of_an_element_count_as_an_extent(lib: ModuleType, claims: ModuleType) -> None:
    assert lib.extents(claim(claims, len=8, ndim=2, shape=(2, 2), strides=(4, 2))) == 2 + 2 + 2
    source = claim(claims, len=0, ndim=2, shape=(0, HUGE), strides=(8, 2))
    with pytest.raises(
        BufferError, match=r"^extents\(\) argument 'x': the extents up to shape\[2\] \(2\) multiply to more"
    ):
        lib.extents(source)
    assert source.alive == 0


def test_the_buffer_is_held_as_long_as_an_object_shows_it(lib: ModuleType, claims: ModuleType) -> None:
    for fields in ({}, {"owned": 0}):
        source = claim(claims, len=8, shape=(4,), **fields)
        strip, reel = lib.Strip.from_dlpack(source), lib.Reel(source)
        assert source.alive == 2
        lib.strip_fill(strip, 3)
        assert reel.sum() == 12
        del source
        gc.collect()
        assert (memoryview(strip).tolist(), reel.sum()) == ([3] * 4, 12)


# ---- Failures of the export ----


@pytest.mark.parametrize("way", EVERYWHERE)
def test_a_buffer_that_fails_is_not_released(lib: ModuleType, claims: ModuleType, way: str) -> None:
    """Values that the producer has left in the fields do not matter."""
    source = claim(claims, len=8, shape=(4,), fails=1)
    with pytest.raises(KeyError, match="no buffer today"):
        EVERYWHERE[way](lib, source)
    assert source.alive == 0


@pytest.mark.parametrize("way", EVERYWHERE)
def test_a_buffer_that_fails_without_an_exception_is_a_buffer_error(
    lib: ModuleType, claims: ModuleType, way: str
) -> None:
    source = claim(claims, len=8, shape=(4,), fails=2)
    with pytest.raises(BufferError, match="the buffer was refused without an exception"):
        EVERYWHERE[way](lib, source)
    assert source.alive == 0


@pytest.mark.parametrize("way", EVERYWHERE)
def test_a_buffer_that_succeeds_with_an_exception_raises_it(lib: ModuleType, claims: ModuleType, way: str) -> None:
    source = claim(claims, len=8, shape=(4,), fails=3)
    with pytest.raises(KeyError, match="no buffer today"):
        EVERYWHERE[way](lib, source)
    assert source.alive == 0


# ---- The release of a refused buffer ----


@pytest.mark.parametrize("way", EVERYWHERE)
def test_a_refused_buffer_is_released_while_no_exception_is_pending(
    lib: ModuleType, claims: ModuleType, way: str
) -> None:
    """A pending exception would end the process in the release."""
    source = claim(claims, len=8, itemsize=8, shape=(1,), format="O", strides=(8,))
    source.promised = 80
    with pytest.raises((BufferError, ValueError)):
        EVERYWHERE[way](lib, source)
    assert source.alive == 0
