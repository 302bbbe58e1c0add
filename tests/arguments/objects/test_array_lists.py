"""Sequences of objects, of which a function gets an array of pointers."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from functions.arrays_library import matrix, numbers
from functions.arrays_producers import Called, Ending

FLOAT64, FLOAT32 = (2, 64, 1), (2, 32, 1)


@pytest.mark.parametrize("kind", [list, tuple, deque])
def test_any_sequence_of_any_arrays_is_accepted(arrays: ModuleType, kind: Callable[[list[Any]], Any]) -> None:
    given = [numbers(2, 3), matrix(arrays)[0], Called(numbers(1, 2)), memoryview(numbers(4, 4))]
    assert arrays.matrices_sum(kind(given)) == 21 + 78 + 3 + 136


def test_an_array_is_a_sequence_of_its_parts(arrays: ModuleType) -> None:
    x = numbers(3, 2, 2)
    arrays.matrices_scale(x, 2.0)
    assert arrays.matrices_sum(x) == arrays.matrices_sum3(x) == x.sum() == 156


@pytest.mark.parametrize("one", [numbers(2, 3), numbers(4), numbers(2, 2, 2, 2), memoryview(numbers(2, 2))])
def test_one_array_is_not_a_sequence_of_arrays(arrays: ModuleType, one: Any) -> None:
    for call in (lambda: arrays.matrices_sum(one), lambda: arrays.matrices_scale(one, 2.0)):
        with pytest.raises(
            TypeError,
            match=r"argument 'list' must be a sequence of \w+ objects or arrays, not one array \((numpy\.)?\w+\)$",
        ):
            call()


def test_parts_of_an_array_with_another_dtype_are_refused(arrays: ModuleType) -> None:
    with pytest.raises(BufferError, match="dtype"):
        arrays.matrices_sum(np.ones((2, 2, 2), np.int16))


def test_an_empty_list_is_accepted(arrays: ModuleType) -> None:
    assert arrays.matrices_sum([]) == 0
    assert arrays.matrices_scale((), 2.0) is None


def test_the_number_may_be_fixed(arrays: ModuleType) -> None:
    assert arrays.matrices_sum3([numbers(2, 2), numbers(1, 1), matrix(arrays)[0]]) == 10 + 1 + 78
    for count in (0, 2, 4):
        with pytest.raises(ValueError, match=rf"^matrices_sum3\(\) argument 'list' must have 3 items, not {count}$"):
            arrays.matrices_sum3([numbers(3, 1)] * count)


def test_each_array_of_a_list_is_written_and_written_back(arrays: ModuleType) -> None:
    strided, own = numbers(4, 6)[::2, ::2], matrix(arrays, 2, 2)
    before, compact = strided.copy(), numbers(2, 2)
    arrays.matrices_scale([strided, compact, own[0], strided[:0]], 2.0)
    assert (strided == 2 * before).all()
    assert compact.tolist() == own[1].tolist() == [[2, 4], [6, 8]]


def test_a_list_that_changes_during_the_call_is_used_as_it_was(arrays: ModuleType) -> None:
    given: list[Any] = []
    given += [Called(numbers(1, 2), given.clear), numbers(2, 2)]
    assert arrays.matrices_sum(given) == 13
    assert given == []


@pytest.mark.parametrize("module", ["arrays", "lab"])
def test_an_object_that_a_later_item_closes_stays_for_the_call(
    request: pytest.FixtureRequest, arrays: ModuleType, module: str
) -> None:
    """An object of another module stays, too: without it, the memory from its table would be freed."""
    x, ended, seen = numbers(2, 2), [], []
    cls = arrays.Matrix if module == "arrays" else request.getfixturevalue(module).Moved
    first = cls.from_dlpack(Ending(x.copy(), lambda: ended.append(True)))
    later = [Called(x, first.close), Called(x, lambda: seen.extend(ended))]
    assert arrays.matrices_sum([first, *later]) == 3 * x.sum()
    assert (seen, ended) == ([], [True])


def test_a_closed_object_is_refused(arrays: ModuleType) -> None:
    own, _ = matrix(arrays)
    own.close()
    with pytest.raises(ValueError, match=r"^matrices_sum\(\) argument 'list' is closed$"):
        arrays.matrices_sum([numbers(1, 1), own])


@pytest.mark.parametrize("place", [0, 1, 2])
def test_a_refused_item_releases_the_other_items(
    arrays: ModuleType, managed: Callable[..., Any], producer: ModuleType, place: int
) -> None:
    given = [managed(dtype=FLOAT32 if i == place else FLOAT64).capsule() for i in range(3)]
    with pytest.raises(BufferError, match=r"^matrices_sum\(\) argument 'list': the dtype is float32, not float64$"):
        arrays.matrices_sum(given)
    del given
    assert producer.record() == (3, 0, 0)


@pytest.mark.parametrize("item", [None, 3, "text", [1.0, 2.0]], ids=repr)
def test_an_item_that_is_not_an_array_is_refused(arrays: ModuleType, item: Any) -> None:
    kind = "None" if item is None else type(item).__name__
    with pytest.raises(TypeError) as caught:
        arrays.matrices_sum([numbers(1, 1), item])
    assert str(caught.value) == f"matrices_sum() argument 'list' must be Matrix or an array, not {kind}"


@pytest.mark.parametrize("given", [None, 3, "text", {1}, {1: 2}.values()], ids=repr)
def test_an_object_that_is_not_a_sequence_is_refused(arrays: ModuleType, given: Any) -> None:
    with pytest.raises(TypeError) as caught:
        arrays.matrices_sum(given)
    assert str(caught.value).startswith("matrices_sum() argument 'list' must be a sequence, not ")


def test_an_object_is_not_a_list_of_objects(arrays: ModuleType) -> None:
    own = arrays.Matrix(2, 2)
    with pytest.raises(TypeError, match=r"^matrices_sum\(\) argument 'list' must be a sequence, not .*Matrix$"):
        arrays.matrices_sum(own)
    assert arrays.matrices_sum([own, own]) == 0


def test_layouts_are_checked_as_those_of_a_single_array(arrays: ModuleType) -> None:
    x = numbers(4, 6)[:, ::2]
    with pytest.raises(BufferError, match=r"argument 'list': the array must be compact but for the outermost axis"):
        arrays.matrices_sum([x])
    assert arrays.matrices_sum_copied([x, np.asfortranarray(numbers(2, 2))]) == x.sum() + 10


def test_more_items_than_the_parameter_can_count_are_refused(arrays: ModuleType) -> None:
    with pytest.raises(OverflowError):
        arrays.matrices_scale([numbers(1, 1)] * 128, 2.0)
