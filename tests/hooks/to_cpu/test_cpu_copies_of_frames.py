# SPDX-License-Identifier: MIT
"""`to_cpu` copies data of a device for a consumer that asks for the CPU."""

from __future__ import annotations

import ctypes
from types import ModuleType
from typing import Any

import pytest

from python.framing import CUDA, FAIL_TO_CPU
from python.tensors import IS_COPIED, inside


@pytest.mark.parametrize("version", [0, 1])
@pytest.mark.parametrize("copy", [None, True])
def test_the_cpu_gets_a_copy(frame, frames: ModuleType, copy: bool | None, version: int) -> None:
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


def test_without_a_copy_the_cpu_is_refused(frame, frames: ModuleType) -> None:
    made = frame(device=CUDA).wrap("Remote")
    with pytest.raises(BufferError, match="data on cuda:0 cannot be exported to cpu:0 without a copy"):
        made.__dlpack__(dl_device=(1, 0), copy=False)
    assert frames.log() == ""


@pytest.mark.parametrize("dl_device", [None, (2, 1)])
@pytest.mark.parametrize("kind", ["Remote", "Silent"])
def test_a_copy_on_the_device_itself_is_refused(frame, frames, kind: str, dl_device: Any) -> None:
    made = frame(device=CUDA, device_id=1).wrap(kind)
    with pytest.raises(BufferError, match="data on cuda can be copied only to the CPU: pass dl_device="):
        made.__dlpack__(copy=True, dl_device=dl_device)
    assert frames.log() == ""


@pytest.mark.parametrize("dl_device", [(2, 0), (1, 1), (10, 0)])
def test_other_devices_are_refused(frame, dl_device: Any) -> None:
    made = frame(device=CUDA, device_id=1).wrap("Remote")
    with pytest.raises(BufferError, match="data on cuda:1 cannot be exported to "):
        made.__dlpack__(dl_device=dl_device)


def test_the_stream_must_be_a_stream_of_the_cpu(frame) -> None:
    made = frame(device=CUDA).wrap("Remote")
    with pytest.raises(ValueError, match="stream=2: on cpu it is None or -1"):
        made.__dlpack__(dl_device=(1, 0), stream=2)


def test_a_failure_leaves_nothing_behind(frame) -> None:
    made = frame(device=CUDA, fails=FAIL_TO_CPU)
    with pytest.raises(RuntimeError, match=r"^the frame fails to download$"):
        made.wrap("Remote").__dlpack__(dl_device=(1, 0))
    assert made.references == 0


def test_without_the_hook_device_data_is_not_exported_to_the_cpu(frame) -> None:
    made = frame(device=CUDA).wrap("Whole")
    with pytest.raises(BufferError, match="data on cuda:0 cannot be exported to cpu:0"):
        made.__dlpack__(dl_device=(1, 0))
