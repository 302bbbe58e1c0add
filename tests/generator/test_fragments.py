"""The C fragments that bindings are made of."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dlpack_bindgen.text.fragments import (
    argument,
    arrays_by_axis,
    arrays_by_number,
    comes_first,
    constant,
    declaration,
    equals,
    is_number,
    mentions,
    needs_no_check,
    negate,
    operand,
    replace_names,
    replace_result,
    statement,
    statements,
    subtracts,
)

# ---- Conditions ----


@pytest.mark.parametrize(
    "condition, opposite",
    [
        ("self->data != NULL", "self->data == NULL"),
        ("f(a, b == c) == 0", "!(f(a, b == c) == 0)"),
        ("result->status == OK", "result->status != OK"),
        ("a[i == j] != 3", "a[i == j] == 3"),
        ("self->ready", "!(self->ready)"),
        ("a < b", "!(a < b)"),
        ("x >= 0.0", "!(x >= 0.0)"),
        ("a == b && c", "!(a == b && c)"),
        ("a == b || c == d", "!(a == b || c == d)"),
        ("a & b == c", "!(a & b == c)"),
        ("a ^ b != c", "!(a ^ b != c)"),
        ("a | b == 0", "!(a | b == 0)"),
        ("a ? b : c == d", "!(a ? b : c == d)"),
        ("(a == b)", "!((a == b))"),
        ("!a == b", "!(!a == b)"),
        ("a==b", "!(a==b)"),
        ("a == b == c", "!(a == b == c)"),
        ("a == b != c", "!(a == b != c)"),
        ('strcmp(s, " == ")', '!(strcmp(s, " == "))'),
        ('strcmp(s, " == ") == 0', '!(strcmp(s, " == ") == 0)'),
        ("c == ' == '", "c != ' == '"),
        ("f(a == b)", "!(f(a == b))"),
    ],
)
def test_a_condition_is_negated_with_few_brackets(condition: str, opposite: str) -> None:
    assert negate(condition) == opposite


OPERATORS = st.sampled_from("== != < <= > >= && || & | ^ + - * << ,".split()[:-1])
OPERANDS = st.sampled_from(["a", "b", "c", "0", "1", "2", "-1", "!a", "~b", "(a == b)", "(b != c)"])


@st.composite
def conditions(draw: st.DrawFn) -> str:
    text = draw(OPERANDS)
    for _ in range(draw(st.integers(0, 3))):
        text += f" {draw(OPERATORS)} {draw(OPERANDS)}"
    return text


def test_exactly_one_of_a_condition_and_its_negation_holds_in_c(tmp_path: Path) -> None:
    """Checks hundreds of conditions with all small values."""
    found: set[str] = set()

    @given(st.lists(conditions(), min_size=20, max_size=40))
    def collect(some: list[str]) -> None:
        found.update(some)

    collect()
    shifts = re.compile(r"<< (?:-1|~b|c|b|a|!a)|~b <<|-1 <<")  # a negative shift means nothing
    checks = "\n".join(
        f"if (!({c}) != !!({negate(c)})) return __LINE__;" for c in sorted(found) if not shifts.search(c)
    )
    source = tmp_path / "main.c"
    source.write_text(
        "static int wrong(int a, int b, int c) { (void)a; (void)b; (void)c;\n"
        f"{checks}\nreturn 0; }}\n"
        "int main(void) { for (int i = 0; i < 64; i++) if (wrong(i % 4 - 1, i / 4 % 4 - 1, i / 16 - 1)) return 1;\n"
        "return 0; }\n"
    )
    subprocess.run(["cc", "-std=c11", "-w", source, "-o", tmp_path / "main"], check=True)
    assert len(found) > 100
    assert subprocess.run([tmp_path / "main"], check=False).returncode == 0


@pytest.mark.parametrize(
    "of, key, condition",
    [
        ("self->type", "FLOAT", "self->type == FLOAT"),
        ("self->type", "-1", "self->type == -1"),
        ("self->type", "(BASE + 1)", "self->type == (BASE + 1)"),
        ("self->type", "BASE + 1", "self->type == (BASE + 1)"),
        ("self->flags & MASK", "KIND | 1u", "(self->flags & MASK) == (KIND | 1u)"),
        ("kind(self, 1 + 2)", "'f'", "kind(self, 1 + 2) == 'f'"),
        ("self->info[0].type", "&type_f32", "self->info[0].type == &type_f32"),
        ("*self->type", "(int)0x80u", "*self->type == (int)0x80u"),
        ("a ? b : c", "d", "(a ? b : c) == d"),
        ("a == b", "1", "(a == b) == 1"),
        ("!a", "1", "(!a) == 1"),
        ("self->format", '"f"', 'dlb_is_string(self->format, "f")'),
        ("a ? b : c", '"a == b"', 'dlb_is_string(a ? b : c, "a == b")'),
        ("self->format", 'u8"f"', 'dlb_is_string(self->format, u8"f")'),
    ],
)
def test_equals(of: str, key: str, condition: str) -> None:
    assert equals(of, key) == condition


@pytest.mark.parametrize(
    "text", ["a", "a->b", "a.b[c + 1]", "f(a, b)", "(a + b)", "-a", "~0u", "&a->b", "'-'", '"+"', "1e+5"]
)
def test_simple_operands_need_no_brackets(text: str) -> None:
    assert operand(text) == text


@pytest.mark.parametrize("text", ["a + b", "a, b", "(a) | (b)", "-a - b", "- -a", "sizeof a * 2", "a = b"])
def test_compound_operands_get_brackets(text: str) -> None:
    assert operand(text) == f"({text})"


# ---- Names and statements ----


@pytest.mark.parametrize(
    "text, replaced",
    [
        ("self->data", "X->data"),
        ("other->self", "other->self"),
        ("other.self + self->self", "other.self + X->self"),
        ("other-> self", "other-> self"),
        ("f(self, myself, self_, selfish)", "f(X, myself, self_, selfish)"),
        ('strcmp("self", self->name)', 'strcmp("self", X->name)'),
        ("self->kind == 'self'", "X->kind == 'self'"),
        (r'f("\"self", self)', r'f("\"self", X)'),
        (r"self->c == '\'' ? self : 0", r"X->c == '\'' ? X : 0"),
        ("self->dims[axis] + axis", "X->dims[0] + 0"),
        ("&self->buf", "&X->buf"),
        ("0xself + 1", "0xself + 1"),
    ],
)
def test_names_are_replaced_where_they_are_variables(text: str, replaced: str) -> None:
    assert replace_names(text, {"self": "X", "axis": "0"}) == replaced


@pytest.mark.parametrize(
    "text, replaced",
    [
        ("% != NULL", "result != NULL"),
        ("OK(%) && %->n", "OK(result) && result->n"),
        ('f(%, "100%")', 'f(result, "100%")'),
    ],
)
def test_a_percent_sign_is_replaced_by_the_result(text: str, replaced: str) -> None:
    assert replace_result(text, "result") == replaced


@pytest.mark.parametrize(
    "text, ended",
    [
        ("f(self)", "f(self);"),
        ("f(self);", "f(self);"),
        ("{ f(self); g(self); }", "{ f(self); g(self); }"),
        ("if (self->n) { f(self); }", "if (self->n) { f(self); }"),
        ("do { f(self); } while (0)", "do { f(self); } while (0);"),
        ("*self = (image_t){0}", "*self = (image_t){0};"),
        ("iffy = (image_t){0}", "iffy = (image_t){0};"),
    ],
)
def test_a_statement_gets_a_semicolon_where_it_needs_one(text: str, ended: str) -> None:
    assert statement(text) == ended


def test_only_decimal_digits_are_a_number() -> None:
    assert is_number("3") and is_number("010")
    assert not any(map(is_number, ["0x3", "3u", "-3", "N", "", "3 ", "٣"]))


@pytest.mark.parametrize(
    "expression, expected",
    [
        ("self->end - self->begin", True),
        ("-self->pitch", True),
        ("2 * (self->n - 1)", True),
        ("self->size", False),
        ("--self->count", False),
        ("self->dims[self->rank - 1]", False),
        ("extent(self, axis - 1)", False),
        ("table[0](self - 1)", False),
        ("'-'", False),
    ],
)
def test_differences_are_seen_outside_of_indices_and_arguments(expression: str, expected: bool) -> None:
    assert subtracts(expression) is expected


def test_an_argument_of_a_macro_with_a_comma_gets_brackets() -> None:
    assert argument("f(a, b)") == "f(a, b)"
    assert argument("(dims_t){1, 2}") == "((dims_t){1, 2})"


@pytest.mark.parametrize(
    "ctype, declared, kept",
    [
        ("int", "int n", "const int n"),
        ("char *", "char *n", "char *const n"),
        ("const char *", "const char *n", "const char *const n"),
        ("const int", "const int n", "const int n"),
        ("char *const", "char *const n", "char *const n"),
        ("unsigned const long", "unsigned const long n", "unsigned const long n"),
    ],
)
def test_constants_are_declared_const(ctype: str, declared: str, kept: str) -> None:
    assert declaration(ctype, "n") == declared
    assert constant(ctype, "n") == kept


def test_a_name_is_mentioned_only_where_it_is_a_variable() -> None:
    assert mentions([None, "f(self, n)"], "self") and mentions(["sizeof self->n"], "self")
    assert not mentions(["x.self + y->self", '"self"', "selfish", "self(1)", None], "self")


@pytest.mark.parametrize(
    "ok, expected",
    [
        ("% == 0", True),
        ("LIB_OK(%)", True),
        ("!(lib_status(%) == '%')", True),
        ("%->a && %.b == 1", False),
        ("err == 0 && %", False),
        ("check(%, err)", False),
        ("flag", False),
    ],
)
def test_a_call_stands_in_its_test_only_where_it_comes_first(ok: str, expected: bool) -> None:
    assert comes_first(ok) == expected


@pytest.mark.parametrize(
    "text, found",
    [
        ("f(self); g(';')", ["f(self);", "g(';');"]),
        ("if (a) { f(); g(); } h()", ["if (a) { f(); g(); } h();"]),
        ("for (i = 0; i < 3; i++) f(i)", ["for (i = 0; i < 3; i++) f(i);"]),
        ("f()", ["f();"]),
    ],
)
def test_statements_stand_one_by_one(text: str, found: list[str]) -> None:
    assert statements(text) == found


@pytest.mark.parametrize(
    "expression, by_axis, by_number",
    [
        ("self->dims[axis].n", ("self->dims",), {}),
        ("self->a.b[axis] + self->c[2] + self->c[0]", ("self->a.b",), {"self->c": 2}),
        ("table[axis]", (), {}),
        ("f(self)->dims[axis]", (), {}),
        ("self->dims[axis + 1] * self->dims[n]", (), {}),
        ("self->a[1]->b[3]", (), {"self->a": 1}),
    ],
)
def test_members_that_are_indexed_by_axis_or_number_are_found(
    expression: str, by_axis: tuple[str, ...], by_number: dict[str, int]
) -> None:
    assert arrays_by_axis(expression) == by_axis
    assert arrays_by_number(expression) == by_number


@pytest.mark.parametrize(
    "value, expected",
    [("data", True), ("NULL", True), ("3", True), ('"text"', True), ("'f'", True), ("shape[0]", False), ("-1", False)],
)
def test_names_and_plain_literals_need_no_check(value: str, expected: bool) -> None:
    assert needs_no_check(value) is expected
