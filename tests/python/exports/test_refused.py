# SPDX-License-Identifier: MIT
"""Objects in a state that cannot be shared are refused with the reason by every kind of export."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from python.tensors import Probe

LOOKS: dict[str, Callable[[Any], Any]] = {
    "__dlpack__()": lambda x: x.__dlpack__(),
    "__dlpack__(max_version)": lambda x: x.__dlpack__(max_version=(1, 0)),
    "__dlpack__(copy)": lambda x: x.__dlpack__(copy=True),
    "__dlpack__(dl_device)": lambda x: x.__dlpack__(dl_device=(1, 0)),
    "__dlpack__(stream)": lambda x: x.__dlpack__(stream=-1),
    "__dlpack_device__": lambda x: x.__dlpack_device__(),
    "numpy.from_dlpack": np.from_dlpack,
    "numpy.asarray": np.asarray,
    "numpy.array": np.array,
    "memoryview": memoryview,
    "__array__": lambda x: x.__array__(),
    **{name: (lambda x, n=name: getattr(x, n)) for name in "shape strides dtype device readonly nbytes ndim".split()},
}

STATES: dict[str, tuple[dict[str, Any], str]] = {
    "dtype without a name": ({"dtype": 99}, r"probe\.Moved: dtype \(self->dtype\) is 99: not a supported value"),
    "device without a name": ({"device": 99}, r"probe\.Moved: device \(self->device\) is 99: not a supported value"),
    "device id below 0": ({"device": 2, "device_id": -1}, r"probe\.Moved: device id \(self->device_id\) is -1"),
    "device id too large": ({"device": 2, "device_id": 2**31}, r"probe\.Moved: device id \(self->device_id\) is 2147"),
    "rank below 0": ({"ndim": -1}, r"probe\.Moved: ndim \(self->ndim\) is -1: a rank is 0 to 64"),
    "rank 65": ({"ndim": 65}, r"probe\.Moved: ndim \(self->ndim\) is 65: a rank is 0 to 64"),
    "negative extent": ({"axes": ((2, -3), (1, 1))}, r"probe\.Moved: shape\[1\] \(self->shape\[axis\]\) is -3: an ext"),
    "too many elements": ({"axes": ((2**40, 2**40), (0, 0))}, r"probe\.Moved: the extents up to shape\[1\] \(1099511"),
    "hidden by an empty axis": ({"axes": ((0, 2**40, 2**40), (1, 1, 1))}, r"probe\.Moved: the extents up to shape\[2"),
    "too many bytes": ({"axes": ((2**62,), (0,))}, r"probe\.Moved: 4611686018427387904 elements of 32 bits are more "),
    "strides too far": ({"axes": ((3, 2), (2**62, 1))}, r"probe\.Moved: strides\[0\] is 4611686018427387904: with sh"),
    "strides too far in bytes": (
        {"axes": ((3,), (2**61,))},
        r"probe\.Moved: the strides lead beyond the address space",
    ),
    "no data": ({"data": None}, r"probe\.Moved: data is NULL, but the shape has 6 elements"),
    "a requirement": ({"refused": 1}, r"probe\.Moved: the probe refuses"),
}


def put(struct: Probe, fields: dict[str, Any]) -> None:
    for name, value in fields.items():
        if name == "axes":
            struct.set_axes(*value)
        else:
            setattr(struct, name, value)


@pytest.mark.parametrize("look", LOOKS)
@pytest.mark.parametrize("state", STATES)
def test_a_refused_state_is_a_buffer_error_that_names_tensor_slot_and_value(subject, state: str, look: str) -> None:
    fields, message = STATES[state]
    made = subject()
    put(made.struct, fields)
    with pytest.raises(BufferError, match=message):
        LOOKS[look](made.object)


@pytest.mark.parametrize("state", STATES)
def test_repr_shows_the_reason_and_does_not_raise(subject, state: str) -> None:
    fields, message = STATES[state]
    made = subject()
    put(made.struct, fields)
    with pytest.raises(BufferError, match=message) as caught:
        made.object.__dlpack__()
    assert repr(made.object) == f"<probe.Moved, not exportable: {caught.value}>"


def test_an_object_can_be_exported_again_after_a_refused_state(subject) -> None:
    made = subject()
    array = np.from_dlpack(made.object)
    made.struct.refused = 1
    with pytest.raises(BufferError):
        np.from_dlpack(made.object)
    assert array.shape == (2, 3)
    made.struct.refused = 0
    assert np.from_dlpack(made.object).shape == (2, 3)


def test_byte_strides_become_strides_of_elements(rows) -> None:
    made, _ = rows
    assert (made.shape, made.strides, made.dtype) == ((2, 3), (4, 1), "int32")
    assert np.asarray(made).strides == (16, 4)


@pytest.mark.parametrize("row_bytes", [15, 17, -13, 2**63 - 1])
def test_byte_strides_must_be_whole_elements(rows, row_bytes: int) -> None:
    made, struct = rows
    struct.row_bytes = row_bytes
    message = (
        rf"probe\.Rows: strides\[0\] \(self->row_bytes\) is {row_bytes}: bytes that are not a multiple of the item"
    )
    with pytest.raises(BufferError, match=message):
        made.__dlpack__()


@pytest.mark.parametrize("count", [2**63, 2**64 - 1])
def test_an_unsigned_extent_is_not_taken_for_a_negative_one(rows, count: int) -> None:
    made, struct = rows
    struct.rows = count
    message = rf"probe\.Rows: shape\[0\] \(self->rows\) is {count}: an extent is 0 to 2\^63 - 1"
    with pytest.raises(BufferError, match=message):
        np.asarray(made)


@pytest.mark.parametrize("dtype", ["bfloat16", "float8_e4m3fn", "float4_e2m1fn"])
def test_the_message_says_what_to_do_with_dtypes_that_numpy_lacks(subject, dtype: str) -> None:
    made = subject((4,), None, dtype)
    message = rf"probe\.Moved: the buffer protocol has no dtype {dtype}; use from_dlpack"
    for look in (np.asarray, memoryview):
        with pytest.raises(BufferError, match=message):
            look(made.object)
    assert made.object.dtype == dtype


def test_vectors_are_not_exported_as_a_buffer_of_numbers(stocked, managed) -> None:
    made = stocked.Vectors.from_dlpack(managed(dtype=(2, 32, 2)).capsule())
    message = r"stock\.Vectors: the buffer protocol has no dtype dtype\(2, 32, 2\); use from_dlpack"
    for look in (np.asarray, memoryview):
        with pytest.raises(BufferError, match=message):
            look(made)


def test_the_message_says_what_to_do_with_data_on_another_device(subject) -> None:
    made = subject()
    made.struct.device = 2
    for look in (np.asarray, memoryview):
        with pytest.raises(BufferError, match=r"probe\.Moved: data on cuda cannot be a buffer; use from_dlpack"):
            look(made.object)


def test_packed_elements_must_be_compact(subject) -> None:
    made = subject((2, 3), (4, 1), "float4_e2m1fn")
    with pytest.raises(BufferError, match=r"probe\.Moved: elements of 4 bits are packed, so they must be compact"):
        made.object.__dlpack__()


def test_an_array_method_called_by_hand_gives_the_buffer(subject) -> None:
    made = subject((2, 3), (3, 1), "int32")
    array = made.object.__array__()
    assert (array.shape, array.dtype, array.ctypes.data) == ((2, 3), np.int32, made.struct.data)
    assert made.object.__array__("float64", copy=True).dtype == np.float64
    assert made.object.__array__(None, True).ctypes.data != made.struct.data
    assert made.object.__array__(None, False).ctypes.data == made.struct.data
    with pytest.raises(TypeError, match="order"):
        made.object.__array__(order="F")
    with pytest.raises(ValueError, match="copy"):
        made.object.__array__(np.float64, copy=False)
    del array
