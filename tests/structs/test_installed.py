"""Structs of installed libraries: HDF5, libtiff, CPython's buffers; when and where objects are released."""

from __future__ import annotations

import ctypes
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from python.tensors import inside
from structs.libraries import Library, address
from structs.modules import Loader


def elsewhere(function: Callable[[], object]) -> None:
    thread = threading.Thread(target=function)
    thread.start()
    thread.join()


# ---- HDF5: elements that are written back, and release on the thread of the creator ----


@pytest.fixture
def hdf(library: Loader) -> Library:
    return library("hdf")


def dataset(hdf: Library, kind: int, *sizes: int) -> ctypes.c_int64:
    dims = (ctypes.c_uint64 * len(sizes))(*sizes)
    return ctypes.c_int64(hdf.number("store_create", kind, len(sizes), dims, kind=ctypes.c_int64))


@pytest.mark.parametrize("kind, dtype", [(0, "float32"), (1, "float64"), (2, "int32"), (3, "int32")])
def test_hdf_writes_back_the_elements_of_an_array(hdf: Library, kind: int, dtype: str) -> None:
    """Elements that are big-endian in the file have native order in memory."""
    values = dataset(hdf, kind, 2, 3)
    shown = hdf.wrap("dataset", values)
    assert hdf.number("store_references", values) == 2
    array = np.from_dlpack(shown)
    assert (array.shape, array.dtype) == ((2, 3), dtype)
    array[...] = 5
    assert hdf.number("store_first", values, kind=ctypes.c_double) == 0
    other = np.from_dlpack(shown)
    del array
    assert hdf.number("store_first", values, kind=ctypes.c_double) == 0, "another still lives"
    del other
    assert hdf.number("store_first", values, kind=ctypes.c_double) == 5
    assert np.from_dlpack(shown)[1, 2] == 5
    del shown
    assert hdf.number("store_references", values) == 1
    hdf.number("H5Idec_ref", values)
    assert (hdf.number("store_references", values), hdf.number("store_open")) == (0, 0)


def test_a_type_of_hdf_without_a_dtype_is_refused(hdf: Library) -> None:
    values = dataset(hdf, 4, 2)
    shown = hdf.wrap("dataset", values)
    with pytest.raises(BufferError, match=r"hdf\.Dataset: .*dtype"):
        np.from_dlpack(shown)
    assert hdf.number("store_open") == 0, "what was opened for the question is closed"
    del shown
    hdf.number("H5Idec_ref", values)


def test_a_dataset_of_hdf_is_released_by_its_creator(hdf: Library) -> None:
    """The library is not safe to call from another thread."""
    values = dataset(hdf, 1, 2)
    exports = [hdf.wrap("dataset", values)]
    assert hdf.number("store_references", values) == 2
    elsewhere(exports.clear)
    assert hdf.number("store_references", values) == 2, "it waits"
    hdf.wrap("dataset", values)
    assert hdf.number("store_references", values) == 1
    hdf.number("H5Idec_ref", values)


# ---- CPython's buffers: the GIL ----


@pytest.fixture
def pybuffer(library: Loader) -> Library:
    return library("pybuffer")


@pytest.mark.parametrize(
    "exporter",
    [
        bytearray(b"hello"),
        memoryview(bytearray(b"0123456789"))[::2],
        np.arange(12.0).reshape(3, 4).T,
        np.arange(6, dtype=np.complex64),
        np.array(5, np.int32),
        np.array([True, False]),
    ],
    ids=["bytes", "every second", "turned", "complex", "no axes", "bool"],
)
def test_a_struct_py_buffer_is_exported_as_an_array(pybuffer: Library, exporter: Any) -> None:
    expected = np.asarray(exporter)
    shown = pybuffer.wrap("buffer", pybuffer.pointer("buffers_get", ctypes.py_object(exporter)))
    back = np.from_dlpack(shown)
    assert (back.shape, back.strides, back.dtype) == (expected.shape, expected.strides, expected.dtype)
    np.testing.assert_array_equal(back, expected)
    assert address(back) == address(expected)
    del shown, back
    assert pybuffer.number("buffers_live") == 0


def test_a_read_only_py_buffer_is_a_read_only_array(pybuffer: Library) -> None:
    shown = pybuffer.wrap("buffer", pybuffer.pointer("buffers_get", ctypes.py_object(b"hello")))
    assert shown.readonly and not np.from_dlpack(shown).flags.writeable
    date = np.zeros(2, "datetime64[s]").view("V8")
    shown = pybuffer.wrap("buffer", pybuffer.pointer("buffers_get", ctypes.py_object(date)))
    with pytest.raises(BufferError, match=r"pybuffer\.Buffer: .*dtype.*format"):
        shown.__dlpack__()


def test_a_py_buffer_without_strides_is_compact(pybuffer: Library) -> None:
    array = np.arange(12.0).reshape(3, 4)
    buffer = pybuffer.pointer("buffers_get", ctypes.py_object(array))
    pybuffer.number("buffers_forget_strides", buffer, kind=None)
    back = np.from_dlpack(pybuffer.wrap("buffer", buffer))
    assert (back.strides, address(back)) == ((32, 8), address(array))


def test_a_py_buffer_can_be_released_without_the_gil(pybuffer: Library) -> None:
    exporter = bytearray(b"hello")
    shown = pybuffer.wrap("buffer", pybuffer.pointer("buffers_get", ctypes.py_object(exporter)))
    capsule = shown.__dlpack__(max_version=(1, 0))
    managed = inside(capsule)
    deleter, tensor = ctypes.c_void_p(managed.deleter), ctypes.c_void_p(ctypes.addressof(managed))
    ctypes.pythonapi.PyCapsule_SetName(ctypes.py_object(capsule), b"used_dltensor_versioned")
    del shown
    with pytest.raises(BufferError):
        exporter.append(1)
    ctypes.CDLL(str(pybuffer.path)).buffers_elsewhere(deleter, tensor)
    exporter.append(1)
    assert pybuffer.number("buffers_live") == 0


