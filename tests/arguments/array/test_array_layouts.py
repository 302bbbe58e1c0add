"""Layouts that a function cannot take: refused, or copied where the spec allows it, and then written back."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from functions.arrays_library import Doubles, address, matrix, numbers, read_only
from functions.arrays_producers import Called, Described
from python.tensors import IS_COPIED

FLOAT64, INT4 = (2, 64, 1), (0, 4, 1)

Layout = Callable[[], Doubles]

FOR_A_TABLE: dict[str, Layout] = {
    "compact": lambda: numbers(3, 4),
    "padded": lambda: numbers(3, 7)[:, :4],
    "column-major": lambda: numbers(4, 3).T,
    "strided": lambda: numbers(6, 12)[1::2, ::3],
    "backwards": lambda: numbers(3, 4)[::-1, ::-1],
    "a part": lambda: numbers(5, 6)[1:4, 2:],
    "a field": lambda: np.zeros((3, 4), [("a", "f8"), ("b", "f8")])["b"],
    "one row": lambda: numbers(3, 12)[1:2, ::3],
    "one column": lambda: numbers(3, 12)[::2, 5:6],
    "empty": lambda: numbers(3, 4)[:0, ::2],
}
OTHERS: dict[str, Layout] = {
    "rank 0": lambda: np.full((), 3.0),
    "rank 1, strided": lambda: numbers(9)[::-3],
    "rank 3, permuted": lambda: numbers(2, 3, 4).transpose(1, 2, 0),
    "rank 4, a part": lambda: numbers(4, 4, 4, 4)[::3, 1:3, ::-1, 2:],
}
GIVEN: dict[str, Callable[[Doubles], Any]] = {
    "ndarray": lambda x: x,
    "call": Called,
    "memoryview": memoryview,
    "legacy capsule": lambda x: x.__dlpack__(),
}


@pytest.mark.parametrize("given", GIVEN)
@pytest.mark.parametrize("layout", [*FOR_A_TABLE, *OTHERS])
class TestCopies:
    def test_an_array_of_any_layout_is_copied_for_reading(self, arrays: ModuleType, layout: str, given: str) -> None:
        x = (FOR_A_TABLE | OTHERS)[layout]()
        before = x.copy()
        assert arrays.numbers_sum_copied(GIVEN[given](x)) == x.sum()
        assert (x == before).all()

    def test_a_copy_that_c_has_changed_is_written_back(self, arrays: ModuleType, layout: str, given: str) -> None:
        x = (FOR_A_TABLE | OTHERS)[layout]()
        around = x if x.base is None else x.base
        before = x.copy()
        x[...] = 2 * before
        wanted = around.copy()
        x[...] = before
        arrays.numbers_scale_copied(GIVEN[given](x), 2.0)
        assert (around == wanted).all()


def test_an_array_that_warns_of_writes_is_read_without_a_warning(arrays: ModuleType) -> None:
    """NumPy will make the results of `broadcast_arrays` read-only, and until then warns of code that writes to them."""
    x, _ = np.broadcast_arrays(numbers(3), numbers(2, 3))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert arrays.numbers_sum_copied(x) == 2 * numbers(3).sum()


PACKED = np.dtype([("tag", "u1"), ("x", "f8"), ("y", "f8", (2,)), ("end", "u1")])
UNDESCRIBED: dict[str, Layout] = {
    "a field of packed records": lambda: np.ones((3, 4), PACKED)["x"],
    "backwards": lambda: np.ones((3, 4), PACKED)["x"][::-1, ::-2],
    "transposed": lambda: np.ones((3, 4), PACKED)["x"].T,
    "a field with an axis": lambda: np.ones(3, PACKED)["y"],
    "a field with an axis, transposed": lambda: np.ones(3, PACKED)["y"].T,
    "rows of odd length": lambda: np.ndarray((3, 4), "f8", bytearray(120), strides=(39, 8)),
    "columns of odd length": lambda: np.ndarray((3, 4), "f8", bytearray(120), strides=(8, 27)),
    "unaligned": lambda: np.ndarray((3, 4), "f8", bytearray(97), 1),
    "one record": lambda: np.ones((3, 1), PACKED)["x"],
    "empty": lambda: np.ones((3, 0), PACKED)["x"],
    "rank 3": lambda: np.ones((2, 3, 2), PACKED)["x"][..., ::-1],
}
DESCRIBED: dict[str, Callable[[Doubles], Any]] = {
    "ndarray": lambda x: x,
    "memoryview": memoryview,
    "interface": Described,
}


@pytest.mark.parametrize("given", DESCRIBED)
@pytest.mark.parametrize("layout", UNDESCRIBED)
class TestLayoutsThatDLPackCannotDescribe:
    """The strides in bytes are not multiples of the size of an element, or the data is not aligned."""

    def test_elements_that_are_read_are_copied(self, arrays: ModuleType, layout: str, given: str) -> None:
        x = UNDESCRIBED[layout]()
        x[...] = np.arange(x.size).reshape(x.shape)
        assert arrays.numbers_sum_copied(DESCRIBED[given](x)) == x.sum()
        assert (x.ravel() == np.arange(x.size)).all()

    def test_elements_that_were_written_are_written_back(self, arrays: ModuleType, layout: str, given: str) -> None:
        x = UNDESCRIBED[layout]()
        x[...] = np.arange(x.size).reshape(x.shape)
        around = np.frombuffer(x.base, np.uint8).copy()
        arrays.numbers_scale_copied(DESCRIBED[given](x), 2.0)
        assert (x.ravel() == 2 * np.arange(x.size)).all()
        x[...] = np.arange(x.size).reshape(x.shape)
        assert (np.frombuffer(x.base, np.uint8) == around).all()


@pytest.mark.parametrize("given", DESCRIBED)
@pytest.mark.parametrize("layout", [name for name, made in UNDESCRIBED.items() if made().ndim == 2])
def test_structs_are_filled_with_copies(arrays: ModuleType, layout: str, given: str) -> None:
    x = UNDESCRIBED[layout]()
    x[...] = np.arange(x.size).reshape(x.shape)
    arrays.matrix_scale_copied(DESCRIBED[given](x), 3.0)
    assert (x.ravel() == 3 * np.arange(x.size)).all()
    assert arrays.matrix_sum_copied(DESCRIBED[given](x)) == x.sum()


def test_overlapping_elements_of_an_odd_distance_are_not_written(arrays: ModuleType) -> None:
    x = np.ndarray(3, "f8", bytearray(64), strides=(5,))
    assert arrays.numbers_sum_copied(x) == 0
    with pytest.raises(BufferError, match="the array must be without overlap"):
        arrays.numbers_scale_copied(x, 2.0)


def test_odd_strides_are_refused_where_nothing_is_copied(arrays: ModuleType) -> None:
    x = np.ones(3, PACKED)["x"]
    for given in DESCRIBED.values():
        with pytest.raises(
            BufferError, match=r"strides\[0\] of the array is 26 bytes: not a multiple of the item size 8$"
        ):
            arrays.numbers_sum(given(x))


@pytest.mark.parametrize("layout", FOR_A_TABLE)
class TestStructs:
    def test_structs_of_pointers_and_strides_read_any_layout(self, arrays: ModuleType, layout: str) -> None:
        x = FOR_A_TABLE[layout]()
        assert arrays.matrix_sum_copied(x) == x.sum()
        assert arrays.matrix_sum_square(x) == x.sum()

    def test_structs_of_pointers_and_strides_write_any_layout(self, arrays: ModuleType, layout: str) -> None:
        x = FOR_A_TABLE[layout]()
        before = x.copy()
        arrays.matrix_scale_copied(x, 3.0)
        assert (x == 3 * before).all()

    def test_a_function_that_takes_all_strides_copies_nothing(self, arrays: ModuleType, layout: str) -> None:
        x = FOR_A_TABLE[layout]()
        before = x.copy()
        arrays.numbers_scale_table(x, 3.0)
        assert (x == 3 * before).all()


class TestOwnObjects:
    """The rows of these objects are 7 elements apart."""

    def test_an_own_object_is_copied_for_reading(self, arrays: ModuleType) -> None:
        made, view = matrix(arrays, 3, 4, 7)
        assert arrays.numbers_sum_copied(made) == view.sum()
        assert arrays.matrix_sum_square(made) == view.sum()

    @pytest.mark.parametrize("function", ["numbers_scale_copied", "matrix_scale_copied"])
    def test_a_copy_of_an_own_object_is_written_back(self, arrays: ModuleType, function: str) -> None:
        made, view = matrix(arrays, 3, 4, 7)
        before = view.copy()
        getattr(arrays, function)(made, 2.0)
        assert (view == 2 * before).all()
        assert view.base[:, 4:].tolist() == numbers(3, 7)[:, 4:].tolist()

    def test_an_own_object_that_meets_the_requirements_is_not_copied(self, arrays: ModuleType) -> None:
        made, view = matrix(arrays)
        arrays.matrix_scale_copied(made, 2.0)
        assert address(view) == arrays.matrix_where(made)
        assert view[0].tolist() == [2, 4, 6, 8]

    def test_source_and_destination_may_be_the_same(self, arrays: ModuleType) -> None:
        x = numbers(6, 8)[::2, ::2]
        before = x.copy()
        arrays.matrix_add_copied(x, x, x)
        assert (x == 2 * before).all()


def test_a_failed_call_writes_no_copy_back(arrays: ModuleType) -> None:
    x = numbers(4, 3).T
    before = x.copy()
    with pytest.raises(RuntimeError):
        arrays.matrix_fail(x, x)
    assert (x == before).all()


def test_copies_are_aligned_as_is_required(arrays: ModuleType) -> None:
    raw = np.zeros(8 * 10 + 64, np.uint8)
    offset = -raw.__array_interface__["data"][0] % 64 + 8
    x = raw[offset : offset + 80].view(np.float64)
    x[:] = numbers(10)
    assert arrays.numbers_sum_aligned(x) == x.sum()
    with pytest.raises(BufferError) as caught:
        arrays.numbers_where_aligned(x)
    assert str(caught.value) == "numbers_where_aligned() argument 'x': the data must be aligned to 4096 bytes"


def test_elements_lie_where_their_type_may(arrays: ModuleType) -> None:
    x = np.frombuffer(bytearray(33), np.float64, 4, offset=1)
    for function in (arrays.numbers_sum, arrays.matrix_sum):
        with pytest.raises(BufferError) as caught:
            function(x.reshape(2, 2))
        assert str(caught.value) == f"{function.__name__}() argument 'x': the data must be aligned to 8 bytes"
    with pytest.raises(BufferError, match=r"^arrays\.Matrix: the data must be aligned to 8 bytes$"):
        arrays.Matrix.from_dlpack(x.reshape(2, 2))
    x[:] = numbers(4)
    assert arrays.matrix_sum_copied(x.reshape(2, 2)) == 10


def test_the_length_of_the_prototype_is_checked(arrays: ModuleType) -> None:
    assert arrays.numbers_sum_of(3, numbers(3)) == 6
    with pytest.raises(ValueError) as caught:
        arrays.numbers_sum_of(1000, numbers(2))
    assert str(caught.value) == "numbers_sum_of() argument 'x' must have 1000 elements, not 2"


def test_elements_below_a_byte_are_copied_together_or_not_at_all(arrays: ModuleType, managed: Any) -> None:
    packed = managed(dtype=INT4, axes=((2, 4), (4, 1)))
    assert arrays.memory_size(packed.capsule()) == 4
    apart = managed(dtype=INT4, axes=((2, 3), (4, 1)))
    with pytest.raises(BufferError, match=r"argument 'x': the array must be compact \(row-major\)"):
        arrays.tensor_flags_copied(apart.capsule())


class TestWhatCannotBeWrittenBack:
    @pytest.mark.parametrize(
        ("shape", "strides"), [((3, 3), (0, 8)), ((3, 3), (8, 8)), ((4,), (0,)), ((2, 2), (8, -8))], ids=str
    )
    @pytest.mark.parametrize("function", ["numbers_scale_copied", "numbers_scale_table", "matrix_scale_copied"])
    def test_arrays_with_elements_that_share_memory_are_not_written(
        self, arrays: ModuleType, function: str, shape: tuple[int, ...], strides: tuple[int, ...]
    ) -> None:
        if len(shape) == 1 and function != "numbers_scale_copied":
            shape, strides = (1, *shape), (0, *strides)
        x = np.lib.stride_tricks.as_strided(numbers(20)[5:], shape, strides)
        with pytest.raises(BufferError, match=r"argument 'x': the array must be without overlap; it has strides"):
            getattr(arrays, function)(x, 2.0)

    def test_arrays_with_elements_that_share_memory_may_be_read(self, arrays: ModuleType) -> None:
        x = np.broadcast_to(numbers(3), (4, 3))
        assert arrays.numbers_sum_copied(x) == arrays.tensor_sum(x) == 24

    @pytest.mark.parametrize("function", ["numbers_scale", "numbers_scale_copied", "matrix_scale_copied"])
    def test_read_only_arrays_are_not_written(self, arrays: ModuleType, function: str) -> None:
        for x in (read_only(numbers(3, 4)), read_only(numbers(4, 3).T), Called(read_only(numbers(3, 4)))):
            with pytest.raises(BufferError) as caught:
                getattr(arrays, function)(x, 2.0)
            assert str(caught.value) == f"{function}() argument 'x': the array is read-only, and must be writable"

    @pytest.mark.parametrize("function", ["numbers_scale", "matrix_scale", "tensor_fill"])
    def test_copies_that_the_producer_made_are_not_written(
        self, arrays: ModuleType, managed: Any, producer: ModuleType, function: str
    ) -> None:
        copy = managed(flags=IS_COPIED, dtype=FLOAT64)
        with pytest.raises(BufferError) as caught:
            getattr(arrays, function)(copy.capsule(), 2.0)
        assert str(caught.value) == (
            f"{function}() argument 'x': the array is a copy made for this call: its changes would be lost"
        )
        assert producer.record() == (1, 0, 0)
        assert arrays.numbers_sum(managed(flags=IS_COPIED, dtype=FLOAT64).capsule()) == 0
