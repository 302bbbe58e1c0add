"""Enumerations, constants, functions that the preprocessor chooses, and the init function of a module."""

from __future__ import annotations

import enum
import pickle
import re
import sys
from pathlib import Path
from types import ModuleType

import pytest

from functions.libraries import build
from support.build import build_extension, build_module, import_extension


def test_an_enumeration_is_an_int_enum_of_the_module(calls: ModuleType) -> None:
    assert issubclass(calls.Color, enum.IntEnum)
    assert {each.name: each.value for each in calls.Color} == {"RED": 1, "GREEN": 2, "BLUE": 300, "UNKNOWN": -1}
    assert (calls.Color.__module__, calls.Color.__qualname__) == ("calls", "Color")


def test_members_can_have_the_names_of_c(calls: ModuleType) -> None:
    assert {each.name: each.value for each in calls.Level} == {"CALLS_LOW": 0, "CALLS_HIGH": 7}


@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
def test_members_can_be_pickled(calls: ModuleType, protocol: int) -> None:
    for member in calls.Color:
        assert pickle.loads(pickle.dumps(member, protocol)) is member


def test_a_member_or_its_name_or_its_number_is_accepted(calls: ModuleType) -> None:
    for member in calls.Color:
        for given in (member, member.name, member.value):
            assert calls.echo_color(given) is member
            assert calls.small_color(given) == member & 0xFF if member is not calls.Color.BLUE else True


def test_members_of_another_enumeration_are_numbers(calls: ModuleType) -> None:
    """Members of another enumeration are numbers."""
    assert calls.echo_level(calls.Level.CALLS_HIGH) is calls.Level.CALLS_HIGH
    assert calls.echo_color(enum.IntEnum("Other", {"X": 2}).X) is calls.Color.GREEN


@pytest.mark.parametrize("value", [7, 0, 2**70, -(2**70), True + 4])
def test_a_number_that_is_not_a_member_is_refused(calls: ModuleType, value: int) -> None:
    with pytest.raises(ValueError) as caught:
        calls.echo_color(value)
    assert str(caught.value) == f"echo_color() argument 'value': {value} is not a valid Color"


@pytest.mark.parametrize("name", ["PINK", "red", "", "RED "])
def test_a_name_that_is_not_a_member_is_refused(calls: ModuleType, name: str) -> None:
    with pytest.raises(ValueError) as caught:
        calls.echo_color(name)
    known = "RED, GREEN, BLUE, UNKNOWN"
    assert str(caught.value) == f"echo_color() argument 'value': {name!r} is not a member of Color: {known}"


def test_a_message_names_twenty_members_at_most(calls: ModuleType) -> None:
    with pytest.raises(ValueError) as caught:
        calls.echo_note("NOTE_X")
    known = ", ".join([each.name for each in calls.Note][:20])
    assert str(caught.value) == f"echo_note() argument 'value': 'NOTE_X' is not a member of Note: {known}, ..."
    assert calls.echo_note("HIGH_GIS") is calls.Note.HIGH_GIS


@pytest.mark.parametrize("value, shown", [(1.0, "float"), (None, "None"), (b"RED", "bytes")])
def test_a_value_that_is_neither_name_nor_number_is_refused(calls: ModuleType, value: object, shown: str) -> None:
    with pytest.raises(TypeError) as caught:
        calls.echo_color(value)
    assert str(caught.value) == f"echo_color() argument 'value' must be Color, not {shown}"


def test_a_member_that_the_parameter_cannot_hold_is_refused(calls: ModuleType) -> None:
    with pytest.raises(OverflowError) as caught:
        calls.small_color("BLUE")
    assert str(caught.value) == "small_color(): 'color' is an unsigned 8-bit integer, which cannot be 300"


def test_a_result_without_a_name_is_a_number(calls: ModuleType) -> None:
    assert calls.any_color(1) is calls.Color.RED
    assert calls.any_color(-1) is calls.Color.UNKNOWN
    assert type(calls.any_color(77)) is int


def test_the_default_can_be_a_member(calls: ModuleType) -> None:
    assert calls.colored() is calls.Color.BLUE
    assert calls.colored("RED") is calls.Color.RED


# ---- Flags ----


def test_flags_are_an_int_flag_of_the_module(calls: ModuleType) -> None:
    assert issubclass(calls.Effects, enum.IntFlag)
    names = ("ECHO", "REVERB", "CHORUS", "BOTH")
    assert [calls.Effects[name].value for name in names] == [1, 2, 2**31, 3]
    assert (calls.Effects.__module__, calls.Effects.__qualname__) == ("calls", "Effects")


def test_flags_can_be_combined(calls: ModuleType) -> None:
    flags = calls.Effects
    every = flags.ECHO | flags.REVERB | flags.CHORUS
    for given, expected in (
        (flags.ECHO | flags.CHORUS, 2**31 + 1),
        (flags.ECHO | flags.REVERB, 3),
        (flags(0), 0),
        (~flags.ECHO & every, 2**31 + 2),
        (2**31 + 2, 2**31 + 2),
        (4, 4),
        (-2, 2**31 + 2),
        (-1, 2**31 + 3),
        ("BOTH", 3),
    ):
        found = calls.echo_effects(given)
        assert (type(found), found) == (flags, expected)
    assert calls.echo_effects(3) is flags.BOTH
    assert type(calls.echo_access(0)) is calls.Access
    assert calls.echo_access(5) == calls.Access.CALLS_READ | calls.Access.CALLS_WRITE


