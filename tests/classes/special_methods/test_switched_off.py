"""Classes that switch a protocol off: their special method is None, as Python's data model has it."""

from __future__ import annotations

import array
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from support.build import build_module

HEADER = Path(__file__).with_name("switched.h").read_text()
SPEC = """
dlpack-bindgen: 1
module: switched
include: switched.h
tensors:
  Belt:
    type: belt
    data: self->at
    dtype: int16
    shape: [self->n]
    import: {set: {at: data, n: "(size_t)shape[0]"}}
    methods: {total: {c: long long belt_sum(const belt *b)}}
functions:
  sum: {c: "long long sum(const int16_t *x, size_t n)", args: {n: {count_of: x}}}
  belt_sum: {c: long long belt_sum(const belt *b)}
  belts_sum: {c: "long long belts_sum(const belt *const *all, size_t n)", args: {n: {count_of: all}}}
  size: {c: "size_t size(const void *bytes, size_t n)", args: {bytes: bytes, n: {size_of: bytes}}}
  twice: {c: int twice(int n)}
  half: {c: double half(double x)}
  opposite: {c: bool opposite(bool b)}
  path_first: {c: int path_first(const char *path), args: {path: path}}
"""


@pytest.fixture(scope="module")
def lib(tmp_path_factory: pytest.TempPathFactory) -> ModuleType:
    return build_module("switched", SPEC, tmp_path_factory.mktemp("switched"), HEADER)


Take = Callable[[ModuleType, Any], Any]
WAYS: dict[str, Take] = {
    "a class": lambda lib, x: lib.Belt.from_dlpack(x).total(),
    "an array": lambda lib, x: lib.sum(x),
    "an object": lambda lib, x: lib.belt_sum(x),
    "a list": lambda lib, x: lib.belts_sum([x, x]) // 2,
}


def shorts(cls: type) -> Any:
    return cls("h", [1, 2, 3])


class Off:
    __dlpack__ = None


class OffArray(array.array):  # type: ignore[type-arg]
    __dlpack__ = None


class OffNumpy(np.ndarray):
    __dlpack__ = None  # type: ignore[assignment]


class Subclass(OffArray):
    """Inherits the method that is None."""


class Property(array.array):  # type: ignore[type-arg]
    """Has the name as a property, which returns None."""

    @property
    def __dlpack__(self) -> None:
        return None


class Asked(array.array):  # type: ignore[type-arg]
    def __getattr__(self, name: str) -> None:
        if name != "__dlpack__":
            raise AttributeError(name)


class On(OffNumpy):
    """Switches the method on again."""

    def __dlpack__(self, **keywords: Any) -> Any:
        return self.view(np.ndarray).__dlpack__(**keywords)


BUFFERS: dict[str, Callable[[], Any]] = {
    "a buffer": lambda: shorts(OffArray),
    "a subclass": lambda: shorts(Subclass),
    "a property": lambda: shorts(Property),
    "__getattr__": lambda: shorts(Asked),
    "a NumPy array": lambda: np.array([1, 2, 3], np.int16).view(OffNumpy),
    "on again": lambda: np.array([1, 2, 3], np.int16).view(On),
}


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("name", BUFFERS)
def test_the_buffer_is_used_where_dlpack_is_none(lib: ModuleType, name: str, way: str) -> None:
    for _ in range(2):
        assert WAYS[way](lib, BUFFERS[name]()) == 6


class Instance:
    def __init__(self) -> None:
        self.__dlpack__ = None


class Silent:
    def __getattr__(self, name: str) -> Any:
        return None


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("cls", [Off, Instance, Silent])
def test_an_object_without_a_buffer_is_a_type_error(lib: ModuleType, cls: type, way: str) -> None:
    expected = (
        "takes an object with __dlpack__\\(\\) or a buffer, not" if way == "a class" else r"argument '\w+' must be "
    )
    for _ in range(2):
        with pytest.raises(TypeError, match=expected):
            WAYS[way](lib, cls())


