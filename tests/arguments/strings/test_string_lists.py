# SPDX-License-Identifier: MIT
"""Sequences of `str`, of which C gets a table of pointers: names, options, arguments."""

from __future__ import annotations

import gc
import inspect
import weakref
from collections.abc import Iterator, Sequence
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

from python.leaks import assert_no_growth, refused, warm_up
from support.build import build_module

SPEC = """
module: listed
include: listed.h
functions:
  joined:
    c: int joined(const char *const *names, int count)
    args: {count: {count_of: names}}
  until_null:
    c: int until_null(char **options)
    args: {options: {of: strings, optional: true}}
  named_value:
    c: double named_value(const char **names, size_t n, const double *values, size_t size, const char *path)
    args: {names: strings, n: {count_of: names, plus: 1}, size: {count_of: values}, path: path}
    ok: ">= 0"
    raises: OSError
    release_gil: true
  letter: {c: "char letter(char *const argv[], int argc)", args: {argv: strings, argc: {count_of: argv}}}
  pairs:
    c: int pairs(const char *const *keys, const char *const *values, int n)
    args: {n: {count_of: keys}, values: {require: [{count: n}]}}
  three: {c: "int until_null(char **options)", args: {options: {of: strings, require: [{count: "3"}]}}}
  fixed_three: {c: "int until_null_of(const char *const options[3])"}
  third: {c: "int joined(const char *const *names, int count)", args: {count: int},
          require: [{expr: "strlen(names[2]) > 1", error: '"short"'}]}
  less: {c: "int less(const char *const *names, int n)", args: {n: {count_of: names, plus: -1}}}
  after_default:
    c: int after_default(int s, const char *const *names)
    args: {s: {default: 3}, names: {optional: true}}
  words: {c: char **words(int count), returns: strings, finally: words_free(result)}
  fixed: {c: const char *const *fixed(void), returns: strings}
  filled:
    c: int filled(int count, char ***out)
    args: {out: {of: strings, out: true}}
    ok: == 0
    finally: words_free(out)
"""
HEADER = Path(__file__).with_name("listed.h").read_text()


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("listed")


@pytest.fixture(scope="module")
def listed(folder: Path) -> ModuleType:
    return build_module("listed", SPEC, folder, HEADER)


class Names(Sequence[str]):
    """Makes its items when it is asked for them."""

    def __init__(self, *names: str) -> None:
        self._names = names

    def __len__(self) -> int:
        return len(self._names)

    def __getitem__(self, index: int) -> str:  # type: ignore[override]
        return "".join(list(self._names[index]))


@pytest.mark.parametrize("kind", [list, tuple, lambda names: Names(*names)], ids=["list", "tuple", "sequence"])
def test_any_sequence_of_str_is_passed(listed: ModuleType, kind: type) -> None:
    assert listed.joined(kind(["a", "bcd", "\N{GREEK SMALL LETTER ALPHA}"])) == 1 + 2 * 3 + 3 * 2
    assert listed.joined(kind([])) == 0
    assert listed.joined(kind(["", ""])) == 0
    assert listed.until_null(kind(["a=1", "b=2"])) == 2


def test_a_table_of_strings_may_be_none(listed: ModuleType) -> None:
    assert listed.until_null() == listed.until_null(None) == -1
    assert listed.until_null([]) == 0
    assert (listed.after_default(), listed.after_default(1), listed.after_default(1, ["a"])) == (-3, -1, 1)
    with pytest.raises(TypeError, match=r"^joined\(\) argument 'names' must be a sequence of str, not None$"):
        listed.joined(None)


def test_strings_may_stand_beside_arrays_and_paths(listed: ModuleType) -> None:
    values = np.array([1.5, 2.5])
    assert listed.named_value(["a", "b"], values, Path("b")) == 2.5
    with pytest.raises(FileNotFoundError) as caught:
        listed.named_value(["a", "b"], values, "c")
    assert caught.value.filename == "c"
    assert listed.letter(["x", "yz"]) == "y"


@pytest.mark.parametrize(
    ("value", "exception", "message"),
    [
        ("ab", TypeError, r"^joined\(\) argument 'names' must be a sequence of str, not str$"),
        (b"ab", TypeError, r"^joined\(\) argument 'names' must be a sequence of str, not bytes$"),
        (3, TypeError, r"^joined\(\) argument 'names' must be a sequence of str, not int$"),
        ({"a": 1}, TypeError, r"^joined\(\) argument 'names' must be a sequence of str, not dict$"),
        (iter(["a"]), TypeError, r"^joined\(\) argument 'names' must be a sequence of str, not list_iterator$"),
        (["a", b"b"], TypeError, r"^joined\(\) argument 'names\[1\]' must be str, not bytes$"),
        (["a", None], TypeError, r"^joined\(\) argument 'names\[1\]' must be str, not None$"),
        (["a", "b\0c"], ValueError, r"^joined\(\) argument 'names\[1\]': embedded null character$"),
        (["\udcff"], UnicodeEncodeError, "surrogates"),
    ],
)
def test_wrong_items_and_sequences_are_refused(
    listed: ModuleType, value: object, exception: type[Exception], message: str
) -> None:
    with pytest.raises(exception, match=message):
        listed.joined(value)


