# SPDX-License-Identifier: MIT
"""`__dlpack__` and `__dlpack_device__` with valid, invalid and unusual values of every keyword."""

from __future__ import annotations

import ctypes
import enum
from typing import Any

import numpy as np
import pytest

from python.tensors import IS_COPIED, READ_ONLY, Legacy, Versioned, inside, name_of


class Device(enum.IntEnum):
    CPU = 1


class Switched:
    """A value whose class has switched `__index__()` off."""

    __index__ = None


@pytest.mark.parametrize(
    ("max_version", "versioned"),
    [
        (None, False),
        ((0, 8), False),
        ((0, 10**30), False),
        ((-1, 3), False),
        ((-(10**30), 0), False),
        ((1, 0), True),
        ((1, 3), True),
        ((1, -1), True),
        ((2, 0), True),
        ((10**30, 0), True),
        ((1, 10**30), True),
        ((True, False), True),
        ((1, True), True),
    ],
)
def test_the_major_of_max_version_decides_the_kind_of_capsule(subject, max_version: Any, versioned: bool) -> None:
    made = subject()
    capsule = made.object.__dlpack__(max_version=max_version)
    tensor = inside(capsule)
    assert name_of(capsule) == ("dltensor_versioned" if versioned else "dltensor")
    if isinstance(tensor, Versioned):
        assert (tensor.major, tensor.minor, tensor.flags) == (1, 3, 0)
    assert tensor.tensor.data == made.struct.data
    assert tensor.tensor.axes() == ((2, 3), (3, 1))


def test_without_any_keyword_the_capsule_is_a_legacy_one(subject) -> None:
    capsule = subject().object.__dlpack__()
    assert isinstance(inside(capsule), Legacy)


def test_one_tuple_can_be_a_version_and_a_device(subject) -> None:
    export, pair = subject().object.__dlpack__, (1, 0)  # the version 1.0, and the CPU

    for max_version, dl_device in [(pair, None), (pair, None), (None, pair), (pair, None), (None, pair), (None, None)]:
        keywords = {"max_version": max_version, "dl_device": dl_device}
        in_source = export(max_version=max_version, dl_device=dl_device)
        made_for_call = export(**keywords)
        assert name_of(in_source) == name_of(made_for_call) == ("dltensor_versioned" if max_version else "dltensor")


def test_a_version_means_the_same_after_other_versions(subject) -> None:
    export, old, new, next_major = subject().object.__dlpack__, (0, 8), (1, 1), (2, 0)

    for version in [old, new, new, old, next_major, new, old, next_major, None, old]:
        expected = "dltensor" if version in (None, old) else "dltensor_versioned"
        assert name_of(export(max_version=version)) == expected
        keywords = {"max_version": version}
        assert name_of(export(**keywords)) == expected
        assert name_of(export(copy=None, max_version=version)) == expected


@pytest.mark.parametrize("keyword", ["max_version", "dl_device"])
@pytest.mark.parametrize(
    "value",
    [
        1,
        "10",
        [1, 0],
        (1,),
        (1, 0, 0),
        (),
        ("1", 0),
        (1, None),
        (1.0, 0),
        b"10",
        object(),
        np.array([1, 0]),
        (Switched(), 0),
        (1, Switched()),
    ],
)
def test_anything_but_a_tuple_of_two_ints_is_a_type_error(subject, keyword: str, value: Any) -> None:
    with pytest.raises(TypeError, match=rf"__dlpack__\(\) argument '{keyword}' must be None or a tuple of two ints"):
        subject().object.__dlpack__(**{keyword: value})


@pytest.mark.parametrize("copy", [1, 0, "yes", [], np.int8(1), 1.0])
def test_copy_is_none_or_a_bool(subject, copy: Any) -> None:
    with pytest.raises(TypeError, match=r"__dlpack__\(\) argument 'copy' must be None or a bool"):
        subject().object.__dlpack__(copy=copy)


@pytest.mark.parametrize("stream", ["x", 1.0, (1,), b"1", object(), Switched()])
def test_stream_is_none_or_an_int(subject, stream: Any) -> None:
    with pytest.raises(TypeError, match=r"__dlpack__\(\) argument 'stream' must be None or an int"):
        subject().object.__dlpack__(stream=stream)


