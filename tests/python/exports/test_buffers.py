# SPDX-License-Identifier: MIT
"""Objects are buffers, with every flag of CPython."""

from __future__ import annotations

import ctypes
import io
import math
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from python.tensors import (
    ANY_CONTIGUOUS,
    C_CONTIGUOUS,
    F_CONTIGUOUS,
    FORMAT,
    INDIRECT,
    ND,
    SIMPLE,
    STRIDES,
    WRITABLE,
    Buffer,
)

ROWS, COLUMNS, NEITHER = "C-contiguous", "Fortran-contiguous", "not contiguous"
LAYOUTS = {
    "rows": ((2, 3), (3, 1), {ROWS}),
    "columns": ((2, 3), (1, 2), {COLUMNS}),
    "padded": ((2, 3), (8, 1), set()),
    "reversed": ((3,), (-1,), set()),
    "vector": ((3,), (1,), {ROWS, COLUMNS}),
    "one row": ((1, 3), (99, 1), {ROWS, COLUMNS}),
    "rank 0": ((), (), {ROWS, COLUMNS}),
    "empty": ((0, 3), (3, 1), {ROWS, COLUMNS}),
    "empty, odd strides": ((2, 0), (77, -5), {ROWS, COLUMNS}),
}

# What is asked for -> which contiguity grants it (one of them is enough; none: any layout does), and the refusal.
REQUESTS = {
    SIMPLE: ({ROWS}, "the data is not C-contiguous, and strides were not requested"),
    ND: ({ROWS}, "the data is not C-contiguous, and strides were not requested"),
    STRIDES: (set(), ""),
    INDIRECT: (set(), ""),
    C_CONTIGUOUS: ({ROWS}, "the data is not C-contiguous"),
    F_CONTIGUOUS: ({COLUMNS}, "the data is not Fortran-contiguous"),
    ANY_CONTIGUOUS: ({ROWS, COLUMNS}, "the data is not contiguous"),
}


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("request_flag", REQUESTS)
@pytest.mark.parametrize("extra", [0, FORMAT, WRITABLE, FORMAT | WRITABLE])
def test_a_buffer_is_given_exactly_when_the_layout_allows_it(
    subject, layout: str, request_flag: int, extra: int
) -> None:
    shape, strides, contiguity = LAYOUTS[layout]
    made = subject(shape, strides, "int32")
    made.struct.data += 64
    enough, refusal = REQUESTS[request_flag]
    if enough and not enough & contiguity:
        with pytest.raises(BufferError, match=rf"probe\.Moved: {refusal}$"):
            Buffer(made.object, request_flag | extra)
        return
    buffer = Buffer(made.object, request_flag | extra)
    count = int(np.prod(shape))
    assert buffer.buf == made.struct.data if count else buffer.buf
    assert (buffer.len, buffer.itemsize, buffer.readonly) == (4 * count, 4, 0)
    assert buffer.format == (b"i" if extra & FORMAT else None)
    assert not buffer.suboffsets
    if request_flag & ND:
        assert buffer.ndim == len(shape)
        assert tuple(buffer.shape[: buffer.ndim]) == shape
    else:
        assert (buffer.ndim, bool(buffer.shape)) == (1, False)
    if request_flag & STRIDES == STRIDES:
        expected = strides if count else (1,) * len(shape)  # empty arrays are compact
        assert count == 0 or tuple(buffer.strides[: buffer.ndim]) == tuple(4 * stride for stride in expected)
    else:
        assert not buffer.strides
    buffer.release()


@pytest.mark.parametrize("request_flag", REQUESTS)
def test_read_only_data_is_given_to_readers_only(subject, request_flag: int) -> None:
    made = subject((3,), (1,), "uint8")
    made.struct.readonly = 1
    buffer = Buffer(made.object, request_flag)
    assert buffer.readonly == 1
    buffer.release()
    with pytest.raises(BufferError, match=r"probe\.Moved: the data is read-only$"):
        Buffer(made.object, request_flag | WRITABLE)


@pytest.mark.parametrize(
    ("dtype", "format_", "value"),
    [
        ("bool", "?", True),
        ("int8", "b", -1),
        ("int16", "h", -2),
        ("int32", "i", -3),
        ("int64", "q", -4),
        ("uint8", "B", 5),
        ("uint16", "H", 6),
        ("uint32", "I", 7),
        ("uint64", "Q", 8),
        ("float16", "e", 0.5),
        ("float32", "f", 0.25),
        ("float64", "d", 0.125),
        ("complex64", "Zf", 1 + 2j),
        ("complex128", "Zd", 3 - 4j),
    ],
)
def test_each_dtype_has_its_format(subject, dtype: str, format_: str, value: object) -> None:
    made = subject((2,), None, dtype)
    array = np.from_dlpack(made.object)
    array[1] = value
    view = memoryview(made.object)
    assert (view.format, view.itemsize, view.nbytes) == (format_, array.itemsize, array.nbytes)
    assert made.object.itemsize == array.itemsize
    if format_ not in ("e", "Zf", "Zd"):  # a memoryview shows these to others, but does not read them itself
        assert view.tolist()[1] == value
    assert np.asarray(view)[1] == value


WITHOUT_A_FORMAT = {"bfloat16": 2, "float8_e4m3fn": 1, "float4_e2m1fn": 0.5}
"""The bytes of an element."""


