# SPDX-License-Identifier: MIT
"""Classes of producers whose metaclass answers in another way, or fails, when their attributes are looked up."""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType
from typing import Any, NoReturn

import numpy as np
import pytest

from python.exchange import ATTRIBUTE, Calls

NOT_NOW = LookupError("not now")


def fail(*_: object) -> NoReturn:
    raise NOT_NOW


class Answering(type):
    """Looks up an attribute by the function in `answers`, if it has one."""

    answers: dict[str, Callable[[], Any]]

    def __getattribute__(cls, name: str) -> Any:
        answer = type.__getattribute__(cls, "answers").get(name)
        return type.__getattribute__(cls, name) if answer is None else answer()


class Names:
    """The `__dict__` of a class whose names are known, but not its values; without names, not even those."""

    def __init__(self, *names: str) -> None:
        self.names = names

    def __contains__(self, name: object) -> bool:
        return name in self.names if self.names else fail()

    __getitem__ = fail


def failing_once(cls: type, name: str) -> Callable[[], Any]:
    """Returns an answer that fails only the first time."""
    failures = [NOT_NOW]

    def answer() -> Any:
        if failures:
            raise failures.pop()
        return type.__getattribute__(cls, name)

    return answer


CALLS: dict[str, tuple[str, Callable[[ModuleType, Any], float]]] = {
    "imported": ("u2", lambda m, x: m.strip_sum(x)),
    "one of two": ("f8", lambda m, x: m.numbers_sum_weighted(x, np.ones(4))),
}


@pytest.mark.borrowing
@pytest.mark.parametrize("name", CALLS)
def test_a_lookup_that_failed_once_is_repeated(arrays: ModuleType, name: str) -> None:
    dtype, call = CALLS[name]

    class Source(metaclass=Answering):
        answers: dict[str, Callable[[], Any]] = {}

        def __dlpack__(self, **keywords: Any) -> Any:
            return np.ones(4, dtype).__dlpack__(**keywords)

    source = Source()
    Source.answers["__mro__"] = failing_once(Source, "__mro__")
    assert call(arrays, source) == 4


@pytest.mark.parametrize("function", ["numbers_sum", "matrix_sum", "strip_sum"])
def test_a_lookup_that_always_fails_is_an_error(arrays: ModuleType, function: str) -> None:
    class Source(metaclass=Answering):
        answers = {"__mro__": fail}

    with pytest.raises(LookupError, match="not now"):
        getattr(arrays, function)(Source())


@pytest.mark.parametrize("names", [(), ("__dlpack__",), ("__torch_function__",)])
def test_names_that_cannot_be_read_are_an_error(lab: ModuleType, managed: Any, names: tuple[str, ...]) -> None:
    answers = {"__dict__": lambda: Names(*names)}
    source = Answering("Source", (Calls,), {"answers": answers})(managed)
    with pytest.raises(LookupError) as caught:
        lab.Moved.from_dlpack(source)
    assert caught.value is NOT_NOW
    assert source.asked == []


def test_a_table_that_cannot_be_read_is_an_error(lab: ModuleType, managed: Any, table: Any) -> None:
    source = Answering("Source", (Calls,), {ATTRIBUTE: table(), "answers": {ATTRIBUTE: fail}})(managed)
    with pytest.raises(LookupError, match="not now"):
        lab.Moved.from_dlpack(source)
    assert source.asked == []


def test_a_table_that_is_gone_when_it_is_read_is_none(lab: ModuleType, managed: Any, table: Any) -> None:
    def gone() -> NoReturn:
        raise AttributeError(ATTRIBUTE)

    source = Answering("Source", (Calls,), {ATTRIBUTE: table(), "answers": {ATTRIBUTE: gone}})(managed)
    lab.Moved.from_dlpack(source)
    assert source.asked == ["call"]
