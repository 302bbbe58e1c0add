# SPDX-License-Identifier: MIT
"""The fast paths of exports must do the same as the slow paths."""

from __future__ import annotations

import ctypes
import sys
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from python.tensors import Legacy, Versioned, inside, name_of


class Pair(tuple[int, int]):
    """A subclass of tuple, which could have methods of its own."""


def test_a_version_that_was_seen_before_gives_the_same_kind_of_capsule(subject) -> None:
    made = subject()
    new, old = (1, 3), (0, 8)
    for version in (new, new, old, new, (1, 0), old, new, Pair((1, 1)), old):
        for _ in range(2):
            assert isinstance(inside(made.object.__dlpack__(max_version=version)), Versioned if version[0] else Legacy)


def test_a_version_in_a_subclass_of_tuple_is_not_remembered(subject) -> None:
    """The value of such an object may change."""

    class Odd(Pair):
        def __iter__(self) -> Any:
            raise AssertionError

    pair = Odd((1, 0))
    count = sys.getrefcount(pair)
    assert isinstance(inside(subject().object.__dlpack__(max_version=pair)), Versioned)
    assert sys.getrefcount(pair) == count


def test_a_version_with_a_subclass_of_int_is_not_remembered(subject) -> None:
    class Number(int):
        pass

    pair = (Number(1), 0)
    count = sys.getrefcount(pair)
    assert isinstance(inside(subject().object.__dlpack__(max_version=pair)), Versioned)
    assert sys.getrefcount(pair) == count


@pytest.mark.parametrize(
    "keywords",
    [
        {"max_version": None},
        {"dl_device": None, "copy": None, "stream": None},
        {"dl_device": None, "copy": None, "max_version": None},
    ],
    ids=repr,
)
def test_a_keyword_that_is_none_has_no_effect(subject, keywords: dict[str, None]) -> None:
    assert isinstance(inside(subject().object.__dlpack__(**keywords)), Legacy)


def test_names_of_keywords_need_not_be_interned(subject) -> None:
    name = "".join(["max_", "version"])
    assert isinstance(inside(subject().object.__dlpack__(**{name: (1, 0), "".join(["co", "py"]): None})), Versioned)


@pytest.mark.parametrize("wrong", [{"max_versions": None}, {"max_version": (1, 0), "nothing": None}], ids=repr)
def test_an_unknown_keyword_is_refused_even_if_it_is_none(subject, wrong: dict[str, Any]) -> None:
    with pytest.raises(TypeError, match="unexpected keyword argument"):
        subject().object.__dlpack__(**wrong)


def test_exports_that_live_together_do_not_share_their_tensor(subject) -> None:
    made = subject()
    first, second, third = (made.object.__dlpack__(max_version=(1, 0)) for _ in range(3))
    tensors = [inside(capsule).tensor for capsule in (first, second, third)]
    assert len({ctypes.addressof(tensor) for tensor in tensors}) == 3
    assert {tensor.data for tensor in tensors} == {made.struct.data}
    del first
    again = made.object.__dlpack__(max_version=(1, 0))
    assert inside(second).tensor.axes() == inside(again).tensor.axes() == inside(third).tensor.axes()


def test_a_closed_object_has_no_fast_path(lab: ModuleType) -> None:
    made = lab.Moved.from_dlpack(np.arange(3.0))
    assert name_of(made.__dlpack__()) == "dltensor"
    made.close()
    with pytest.raises(ValueError, match="the object is closed"):
        made.__dlpack__()