@pytest.mark.parametrize("dtype", WITHOUT_A_FORMAT)
@pytest.mark.parametrize("request_flag", REQUESTS)
@pytest.mark.parametrize("shape", [(2, 3), (), (3,), (0, 3)], ids=str)
def test_a_dtype_without_a_format_has_a_buffer_of_its_bytes(
    subject, dtype: str, request_flag: int, shape: tuple[int, ...]
) -> None:
    made = subject(shape, None, dtype)
    nbytes = math.ceil(math.prod(shape) * WITHOUT_A_FORMAT[dtype])
    buffer = Buffer(made.object, request_flag | WRITABLE)
    assert buffer.buf == made.struct.data if nbytes else buffer.buf
    assert (buffer.len, buffer.itemsize, buffer.ndim, buffer.format) == (nbytes, 1, 1, None)
    assert buffer.shape[:1] == [nbytes] if request_flag & ND else not buffer.shape
    assert buffer.strides[:1] == [1] if request_flag & STRIDES == STRIDES else not buffer.strides
    assert not buffer.suboffsets
    buffer.release()
    with pytest.raises(BufferError, match=rf"probe\.Moved: the buffer protocol has no dtype {dtype}; use from_dlpack"):
        Buffer(made.object, request_flag | FORMAT)


@pytest.mark.parametrize("request_flag", REQUESTS)
def test_the_bytes_of_a_dtype_without_a_format_are_refused_with_gaps_and_to_writers_of_constants(
    subject, request_flag: int
) -> None:
    with pytest.raises(BufferError, match=r"probe\.Moved: the data is not C-contiguous, and its dtype has a buffer of"):
        Buffer(subject((2, 3), (1, 2), "bfloat16").object, request_flag)
    made = subject((2, 3), None, "bfloat16")
    made.struct.readonly = 1
    with pytest.raises(BufferError, match=r"probe\.Moved: the data is read-only$"):
        Buffer(made.object, request_flag | WRITABLE)
    buffer = Buffer(made.object, request_flag)
    assert buffer.readonly
    buffer.release()


def test_files_write_and_read_the_bytes_of_a_dtype_without_a_format(subject) -> None:
    made = subject((2, 3), None, "bfloat16")
    ctypes.memmove(made.struct.data, bytes(range(12)), 12)
    file = io.BytesIO()
    assert file.write(made.object) == 12
    assert file.getvalue() == bytes(range(12))
    assert io.BytesIO(bytes(range(100, 200))).readinto(made.object) == 12
    assert ctypes.string_at(made.struct.data, 12) == bytes(range(100, 112))


def test_an_array_is_what_from_dlpack_of_numpy_gives_if_numpy_knows_the_dtype(
    subject, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = subject((3,), None, "bfloat16")
    known = np.ones(3, np.uint16)
    taken = []

    def from_dlpack(source: Any) -> Any:
        taken.append(source)
        return known

    monkeypatch.setattr(np, "from_dlpack", from_dlpack)
    assert np.asarray(made.object) is known
    assert made.object.__array__(np.dtype("float32")).dtype == np.float32
    copied = made.object.__array__(copy=True)
    assert copied is not known
    assert copied.tolist() == [1, 1, 1]
    assert taken == [made.object] * 3


@pytest.mark.parametrize("error", [KeyboardInterrupt, MemoryError])
def test_interrupts_and_memory_errors_of_numpy_reach_the_caller(
    subject, monkeypatch: pytest.MonkeyPatch, error: type[BaseException]
) -> None:
    def refuse(_source: Any) -> Any:
        raise error

    monkeypatch.setattr(np, "from_dlpack", refuse)
    with pytest.raises(error):
        subject((3,), None, "bfloat16").object.__array__()


def test_strides_beyond_any_memory_are_accepted_where_they_are_never_used(subject) -> None:
    for shape, strides in (((1, 3), (2**62, 1)), ((0, 3), (2**62, -(2**62))), ((3, 1), (1, -(2**63)))):
        made = subject(shape, strides, "complex128")
        assert np.asarray(made.object).shape == shape
        assert memoryview(made.object).shape == shape
        assert np.from_dlpack(made.object).shape == shape
        assert repr(made.object).startswith("<probe.Moved complex128[")


def test_a_buffer_keeps_the_memory_after_the_object(subject, lab: ModuleType) -> None:
    made = subject((4,), (1,), "uint8")
    ctypes.memmove(made.struct.data, b"abcd", 4)
    view = memoryview(made.object)
    released = lab.counts()[1]
    made.object = None
    assert bytes(view) == b"abcd"
    assert lab.counts()[1] == released
    view.release()
    assert lab.counts()[1] == released + 1


def test_each_buffer_keeps_its_shape_and_strides_while_the_object_changes(subject) -> None:
    """Takes buffers with strides of both signs at the same time."""
    made = subject((4,), (1,), "int32")
    views = []
    for count in range(1, 20):
        made.struct.set_axes((count, 2), (-2, 1))
        made.struct.data += 8
        views.append(memoryview(made.object))
    assert [view.shape for view in views] == [(count, 2) for count in range(1, 20)]
    assert {view.strides for view in views} == {(-8, 4)}
    for view in views[::2] + views[1::2]:
        view.release()


def test_files_and_bytes_accept_an_object_as_a_buffer(subject, tmp_path) -> None:
    made = subject((4,), (1,), "uint8")
    ctypes.memmove(made.struct.data, b"\x01\x02\x03\x04", 4)
    (tmp_path / "file").write_bytes(made.object)
    assert (tmp_path / "file").read_bytes() == bytes(made.object) == b"\x01\x02\x03\x04"
    with (tmp_path / "file").open("rb") as file:
        made.struct.shape[0] = 2
        assert file.readinto(made.object) == 2
    assert bytearray(made.object) == b"\x01\x02"
    assert int.from_bytes(made.object, "little") == 0x0201
