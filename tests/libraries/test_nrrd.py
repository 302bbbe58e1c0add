"""Arrays of Teem: the fastest axis first, wrapped around memory, errors reported by a log."""

from __future__ import annotations

import ctypes
import sys
import weakref
from typing import Any

import numpy as np
import pytest

from libraries.real import Array, Loader, count, frozen
from structs.libraries import Library, assert_same

TYPES = "int8 uint8 int16 uint16 int32 uint32 int64 uint64 float32 float64".split()
BLOCK = 11
NEGATIVE, MEAN, DEFAULT = 1, 3, 0
AXIS_SIZE = 1


@pytest.fixture(scope="session")
def nrrd(real: Loader) -> Library:
    return real("nrrd")


def sizes(*values: int) -> Any:
    return (ctypes.c_size_t * len(values))(*values)


def allocated(nrrd: Library, dtype: str, *shape: int) -> ctypes.c_void_p:
    """Allocates an array of the library; `shape` begins with the fastest axis."""
    pointer = nrrd.pointer("nrrdNew")
    assert nrrd.number("nrrdAlloc_nva", pointer, TYPES.index(dtype) + 1, len(shape), sizes(*shape)) == 0
    return pointer


def axes(nrrd: Library, pointer: ctypes.c_void_p, rank: int) -> list[int]:
    got = sizes(*[0] * 16)
    nrrd.number("nrrdAxisInfoGet_nva", pointer, AXIS_SIZE, got, kind=None)
    return [*got][:rank]


@pytest.mark.parametrize("dtype", TYPES)
def test_an_array_of_teem_is_exported_with_reversed_axes(nrrd: Library, dtype: str) -> None:
    pointer = allocated(nrrd, dtype, 2, 3, 4)
    array = np.from_dlpack(nrrd.wrap("nrrd", pointer))
    assert (array.shape, array.dtype, array.flags.c_contiguous) == ((4, 3, 2), dtype, True)
    assert array.nbytes == nrrd.number("nrrdElementNumber", pointer, kind=ctypes.c_size_t) * array.itemsize
    array[...] = count(4, 3, 2)
    sample = np.zeros((), dtype)
    nrrd.number("nrrdSample_nva", ctypes.c_void_p(sample.ctypes.data), pointer, sizes(1, 2, 3))
    assert sample == array[3, 2, 1] == 23


def test_the_library_computes_with_an_array(nrrd: Library) -> None:
    array = count(3, 4)
    shown = nrrd.module.Nrrd.from_dlpack(array)
    pointer = nrrd.unwrap("nrrd", shown)
    assert axes(nrrd, pointer, 2) == [4, 3]
    mean = nrrd.pointer("nrrdNew")
    assert nrrd.number("nrrdProject", mean, pointer, 0, MEAN, DEFAULT) == 0
    np.testing.assert_array_equal(np.from_dlpack(nrrd.wrap("nrrd", mean)), array.mean(axis=1))


def test_the_library_writes_to_an_array(nrrd: Library) -> None:
    array, turned = count(3, 4), np.zeros((3, 4))
    first, second = nrrd.module.Nrrd.from_dlpack(array), nrrd.module.Nrrd.from_dlpack(turned)
    source, target = nrrd.unwrap("nrrd", first), nrrd.unwrap("nrrd", second)
    assert nrrd.number("nrrdFlip", target, source, 0) == 0
    np.testing.assert_array_equal(turned, array[:, ::-1])
    assert nrrd.number("nrrdArithUnaryOp", source, NEGATIVE, source) == 0
    np.testing.assert_array_equal(array, -count(3, 4))
    assert_same(np.from_dlpack(second), turned)


@pytest.mark.parametrize("dtype", TYPES)
def test_the_library_converts_from_array_to_array(nrrd: Library, dtype: str) -> None:
    array, target = count(2, 3), np.zeros((2, 3), dtype)
    shown = nrrd.module.Nrrd.from_dlpack(array), nrrd.module.Nrrd.from_dlpack(target)
    pointers = [nrrd.unwrap("nrrd", each) for each in shown]
    assert nrrd.number("nrrdConvert", pointers[1], pointers[0], TYPES.index(dtype) + 1) == 0
    np.testing.assert_array_equal(target, array)


