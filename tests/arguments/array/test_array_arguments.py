"""Arrays of any library are arguments: the C function sees their memory, and nothing is copied."""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from functions.arrays_library import address, matrix, numbers
from functions.arrays_producers import FLOAT64, PRODUCERS, Called, description
from python.exchange import Calls
from python.tensors import READ_ONLY

COMPLEX64 = (5, 64, 1)
CUDA, OPENCL = 2, 4


class TestProducers:
    @pytest.mark.parametrize("producer", PRODUCERS)
    def test_a_pointer_points_to_the_memory_of_the_array(self, arrays: ModuleType, producer: str) -> None:
        x = numbers(2, 3)
        assert arrays.memory_where(PRODUCERS[producer](x)) == address(x)
        assert arrays.numbers_sum(PRODUCERS[producer](x)) == x.sum()

    @pytest.mark.parametrize("producer", PRODUCERS)
    def test_a_struct_is_filled_for_the_call(self, arrays: ModuleType, producer: str) -> None:
        x = numbers(5, 4)[::2, :3]
        assert arrays.matrix_where(PRODUCERS[producer](x)) == address(x)
        assert arrays.matrix_sum(PRODUCERS[producer](x)) == x.sum()

    @pytest.mark.parametrize("producer", sorted(set(PRODUCERS) - {"read-only ndarray"}))
    def test_c_writes_to_the_memory_of_the_array(self, arrays: ModuleType, producer: str) -> None:
        x = numbers(3, 5)[:, :2]
        arrays.matrix_scale(PRODUCERS[producer](x), 2.0)
        arrays.tensor_fill(PRODUCERS[producer](x[0]), 7.0)
        assert x.tolist() == [[7, 7], [12, 14], [22, 24]]

    def test_an_object_may_have_a_dlpack_call_that_its_type_lacks(self, arrays: ModuleType) -> None:
        class Plain:
            __dlpack__: Any

        class Asked:
            def __getattr__(self, name: str) -> Any:
                return getattr(x, name) if name == "__dlpack__" else object.__getattribute__(self, name)

        class Failing:
            def __getattribute__(self, name: str) -> Any:
                raise LookupError(name)

        x = numbers(3)
        plain = Plain()
        with pytest.raises(TypeError, match=r"^memory_where\(\) argument 'x' must be an array, not .*Plain$"):
            arrays.memory_where(plain)
        plain.__dlpack__ = x.__dlpack__
        assert arrays.memory_where(plain) == arrays.memory_where(Asked()) == address(x)
        with pytest.raises(LookupError, match="__dlpack__"):
            arrays.memory_where(Failing())

    def test_an_object_is_made_around_the_array_and_freed_after_the_call(self, arrays: ModuleType) -> None:
        living = arrays.picture_count()
        x = np.arange(12, dtype=np.uint8).reshape(3, 4)[::-1]
        assert arrays.picture_where(x) == address(x)
        assert arrays.picture_sum(x) == 66
        arrays.picture_invert(x)
        assert x[0].tolist() == [247, 246, 245, 244]
        assert arrays.picture_count() == living

    def test_a_library_that_keeps_memory_gets_an_object(self, arrays: ModuleType) -> None:
        assert arrays.strip_sum(np.arange(5, dtype=np.uint16)) == 10

    def test_a_struct_by_value_is_filled_for_the_call(self, arrays: ModuleType) -> None:
        assert arrays.slice_sum(numbers(4)) == 10
        assert arrays.slice_sum(arrays.Slice.from_dlpack(numbers(5))) == 15

    def test_a_method_takes_arrays_too(self, arrays: ModuleType) -> None:
        tank = arrays.Tank()
        assert tank.fill(numbers(3)) == 6
        assert tank.fill(x=[0.5, 1]) == 7.5

    @pytest.mark.parametrize("shape", [(), (0,), (1,), (2, 0, 3), (1, 1, 1), (1,) * 32], ids=str)
    def test_every_shape_arrives_as_itself(self, arrays: ModuleType, shape: tuple[int, ...]) -> None:
        x = numbers(*shape)
        assert arrays.numbers_sum(x) == x.sum()
        assert arrays.tensor_text(x).split(", ")[-1].count("/") == len(shape)
        assert arrays.memory_size(x) == x.nbytes

    def test_axes_of_extent_one_may_have_any_stride(self, arrays: ModuleType, managed: Callable[..., Any]) -> None:
        x = np.lib.stride_tricks.as_strided(numbers(3), (1, 3, 1), (8000, 8, -24))
        assert arrays.numbers_sum(x) == 6
        assert arrays.matrix_sum(x[:, :, 0]) == 6
        odd = managed(axes=((1, 3, 1), (1000, 1, -3)))
        assert arrays.tensor_text(odd.capsule()) == "2:32:1 on 1:0, 1/3 3/1 1/1"

    def test_none_is_accepted_where_the_spec_allows_it(self, arrays: ModuleType) -> None:
        assert arrays.matrix_sum_if(None) == arrays.matrix_sum_if() == 0
        assert arrays.numbers_sum_weighted([1.0, 2.0], None) == arrays.numbers_sum_weighted([1.0, 2.0]) == 3
        assert arrays.numbers_sum_weighted([1.0, 2.0], weights=numbers(2)) == 5
        for _ in range(2):  # what numpy.ndarray is, the first call learns
            assert arrays.numbers_sum_weighted(numbers(2), None) == arrays.numbers_sum_weighted(numbers(2)) == 3
            assert arrays.numbers_sum_weighted(numbers(2), numbers(2)) == 5
        assert (arrays.tensor_is_there(None), arrays.tensor_is_there(numbers(1))) == (0, 1)


