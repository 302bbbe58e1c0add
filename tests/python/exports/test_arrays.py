# SPDX-License-Identifier: MIT
"""Arrays made from our objects have the same memory and layout, and keep the memory alive."""

from __future__ import annotations

import ctypes
import gc
import itertools
from collections.abc import Callable
from types import ModuleType
from typing import Any

import array_api_strict
import numpy as np
import pytest

from python.builds import DTYPES

NUMPY_DTYPES = [name for name in DTYPES if hasattr(np, name)]

LAYOUTS = {
    "compact": ((2, 3), (3, 1)),
    "column-major": ((2, 3), (1, 2)),
    "padded rows": ((4, 3), (8, 1)),
    "permuted": ((2, 3, 4), (1, 8, 2)),
    "sliced": ((2, 3), (6, 2)),
    "broadcast": ((4, 3), (0, 1)),
    "one axis": ((5,), (1,)),
    "rank 0": ((), ()),
    "extent 1, odd stride": ((2, 1), (1, 12345)),
    "empty": ((0, 3), (3, 1)),
    "empty, odd strides": ((2, 0), (77, 5)),
    "rank 8": ((1, 2, 1, 2, 1, 2, 1, 2), (8, 8, 4, 4, 2, 2, 1, 1)),
    "rank 9": ((1,) * 8 + (3,), (3,) * 8 + (1,)),
    "rank 64": ((1,) * 63 + (3,), (3,) * 63 + (1,)),
}

WAYS: dict[str, Callable[[Any], np.ndarray]] = {
    "from_dlpack": np.from_dlpack,
    "asarray": np.asarray,
    "memoryview": lambda x: np.asarray(memoryview(x)),
}


def address(array: np.ndarray) -> int:
    return array.__array_interface__["data"][0]


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("layout", LAYOUTS)
def test_an_array_has_the_address_and_the_strides_of_the_object(subject, way: str, layout: str) -> None:
    shape, strides = LAYOUTS[layout]
    made = subject(shape, strides, "int16")
    array = WAYS[way](made.object)
    assert array.shape == shape
    assert array.dtype == np.int16
    assert array.flags.writeable
    if array.size:
        assert address(array) == made.struct.data
        assert [s for s, n in zip(array.strides, shape, strict=True) if n != 1] == [
            2 * s for s, n in zip(strides, shape, strict=True) if n != 1
        ]


@pytest.mark.parametrize("way", WAYS)
def test_negative_strides_start_at_the_first_element(subject, way: str) -> None:
    made = subject((3,), (-1,), "int32")
    made.struct.data += 8
    array = WAYS[way](made.object)
    array[:] = [1, 2, 3]
    assert address(array) == made.struct.data
    assert array.strides == (-4,)
    assert np.from_dlpack(made.object).tolist() == [1, 2, 3]


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("dtype", NUMPY_DTYPES)
def test_every_dtype_of_numpy_is_exported_unchanged(subject, way: str, dtype: str) -> None:
    array = WAYS[way](subject((2, 3), None, dtype).object)
    assert array.dtype == np.dtype(dtype)
    assert array.strides == (3 * array.itemsize, array.itemsize)


@pytest.mark.parametrize("way", WAYS)
def test_read_only_data_gives_read_only_arrays(subject, way: str) -> None:
    made = subject()
    made.struct.readonly = 1
    assert made.object.readonly is True
    assert not WAYS[way](made.object).flags.writeable


@pytest.mark.parametrize("way", WAYS)
def test_a_write_is_seen_by_all_views(subject, way: str) -> None:
    made = subject()
    first, second = WAYS[way](made.object), np.from_dlpack(made.object)
    first[1, 2] = 42
    assert second[1, 2] == 42


def test_array_api_strict_shares_the_memory(subject) -> None:
    made = subject((3, 2), None, "float64")
    array = array_api_strict.from_dlpack(made.object)
    array[2, 1] = 7.0
    assert array.shape == (3, 2)
    assert array.dtype == array_api_strict.float64
    assert np.from_dlpack(made.object)[2, 1] == 7


def test_array_api_strict_gets_a_copy_when_it_asks_for_one(subject) -> None:
    made = subject()
    array = array_api_strict.from_dlpack(made.object, copy=True)
    np.from_dlpack(made.object)[0, 0] = 5
    assert array[0, 0] == 0


def test_a_resized_struct_is_seen_by_the_next_export_and_not_by_the_last(subject) -> None:
    made = subject((4,), (1,))
    before, view = np.from_dlpack(made.object), memoryview(made.object)
    made.struct.set_axes((2, 2, 2))
    made.struct.data += 64
    after = np.from_dlpack(made.object)
    assert (before.shape, view.shape, after.shape) == ((4,), (4,), (2, 2, 2))
    assert address(after) == address(before) + 64
    assert made.object.shape == (2, 2, 2)
    assert np.asarray(made.object).shape == (2, 2, 2)


