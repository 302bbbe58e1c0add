"""Defaults and values in C that use other parameters."""

from __future__ import annotations

import inspect
from pathlib import Path
from types import ModuleType

import pytest

from support.build import build_module

SPEC = """
dlpack-bindgen: 1
module: defaults
include: defaults.h
constants:
  Mode: {enum: [MODE_A, MODE_B]}
functions:
  area: {c: "int area(int w, int h)", args: {h: {default: w}}}
  lengths: {c: "int lengths(const char *a, const char *b)", args: {b: {default: a}}}
  modes: {c: "int modes(enum mode a, enum mode b)", args: {a: {of: Mode, default: MODE_B}, b: {of: Mode, default: a}}}
  chained: {c: "int digits(int a, int b, int c)", args: {b: {default: a + 1}, c: {default: b + 1}}}
  values: {c: "int digits(int a, int b, int c)", args: {a: {value: b + 1}, b: {value: c + 1}}}
  measured: {c: "int measured(int twice, int n, const double *x)", args: {twice: {value: 2 * n}, n: {count_of: x}}}
  half: {c: float half(float x), args: {x: {default: 0.1}}}
  greet: {c: int greet(const char *name), args: {name: {default: '"\u00e9"'}}}
"""
HEADER = Path(__file__).with_name("defaults.h").read_text()


@pytest.fixture(scope="module")
def defaults(tmp_path_factory: pytest.TempPathFactory) -> ModuleType:
    return build_module(
        "defaults", SPEC, tmp_path_factory.mktemp("defaults"), HEADER, flags=["-Wconversion", "-Wdouble-promotion"]
    )


def test_a_default_can_be_another_parameter(defaults: ModuleType) -> None:
    assert (defaults.area(5), defaults.area(5, 2), defaults.area(h=3, w=4)) == (25, 10, 12)
    assert (defaults.lengths("abc"), defaults.lengths("abc", "d")) == (33, 31)
    assert (defaults.modes(), defaults.modes("MODE_A"), defaults.modes(b=1)) == (22, 11, 21)


def test_a_default_can_use_another_default(defaults: ModuleType) -> None:
    assert (defaults.chained(1), defaults.chained(1, 5), defaults.chained(1, c=9)) == (123, 156, 129)


def test_values_are_computed_after_the_parameters_that_they_mention(defaults: ModuleType) -> None:
    assert defaults.values(1) == 321
    assert defaults.measured([7.0, 8.0]) == 49


def test_a_default_can_be_a_fraction(defaults: ModuleType) -> None:
    assert defaults.half() == pytest.approx(0.05)


def test_a_default_that_is_not_ascii_is_shown(defaults: ModuleType) -> None:
    assert defaults.greet() == 2
    assert str(inspect.signature(defaults.greet)) == "(name='é')"
