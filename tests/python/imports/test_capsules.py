# SPDX-License-Identifier: MIT
"""`Name.from_dlpack` of valid and of hostile capsules calls their deleter once, with no pending exception."""

from __future__ import annotations

import ctypes
import gc
import itertools
from collections.abc import Callable
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from python.tensors import READ_ONLY, SUBBYTE_PADDED, Managed, name_of

DELETED_ONCE = (1, 0, 0)
"""The record of the producer after one deletion, without a pending exception and with the GIL."""
NOT_DELETED = (0, 0, 0)

KINDS = [False, True]
FAR = 2**63 - 1


class Producer:
    """The plainest modern producer."""

    def __init__(self, capsule: object) -> None:
        self.capsule = capsule

    def __dlpack__(self, **_: Any) -> object:
        capsule, self.capsule = self.capsule, None
        return capsule


WAYS: dict[str, Callable[[object], Any]] = {"capsule": lambda capsule: capsule, "producer": Producer}


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("versioned", KINDS)
def test_both_kinds_of_capsules_are_taken(lab, managed, producer, way: str, versioned: bool) -> None:
    tensor = managed(versioned)
    capsule = tensor.capsule()
    made = lab.Moved.from_dlpack(WAYS[way](capsule))
    assert name_of(capsule) == ("used_dltensor_versioned" if versioned else "used_dltensor")
    assert (made.shape, made.strides, made.dtype, made.readonly) == ((2, 3), (3, 1), "float32", False)
    assert np.from_dlpack(made).__array_interface__["data"][0] == tensor.data
    del capsule
    assert producer.record() == NOT_DELETED
    del made
    assert producer.record() == DELETED_ONCE


GOOD_VERSIONED: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {
    "version 1.0": ({"minor": 0}, {}),
    "version 1.99": ({"minor": 99}, {}),
    "unknown flags": ({"flags": 1 << 40}, {"readonly": False}),
    "copied": ({"flags": 2}, {"readonly": False}),
    "read-only": ({"flags": READ_ONLY}, {"readonly": True}),
}

GOOD: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {
    "no strides": ({"strides": None}, {"strides": (3, 1)}),
    "no shape for rank 0": ({"axes": ((), ()), "shape": None, "strides": None}, {"shape": (), "strides": ()}),
    "rank 0": ({"axes": ((), ())}, {"shape": ()}),
    "size 0 with data": ({"axes": ((0, 3), (3, 1))}, {"shape": (0, 3), "nbytes": 0}),
    "size 0 without data": ({"axes": ((0, 3), (3, 1)), "data": None}, {"shape": (0, 3)}),
    "size 0, odd strides": ({"axes": ((2, 0), (FAR, -FAR))}, {"shape": (2, 0), "strides": (1, 1)}),
    "size 0, odd offset": ({"axes": ((0,), (1,)), "byte_offset": 2**64 - 1, "data": None}, {"shape": (0,)}),
    "extent 1, odd stride": ({"axes": ((2, 1), (1, FAR))}, {"strides": (1, 1)}),
    "extent 1, odd stride in front": ({"axes": ((1, 2), (-FAR, 1))}, {"strides": (2, 1)}),
    "rank 64": ({"axes": ((1,) * 64, (FAR,) * 64)}, {"ndim": 64, "strides": (1,) * 64}),
    "memory of CUDA that the CPU reads": ({"device_type": 3}, {}),
    "number of the CPU": ({"device_id": 1}, {"device": (1, 0)}),
    "bfloat16": ({"dtype": (4, 16, 1)}, {"dtype": "bfloat16"}),
    "packed": ({"dtype": (17, 4, 1)}, {"dtype": "float4_e2m1fn", "nbytes": 3}),
}


@pytest.mark.parametrize(("name", "versioned"), [*((n, True) for n in GOOD_VERSIONED), *itertools.product(GOOD, KINDS)])
def test_unusual_but_valid_tensors_are_taken(lab, managed, producer, name: str, versioned: bool) -> None:
    fields, expected = (GOOD | GOOD_VERSIONED)[name]
    made = lab.Moved.from_dlpack(managed(versioned, **fields).capsule())
    assert {key: getattr(made, key) for key in expected} == expected
    del made
    assert producer.record() == DELETED_ONCE


@pytest.mark.parametrize("versioned", KINDS)
def test_an_offset_is_folded_into_the_address(lab, managed, versioned: bool) -> None:
    tensor = managed(versioned, byte_offset=64)
    ctypes.memmove(tensor.data + 64, np.arange(6, dtype=np.float32).tobytes(), 24)
    array = np.from_dlpack(lab.Moved.from_dlpack(tensor.capsule()))
    assert array.__array_interface__["data"][0] == tensor.data + 64
    assert array.tolist() == [[0, 1, 2], [3, 4, 5]]


