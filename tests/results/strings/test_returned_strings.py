"""Tables of strings that C returns with their count: they need no NULL at the end."""

from __future__ import annotations

import inspect
from pathlib import Path
from types import ModuleType

import pytest

from python.leaks import assert_no_growth, refused, warm_up
from support.build import build_module

HEADER = Path(__file__).with_name("tagged.h").read_text()
SPEC = """
module: tagged
include: tagged.h
handles:
  Album:
    type: album
    release: album_free(self)
    new: {c: album *album_new(int n)}
    methods:
      tags: {c: char **album_tags(const album *a), returns: {of: strings, count: album_count(a)}}
      first: {c: char **album_tags(const album *a), returns: {of: strings, count: "a->count > 1 ? 1 : a->count"}}
functions:
  made:
    c: char **made(int wanted, int *n)
    args: {n: {out: true}}
    returns: {of: strings, count: n}
    finally: table_free(result, (size_t)n)
  fixed: {c: const char *const *fixed(short *n), args: {n: {out: true}}, returns: {of: strings, count: n}}
  claimed: {c: const char *const *claimed(unsigned long long n), returns: {of: strings, count: n}}
  pair:
    c: const char *const *fixed(short *n)
    args: {n: {out: true}}
    returns: {of: strings, count: "2"}
    release_gil: true
  filled:
    c: int filled(int wanted, char ***table)
    args: {table: {of: strings, out: true, count: result}}
    ok: "> -2"
    finally: table_free(table, (size_t)result)
  both:
    c: int both(const char *const **keys, const char *const **values, size_t *n)
    args: {keys: {of: strings, out: true, count: n}, values: {of: strings, out: true, count: n}, n: {out: true}}
    ok: == 0
  told: {c: const char *const *told(long long n), returns: {of: strings, count: n}}
  wide: {c: const char *const *told(long long n), returns: {of: strings, count: (unsigned long long)n}}
  letters: {c: const letter *const *letters(void), returns: {of: strings, count: "2"}}
  bytes: {c: const unsigned char **bytes(int *n), args: {n: {out: true}}, returns: {of: strings, count: n}}
  live: {c: int live(void)}
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("tagged")


@pytest.fixture(scope="module")
def tagged(folder: Path) -> ModuleType:
    return build_module("tagged", SPEC, folder, HEADER, '#include "tagged.h"\nint tables;\n')


def test_a_list_has_as_many_strings_as_c_reports(tagged: ModuleType) -> None:
    assert tagged.made(3) == ["a", "b", "c"]
    assert tagged.made(1) == ["a"]
    assert tagged.made(0) == []
    assert tagged.filled(2) == ["a", "b"]
    assert tagged.filled(0) == []
    assert tagged.both() == (["k", "l"], ["v", "w"])
    assert tagged.live() == 0


def test_a_count_that_no_list_can_have_is_an_error(tagged: ModuleType) -> None:
    """The table itself exists, with one string."""
    assert tagged.claimed(1) == ["one"]
    with pytest.raises(ValueError, match=rf"^the number of strings \(n\) is {2**62}$"):
        tagged.claimed(2**62)
    with pytest.raises(ValueError, match=r"^the number of strings \(n\) is "):
        tagged.claimed(2**64 - 1)


def test_an_expression_counts_the_strings_of_an_object(tagged: ModuleType) -> None:
    assert tagged.Album(3).tags() == ["a", "b", "c"]
    assert tagged.Album(3).first() == ["a"]
    assert tagged.Album(0).tags() == tagged.Album(0).first() == []


def test_an_entry_may_be_null(tagged: ModuleType) -> None:
    assert tagged.fixed() == ["one", None, "three"]
    assert tagged.pair() == (["one", None], 3)


def test_strings_can_have_other_types_of_characters(tagged: ModuleType) -> None:
    assert tagged.letters() == ["\N{LATIN SMALL LETTER A WITH DIAERESIS}"] * 2
    assert tagged.bytes() == ["abc"]


def test_counts_that_are_invalid_are_errors(tagged: ModuleType) -> None:
    with pytest.raises(ValueError, match=r"^the number of strings \(n\) is -1$"):
        tagged.made(-1)
    with pytest.raises(ValueError, match=r"^the number of strings \(result\) is -1$"):
        tagged.filled(-1)
    for count in (-(2**63), 2**62):
        with pytest.raises((ValueError, RuntimeError), match=rf"strings \(n\) is {'NULL' if count > 0 else count}"):
            tagged.told(count)
    with pytest.raises(RuntimeError, match=r"^the table of 9 strings \(n\) is NULL$"):
        tagged.told(9)
    with pytest.raises(ValueError, match=r"^the number of strings \(\(unsigned long long\)n\) is"):
        tagged.wide(-1)
    assert tagged.told(3) == ["x", "y", "z"]


def test_stubs_show_lists_of_strings(tagged: ModuleType, folder: Path) -> None:
    assert str(inspect.signature(tagged.made)) == "(wanted)"
    stub = (folder / "tagged.pyi").read_text()
    assert "def made(wanted: int) -> list[str | None]: ...\n" in stub
    assert "def both() -> tuple[list[str | None], list[str | None]]:\n" in stub


def test_returned_strings_leak_nothing(tagged: ModuleType) -> None:
    def everything() -> None:
        tagged.made(3)
        tagged.filled(2)
        tagged.fixed()
        tagged.Album(2).tags()
        refused(ValueError, lambda: tagged.made(-1))()

    warm_up(everything)
    assert_no_growth(everything)
    assert tagged.live() == 0
