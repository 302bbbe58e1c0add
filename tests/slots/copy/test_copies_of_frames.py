# SPDX-License-Identifier: MIT
"""Exports that are copies: always, or for a legacy consumer of read-only data."""

from __future__ import annotations

import numpy as np
import pytest

from python.framing import CUDA_HOST
from python.tensors import IS_COPIED, READ_ONLY, WRITABLE, Buffer, Versioned, inside


def test_a_legacy_consumer_gets_a_copy_of_read_only_data(frame) -> None:
    made = frame(readonly=1)
    frozen = made.wrap("Frozen")
    for keywords in ({}, {"copy": None}, {"copy": True}):
        tensor = inside(frozen.__dlpack__(**keywords)).tensor
        assert tensor.data != made.struct.bytes
    assert inside(frozen.__dlpack__(max_version=(1, 0))).flags == READ_ONLY
    with pytest.raises(BufferError, match=r"cannot be exported to a consumer of DLPack before 1\.0 without a copy"):
        frozen.__dlpack__(copy=False)
    made.struct.readonly = 0
    assert inside(frozen.__dlpack__(copy=False)).tensor.data == made.struct.bytes
    assert inside(frozen.__dlpack__()).tensor.data == made.struct.bytes


@pytest.mark.parametrize("version", [0, 1])
def test_a_type_that_always_copies_refuses_copy_false(frame, version: int) -> None:
    made = frame()
    copied = made.wrap("Copied")
    capsule = copied.__dlpack__(max_version=(version, 0))
    managed = inside(capsule)
    assert managed.tensor.data != made.struct.bytes
    assert not isinstance(managed, Versioned) or managed.flags == IS_COPIED
    with pytest.raises(BufferError, match=r"^frames\.Copied: the data cannot be exported .*without a copy$"):
        copied.__dlpack__(max_version=(version, 0), copy=False)
    del copied
    assert made.references == 0, "a copy depends on nothing"


def test_a_buffer_that_is_a_copy_cannot_be_written(frame) -> None:
    made = frame()
    made.fill()
    copied = made.wrap("Copied")
    view = memoryview(copied)
    assert view.readonly
    assert view.tobytes() == bytes(range(24))
    assert not np.asarray(copied).flags.writeable
    with pytest.raises(BufferError, match=r"^frames\.Copied: the data is read-only$"):
        Buffer(copied, WRITABLE)
    del copied
    assert view.tobytes() == bytes(range(24))
    del view
    assert made.references == 0


def test_attributes_show_the_layout_of_the_copy(frame) -> None:
    made = frame().wrap("Copied")
    assert (made.shape, made.strides, made.dtype, made.device) == ((4, 6), (6, 1), "uint8", (1, 0))


def test_a_view_for_the_cpu_is_a_copy_where_the_type_always_copies(frame) -> None:
    copied = frame(device=CUDA_HOST).wrap("Copied")
    assert inside(copied.__dlpack__(dl_device=(1, 0), max_version=(1, 0))).flags == IS_COPIED
    with pytest.raises(BufferError, match="the data cannot be exported without a copy"):
        copied.__dlpack__(dl_device=(1, 0), max_version=(1, 0), copy=False)
