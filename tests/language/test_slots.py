"""Single slots of the language, each in the struct where it matters: read-only data, devices, keys of maps, retain,
bit-fields, literal extents, and what a library says when it refuses."""

from __future__ import annotations

import ctypes
from contextlib import nullcontext
from typing import Any

import numpy as np
import pytest

from language.conftest import Loader
from language.libraries import Library, address, assert_same, int64s, memory

Array = np.ndarray[Any, Any]
CPU, CUDA, CUDA_HOST, ROCM = 1, 2, 3, 10


def count(*shape: int, dtype: Any = np.float32) -> Array:
    return np.arange(np.prod(shape, dtype=int)).astype(dtype).reshape(shape)


# ---- Arrow: unsigned sizes, names of types as text, memory behind const ----


@pytest.fixture
def arrow(library: Loader) -> Library:
    return library("arrow")


@pytest.mark.parametrize("name, dtype", [(b"c", "int8"), (b"i", "int32"), (b"f", "float32"), (b"g", "float64")])
def test_text_keys(arrow: Library, name: bytes, dtype: str) -> None:
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


def test_text_that_is_no_key(arrow: Library) -> None:
    column = arrow.pointer("arrow_column", b"tdm", ctypes.c_uint64(4), ctypes.c_uint32(3), None)
    with pytest.raises(BufferError, match=r"arrow\.Column: .*dtype.*self->format"):
        np.from_dlpack(arrow.wrap("column", column))


def test_unsigned_beyond_int64(arrow: Library) -> None:
    column = arrow.pointer("arrow_column", b"c", ctypes.c_uint64(2**63), ctypes.c_uint32(1), None)
    with pytest.raises(BufferError, match=rf"shape\[0\] \(self->length\) is {2**63}"):
        np.from_dlpack(arrow.wrap("column", column))


# ---- Bit-fields ----


def test_bit_fields(library: Loader) -> None:
    frame = library("bits").module.Frame
    for dtype in ("uint16", "int16", "float16"):
        array = count(4, 3, 9, dtype=dtype)[::-1, :, :2].copy()[::-1]
        assert_same(np.from_dlpack(frame.from_dlpack(array)), array)
    with pytest.raises(BufferError, match=r"self->width.*4096|4096.*width"):
        frame.from_dlpack(np.empty((1, 4096, 1), np.uint16))
    with pytest.raises(BufferError, match="pitch"):
        frame.from_dlpack(np.empty((2, 9000, 1), np.uint16)[:, :4])
    with pytest.raises(BufferError, match="dtype is uint8"):
        frame.from_dlpack(np.empty((2, 2, 1), np.uint8))


# ---- Devices; nothing here is ever read ----


@pytest.fixture
def gpu(library: Loader) -> Library:
    return library("gpu")


def references(tensor: ctypes.c_void_p) -> int:
    return ctypes.c_int.from_address(tensor.value or 0).value


@pytest.mark.parametrize(
    "kind, device", [(0, (CPU, 0)), (1, (CUDA, 5)), (2, (CUDA_HOST, 0))], ids=["host", "cuda", "pinned"]
)
def test_device_map(gpu: Library, kind: int, device: tuple[int, int]) -> None:
    tensor = gpu.pointer("rt_create", kind, 5, ctypes.c_void_p(0xDEAD0000), 2, int64s(2, 3), int64s(6, 2))
    shown = gpu.wrap("tensor", tensor)
    assert (shown.device, shown.__dlpack_device__()) == (device, device)
    assert (shown.shape, shown.strides, shown.readonly) == ((2, 3), (6, 2), False)
    back = gpu.module.Tensor.from_dlpack(shown)
    assert (back.device, back.shape, back.strides) == (device, (2, 3), (6, 2))
    assert gpu.number("rt_live") == 2
    assert references(tensor) == 2, "the caller's and the owner's"
    del shown
    assert references(tensor) == 2, "the export keeps the owner"
    del back
    assert references(tensor) == 1
    gpu.number("rt_destroy", tensor, kind=None)
    assert gpu.number("rt_live") == 0


