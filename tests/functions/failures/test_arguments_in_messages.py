"""The message of a failed call shows the strings, paths, numbers and members of enumerations among the arguments."""

from __future__ import annotations

import enum
import io
import os
import pathlib
import tempfile
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any, NoReturn

import numpy as np
import pytest

from support.build import build_module

SPEC = """
dlpack-bindgen: 1
module: loads
include: [complex.h, loads.h]
constants:
  Mode: {enum: {FAST: LOAD_FAST, SAFE: LOAD_SAFE}}
  Access: {flags: {READ: LOAD_READ, WRITE: LOAD_WRITE, MAP: LOAD_MAP}}
handles:
  Movie:
    type: movie
    release: free(self)
    new: {c: "movie *movie_open(const char *path, int frames)", args: {frames: {default: 1}}}
    methods:
      seek: {c: "int movie_seek(movie *m, int frame)", ok: == 0, error: '"no such frame"', raises: IndexError}
      __getitem__: {c: "int movie_seek(movie *m, int frame)", ok: == 0, raises: IndexError}
    properties:
      name: {get: '"a name"', type: str, set: {c: "int movie_rename(movie *m, const char *name)", ok: == 0}}
functions:
  load: {c: int image_read(const char *path), args: {path: path}, ok: == 0}
  load_text: {c: int image_read(const char *path), ok: == 0}
  load_optional: {c: int image_read(const char *path), args: {path: {optional: true}}, ok: == 0}
  load_file: {c: int image_read_from(FILE *file), args: {file: {mode: rb}}, ok: == 0}
  load_bytes: {c: "int image_read_bytes(const char *at, size_t n)", args: {at: bytes, n: {count_of: at}}, ok: == 0}
  scan:
    c: int image_scan(const char *path, int level, double scale, load_mode mode, load_access access)
    args:
      level: {default: 1}
      scale: {default: 1}
      mode: {of: Mode, default: LOAD_FAST}
      access: {of: Access, default: LOAD_READ}
    ok: == 0
  phase: {c: "int image_phase(double _Complex z, char letter, _Bool wrap)", ok: == 0}
  blur: {c: "int image_blur(double *at, size_t n, double sigma)", args: {n: {count_of: at}}, ok: == 0}
  wanted:
    c: int image_blur(double *at, size_t n, double sigma)
    args: {n: {count_of: at}}
    require: [{expr: sigma > 0, message: sigma must be positive}]
  many: {c: "int image_many(int a, int b, int c, int d, int e)", ok: == 0}
  real: {c: int image_real(double x), ok: == 0}
  wide: {c: int image_wide(unsigned long long n), ok: == 0}
  none: {c: int image_none(void), ok: == 0}
  either_n: {name: either, c: int image_wide(unsigned long long n), ok: == 0}
  either_path: {name: either, c: int image_read(const char *path), ok: == 0}
  lost: {c: int image_lost(const char *path), args: {path: path}, ok: == 0, raises: OSError, errno: errno}
  lost_name: {c: int image_lost(const char *path), ok: == 0, raises: OSError, errno: errno, error: '"gone"'}
"""
HEADER = Path(__file__).with_name("loads.h").read_text()


@pytest.fixture(scope="module")
def loads(tmp_path_factory: pytest.TempPathFactory) -> ModuleType:
    return build_module("loads", SPEC, tmp_path_factory.mktemp("loads"), HEADER)


def message_of(call: Callable[[], Any]) -> str:
    with pytest.raises((RuntimeError, ValueError, IndexError, OSError)) as caught:
        call()
    return str(caught.value)


class Number(int):
    def __repr__(self) -> NoReturn:
        raise AssertionError("the message runs foreign code")

    __str__ = __format__ = __index__ = __int__ = __repr__


class Real(float):
    def __repr__(self) -> NoReturn:
        raise AssertionError("the message runs foreign code")

    __str__ = __format__ = __repr__


class Word(str):
    __slots__ = ()

    def __repr__(self) -> NoReturn:
        raise AssertionError("the message runs foreign code")

    __str__ = __format__ = __len__ = __getitem__ = __repr__  # type: ignore[assignment]


