# SPDX-License-Identifier: MIT
"""`sync` waits for the work on the device: the consumer's stream waits, or the CPU."""

from __future__ import annotations

from types import ModuleType

import numpy as np
import pytest

from python.framing import (
    CPU,
    CUDA,
    CUDA_HOST,
    CUDA_MANAGED,
    FAIL_SYNC,
    ROCM,
    ROCM_HOST,
    TPU_HOST,
)
from python.tensors import inside


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
    def test_stream_minus_1_waits_for_nothing(self, frame, frames: ModuleType, device: int) -> None:
        frame(device=device).wrap("Remote").__dlpack__(stream=-1)
        assert frames.log() == ""

    def test_the_cpu_waits_for_nothing(self, frame, frames: ModuleType) -> None:
        made = frame(device=CPU).wrap("Remote")
        for use in (made.__dlpack__, lambda: made.__dlpack__(stream=None), lambda: np.from_dlpack(made)):
            use()
        memoryview(made).release()
        assert frames.log() == ""

    def test_an_impossible_stream_is_refused_before_sync(self, frame, frames: ModuleType) -> None:
        made = frame(device=CUDA).wrap("Remote")
        with pytest.raises(ValueError, match="stream=0: on cuda it is None, -1, 1, 2 or a stream's address"):
            made.__dlpack__(stream=0)
        assert frames.log() == ""

    def test_a_failure_of_sync_is_an_error(self, frame) -> None:
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
    """Exports memory that the CPU reads: the work on the device must be finished before."""

    @pytest.mark.parametrize("copy", [None, False])
    @pytest.mark.parametrize(("device", "stream"), [(CUDA_HOST, 0), (ROCM_HOST, 0), (CUDA_MANAGED, 1), (TPU_HOST, 0)])
    def test_a_view_for_the_cpu_waits_for_the_device(
        self, frame, frames: ModuleType, device: int, stream: int, copy: bool | None
    ) -> None:
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

    def test_a_view_for_the_cpu_fails_if_the_work_fails(self, frame) -> None:
        made = frame(device=CUDA_HOST, fails=FAIL_SYNC)
        remote = made.wrap("Remote")
        with pytest.raises(RuntimeError, match=r"^the frame fails to sync$"):
            remote.__dlpack__(dl_device=(1, 0))
        del remote
        assert made.references == 0

    def test_other_exports_keep_the_device(self, frame) -> None:
        """The view and the exports use the same storage in turn."""
        remote = frame(device=CUDA_HOST).wrap("Remote")
        for _ in range(2):
            shown = remote.__dlpack__(dl_device=(1, 0))
            other = remote.__dlpack__()
            assert (inside(shown).tensor.device_type, inside(other).tensor.device_type) == (1, 3)
            del shown
            again = remote.__dlpack__()
            assert inside(again).tensor.device_type == 3
            del other, again