@pytest.mark.parametrize("stream", [0, 1, 2, -2, 2**62])
def test_the_cpu_has_no_streams(subject, stream: int) -> None:
    with pytest.raises(ValueError, match=rf"probe\.Moved: stream={stream}: on cpu it is None or -1"):
        subject().object.__dlpack__(stream=stream)


def test_the_message_shows_a_stream_beyond_any_address(subject) -> None:
    with pytest.raises(ValueError, match=rf"stream={10**30} is not an address"):
        subject().object.__dlpack__(stream=10**30)


@pytest.mark.parametrize("stream", [None, -1])
def test_the_cpu_accepts_no_stream_and_minus_1(subject, stream: int | None) -> None:
    assert inside(subject().object.__dlpack__(stream=stream)).tensor.ndim == 2


@pytest.mark.parametrize(
    ("device", "good", "bad"),
    [
        (2, (None, -1, 1, 2, 2**47), (0, -2)),
        (10, (None, -1, 0, 3, 2**47), (1, 2, -2)),
        (13, (None, -1, 1, 2), (0,)),
        (3, (None, -1), (0, 1)),
    ],
)
def test_each_device_has_its_own_streams(subject, device: int, good: Any, bad: Any) -> None:
    made = subject()
    made.struct.device = device
    for stream in good:
        assert inside(made.object.__dlpack__(stream=stream)).tensor.device_type == device
    for stream in bad:
        with pytest.raises(ValueError, match=rf"stream={stream}: on "):
            made.object.__dlpack__(stream=stream)


@pytest.mark.parametrize("dl_device", [None, (1, 0), (Device.CPU, 0), (True, False)])
def test_the_device_of_the_data_can_be_requested(subject, dl_device: Any) -> None:
    made = subject()
    capsule = made.object.__dlpack__(dl_device=dl_device, max_version=(1, 0))
    assert inside(capsule).tensor.data == made.struct.data
    assert inside(capsule).flags == 0


@pytest.mark.parametrize("dl_device", [(2, 0), (1, 1), (99, 0), (13, 0), (2**31 - 1, 2**31 - 1)])
def test_another_device_is_a_buffer_error(subject, dl_device: tuple[int, int]) -> None:
    with pytest.raises(BufferError, match=r"probe\.Moved: data on cpu:0 cannot be exported to "):
        subject().object.__dlpack__(dl_device=dl_device)


@pytest.mark.parametrize("dl_device", [(0, 0), (-1, 0), (1, -1), (2**31, 0), (1, 2**31), (10**30, 0), (1, -(10**30))])
def test_an_impossible_device_is_a_buffer_error(subject, dl_device: tuple[int, int]) -> None:
    with pytest.raises(BufferError, match="there is no DLPack device "):
        subject().object.__dlpack__(dl_device=dl_device)


HOST_DEVICES = {3: "cuda_host", 11: "rocm_host", 13: "cuda_managed", 20: "device 20"}
"""The last one is kDLTPUHost, in headers after 1.3."""


@pytest.mark.parametrize("versioned", [False, True])
@pytest.mark.parametrize("device", HOST_DEVICES)
def test_the_cpu_gets_a_view_of_memory_that_it_reads(subject, device: int, versioned: bool) -> None:
    made = subject((2, 3), (8, 1))
    made.struct.device = device
    asked = {"dl_device": (1, 0), "max_version": (int(versioned), 0)}
    for keywords in (asked, {**asked, "copy": None}, {**asked, "copy": False}):
        capsule = made.object.__dlpack__(**keywords)
        tensor = inside(capsule).tensor
        assert (tensor.device_type, tensor.device_id) == (1, 0)
        assert (tensor.data, tensor.axes()) == (made.struct.data, ((2, 3), (8, 1)))
        other = made.object.__dlpack__()
        own = inside(other).tensor
        assert (own.device_type, own.device_id) == made.object.__dlpack_device__() == (device, 0)


