"""Buffers and sequences of numbers are arguments, too: buffers are not copied, and sequences are."""

from __future__ import annotations

import array
import collections
import ctypes
import mmap
from collections.abc import Callable
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from functions.arrays_library import address


class Text(bytes):
    """A subclass of bytes."""


class TestBuffers:
    @pytest.mark.parametrize("kind", [bytes, Text, bytearray, lambda x: array.array("B", x), memoryview])
    def test_bytes_are_arrays_of_uint8_without_a_copy(self, arrays: ModuleType, kind: Callable[[bytes], Any]) -> None:
        given = kind(b"\1\2\3")
        assert arrays.tensor_text(given) == "1:8:1 on 1:0, 3/1"
        assert arrays.tensor_sum(given) == 6
        assert arrays.memory_where_of_bytes(given) == address(np.frombuffer(given, np.uint8))

    @pytest.mark.parametrize("kind", [bytes, Text, bytearray])
    def test_bytes_may_stand_beside_an_array(self, arrays: ModuleType, kind: Callable[[bytes], Any]) -> None:
        for _ in range(2):  # what numpy.ndarray is, the first call learns
            assert arrays.memory_and_numbers(kind(b"\0a\0"), np.zeros(2)) == 3 + 2
            assert arrays.memory_and_numbers(kind(b""), np.zeros(2)) == 0 + 2
        assert arrays.tensor_text(kind(b"")) == "1:8:1 on 1:0, 0/1"
        assert arrays.tensor_flags(kind(b"a")) == (kind is not bytearray)

    def test_c_writes_to_a_bytearray(self, arrays: ModuleType) -> None:
        changed = bytearray(4)
        arrays.memory_fill(changed, 7)
        arrays.memory_fill(memoryview(changed)[1:3], 8)
        assert changed == b"\7\10\10\7"

    def test_any_buffer_is_accepted_as_bytes(self, arrays: ModuleType) -> None:
        for given in (array.array("d", [1, 2]), np.zeros((2, 2), "i4,f4"), memoryview(bytearray(8)).cast("P")):
            arrays.memory_fill(given, 5)
            assert bytes(given) == b"\5" * len(bytes(given))
        arrays.numbers_sum(np.zeros(2))  # from here on, the memory of NumPy's arrays is borrowed
        assert arrays.memory_and_numbers(np.zeros(3, np.int32), np.zeros(2)) == 12 + 2
        frozen = np.zeros(2)
        frozen.flags.writeable = False
        with pytest.raises(BufferError, match=r"^memory_fill\(\) argument 'x': the array is read-only"):
            arrays.memory_fill(frozen, 1)
        with pytest.raises(TypeError, match=r"^memory_fill\(\) argument 'x' must be a bytes-like object, not list$"):
            arrays.memory_fill([1, 2], 1)

    def test_buffers_of_python_objects_are_not_bytes(self, arrays: ModuleType) -> None:
        for given in (np.zeros(3, [("Open", "f8"), ("O", "i4")]), np.zeros(2, [("a", [("OID", "i4")])])):
            arrays.memory_fill(given, 5)
            assert bytes(given) == b"\5" * given.nbytes
        for kind in ("O", [("a", "O")], [("Open", "f8"), ("b", [("c", "O")])]):
            with pytest.raises(BufferError, match="its elements are Python objects"):
                arrays.memory_fill(np.zeros(3, kind), 5)

    def test_an_array_array_is_an_array(self, arrays: ModuleType) -> None:
        given = array.array("d", [1, 2, 3])
        arrays.numbers_scale(given, 2.0)
        assert given.tolist() == [2, 4, 6]
        given.append(8)  # nothing holds it
        assert arrays.numbers_sum(given) == 20

    def test_a_memory_map_is_an_array(self, arrays: ModuleType) -> None:
        with mmap.mmap(-1, 4096) as mapped:
            arrays.memory_fill(mapped, 3)
            assert arrays.tensor_sum(mapped) == 3 * 4096

    def test_arrays_of_ctypes_are_arrays_although_they_have_no_strides(self, arrays: ModuleType) -> None:
        given = (ctypes.c_double * 3 * 2)((1, 2, 3), (4, 5, 6))
        assert arrays.tensor_text(given) == "2:64:1 on 1:0, 2/3 3/1"
        assert arrays.numbers_sum(given) == 21
        arrays.matrix_scale(given, 2.0)
        assert given[1][2] == 12
        assert arrays.tensor_text(ctypes.c_double()) == "2:64:1 on 1:0,"


