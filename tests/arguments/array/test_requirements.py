"""Requirements of a function: shapes and numbers of elements that follow from other parameters, and conditions."""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from functions.arrays_library import HERE, numbers
from functions.arrays_producers import Called
from python.leaks import assert_no_growth, refused, warm_up
from support.build import build_extension, import_extension

SPEC = HERE / "demands.yaml"


@pytest.fixture(scope="module")
def module(tmp_path_factory: pytest.TempPathFactory) -> ModuleType:
    folder = tmp_path_factory.mktemp("demands")
    sources = [HERE / "arrays.c", HERE / "arrays_bare.c"]
    flags = [f"-I{HERE}", "-pthread"]
    path = build_extension("demands", SPEC.read_text(encoding="utf-8"), folder, sources=sources, flags=flags)
    return import_extension("demands", path)


@pytest.fixture
def lib(module: ModuleType) -> Iterator[ModuleType]:
    """Builds the module. After the tests, no picture may be left."""
    yield module
    gc.collect()  # exceptions that the test caught refer to arrays
    assert module.picture_count() == 0


def pixels(*shape: int) -> np.ndarray[tuple[int, ...], np.dtype[np.uint8]]:
    return np.ones(shape, np.uint8)


def strip(count: int) -> np.ndarray[tuple[int, ...], np.dtype[np.uint16]]:
    return np.arange(count, dtype=np.uint16)


def own(lib: ModuleType, *shape: int) -> Any:
    return lib.Matrix.from_dlpack(numbers(*shape))


SUM = 21.0  # of 1, 2, 3, 4, 5, 6
FITS: dict[str, tuple[Callable[[ModuleType], Any], object]] = {
    "as many": (lambda m: m.sum_weighted(numbers(3), numbers(3)), 14.0),
    "as many, of another shape": (lambda m: m.sum_weighted(numbers(6), np.ones((2, 3))), SUM),
    "as many in a list": (lambda m: m.sum_weighted([1.0, 2.0], [3.0, 4.0]), 11.0),
    "as many as none": (lambda m: m.sum_weighted([], []), 0.0),
    "None": (lambda m: m.sum_weighted(numbers(6), None), SUM),
    "nothing": (lambda m: m.sum_weighted(numbers(6)), SUM),
    "a shape of numbers": (lambda m: m.sum_table(numbers(2, 3), 2, 3), SUM),
    "a shape of another producer": (lambda m: m.sum_table(Called(numbers(2, 3)), rows=2, columns=3), SUM),
    "the shape of an own object": (lambda m: m.sum_table(own(m, 2, 3), 2, 3), SUM),
    "a product": (lambda m: m.sum_rectangle(numbers(3, 2), 2, 3), SUM),
    "a product of nothing": (lambda m: m.sum_rectangle(numbers(0), 2**31 - 1, 0), 0.0),
    "a difference and a sum": (lambda m: m.sum_range(numbers(6), 2, 7), SUM),
    "a quotient": (lambda m: m.sum_share(numbers(2), 7, 3), 3.0),
    "a remainder": (lambda m: m.sum_rest(numbers(1), 7, 3), 1.0),
    "as many as what is counted, of one axis": (lambda m: m.sum_weights(numbers(3), numbers(3)), 14.0),
    "a list as long": (lambda m: m.sum_row([1, 2, 3], 3), 6.0),
    "a tensor": (lambda m: m.sum_pair(numbers(2)), 3.0),
    "a tensor whose elements lie apart": (lambda m: m.sum_pair(numbers(4)[::3]), 5.0),
    "a tensor of so many": (lambda m: m.sum_six(numbers(3, 1, 2)), SUM),
    "an own object as a tensor of so many": (lambda m: m.sum_six(own(m, 3, 2)), SUM),
    "six axes": (lambda m: m.sum_block(np.ones((1, 2, 3, 4, 5, 6))), 720.0),
    "own objects": (lambda m: m.add(own(m, 2, 3), own(m, 2, 3)).shape, (2, 3)),
    "own objects and arrays": (lambda m: m.add(own(m, 2, 3), numbers(2, 3), np.zeros((2, 3))).tolist()[1], [8, 10, 12]),
    "a square": (lambda m: m.square_sum(numbers(2, 2)), 10.0),
    "a square in a copy": (lambda m: m.square_sum(numbers(2, 4)[:, :2]), 14.0),
    "an imported array": (lambda m: m.picture_sum(pixels(2, 3)), 6),
    "an own picture": (lambda m: m.picture_sum(m.Picture.from_dlpack(pixels(2, 3))), 6),
    "an imported array of so many": (lambda m: m.picture_sum_six(pixels(6, 1)), 6),
    "an array that becomes an object": (lambda m: m.strip_sum(strip(3)), 3),
    "an array that becomes an object, others running": (lambda m: m.strip_sum_released(strip(3)), 3),
    "a condition": (lambda m: m.add_checked(own(m, 2, 2), numbers(2, 2)).shape, (2, 2)),
    "a condition of two": (lambda m: m.scale(own(m, 2, 2), -11.0), None),
    "a condition of a constructor": (lambda m: m.Matrix(2, 3).shape, (2, 3)),
}


