"""Exceptions of foreign code during the conversion of an argument: the message names function and argument, and the
object stays."""

from __future__ import annotations

import errno
import sys
import traceback
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from support.build import build_module

HEADER = Path(__file__).with_name("blamed.h").read_text()
SPEC = """
dlpack-bindgen: 1
module: blamed
include: blamed.h
constants:
  Tint: {enum: {RED: TINT_RED, BLUE: TINT_BLUE}}
tensors:
  Card:
    type: card
    data: self->at
    dtype: int16
    shape: [self->n]
    import: {set: {at: data, n: "(size_t)shape[0]"}}
handles:
  File:
    type: file
    release: free(self)
    new:
      c: file *file_new(const void *bytes, size_t n)
      args: {bytes: bytes, n: {size_of: bytes}}
      returns: {of: File, keeps: bytes}
    properties:
      level: {get: self->level, set: {c: "void file_set(file *f, int level)"}}
      stored: {get: self->level, set: true}
arrays: Array
functions:
  card_size: {c: size_t card_size(const card *c)}
  cards_size: {c: "size_t cards_size(const card *const *all, size_t n)", args: {n: {count_of: all}}}
  count: {c: "size_t count(const int16_t *x, size_t n)", args: {n: {count_of: x}}}
  flags: {c: "size_t flags(const bool *x, size_t n)", args: {n: {count_of: x}}}
  clear: {c: "void clear(int16_t *x, size_t n)", args: {n: {count_of: x}}}
  size: {c: "size_t size(const void *bytes, size_t n)", args: {bytes: bytes, n: {size_of: bytes}}}
  twice: {c: int twice(int n)}
  half: {c: double half(double x)}
  turn: {c: double complex turn(double complex z)}
  opposite: {c: bool opposite(bool b)}
  tint: {c: int tint(enum tint t), args: {t: Tint}}
  first: {c: int first(const char *s)}
  path_first: {c: int path_first(const char *path), args: {path: path}}
  table: {c: int table(const char *const *names)}
"""


@pytest.fixture(scope="module")
def lib(tmp_path_factory: pytest.TempPathFactory) -> ModuleType:
    return build_module("blamed", SPEC, tmp_path_factory.mktemp("blamed"), HEADER)


class Strange(Exception):
    """An exception of foreign code, with a state."""

    def __init__(self, text: str, level: int = 0) -> None:
        super().__init__(text)
        self.level = level


class Producer:
    """Fails in every way, with the exception that it is given."""

    def __init__(self, error: BaseException) -> None:
        self.error = error

    def fail(self, *args: Any, **keywords: Any) -> Any:
        raise self.error

    __dlpack__ = __index__ = __float__ = __complex__ = __bool__ = __fspath__ = fail


class Row(Producer):
    """A sequence whose items fail."""

    __dlpack__ = None

    def __len__(self) -> int:
        return 2

    def __getitem__(self, index: int) -> Any:
        raise self.error

    def __iter__(self) -> Iterator[Any]:
        raise self.error


class Unsized(Producer):
    __dlpack__ = None

    @property
    def __len__(self) -> Any:  # type: ignore[override]
        raise self.error

    def __getitem__(self, index: int) -> Any:
        raise self.error


Call = Callable[[ModuleType, BaseException], Any]
CALLS: dict[str, tuple[str, Call]] = {
    "an array": ("count() argument 'x'", lambda m, e: m.count(Producer(e))),
    "an array that is written": ("clear() argument 'x'", lambda m, e: m.clear(Producer(e))),
    "an object": ("card_size() argument 'c'", lambda m, e: m.card_size(Producer(e))),
    "an item": ("cards_size() argument 'all'", lambda m, e: m.cards_size([Producer(e)])),
    "a sequence of objects": ("cards_size() argument 'all'", lambda m, e: m.cards_size(Row(e))),
    "a sequence of numbers": ("count() argument 'x'", lambda m, e: m.count(Row(e))),
    "a number in a list": ("count() argument 'x[1]'", lambda m, e: m.count([1, Index(e)])),
    "a bool in a list": ("flags() argument 'x[0]'", lambda m, e: m.flags([Truth(e)])),
    "bytes": ("size() argument 'bytes'", lambda m, e: m.size(Producer(e))),
    "bytes that are kept": ("File() argument 'bytes'", lambda m, e: m.File(Producer(e))),
    "an int": ("twice() argument 'n'", lambda m, e: m.twice(Producer(e))),
    "a float": ("half() argument 'x'", lambda m, e: m.half(Producer(e))),
    "a complex": ("turn() argument 'z'", lambda m, e: m.turn(Producer(e))),
    "a bool": ("opposite() argument 'b'", lambda m, e: m.opposite(Producer(e))),
    "a member": ("tint() argument 't'", lambda m, e: m.tint(Producer(e))),
    "a path": ("path_first() argument 'path'", lambda m, e: m.path_first(Producer(e))),
    "strings": ("table() argument 'names'", lambda m, e: m.table(Row(e))),
    "a property": ("attribute 'level'", lambda m, e: setattr(m.File(b""), "level", Producer(e))),
    "a property that is stored": ("attribute 'stored'", lambda m, e: setattr(m.File(b""), "stored", Producer(e))),
    "the stream of an export": ("__dlpack__() argument 'stream'", lambda m, e: own(m).__dlpack__(stream=Producer(e))),
    "the version of an export": (
        "__dlpack__() argument 'max_version'",
        lambda m, e: own(m).__dlpack__(max_version=(1, Producer(e))),
    ),
}


