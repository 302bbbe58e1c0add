"""Tests of a result and keys of `raises`: which ones are mistakes, and which ones only look like mistakes."""

from __future__ import annotations

import pytest

from dlpack_bindgen.spec.check import validate
from dlpack_bindgen.text.yaml import load

CLASSES = """\
module: m
include: [m.h]
numbers: {index_t: int}
handles:
  Ctx: {type: ctx, release: ctx_free(self)}
  Id: {type: id_t, pass: value, release: id_free(self)}
  Point: {type: point, release: (void)self}
tensors:
  List: {type: index_t, params: [index_t n], data: self, dtype: {c: index_t}, shape: [n], release: free(self)}
"""


def codes(c: str, more: str) -> list[str]:
    text = f"{CLASSES}functions: {{f: {{c: '{c}', {more}}}}}\n"
    return [diagnostic.code for diagnostic in validate([load("m.yaml", text.encode())])[1]]


@pytest.mark.parametrize("ok", ["== 0", "== NULL", "'> 0'", "'>= 0'", "'< limit'", "'<= limit'", "'NULL < %'"])
def test_a_test_that_does_not_fit_a_returned_object_is_a_mistake(ok: str) -> None:
    assert codes("ctx *f(void)", f"ok: {ok}, returns: Ctx") == ["result-type"]


@pytest.mark.parametrize(
    "c, ok",
    [
        ("ctx *f(void)", "'!= NULL'"),
        ("ctx *f(void)", "== ctx_standard"),
        ("id_t f(void)", "== 0"),
        ("id_t f(void)", "'>= 0'"),
        ("const char *f(void)", "== NULL"),
        ("int f(void)", "'>= 0'"),
        ("int f(void)", "0 == %"),
    ],
)
def test_a_test_that_fits_the_result_is_accepted(c: str, ok: str) -> None:
    assert codes(c, f"ok: {ok}") == []


@pytest.mark.parametrize("ok", ["err == 0", "err < 1", "'err >= 0'"])
@pytest.mark.parametrize("result", ["ctx *", "size_t "])
def test_a_test_of_a_parameter_does_not_test_the_result(result: str, ok: str) -> None:
    assert codes(f"{result}f(int *err)", f"args: {{err: {{out: true}}}}, ok: {ok}") == []


@pytest.mark.parametrize("ok", ["'!= NULL'", "'!= 0'", "'% != 0'"])
def test_raises_cannot_distinguish_failures_of_a_null_pointer(ok: str) -> None:
    assert codes("ctx *f(void)", f"ok: {ok}, raises: {{LIB_FULL: MemoryError, _: OSError}}") == ["result-type"]
    assert codes("ctx *f(void)", f"ok: {ok}, raises: {{NULL: MemoryError, _: OSError}}") == []


@pytest.mark.parametrize(
    "c, ok", [("const char *f(void)", "== NULL"), ("int f(void)", "'!= 0'"), ("index_t f(void)", "'>= 0'")]
)
def test_raises_can_distinguish_failures_of_other_results(c: str, ok: str) -> None:
    assert codes(c, f"ok: {ok}, raises: {{LIB_FULL: MemoryError, _: OSError}}") == []


def test_a_number_that_has_a_class_is_not_a_struct() -> None:
    assert codes("point f(void)", "returns: int, ok: '>= 0', raises: {LIB_FULL: MemoryError, _: OSError}") == []


def test_a_struct_cannot_be_compared() -> None:
    raises = "ok: point_is_sound(%), raises: {LIB_FULL: MemoryError, _: OSError}"
    assert codes("point f(void)", raises) == ["result-type"]
    assert codes("struct pair f(void)", f"{raises}, returns: None") == ["result-type"]
    # Of a result that has a mistake, nothing more follows.
    assert codes("point f(void)", f"{raises}, returns: Nothing") == ["unknown-class"]
