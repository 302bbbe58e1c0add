# SPDX-License-Identifier: MIT
"""`Name.from_dlpack` of real arrays shares their memory, in the layouts of the library, and keeps it alive."""

from __future__ import annotations

import weakref
from collections.abc import Callable
from types import ModuleType
from typing import Any

import array_api_strict
import numpy as np
import pytest
from numpy.lib.stride_tricks import as_strided

from python.builds import DTYPES
from python.tensors import Probe, compact

NUMPY_DTYPES = [name for name in DTYPES if hasattr(np, name)]


def base() -> np.ndarray:
    return np.arange(24, dtype=np.float64).reshape(4, 6)


LAYOUTS: dict[str, Callable[[], np.ndarray]] = {
    "compact": base,
    "transposed": lambda: base().T,
    "sliced": lambda: base()[::2, 1:5:3],
    "rows of a larger array": lambda: base()[1:3, :4],
    "negative": lambda: base()[::-1, ::-1],
    "negative rows": lambda: base()[::-1],
    "broadcast": lambda: as_strided(np.arange(6.0), (4, 6), (0, 8)),
    "column": lambda: base()[:, :1],
    "new axis": lambda: np.arange(6.0)[:, None],
    "new axis in front": lambda: np.arange(6.0)[None],
    "one row of a slice": lambda: base()[1:2, ::2],
    "three axes": lambda: np.arange(24.0).reshape(2, 3, 4).transpose(2, 0, 1),
    "rank 0": lambda: np.array(1.5),
    "rank 9": lambda: np.zeros((1, 2, 1, 2, 1, 2, 1, 2, 1)),
    "rank 64": lambda: np.zeros((1,) * 64),
    "empty": lambda: np.zeros((3, 0)),
    "empty slice": lambda: base()[2:2, ::2],
}


@pytest.mark.parametrize("layout", LAYOUTS)
def test_an_imported_array_is_the_same_memory_in_the_same_layout(lab: ModuleType, layout: str) -> None:
    array = LAYOUTS[layout]()
    made = lab.Moved.from_dlpack(array)
    again = np.from_dlpack(made)
    assert (made.shape, made.dtype, made.readonly) == (array.shape, "float64", False)
    assert np.array_equal(again, array)
    if array.size:
        assert again.__array_interface__["data"] == array.__array_interface__["data"]
        again[...] = -1
        assert (array == -1).all()


@pytest.mark.parametrize("layout", LAYOUTS)
def test_strides_that_nobody_uses_are_made_compact_for_the_library(lab: ModuleType, layout: str) -> None:
    """Libraries refuse or abort on strides like (1, 0), which NumPy has for an axis of extent 1."""
    array = LAYOUTS[layout]()
    strides = list(lab.Moved.from_dlpack(array).strides)
    if array.size == 0:
        assert strides == compact(array.shape)
        return
    for axis in range(array.ndim):
        if array.shape[axis] != 1:
            assert strides[axis] == array.strides[axis] // 8
        elif axis == array.ndim - 1:
            assert strides[axis] == 1
        else:
            assert strides[axis] == strides[axis + 1] * array.shape[axis + 1]


@pytest.mark.parametrize("dtype", NUMPY_DTYPES)
def test_every_dtype_of_the_map_gets_its_value_in_the_struct(lab: ModuleType, dtype: str) -> None:
    made = lab.Moved.from_dlpack(np.ones((2, 2), dtype))
    assert made.dtype == dtype
    assert np.from_dlpack(made).dtype == np.dtype(dtype)
    assert Probe.from_address(lab.unwrap("Moved", made)).dtype == DTYPES.index(dtype) + 1


def test_array_api_strict_is_a_producer(lab: ModuleType) -> None:
    array = array_api_strict.reshape(array_api_strict.arange(6, dtype=array_api_strict.int16), (2, 3))
    np.from_dlpack(lab.Moved.from_dlpack(array))[1, 1] = 77
    assert int(array[1, 1]) == 77


def test_read_only_arrays_stay_read_only_where_they_are_taken(lab: ModuleType) -> None:
    array = np.arange(3.0)
    array.flags.writeable = False
    made = lab.Moved.from_dlpack(array)
    assert made.readonly
    assert not np.from_dlpack(made).flags.writeable
    assert not np.asarray(made).flags.writeable
    with pytest.raises(BufferError):
        made.__dlpack__()
    with pytest.raises(TypeError, match="read-only memory"):
        memoryview(made)[0] = 1.0


def images() -> dict[str, tuple[Any, str]]:
    """Returns arrays that are not images, each with the expected message."""
    read_only = np.zeros((4, 5, 3), np.uint8)
    read_only.flags.writeable = False
    return {
        "dtype": (np.zeros((4, 5, 3), np.int8), r"imaging\.Image: the dtype is int8, not uint8"),
        "float": (np.zeros((4, 5, 3)), r"imaging\.Image: the dtype is float64, not uint8"),
        "rank": (np.zeros((4, 5), np.uint8), r"imaging\.Image: the array has 2 axes, not 3"),
        "rank 0": (np.zeros((), np.uint8), r"imaging\.Image: the array has 0 axes, not 3"),
        "read-only": (read_only, r"imaging\.Image: the array is read-only"),
        "transposed": (np.zeros((5, 4, 3), np.uint8).transpose(1, 0, 2), r"imaging\.Image: .*strides"),
        "sliced": (np.zeros((4, 10, 3), np.uint8)[:, ::2], r"imaging\.Image: .*strides"),
        "broadcast": (as_strided(np.zeros(15, np.uint8), (4, 5, 3), (0, 3, 1)), r"imaging\.Image: "),
        "overlapping": (as_strided(np.zeros(99, np.uint8), (4, 5, 3), (14, 3, 1)), r"imaging\.Ima"),
    }


