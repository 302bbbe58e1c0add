"""Variables of an emitted function: they keep their names unless these mean something else in it."""

from __future__ import annotations

import pytest

from dlpack_bindgen.bind.bind import bind
from dlpack_bindgen.bind.functions.locals import Locals
from support.printed import body
from support.validated import spec as validated

NAMES = ("node", "n", "result")


def resolved(*lines: str, head: str = "int f(void)") -> list[str]:
    return Locals(NAMES).resolved(head, lines)


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
        ("nn + node_n", "nn + node_n"),
    ],
)
def test_what_is_a_variable_in_c_text(text: str, expected: str) -> None:
    variables = Locals(NAMES)
    found = variables.text(text)
    for name in NAMES:
        found = found.replace(variables[name], name.upper())
    assert found == expected


def test_all_keep_their_names() -> None:
    node, n, result = (Locals(NAMES)[name] for name in NAMES)
    lines = [
        f"struct node *{node} = x;",
        f"int {n} = {node}->n;",
        f"int {result} = f({node}, &{n}, .n, struct n, 'n');",
    ]
    assert resolved(*lines) == [
        "struct node *node = x;",
        "int n = node->n;",
        "int result = f(node, &n, .n, struct n, 'n');",
    ]


def test_a_label_is_no_name() -> None:
    assert resolved(f"int {Locals(NAMES)['n']} = N; /* n.n */", "/* n */") == ["int n = N; /* n.n */", "/* n */"]


def test_a_name_that_means_something_else() -> None:
    """What is only used before the variable is there would be hidden, of which compilers warn."""
    node, n = Locals(NAMES)["node"], Locals(NAMES)["n"]
    lines = [f"struct n *{node} = n(x);", f"int {n} = f({node});", f"g({n}, {node});"]
    assert resolved(*lines) == ["struct n *node = n(x);", "int n_ = f(node);", "g(n_, node);"]
    assert resolved(f"node *{node} = x;", f"g({n});") == ["node *node_ = x;", "g(n);"]


def test_no_other_name_is_taken() -> None:
    n = Locals(NAMES)["n"]
    assert resolved(f"int {n};", f"n(n_, {n});") == ["int n__;", "n(n_, n__);"]
    assert resolved(f"int {n};", f"n({n});", head="int f(int n_)") == ["int n__;", "n(n__);"]
    assert Locals(["n", "n_"]).resolved("", [f"{n}", "n"]) == ["n__", "n"]


@pytest.mark.parametrize("name", ["PyObject", "PyErr_Format", "Py_None", "_Py_NoneStruct", "_save", "int64_t"])
def test_names_that_macros_refer_to(name: str) -> None:
    variables = Locals([name])
    assert variables.resolved("", [f"int {variables[name]};"]) == [f"int {name}_;"]


def test_variables_of_ours_give_way() -> None:
    """To types, and to all that C text of the spec refers to."""
    spec = """\
module: m
functions:
  f:
    c: arrays f(given x, const double *y, int n)
    args: {n: {value: sorted}, y: {require: [{count: answer}]}}
    ok: == 0
"""
    lines = body(bind(validated(spec)).functions[0])
    assert {"PyObject *sorted_[2];", "dlb_py_argument arrays_[1];", "PyObject *answer_ = NULL;"} <= set(lines)
    assert any(line.startswith("PyObject *const *given_ = ") for line in lines)