@pytest.mark.parametrize("value", [2**70, -(2**70)])
def test_numbers_that_are_not_flags_are_refused(calls: ModuleType, value: int) -> None:
    with pytest.raises(ValueError) as caught:
        calls.echo_effects(value)
    assert str(caught.value) == f"echo_effects() argument 'value': {value} is not a valid Effects"


def test_results_keep_bits_that_are_not_flags(calls: ModuleType) -> None:
    assert calls.any_effects(5) == 5
    assert calls.Effects.ECHO in calls.any_effects(5)


@pytest.mark.parametrize("value", [2**31 + 1, 256])
def test_flags_that_the_parameter_cannot_hold_are_refused(calls: ModuleType, value: int) -> None:
    with pytest.raises(OverflowError) as caught:
        calls.small_effects(calls.Effects(value))
    assert str(caught.value) == f"small_effects(): 'color' is an unsigned 8-bit integer, which cannot be {value}"


# ---- Constants, and functions that the preprocessor chooses ----


def test_constants_have_the_values_and_types_of_c(calls: ModuleType) -> None:
    expected = {
        "ALL": 2**64 - 1,
        "LEAST": -(2**63),
        "NEGATIVE": -3,
        "HALF": 0.5,
        "YES": True,
        "VERSION": "1.2 é",
        "LETTER": "x",
        "WHIRL": 2j,
    }
    found = {name: getattr(calls, name) for name in expected}
    assert found == expected
    assert [type(found[name]) for name in expected] == [type(value) for value in expected.values()]


def test_functions_that_the_preprocessor_left_out_are_missing(calls: ModuleType) -> None:
    assert not hasattr(calls, "absent")
    assert calls.chosen() == calls.nothing() == 0


def test_a_function_can_have_another_name_in_python(calls: ModuleType) -> None:
    assert calls.other_name() == 0
    assert calls.other_name.__name__ == "other_name"
    assert not hasattr(calls, "renamed")


ABSENT = "int calls_absent(int x);\nint calls_absent(int x)\n{\n    return x + 1;\n}\n"


def test_the_preprocessor_chooses_between_functions(tmp_path: Path) -> None:
    source = tmp_path / "absent.c"
    source.write_text(ABSENT)
    header = tmp_path / "absent.h"
    header.write_text(ABSENT.splitlines()[0])
    path = build("calls", tmp_path, flags=["-DCALLS_ABSENT=1", "-include", str(header)], sources=[source])
    known = sys.modules.get("calls")
    try:
        other = import_extension("calls", path)
    finally:
        if known is not None:
            sys.modules["calls"] = known
    assert other.absent(3) == 4
    assert other.chosen(x=5) == 6


# ---- The init function of the module ----


def test_init_has_run_once(calls: ModuleType) -> None:
    assert calls.started() == 1


INIT = """
module: {module}
include: [start.h]
init: {init}
functions: {{ready: {{c: int ready(void)}}}}
"""
START = """
#include <stddef.h>
static int starts;
static inline int start(int status) { starts++; return status; }
static inline int ready(void) { return starts; }
static inline const char *why(int status) { return status == 2 ? "no licence" : NULL; }
"""


@pytest.mark.parametrize(
    "name, init, message",
    [
        ("told", '{do: start(2), ok: "== 0", error: why(result)}', "told: no licence"),
        ("mute", '{do: start(1), ok: "== 0"}', "mute: start(1) failed"),
        ("quiet", '{do: start(1), ok: "== 0", error: why(result)}', "quiet: start(1) failed"),
        ("later", '[start(5), {do: start(1), ok: "== 0"}]', "later: start(1) failed"),
    ],
)
def test_init_that_fails_is_an_import_error(tmp_path: Path, name: str, init: str, message: str) -> None:
    text = "dlpack-bindgen: 1" + INIT.format(module=name, init=init)
    path = build_extension(name, text, tmp_path, files={"start.h": START})
    try:
        with pytest.raises(ImportError, match=f"^{re.escape(message)}$"):
            import_extension(name, path)
    finally:
        del sys.modules[name]


def test_flags_are_released_if_a_string_beside_them_cannot_be_returned(tmp_path: Path) -> None:
    spec = """
dlpack-bindgen: 1
module: beside
include: beside.h
constants: {Mode: {flags: [ONE, TWO]}}
functions:
  open:
    c: void open_it(const char **name, int *mode)
    args: {name: {out: true}, mode: {of: Mode, out: true}}
"""
    header = """
enum { ONE = 1, TWO = 2 };
static inline void open_it(const char **name, int *mode) { *name = "\\xff"; *mode = 3; }
"""
    beside = build_module("beside", spec, tmp_path, header)
    with pytest.raises(UnicodeDecodeError, match="can't decode byte 0xff"):
        beside.open()
