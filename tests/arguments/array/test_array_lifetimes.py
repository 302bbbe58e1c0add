"""A call holds its arguments until it has ended, releases each one once, and leaks nothing."""

from __future__ import annotations

import contextlib
import ctypes
import gc
import pickle
import weakref
from collections.abc import Callable
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from functions.arrays_library import matrix, numbers, read_only
from functions.arrays_producers import Answering, Called, Ending, Number, Old
from python.leaks import Operation, assert_no_growth, refused, warm_up
from support.build import ABI3

FLOAT64, FLOAT32, UINT8 = (2, 64, 1), (2, 32, 1), (1, 8, 1)
DELETED_ONCE = (1, 0, 0)


@pytest.fixture
def tensor(managed: Callable[..., Any]) -> Callable[..., Any]:
    """Makes capsules of float64 tensors."""
    return lambda **fields: managed(**{"dtype": FLOAT64, **fields}).capsule()


class TestDeleters:
    """Each deleter runs once, after the call, with no exception pending."""

    @pytest.mark.parametrize("versioned", [True, False])
    @pytest.mark.parametrize("function", ["numbers_sum", "matrix_sum", "tensor_sum", "numbers_wait", "matrix_wait"])
    def test_an_argument_is_released_after_the_call(
        self, arrays: ModuleType, tensor: Any, producer: ModuleType, function: str, versioned: bool
    ) -> None:
        arrays.gate_open()
        capsule = tensor(versioned=versioned)
        assert getattr(arrays, function)(capsule) == 0
        assert producer.record() == DELETED_ONCE
        with pytest.raises(ValueError, match=rf"^{function}\(\) argument 'x': this DLPack capsule has been consumed"):
            getattr(arrays, function)(capsule)
        del capsule
        gc.collect()
        assert producer.record() == (0, 0, 0)

    def test_an_argument_is_released_after_copies_are_written_back(self, arrays: ModuleType) -> None:
        x, seen = numbers(4), []
        arrays.numbers_scale(Ending(x, lambda: seen.append(x.tolist())), 2.0)
        arrays.numbers_scale_copied(Ending(x[::2], lambda: seen.append(x.tolist())), 2.0)
        assert seen == [[2, 4, 6, 8], [4, 4, 12, 8]]

    @pytest.mark.parametrize("place", [0, 1, 2])
    def test_all_arguments_are_released_when_one_of_three_is_refused(
        self, arrays: ModuleType, tensor: Any, producer: ModuleType, place: int
    ) -> None:
        given = [tensor(dtype=FLOAT64 if i == place else UINT8) for i in range(3)]
        with pytest.raises(BufferError, match=rf"^pictures_sum\(\) argument '{'abc'[place]}': the dtype is float64"):
            arrays.pictures_sum(*given)
        del given
        assert producer.record() == (3, 0, 0)

    def test_all_arguments_are_released_when_the_function_fails(
        self, arrays: ModuleType, tensor: Any, producer: ModuleType
    ) -> None:
        with pytest.raises(RuntimeError, match=r"^matrix_fail\(\): matrix_fail\(\) failed with -1$"):
            arrays.matrix_fail(tensor(), tensor(axes=((2, 2), (1, 2))))
        assert producer.record() == (2, 0, 0)

    def test_earlier_arguments_are_released_when_a_later_producer_raises(
        self, arrays: ModuleType, tensor: Any, producer: ModuleType
    ) -> None:
        error = LookupError("not today")

        def fail() -> None:
            raise error

        with pytest.raises(LookupError) as caught:
            arrays.pictures_sum(tensor(dtype=UINT8), tensor(dtype=UINT8), Called(numbers(2), fail))
        assert caught.value is error
        assert producer.record() == (2, 0, 0)

    def test_an_argument_is_released_when_the_library_makes_no_object_of_it(
        self, arrays: ModuleType, tensor: Any, producer: ModuleType
    ) -> None:
        living = arrays.picture_count()
        arrays.picture_refuse(1)
        try:
            with pytest.raises(RuntimeError) as caught:
                arrays.picture_sum(tensor(dtype=UINT8))
        finally:
            arrays.picture_refuse(0)
        assert str(caught.value).startswith("picture_sum() argument 'x': picture_around(")
        assert producer.record() == DELETED_ONCE
        assert arrays.picture_count() == living

    def test_an_argument_is_released_when_the_library_makes_another_object(
        self, arrays: ModuleType, tensor: Any, producer: ModuleType
    ) -> None:
        living = arrays.picture_count()
        arrays.picture_refuse(2)
        try:
            with pytest.raises(
                BufferError, match=r"^picture_sum\(\) argument 'x': the new object shows shape\[0\] as 1"
            ):
                arrays.picture_sum(tensor(dtype=UINT8))
        finally:
            arrays.picture_refuse(0)
        assert producer.record() == DELETED_ONCE
        assert arrays.picture_count() == living

    def test_one_capsule_cannot_be_two_arguments(self, arrays: ModuleType, tensor: Any, producer: ModuleType) -> None:
        capsule = tensor()
        with pytest.raises(ValueError, match=r"^numbers_sum_weighted\(\) argument 'weights': this DLPack capsule has"):
            arrays.numbers_sum_weighted(capsule, capsule)
        assert producer.record() == DELETED_ONCE

    def test_the_memory_may_be_freed_after_the_call(self, arrays: ModuleType) -> None:
        x = numbers(3, 3)
        there = weakref.ref(x)
        assert arrays.matrix_sum(Called(x)) == arrays.numbers_sum(x) == 45
        del x
        assert there() is None

    def test_a_failing_call_leaves_buffers_free(self, arrays: ModuleType) -> None:
        memory = bytearray(8)
        with pytest.raises(BufferError):
            arrays.numbers_copy(memory, numbers(1))
        memory.append(1)


