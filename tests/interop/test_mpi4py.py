# SPDX-License-Identifier: MIT
"""MPI: our objects as the buffers of messages, through DLPack as well as through CPython's buffers."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from types import ModuleType
from typing import Any

import pytest

from interop.seen import Legacy, Recorder, library

MPI = library("mpi4py.MPI")

WAYS: dict[str, Callable[[Any], Any]] = {"DLPack": Recorder, "DLPack before 1.0": Legacy, "a buffer": lambda x: x}


def send(source: Any, target: Any) -> None:
    MPI.COMM_SELF.Sendrecv(source, 0, recvbuf=target, source=0)


@pytest.mark.parametrize("way", WAYS)
def test_our_objects_are_buffers_of_messages(subject: Callable[..., Any], lab: ModuleType, way: str) -> None:
    released = lab.counts()[1]
    source, target = subject((2, 3)), subject((6,))
    (ctypes.c_float * 6).from_address(source.struct.data)[:] = [1, 2, 3, 4, 5, 6]
    send(WAYS[way](source.object), WAYS[way](target.object))
    assert list((ctypes.c_float * 6).from_address(target.struct.data)) == [1, 2, 3, 4, 5, 6]
    assert lab.counts()[1] == released
    source.object = target.object = None
    assert lab.counts()[1] == released + 2


def test_mpi4py_calls_dlpack_with_its_keywords(subject: Callable[..., Any]) -> None:
    asked = Recorder(subject((2, 3)).object)
    send(asked, subject((2, 3)).object)
    assert asked.calls == [{"max_version": (1, 0), "copy": False}]


@pytest.mark.parametrize("way", WAYS)
def test_read_only_data_can_be_sent_and_not_received(subject: Callable[..., Any], way: str) -> None:
    source, target = subject((2, 3)), subject((2, 3))
    source.struct.readonly = 1
    if way != "DLPack before 1.0":
        send(WAYS[way](source.object), WAYS[way](target.object))
    with pytest.raises(BufferError):
        send(WAYS[way](target.object), WAYS[way](source.object))


@pytest.mark.parametrize("way", WAYS)
def test_padded_rows_are_refused(subject: Callable[..., Any], way: str) -> None:
    with pytest.raises(BufferError):
        send(WAYS[way](subject((4, 3), (8, 1)).object), subject((4, 3)).object)


@pytest.mark.parametrize("way", WAYS)
def test_the_message_of_a_refused_state_reaches_the_caller(subject: Callable[..., Any], way: str) -> None:
    source = subject((2, 3))
    source.struct.refused = 1
    with pytest.raises(BufferError, match=r"probe\.Moved: the probe refuses"):
        send(WAYS[way](source.object), subject((2, 3)).object)