class TestObjects:
    def test_an_object_of_the_class_is_passed_itself(self, arrays: ModuleType) -> None:
        made, view = matrix(arrays, stride=6)
        assert arrays.matrix_where(made) == address(view)
        arrays.matrix_scale(made, 3.0)
        assert arrays.matrix_sum(made) == view.sum() == 306

    def test_an_object_of_a_class_is_passed_as_pointer_or_tensor_too(self, arrays: ModuleType) -> None:
        made, view = matrix(arrays)
        arrays.numbers_scale(made, 2.0)
        assert view[0].tolist() == [2, 4, 6, 8]
        assert arrays.tensor_text(made) == description(view)
        assert arrays.tensor_where(made) == arrays.memory_where(made) == address(view)

    def test_an_object_of_another_class_is_an_array(self, arrays: ModuleType) -> None:
        picture = arrays.Picture.from_dlpack(np.ones((2, 3), np.uint8))
        assert arrays.memory_size(picture) == 6
        with pytest.raises(BufferError, match=r"argument 'x': the dtype is uint8, not float64"):
            arrays.matrix_sum(picture)

    def test_an_object_of_another_module_is_an_array(self, arrays: ModuleType, lab: ModuleType) -> None:
        x = numbers(4, 6)[:, :3]
        other = lab.Moved.from_dlpack(x)
        assert arrays.matrix_where(other) == arrays.tensor_where(other) == address(x)
        arrays.matrix_scale(other, 2.0)
        arrays.numbers_copy(lab.Moved.from_dlpack(x[0]), numbers(3))
        assert x[:2].tolist() == [[1, 2, 3], [14, 16, 18]]

    def test_an_omitted_output_is_made_like_another_argument(self, arrays: ModuleType) -> None:
        x = numbers(3, 8)[:, ::2]
        for a in (arrays.Matrix.from_dlpack(numbers(3, 4)), numbers(3, 4)):
            made = arrays.matrix_add(a, Called(numbers(3, 4)))
            assert type(made) is arrays.Matrix
            assert np.asarray(made).tolist() == (2 * numbers(3, 4)).tolist()
        with pytest.raises(BufferError, match="argument 'a': the array must be compact but for the outermost axis"):
            arrays.matrix_add(x, x)

    def test_an_output_that_is_given_is_returned_itself(self, arrays: ModuleType) -> None:
        to = np.zeros((3, 4))
        assert arrays.matrix_add(numbers(3, 4), numbers(3, 4), to) is to
        assert to[0].tolist() == [2, 4, 6, 8]

    def test_numbers_beside_a_pointer_get_the_extents_of_the_array(self, arrays: ModuleType) -> None:
        for given in (matrix(arrays, 3, 4, 6)[0], numbers(3, 6)[:, :4], arrays.Matrix(3, 4)):
            assert arrays.matrix_area(given) == 12