class TestNumbers:
    @pytest.mark.parametrize("kind", [list, tuple, lambda x: range(*map(int, (x[0], x[-1] + 1)))])
    def test_sequences_of_numbers_are_copied(self, arrays: ModuleType, kind: Callable[[list[float]], Any]) -> None:
        assert arrays.numbers_sum(kind([1.0, 2.0, 3.0])) == 6
        assert arrays.integers_sum(kind([1, 2, 3])) == 6
        assert arrays.numbers_sum3(kind([1, 2, 3])) == 6

    def test_an_empty_list_is_an_array_without_elements(self, arrays: ModuleType) -> None:
        assert arrays.numbers_sum([]) == 0

    def test_integers_are_converted_as_python_does(self, arrays: ModuleType) -> None:
        assert arrays.integers_sum([np.int64(3), True, -(2**15)]) == 4 - 2**15
        with pytest.raises(OverflowError, match="signed 16-bit integer is greater than maximum"):
            arrays.integers_sum([2**15])

    def test_complex_numbers_are_converted_as_python_does(self, arrays: ModuleType) -> None:
        class Turned:
            def __complex__(self) -> complex:
                return 10j

        given = [1 + 2j, 3, 0.5, np.complex64(4j), Turned(), True]
        assert arrays.complexes_sum(given) == arrays.complexes_sum(np.array([5.5, 16j], np.complex64)) == 5.5 + 16j
        assert arrays.complexes_sum_parts(given) == 21.5
        assert arrays.complexes_sum_parts([1e200 + 1e200j]) == 2e200
        with pytest.raises(OverflowError, match=r"argument 'x\[0\]': Python float too large to convert to C float$"):
            arrays.complexes_sum([1e39j])
        for function in (arrays.complexes_sum, arrays.complexes_sum_parts):
            with pytest.raises(TypeError, match=r"argument 'x\[1\]' must be complex number, not str$"):
                function([1j, "2j"])

    @pytest.mark.parametrize("kind", [list, tuple])
    def test_a_sequence_with_dlpack_is_read_as_an_array(self, arrays: ModuleType, kind: type) -> None:
        shown = np.array([1.0, 2.0])
        row = type("Row", (kind,), {"__dlpack__": lambda self, **keywords: shown.__dlpack__(**keywords)})
        assert arrays.numbers_sum(row([7.0])) == 3.0
        arrays.numbers_scale(row(), 2.0)
        assert shown.tolist() == [2.0, 4.0]

    def test_an_object_without_a_length_is_not_a_sequence(self, arrays: ModuleType) -> None:
        """The items may need two indices, or have no end."""

        class Items:
            def __getitem__(self, index: object) -> float:
                if isinstance(index, tuple):
                    return 2.0
                raise IndexError

        class Endless:
            def __getitem__(self, index: int) -> Endless:
                return self

        for given in (Items(), Endless()):
            with pytest.raises(
                TypeError, match=r"^numbers_sum\(\) argument 'x' must be an array or a sequence of numbers"
            ):
                arrays.numbers_sum(given)
            with pytest.raises(TypeError, match=r"^matrices_sum\(\) argument 'list' must be a sequence"):
                arrays.matrices_sum(given)

    @pytest.mark.parametrize(("length", "items", "more"), [(3, 1, "fewer"), (1, 3, "more"), (0, 1, "more")])
    def test_a_sequence_has_as_many_items_as_its_length_says(
        self, arrays: ModuleType, length: int, items: int, more: str
    ) -> None:
        class Lying:
            def __len__(self) -> int:
                return length

            def __getitem__(self, index: int) -> float:
                return [1.0][: items - index][0]

        with pytest.raises(ValueError, match=rf"^numbers_sum\(\) argument 'x' .* length {length}, and {more} items"):
            arrays.numbers_sum(Lying())

    def test_an_exception_of_a_sequence_reaches_the_caller(self, arrays: ModuleType) -> None:
        class Failing:
            def __len__(self) -> int:
                return 2

            def __getitem__(self, index: int) -> float:
                if index == 1:
                    raise LookupError("gone") from None
                return 1.0

        with pytest.raises(LookupError, match="gone"):
            arrays.numbers_sum(Failing())

    def test_a_mapping_or_a_table_is_not_a_sequence(self, arrays: ModuleType) -> None:
        """The items of a mapping would be its keys."""

        class Series:
            def __init__(self, ndim: int) -> None:
                self.ndim = ndim

            def keys(self) -> list[int]:
                return [0, 1]

            def __len__(self) -> int:
                return 2

            def __getitem__(self, index: int) -> float:
                return [3.0, 4.0][index]

        assert arrays.numbers_sum(Series(1)) == 7
        for table in (collections.UserDict({1: 10.0, 2: 20.0}), Series(2)):
            with pytest.raises(TypeError, match="must be an array or a sequence of numbers, not"):
                arrays.numbers_sum(table)
            with pytest.raises(TypeError, match="must be a sequence, not"):
                arrays.matrices_sum(table)
            with pytest.raises(TypeError, match="'shape' must be an int or a sequence of ints, not"):
                arrays.Matrix.empty(table)

    def test_an_object_with_items_is_not_a_bool(self, arrays: ModuleType) -> None:
        assert arrays.flags_count([True, 0, np.True_, np.array(1)]) == 3
        for row in ([0], "", {1: 2}):
            with pytest.raises(TypeError, match=r"^flags_count\(\) argument 'x\[1\]' must be bool, not"):
                arrays.flags_count([True, row])

    def test_an_object_that_cannot_be_false_is_not_a_bool(self, arrays: ModuleType) -> None:
        """Scalars of Arrow are such objects."""
        with pytest.raises(TypeError, match=r"^flags_count\(\) argument 'x\[1\]' must be bool, not object"):
            arrays.flags_count([True, object()])
        assert arrays.flags_count([None, True]) == 1

    @pytest.mark.parametrize("stop", [KeyboardInterrupt, MemoryError])
    def test_an_interrupt_is_raised_while_kinds_are_distinguished(
        self, arrays: ModuleType, stop: type[BaseException]
    ) -> None:
        class Table(collections.UserDict[int, float]):
            @property
            def ndim(self) -> int:
                raise stop

        class Items:
            def __len__(self) -> int:
                raise stop

        for call in (arrays.numbers_sum, arrays.matrices_sum, arrays.Matrix.empty):
            with pytest.raises(stop):
                call(Table({0: 1.0}))
        with pytest.raises(stop):
            arrays.flags_count([Items()])

    def test_the_copy_of_a_sequence_has_the_required_alignment(self, arrays: ModuleType) -> None:
        assert arrays.numbers_where_aligned([1.0, 2.0]) % 4096 == 0

    def test_a_sequence_is_not_an_array_of_two_axes(self, arrays: ModuleType) -> None:
        with pytest.raises(TypeError) as caught:
            arrays.numbers_sum_table([1.0, 2.0])
        assert str(caught.value) == "numbers_sum_table() argument 'x' must be an array, not list"

    def test_a_sequence_is_refused_where_c_writes(self, arrays: ModuleType) -> None:
        with pytest.raises(TypeError) as caught:
            arrays.numbers_scale([1.0], 2.0)
        assert str(caught.value) == "numbers_scale() argument 'x' must be an array, not list"