@pytest.mark.parametrize("name", images())
def test_an_array_that_the_library_cannot_use_is_a_buffer_error(imaging: ModuleType, name: str) -> None:
    array, message = images()[name]
    with pytest.raises(BufferError, match=message):
        imaging.Image.from_dlpack(array)


@pytest.mark.parametrize(
    "array",
    [
        np.zeros((4, 5, 3), np.uint8),
        np.zeros((4, 9, 3), np.uint8)[:, :5],
        np.zeros((4, 5, 3), np.uint8)[::-1],
        np.zeros((4, 5), np.uint8)[:, :, None],
        np.zeros((1, 5, 4), np.uint8),
        np.zeros((8, 5, 1), np.uint8)[:1],
    ],
    ids=["compact", "padded rows", "bottom row first", "grey", "one row", "one row of many"],
)
def test_images_share_arrays_of_every_layout_that_the_library_takes(imaging: ModuleType, array: np.ndarray) -> None:
    image = imaging.Image.from_dlpack(array)
    np.from_dlpack(image)[...] = 9
    assert image.shape == array.shape
    assert (array == 9).all()


def test_images_without_pixels_are_refused_by_the_library(imaging: ModuleType) -> None:
    with pytest.raises(RuntimeError, match=r"imaging\.Image: image_wrap\(.*\) failed"):
        imaging.Image.from_dlpack(np.zeros((4, 0, 3), np.uint8))


def test_matrices_of_gsl_share_arrays(gsl: ModuleType) -> None:
    array = np.arange(12.0).reshape(3, 4)
    matrix = gsl.Matrix.from_dlpack(array[:, :3])
    np.from_dlpack(matrix)[2, 2] = -1
    assert (matrix.shape, matrix.strides) == ((3, 3), (4, 1))
    assert array[2, 2] == -1
    for refused in (array[::-1], array.T, array[:, ::2], np.broadcast_to(array[0], (3, 4))):
        with pytest.raises(BufferError, match=r"gsl\.Matrix: "):
            gsl.Matrix.from_dlpack(refused)


def test_gsl_gets_a_row_stride_that_it_can_use(gsl: ModuleType) -> None:
    """`a[None]` has a step of 0 between its only row and the next, and GSL wants at least as much as a row."""
    assert gsl.Matrix.from_dlpack(np.arange(5.0)[None]).strides == (5, 1)
    assert gsl.Matrix.from_dlpack(np.arange(5.0)[:, None]).strides == (1, 1)


def test_the_producer_lives_as_long_as_the_object_and_all_that_was_made_of_it(lab: ModuleType) -> None:
    array = np.arange(6.0)
    watched = weakref.ref(array)
    made = lab.Moved.from_dlpack(array)
    view, again = np.from_dlpack(made), lab.Moved.from_dlpack(made)
    buffer = memoryview(again)
    del array
    assert watched() is not None
    del made
    assert watched() is not None
    del view, again
    assert watched() is not None
    assert buffer[5] == 5.0
    del buffer
    assert watched() is None


def test_an_object_of_the_class_itself_is_imported_like_any_other(subject, lab: ModuleType) -> None:
    made = subject((2, 3), (8, 1))
    released = lab.counts()[1]
    again = lab.Moved.from_dlpack(made.object)
    assert again is not made.object
    assert (again.shape, again.strides) == ((2, 3), (8, 1))
    made.object = None
    assert lab.counts()[1] == released
    del again
    assert lab.counts()[1] == released + 2


def test_a_long_chain_of_imports_is_freed_without_a_deep_stack(lab: ModuleType) -> None:
    array = np.arange(6.0)
    watched = weakref.ref(array)
    made = array
    for _ in range(1000):
        made = lab.Moved.from_dlpack(made)
    del array
    assert made.shape == (6,)
    assert watched() is not None
    del made
    assert watched() is None


def test_an_import_that_the_library_refuses_has_its_message(lab: ModuleType) -> None:
    array = np.arange(3.0)
    watched = weakref.ref(array)
    lab.set_mood(1)
    try:
        with pytest.raises(RuntimeError, match=r"probe\.Moved: probe_adopt\(.*\) failed: the probe is unwilling"):
            lab.Moved.from_dlpack(array)
    finally:
        lab.set_mood(0)
    del array
    assert watched() is None


def test_a_new_object_that_differs_from_the_array_is_refused(lab: ModuleType) -> None:
    array = np.arange(3.0)
    watched, counts = weakref.ref(array), lab.counts()
    lab.set_mood(2)
    try:
        with pytest.raises(BufferError, match=r"probe\.Moved: the new object shows strides\[0\] as 2, not 1"):
            lab.Moved.from_dlpack(array)
    finally:
        lab.set_mood(0)
    del array
    assert watched() is None
    assert lab.counts() == (counts[0], counts[1] + 1, counts[2])