class TestTables:
    @pytest.mark.borrowing
    @pytest.mark.parametrize("function", ["numbers_sum", "matrix_sum", "tensor_sum"])
    def test_a_view_from_the_exchange_table_is_borrowed_for_the_call(
        self, arrays: ModuleType, tabled: Any, function: str
    ) -> None:
        source = tabled()
        assert getattr(arrays, function)(source) == 0
        assert source.asked == ["view"]

    def test_a_table_without_a_view_gives_a_managed_tensor(
        self, arrays: ModuleType, tabled: Any, producer: ModuleType
    ) -> None:
        source = tabled(without="view")
        assert arrays.numbers_sum(source) == 0
        assert (source.asked, producer.record()) == (["table"], (1, 0, 0))

    @pytest.mark.parametrize("problem", [BufferError("read-only"), NotImplemented], ids=repr)
    def test_a_table_whose_view_fails_gives_a_managed_tensor(
        self, arrays: ModuleType, tabled: Any, producer: ModuleType, problem: Any
    ) -> None:
        class Unwilling(tabled.base):
            def lend(self) -> Any:
                if problem is NotImplemented:
                    return problem
                raise problem

        source = tabled(Unwilling)
        assert arrays.numbers_sum(source) == 0
        assert (source.asked, producer.record()) == (["table"], (1, 0, 0))

    @pytest.mark.borrowing
    @pytest.mark.parametrize("problem", [KeyboardInterrupt, MemoryError])
    def test_an_interrupt_or_a_lack_of_memory_in_the_view_is_raised(
        self, arrays: ModuleType, tabled: Any, problem: type[BaseException]
    ) -> None:
        class Unwilling(tabled.base):
            def lend(self) -> Any:
                raise problem

        source = tabled(Unwilling)
        with pytest.raises(problem):
            arrays.numbers_sum(source)
        assert source.asked == []

    def test_an_exception_of_a_failing_table_is_raised(self, arrays: ModuleType, tabled: Any) -> None:
        class Failing(Calls):
            def give(self) -> Any:
                raise LookupError("not today")

        class Silent(Calls):
            def give(self) -> Any:
                return NotImplemented

        with pytest.raises(LookupError, match=r"^numbers_sum\(\) argument 'x': not today$"):
            arrays.numbers_sum(tabled(Failing, without="view"))
        with pytest.raises(RuntimeError, match=r"^numbers_sum\(\) argument 'x': the exchange table of .*Silent.* fail"):
            arrays.numbers_sum(tabled(Silent, without="view"))

    @pytest.mark.parametrize("without", ["", "view"])
    @pytest.mark.parametrize("doubtful", [{"dtype": COMPLEX64}, {"device_type": CUDA}], ids=str)
    def test_dlpack_is_called_where_the_table_may_have_hidden_a_property(
        self, arrays: ModuleType, tabled: Any, producer: ModuleType, without: str, doubtful: dict[str, Any]
    ) -> None:
        class Both(tabled.base, Calls):
            pass

        source = tabled(Both, without, **doubtful)
        text = "5:64:1 on 1:0, 2/3 3/1" if "dtype" in doubtful else "2:64:1 on 2:0, 2/3 3/1"
        for _ in range(2):
            assert (arrays.tensor_text(source), source.asked[-1]) == (text, "call")
        del source
        # The view of a type that is known is looked at quickly, then with care.
        assert producer.record() == (2 + (2 if without else 3), 0, 0)

    def test_a_table_of_another_major_version_is_ignored(self, arrays: ModuleType, tabled: Any) -> None:
        source = tabled(Calls, majors=(2,))
        assert arrays.numbers_sum(source) == 0
        assert source.asked == ["call"]

    def test_a_tensor_of_another_major_version_is_not_read(
        self, arrays: ModuleType, tabled: Any, producer: ModuleType
    ) -> None:
        with pytest.raises(BufferError) as caught:
            arrays.numbers_sum(tabled(without="view", major=2, ndim=10**6))
        assert str(caught.value) == "numbers_sum() argument 'x': the array is in DLPack version 2.3, not 1.x"
        assert producer.record() == (1, 0, 0)

    def test_read_only_tensors_are_refused_where_they_would_be_written(self, arrays: ModuleType, tabled: Any) -> None:
        source = tabled(without="view", flags=READ_ONLY)
        assert arrays.numbers_sum(source) == 0
        with pytest.raises(BufferError, match="argument 'x': the array is read-only"):
            arrays.numbers_scale(source, 2.0)