def test_a_table_that_may_be_none_must_be_a_sequence_else(listed: ModuleType) -> None:
    with pytest.raises(TypeError) as error:
        listed.until_null(3)
    assert str(error.value) == "until_null() argument 'options' must be a sequence of str or None, not int"


def test_a_wrong_item_is_refused_beside_an_instance_of_a_subclass(listed: ModuleType) -> None:
    for value in ([Ending("a"), b"b"], (b"b", Ending("a")), [Ending("a"), None]):
        with pytest.raises(TypeError, match=r"^joined\(\) argument 'names\[[01]\]' must be str, not (bytes|None)$"):
            listed.joined(value)


def test_the_number_of_strings_is_checked(listed: ModuleType) -> None:
    assert listed.pairs(["a", "bc"], ["de", "f"]) == 4
    with pytest.raises(ValueError, match=r"^pairs\(\) argument 'values' must have 2 strings, not 1$"):
        listed.pairs(["a", "b"], ["c"])
    for function in (listed.three, listed.fixed_three):
        assert function(["a", "b", "c"]) == 3
        with pytest.raises(ValueError, match=r"argument 'options' must have 3 strings, not 2$"):
            function(["a", "b"])
    assert listed.less(["a", "b"]) == 1
    with pytest.raises(ValueError, match=r"^less\(\) argument 'names' is of length 0, which must be 1 at least$"):
        listed.less([])


def test_c_text_reads_only_items_that_the_sequence_has(listed: ModuleType) -> None:
    assert listed.third(["a", "b", "cd"], 3) == 1 + 2 + 3 * 2
    with pytest.raises(ValueError, match=r"^third\(\): short \(count=3\)$"):
        listed.third(["a", "b", "c"], 3)
    for few in ([], ["a", "b"]):
        with pytest.raises(ValueError, match=rf"^third\(\) reads element 2 of argument 'names', which has {len(few)}$"):
            listed.third(few, 1)


class Ending(str):
    """A string that can be referenced weakly."""


def test_the_strings_live_as_long_as_the_call(listed: ModuleType) -> None:
    ended: list[str] = []

    class Disturbing(Sequence[str]):
        """A sequence whose items have no other reference."""

        def __len__(self) -> int:
            return 3

        def __getitem__(self, index: int) -> str:  # type: ignore[override]
            if index == 3:
                raise IndexError
            text = Ending("name" * (index + 1))
            weakref.finalize(text, ended.append, str(index))
            return text

        def __iter__(self) -> Iterator[str]:
            return (self[index] for index in range(3))

    assert listed.joined(Disturbing()) == 4 + 2 * 8 + 3 * 12
    gc.collect()
    assert sorted(ended) == ["0", "1", "2"]


def test_tables_of_strings_are_returned(listed: ModuleType) -> None:
    assert listed.words(3) == ["a", "b", "c"]
    assert listed.words(0) == listed.words(-1) == []
    assert listed.fixed() == ["one", "zwei"]
    assert listed.filled(2) == ["a", "b"]
    with pytest.raises(UnicodeDecodeError):
        listed.words(10)
    with pytest.raises(RuntimeError, match=r"^filled\(\): filled\(\) failed with 1 \(count=6\)$"):
        listed.filled(6)


def test_stubs_show_sequences_of_str(listed: ModuleType, folder: Path) -> None:
    assert str(inspect.signature(listed.until_null)) == "(options=None)"
    stub = (folder / "listed.pyi").read_text()
    assert "def joined(names: collections.abc.Sequence[str]) -> int: ...\n" in stub
    assert "def until_null(options: collections.abc.Sequence[str] | None = None) -> int: ...\n" in stub
    assert "def words(count: int) -> list[str]: ...\n" in stub
    assert "def after_default(s: int = 3, names: collections.abc.Sequence[str] | None = None) -> int: ...\n" in stub


def test_lists_of_strings_leak_nothing(listed: ModuleType) -> None:
    values = np.zeros(2)

    def everything() -> None:
        listed.joined(["a", "b"])
        listed.until_null(None)
        listed.named_value(["a"], values, "a")
        refused(FileNotFoundError, lambda: listed.named_value(["a"], values, "c"))()
        listed.words(3)
        listed.filled(3)
        refused(UnicodeDecodeError, lambda: listed.words(10))()
        refused(RuntimeError, lambda: listed.filled(6))()
        refused(TypeError, lambda: listed.joined(["a", 1]))()
        refused(ValueError, lambda: listed.joined(["a\0"]))()
        refused(TypeError, lambda: listed.named_value(["a"], "no array", "c"))()

    warm_up(everything)
    assert_no_growth(everything)
