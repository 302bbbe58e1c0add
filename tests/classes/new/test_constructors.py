"""Classes that are called: by CPython's vectorcall, and by __new__(), which gets a tuple and a dict."""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType
from typing import Any

import pytest


def call(cls: Any, *args: Any, **kwargs: Any) -> Any:
    return cls(*args, **kwargs)


def new(cls: Any, *args: Any, **kwargs: Any) -> Any:
    return cls.__new__(cls, *args, **kwargs)


both_ways = pytest.mark.parametrize("make", [call, new])


@both_ways
def test_a_class_is_called_to_make_objects(things: ModuleType, make: Callable[..., Any]) -> None:
    made = [make(things.Store), make(things.Store, 3), make(things.Store, value=4)]
    assert [store.value for store in made] == [7, 3, 4]
    assert {type(store) for store in made} == {things.Store}
    del made
    assert things.stores() == 0


@both_ways
@pytest.mark.parametrize(
    "args, kwargs, error, message",
    [
        ((1, 2), {}, TypeError, "Store() takes at most 1 argument (2 given)"),
        ((), {"v": 1}, TypeError, "Store() got an unexpected keyword argument 'v'"),
        ((), {1.5: 1}, TypeError, "keywords must be strings"),
        ((), {"value": 2, 7: 1}, TypeError, "keywords must be strings"),
        ((1,), {"value": 2}, TypeError, "argument for Store() given by name ('value') and position (1)"),
        (("x",), {}, TypeError, "Store() argument 'value' must be int, not str"),
        ((2**40,), {}, OverflowError, "Store() argument 'value': signed 32-bit integer is greater than maximum"),
        ((-1,), {}, ValueError, "Store(): negative (value=-1)"),
    ],
)
def test_constructors_refuse_as_functions_do(
    things: ModuleType,
    make: Callable[..., Any],
    args: tuple[Any, ...],
    kwargs: dict[Any, Any],
    error: type[Exception],
    message: str,
) -> None:
    with pytest.raises(Exception) as caught:
        make(things.Store, *args, **kwargs)
    assert (caught.type, str(caught.value)) == (error, message)


def test_keywords_are_strings(things: ModuleType) -> None:
    """No Python function is called before, which would refuse the keywords itself."""
    for keywords in ({1.5: 1}, {"value": 2, 7: 1}):
        with pytest.raises(TypeError, match="keywords must be strings"):
            things.Store.__new__(things.Store, **keywords)
        with pytest.raises(TypeError, match="keywords must be strings"):
            things.Store(**keywords)
    assert things.stores() == 0
