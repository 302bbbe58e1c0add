"""An `ok` that names the result beside a parameter that C fills."""

from __future__ import annotations

from types import ModuleType

import pytest

from support.build import build_module

HEADER = """
static inline int ask(int what, int *kind, double *value)
{
    *kind = what;
    *value = what * 1.5;
    return what < 0;
}
static inline const int *find(int what, int *kind)
{
    static int found;

    found = *kind = what;
    return what < 0 ? 0 : &found;
}
"""
ASK = '"int ask(int what, int *kind, double *value)"'
OUT = "args: {kind: {out: true}, value: {out: true}}"
SPEC = f"""
dlpack-bindgen: 1
module: tests_of_results
include: tests_of_results.h
arrays: Array
functions:
  named: {{c: {ASK}, {OUT}, ok: result == 0 && kind == 2, returns: [value]}}
  reversed: {{c: {ASK}, {OUT}, ok: kind == 2 && !result, returns: [value]}}
  percent: {{c: {ASK}, {OUT}, ok: "% == 0 && kind == 2", returns: [value]}}
  both: {{c: {ASK}, {OUT}, ok: "% == 0 && result + kind == 2", returns: [value]}}
  alternative: {{c: {ASK}, {OUT}, ok: kind == 2 || result == 1, returns: [value]}}
  unlocked: {{c: {ASK}, {OUT}, ok: result == 0 && kind == 2, returns: [value], release_gil: true}}
  pointer:
    c: "const int *find(int what, int *kind)"
    args: {{kind: {{out: true}}}}
    ok: kind == 2 && *result == 2
    returns: [kind]
"""


@pytest.fixture(scope="module")
def lib(tmp_path_factory: pytest.TempPathFactory) -> ModuleType:
    return build_module("tests_of_results", SPEC, tmp_path_factory.mktemp("tests_of_results"), HEADER)


@pytest.mark.parametrize("name", ["named", "reversed", "percent", "both", "unlocked"])
def test_result_is_the_value_of_the_call(lib: ModuleType, name: str) -> None:
    function = getattr(lib, name)
    assert function(2) == 3
    for what in (1, 3, -1):
        with pytest.raises(RuntimeError, match=rf"^{name}\(\): ask\(\) failed with"):
            function(what)


def test_ok_can_accept_a_value_of_an_output_or_of_the_result(lib: ModuleType) -> None:
    assert [lib.alternative(2), lib.alternative(-2)] == [3, -3]
    with pytest.raises(RuntimeError):
        lib.alternative(1)


def test_result_is_a_pointer(lib: ModuleType) -> None:
    assert lib.pointer(2) == 2
    with pytest.raises(RuntimeError):
        lib.pointer(3)
