"""Functions compare the memory of arguments if one parameter is `restrict` and one is written."""

from __future__ import annotations

import json
import re

import pytest

from dlpack_bindgen.emit.module import Module
from dlpack_bindgen.text.fragments import EmittedFunction
from support.printed import body
from support.validated import spec

ROW = "{type: row_t, data: self->p, dtype: float32, shape: [self->n], import: {set: {p: data, n: 'shape[0]'}}}"
NEEDED = {"n": {"count_of": "a"}}


def function(c: str, **args: dict[str, object]) -> EmittedFunction:
    text = json.dumps({"c": c, "args": args})
    return Module(spec(f"module: m\ntensors: {{Row: {ROW}}}\nfunctions: {{f: {text}}}\n")).functions[0]


def flagged(found: EmittedFunction, flag: str = "DLB_PY_RESTRICT") -> list[bool]:
    """Tells for each operand if it has the flag."""
    return [re.search(rf"\b{flag}\b", entry) is not None for entry in found.operands]


def compares(found: EmittedFunction) -> bool:
    return "dlb_py_check_overlap" in "\n".join(body(found))


@pytest.mark.parametrize(
    ("c", "expected"),
    [
        ("void f(const float *a, float *b, int n)", None),
        ("void f(const float *restrict a, const float *restrict b, int n)", None),
        ("void f(float *restrict a, int n)", None),
        ("void f(const float *restrict a, int n, int *restrict b)", None),
        ("void f(const float *restrict a, float *b, int n)", [True, False]),
        ("void f(const float *a, float *restrict b, int n)", [False, True]),
        ("void f(const float a[restrict], float b[static restrict 4], int n)", [True, True]),
        ("void f(const float *__restrict a, row_t *__restrict__ b, int n)", [True, True]),
        ("void f(float *a, const row_t *restrict b, const row_t *c, int n)", [False, True, False]),
    ],
)
def test_a_pair_is_compared_if_one_is_restrict_and_one_is_written(c: str, expected: list[bool] | None) -> None:
    more = {"b": {"of": "int", "default": "0"}} if "int *restrict b" in c else {}
    found = function(c, **NEEDED, **more)
    assert compares(found) is (expected is not None)
    if expected is not None:
        assert flagged(found) == expected


def test_arrays_that_are_not_written_need_no_comparison() -> None:
    assert not compares(function("void f(float *restrict a, const float *b, int n)", **NEEDED, a={"writes": False}))


def test_objects_of_a_list_are_compared_if_restrict_stands_before_them() -> None:
    found = function("void f(row_t *restrict const *a, int n)", **NEEDED)
    assert compares(found)
    assert flagged(found, "DLB_PY_RESTRICT_ITEMS") == [True]
    assert flagged(found, "DLB_PY_UNRETURNED") == [False]
    assert not compares(function("void f(const row_t *restrict const *a, int n)", **NEEDED))
    assert not compares(function("void f(row_t *const *restrict a, int n)", **NEEDED))


def test_restrict_stays_in_the_compared_type_only_behind_a_pointer() -> None:
    found = function("void f(const row_t *restrict const *restrict a, int n, row_t *restrict b)", **NEEDED)
    assert "(*)(const row_t *restrict const *, int, row_t *)" in body(found)[0]