VIEWS: list[Callable[[Any], Any]] = [
    lambda x: x,
    np.from_dlpack,
    np.from_dlpack,
    np.asarray,
    memoryview,
    lambda x: x.__dlpack__(),
    lambda x: x.__dlpack__(max_version=(1, 0)),
]


def test_the_memory_lives_until_the_last_holder_is_freed(subject, lab: ModuleType) -> None:
    """Frees objects, arrays, memoryviews and capsules in every order of two of them."""
    before = lab.counts()
    for rounds, (last, first) in enumerate(itertools.permutations(range(len(VIEWS)), 2)):
        made = subject()
        made.struct.shape[0] = 2
        holders = [view(made.object) for view in VIEWS]
        made.object = None
        order = [first, *(i for i in range(len(VIEWS)) if i not in (first, last)), last]
        for index in order:
            assert lab.counts()[1] == before[1] + rounds, "released while somebody holds it"
            holders[index] = None
        assert lab.counts() == (before[0], before[1] + rounds + 1, before[2])


def test_a_capsule_that_nobody_consumes_releases_the_memory(subject, lab: ModuleType) -> None:
    released = lab.counts()[1]
    capsules = [
        subject().object.__dlpack__(**keywords)
        for keywords in ({}, {"max_version": (1, 0)}, {"copy": True}, {"copy": True, "max_version": (1, 0)})
    ]
    assert lab.counts()[1] == released + 2, "copies depend on nothing"
    del capsules
    assert lab.counts()[1] == released + 4


@pytest.mark.parametrize("versioned", [False, True])
def test_a_consumed_capsule_leaves_the_memory_to_its_consumer(subject, lab, producer, versioned: bool) -> None:
    released = lab.counts()[1]
    capsule = subject().object.__dlpack__(max_version=(int(versioned), 0))
    tensor = producer.consume(capsule)
    del capsule
    gc.collect()
    assert lab.counts()[1] == released
    producer.delete(*tensor, "here")
    assert lab.counts()[1] == released + 1


def test_an_object_can_have_more_exports_than_embedded_tensors(subject, lab: ModuleType) -> None:
    made = subject()
    arrays = [np.from_dlpack(made.object) for _ in range(100)]
    assert {address(array) for array in arrays} == {made.struct.data}
    assert {array.shape for array in arrays} == {(2, 3)}
    made.object = None
    released = lab.counts()[1]
    while arrays:
        assert lab.counts()[1] == released
        arrays.pop(len(arrays) // 2)
    assert lab.counts()[1] == released + 1


def test_images_arrive_with_padded_rows(imaging: ModuleType) -> None:
    image = imaging.Image.empty((4, 5, 3))
    array = np.from_dlpack(image)
    array[3, 4] = [1, 2, 3]
    assert array.strides == (64, 3, 1)
    assert address(array) == address(np.asarray(image)) == address(np.asarray(memoryview(image)))
    assert np.asarray(image)[3, 4].tolist() == [1, 2, 3]


def test_matrices_of_gsl_are_read_by_gsl(gsl: ModuleType) -> None:
    library = ctypes.PyDLL(gsl.__file__)
    library.dlgsl_matrix_unwrap.restype = ctypes.c_void_p
    library.gsl_matrix_get.restype = ctypes.c_double
    matrix = gsl.Matrix.empty((3, 4))
    np.from_dlpack(matrix)[:] = np.arange(12).reshape(3, 4)
    pointer = ctypes.c_void_p(library.dlgsl_matrix_unwrap(ctypes.py_object(matrix)))
    got = [library.gsl_matrix_get(pointer, ctypes.c_size_t(i), ctypes.c_size_t(j)) for i in range(3) for j in range(4)]
    assert got == list(range(12))


def test_matrices_that_gsl_made_are_wrapped(gsl: ModuleType) -> None:
    library = ctypes.PyDLL(gsl.__file__)
    library.gsl_matrix_calloc.restype = ctypes.c_void_p
    library.dlgsl_matrix_wrap.restype = ctypes.py_object
    pointer = ctypes.c_void_p(library.gsl_matrix_calloc(ctypes.c_size_t(2), ctypes.c_size_t(5)))
    library.gsl_matrix_set(pointer, ctypes.c_size_t(1), ctypes.c_size_t(4), ctypes.c_double(2.5))
    array = np.from_dlpack(library.dlgsl_matrix_wrap(pointer))
    assert array.shape == (2, 5)
    assert array[1, 4] == 2.5
