"""Messages about an array that a function cannot take: they name the function, the argument and the problem."""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from functions.arrays_library import matrix, numbers, read_only
from functions.arrays_producers import Answering, Called, Old

CUDA = 2


def refuse() -> Any:
    raise BufferError("the array is on another planet")


def closed(m: ModuleType) -> Any:
    own = matrix(m)[0]
    own.close()
    return own


ERRORS: dict[str, tuple[type[Exception], str, Callable[[ModuleType], Any]]] = {
    "dtype": (
        BufferError,
        "numbers_sum() argument 'x': the dtype is int32, not float64",
        lambda m: m.numbers_sum(np.zeros(3, np.int32)),
    ),
    "dtype of a struct": (
        BufferError,
        "matrix_sum() argument 'x': the dtype is float32, not float64",
        lambda m: m.matrix_sum(Called(np.zeros((3, 3), np.float32))),
    ),
    "dtype of a buffer": (
        BufferError,
        "numbers_sum() argument 'x': the dtype is uint8, not float64",
        lambda m: m.numbers_sum(b"abc"),
    ),
    "dtype of an object": (
        BufferError,
        "numbers_sum() argument 'x': the dtype is uint8, not float64",
        lambda m: m.numbers_sum(m.Picture(2, 2)),
    ),
    "dtype of bytes": (
        BufferError,
        "memory_fill() argument 'x': the dtype is int8, not uint8",
        lambda m: m.memory_fill(np.zeros(6, np.int8)[::2], 1),
    ),
    "dtype of a fixed tensor": (
        BufferError,
        "tensor_fill() argument 'x': the dtype is uint16, not float64",
        lambda m: m.tensor_fill(np.zeros(3, np.uint16), 1.0),
    ),
    "dtype of an object that is imported": (
        BufferError,
        "strip_sum() argument 'x': the dtype is float64, not uint16",
        lambda m: m.strip_sum(numbers(3)),
    ),
    "rank": (
        BufferError,
        "matrix_sum() argument 'x': the array has 1 axis, not 2",
        lambda m: m.matrix_sum(numbers(3)),
    ),
    "rank of a table": (
        BufferError,
        "numbers_sum_table() argument 'x': the array has 3 axes, not 2",
        lambda m: m.numbers_sum_table(numbers(1, 2, 3)),
    ),
    "number of elements": (
        ValueError,
        "numbers_sum3() argument 'x': the array must have 3 elements, not 4",
        lambda m: m.numbers_sum3(numbers(2, 2)),
    ),
    "number of elements of one": (
        ValueError,
        "numbers_first() argument 'x': the array must have 1 element, not 2",
        lambda m: m.numbers_first(numbers(2)),
    ),
    "number of numbers": (
        ValueError,
        "numbers_sum3() argument 'x' must have 3 elements, not 2",
        lambda m: m.numbers_sum3([1.0, 2.0]),
    ),
    "number of an object's elements": (
        ValueError,
        "numbers_sum3() argument 'x': the array must have 3 elements, not 12",
        lambda m: m.numbers_sum3(matrix(m)[0]),
    ),
    "strided": (
        BufferError,
        "numbers_sum() argument 'x': the array must be compact (row-major); it has strides (2)",
        lambda m: m.numbers_sum(numbers(6)[::2]),
    ),
    "strided struct": (
        BufferError,
        "matrix_sum() argument 'x': the array must be compact but for the outermost axis; it has strides (6, 2)",
        lambda m: m.matrix_sum(numbers(4, 6)[:, ::2]),
    ),
    "strided object": (
        BufferError,
        "numbers_sum() argument 'x': the array must be compact (row-major); it has strides (6, 1)",
        lambda m: m.numbers_sum(matrix(m, 3, 4, 6)[0]),
    ),
    "negative strides": (
        BufferError,
        "numbers_sum_strided() argument 'x': the array must be without negative strides; it has strides (-1)",
        lambda m: m.numbers_sum_strided(numbers(4)[::-1]),
    ),
    "negative strides for a parameter of BLAS": (
        BufferError,
        "numbers_scale_as_in_blas() argument 'a': the array must be without negative strides; it has strides (-3, 1)",
        lambda m: m.numbers_scale_as_in_blas(numbers(2, 3)[::-1], 2.0),
    ),
    "read-only": (
        BufferError,
        "numbers_scale() argument 'x': the array is read-only, and must be writable",
        lambda m: m.numbers_scale(read_only(numbers(3)), 2.0),
    ),
    "read-only bytes": (
        BufferError,
        "memory_fill() argument 'x': the array is read-only, and must be writable",
        lambda m: m.memory_fill(b"abc", 1),
    ),
    "read-only object": (
        BufferError,
        "matrix_scale() argument 'x': the object is read-only, and must be writable",
        lambda m: m.matrix_scale(m.Matrix.from_dlpack(read_only(numbers(2, 2))), 2.0),
    ),
    "None": (
        TypeError,
        "matrix_sum() argument 'x' must be Matrix or an array, not None",
        lambda m: m.matrix_sum(None),
    ),
    "None for a pointer": (
        TypeError,
        "numbers_sum() argument 'x' must be an array or a sequence of numbers, not None",
        lambda m: m.numbers_sum(None),
    ),
    "a number": (
        TypeError,
        "numbers_sum() argument 'x' must be an array or a sequence of numbers, not float",
        lambda m: m.numbers_sum(1.0),
    ),
    "a number that is optional": (
        TypeError,
        "matrix_sum_if() argument 'x' must be Matrix or an array or None, not int",
        lambda m: m.matrix_sum_if(3),
    ),
    "text": (
        TypeError,
        "numbers_sum() argument 'x' must be an array or a sequence of numbers, not str",
        lambda m: m.numbers_sum("123"),
    ),
    "a list for a struct": (
        TypeError,
        "matrix_sum() argument 'x' must be Matrix or an array, not list",
        lambda m: m.matrix_sum([[1.0]]),
    ),
    "a list for any dtype": (
        TypeError,
        "memory_size() argument 'x' must be an array, not list",
        lambda m: m.memory_size([1.0]),
    ),
    "nested lists": (
        TypeError,
        "numbers_sum() argument 'x[0]' must be real number, not list",
        lambda m: m.numbers_sum([[1.0]]),
    ),
    "a handle": (
        TypeError,
        "tensor_sum() argument 'x' must be an array, not arrays.Tank",
        lambda m: m.tensor_sum(m.Tank()),
    ),
    "a class that is imported": (
        TypeError,
        "strip_sum() argument 'x' must be Strip or an array, not object",
        lambda m: m.strip_sum(object()),
    ),
    "a closed object": (
        ValueError,
        "matrix_sum() argument 'x' is closed",
        lambda m: m.matrix_sum(closed(m)),
    ),
    "a closed object as an array": (
        ValueError,
        "tensor_sum() argument 'x' is closed",
        lambda m: m.tensor_sum(closed(m)),
    ),
    "a closed object as it calls itself": (ValueError, "arrays.Tank: the object is closed", lambda m: tank_closed(m)),
    "nothing where one is made like it": (
        TypeError,
        "matrix_add() argument 'a' must be Matrix or an array, not None",
        lambda m: m.matrix_add(None, numbers(2, 2)),
    ),
    "a class in the place of an object": (
        TypeError,
        "matrix_add() argument 'a' must be Matrix or an array, not type",
        lambda m: m.matrix_add(m.Matrix, numbers(2, 2)),
    ),
    "a class in the place of an array": (
        TypeError,
        "numbers_sum() argument 'x' must be an array or a sequence of numbers, not type",
        lambda m: m.numbers_sum(np.ndarray),
    ),
    "no number among numbers": (
        TypeError,
        "numbers_sum() argument 'x[2]' must be real number, not str",
        lambda m: m.numbers_sum([1, 2.5, "3"]),
    ),
    "no capsule": (
        TypeError,
        "numbers_sum() argument 'x': __dlpack__() of 'Answering' returned 'int', not a capsule",
        lambda m: m.numbers_sum(Answering(lambda: 3)),
    ),
    "a format without a dtype": (
        BufferError,
        "memory_size() argument 'x': a buffer of format 'P' with items of 8 bytes has no DLPack dtype",
        lambda m: m.memory_size(memoryview(bytearray(8)).cast("P")),
    ),
    "the producer's own words": (
        BufferError,
        "numbers_sum() argument 'x': the array is on another planet",
        lambda m: m.numbers_sum(Answering(refuse)),
    ),
    "another byte order": (
        BufferError,
        "numbers_sum() argument 'x': the dtype is float64 in the other byte order, not in that of this machine",
        lambda m: m.numbers_sum(np.zeros(3, ">f8")),
    ),
}