class TestInvalidated:
    """A call that resizes an object is refused while something else uses its memory."""

    IN_USE = r"^matrix_remake\(\) argument 'x': its memory is in use: {} exports, {} objects made of it$"

    @pytest.mark.parametrize(
        "use",
        [np.from_dlpack, np.asarray, memoryview, lambda x: x.__dlpack__()],
        ids=["NumPy", "an array view", "memoryview", "a capsule"],
    )
    def test_an_exported_object_is_not_invalidated(self, arrays: ModuleType, use: Callable[[Any], Any]) -> None:
        own = arrays.Matrix(2, 3)
        held = use(own)
        with pytest.raises(BufferError, match=self.IN_USE.format(1, 0)):
            arrays.matrix_remake(own, 4, 5)
        with pytest.raises(BufferError, match=r"^resize\(\) argument 'self': its memory is in use: 1 exports"):
            own.resize(4, 5)
        assert own.shape == (2, 3)
        del held
        arrays.matrix_remake(own, 4, 5)
        assert own.shape == np.asarray(own).shape == (4, 5)

    def test_an_object_with_a_part_in_use_is_not_invalidated(self, arrays: ModuleType) -> None:
        picture = arrays.Picture(4, 6)
        rows = arrays.picture_rows(picture, 1, 2)
        with pytest.raises(BufferError, match=r"^picture_renew\(\) argument 'x': its memory is in use: 0 exports, 1"):
            arrays.picture_renew(picture)
        rows.close()
        assert arrays.picture_renew(picture) is None

    def test_an_object_inside_another_object_is_not_invalidated(self, arrays: ModuleType) -> None:
        picture = arrays.Picture(4, 6)
        view, rows = np.asarray(picture), arrays.picture_rows(picture, 1, 2)
        with pytest.raises(BufferError) as caught:
            arrays.picture_renew(rows)
        assert str(caught.value) == "picture_renew() argument 'x': it belongs to another object or to the library"
        assert view.shape == (6, 4)

    def test_imported_memory_is_not_invalidated(self, arrays: ModuleType) -> None:
        """The library would free memory that it has not allocated."""
        message = "argument '{}': its memory belongs to the array that it was made from$"
        for own in (arrays.Matrix.from_dlpack(numbers(2, 3)), pickle.loads(pickle.dumps(arrays.Matrix(2, 3)))):
            with pytest.raises(BufferError, match=message.format("x")):
                arrays.matrix_remake(own, 4, 5)
            with pytest.raises(BufferError, match=message.format("self")):
                own.resize(4, 5)
            assert own.shape == (2, 3)

    def test_an_object_that_the_call_invalidates_is_passed_only_once(self, arrays: ModuleType) -> None:
        own = arrays.Matrix(2, 2)
        with pytest.raises(BufferError) as caught:
            arrays.matrix_take(own, own)
        assert str(caught.value) == (
            "matrix_take() argument 'source' is the object of argument 'to', which the call takes over or moves: "
            "pass another object"
        )
        with pytest.raises(BufferError, match="in use: 1 exports"):
            arrays.matrix_take(own, np.asarray(own))
        arrays.matrix_take(own := arrays.Matrix(1, 1), numbers(2, 2))
        assert np.asarray(own).tolist() == [[10, 0], [0, 0]]

    def test_only_own_objects_can_be_invalidated(self, arrays: ModuleType) -> None:
        with pytest.raises(TypeError) as caught:
            arrays.matrix_remake(numbers(2, 2), 1, 1)
        assert str(caught.value) == "matrix_remake() argument 'x' must be Matrix, not numpy.ndarray"