class Place:
    """A path whose code counts its calls."""

    def __init__(self) -> None:
        self.calls = 0

    def __fspath__(self) -> str:
        self.calls += 1
        return "missing.bmp"


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda m: m.load("missing.bmp"), "load(): image_read() failed with 4 (path='missing.bmp')"),
        (lambda m: m.load(b"missing.bmp"), "load(): image_read() failed with 4 (path=b'missing.bmp')"),
        (lambda m: m.load(Path("missing.bmp")), "load(): image_read() failed with 4 (path='missing.bmp')"),
        (lambda m: m.load(path=pathlib.PurePath("a")), "load(): image_read() failed with 4 (path='a')"),
        (lambda m: m.load_text("one"), "load_text(): image_read() failed with 4 (path='one')"),
        (lambda m: m.load_optional(), "load_optional(): image_read() failed with 4"),
        (lambda m: m.load_optional(None), "load_optional(): image_read() failed with 4"),
        (lambda m: m.load_optional("x"), "load_optional(): image_read() failed with 4 (path='x')"),
        (lambda m: m.many(1, 2, 3, 4, 5), "many(): image_many() failed with 6 (a=1, b=2, c=3, d=4, …)"),
        (lambda m: m.many(e=5, d=4, c=3, b=2, a=-1), "many(): image_many() failed with 6 (a=-1, b=2, c=3, d=4, …)"),
        (lambda m: m.wide(2**64 - 1), "wide(): image_wide() failed with 6 (n=18446744073709551615)"),
        (lambda m: m.real(2**64), "real(): image_real() failed with 6"),
        (lambda m: m.real(-(2**63) - 1), "real(): image_real() failed with 6"),
        (lambda m: m.real(-(2**63)), "real(): image_real() failed with 6 (x=-9223372036854775808)"),
        (lambda m: m.none(), "none(): image_none() failed with 6"),
        (lambda m: m.either(3), "either(): image_wide() failed with 6 (n=3)"),
        (lambda m: m.either("x"), "either(): image_read() failed with 4 (path='x')"),
        (lambda m: m.Movie("missing"), "Movie(): movie_open() failed (path='missing')"),
        (lambda m: m.Movie("missing", frames=2), "Movie(): movie_open() failed (path='missing', frames=2)"),
        (lambda m: m.Movie("x").seek(9), "seek(): no such frame (frame=9)"),
        (lambda m: m.Movie("x")[9], "__getitem__(): movie_seek() failed with 7 (frame=9)"),
        (lambda m: setattr(m.Movie("x"), "name", "y"), "Movie.name: movie_rename() failed with 3 (name='y')"),
        (lambda m: m.phase(2j, "a", True), "phase(): image_phase() failed with 4 (z=2j, letter='a', wrap=True)"),
        (lambda m: m.lost_name("a"), "[Errno 2] lost_name(): gone (path='a')"),
        (lambda m: m.wanted(np.ones(2), -1.5), "wanted(): sigma must be positive (sigma=-1.5)"),
    ],
)
def test_the_arguments_are_shown_by_name(loads: ModuleType, call: Callable[[ModuleType], Any], message: str) -> None:
    assert message_of(lambda: call(loads)) == message


def test_members_of_enumerations_are_shown_by_name(loads: ModuleType) -> None:
    begin = "scan(): image_scan() failed with 4"
    mode, access = loads.Mode, loads.Access
    assert message_of(lambda: loads.scan("a")) == f"{begin} (path='a')"
    assert message_of(lambda: loads.scan("a", mode=mode.SAFE)) == f"{begin} (path='a', mode=Mode.SAFE)"
    assert message_of(lambda: loads.scan("a", mode="SAFE")) == f"{begin} (path='a', mode='SAFE')"
    assert message_of(lambda: loads.scan("a", mode=1)) == f"{begin} (path='a', mode=1)"
    assert message_of(lambda: loads.scan("a", 2, 0.5, access=access.MAP)) == (
        f"{begin} (path='a', level=2, scale=0.5, access=Access.MAP)"
    )
    both = access.READ | access.MAP
    assert message_of(lambda: loads.scan("a", access=both)) in (
        f"{begin} (path='a', access=5)",  # before CPython 3.11, combinations have no name
        f"{begin} (path='a', access=Access.READ|MAP)",
    )