@pytest.mark.parametrize("name", FITS)
def test_arguments_that_meet_the_requirements_are_accepted(lib: ModuleType, name: str) -> None:
    call, expected = FITS[name]
    assert call(lib) == expected


REFUSED: dict[str, tuple[Callable[[ModuleType], Any], str]] = {
    "fewer": (
        lambda m: m.sum_weighted(numbers(3), numbers(2)),
        "sum_weighted() argument 'weights' must have 3 elements, not 2",
    ),
    "more in a list": (
        lambda m: m.sum_weighted([1.0], [1.0, 2.0]),
        "sum_weighted() argument 'weights' must have 1 element, not 2",
    ),
    "none": (
        lambda m: m.sum_weighted(numbers(3), []),
        "sum_weighted() argument 'weights' must have 3 elements, not 0",
    ),
    "as many as there is room for, after a copy": (
        lambda m: m.copy(numbers(2), numbers(6)[::2]),
        "copy() argument 'source' must have 2 elements, not 3",
    ),
    "another shape of as many": (
        lambda m: m.sum_table(numbers(3, 2), 2, 3),
        "sum_table() argument 'x' must have shape (2, 3), not (3, 2)",
    ),
    "another shape of an own object": (
        lambda m: m.sum_table(own(m, 3, 2), 2, 3),
        "sum_table() argument 'x' must have shape (2, 3), not (3, 2)",
    ),
    "an extent that no array has": (
        lambda m: m.sum_table(numbers(2, 3), 2**63, 3),
        "sum_table(): no array has the shape that 'x' must have (rows = 9223372036854775808)",
    ),
    "a product": (
        lambda m: m.sum_rectangle(numbers(5), 2, 3),
        "sum_rectangle() argument 'x' must have 6 elements, not 5",
    ),
    "a product beyond int": (
        lambda m: m.sum_rectangle(numbers(65536), 65536, 65537),
        "sum_rectangle() argument 'x' must have 4295032832 elements, not 65536",
    ),
    "a negative product": (
        lambda m: m.sum_rectangle(numbers(6), -2, 3),
        "sum_rectangle(): 'x' cannot have -6 elements (rows = -2, columns = 3)",
    ),
    "a product of what is negative": (
        lambda m: m.sum_rectangle(numbers(6), -2, -3),
        "sum_rectangle(): no array has as many elements as 'x' must have (rows = -2, columns = -3)",
    ),
    "a sum beyond all integers": (
        lambda m: m.sum_range(numbers(0), 0, 2**63 - 1),
        "sum_range(): no array has the shape that 'x' must have",
    ),
    "a negative difference": (
        lambda m: m.sum_range(numbers(3), 5, 1),
        "sum_range(): 'x' cannot have shape (-3,) (last = 1, first = 5)",
    ),
    "an operand beyond all integers": (
        lambda m: m.sum_range(numbers(3), 2**64 - 2, 0),
        "sum_range(): no array has the shape that 'x' must have (last = 0, first = 18446744073709551614)",
    ),
    "a quotient by nothing": (
        lambda m: m.sum_share(numbers(3), 3, 0),
        "sum_share(): no array has as many elements as 'x' must have (total = 3, parts = 0)",
    ),
    "a remainder by nothing": (
        lambda m: m.sum_rest(numbers(3), 3, 0),
        "sum_rest(): no array has as many elements as 'x' must have (total = 3, parts = 0)",
    ),
    "fewer than what is counted, of one axis": (
        lambda m: m.sum_weights(numbers(3), numbers(2)),
        "sum_weights() argument 'weights' must have 3 elements, not 2",
    ),
    "one axis": (
        lambda m: m.sum_row(numbers(2), 3),
        "sum_row() argument 'x' must have shape (3,), not (2,)",
    ),
    "one axis of a list": (
        lambda m: m.sum_row([1.0, 2.0], 3),
        "sum_row() argument 'x' must have shape (3,), not (2,)",
    ),
    "rows that lie apart": (
        lambda m: m.scale_table(numbers(2, 6)[:, ::2], 2, 6, 2.0),
        "scale_table() argument 'x' must have shape (2, 6), not (2, 3)",
    ),
    "a tensor": (lambda m: m.sum_pair(numbers(3)), "sum_pair() argument 'x' must have shape (2,), not (3,)"),
    "a tensor of another number": (
        lambda m: m.sum_six(Called(numbers(1, 2))),
        "sum_six() argument 'x' must have 6 elements, not 2",
    ),
    "six axes": (
        lambda m: m.sum_block(np.ones((6, 5, 4, 3, 2, 1))),
        "sum_block() argument 'x' must have shape (1, 2, 3, 4, 5, 6), not (6, 5, 4, 3, 2, 1)",
    ),
    "own objects": (
        lambda m: m.add(own(m, 2, 3), own(m, 3, 2)),
        "add() argument 'b' must have shape (2, 3), not (3, 2)",
    ),
    "an array for an own object": (
        lambda m: m.add(own(m, 2, 3), numbers(3, 2)),
        "add() argument 'b' must have shape (2, 3), not (3, 2)",
    ),
    "an output": (
        lambda m: m.add(own(m, 2, 3), numbers(2, 3), np.zeros((3, 3))),
        "add() argument 'to' must have shape (2, 3), not (3, 3)",
    ),
    "no square": (
        lambda m: m.square_sum(numbers(2, 3)),
        "square_sum() argument 'x' must have shape (2, 2), not (2, 3)",
    ),
    "no square in a copy": (
        lambda m: m.square_sum(numbers(2, 6)[:, ::2]),
        "square_sum() argument 'x' must have shape (2, 2), not (2, 3)",
    ),
    "an imported array": (
        lambda m: m.picture_sum(pixels(3, 2)),
        "picture_sum() argument 'x' must have shape (2, 3), not (3, 2)",
    ),
    "an own picture": (
        lambda m: m.picture_sum(m.Picture.from_dlpack(pixels(3, 2))),
        "picture_sum() argument 'x' must have shape (2, 3), not (3, 2)",
    ),
    "an imported array of another number": (
        lambda m: m.picture_sum_six(pixels(3, 3)),
        "picture_sum_six() argument 'x' must have 6 elements, not 9",
    ),
    "an array that becomes an object": (
        lambda m: m.strip_sum(strip(4)),
        "strip_sum() argument 'x' must have shape (3,), not (4,)",
    ),
    "an array that becomes an object, others running": (
        lambda m: m.strip_sum_released(strip(4)),
        "strip_sum_released() argument 'x' must have 3 elements, not 4",
    ),
    "a condition with a message": (
        lambda m: m.add_checked(own(m, 2, 3), numbers(3, 3)),
        "add_checked(): 100 % of the rows, please",
    ),
    "a condition with a message of C": (
        lambda m: m.add_checked(own(m, 2, 1), own(m, 2, 2)),
        "add_checked(): a is narrower",
    ),
    "a condition without a message": (
        lambda m: m.add_checked(numbers(100, 1), numbers(100, 1)),
        "add_checked(): a->rows < 100 does not hold",
    ),
    "a condition of two": (
        lambda m: m.scale(numbers(2, 2), -1.0),
        "scale(): factor > 0 || factor < -10 does not hold (factor=-1.0)",
    ),
    "a condition of a constructor": (lambda m: m.Matrix(0, 3), "Matrix(): no extent is 0 (rows=0, columns=3)"),
    "a condition of a path": (
        lambda m: m.length(Path("some/path")),
        "length(): the path must be absolute (path='some/path')",
    ),
}


