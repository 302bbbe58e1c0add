# SPDX-License-Identifier: MIT
"""`copy: allowed` makes the copies that the docstrings mention, and no others."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from support.build import build_module

SPEC = """
dlpack-bindgen: 1
module: copying
include: copying.h
tensors:
  Strip:
    type: strip
    data: self->at
    dtype: float32
    shape: [self->size]
    import: {copy: allowed, set: {at: data, size: "shape[0]"}}
  Slab:
    type: slab
    data: self->at
    dtype: float32
    shape: [self->size]
    import: {copy: allowed, require: [writable], set: {at: data, size: "shape[0]"}}
functions:
  total: {c: "double total_floats(const float *x, size_t n)", args: {x: {copy: allowed}, n: {count_of: x}}}
  negate: {c: "void negate(float *x, size_t n)", args: {x: {copy: allowed}, n: {count_of: x}}}
  total_any: {c: "double total(const void *x, size_t n)",
              args: {x: {of: array, copy: allowed, require: [{dtype: float32}]}, n: {count_of: x}}}
  total_rows:
    c: double total_rows(const float *const *x, int h, int w)
    args: {x: {of: rows, copy: allowed}, h: {extent_of: x}, w: {extent_of: x, axis: 1}}
  total_strip: {c: "double strip_total(const strip *x)", args: {x: {copy: allowed}}}
  total_strips: {c: "double strips_total(const strip *const *x, int n)", args: {x: {copy: allowed}, n: {count_of: x}}}
  total_bytes:
    c: double total_bytes(const void *x, size_t n)
    args: {x: {of: bytes, copy: allowed}, n: {size_of: x}}
  total_columns:
    c: double total_bytes(const void *x, size_t n)
    args: {x: {of: bytes, copy: allowed, require: [column_major]}, n: {size_of: x}}
  flip: {c: "void flip_bytes(void *x, size_t n)", args: {x: {of: bytes, copy: allowed}, n: {size_of: x}}}
"""
HEADER = Path(__file__).with_name("copying.h").read_text()
COPIED = "arrays in another layout or alignment are copied"


@pytest.fixture(scope="module")
def copying(tmp_path_factory: pytest.TempPathFactory) -> ModuleType:
    return build_module("copying", SPEC, tmp_path_factory.mktemp("copying"), HEADER)


def others(dtype: str) -> list[np.ndarray]:
    """Returns 1, 2 and 3 as arrays of another layout and of another alignment."""
    numbers = np.array([1, 2, 3], dtype)
    moved = np.zeros(3 * numbers.itemsize + 1, np.uint8)[1:].view(dtype)
    moved[:] = numbers
    return [np.repeat(numbers, 2)[::2], numbers[::-1].copy()[::-1], moved]


CALLS: dict[str, Callable[[Any, np.ndarray], Any]] = {
    "total": lambda m, x: m.total(x),
    "total_any": lambda m, x: m.total_any(x),
    "total_strip": lambda m, x: m.total_strip(x),
    "total_strips": lambda m, x: m.total_strips([x]),
}


@pytest.mark.parametrize("name", CALLS)
def test_layouts_and_alignments_are_copied_and_dtypes_are_not(copying: ModuleType, name: str) -> None:
    assert COPIED in getattr(copying, name).__doc__
    for array in others("f4"):
        assert CALLS[name](copying, array) == 6
    for dtype in ("f8", "i4", "c8"):
        for array in (np.ones(3, dtype), *others(dtype)):
            with pytest.raises(BufferError, match="the dtype is"):
                CALLS[name](copying, array)
    if "strip" in name:
        with pytest.raises(BufferError, match="2 axes"):
            CALLS[name](copying, np.ones((2, 3), np.float32))


def test_the_docstring_says_that_rows_are_copied(copying: ModuleType) -> None:
    assert COPIED in copying.total_rows.__doc__
    table = np.ones((2, 6), np.float32)
    assert copying.total_rows(table[:, ::2]) == 6
    with pytest.raises(BufferError, match="the dtype is"):
        copying.total_rows(np.ones((2, 3)))


def test_the_docstring_says_that_changes_are_copied_back(copying: ModuleType) -> None:
    assert f"{COPIED}, and copied back." in copying.negate.__doc__
    for array in others("f4"):
        copying.negate(array)
        assert array.tolist() == [-1, -2, -3]
    with pytest.raises(BufferError, match="the dtype is float64, not float32"):
        copying.negate(np.ones(3))


def test_the_docstring_says_that_bytes_with_gaps_are_copied(copying: ModuleType) -> None:
    assert "bytes with gaps between them are copied." in copying.total_bytes.__doc__
    assert copying.total_bytes(memoryview(bytes(range(6)))[::2]) == 6
    assert copying.total_bytes(np.ones(6, np.float32)[::2]) == 3 * (0x3F + 0x80)


def test_the_docstring_says_what_an_import_copies(copying: ModuleType) -> None:
    assert f"On the CPU, {COPIED}." in copying.Strip.from_dlpack.__doc__
    assert f"On the CPU, read-only arrays and {COPIED}." in copying.Slab.from_dlpack.__doc__
    frozen = np.array([1, 2, 3], np.float32)
    frozen.flags.writeable = False
    for cls, copied in ((copying.Strip, False), (copying.Slab, True)):
        for array in others("f4"):
            made = np.from_dlpack(cls.from_dlpack(array))
            assert made.tolist() == [1, 2, 3] and not np.shares_memory(made, array)
        made = np.from_dlpack(cls.from_dlpack(frozen))
        assert made.flags.writeable is copied and np.shares_memory(made, frozen) is not copied
        for wrong in (np.ones(3), np.ones((2, 3), np.float32)):
            with pytest.raises(BufferError):
                cls.from_dlpack(wrong)


def test_bytes_of_elements_with_gaps_are_copied_and_written_back(copying: ModuleType) -> None:
    x = np.arange(12, dtype=">u2").reshape(3, 4)
    for part in (x.T, x[::-1, ::3], x[:, 1:3], np.zeros(3, "u1,u4,u2")["f1"], np.zeros(2, "u1,S3")["f1"]):
        before = part.copy()
        assert copying.total_bytes(part) == sum(part.tobytes())
        copying.flip(part)
        assert part.tobytes() == bytes(255 - byte for byte in before.tobytes())


def test_bytes_of_elements_are_not_copied_column_by_column(copying: ModuleType) -> None:
    """A copy by columns would separate the bytes of an element."""
    assert copying.total_columns(np.arange(6, dtype="u1").reshape(2, 3).T) == 15
    with pytest.raises(BufferError, match="the buffer must be compact, the last axis innermost"):
        copying.total_columns(np.arange(6, dtype="u2").reshape(2, 3).T)