@pytest.mark.parametrize("device", HOST_DEVICES)
def test_memory_that_the_cpu_reads_is_copied_on_demand(subject, device: int) -> None:
    made = subject()
    made.struct.device = device
    capsule = made.object.__dlpack__(dl_device=(1, 0), copy=True, max_version=(1, 0))
    assert inside(capsule).flags == IS_COPIED
    assert (inside(capsule).tensor.device_type, inside(capsule).tensor.device_id) == (1, 0)
    assert inside(capsule).tensor.data != made.struct.data
    with pytest.raises(BufferError, match=rf"data on {HOST_DEVICES[device]}:0 cannot be exported to cpu:1$"):
        made.object.__dlpack__(dl_device=(1, 1))


@pytest.mark.parametrize("device", HOST_DEVICES)
def test_a_view_for_the_cpu_stays_read_only(subject, device: int) -> None:
    made = subject()
    made.struct.device, made.struct.readonly = device, 1
    capsule = made.object.__dlpack__(dl_device=(1, 0), max_version=(1, 0))
    assert inside(capsule).flags == READ_ONLY
    with pytest.raises(BufferError, match="read-only"):
        made.object.__dlpack__(dl_device=(1, 0))


@pytest.mark.parametrize("device", HOST_DEVICES)
@pytest.mark.parametrize("copy", [None, False])
def test_numpy_shares_memory_that_the_cpu_reads(subject, device: int, copy: bool | None) -> None:
    made = subject()
    made.struct.device = device
    array = np.from_dlpack(made.object, device="cpu", copy=copy)
    assert array.ctypes.data == made.struct.data
    assert np.asarray(made.object).ctypes.data == made.struct.data


@pytest.mark.parametrize("device", [2, 10])
def test_the_cpu_gets_no_view_of_other_memory(subject, device: int) -> None:
    made = subject()
    made.struct.device = device
    for copy in (None, False, True):
        with pytest.raises(BufferError, match=r"cannot be exported to cpu:0"):
            made.object.__dlpack__(dl_device=(1, 0), copy=copy)


@pytest.mark.parametrize(("device", "name"), [(2, "cuda"), (3, "cuda_host")])
def test_a_copy_on_the_device_of_the_data_is_a_buffer_error(subject, device: int, name: str) -> None:
    made = subject()
    made.struct.device = device
    message = rf"^probe\.Moved: data on {name} can be copied only to the CPU: pass dl_device=\(1, 0\)$"
    with pytest.raises(BufferError, match=message):
        made.object.__dlpack__(dl_device=(device, 0), copy=True)


def test_memory_that_the_cpu_cannot_read_is_not_copied(subject) -> None:
    made = subject()
    made.struct.device = 2
    with pytest.raises(BufferError, match=r"probe\.Moved: data on cuda:0 cannot be exported to cpu:0"):
        made.object.__dlpack__(dl_device=(1, 0))
    with pytest.raises(BufferError, match=r"probe\.Moved: data on cuda cannot be copied by the CPU"):
        made.object.__dlpack__(copy=True)


def test_dlpack_device_gives_the_type_and_the_number(subject) -> None:
    made = subject()
    made.struct.device, made.struct.device_id = 2, 7
    tensor = inside(made.object.__dlpack__()).tensor
    assert made.object.__dlpack_device__() == made.object.device == (2, 7)
    assert (tensor.device_type, tensor.device_id) == (2, 7)


@pytest.mark.parametrize("copy", [None, False])
def test_nothing_is_copied_without_a_request(subject, copy: bool | None) -> None:
    made = subject((2, 3), (8, 1))
    capsule = made.object.__dlpack__(copy=copy, max_version=(1, 0))
    assert inside(capsule).tensor.data == made.struct.data
    assert inside(capsule).flags == 0


@pytest.mark.parametrize("versioned", [False, True])
@pytest.mark.parametrize(
    ("shape", "strides"),
    [((2, 3), (3, 1)), ((2, 3), (1, 2)), ((4, 3), (0, 1)), ((2, 1, 3), (12, 2**62, 2)), ((), ()), ((0, 3), (3, 1))],
)
def test_a_copy_is_compact_aligned_writable_and_independent(subject, shape: Any, strides: Any, versioned: bool) -> None:
    made = subject(shape, strides, "uint16")
    ctypes.memmove(made.struct.data, bytes(range(64)), 64)
    made.struct.readonly = 1
    capsule = made.object.__dlpack__(copy=True, max_version=(int(versioned), 0))
    tensor = inside(capsule).tensor
    if versioned:
        assert inside(capsule).flags == IS_COPIED
    count = int(np.prod(shape))
    assert tensor.axes()[0] == shape
    assert (tensor.data or 0) % 64 == 0
    if count == 0:
        assert tensor.data is None
    else:
        assert tensor.data != made.struct.data
        original = np.from_dlpack(made.object)
        copied = np.from_dlpack(made.object, copy=True) if not versioned else _array_of(capsule)
        assert copied.tolist() == original.tolist()
        assert copied.flags.c_contiguous
        assert copied.flags.writeable


