# SPDX-License-Identifier: MIT
"""Classes of producers whose metaclass answers in another way, or fails, when their attributes are looked up."""

from __future__ import annotations

import array
from collections.abc import Callable, Iterator
from types import ModuleType
from typing import Any, NoReturn

import numpy as np
import pytest

from python.exchange import ATTRIBUTE, Calls


class NotNow(LookupError):
    """Is raised anew each time, since an exception that is raised again collects notes. `last` is the newest one."""

    last: NotNow


def fail(*_: object) -> NoReturn:
    NotNow.last = NotNow("not now")
    raise NotNow.last


class Answering(type):
    """Looks up an attribute by the function in `answers`, if it has one."""

    answers: dict[str, Callable[[], Any]]

    def __getattribute__(cls, name: str) -> Any:
        answer = type.__getattribute__(cls, "answers").get(name)
        return type.__getattribute__(cls, name) if answer is None else answer()


class Names:
    """The `__dict__` of a class that has these names, and whose values cannot be read. Without names, it cannot
    even be asked for one."""

    def __init__(self, *names: str) -> None:
        self.names = names

    def __contains__(self, name: object) -> bool:
        return name in self.names if self.names else fail()

    def __getitem__(self, name: str) -> object:
        return fail() if self.names else None


class Once(type):
    """Fails at the first look at the bases of a class. Later lookups run no code of Python, and find all that they look
    for: they would clear the error."""

    __dlpack__ = None

    def __getattribute__(cls, name: str) -> Any:
        if name == "__mro__":
            del Once.__getattribute__
            fail()
        return type.__getattribute__(cls, name)


@pytest.fixture
def once() -> Iterator[type]:
    method = Once.__getattribute__
    yield Once
    Once.__getattribute__ = method  # type: ignore[method-assign]


CALLS: dict[str, tuple[str, Callable[[ModuleType, Any], float]]] = {
    "imported": ("H", lambda m, x: m.strip_sum(x)),
    "one of two": ("d", lambda m, x: m.numbers_sum_weighted(x, np.ones(4))),
}


@pytest.mark.borrowing
@pytest.mark.parametrize("name", CALLS)
def test_a_lookup_that_failed_once_is_repeated(arrays: ModuleType, once: type, name: str) -> None:
    typecode, call = CALLS[name]
    source = once("Source", (array.array,), {})(typecode, [1] * 4)
    assert call(arrays, source) == 4
    assert "__getattribute__" not in vars(once)


@pytest.mark.parametrize("function", ["numbers_sum", "matrix_sum", "strip_sum"])
def test_a_lookup_that_always_fails_is_an_error(arrays: ModuleType, function: str) -> None:
    source = Answering("Source", (), {"answers": {"__mro__": fail}})()
    with pytest.raises(LookupError, match="not now"):
        getattr(arrays, function)(source)


@pytest.mark.parametrize("names", [(), ("__dlpack__",), ("__torch_function__",)])
def test_names_that_cannot_be_read_are_an_error(lab: ModuleType, managed: Any, names: tuple[str, ...]) -> None:
    answers = {"__dict__": lambda: Names(*names)}
    source = Answering("Source", (Calls,), {"answers": answers})(managed)
    with pytest.raises(LookupError) as caught:
        lab.Moved.from_dlpack(source)
    assert caught.value is NotNow.last
    assert source.asked == []


def test_a_table_that_cannot_be_read_is_an_error(lab: ModuleType, managed: Any, table: Any) -> None:
    source = Answering("Source", (Calls,), {ATTRIBUTE: table(), "answers": {ATTRIBUTE: fail}})(managed)
    with pytest.raises(LookupError, match="not now"):
        lab.Moved.from_dlpack(source)
    assert source.asked == []


def test_a_table_that_is_removed_before_it_is_read_is_ignored(lab: ModuleType, managed: Any, table: Any) -> None:
    def gone() -> NoReturn:
        raise AttributeError(ATTRIBUTE)

    source = Answering("Source", (Calls,), {ATTRIBUTE: table(), "answers": {ATTRIBUTE: gone}})(managed)
    lab.Moved.from_dlpack(source)
    assert source.asked == ["call"]
