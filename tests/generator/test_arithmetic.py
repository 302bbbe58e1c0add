"""Lengths that a spec computes become C that detects an overflow."""

from __future__ import annotations

import pytest

from dlpack_bindgen.text.expressions import length
from dlpack_bindgen.text.types import CType

_PARAMS = {"n": CType("int"), "scale": CType("double"), "p": CType("double", (False,))}


@pytest.mark.parametrize(
    "expression, c",
    [
        ("n", "DLB_INTEGER(n)"),
        ("((n))", "DLB_INTEGER(n)"),
        ("2 * x->size1", "dlb_times(DLB_INTEGER(2), DLB_INTEGER(x->size1))"),
        ("s.n * t->m[2].k", "dlb_times(DLB_INTEGER(s.n), DLB_INTEGER(t->m[2].k))"),
        ("a - b + c", "dlb_plus(dlb_minus(DLB_INTEGER(a), DLB_INTEGER(b)), DLB_INTEGER(c))"),
        ("a / b % c", "dlb_modulo(dlb_over(DLB_INTEGER(a), DLB_INTEGER(b)), DLB_INTEGER(c))"),
        ("a + b * c", "dlb_plus(DLB_INTEGER(a), dlb_times(DLB_INTEGER(b), DLB_INTEGER(c)))"),
        ("(a + b) * (c)", "dlb_times(dlb_plus(DLB_INTEGER(a), DLB_INTEGER(b)), DLB_INTEGER(c))"),
        ("a > b ? a * 2 : b", "(a > b ? dlb_times(DLB_INTEGER(a), DLB_INTEGER(2)) : DLB_INTEGER(b))"),
        ("a ? b ? c : 1 : 2", "(a ? (b ? DLB_INTEGER(c) : DLB_INTEGER(1)) : DLB_INTEGER(2))"),
        ("a ? b : c ? 1 : 2", "(a ? DLB_INTEGER(b) : (c ? DLB_INTEGER(1) : DLB_INTEGER(2)))"),
        # Signs bind more tightly than products.
        ("+n", "DLB_INTEGER(n)"),
        ("n - -1", "dlb_minus(DLB_INTEGER(n), DLB_INTEGER(-1))"),
        ("-1 + a * b", "dlb_plus(DLB_INTEGER(-1), dlb_times(DLB_INTEGER(a), DLB_INTEGER(b)))"),
        ("a * b - -1", "dlb_minus(dlb_times(DLB_INTEGER(a), DLB_INTEGER(b)), DLB_INTEGER(-1))"),
        ("a + b*-n", "dlb_plus(DLB_INTEGER(a), dlb_times(DLB_INTEGER(b), dlb_minus(DLB_INTEGER(0), DLB_INTEGER(n))))"),
        ("-(n + 1)", "dlb_minus(DLB_INTEGER(0), dlb_plus(DLB_INTEGER(n), DLB_INTEGER(1)))"),
        ("a * b + !c", "dlb_plus(dlb_times(DLB_INTEGER(a), DLB_INTEGER(b)), DLB_INTEGER(!c))"),
        # What is no operator of lengths is one value.
        ("n * sizeof(int)", "dlb_times(DLB_INTEGER(n), DLB_INTEGER(sizeof(int)))"),
        ("n * sizeof *p", "dlb_times(DLB_INTEGER(n), DLB_INTEGER(sizeof *p))"),
        ("sizeof (int) * n", "dlb_times(DLB_INTEGER(sizeof (int)), DLB_INTEGER(n))"),
        ("*p", "DLB_INTEGER(*p)"),
        ("abs(n * m) + x[n - 1]", "dlb_plus(DLB_INTEGER(abs(n * m)), DLB_INTEGER(x[n - 1]))"),
        ("n << 2", "DLB_INTEGER(n << 2)"),
        ("a + (n << 2)", "dlb_plus(DLB_INTEGER(a), DLB_INTEGER(n << 2))"),
        ("n * 1.5", "DLB_INTEGER((int64_t)(n * 1.5))"),
        ("n * scale", "DLB_INTEGER((int64_t)(n * scale))"),
        # Parentheses that are a cast, that are none, and that only C can read.
        ("(size_t)a * b", "dlb_times(DLB_INTEGER((size_t)a), DLB_INTEGER(b))"),
        ("(size_t)(a * b)", "dlb_times(DLB_INTEGER(a), DLB_INTEGER(b))"),
        ("(uint8_t)(a * b)", "DLB_INTEGER((uint8_t)(a * b))"),
        ("(size_t) * p", "DLB_INTEGER((size_t) * p)"),
        ("(struct x *)p->n * 2", "dlb_times(DLB_INTEGER((struct x *)p->n), DLB_INTEGER(2))"),
        ("(n) - 1", "dlb_minus(DLB_INTEGER(n), DLB_INTEGER(1))"),
        ("(MAX) - 1", "dlb_minus(DLB_INTEGER(MAX), DLB_INTEGER(1))"),
        ("(x->n) - 1", "dlb_minus(DLB_INTEGER(x->n), DLB_INTEGER(1))"),
        ("(f)() + n", "dlb_plus(DLB_INTEGER((f)()), DLB_INTEGER(n))"),
        ("n ?: 1", "DLB_INTEGER(n ?: 1)"),
        ("a * (word) - n", "DLB_INTEGER(a * (word) - n)"),
    ],
)
def test_lengths_are_computed_by_calls_that_detect_overflow(expression: str, c: str) -> None:
    assert length(expression, _PARAMS) == c
