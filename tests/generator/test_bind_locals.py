"""Variables of an emitted function keep their names unless these mean something else in the function."""

from __future__ import annotations

import pytest

from dlpack_bindgen.calls.emitted_function import Locals, other_names
from dlpack_bindgen.emit.module import Module
from support.printed import body
from support.validated import spec as validated

NAMES = ("node", "n", "result")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("n", "N"),
        ("n * node", "N * NODE"),
        ("node->node + x.n + x . n", "NODE->node + x.n + x . n"),
        ("n(n)", "n(N)"),
        ("node (n, node)", "node (N, NODE)"),
        ("\"n\" 'n' n", "\"n\" 'n' N"),
        ("(n) + (n) * (n) - (n)", "(N) + (N) * (N) - (N)"),
        ("(node *)n", "(node *)N"),
        ("(const node *const *)n", "(const node *const *)N"),
        ("f((node *const)n, node)", "f((node *const)N, NODE)"),
        ("(node)n", "(node)N"),
        ("x = (node)(n)", "x = (node)(N)"),
        ("(node){n}", "(node){N}"),
        ("sizeof(node) * n", "sizeof(NODE) * N"),
        ("sizeof(node *)", "sizeof(node *)"),
        ("struct node *x = node", "struct node *x = NODE"),
        ("if (n) free(node)", "if (N) free(NODE)"),
        ("while (n) { n--; }", "while (N) { N--; }"),
        ("node *next = node->next; free(next)", "node *next = NODE->next; free(next)"),
        ("n = 0; node x = *node; const node y = x", "N = 0; node x = *NODE; const node y = x"),
        ("for (node *x = node; x; x = x->next) n++", "for (node *x = NODE; x; x = x->next) N++"),
        ("x = n * node; n == node", "x = N * NODE; N == NODE"),
        ("n * m == 3", "N * m == 3"),
        ("result == n ? node : NULL", "RESULT == N ? NODE : NULL"),
        ("nn + a_node", "nn + a_node"),
    ],
)
def test_variables_are_distinguished_from_members_calls_tags_and_strings(text: str, expected: str) -> None:
    variables = Locals(NAMES, NAMES)
    found = variables.text(text)
    for name in NAMES:
        found = found.replace(f"{name}_", name.upper())
    assert found == expected


def test_names_that_mean_something_else_are_collected() -> None:
    texts = ["struct node *x = f(n)", "(node *)x->n", "sizeof(node)", "'n' /* n */"]
    assert set(other_names(NAMES, texts)) == {"x", "f", "node", "sizeof"}


def test_variables_keep_their_names_where_nothing_else_has_them() -> None:
    assert Locals(NAMES, {"x", "f"}).chosen == ["node", "n", "result"]


def test_a_variable_gets_an_underscore_if_its_name_means_something_else() -> None:
    """The variable would hide the other meaning before its declaration, and compilers warn about that."""
    assert Locals(NAMES, {"n", "x"}).chosen == ["node", "n_", "result"]


def test_no_other_name_is_taken() -> None:
    assert Locals(["n"], {"n", "n_"}).chosen == ["n__"]
    assert Locals(["n", "n_"], {"n"}).chosen == ["n__", "n_"]


@pytest.mark.parametrize("name", ["PyObject", "PyErr_Format", "Py_None", "_Py_NoneStruct", "_save", "int64_t", "errno"])
def test_names_that_macros_refer_to_get_an_underscore(name: str) -> None:
    assert Locals([name])[name] == f"{name}_"


def test_emitted_variables_give_way_to_names_of_the_spec() -> None:
    """Types and names in the C text of the spec keep their names."""
    spec = """\
module: m
functions:
  f:
    c: arrays f(given x, const double *y, int n)
    args: {n: {value: sorted}, y: {require: [{count: answer}]}}
    ok: == 0
"""
    lines = body(Module(validated(spec)).functions[0])
    assert {"PyObject *sorted_[2];", "dlb_py_argument arrays_[1];", "PyObject *answer_ = NULL;"} <= set(lines)
    assert any(line.startswith("PyObject *const *given_ = ") for line in lines)