BAD: dict[str, tuple[dict[str, Any], str]] = {
    "rank -1": ({"ndim": -1}, r"the array declares -1 axes"),
    "rank 65": ({"ndim": 65}, r"the array declares 65 axes"),
    "rank 2^31 - 1": ({"ndim": 2**31 - 1}, r"the array declares 2147483647 axes"),
    "no shape": ({"shape": None}, r"the shape of the array is NULL"),
    "negative extent": ({"axes": ((2, -3), (1, 1))}, r"shape\[1\] is -3: an extent is not negative"),
    "least extent": ({"axes": ((-(2**63),), (1,))}, r"shape\[0\] is -9223372036854775808: an extent is not negative"),
    "too many elements": ({"axes": ((2**33, 2**33), (0, 0))}, r"multiply to more than 2\^63 - 1"),
    "too many hidden by none": ({"axes": ((2**33, 0, 2**33), (0, 0, 0))}, r"multiply to more than 2\^63 - 1"),
    "too many bytes": ({"axes": ((2**62,), (0,))}, r"more than memory can hold"),
    "too many, no strides": ({"axes": ((2**33, 2**33), (0, 0)), "strides": None}, r"multiply to more than 2\^63 - 1"),
    "strides too far": ({"axes": ((3, 1), (2**62, 1))}, r"strides\[0\] is 4611686018427387904: .* beyond the address"),
    "strides too far down": ({"axes": ((2,), (-(2**63),))}, r"beyond the address space"),
    "strides that leave no room for the last element": (
        {"axes": ((2,), (2**63 - 1,)), "dtype": (1, 8, 1)},
        r"strides\[0\] is 9223372036854775807: .* beyond the address space",
    ),
    "strides too far in sum": ({"axes": ((2, 2), (2**62, 2**62))}, r"beyond the address space"),
    "no data": ({"data": None}, r"the data of the array is NULL, but it has 6 elements"),
    "no data with an offset": ({"data": None, "byte_offset": 64}, r"the data of the array is NULL"),
    "offset beyond memory": ({"byte_offset": 2**64 - 1}, r"byte_offset"),
    "offset beyond signed": ({"byte_offset": 2**63}, r"byte_offset"),
    "no such dtype": (
        {"dtype": (200, 32, 1)},
        r"the dtype is dtype\(200, 32, 1\), not bool, int8, .* or one of 9 more",
    ),
    "dtype without bits": ({"dtype": (2, 0, 1)}, r"the dtype is dtype\(2, 0, 1\), not"),
    "lanes": ({"dtype": (2, 32, 4)}, r"the dtype is dtype\(2, 32, 4\), not"),
    "no lanes": ({"dtype": (2, 32, 0)}, r"the dtype is dtype\(2, 32, 0\), not"),
    "most lanes": ({"dtype": (2, 255, 65535)}, r"the dtype is dtype\(2, 255, 65535\), not"),
    "bool of one bit": ({"dtype": (6, 1, 1)}, r"the dtype is dtype\(6, 1, 1\), not"),
    "packed with gaps": ({"dtype": (17, 4, 1), "axes": ((2, 2), (3, 1))}, r"4 bits are packed"),
    "OpenCL": ({"device_type": 4}, r"the data is on opencl, not cpu"),
    "device 99": ({"device_type": 99}, r"the data is on device 99, not cpu"),
    "device 0": ({"device_type": 0}, r"the data is on device 0, not cpu"),
    "device -1": ({"device_type": -1}, r"the data is on device -1, not cpu"),
}

BAD_VERSIONED: dict[str, tuple[dict[str, Any], str]] = {
    "padded": ({"flags": SUBBYTE_PADDED, "dtype": (17, 4, 1)}, r"padded elements below eight bits are not supported"),
    "version 2.0": ({"major": 2, "minor": 0}, r"the array is in DLPack version 2\.0, not 1\.x"),
    "version 0.8": ({"major": 0, "minor": 8}, r"the array is in DLPack version 0\.8, not 1\.x"),
    "last version": ({"major": 2**32 - 1, "minor": 2**32 - 1}, r"DLPack version 4294967295\.4294967295, not 1\.x"),
}


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize(("name", "versioned"), [*itertools.product(BAD, KINDS), *((n, True) for n in BAD_VERSIONED)])
def test_a_hostile_tensor_is_refused_and_deleted_once(lab, managed, producer, name, versioned, way) -> None:
    fields, message = (BAD | BAD_VERSIONED)[name]
    capsule = managed(versioned, **fields).capsule()
    counts = lab.counts()
    with pytest.raises(BufferError, match=rf"probe\.Moved: .*{message}"):
        lab.Moved.from_dlpack(WAYS[way](capsule))
    assert producer.record() == DELETED_ONCE
    assert name_of(capsule) == ("used_dltensor_versioned" if versioned else "used_dltensor")
    del capsule
    gc.collect()
    assert producer.record() == NOT_DELETED
    made_and_released = lab.counts()[1] - counts[1]
    assert lab.counts() == (counts[0], counts[1] + made_and_released, counts[2])


