"""Keys of maps: strings, pointers, and any other expression."""

from __future__ import annotations

import ctypes

import numpy as np
import pytest

from structs.libraries import Library, assert_same, count, memory
from structs.modules import Loader

# ---- Arrow: unsigned sizes, names of types as strings, memory behind const ----


@pytest.fixture
def arrow(library: Loader) -> Library:
    return library("arrow")


@pytest.mark.parametrize("name, dtype", [(b"c", "int8"), (b"i", "int32"), (b"f", "float32"), (b"g", "float64")])
def test_a_string_key_chooses_the_dtype_in_both_directions(arrow: Library, name: bytes, dtype: str) -> None:
    array = count(4, 3, dtype=dtype)
    column = arrow.pointer("arrow_column", name, ctypes.c_uint64(4), ctypes.c_uint32(3), memory(array))
    shown = arrow.wrap("column", column)
    assert_same(np.from_dlpack(shown), array)
    assert shown.readonly and not np.from_dlpack(shown).flags.writeable
    back = arrow.module.Column.from_dlpack(array)
    assert ctypes.c_char_p.from_address(arrow.unwrap("column", back).value or 0).value == name
    assert_same(np.from_dlpack(back), array)
    del shown, back
    assert arrow.number("arrow_live") == 0


def test_an_unknown_string_is_refused(arrow: Library) -> None:
    column = arrow.pointer("arrow_column", b"tdm", ctypes.c_uint64(4), ctypes.c_uint32(3), None)
    with pytest.raises(BufferError, match=r"arrow\.Column: .*dtype.*self->format"):
        np.from_dlpack(arrow.wrap("column", column))


def test_an_unsigned_extent_beyond_int64_is_refused(arrow: Library) -> None:
    column = arrow.pointer("arrow_column", b"c", ctypes.c_uint64(2**63), ctypes.c_uint32(1), None)
    with pytest.raises(BufferError, match=rf"shape\[0\] \(self->length\) is {2**63}"):
        np.from_dlpack(arrow.wrap("column", column))


# ---- Keys that are any expression ----


@pytest.mark.parametrize(
    "tensor, dtypes",
    [
        ("Letter", ["int8", "float32", "float64"]),
        ("Number", ["int8", "int16", "int32", "float32", "float64"]),
        ("Flags", ["float64", "uint64", "complex64"]),
        ("Name", ["float32", "float64"]),
        ("One", ["float32"]),
    ],
)
def test_keys_of_every_kind_are_set_by_an_import(library: Loader, tensor: str, dtypes: list[str]) -> None:
    keys = library("keys")
    for dtype in dtypes:
        array = count(5, dtype=dtype)
        shown = getattr(keys.module, tensor).from_dlpack(array)
        assert_same(np.from_dlpack(shown), array)
    with pytest.raises(BufferError, match="dtype is uint16"):
        getattr(keys.module, tensor).from_dlpack(count(5, dtype=np.uint16))
    del shown
    assert keys.number("keyed_live") == 0


def test_a_key_can_be_a_pointer(library: Loader) -> None:
    keys = library("keys")
    array = count(5, dtype=np.float64)
    shown = keys.wrap("info", keys.pointer("keyed_new", memory(array), ctypes.c_size_t(5)))
    assert_same(np.from_dlpack(shown), array)


def test_a_map_of_string_keys_has_a_default(library: Loader) -> None:
    keys = library("keys")
    array = count(5, dtype=np.uint8)
    shown = keys.wrap("name", keys.pointer("keyed_new", memory(array), ctypes.c_size_t(5)))
    assert_same(np.from_dlpack(shown), array)