@pytest.mark.parametrize("rank", [1, 2, 5, 16])
def test_every_rank_is_shared_with_teem(nrrd: Library, rank: int) -> None:
    array = count(*[1] * (rank - 1), 3)
    shown = nrrd.module.Nrrd.from_dlpack(array)
    assert axes(nrrd, nrrd.unwrap("nrrd", shown), rank) == [3] + [1] * (rank - 1)
    assert_same(np.from_dlpack(shown), array)


def test_the_array_lives_as_long_as_its_imports_and_their_exports(nrrd: Library) -> None:
    array = count(3, 4)
    alive = weakref.ref(array)
    shown = nrrd.module.Nrrd.from_dlpack(array)
    again = np.from_dlpack(shown)
    del array, shown
    again[...] = 0
    assert alive() is not None
    del again
    assert alive() is None


def test_the_memory_of_an_array_is_not_freed(nrrd: Library) -> None:
    array = count(3, 4)
    shown = nrrd.module.Nrrd.from_dlpack(array)
    del shown
    np.testing.assert_array_equal(array, count(3, 4))
    array[...] = 1


def test_a_refusal_of_teem_has_the_message_of_its_log(nrrd: Library) -> None:
    array = np.zeros((2, 0))
    before = sys.getrefcount(array)
    for _ in range(2):
        with pytest.raises(RuntimeError, match=r"(?s)nrrdWrap_nva\(.*axis 0 size is zero!"):
            nrrd.module.Nrrd.from_dlpack(array)
    assert sys.getrefcount(array) == before


def test_arrays_of_blocks_are_refused(nrrd: Library) -> None:
    pointer = allocated(nrrd, "uint8", 4)
    ctypes.c_int.from_address((pointer.value or 0) + ctypes.sizeof(ctypes.c_void_p)).value = BLOCK  # behind `data`
    with pytest.raises(BufferError, match=rf"nrrd\.Nrrd: .*self->type.*{BLOCK}"):
        np.from_dlpack(nrrd.wrap("nrrd", pointer))


def test_a_new_array_without_axes_is_refused(nrrd: Library) -> None:
    shown = nrrd.wrap("nrrd", nrrd.pointer("nrrdNew"))
    with pytest.raises(BufferError, match=r"nrrd\.Nrrd: "):
        np.from_dlpack(shown)


REFUSED: dict[str, tuple[Array, str]] = {
    "rank 0": (np.zeros(()), "0 axes, not 1 to 16"),
    "rank 17": (np.zeros([1] * 17), "17 axes, not 1 to 16"),
    "complex": (np.zeros(3, np.complex64), "complex64"),
    "bool": (np.zeros(3, bool), "bool"),
    "half": (np.zeros(3, np.float16), "float16"),
    "a part of each row": (np.zeros((3, 4))[:, :2], "compact"),
    "by columns": (np.zeros((3, 4)).T, "compact"),
    "backwards": (np.zeros(3)[::-1], "compact"),
    "one element for all": (np.lib.stride_tricks.as_strided(np.zeros(1), (3,), (0,)), "compact|overlap"),
    "read-only": (frozen(np.zeros(3)), "read-only"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_arrays_that_teem_cannot_use_are_refused(nrrd: Library, case: str) -> None:
    array, message = REFUSED[case]
    with pytest.raises(BufferError, match=rf"nrrd\.Nrrd: .*({message})"):
        nrrd.module.Nrrd.from_dlpack(array)


def test_strides_of_single_elements_do_not_matter(nrrd: Library) -> None:
    array = count(4, 5)
    for part in (array[1:2], array[1:2, 2:3], array[::5], array.T[2:3, 1:2]):
        shown = nrrd.module.Nrrd.from_dlpack(part)
        assert axes(nrrd, nrrd.unwrap("nrrd", shown), 2) == [*part.shape][::-1]
        assert_same(np.from_dlpack(shown), part)
