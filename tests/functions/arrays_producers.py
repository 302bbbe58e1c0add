"""Producers for arguments: they call functions when they are converted, and when their memory is released."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from functions.arrays_library import Doubles, read_only
from python.exchange import Source, with_table

CODES = {"b": 6, "i": 0, "u": 1, "f": 2, "c": 5}
FLOAT64 = (2, 64, 1)

Act = Callable[[], object]


def nothing() -> None:
    pass


class Called:
    """An array that only `__dlpack__()` exports, after it has called a function."""

    def __init__(self, array: np.ndarray, act: Act = nothing) -> None:
        self.array, self.act = array, act

    def __dlpack__(self, **keywords: Any) -> Any:
        self.act()
        return self.array.__dlpack__(**keywords)


class Old(Called):
    """An array with the `__dlpack__()` from before DLPack 1.0."""

    def __dlpack__(self) -> Any:
        self.act()
        return self.array.__dlpack__()


class Described:
    """An object that only has an array interface."""

    def __init__(self, array: np.ndarray) -> None:
        self.__array_interface__ = array.__array_interface__
        self.array = array


class Answering:
    """An array whose `__dlpack__()` returns the given value."""

    def __init__(self, answer: Callable[[], Any]) -> None:
        self.answer = answer

    def __dlpack__(self, **keywords: Any) -> Any:
        return self.answer()


class _Mourned(np.ndarray):
    act: Act = staticmethod(nothing)

    def __del__(self) -> None:
        self.act()


class Ending:
    """An array that calls a function when its memory is released."""

    def __init__(self, array: np.ndarray, act: Act) -> None:
        self.array, self.act = array, act

    def __dlpack__(self, **keywords: Any) -> Any:
        view = self.array.view(_Mourned)
        view.act = self.act
        return np.ndarray.__dlpack__(view, **keywords)


class Number:
    """A number that calls a function when it is converted."""

    def __init__(self, act: Act) -> None:
        self.act = act

    def __float__(self) -> float:
        self.act()
        return 1.0

    def __index__(self) -> int:
        self.act()
        return 1


PRODUCERS: dict[str, Callable[[Doubles], Any]] = {
    "ndarray": lambda x: x,
    "read-only ndarray": read_only,
    "memoryview": memoryview,
    "call": Called,
    "capsule": lambda x: x.__dlpack__(max_version=(1, 0)),
    "old call": Old,
    "old capsule": lambda x: x.__dlpack__(),
}


def description(of: np.ndarray) -> str:
    """Returns the string that `tensor_text()` of the library returns for this array."""
    axes = "".join(f" {n}/{s // of.itemsize}" for n, s in zip(of.shape, of.strides, strict=True))
    return f"{CODES[of.dtype.kind]}:{8 * of.itemsize}:1 on 1:0,{axes}"


@pytest.fixture
def tabled(managed: Callable[..., Any], table: Callable[..., object]) -> Callable[..., Any]:
    """Makes an object whose type has a table; the memory of its borrowed views is freed with it."""

    class Lending(Source):
        def lend(self) -> int:
            self.asked.append("view")
            self.kept = self.managed(**self.fields)
            self.borrowed = [*getattr(self, "borrowed", []), self.kept]
            return ctypes.addressof(self.kept.struct.tensor)

        def __del__(self) -> None:
            for kept in getattr(self, "borrowed", []):
                kept.capsule()

    def make(base: type = Lending, without: str = "", majors: tuple[int, ...] = (), **fields: Any) -> Any:
        fields.setdefault("dtype", FLOAT64)
        return with_table(base, table(*majors, without=without))(managed, **fields)

    make.base = Lending  # type: ignore[attr-defined]
    return make