def test_device_without_an_entry(gpu: Library) -> None:
    tensor = gpu.pointer("rt_create", 3, 0, ctypes.c_void_p(0xDEAD0000), 0, int64s(), int64s())
    with pytest.raises(BufferError, match=r"gpu\.Tensor: .*device.*self->buffer\.kind.*3"):
        gpu.wrap("tensor", tensor).__dlpack__()
    gpu.number("rt_destroy", tensor, kind=None)


def test_device_of_a_fixed_type(gpu: Library) -> None:
    tensor = gpu.pointer("rt_create", 1, 7, ctypes.c_void_p(0xDEAD0000), 1, int64s(2), int64s(1))
    shown = gpu.wrap("managed", tensor)
    assert shown.device == (ROCM, 7)
    with pytest.raises(BufferError, match="the data is on rocm"):
        gpu.module.Tensor.from_dlpack(shown)
    ctypes.c_int.from_address((tensor.value or 0) + 12).value = -1
    with pytest.raises(BufferError, match=r"device id \(self->buffer\.ordinal\) is -1"):
        shown.__dlpack__()
    del shown
    gpu.number("rt_destroy", tensor, kind=None)


def test_import_knows_the_device(gpu: Library) -> None:
    array = count(3, 4)[:, ::2]
    shown = gpu.module.Tensor.from_dlpack(array)
    assert shown.device == (CPU, 0)
    assert_same(np.from_dlpack(shown), array)


# ---- An opaque type: everything by functions ----


@pytest.fixture
def opaque(library: Loader) -> Library:
    return library("opaque")


@pytest.mark.parametrize("writable", [0, 1])
def test_readonly_expression(opaque: Library, writable: int) -> None:
    shown = opaque.wrap("surface", opaque.pointer("surface_new", 5, 3, writable))
    array = np.from_dlpack(shown)
    assert (array.shape, array.strides) == ((3, 5), (8, 1))
    assert (shown.readonly, array.flags.writeable) == (not writable, bool(writable))
    with nullcontext() if writable else pytest.raises(BufferError, match="read-only"):
        shown.__dlpack__()  # the capsule of old, which cannot say it
    del shown, array
    assert opaque.number("surface_live") == 0


def test_readonly_by_the_type_of_data(opaque: Library) -> None:
    shown = opaque.wrap("frozen", opaque.pointer("surface_new", 5, 3, 1))
    assert shown.readonly and not np.from_dlpack(shown).flags.writeable


def test_read_only_in_read_only_out(opaque: Library) -> None:
    array = count(3, 8, dtype=np.uint8)
    array.flags.writeable = False
    shown = opaque.module.Surface.from_dlpack(array)
    assert_same(np.from_dlpack(shown), array)
    assert shown.readonly


def test_ok_and_error(opaque: Library) -> None:
    with pytest.raises(RuntimeError, match=r"surface_for_data\(.*\).*invalid value for stride"):
        opaque.module.Surface.from_dlpack(count(3, 7, dtype=np.uint8))
    with pytest.raises(BufferError, match=rf"width.*{2**31}|{2**31}.*width"):
        opaque.module.Surface.from_dlpack(np.empty((0, 2**31), np.uint8))
    with pytest.raises(BufferError, match="compact but for the outermost axis"):
        opaque.module.Surface.from_dlpack(count(3, 8, dtype=np.uint8)[:, ::2])


# ---- Data that no object describes ----


def test_data_without_self(library: Loader) -> None:
    screen = library("screen")
    opened = screen.pointer("screen_open")
    array = np.from_dlpack(screen.wrap("screen", opened))
    frame = (ctypes.c_uint16 * 256).in_dll(screen.functions, "screen_memory")
    assert array.shape == (8, 32)
    assert address(array) == ctypes.addressof(frame)
    del array
    assert screen.number("screen_opened") == 0
    shown = screen.wrap("brightness", opened, None)
    brightness = np.from_dlpack(shown)
    assert (brightness.shape, float(brightness), shown.strides) == ((), 0.5, ())
    brightness[...] = 0.75
    assert ctypes.c_double.in_dll(screen.functions, "screen_brightness").value == 0.75


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
def test_keys_back_and_forth(library: Loader, tensor: str, dtypes: list[str]) -> None:
    keys = library("keys")
    for dtype in dtypes:
        array = count(5, dtype=dtype)
        shown = getattr(keys.module, tensor).from_dlpack(array)
        assert_same(np.from_dlpack(shown), array)
    with pytest.raises(BufferError, match="dtype is uint16"):
        getattr(keys.module, tensor).from_dlpack(count(5, dtype=np.uint16))
    del shown
    assert keys.number("keyed_live") == 0


