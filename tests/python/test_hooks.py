# SPDX-License-Identifier: MIT
"""What a spec may have done around exports: synchronising, locking, downloading, copying."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from python.framing import (
    CPU,
    CUDA,
    CUDA_HOST,
    CUDA_MANAGED,
    FAIL_ACQUIRE,
    FAIL_SYNC,
    FAIL_TO_CPU,
    ROCM,
    ROCM_HOST,
    TPU_HOST,
)
from python.tensors import IS_COPIED, READ_ONLY, WRITABLE, Buffer, Versioned, inside


class TestSync:
    @pytest.mark.parametrize(
        ("device", "stream", "seen"),
        [
            (CUDA, None, 1),
            (CUDA, 1, 1),
            (CUDA, 2, 2),
            (CUDA, 2**47, 2**47),
            (CUDA_MANAGED, None, 1),
            (CUDA_HOST, None, 0),
            (ROCM, None, 0),
            (ROCM, 0, 0),
            (ROCM, 7, 7),
            (14, None, 0),
            (14, 99, 99),
        ],
    )
    def test_the_stream_of_the_consumer_waits(self, frame, frames, device: int, stream: int | None, seen: int) -> None:
        made = frame(device=device).wrap("Remote")
        for keywords in ({}, {"max_version": (1, 0)}, {"copy": False}):
            capsule = made.__dlpack__(stream=stream, **keywords)
            assert inside(capsule).tensor.device_type == device
            assert frames.log() == f"sync {seen}\n"
        if stream is None:
            made.__dlpack__()
            assert frames.log() == f"sync {seen}\n"

    @pytest.mark.parametrize("device", [CUDA, CUDA_HOST, CUDA_MANAGED, ROCM, 14])
    def test_minus_one_waits_for_nothing(self, frame, frames: ModuleType, device: int) -> None:
        frame(device=device).wrap("Remote").__dlpack__(stream=-1)
        assert frames.log() == ""

    def test_the_cpu_waits_for_nothing(self, frame, frames: ModuleType) -> None:
        made = frame(device=CPU).wrap("Remote")
        for use in (made.__dlpack__, lambda: made.__dlpack__(stream=None), lambda: np.from_dlpack(made)):
            use()
        memoryview(made).release()
        assert frames.log() == ""

    def test_a_stream_that_cannot_be_is_refused_before(self, frame, frames: ModuleType) -> None:
        made = frame(device=CUDA).wrap("Remote")
        with pytest.raises(ValueError, match="stream=0: on cuda it is None, -1, 1, 2 or a stream's address"):
            made.__dlpack__(stream=0)
        assert frames.log() == ""

    def test_a_failure_is_the_callers_to_see(self, frame) -> None:
        made = frame(device=CUDA, fails=FAIL_SYNC)
        remote = made.wrap("Remote")
        with pytest.raises(RuntimeError, match=r"^the frame fails to sync$"):
            remote.__dlpack__()
        assert remote.__dlpack__(stream=-1)
        del remote
        assert made.references == 0

    def test_a_buffer_of_memory_that_a_device_writes_too_waits(self, frame, frames: ModuleType) -> None:
        made = frame(device=CUDA_MANAGED)
        remote = made.wrap("Remote")
        view = memoryview(remote)
        assert frames.log() == "sync 1\n"
        del view
        made.struct.fails = FAIL_SYNC
        with pytest.raises(RuntimeError, match=r"^the frame fails to sync$"):
            memoryview(remote)
        del remote
        assert made.references == 0

    def test_attributes_wait_for_nothing(self, frame, frames: ModuleType) -> None:
        made = frame(device=CUDA, device_id=3).wrap("Remote")
        assert (made.shape, made.device, made.__dlpack_device__()) == ((4, 6), (2, 3), (2, 3))
        assert repr(made) == "<frames.Remote uint8[4, 6] on cuda:3>"
        assert frames.log() == ""


class TestViewsForTheCpu:
    """Of memory that it reads: the work on the device must be done before."""

    @pytest.mark.parametrize("copy", [None, False])
    @pytest.mark.parametrize(("device", "stream"), [(CUDA_HOST, 0), (ROCM_HOST, 0), (CUDA_MANAGED, 1), (TPU_HOST, 0)])
    def test_they_wait(self, frame, frames: ModuleType, device: int, stream: int, copy: bool | None) -> None:
        made = frame(device=device)
        remote = made.wrap("Remote")
        other = remote.__dlpack__(stream=-1)
        for version in (0, 1):
            capsule = remote.__dlpack__(dl_device=(1, 0), copy=copy, max_version=(version, 0))
            assert frames.log() == f"sync {stream}\n"
            tensor = inside(capsule).tensor
            assert (tensor.device_type, tensor.data) == (1, inside(other).tensor.data)
            remote.__dlpack__(dl_device=(1, 0), copy=copy, max_version=(version, 0), stream=-1)
            assert frames.log() == ""
        with pytest.raises(ValueError, match="stream=1: on cpu it is None or -1"):
            remote.__dlpack__(dl_device=(1, 0), stream=1)

    def test_there_is_none_if_the_work_fails(self, frame) -> None:
        made = frame(device=CUDA_HOST, fails=FAIL_SYNC)
        remote = made.wrap("Remote")
        with pytest.raises(RuntimeError, match=r"^the frame fails to sync$"):
            remote.__dlpack__(dl_device=(1, 0))
        del remote
        assert made.references == 0

    def test_a_locked_frame_is_unlocked_after_it(self, frame, frames: ModuleType) -> None:
        made = frame(device=CUDA_HOST)
        locked = made.wrap("Locked")
        capsule = locked.__dlpack__(dl_device=(1, 0), copy=False)
        assert inside(capsule).tensor.device_type == 1
        assert "release" not in (log := frames.log()), log
        del capsule, locked
        assert made.references == 0

    def test_what_is_always_a_copy_is_one(self, frame) -> None:
        copied = frame(device=CUDA_HOST).wrap("Copied")
        assert inside(copied.__dlpack__(dl_device=(1, 0), max_version=(1, 0))).flags == IS_COPIED
        with pytest.raises(BufferError, match="the data cannot be exported without a copy"):
            copied.__dlpack__(dl_device=(1, 0), max_version=(1, 0), copy=False)

    def test_other_exports_of_it_keep_its_device(self, frame) -> None:
        """The first export has the storage that is used again."""
        remote = frame(device=CUDA_HOST).wrap("Remote")
        for _ in range(2):
            shown = remote.__dlpack__(dl_device=(1, 0))
            other = remote.__dlpack__()
            assert (inside(shown).tensor.device_type, inside(other).tensor.device_type) == (1, 3)
            del shown
            again = remote.__dlpack__()
            assert inside(again).tensor.device_type == 3
            del other, again


class TestToCpu:
    @pytest.mark.parametrize("version", [0, 1])
    @pytest.mark.parametrize("copy", [None, True])
    def test_the_cpu_gets_a_copy(self, frame, frames: ModuleType, copy: bool | None, version: int) -> None:
        made = frame(device=CUDA)
        made.fill()
        made = made.wrap("Remote")
        capsule = made.__dlpack__(dl_device=(1, 0), copy=copy, max_version=(version, 0))
        tensor = inside(capsule).tensor
        assert (tensor.device_type, tensor.device_id) == (1, 0)
        assert tensor.axes() == ((4, 6), (6, 1))
        assert tensor.data % 64 == 0
        assert ctypes.string_at(tensor.data, 24) == bytes(range(24))
        if version:
            assert inside(capsule).flags == IS_COPIED
        assert frames.log() == "sync 1\nto_cpu 24\n"
        made.__dlpack__(dl_device=(1, 0), stream=-1)
        assert frames.log() == "to_cpu 24\n"

    def test_without_a_copy_there_is_no_way(self, frame, frames: ModuleType) -> None:
        made = frame(device=CUDA).wrap("Remote")
        with pytest.raises(BufferError, match="data on cuda:0 cannot be exported to cpu:0 without a copy"):
            made.__dlpack__(dl_device=(1, 0), copy=False)
        assert frames.log() == ""

    @pytest.mark.parametrize("dl_device", [None, (2, 1)])
    @pytest.mark.parametrize("kind", ["Remote", "Silent"])
    def test_a_copy_on_the_device_itself_is_refused(self, frame, frames, kind: str, dl_device: Any) -> None:
        made = frame(device=CUDA, device_id=1).wrap(kind)
        with pytest.raises(BufferError, match="data on cuda can be copied only to the CPU: pass dl_device="):
            made.__dlpack__(copy=True, dl_device=dl_device)
        assert frames.log() == ""

    @pytest.mark.parametrize("dl_device", [(2, 0), (1, 1), (10, 0)])
    def test_other_devices_are_refused(self, frame, dl_device: Any) -> None:
        made = frame(device=CUDA, device_id=1).wrap("Remote")
        with pytest.raises(BufferError, match="data on cuda:1 cannot be exported to "):
            made.__dlpack__(dl_device=dl_device)

    def test_the_stream_must_be_one_of_the_cpu(self, frame) -> None:
        made = frame(device=CUDA).wrap("Remote")
        with pytest.raises(ValueError, match="stream=2: on cpu it is None or -1"):
            made.__dlpack__(dl_device=(1, 0), stream=2)

    def test_a_failure_leaves_nothing_behind(self, frame) -> None:
        made = frame(device=CUDA, fails=FAIL_TO_CPU)
        with pytest.raises(RuntimeError, match=r"^the frame fails to download$"):
            made.wrap("Remote").__dlpack__(dl_device=(1, 0))
        assert made.references == 0

    def test_where_the_type_has_none_device_data_stays_there(self, frame) -> None:
        made = frame(device=CUDA).wrap("Whole")
        with pytest.raises(BufferError, match="data on cuda:0 cannot be exported to cpu:0"):
            made.__dlpack__(dl_device=(1, 0))


class TestLocks:
    def test_one_lock_for_all_exports(self, frame, frames: ModuleType) -> None:
        made = frame().wrap("Locked")
        first = made.__dlpack__()
        assert frames.log() == "acquire\n"
        second, third = made.__dlpack__(max_version=(1, 0)), memoryview(made)
        del first, second
        assert frames.log() == ""
        del third
        assert frames.log() == "after_write\nrestore\n"

    def test_attributes_can_be_read(self, frame, frames: ModuleType) -> None:
        made = frame().wrap("Locked")
        assert (made.shape, made.dtype, made.nbytes) == ((4, 6), "uint8", 24)
        assert repr(made) == "<frames.Locked uint8[4, 6] on cpu>"
        assert frames.log() == "acquire\nrestore\n" * 4
        array = np.asarray(made)
        assert array.shape == made.shape
        del array
        log = frames.log()
        assert log.count("acquire") == log.count("restore") > 0

    def test_a_lock_that_is_not_to_be_had_is_the_callers_to_see(self, frame) -> None:
        made = frame(fails=FAIL_ACQUIRE)
        locked = made.wrap("Locked")
        uses: list[Callable[[Any], Any]] = [lambda x: x.__dlpack__(), memoryview, lambda x: x.__dlpack__(copy=True)]
        for use in uses:
            with pytest.raises(RuntimeError, match=r"^the frame fails to lock$"):
                use(locked)
        made.struct.fails = 0
        assert locked.__dlpack__()
        del locked
        assert made.references == 0


class TestCopies:
    def test_a_legacy_consumer_gets_a_copy_of_what_is_read_only(self, frame) -> None:
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
    def test_what_is_always_copied_is_refused_without_a_copy(self, frame, version: int) -> None:
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

    def test_a_buffer_that_is_a_copy_cannot_be_written(self, frame) -> None:
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

    def test_attributes_show_what_the_copy_will_be(self, frame) -> None:
        made = frame().wrap("Copied")
        assert (made.shape, made.strides, made.dtype, made.device) == ((4, 6), (6, 1), "uint8", (1, 0))
