"""Dtypes below a byte, and dtypes and devices without a name in DLPack 1.3, are exported, imported and shown."""

from __future__ import annotations

import ctypes
from typing import Any

import pytest

from structs.libraries import Library
from structs.modules import Loader

CPU, TPU, TPU_HOST, ASCEND, LAST = 1, 19, 20, 21, 255
ADDRESS = 0xDEAD0000
KINDS = {
    "int4": (0, 4),
    "uint2": (1, 2),
    "uint1": (2, 1),
    "dtype(2, 32, 2)": (3, 64),
    "dtype(3, 64, 1)": (4, 64),
    "dtype(18, 32, 1)": (5, 32),
    "dtype(19, 24, 1)": (6, 24),
}
"""The dtype of each kind of tile, and its bits."""
PLACES = [(0, (CPU, 0)), (1, (TPU, 3)), (2, (ASCEND, 3)), (3, (LAST, 3))]


class Tile(ctypes.Structure):
    _fields_ = [
        ("data", ctypes.c_void_p),
        ("count", ctypes.c_int64),
        ("kind", ctypes.c_int),
        ("place", ctypes.c_int),
        ("ordinal", ctypes.c_int),
    ]


class Spectrum(ctypes.Structure):
    _fields_ = [
        ("pairs", ctypes.c_void_p),
        ("count", ctypes.c_int64),
        ("code", ctypes.c_int),
        ("ordinal", ctypes.c_int),
    ]


@pytest.fixture
def later(library: Loader) -> Library:
    return library("later")


def wrapped(later: Library, tensor: str, struct: ctypes.Structure) -> Any:
    return later.wrap(tensor, ctypes.byref(struct), ctypes.py_object(struct))


def unwrapped(later: Library, tensor: str, shown: Any, struct: type[Any]) -> Any:
    return struct.from_address(later.unwrap(tensor, shown).value or 0)


@pytest.mark.parametrize(("place", "device"), PLACES, ids=lambda value: str(value))
@pytest.mark.parametrize("dtype", KINDS)
def test_a_map_works_in_both_directions(later: Library, dtype: str, place: int, device: tuple[int, int]) -> None:
    kind, bits = KINDS[dtype]
    shown = wrapped(later, "tile", Tile(ADDRESS, 9, kind, place, 3))
    assert (shown.dtype, shown.shape, shown.nbytes) == (dtype, (9,), (9 * bits + 7) // 8)
    assert shown.device == shown.__dlpack_device__() == device
    back = later.module.Tile.from_dlpack(shown)
    assert (back.dtype, back.device) == (dtype, device)
    tile = unwrapped(later, "tile", back, Tile)
    assert (tile.data, tile.count, tile.kind, tile.place, tile.ordinal) == (ADDRESS, 9, kind, place, device[1])


def test_packed_elements_are_imported_and_copied(later: Library) -> None:
    packed = (ctypes.c_uint8 * 5)(0x21, 0x43, 0x65, 0x87, 0x09)
    shown = wrapped(later, "tile", Tile(ctypes.addressof(packed), 9, 0, 0, 0))
    tile = unwrapped(later, "tile", back := later.module.Tile.from_dlpack(shown), Tile)
    assert (back.dtype, back.nbytes, tile.data, tile.count) == ("int4", 5, ctypes.addressof(packed), 9)
    copy = later.module.Tile.from_dlpack(shown.__dlpack__(max_version=(1, 3), copy=True))
    packed[0] = 0
    tile = unwrapped(later, "tile", copy, Tile)
    assert ctypes.string_at(tile.data, 5) == bytes([0x21, 0x43, 0x65, 0x87, 0x09])
    with pytest.raises(BufferError, match=r"int4"):
        memoryview(shown)


def test_a_dtype_and_a_device_without_a_name_can_be_fixed(later: Library) -> None:
    shown = wrapped(later, "spectrum", Spectrum(ADDRESS, 6, 0, 2))
    assert (shown.dtype, shown.device) == ("dtype(18, 32, 1)", (TPU_HOST, 2))
    spectrum = unwrapped(later, "spectrum", later.module.Spectrum.from_dlpack(shown), Spectrum)
    assert (spectrum.pairs, spectrum.count, spectrum.ordinal) == (ADDRESS, 6, 2)


def test_another_dtype_or_device_is_refused_by_its_number(later: Library) -> None:
    with pytest.raises(BufferError, match=r"the dtype is int4, not dtype\(18, 32, 1\)"):
        later.module.Spectrum.from_dlpack(wrapped(later, "tile", Tile(ADDRESS, 9, 0, 0, 0)))
    with pytest.raises(BufferError, match="the data is on device 19, not device 20"):
        later.module.Spectrum.from_dlpack(wrapped(later, "tile", Tile(ADDRESS, 9, 5, 1, 0)))


def test_host_memory_of_a_later_device_is_imported_as_memory_of_the_cpu(later: Library) -> None:
    """The CPU reads memory of kDLTPUHost."""
    taken = later.module.Tile.from_dlpack(wrapped(later, "spectrum", Spectrum(ADDRESS, 6, 0, 2)))
    assert (taken.shape, taken.device) == ((6,), (1, 0))


def test_a_buffer_of_a_later_device_is_refused(later: Library) -> None:
    with pytest.raises(BufferError, match="device 19"):
        memoryview(wrapped(later, "tile", Tile(ADDRESS, 9, 0, 1, 0)))


def test_a_dtype_code_of_the_struct_is_checked(later: Library) -> None:
    assert wrapped(later, "decoded", Spectrum(ADDRESS, 6, 18, 0)).dtype == "dtype(18, 32, 1)"
    with pytest.raises(BufferError, match=r"dtype code \(self->code\) is 19: the codes of DLPack are"):
        wrapped(later, "decoded", Spectrum(ADDRESS, 6, 19, 0)).__dlpack__()