def tank_closed(m: ModuleType) -> None:
    tank = m.Tank()
    tank.close()
    tank.fill([1.0])


@pytest.mark.parametrize("name", ERRORS)
def test_a_message_names_function_argument_and_problem(arrays: ModuleType, name: str) -> None:
    error, message, call = ERRORS[name]
    with pytest.raises(error) as caught:
        call(arrays)
    assert (type(caught.value), str(caught.value)) == (error, message)


def test_a_message_names_the_wrong_device(arrays: ModuleType, managed: Callable[..., Any]) -> None:
    with pytest.raises(BufferError) as caught:
        arrays.numbers_sum(managed(device_type=CUDA, dtype=(2, 64, 1)).capsule())
    assert str(caught.value) == "numbers_sum() argument 'x': the data is on cuda, not cpu"


RAISED = [(KeyError, ["x"]), (BufferError, [": mine"]), (KeyboardInterrupt, []), (ValueError, [""])]


@pytest.mark.parametrize(("kind", "arguments"), RAISED)
@pytest.mark.parametrize("function", ["numbers_sum", "matrix_sum", "strip_sum", "picture_rows", "tensor_sum"])
def test_an_exception_of_a_producer_reaches_the_caller_as_the_same_object(
    arrays: ModuleType, function: str, kind: type[BaseException], arguments: list[str]
) -> None:
    error = kind(*arguments)

    def fail() -> None:
        raise error

    for producer in (Called, Old):
        with pytest.raises(kind) as caught:
            getattr(arrays, function)(producer(numbers(3), fail), *[1, 1] * (function == "picture_rows"))
        assert caught.value is error


