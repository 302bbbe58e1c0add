# SPDX-License-Identifier: MIT
"""A module of the limited API, beside those of the full one: the ways that CPython's headers leave to it."""

from __future__ import annotations

from types import ModuleType
from typing import Any

import numpy as np
import pytest

from dlpack_bindgen.tools import config
from support.build import SUFFIX, compile_c, generate, import_extension, runtime_sources

pytestmark = pytest.mark.limited_api
HEADER = """
#include <stddef.h>
static inline double total(const double *x, size_t n)
{
    double sum = 0;

    for (size_t i = 0; i < n; i++) {
        sum += x[i];
    }
    return sum;
}
static inline void twice(const double *x, size_t n, double *y)
{
    for (size_t i = 0; i < n; i++) {
        y[i] = 2 * x[i];
    }
}
static inline int letters(char *to, size_t n, int count)
{
    for (int i = 0; i < count && (size_t)i < n; i++) {
        to[i] = (char)('a' + i);
    }
    return count;
}
"""
SPEC = """
dlpack-bindgen: 1
module: limited
include: limited.h
arrays: Array
outputs: as given
functions:
  total: {c: "double total(const double *x, size_t n)", args: {n: {count_of: x}}}
  twice: {c: "void twice(const double *x, size_t n, double *y)", args: {n: {count_of: x}, y: {default: like x}}}
  letters:
    c: "int letters(char to[n], size_t n, int count)"
    args: {to: {out: true, of: bytes, size: result}, n: {value: "4"}}
"""


@pytest.fixture(scope="module")
def limited(tmp_path_factory: pytest.TempPathFactory) -> ModuleType:
    folder = tmp_path_factory.mktemp("limited")
    (folder / "limited.h").write_text(HEADER)
    sources = [path for path in generate(SPEC, folder) if path.suffix == ".c"]
    flags = [*config.abi3_cflags(), f"-I{folder}"]
    compile_c(["-shared", *flags, *sources, *runtime_sources("call")], folder / f"limited{SUFFIX}")
    return import_extension("limited", folder / f"limited{SUFFIX}")


class Array:
    """An array of a library whose importer makes lists."""

    def __init__(self, *values: float, old: bool = False) -> None:
        self.array, self.old = np.array(values, float), old

    def __dlpack__(self, **keywords: Any) -> Any:
        if self.old and keywords:
            raise TypeError("__dlpack__() got an unexpected keyword argument 'max_version'")
        return self.array.__dlpack__(**keywords)

    def __array_namespace__(self) -> Any:
        return type(self)

    @staticmethod
    def from_dlpack(made: Any) -> list[float]:
        return list(np.asarray(made))


def test_producers_are_called_with_and_without_the_version(limited: ModuleType) -> None:
    assert limited.total(Array(1, 2)) == limited.total(Array(1, 2, old=True)) == 3


def test_the_error_of_a_producer_is_raised(limited: ModuleType) -> None:
    class Failing(Array):
        def __dlpack__(self, **keywords: Any) -> Any:
            raise RuntimeError("no memory card")

    class Property(Array):
        @property
        def __dlpack__(self) -> Any:
            raise RuntimeError("no method")

    for value, message in ((Failing(1), "no memory card"), (Property(1), "no method")):
        with pytest.raises(RuntimeError, match=rf"^total\(\) argument 'x': {message}$"):
            limited.total(value)


def test_a_message_names_the_type_of_an_object_that_is_no_array(limited: ModuleType) -> None:
    class Plain:
        pass

    class Hidden:
        def __getattr__(self, name: str) -> Any:
            raise AttributeError(name)

    for value, name in ((Plain(), "Plain"), (Hidden(), "Hidden"), (5, "int")):
        with pytest.raises(TypeError) as error:
            limited.total(value)
        assert str(error.value) == f"total() argument 'x' must be an array or a sequence of numbers, not {name}"


def test_a_message_names_the_types_of_a_producer_and_of_its_answer(limited: ModuleType) -> None:
    class Odd:
        def __dlpack__(self, **keywords: Any) -> Any:
            return [1.0]

    with pytest.raises(TypeError, match=r"__dlpack__\(\) of 'Odd' returned 'list', not a capsule$"):
        limited.total(Odd())


def test_outputs_are_of_the_library_of_each_class(limited: ModuleType) -> None:
    """The module keeps the classes whose importers it remembers, which are few: a later class takes the place."""
    for i in range(40):
        made = type(f"Array{i}", (Array,), {})(1, i)
        assert [limited.twice(made), limited.twice(made)] == [[2, 2 * i]] * 2


def test_filled_bytes_are_as_long_as_c_reports(limited: ModuleType) -> None:
    assert [limited.letters(count) for count in (0, 2, 4)] == [b"", b"ab", b"abcd"]
    with pytest.raises(ValueError, match=r"^the size of the bytes \(result\) is 5, and the capacity is 4$"):
        limited.letters(5)
