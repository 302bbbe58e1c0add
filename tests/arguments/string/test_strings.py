"""Strings and paths as arguments and results."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest


class Named:
    """A path-like object that returns any value."""

    def __init__(self, path: Any) -> None:
        self.path = path

    def __fspath__(self) -> Any:
        return self.path


def total(name: bytes) -> int:
    """Returns the number that the library computes from one path."""
    return sum(name) * 10000 - 1


def refused(call: Any, *args: object) -> tuple[type[BaseException], str]:
    with pytest.raises(Exception) as caught:
        call(*args)
    return caught.type, str(caught.value)


@pytest.mark.parametrize("text", ["", "plain", "é", "\U0001f600", "a" * 100_000])
def test_a_string_is_passed_as_utf8(calls: ModuleType, text: str) -> None:
    assert calls.length(text) == len(text.encode())


class Text(str):
    pass


def test_a_subclass_of_str_is_accepted(calls: ModuleType) -> None:
    assert calls.length(Text("abc")) == 3


@pytest.mark.parametrize("value, shown", [(b"a", "bytes"), (3, "int"), (None, "None"), (Path("a"), "PosixPath")])
def test_values_that_are_not_strings_are_refused(calls: ModuleType, value: object, shown: str) -> None:
    expected = {"length": "str", "greeting": "str", "maybe": "str or None"}
    for name, kinds in expected.items():
        if name == "maybe" and value is None:
            continue
        error, message = refused(getattr(calls, name), value)
        assert error is TypeError
        assert message.startswith(f"{name}() argument 'text' must be {kinds}, not ")
        assert message.endswith(shown)


@pytest.mark.parametrize("name", ["length", "maybe", "greeting"])
@pytest.mark.parametrize("text", ["\0", "a\0b", "a\0"])
def test_a_string_with_a_null_character_is_refused(calls: ModuleType, name: str, text: str) -> None:
    expected = f"{name}() argument 'text': embedded null character"
    assert refused(getattr(calls, name), text) == (ValueError, expected)


def test_a_lone_surrogate_is_refused(calls: ModuleType) -> None:
    with pytest.raises(UnicodeEncodeError, match="surrogates not allowed"):
        calls.length("a\ud800")


@pytest.mark.parametrize("name", ["nothing_said", "no_path"])
def test_none_can_be_passed_where_it_is_the_default(calls: ModuleType, name: str) -> None:
    call = getattr(calls, name)
    assert (call(), call(None), call(text=None), call("four")) == (-1, -1, -1, 4)
    with pytest.raises(TypeError, match=rf"^{name}\(\) argument 'text' must be .*None"):
        call(1)


def test_an_optional_string_may_be_none(calls: ModuleType) -> None:
    assert calls.maybe() == calls.maybe(None) == calls.maybe(text=None) == -1
    assert calls.maybe("") == 0
    assert calls.maybe("four") == 4


def test_a_string_can_have_a_default(calls: ModuleType) -> None:
    assert calls.greeting() == len("hello")
    assert calls.greeting(text="a") == 1


def test_strings_are_returned(calls: ModuleType) -> None:
    assert [calls.word(number) for number in (0, 1, 2, 4)] == [None, "plain", "été", ""]


def test_a_string_that_is_not_utf8_is_not_returned(calls: ModuleType) -> None:
    with pytest.raises(UnicodeDecodeError, match="can't decode byte 0xff"):
        calls.word(3)


def test_a_string_that_the_caller_must_free_is_freed(calls: ModuleType) -> None:
    assert calls.join("a", "é") == "aé"
    assert calls.texts() == 0


# ---- Paths ----


@pytest.mark.parametrize(
    "path, name",
    [
        ("a/b", b"a/b"),
        (b"a/b", b"a/b"),
        (Path("a/b"), b"a/b"),
        ("é", os.fsencode("é")),
        ("\udcff", b"\xff"),
        (b"\xff\xfe", b"\xff\xfe"),
        (Named("named"), b"named"),
        (Named(b"\xff"), b"\xff"),
        ("", b""),
    ],
)
def test_a_path_is_passed_in_the_encoding_of_the_file_system(calls: ModuleType, path: object, name: bytes) -> None:
    assert calls.paths(path) == total(name)
    assert calls.paths(path=path, other=path) == sum(name) * 10000 + sum(name)


def test_an_optional_path_may_be_none(calls: ModuleType) -> None:
    assert calls.paths("a") == calls.paths("a", None) == calls.paths("a", other=None) == total(b"a")


@pytest.mark.parametrize("value, shown", [(3, "int"), (None, "None"), ([], "list"), (bytearray(b"a"), "bytearray")])
def test_values_that_are_not_paths_are_refused(calls: ModuleType, value: object, shown: str) -> None:
    kinds = "str, bytes or os.PathLike"
    assert refused(calls.paths, value) == (TypeError, f"paths() argument 'path' must be {kinds}, not {shown}")
    if value is not None:
        kinds = "str, bytes, os.PathLike or None"
        expected = f"paths() argument 'other' must be {kinds}, not {shown}"
        assert refused(calls.paths, "a", value) == (TypeError, expected)


@pytest.mark.parametrize("path", ["a\0", b"\0", Named("a\0b")])
def test_a_path_with_a_null_character_is_refused(calls: ModuleType, path: object) -> None:
    assert refused(calls.paths, path) == (ValueError, "paths() argument 'path': embedded null character")
    # The first path has been converted when the second one is refused.
    assert refused(calls.paths, Path("a"), path) == (ValueError, "paths() argument 'other': embedded null character")


def test_an_object_whose_fspath_returns_no_string_is_refused(calls: ModuleType) -> None:
    with pytest.raises(TypeError, match=r"expected Named.__fspath__\(\) to return str or bytes, not int"):
        calls.paths(Named(3))


def test_a_path_that_cannot_be_encoded_is_refused(calls: ModuleType) -> None:
    with pytest.raises(UnicodeEncodeError):
        calls.paths("\ud800")


class Stuck:
    def __fspath__(self) -> str:
        raise KeyError("stuck")


def test_an_exception_of_a_path_reaches_the_caller(calls: ModuleType) -> None:
    with pytest.raises(KeyError, match="stuck"):
        calls.paths("a", Stuck())


def test_a_call_keeps_no_reference_to_its_paths(calls: ModuleType) -> None:
    name = b"name of a file"
    before = sys.getrefcount(name)
    calls.paths(name, Named(name))
    with pytest.raises(KeyError):
        calls.paths(name, Stuck())
    assert sys.getrefcount(name) == before