def _array_of(capsule: object) -> np.ndarray:
    class Once:
        def __dlpack__(self, **_: Any) -> object:
            return capsule

        def __dlpack_device__(self) -> tuple[int, int]:
            return (1, 0)

    return np.from_dlpack(Once())


def test_a_copy_of_packed_elements_keeps_the_packing(subject) -> None:
    made = subject((3,), None, "float4_e2m1fn")
    ctypes.memmove(made.struct.data, b"\x21\x43", 2)
    capsule = made.object.__dlpack__(copy=True)
    assert ctypes.string_at(inside(capsule).tensor.data, 2) == b"\x21\x43"


@pytest.mark.parametrize("keywords", [{}, {"max_version": (0, 8)}, {"stream": None}, {"copy": False}])
def test_read_only_data_in_a_legacy_capsule_is_a_buffer_error(subject, keywords: dict[str, Any]) -> None:
    made = subject()
    made.struct.readonly = 1
    with pytest.raises(BufferError, match=r"probe\.Moved: read-only data needs a versioned capsule"):
        made.object.__dlpack__(**keywords)
    assert inside(made.object.__dlpack__(max_version=(1, 0))).flags == READ_ONLY


def test_an_unknown_keyword_is_named(subject) -> None:
    with pytest.raises(TypeError, match=r"__dlpack__\(\) got an unexpected keyword argument 'steram'"):
        subject().object.__dlpack__(steram=None)


def test_keywords_are_compared_by_value(subject) -> None:
    """A name that was not interned is a different object."""
    name = "".join(["max_", "version"])
    assert name_of(subject().object.__dlpack__(**{name: (1, 0)})) == "dltensor_versioned"


@pytest.mark.parametrize("args", [(None,), (1, 2)])
def test_positional_arguments_are_refused(subject, args: tuple[Any, ...]) -> None:
    with pytest.raises(TypeError, match=rf"__dlpack__\(\) takes no positional arguments \({len(args)} given\)"):
        subject().object.__dlpack__(*args)
    with pytest.raises(TypeError):
        subject().object.__dlpack_device__(1)


def test_rank_0_has_neither_shape_nor_strides(subject) -> None:
    for keywords in ({}, {"max_version": (1, 0)}, {"copy": True}):
        tensor = inside(subject((), ()).object.__dlpack__(**keywords)).tensor
        assert (bool(tensor.shape), bool(tensor.strides), tensor.ndim) == (False, False, 0)


def test_an_empty_array_has_no_address(subject) -> None:
    made = subject((0, 3))
    assert made.struct.data
    assert inside(made.object.__dlpack__()).tensor.data is None


def test_versions_and_devices_can_be_integers_of_numpy(subject) -> None:
    made = subject()
    one, zero = np.int64(1), np.int32(0)
    for version, device in [((one, zero), None), ((1, zero), (one, 0)), (None, (np.uint8(1), zero))]:
        capsule = made.object.__dlpack__(max_version=version, dl_device=device)
        assert name_of(capsule) == ("dltensor" if version is None else "dltensor_versioned")
    with pytest.raises(BufferError, match="cuda:0"):
        made.object.__dlpack__(dl_device=(np.int64(2), zero))


def test_an_exception_of_index_reaches_the_caller(subject) -> None:
    class Number:
        def __index__(self) -> int:
            raise LookupError("not today")

    for pair in ((Number(), 0), (1, Number())):
        for name in ("max_version", "dl_device"):
            with pytest.raises(LookupError, match="not today"):
                subject().object.__dlpack__(**{name: pair})
