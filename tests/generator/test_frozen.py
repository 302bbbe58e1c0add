"""Records act like frozen dataclasses, both before and after their `__init__` is compiled."""

from __future__ import annotations

import pickle
from dataclasses import field, fields, replace
from typing import Any

import pytest

from dlpack_bindgen.frozen import Frozen

FEW, MANY = 0, 150


class Kept(Frozen):
    """Pickles find their class by its name."""

    left: str
    right: int = 2


@pytest.fixture(params=[FEW, MANY])
def pair(request: pytest.FixtureRequest) -> Any:
    """Makes a class of records, and this number of objects of it."""

    class Pair(Frozen):
        left: str
        right: int = 2
        note: str | None = field(default=None, compare=False, repr=False)

    for number in range(request.param):
        assert Pair("a", number).right == number
    return Pair


def test_records_have_their_values_and_defaults(pair: Any) -> None:
    assert vars(pair("a")) == {"left": "a", "right": 2, "note": None}
    assert list(vars(pair(note="n", right=3, left="a")).items()) == [("left", "a"), ("right", 3), ("note", "n")]


def test_records_are_equal_like_dataclasses(pair: Any) -> None:
    assert pair("a", 1, "one") == pair("a", 1, "two")
    assert pair("a", 1) != pair("a", 2)
    assert {pair("a", 1, "one"), pair("a", 1, "two")} == {pair("a", 1)}
    assert Kept("a", 1) != pair("a", 1)


def test_functions_of_dataclasses_accept_records(pair: Any) -> None:
    made = pair("a", 1, "n")
    assert [(each.name, each.compare) for each in fields(made)] == [("left", True), ("right", True), ("note", False)]
    assert vars(replace(made, right=7)) == {"left": "a", "right": 7, "note": "n"}


def test_repr_leaves_out_fields_that_are_not_shown(pair: Any) -> None:
    assert repr(pair("a", 1, "n")).endswith("Pair(left='a', right=1)")


def test_too_many_values_are_refused(pair: Any) -> None:
    with pytest.raises(TypeError, match="takes"):
        pair("a", 1, "n", 4)


def test_a_missing_value_is_named(pair: Any) -> None:
    with pytest.raises((AttributeError, TypeError), match="left"):
        pair(right=1)


def test_records_can_be_pickled() -> None:
    assert pickle.loads(pickle.dumps(Kept("a", 1))) == Kept("a", 1)


@pytest.mark.parametrize("number", [FEW, MANY])
def test_fields_are_inherited(number: int) -> None:
    class Shared(Frozen):
        left: str
        right: int = 2

    class Own(Shared):
        own: int = 3

    for _ in range(number):
        Own("a")
    one = Own("a", own=4)
    assert [each.name for each in fields(Shared)] == ["left", "right"]
    assert [each.name for each in fields(one)] == ["left", "right", "own"]
    assert vars(replace(one, right=1)) == {"left": "a", "right": 1, "own": 4}
    assert one == Own("a", 2, 4) != Own("b", 2, 4)
