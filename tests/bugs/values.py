# SPDX-License-Identifier: MIT
"""Fields of a tensor have valid values."""

from __future__ import annotations

from bugs.bug import CRASH, bug, expect, refuse
from bugs.subject import BOOL, COMPLEX64, DELETED_ONCE, INT32, Subject
from python.tensors import inside

FAR = 2**40
"""A stride that producers send for axes along which nobody steps."""


# ---- Imports ----


@bug("Early", CRASH)
def null_strides_mean_compact(s: Subject) -> None:
    made = s.take(s.foreign(False, strides=None).capsule())
    expect("axes", s.axes(made), ([2, 3], [3, 1]))


@bug("Early", CRASH)
def a_null_shape_is_refused(s: Subject) -> None:
    refuse(BufferError, lambda: s.take(s.foreign(False, shape=None).capsule()))
    expect("deleted", s.deleted(), DELETED_ONCE)


@bug("Early", r"offset of the data: 0, not 8")
def a_byte_offset_is_added(s: Subject) -> None:
    tensor = s.foreign(False, axes=((2,), (1,)), byte_offset=8)
    made = s.take(tensor.capsule())
    expect("offset of the data", s.struct(made).data - tensor.data, 8)


@bug("Modern", "not refused")
def a_huge_byte_offset_is_refused(s: Subject) -> None:
    """Passes the offset -8, cast to unsigned."""
    refuse(BufferError, lambda: s.take(s.foreign(byte_offset=2**64 - 8).capsule()))


@bug("Modern", "BufferError: no data")
def an_empty_array_needs_no_data(s: Subject) -> None:
    made = s.take(s.foreign(axes=((0, 3), (3, 1)), data=None).capsule())
    expect("shape", s.axes(made)[0], [0, 3])


@bug("Modern", "BufferError: not contiguous")
def strides_of_empty_arrays_mean_nothing(s: Subject) -> None:
    made = s.take(s.foreign(axes=((2, 0), (FAR, FAR))).capsule())
    expect("axes", s.axes(made), ([2, 0], [1, 1]))


@bug("Modern", "BufferError: not contiguous")
def strides_of_single_elements_mean_nothing(s: Subject) -> None:
    made = s.take(s.foreign(axes=((2, 1), (1, FAR))).capsule())
    expect("axes", s.axes(made), ([2, 1], [1, 1]))


@bug("Patched", CRASH)
def negative_strides_end_nothing(s: Subject) -> None:
    tensor = s.foreign(axes=((2,), (-1,)), byte_offset=4)
    made = s.take(tensor.capsule())
    expect("axes", s.axes(made), ([2], [-1]))
    expect("offset of the data", s.struct(made).data - tensor.data, 4)


@bug("Early", "not refused")
def a_shape_whose_product_overflows_is_refused(s: Subject) -> None:
    refuse(BufferError, lambda: s.take(s.foreign(False, axes=((2**32, 2**32), (0, 0))).capsule()))


@bug("Early", "not refused")
def a_negative_extent_is_refused(s: Subject) -> None:
    refuse(BufferError, lambda: s.take(s.foreign(False, axes=((-2, 3), (3, 1))).capsule()))


@bug("Early", CRASH)
def a_negative_rank_is_refused(s: Subject) -> None:
    refuse(BufferError, lambda: s.take(s.foreign(False, ndim=-1).capsule()))


@bug("Early", CRASH)
def a_rank_beyond_all_arrays_is_refused(s: Subject) -> None:
    refuse(BufferError, lambda: s.take(s.foreign(False, ndim=2**31 - 1).capsule()))


@bug("Early", "not refused")
def lanes_are_not_overlooked(s: Subject) -> None:
    refuse(BufferError, lambda: s.take(s.foreign(False, dtype=(2, 32, 4)).capsule()))


# ---- Exports ----


@bug("Early", "has strides: False, not True")
def strides_are_always_written(s: Subject) -> None:
    capsule = s.make().__dlpack__()
    expect("has strides", bool(inside(capsule).tensor.strides), True)


@bug("Early", r"data: \d+, not None")
def an_empty_array_has_no_data(s: Subject) -> None:
    capsule = s.make((0, 3)).__dlpack__()
    expect("data", inside(capsule).tensor.data, None)


@bug("Modern", "not refused")
def strides_that_are_no_elements_are_refused(s: Subject) -> None:
    made = s.make(padded=True, dtype=INT32, rows=2, row_bytes=14)
    refuse(BufferError, lambda: made.__dlpack__(max_version=(1, 3)))


@bug("Early", r"bool: \(1, 1, 1\), not \(6, 8, 1\)")
def a_bool_has_eight_bits(s: Subject) -> None:
    capsule = s.make(dtype=BOOL).__dlpack__()
    tensor = inside(capsule).tensor
    expect("bool", (tensor.code, tensor.bits, tensor.lanes), (6, 8, 1))


@bug("Early", r"complex64: \(5, 32, 2\), not \(5, 64, 1\)")
def a_complex_number_has_one_lane(s: Subject) -> None:
    capsule = s.make(dtype=COMPLEX64).__dlpack__()
    tensor = inside(capsule).tensor
    expect("complex64", (tensor.code, tensor.bits, tensor.lanes), (5, 64, 1))


@bug("Modern", r"flags: 0, not 2")
def a_copy_says_that_it_is_one(s: Subject) -> None:
    capsule = s.make().__dlpack__(max_version=(1, 3), copy=True)
    expect("flags", inside(capsule).flags, 2)


@bug("Modern", r"misaligned copies: [1-8], not 0")
def a_copy_is_aligned(s: Subject) -> None:
    made = s.make()
    capsules = [made.__dlpack__(max_version=(1, 3), copy=True) for _ in range(8)]
    expect("misaligned copies", sum(inside(capsule).tensor.data % 64 != 0 for capsule in capsules), 0)


@bug("Modern", r"\(1, 0\), not \(3, 0\)")
def the_device_is_that_of_the_tensor(s: Subject) -> None:
    made = s.make(device=3)
    tensor = inside(capsule := made.__dlpack__(max_version=(1, 3))).tensor
    expect("__dlpack_device__()", made.__dlpack_device__(), (tensor.device_type, tensor.device_id))
    del capsule
