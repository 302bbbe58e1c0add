"""Foreign objects that are released while a call fails: their code runs with no exception pending."""

from __future__ import annotations

import gc
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from support.build import build_module, compile_c, import_extension

HERE = Path(__file__).resolve().parent
HEADER = Path(__file__).with_name("pending.h").read_text()
SPEC = """
dlpack-bindgen: 1
module: pending
include: pending.h
tensors:
  Shelf:
    type: shelf
    data: self->at
    dtype: float64
    shape: [self->n]
    release: shelf_free(self)
    allocate: {construct: "shelf_new((size_t)shape[0])"}
    import: {set: {at: data, n: "(size_t)shape[0]"}}
functions:
  labels: {c: "size_t labels(const char *const *names, int n)", args: {n: int}}
  open_at: {c: "int open_at(const char *path, int n)", args: {path: path, n: int}}
  total: {c: "double total(const double *x, size_t n, const char *unit)", args: {n: {count_of: x}}}
  twice: {c: int twice(int n)}
  half: {c: double half(double x)}
"""


@pytest.fixture(scope="module")
def lib(tmp_path_factory: pytest.TempPathFactory) -> ModuleType:
    return build_module("pending", SPEC, tmp_path_factory.mktemp("pending"), HEADER)


@pytest.fixture(scope="module")
def watchers_module(tmp_path_factory: pytest.TempPathFactory) -> ModuleType:
    path = tmp_path_factory.mktemp("watchers") / "watchers.so"
    compile_c(["-shared", "-Wno-missing-field-initializers", HERE / "watchers.c"], path)
    return import_extension("watchers", path)


@pytest.fixture
def watch(watchers_module: ModuleType) -> Iterator[Callable[[], Any]]:
    """Makes watchers; in the end, at least one has ended, and none with an exception pending."""
    watchers_module.counts()
    yield watchers_module.Watcher
    gc.collect()
    ends, disturbed = watchers_module.counts()
    assert ends > 0
    assert disturbed == 0


Watch = Callable[[], Any]


class Held:
    """An object that releases its watcher at its end."""

    def __init__(self, watcher: Any) -> None:
        self.watcher = watcher


class Word(str):
    """A str with a watcher."""

    watcher: Any

    @classmethod
    def of(cls, text: str, watcher: Any) -> Word:
        made = cls(text)
        made.watcher = watcher
        return made


class Fresh:
    """A sequence whose items have no other reference."""

    def __init__(self, make: Callable[[int], Any], count: int = 2) -> None:
        self.make, self.count = make, count

    def __len__(self) -> int:
        return self.count

    def __getitem__(self, index: int) -> Any:
        if index >= self.count:
            raise IndexError
        return self.make(index)


# ---- Strings and paths ----


def test_strings_before_a_wrong_item_are_released(lib: ModuleType, watch: Watch) -> None:
    with pytest.raises(TypeError, match=r"^labels\(\) argument 'names\[1\]' must be str, not int$"):
        lib.labels(Fresh(lambda i: Word.of("a", watch()) if i == 0 else 1), 1)


def test_strings_are_released_if_another_argument_fails(lib: ModuleType, watch: Watch) -> None:
    with pytest.raises(TypeError, match=r"^labels\(\) argument 'n' must be int, not str$"):
        lib.labels(Fresh(lambda i: Word.of("a", watch())), "x")
    assert lib.labels(Fresh(lambda i: Word.of("a", watch())), 1) == 1


@pytest.mark.parametrize("text", ["a", "\ud800", "a\0b"])
def test_a_path_made_for_the_call_is_released(lib: ModuleType, watch: Watch, text: str) -> None:
    class Place(os.PathLike[str]):
        def __fspath__(self) -> str:
            return Word.of(text, watch())

    with pytest.raises((TypeError, ValueError)):
        lib.open_at(Place(), "x")


def test_bytes_made_for_the_call_are_released(lib: ModuleType, watch: Watch) -> None:
    class Raw(bytes):
        watcher: Any

    class Place(os.PathLike[bytes]):
        def __fspath__(self) -> bytes:
            made = Raw(b"a")
            made.watcher = watch()
            return made

    with pytest.raises(TypeError, match=r"^open_at\(\) argument 'n' must be int, not str$"):
        lib.open_at(Place(), "x")
    assert lib.open_at(Place(), 3) == 3


# ---- Exceptions ----


@pytest.mark.parametrize("kind", [TypeError, ValueError, BufferError, AttributeError])
def test_an_object_that_an_exception_holds_is_released(lib: ModuleType, watch: Watch, kind: type[Exception]) -> None:
    class Odd:
        def __index__(self) -> int:
            raise kind(watch())

        __float__ = __index__  # type: ignore[assignment]

        def __dlpack__(self, **keywords: Any) -> Any:
            raise kind(watch())

    for call in (lambda: lib.twice(Odd()), lambda: lib.half(Odd()), lambda: lib.total(Odd(), "m"),
                 lambda: lib.Shelf.empty(Odd()), lambda: lib.Shelf.from_dlpack(Odd())):  # fmt: skip
        with pytest.raises(kind):
            call()


def test_the_first_of_two_exceptions_is_released(lib: ModuleType, watch: Watch) -> None:
    """The first exception is about the unknown keyword, and the second call fails for another reason."""

    class Old:
        def __dlpack__(self, *args: Any, **keywords: Any) -> Any:
            if keywords:
                raise TypeError("unexpected keyword argument 'max_version'", watch())
            raise ValueError("no", watch())

    with pytest.raises(ValueError, match="no"):
        lib.total(Old(), "m")


# ---- Sequences and attributes ----


def test_an_extent_that_fails_is_released(lib: ModuleType, watch: Watch) -> None:
    class Extent(Held):
        def __index__(self) -> int:
            raise ValueError("no extent")

    with pytest.raises(ValueError, match="no extent"):
        lib.Shelf.empty(Fresh(lambda i: Extent(watch())))


def test_the_name_of_a_dtype_is_released(lib: ModuleType, watch: Watch) -> None:
    class Odd:
        def __str__(self) -> str:
            return Word.of("float33", watch())

    with pytest.raises(TypeError, match="dtype"):
        lib.Shelf.empty(2, dtype=Odd())


def test_a_number_that_fails_is_released(lib: ModuleType, watch: Watch) -> None:
    class Number(Held):
        def __float__(self) -> float:
            raise ValueError("no number")

    with pytest.raises(ValueError, match="no number"):
        lib.total(Fresh(lambda i: Number(watch())), "m")


def test_an_importer_of_another_library_is_released(lib: ModuleType, watch: Watch) -> None:
    class Importer(Held):
        def __call__(self, array: Any) -> Any:
            raise ValueError("no import")

    class Target:
        def __getattr__(self, name: str) -> Any:
            if name == "from_dlpack":
                return Importer(watch())
            raise AttributeError(name)

    with pytest.raises(ValueError, match="no import"):
        lib.Shelf.empty(2).to(Target())


# ---- Arrays ----


def test_a_refused_array_is_released(lib: ModuleType, watch: Watch) -> None:
    class Watched(np.ndarray):
        watcher: Any

    def call(take: Callable[[Any], Any]) -> None:
        array = np.zeros(2, np.int8).view(Watched)
        array.watcher = watch()
        take(array)

    for take in (lib.Shelf.from_dlpack, lambda x: lib.total([x], "m"), lambda x: lib.total(x, "m")):
        with pytest.raises((BufferError, TypeError)):
            call(take)