class TestResultsThatBorrow:
    def test_a_borrowed_result_keeps_an_own_object(self, arrays: ModuleType) -> None:
        picture = arrays.Picture.from_dlpack(np.arange(12, dtype=np.uint8).reshape(4, 3))
        rows = arrays.picture_rows(picture, 1, 2)
        picture.close()
        assert np.asarray(rows).tolist() == [[3, 4, 5], [6, 7, 8]]

    def test_a_borrowed_result_keeps_a_foreign_array(self, arrays: ModuleType) -> None:
        x, ended = np.arange(12, dtype=np.uint8).reshape(4, 3), []
        rows = arrays.picture_rows(Ending(x, lambda: ended.append(True)), 1, 2)
        gc.collect()
        assert not ended
        view = np.asarray(rows)
        x[1] = 7
        assert view.tolist() == [[7, 7, 7], [6, 7, 8]]
        del rows
        gc.collect()
        assert not ended
        del view
        assert ended

    def test_a_result_that_borrows_from_a_read_only_array_is_read_only(self, arrays: ModuleType) -> None:
        x = read_only(np.zeros((4, 3), np.uint8))
        with pytest.raises(BufferError, match=r"^picture_rows\(\) argument 'of': the .* is read-only"):
            arrays.picture_rows(x, 1, 2)
        assert arrays.picture_shown(x).readonly

    def test_a_result_that_borrows_from_a_read_only_object_is_read_only(self, arrays: ModuleType) -> None:
        shown = arrays.picture_shown(arrays.picture_shown(np.zeros((4, 3), np.uint8)))
        assert shown.readonly

    def test_a_result_does_not_live_in_a_copy(self, arrays: ModuleType) -> None:
        picture = arrays.Picture(3, 4)
        with pytest.raises(BufferError, match=r"^picture_rows_aligned\(\) argument 'of': the data must be aligned"):
            arrays.picture_rows_aligned(picture, 0, 1)

    def test_a_result_of_a_function_that_only_reads_is_read_only(self, arrays: ModuleType) -> None:
        x = np.zeros((4, 3), np.uint8)
        assert arrays.picture_shown(x).readonly
        assert arrays.picture_rows(x, 0, 1).readonly is False


class TestAllocations:
    """A call with one array allocates no memory of the runtime."""

    @pytest.fixture
    def mallocs(self, arrays: ModuleType) -> Callable[[Operation], int]:
        library = ctypes.PyDLL(arrays.__file__)

        def count(operation: Operation) -> int:
            operation()
            for number in range(10):
                library.scarcity_begin(number)
                with contextlib.suppress(MemoryError):
                    operation()
                if not library.scarcity_end():
                    return number
            raise AssertionError("never enough")

        return count

    def test_arrays_and_own_objects_are_taken_without_allocations(self, arrays: ModuleType, mallocs: Any) -> None:
        x, own = numbers(3, 4), matrix(arrays)[0]
        for given in (x, x[:, ::1], own, memoryview(x)):
            for function in (arrays.numbers_sum, arrays.matrix_sum, arrays.tensor_sum, arrays.matrix_wait):
                arrays.gate_open()
                assert mallocs(lambda f=function, g=given: f(g)) == 0
        assert mallocs(lambda: arrays.matrix_add(own, x, x)) == 0

    def test_short_lists_are_taken_without_allocations(self, arrays: ModuleType, mallocs: Any) -> None:
        """The limited API does not tell where the items of a list are."""
        assert mallocs(lambda: arrays.numbers_sum([1.0, 2.0])) == int(ABI3)

    def test_a_copy_takes_one_allocation(self, arrays: ModuleType, mallocs: Any) -> None:
        x = numbers(3, 8)[:, ::2]
        assert mallocs(lambda: arrays.numbers_sum_copied(x)) == 1
        assert mallocs(lambda: arrays.numbers_sum([1.0] * 100)) == 1
        assert mallocs(lambda: arrays.matrices_sum([numbers(1, 1)] * 3)) == 1
        assert mallocs(lambda: arrays.matrices_scale([x, x], 1.0)) == 3