def test_only_the_deleter_of_a_tensor_of_another_major_version_is_read(lab, managed, producer) -> None:
    """Everything behind the deleter may have another place, or be missing."""
    tensor = managed(True, major=2)
    start = type(tensor.struct).flags.offset
    ctypes.memset(tensor.address + start, 0xFF, ctypes.sizeof(tensor.struct) - start)
    with pytest.raises(BufferError, match=r"version 2\.3, not 1\.x"):
        lab.Moved.from_dlpack(tensor.capsule())
    assert producer.record() == DELETED_ONCE


@pytest.mark.parametrize("versioned", KINDS)
@pytest.mark.parametrize("fields", [{}, {"ndim": -1}])
def test_no_deleter_is_called_for_a_tensor_without_one(
    lab, managed, producer, versioned: bool, fields: dict[str, Any]
) -> None:
    tensor: Managed = managed(versioned, deleter=None, **fields)
    try:
        lab.Moved.from_dlpack(tensor.capsule())
    except BufferError:
        assert fields
    assert producer.record() == NOT_DELETED
    producer.free(tensor.address)


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("versioned", KINDS)
def test_a_capsule_is_consumed_once(lab, managed, producer, way: str, versioned: bool) -> None:
    capsule = managed(versioned).capsule()
    made = lab.Moved.from_dlpack(capsule)
    for _ in range(2):
        with pytest.raises(ValueError, match=r"probe\.Moved: this DLPack capsule has been consumed already"):
            lab.Moved.from_dlpack(WAYS[way](capsule))
    assert producer.record() == NOT_DELETED
    del made
    assert producer.record() == DELETED_ONCE


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize(("name", "shown"), [("something_else", "something_else"), (None, "NULL")])
def test_a_capsule_of_another_kind_is_a_type_error(lab, managed, producer, way, name, shown) -> None:
    tensor = managed()
    capsule = tensor.capsule(name)
    with pytest.raises(TypeError, match=rf"probe\.Moved: a capsule named '{shown}' is not a DLPack capsule"):
        lab.Moved.from_dlpack(WAYS[way](capsule))
    assert producer.record() == NOT_DELETED
    del capsule
    if name is None:
        producer.delete(tensor.address, True, "here")
    assert producer.record() == DELETED_ONCE


def test_a_capsule_of_another_kind_is_destroyed_before_the_exception_is_pending(lab, managed, producer) -> None:
    with pytest.raises(TypeError, match="is not a DLPack capsule"):
        lab.Moved.from_dlpack(Producer(managed().capsule("something_else")))
    assert producer.record() == DELETED_ONCE


def test_a_refused_import_leaves_the_library_as_it_was(lab, managed, producer) -> None:
    counts = lab.counts()
    for mood, error in ((1, RuntimeError), (2, BufferError)):
        lab.set_mood(mood)
        try:
            with pytest.raises(error):
                lab.Moved.from_dlpack(managed(axes=((4,), (1,))).capsule())
        finally:
            lab.set_mood(0)
        assert producer.record() == DELETED_ONCE
    assert lab.counts() == (counts[0], counts[1] + 1, counts[2])


def test_the_object_is_freed_before_the_memory_behind_it(lab: ModuleType, managed, producer) -> None:
    """Frees each holder as the last one. The library still reads the memory when its object is destroyed."""
    for last in range(4):
        tensor = managed()
        ctypes.memset(tensor.data, 0x50 + last, 24)
        made = lab.Moved.from_dlpack(tensor.capsule())
        holders: list[Any] = [made, np.from_dlpack(made), memoryview(made), made.__dlpack__()]
        del made
        for index in (i for i in range(4) if i != last):
            holders[index] = None
        assert producer.record() == NOT_DELETED
        holders.clear()
        assert producer.record() == DELETED_ONCE
        assert lab.flushed() == 0x50 + last