@pytest.mark.parametrize("name", REFUSED)
def test_arguments_that_miss_a_requirement_are_refused(lib: ModuleType, name: str) -> None:
    call, message = REFUSED[name]
    with pytest.raises(ValueError) as caught:
        call(lib)
    assert str(caught.value) == message


@pytest.mark.parametrize("name", REFUSED)
def test_a_refused_call_leaks_nothing(lib: ModuleType, name: str) -> None:
    call = REFUSED[name][0]
    operation = refused(ValueError, lambda: call(lib))
    warm_up(operation)
    assert_no_growth(operation)


LAYOUTS: dict[str, tuple[Callable[[ModuleType], Any], str]] = {
    "the rank follows from the shape": (
        lambda m: m.sum_table(numbers(6), 2, 3),
        "sum_table() argument 'x': the array has 1 axis, not 2",
    ),
    "the rank of a tensor": (
        lambda m: m.sum_pair(numbers(1, 2)),
        "sum_pair() argument 'x': the array has 2 axes, not 1",
    ),
    "it is compact": (
        lambda m: m.sum_table(numbers(2, 6)[:, ::2], 2, 3),
        "sum_table() argument 'x': the array must be compact (row-major); it has strides (6, 2)",
    ),
}


@pytest.mark.parametrize("name", LAYOUTS)
def test_a_required_shape_means_a_compact_array_of_its_rank(lib: ModuleType, name: str) -> None:
    call, message = LAYOUTS[name]
    with pytest.raises(BufferError) as caught:
        call(lib)
    assert str(caught.value) == message


def test_an_array_with_strides_need_not_be_compact(lib: ModuleType) -> None:
    whole = numbers(2, 6)
    lib.scale_table(whole[:, ::2], 2, 3, 10.0)
    assert whole.tolist() == [[10.0, 2.0, 30.0, 4.0, 50.0, 6.0], [70.0, 8.0, 90.0, 10.0, 110.0, 12.0]]


def test_a_refused_call_writes_nothing(lib: ModuleType) -> None:
    to = numbers(2, 3)
    for call in (lambda: lib.copy(to, [1.0]), lambda: lib.add(to, numbers(3, 3), to), lambda: lib.scale(to, -1.0)):
        with pytest.raises(ValueError):
            call()
    assert to.tolist() == [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]


def test_a_condition_is_checked_in_every_call(lib: ModuleType) -> None:
    tank = lib.Tank()
    tank.fill([4.0])
    tank.fill(numbers(3))
    for values in ([1.0], numbers(3)):
        with pytest.raises(ValueError, match=r"^fill\(\): self->level < 10 does not hold$"):
            tank.fill(values)
    assert tank.level == 10