class Labelled:
    """A table of many axes, whose number is made anew each time."""

    def keys(self) -> list[int]:
        return [0]

    def __len__(self) -> int:
        return 1

    def __getitem__(self, index: int) -> float:
        return float(index)

    @property
    def ndim(self) -> int:
        return int("123456789") << 64


def fail() -> Any:
    raise LookupError


WORKING: dict[str, Callable[[ModuleType], Any]] = {
    "pointer": lambda m: m.numbers_sum(numbers(3)),
    "call": lambda m: m.numbers_sum(Called(numbers(3))),
    "old call": lambda m: m.matrix_sum(Old(numbers(3, 3))),
    "bytes": lambda m: m.memory_size(b"abc"),
    "numbers": lambda m: m.numbers_sum([1, 2, 3]),
    "copies": lambda m: m.matrix_add_copied(numbers(3, 3).T, numbers(3, 3).T, numbers(3, 3).T),
    "own": lambda m: m.numbers_scale_copied(matrix(m, stride=6)[0], 2.0),
    "like": lambda m: m.matrix_add(numbers(3, 3), numbers(3, 3)),
    "list": lambda m: m.matrices_scale([numbers(3, 3).T, matrix(m)[0], Called(numbers(2, 2))], 2.0),
    "construct": lambda m: m.picture_sum(np.zeros((3, 3), np.uint8)),
    "kept": lambda m: m.picture_rows(np.zeros((3, 3), np.uint8), 1, 1),
    "deleter": lambda m: m.strip_sum(np.zeros(3, np.uint16)),
    "ending": lambda m: m.matrix_sum(Ending(numbers(3, 3), list)),
    "method": lambda m: m.Tank().fill(numbers(3)),
}
FAILING: dict[str, tuple[type[Exception], Callable[[ModuleType], Any]]] = {
    "dtype": (BufferError, lambda m: m.numbers_sum(np.zeros(3, np.int8))),
    "layout": (BufferError, lambda m: m.matrix_sum(Called(numbers(4, 4)[:, ::2]))),
    "read-only": (BufferError, lambda m: m.numbers_scale(read_only(numbers(3)), 2.0)),
    "rank": (BufferError, lambda m: m.matrix_sum(Called(numbers(3)))),
    "elements": (ValueError, lambda m: m.numbers_sum3(Called(numbers(4)))),
    "third": (BufferError, lambda m: m.pictures_sum(*[np.zeros((2, 2), np.uint8)] * 2, Called(numbers(2)))),
    "item": (BufferError, lambda m: m.matrices_sum([numbers(2, 2), matrix(m)[0], Called(numbers(2))])),
    "number": (TypeError, lambda m: m.numbers_sum([1.0, 2.0, "x"])),
    "table": (TypeError, lambda m: m.numbers_sum(Labelled())),
    "no number": (LookupError, lambda m: m.numbers_sum([1.0, Number(fail)])),
    "function": (RuntimeError, lambda m: m.matrix_fail(numbers(3, 3).T, matrix(m)[0])),
    "like": (ValueError, lambda m: m.matrix_add(numbers(3, 3), numbers(2, 2))),
    "producer": (LookupError, lambda m: m.numbers_sum_weighted(Called(numbers(3)), Answering(fail))),
    "no capsule": (TypeError, lambda m: m.numbers_sum(Answering(list))),
    "closed": (ValueError, lambda m: [m.matrix_sum(own) for own in [matrix(m)[0]] if own.close() is None]),
    "in use": (BufferError, lambda m: [own.resize(1, 1) for own in [m.Matrix(2, 2)] for _ in [np.asarray(own)]]),
    "kept": (BufferError, lambda m: m.picture_rows(numbers(3, 3), 1, 1)),
    "deleter": (BufferError, lambda m: m.strip_sum(numbers(3))),
}


class TestLeaks:
    @pytest.mark.parametrize("name", WORKING)
    def test_a_successful_call_leaks_nothing(self, arrays: ModuleType, name: str) -> None:
        def operation() -> Any:
            return WORKING[name](arrays)

        living = arrays.picture_count()
        warm_up(operation)
        assert_no_growth(operation)
        assert arrays.picture_count() == living

    @pytest.mark.parametrize("name", FAILING)
    def test_a_failed_call_leaks_nothing(self, arrays: ModuleType, name: str) -> None:
        error, call = FAILING[name]
        operation = refused(error, lambda: call(arrays))
        living = arrays.picture_count()
        warm_up(operation)
        assert_no_growth(operation)
        assert arrays.picture_count() == living
