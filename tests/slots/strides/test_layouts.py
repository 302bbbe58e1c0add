"""Every form of shape and strides is imported and exported without a copy."""

from __future__ import annotations

import ctypes
from typing import Any

import numpy as np
import pytest

from structs.libraries import Library, address, assert_same, int64s, memory
from structs.modules import Loader

Array = np.ndarray[Any, Any]
ORDERS = ["C", "F", "Reversed"]


@pytest.fixture
def layouts(library: Loader) -> Library:
    return library("layouts")


def grid(*shape: int) -> Array:
    return np.arange(np.prod(shape, dtype=int), dtype=np.float64).reshape(shape)


ARRAYS = {
    "compact": grid(2, 3, 4),
    "by columns": np.asfortranarray(grid(2, 3, 4)),
    "padded rows": grid(2, 3, 9)[:, :, :4],
    "padded planes": grid(2, 5, 4)[:, :3],
    "padded columns": np.asfortranarray(grid(2, 3, 9))[:, :, ::2],
    "backwards": grid(2, 3, 4)[::-1, :, ::-1],
    "backwards outside": grid(4, 3, 2)[::-1],
    "permuted": grid(2, 3, 4).transpose(1, 2, 0),
    "extents of one": grid(4, 4)[:, None, :1],
    "all extents one": grid(1)[:, None, None],
    "empty": grid(2, 0, 4),
    "broadcast": np.broadcast_to(grid(4), (2, 3, 4)),
}


def is_outer(array: Array, order: str) -> bool:
    """Tests whether all axes but the outermost are compact."""
    inner = array[:, :, 0].T if order == "F" else array[0]
    step = array.strides[2 if order == "F" else 0] // 8
    return bool(inner.flags.c_contiguous) and (array.shape[2 if order == "F" else 0] == 1 or abs(step) >= inner.size)


def fits(name: str, order: str, array: Array) -> bool:
    if array.size == 0:
        return True
    if name.endswith("Compact"):
        return bool(array.flags.f_contiguous if order == "F" else array.flags.c_contiguous)
    if "Outer" in name:
        return is_outer(array, order)
    return True


KINDS = ["Compact", "List", "ListBytes", "Outer", "OuterBytes", "RankCompact", "Each", "EachBytes", "RankOuter"]


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("form", ARRAYS)
def test_arrays_of_every_form_come_back_unchanged(layouts: Library, order: str, kind: str, form: str) -> None:
    cls = getattr(layouts.module, f"{order}{kind}")
    array = ARRAYS[form]
    live = layouts.number("block_live")
    if fits(kind, order, array):
        shown = cls.from_dlpack(array)
        assert (shown.shape, shown.dtype, shown.device) == (array.shape, "float64", (1, 0))
        assert_same(np.from_dlpack(shown), array)
        assert layouts.number("block_live") == live + 1
        del shown
    else:
        with pytest.raises(BufferError, match=rf"layouts\.{order}{kind}: the array must be "):
            cls.from_dlpack(array)
    assert layouts.number("block_live") == live


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("kind", ["RankCompact", "Each", "EachBytes", "RankOuter"])
@pytest.mark.parametrize("shape", [(), (5,), (3, 5), (0,)])
def test_arrays_of_every_rank_come_back_unchanged(
    layouts: Library, order: str, kind: str, shape: tuple[int, ...]
) -> None:
    array = np.asfortranarray(grid(*shape)) if order == "F" else grid(*shape)
    shown = getattr(layouts.module, f"{order}{kind}").from_dlpack(array)
    assert_same(np.from_dlpack(shown), array)
    with pytest.raises(BufferError, match="4 axes, not 0 to 3"):
        getattr(layouts.module, f"{order}{kind}").from_dlpack(grid(1, 1, 1, 1))


EXTENTS = (2, 3, 4)


@pytest.mark.parametrize(
    "tensor, shape, strides",
    [
        ("c_list", (2, 3, 4), (100, 10, 1)),
        ("c_list_bytes", (2, 3, 4), (100, 10, 1)),
        ("c_each", (2, 3, 4), (100, 10, 1)),
        ("c_compact", (2, 3, 4), (12, 4, 1)),
        ("c_outer", (2, 3, 4), (100, 4, 1)),
        ("c_rank_outer", (2, 3, 4), (100, 4, 1)),
        ("f_list", (2, 3, 4), (100, 10, 1)),
        ("f_each_bytes", (2, 3, 4), (100, 10, 1)),
        ("f_compact", (2, 3, 4), (1, 2, 6)),
        ("f_outer", (2, 3, 4), (1, 2, 50)),
        ("f_rank_outer", (2, 3, 4), (1, 2, 50)),
        ("reversed_list", (4, 3, 2), (1, 10, 100)),
        ("reversed_list_bytes", (4, 3, 2), (1, 10, 100)),
        ("reversed_each", (4, 3, 2), (1, 10, 100)),
        ("reversed_compact", (4, 3, 2), (6, 2, 1)),
        ("reversed_outer", (4, 3, 2), (50, 2, 1)),
        ("reversed_outer_bytes", (4, 3, 2), (50, 2, 1)),
        ("reversed_rank_compact", (4, 3, 2), (6, 2, 1)),
    ],
)
def test_shape_and_strides_of_a_struct_follow_its_order_and_unit(
    layouts: Library, tensor: str, shape: tuple[int, ...], strides: tuple[int, ...]
) -> None:
    """Fills the members of the struct in the order of C."""
    array = np.zeros(1000)
    elements = (100, 10, 50 if "outer" in tensor and not tensor.startswith("c_") else 1)
    steps = [8 * step if tensor.endswith("bytes") else step for step in elements]
    block = layouts.pointer("block_wrap", memory(array), 3, int64s(*EXTENTS), int64s(*steps))
    shown = layouts.wrap(tensor, block)
    assert (shown.shape, shown.strides) == (shape, strides)
    assert address(np.from_dlpack(shown)) == address(array)


@pytest.mark.parametrize("tensor", ["c_list_bytes", "c_each_bytes", "c_outer_bytes", "reversed_each_bytes"])
def test_byte_strides_that_split_an_element_are_refused(layouts: Library, tensor: str) -> None:
    array = np.zeros(1000)
    block = layouts.pointer("block_wrap", memory(array), 3, int64s(*EXTENTS), int64s(100, 12, 20))
    shown = layouts.wrap(tensor, block)
    with pytest.raises(BufferError, match=r"strides\[\d\].* not a multiple of the item size"):
        np.from_dlpack(shown)
    assert "not exportable" in repr(shown)


def test_an_extent_below_zero_is_refused(layouts: Library) -> None:
    block = layouts.pointer("block_wrap", None, 3, int64s(2, -3, 4), int64s(1, 1, 1))
    with pytest.raises(BufferError, match=r"layouts\.CList: shape\[1\] \(self->extent\[1\]\) is -3"):
        np.from_dlpack(layouts.wrap("c_list", block))


def test_an_impossible_rank_is_refused(layouts: Library) -> None:
    for rank in (-1, 65):
        block = layouts.pointer("block_wrap", None, 0, int64s(), int64s())
        ctypes.c_int.from_address((block.value or 0) + 8).value = rank
        with pytest.raises(BufferError, match=rf"layouts\.CEach: ndim \(self->rank\) is {rank}"):
            np.from_dlpack(layouts.wrap("c_each", block))