@pytest.mark.parametrize("name", ["dltensor", "something_else", None])
def test_only_capsules_named_as_dlpack_says_are_taken(
    arrays: ModuleType, managed: Callable[..., Any], producer: ModuleType, name: Any
) -> None:
    other = managed(name != "dltensor", dtype=(2, 64, 1))
    capsule = other.capsule(name)
    if name == "dltensor":
        assert arrays.numbers_sum(capsule) == 0
        assert producer.record() == (1, 0, 0)
        return
    with pytest.raises(TypeError) as caught:
        arrays.numbers_sum(capsule)
    assert (
        str(caught.value) == f"numbers_sum() argument 'x': a capsule named '{name or 'NULL'}' is not a DLPack capsule"
    )
    if name is None:
        producer.delete(other.address, True, "here")


@pytest.mark.parametrize("fields", [{"ndim": -1}, {"ndim": 65}, {"data": None}, {"shape": None}, {"dtype": (9, 9, 9)}])
@pytest.mark.parametrize("versioned", [True, False])
def test_capsules_with_invalid_tensors_are_refused(
    arrays: ModuleType, managed: Callable[..., Any], producer: ModuleType, versioned: bool, fields: dict[str, Any]
) -> None:
    for function in (arrays.numbers_sum, arrays.matrix_sum, arrays.numbers_wait):
        with pytest.raises(BufferError, match=rf"^{function.__name__}\(\) argument 'x': the "):
            function(managed(versioned, **{"dtype": (2, 64, 1), **fields}).capsule())
    assert producer.record() == (3, 0, 0)