def test_keys_that_are_pointers(library: Loader) -> None:
    keys = library("keys")
    array = count(5, dtype=np.float64)
    shown = keys.wrap("info", keys.pointer("keyed_new", memory(array), ctypes.c_size_t(5)))
    assert_same(np.from_dlpack(shown), array)


def test_default_of_text_keys(library: Loader) -> None:
    keys = library("keys")
    array = count(5, dtype=np.uint8)
    shown = keys.wrap("name", keys.pointer("keyed_new", memory(array), ctypes.c_size_t(5)))
    assert_same(np.from_dlpack(shown), array)


# ---- Literal extents, allocation, ends of objects ----


@pytest.fixture
def cloud(library: Loader) -> Library:
    return library("cloud")


def test_literal_extent(cloud: Library) -> None:
    array = count(7, 3)
    assert_same(np.from_dlpack(cloud.module.Cloud.from_dlpack(array)), array)
    with pytest.raises(BufferError, match=r"shape\[1\] is 4, not 3"):
        cloud.module.Cloud.from_dlpack(count(7, 4))
    with pytest.raises(ValueError, match=r"shape\[1\] is 4, not 3"):
        cloud.module.Cloud.empty((7, 4))


def test_checks_of_an_import(cloud: Library) -> None:
    with pytest.raises(BufferError, match=r"shape\[0\] != 13 does not hold"):
        cloud.module.Cloud.from_dlpack(count(13, 3))
    with pytest.raises(BufferError, match="too many"):
        cloud.module.Cloud.from_dlpack(count(100, 3))


def test_empty(cloud: Library) -> None:
    shown = cloud.module.Cloud.empty([4, 3])
    np.from_dlpack(shown)[...] = 1
    assert cloud.number("cloud_live") == 1
    del shown
    assert cloud.number("cloud_live") == 0
    with pytest.raises(RuntimeError, match=r"cloud_new\(shape\[0\]\).*at most a thousand points"):
        cloud.module.Cloud.empty((1001, 3))
    assert cloud.module.Cloud.empty.__text_signature__ == "($type, /, shape, *, dtype='float32')"


def test_release_of_two_statements(cloud: Library) -> None:
    array = count(9, dtype=np.uint8)
    first = cloud.module.Slot.from_dlpack(array)
    second = np.from_dlpack(cloud.module.Slot.from_dlpack(array))
    assert_same(second, array)
    assert cloud.number("slots_used") == 2
    with pytest.raises(RuntimeError, match=r"slot_take\(data, n\)"):
        cloud.module.Slot.from_dlpack(array)
    slot = cloud.unwrap("slot", first).value or 0
    del first
    assert ctypes.c_void_p.from_address(slot + 8).value is None
    del second
    assert cloud.number("slots_used") == 0


def test_destroy_none(cloud: Library) -> None:
    lasting = cloud.module.Lasting.from_dlpack(count(9, dtype=np.int8))
    slot = cloud.unwrap("lasting", lasting)
    del lasting
    assert cloud.number("slots_used") == 1, "nothing was done to it"
    cloud.number("slot_put", slot, kind=None)


# ---- Text ----


def test_text(library: Loader) -> None:
    module = library("text").module
    assert module.__doc__ is not None
    assert module.__doc__.startswith('Says "hello" \\ in C:\\path\\, ends no comment */ and /* begins none, ??/ is no')
    assert module.__doc__.endswith("Grüße, 漢字, 🎈.")
    assert "What??! ??= ??( %s %d %n {{ 7 * 7 }} {% raw %} {# no comment #}\n" in module.Text.__doc__
    assert module.Text.__doc__.endswith("Ends with a backslash \\\n")
    with pytest.raises(BufferError) as caught:
        module.Text.from_dlpack(count(7))
    assert 'a "message" with \\ and 100% of %s, */, ??/ and Grüße' in str(caught.value)
