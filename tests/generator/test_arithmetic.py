"""Lengths that a spec computes, as C that says when they overflow."""

from __future__ import annotations

import pytest

from dlpack_bindgen.c.arithmetic import length


@pytest.mark.parametrize(
    "expression, c",
    [
        ("n", "DLB_INTEGER(n)"),
        ("((n))", "DLB_INTEGER(n)"),
        ("2 * x->size1", "dlb_times(DLB_INTEGER(2), DLB_INTEGER(x->size1))"),
        ("a - b + c", "dlb_plus(dlb_minus(DLB_INTEGER(a), DLB_INTEGER(b)), DLB_INTEGER(c))"),
        ("a / b % c", "dlb_modulo(dlb_over(DLB_INTEGER(a), DLB_INTEGER(b)), DLB_INTEGER(c))"),
        ("a + b * c", "dlb_plus(DLB_INTEGER(a), dlb_times(DLB_INTEGER(b), DLB_INTEGER(c)))"),
        ("(a + b) * (c)", "dlb_times(dlb_plus(DLB_INTEGER(a), DLB_INTEGER(b)), DLB_INTEGER(c))"),
        # What is no operator of lengths is one value.
        ("(size_t)rows * columns", "dlb_times(DLB_INTEGER((size_t)rows), DLB_INTEGER(columns))"),
        ("n * sizeof(int)", "dlb_times(DLB_INTEGER(n), DLB_INTEGER(sizeof(int)))"),
        ("(size_t) * p", "DLB_INTEGER((size_t) * p)"),
        ("(int)(n * 2)", "DLB_INTEGER((int)(n * 2))"),
        ("*p", "DLB_INTEGER(*p)"),
        ("n - -1", "DLB_INTEGER(n - -1)"),
        ("2 * -n", "dlb_times(DLB_INTEGER(2), DLB_INTEGER(-n))"),
        ("abs(n * m) + x[n - 1]", "dlb_plus(DLB_INTEGER(abs(n * m)), DLB_INTEGER(x[n - 1]))"),
        ("(a > b ? a : b) * 2", "dlb_times(DLB_INTEGER(a > b ? a : b), DLB_INTEGER(2))"),
        ("a > b ? a * 2 : b", "DLB_INTEGER(a > b ? a * 2 : b)"),
        ("n << 2", "DLB_INTEGER(n << 2)"),
    ],
)
def test_the_operators_of_lengths(expression: str, c: str) -> None:
    assert length(expression) == c
