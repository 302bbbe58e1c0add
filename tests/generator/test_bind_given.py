"""Values that a spec gives to parameters: the compiler checks the conversion of some."""

from __future__ import annotations

import json

import pytest

from dlpack_bindgen.emit.module import Module
from dlpack_bindgen.text.fragments import EmittedFunction
from support.printed import body
from support.validated import spec

CLASSES = """\
constants: {Mode: {enum: [FAST, GOOD]}}
handles: {File: {type: file_t, release: file_close(self)}}
"""


def function(c: str, args: dict[str, dict[str, str]]) -> EmittedFunction:
    return Module(spec(f"module: m\n{CLASSES}functions: {{f: {json.dumps({'c': c, 'args': args})}}}\n")).functions[0]


def strict(prototype: str, **args: dict[str, str]) -> list[str]:
    """Returns the lines between the marks."""
    lines = body(function(prototype, args))
    assert lines.count("DLB_STRICT_BEGIN") == lines.count("DLB_STRICT_END") <= 1
    if "DLB_STRICT_BEGIN" not in lines:
        return []
    return list(lines[lines.index("DLB_STRICT_BEGIN") + 1 : lines.index("DLB_STRICT_END")])


@pytest.mark.parametrize("key", ["default", "value"])
def test_values_that_are_not_literals_must_not_be_converted(key: str) -> None:
    found = strict("int f(int a, lib_t b, long c)", a={key: "A"}, b={key: "b * 2"}, c={key: "1"})
    assert found == ["int a = A; /* f.a */", "lib_t b = b * 2; /* f.b */"]


@pytest.mark.parametrize("key", ["default", "value"])
@pytest.mark.parametrize(
    "ctype, value",
    [("int", "7"), ("float", "A"), ("double", "0.1"), ("bool", "A"), ("size_t", "sizeof(int)"), ("char", "'x'")],
)
def test_a_value_that_fits_is_only_assigned(ctype: str, value: str, key: str) -> None:
    found = function(f"int f({ctype} a)", {"a": {key: value}})
    assert f"{ctype} a = {value};" in body(found)
    assert not [line for line in body(found) if "STRICT" in line]


@pytest.mark.parametrize(
    "ctype, value",
    [("lib_t", "{0}"), ("const lib_t *", "lib_default"), ("struct lib", "lib_of(a)"), ("void *", "NULL")],
)
def test_values_that_are_not_numbers_are_not_checked(ctype: str, value: str) -> None:
    assert strict(f"int f({ctype} a)", a={"value": value}) == []


def test_an_enumeration_has_checks_of_its_own() -> None:
    assert strict("int f(int a)", a={"of": "Mode", "default": "GOOD"}) == []


def test_a_fraction_tells_that_a_type_is_real() -> None:
    lines = body(function("int f(real_t a, double b)", {"a": {"value": "0.5"}, "b": {"value": "0.5"}}))
    asserted = [line for line in lines if line.startswith("DLB_ASSERT_KIND(real_t, REAL")]
    assert len(asserted) == 1
    assert "real_t a = 0.5;" in lines


@pytest.mark.parametrize("of", ["int", "Mode"])
def test_a_default_that_depends_on_another_parameter_is_checked_when_assigned(of: str) -> None:
    found = strict("int f(int a, int b)", b={"of": of, "default": "a + 1"})
    assert found == ["b = a + 1; /* f.b */"]


def test_a_string_that_depends_on_another_parameter_is_checked() -> None:
    found = strict("int f(int a, const char *b)", b={"default": "name_of(a)"})
    assert found == ["b = name_of(a); /* f.b */"]