def test_arrays_and_bytes_as_arrays_are_not_shown(loads: ModuleType) -> None:
    assert message_of(lambda: loads.blur(np.ones(2), 0.5)) == "blur(): image_blur() failed with 5 (sigma=0.5)"
    assert message_of(lambda: loads.load_bytes(b"secret")) == "load_bytes(): image_read_bytes() failed with 4"


def test_long_strings_are_cut(loads: ModuleType) -> None:
    begin = "load(): image_read() failed with 4 (path="
    assert message_of(lambda: loads.load("é" * 60)) == f"{begin}'{'é' * 60}')"
    assert message_of(lambda: loads.load("é" * 61)) == f"{begin}'{'é' * 60}…')"
    assert message_of(lambda: loads.load("a" * 100_000)) == f"{begin}'{'a' * 60}…')"
    assert message_of(lambda: loads.load(b"a" * 61)) == f"{begin}b'{'a' * 60}'…)"
    assert message_of(lambda: loads.load(Path("a" * 61))) == f"{begin}'{'a' * 60}…')"


def test_characters_that_cannot_be_printed_are_escaped(loads: ModuleType) -> None:
    begin = "load(): image_read() failed with 4 (path="
    assert message_of(lambda: loads.load("a\nb\x1b'")) == f'{begin}"a\\nb\\x1b\'")'
    assert message_of(lambda: loads.load(os.fsdecode(b"\xff"))) == f"{begin}'\\udcff')"
    assert message_of(lambda: loads.load(b"\xff\n")) == f"{begin}b'\\xff\\n')"


def test_file_objects_are_shown_by_their_names(loads: ModuleType, tmp_path: Path) -> None:
    path = tmp_path / "a"
    path.write_bytes(b"1")
    shown = str(path) if len(str(path)) <= 60 else f"{str(path)[:60]}…"
    message = f"load_file(): image_read_from() failed with 4 (file={shown!r})"
    assert message_of(lambda: loads.load_file(path)) == message
    for mode, buffering in (("rb", -1), ("rb", 0), ("r", -1), ("r+b", -1)):
        with path.open(mode, buffering=buffering) as file:
            assert message_of(lambda file=file: loads.load_file(file)) == message
    with tempfile.TemporaryFile() as file:
        assert message_of(lambda: loads.load_file(file)).startswith("load_file(): image_read_from() failed with 4")


def test_no_foreign_code_runs(loads: ModuleType, tmp_path: Path) -> None:
    assert message_of(lambda: loads.load_text(Word("a"))) == "load_text(): image_read() failed with 4 (path='a')"
    assert message_of(lambda: loads.wide(Number(3))) == "wide(): image_wide() failed with 6 (n=3)"
    assert message_of(lambda: loads.blur(np.ones(2), Real(2))) == "blur(): image_blur() failed with 5 (sigma=2.0)"
    place = Place()
    assert message_of(lambda: loads.load(place)) == "load(): image_read() failed with 4"
    assert place.calls == 1

    class Raw(io.FileIO):
        @property
        def name(self) -> NoReturn:  # type: ignore[override]
            raise AssertionError("the message runs foreign code")

        @name.setter
        def name(self, value: object) -> None:
            pass

    path = tmp_path / "a"
    path.write_bytes(b"1")
    with io.BufferedReader(Raw(path)) as file:
        assert message_of(lambda: loads.load_file(file)) == "load_file(): image_read_from() failed with 4"

    class Odd(enum.IntEnum):
        ONE = 1

        def __getattribute__(self, name: str) -> Any:
            assert name not in ("_name_", "name"), "the message runs foreign code"
            return super().__getattribute__(name)

    assert message_of(lambda: loads.wide(Odd.ONE)) == "wide(): image_wide() failed with 6 (n=Odd.ONE)"


def test_a_member_without_a_name_is_shown_as_its_number(loads: ModuleType) -> None:
    class Mark(enum.IntEnum):
        THREE = 3

    Mark.THREE._name_ = 5  # type: ignore[assignment]
    assert message_of(lambda: loads.wide(Mark.THREE)) == "wide(): image_wide() failed with 6 (n=3)"


def test_an_error_of_the_system_has_the_path_as_its_filename(loads: ModuleType) -> None:
    with pytest.raises(FileNotFoundError) as caught:
        loads.lost("missing.bmp")
    assert str(caught.value) == f"[Errno 2] {os.strerror(2)}: 'missing.bmp'"
    assert caught.value.filename == "missing.bmp"