def test_bytes_come_from_the_buffer_where_dlpack_is_none(lib: ModuleType) -> None:
    assert lib.size(shorts(OffArray)) == 6
    with pytest.raises(TypeError, match=r"^size\(\) argument 'bytes' must be a bytes-like object, not "):
        lib.size(Off())


def test_a_list_whose_dlpack_is_none_is_a_list_of_numbers(lib: ModuleType) -> None:
    class OffList(list):  # type: ignore[type-arg]
        __dlpack__ = None

    assert lib.sum(OffList([1, 2, 3])) == 6


def test_a_class_that_changes_is_looked_up_again(lib: ModuleType) -> None:
    class Changing(array.array):  # type: ignore[type-arg]
        def __dlpack__(self, **keywords: Any) -> Any:
            raise ValueError("asked")

    source = shorts(Changing)
    with pytest.raises(ValueError, match="asked"):
        lib.sum(source)
    Changing.__dlpack__ = None  # type: ignore[assignment, method-assign]
    assert lib.sum(source) == 6


# ---- Exchange tables ----


@pytest.mark.parametrize("way", WAYS)
def test_a_table_that_is_none_is_ignored(lib: ModuleType, way: str) -> None:
    class Tableless(np.ndarray):
        __dlpack_c_exchange_api__ = None

    class Buffer(array.array):  # type: ignore[type-arg]
        __dlpack_c_exchange_api__ = None

    class Nothing:
        __dlpack_c_exchange_api__ = None

    assert WAYS[way](lib, np.array([1, 2, 3], np.int16).view(Tableless)) == 6
    assert WAYS[way](lib, shorts(Buffer)) == 6
    with pytest.raises(TypeError):
        WAYS[way](lib, Nothing())


def test_a_call_that_is_none_hides_the_table_of_a_base(lib: ModuleType) -> None:
    class Tabled:
        __dlpack_c_exchange_api__ = lib.Belt.__dlpack_c_exchange_api__

    class Hidden(Tabled):
        __dlpack__ = None

    with pytest.raises(TypeError, match="this exchange table does not belong to"):
        lib.sum(Tabled())
    with pytest.raises(TypeError, match=r"^sum\(\) argument 'x' must be an array"):
        lib.sum(Hidden())


# ---- Other special methods ----


class NoIndex(int):
    """Inherits the conversion of int, although `__index__` is None."""

    __index__ = None  # type: ignore[assignment]


class Neither:
    __index__ = None
    __float__ = None
    __complex__ = None
    __bool__ = None
    __fspath__ = None


def test_methods_of_conversion_can_be_switched_off(lib: ModuleType) -> None:
    assert lib.twice(NoIndex(3)) == 6
    with pytest.raises(TypeError, match=r"^twice\(\) argument 'n' must be int, not "):
        lib.twice(Neither())
    with pytest.raises(TypeError, match=r"^half\(\) argument 'x' must be real number, not "):
        lib.half(Neither())
    with pytest.raises(TypeError, match=r"^opposite\(\) argument 'b' must be bool, not "):
        lib.opposite(Neither())
    with pytest.raises(TypeError, match=r"^path_first\(\) argument 'path' must be str, bytes or os.PathLike, not "):
        lib.path_first(Neither())


class Row:
    """A sequence of numbers."""

    def __len__(self) -> int:
        return 3

    def __getitem__(self, index: int) -> int:
        return range(1, 4)[index]


def test_methods_of_sequences_can_be_switched_off(lib: ModuleType) -> None:
    class NoKeys(Row):
        keys = None

    class NoLength(Row):
        __len__ = None  # type: ignore[assignment]

    class NoIterator(Row):
        __iter__ = None

    assert (lib.sum(Row()), lib.sum(NoKeys())) == (6, 6)
    for cls in (NoLength, NoIterator):
        with pytest.raises(TypeError, match=r"^sum\(\) argument 'x'"):
            lib.sum(cls())


def test_a_target_whose_from_dlpack_is_none_is_refused(lib: ModuleType) -> None:
    class Target:
        from_dlpack = None

    belt = lib.Belt.from_dlpack(np.ones(3, np.int16))
    for target in (Target, Target()):
        with pytest.raises(TypeError, match=r"Belt\.to\(\)"):
            belt.to(target)