@pytest.mark.parametrize("readonly", [False, True])
def test_a_py_buffer_can_be_made_of_an_array(pybuffer: Library, readonly: bool) -> None:
    """The extents and strides are stored in the same box."""
    array = np.arange(24, dtype=np.int16).reshape(4, 6)[:, ::-2]
    array.flags.writeable = not readonly
    shown = pybuffer.module.Buffer.from_dlpack(array)
    back = np.from_dlpack(shown)
    assert (back.shape, back.strides, address(back)) == (array.shape, array.strides, address(array))
    assert back.flags.writeable != readonly
    kind = [
        ("buf", ctypes.c_void_p),
        ("obj", ctypes.c_void_p),
        ("len", ctypes.c_ssize_t),
        ("itemsize", ctypes.c_ssize_t),
    ]
    kind += [("readonly", ctypes.c_int), ("ndim", ctypes.c_int), ("format", ctypes.c_char_p)]
    kind += [("shape", ctypes.POINTER(ctypes.c_ssize_t)), ("strides", ctypes.POINTER(ctypes.c_ssize_t))]
    buffer = type("Buffer", (ctypes.Structure,), {"_fields_": kind}).from_address(
        pybuffer.unwrap("buffer", shown).value or 0
    )
    assert (buffer.len, buffer.itemsize, buffer.readonly, buffer.ndim, buffer.format) == (24, 2, readonly, 2, b"h")
    assert (buffer.shape[:2], buffer.strides[:2]) == ([4, 3], [12, -4])


# ---- libtiff: a strip that is decoded by an export ----


@pytest.fixture
def tiff(library: Loader) -> Library:
    return library("tiff")


UINT, INT, FLOAT = 1, 2, 3
CONTIG, SEPARATE = 1, 2


def tiff_file(tiff: Library, path: Path, *settings: int) -> ctypes.c_void_p:
    assert tiff.number("strips_write", str(path).encode(), *settings) == 1
    return tiff.pointer("strips_open", str(path).encode())


@pytest.mark.parametrize(
    "samples, bits, kind, planar, shape, dtype",
    [
        (3, 8, UINT, CONTIG, (4, 7, 3), "uint8"),
        (3, 8, UINT, SEPARATE, (4, 7), "uint8"),
        (1, 16, UINT, CONTIG, (4, 7, 1), "uint16"),
        (1, 8, INT, CONTIG, (4, 7, 1), "int8"),
        (1, 32, FLOAT, CONTIG, (4, 7, 1), "float32"),
    ],
)
def test_a_strip_of_a_tiff_file_has_the_dtype_of_its_format(
    tiff: Library, tmp_path: Path, samples: int, bits: int, kind: int, planar: int, shape: tuple[int, ...], dtype: str
) -> None:
    file = tiff_file(tiff, tmp_path / "a.tiff", 7, 10, samples, bits, kind, planar)
    shown = tiff.wrap("strip", file, 0)
    assert (shown.shape, shown.dtype, tiff.number("strips_buffers")) == (shape, dtype, 0)
    array = np.from_dlpack(shown)
    assert (array.shape, array.dtype, array.flags.writeable) == (shape, dtype, False)
    values = array.view(np.uint8).reshape(4, -1)
    np.testing.assert_array_equal(values, (np.arange(4)[:, None] + np.arange(values.shape[1])) % 256)
    assert tiff.number("strips_buffers") == 1
    del shown, array, values
    assert (tiff.number("strips_buffers"), tiff.number("strips_files")) == (0, 0)


def test_a_tiff_file_has_strips_as_parts(tiff: Library, tmp_path: Path) -> None:
    file = tiff.wrap("file", tiff_file(tiff, tmp_path / "a.tiff", 7, 10, 1, 8, UINT, CONTIG))
    strips = file.strips
    assert [strip.shape for strip in strips] == [(4, 7, 1), (4, 7, 1), (2, 7, 1)]
    del file
    arrays = [np.from_dlpack(strip) for strip in strips]
    assert tiff.number("strips_buffers") == 3, "each has its own"
    assert [array[0, 0, 0] for array in arrays] == [0, 4, 8]
    del strips
    assert tiff.number("strips_files") == 1
    del arrays
    assert (tiff.number("strips_buffers"), tiff.number("strips_files")) == (0, 0)


def test_errors_of_a_tiff_file_are_reported(tiff: Library, tmp_path: Path) -> None:
    path = tmp_path / "a.tiff"
    shown = tiff.wrap("strip", tiff_file(tiff, path, 7, 10, 1, 8, UINT, CONTIG), 3)
    with pytest.raises(BufferError, match=r"tiff\.Strip: no such strip"):
        np.from_dlpack(shown)
    shown = tiff.wrap("strip", tiff_file(tiff, path, 9, 10, 1, 1, UINT, CONTIG), 0)
    with pytest.raises(BufferError, match=r"tiff\.Strip: .*dtype.*bits is 1, format is 1"):
        np.from_dlpack(shown)
    assert tiff.number("strips_buffers") == 0
    shown = tiff.wrap("strip", tiff_file(tiff, path, 700, 10, 1, 8, UINT, CONTIG), 2)
    tiff.number("strips_cut", str(path).encode(), 4000, kind=None)
    with pytest.raises((BufferError, RuntimeError), match=r"buffer = strips_read\(self, strip\).*[Rr]ead error"):
        np.from_dlpack(shown)
    del shown
    assert (tiff.number("strips_buffers"), tiff.number("strips_files")) == (0, 0)
