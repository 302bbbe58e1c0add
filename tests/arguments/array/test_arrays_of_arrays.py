"""Arrays of arrays, whose rows have the length of the prototype."""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from functions.arrays_library import Doubles, numbers
from functions.arrays_producers import Called

SWAPPED = np.array([[0.0, 1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 2.0]])


@pytest.mark.parametrize("given", [lambda x: x, Called, memoryview], ids=["ndarray", "call", "memoryview"])
@pytest.mark.parametrize("rows", [1, 4])
def test_rows_are_counted(arrays: ModuleType, rows: int, given: Callable[[Doubles], Any]) -> None:
    middle = np.zeros(3)
    points = numbers(rows, 3)
    arrays.numbers_middle(given(points), middle)
    assert middle.tolist() == points.mean(axis=0).tolist()


def test_an_array_may_have_no_rows(arrays: ModuleType) -> None:
    middle = np.ones(3)
    arrays.numbers_middle(np.zeros((0, 3)), middle)
    assert middle.tolist() == [0, 0, 0]


def test_rows_are_written(arrays: ModuleType) -> None:
    points = numbers(4, 3)
    before = points.copy()
    assert arrays.numbers_turn(points, SWAPPED) == 2.0
    assert (points == before @ SWAPPED.T).all()
    assert arrays.numbers_turn(points) == 0.0


def test_rows_of_other_layouts_are_copied_where_the_spec_allows_it(arrays: ModuleType) -> None:
    points = numbers(3, 8)[:, ::-3].T
    before = points.copy()
    arrays.numbers_turn(points, SWAPPED)
    assert (points == before @ SWAPPED.T).all()


def test_the_shape_of_the_prototype_is_accepted(arrays: ModuleType) -> None:
    points = numbers(2, 3)
    before = points.copy()
    arrays.numbers_turn_two(points, SWAPPED)
    assert (points == before @ SWAPPED.T).all()


REFUSED: dict[str, tuple[Callable[[ModuleType], Any], type[Exception], str]] = {
    "shorter rows": (
        lambda m: m.numbers_turn(numbers(4, 2)),
        ValueError,
        "numbers_turn() argument 'points' must have shape (4, 3), not (4, 2)",
    ),
    "longer rows": (
        lambda m: m.numbers_middle(numbers(4, 4), np.zeros(3)),
        ValueError,
        "numbers_middle() argument 'points' must have shape (4, 3), not (4, 4)",
    ),
    "fewer rows": (
        lambda m: m.numbers_turn_two(numbers(1, 3), SWAPPED),
        ValueError,
        "numbers_turn_two() argument 'points' must have shape (2, 3), not (1, 3)",
    ),
    "fewer rows than a shape of the spec": (
        lambda m: m.numbers_turn_two(numbers(2, 3), SWAPPED[:2]),
        ValueError,
        "numbers_turn_two() argument 'by' must have shape (3, 3), not (2, 3)",
    ),
    "no rows": (
        lambda m: m.numbers_turn(numbers(12)),
        BufferError,
        "numbers_turn() argument 'points': the array has 1 axis, not 2",
    ),
    "rows of rows": (
        lambda m: m.numbers_turn(numbers(2, 3), numbers(1, 3, 3)),
        BufferError,
        "numbers_turn() argument 'by': the array has 3 axes, not 2",
    ),
    "columns": (
        lambda m: m.numbers_turn(numbers(2, 3), SWAPPED.T),
        BufferError,
        "numbers_turn() argument 'by': the array must be compact (row-major); it has strides (1, 3)",
    ),
    "numbers, which have no shape": (
        lambda m: m.numbers_turn(numbers(1, 3), [1.0] * 9),
        TypeError,
        "numbers_turn() argument 'by' must be an array or None, not list",
    ),
}


@pytest.mark.parametrize("name", REFUSED)
def test_an_array_of_another_shape_is_refused(arrays: ModuleType, name: str) -> None:
    call, exception, message = REFUSED[name]
    with pytest.raises(exception) as caught:
        call(arrays)
    assert str(caught.value) == message