class Index(Producer):
    __dlpack__ = None


class Truth(Producer):
    __dlpack__ = None


def own(lib: ModuleType) -> Any:
    return lib.Card.from_dlpack(np.zeros(2, np.int16))


@pytest.mark.parametrize("name", CALLS)
@pytest.mark.parametrize("kind", [ValueError, RuntimeError, TypeError, BufferError, Strange])
def test_the_message_names_function_and_argument(lib: ModuleType, name: str, kind: type[Exception]) -> None:
    where, call = CALLS[name]
    error = kind("the source is gone")
    error.__cause__ = KeyError("cause")
    with pytest.raises(kind) as caught:
        call(lib, error)
    assert str(caught.value) == f"{where}: the source is gone"
    assert caught.value is error
    assert isinstance(error.__cause__, KeyError)
    if isinstance(error, Strange):
        assert error.level == 0
    assert traceback.extract_tb(caught.value.__traceback__)[-1].name in ("fail", "__getitem__", "__iter__")


def test_the_message_names_function_and_argument_once(lib: ModuleType) -> None:
    error = ValueError("gone")
    for _ in range(3):
        with pytest.raises(ValueError, match=r"^count\(\) argument 'x': gone$"):
            lib.count(Producer(error))


@pytest.mark.parametrize("name", CALLS)
@pytest.mark.parametrize(
    "error", [KeyboardInterrupt("stop"), SystemExit("end"), MemoryError("full")], ids=lambda e: type(e).__name__
)
def test_exceptions_that_end_the_program_stay_as_they_are(lib: ModuleType, name: str, error: BaseException) -> None:
    with pytest.raises(type(error)) as caught:
        CALLS[name][1](lib, error)
    assert caught.value is error
    assert error.args == (
        {"KeyboardInterrupt": "stop", "SystemExit": "end", "MemoryError": "full"}[type(error).__name__],
    )


def test_an_exception_without_a_message_gets_one(lib: ModuleType) -> None:
    with pytest.raises(ValueError, match=r"^count\(\) argument 'x'$"):
        lib.count(Producer(ValueError()))


def test_an_oserror_keeps_errno_and_filename(lib: ModuleType) -> None:
    with pytest.raises(FileNotFoundError) as caught:
        lib.count(Producer(OSError(errno.ENOENT, "no such file", "a.bin")))
    assert str(caught.value) == f"[Errno {errno.ENOENT}] count() argument 'x': no such file: 'a.bin'"
    assert (caught.value.errno, caught.value.filename) == (errno.ENOENT, "a.bin")
    with pytest.raises(OSError, match=r"^count\(\) argument 'x': closed$"):
        lib.count(Producer(OSError("closed")))


def test_an_importerror_keeps_the_name_of_the_module(lib: ModuleType) -> None:
    with pytest.raises(ImportError, match=r"^count\(\) argument 'x': no driver$") as caught:
        lib.count(Producer(ImportError("no driver", name="cards")))
    assert caught.value.name == "cards"


def test_an_error_about_a_lone_surrogate_names_the_argument(lib: ModuleType) -> None:
    for name, call in {
        "first() argument 's'": lambda: lib.first("\ud800"),
        "table() argument 'names[1]'": lambda: lib.table(["a", "\ud800"]),
        "path_first() argument 'path'": lambda: lib.path_first("\ud800"),
    }.items():
        with pytest.raises(UnicodeEncodeError) as caught:
            call()
        assert f"{name}: surrogates not allowed" in str(caught.value)
        assert caught.value.object == "\ud800"


def test_an_exception_of_several_arguments_gets_a_note(lib: ModuleType) -> None:
    error = RuntimeError("code", 3)
    with pytest.raises(RuntimeError) as caught:
        lib.count(Producer(error))
    assert caught.value.args == ("code", 3)
    if sys.version_info >= (3, 11):
        assert caught.value.__notes__ == ["count() argument 'x'"]


# ---- Buffers that are refused ----


@pytest.mark.parametrize(
    "source",
    [np.zeros(3, "M8[s]"), np.zeros(3, "m8[D]"), np.zeros(4, "U5")[::2], np.array([None]), np.zeros((3, 2), "f4").T],
    ids=range(5),
)
def test_the_error_about_an_array_that_is_not_bytes_names_the_argument(lib: ModuleType, source: Any) -> None:
    for name, take in (("size", lib.size), ("File", lib.File)):
        with pytest.raises((ValueError, BufferError)) as caught:
            take(source)
        assert str(caught.value).startswith(f"{name}() argument 'bytes': ")


def test_the_error_about_a_released_memoryview_names_the_argument(lib: ModuleType) -> None:
    view = memoryview(b"abc")
    view.release()
    for where, call in (("size() argument 'bytes'", lib.size), ("count() argument 'x'", lib.count),
                        ("File() argument 'bytes'", lib.File)):  # fmt: skip
        with pytest.raises(ValueError) as caught:
            call(view)
        assert str(caught.value).startswith(f"{where}: ")


def test_an_import_raises_the_message_of_the_producer(lib: ModuleType) -> None:
    """An import has one argument, and is not a function of the library."""
    error = ValueError("gone")
    with pytest.raises(ValueError, match=r"^gone$"):
        lib.Card.from_dlpack(Producer(error))