class TestDevices:
    @pytest.mark.parametrize("device", [3, 11, 13, 20])
    @pytest.mark.parametrize("versioned", [False, True])
    def test_memory_that_the_cpu_reads_is_taken(
        self, arrays: ModuleType, managed: Callable[..., Any], producer: ModuleType, device: int, versioned: bool
    ) -> None:
        def capsule(**fields: Any) -> Any:
            return managed(versioned, dtype=FLOAT64, device_type=device, **fields).capsule()

        assert arrays.numbers_sum(capsule()) == 0
        assert arrays.matrix_sum(capsule()) == 0
        assert arrays.matrices_sum([capsule(), capsule()]) == 0
        assert arrays.tensor_sum_on_cpu(capsule()) == 0
        assert arrays.numbers_sum_copied(capsule(axes=((2, 3), (1, 2)))) == 0
        arrays.numbers_scale(capsule(), 2)
        assert arrays.Matrix.from_dlpack(capsule()).device == (1, 0)
        assert producer.record()[0] == 8

    @pytest.mark.parametrize("device", [2, 12, 14, 19, 21, 99])
    def test_memory_that_the_cpu_cannot_read_is_refused(
        self, arrays: ModuleType, managed: Callable[..., Any], device: int
    ) -> None:
        for call in (arrays.numbers_sum, arrays.matrix_sum, arrays.tensor_sum_on_cpu, arrays.Matrix.from_dlpack):
            with pytest.raises(BufferError, match=r"the data is on .*, not cpu"):
                call(managed(dtype=FLOAT64, device_type=device).capsule())

    def test_a_struct_has_no_place_for_the_offset(
        self, arrays: ModuleType, managed: Callable[..., Any], producer: ModuleType
    ) -> None:
        fields: dict[str, Any] = {"device_type": OPENCL, "axes": ((4,), (1,))}
        assert arrays.remote_count(managed(**fields).capsule()) == 4
        with pytest.raises(BufferError) as caught:
            arrays.remote_count(managed(byte_offset=64, **fields).capsule())
        assert str(caught.value) == (
            "remote_count() argument 'x': byte_offset is 64, and the data is a handle, not an address"
        )
        assert producer.record() == (2, 0, 0)

    @pytest.mark.parametrize("function", ["numbers_sum", "numbers_sum_copied", "matrix_sum", "tensor_sum_on_cpu"])
    def test_a_pointer_argument_needs_memory_that_the_cpu_reads(
        self, arrays: ModuleType, managed: Callable[..., Any], producer: ModuleType, function: str
    ) -> None:
        with pytest.raises(BufferError) as caught:
            getattr(arrays, function)(managed(device_type=CUDA, dtype=FLOAT64).capsule())
        assert str(caught.value) == f"{function}() argument 'x': the data is on cuda, not cpu"
        assert producer.record() == (1, 0, 0)
        assert getattr(arrays, function)(managed(device_type=3, dtype=FLOAT64).capsule()) == 0  # cuda_host
