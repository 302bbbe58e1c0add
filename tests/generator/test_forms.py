# SPDX-License-Identifier: MIT
"""The forms of a call in which new outputs stand before required parameters."""

from __future__ import annotations

import pytest

from dlpack_bindgen.calls.function_docs import forms, text_signature
from support.validated import spec

TWO = "void f(double *y1, const double *x, double *y2, int z)"
ONE = "void f(double *y, const double *x)"
MADE = "{default: like x}"


def ways(c: str, args: str) -> tuple[list[str], str]:
    text = f'module: m\narrays: Array\nfunctions:\n  f: {{c: "{c}", {args}}}\n'
    function = spec(text).functions[0]
    names = [each.name for each in function.given]
    shown = [
        [f"{name}{default}" for name, default in zip(names, form.defaults("="), strict=True)]
        for form in forms(function)
    ]
    lines = [", ".join(form.marked(each)) for form, each in zip(forms(function), shown, strict=True)]
    return lines, text_signature(function, False)


@pytest.mark.parametrize(
    ("c", "args", "expected", "help_"),
    [
        (ONE, f"args: {{y: {MADE}, x: array}}", ["y, x", "*, y=None, x"], "f($module, /, *, y=None, x)"),
        (ONE, f"args: {{y: {MADE}, x: array}}, keyword_only: x", ["y=None, *, x"], "f($module, /, y=None, *, x)"),
        (
            ONE,
            f"args: {{y: {MADE}, x: array}}, positional_only: y",
            ["y, /, x", "y=None, /, *, x"],
            "f($module, y=None, /, *, x)",
        ),
        (ONE, f"args: {{y: {MADE}, x: array}}, positional_only: x", ["y, x, /"], "f($module, y, x, /)"),
        (
            TWO,
            f"args: {{y1: {MADE}, x: array, y2: {MADE}}}",
            ["y1, x, y2, z", "*, y1=None, x, y2=None, z", "y1, x, *, y2=None, z"],
            "f($module, /, *, y1=None, x, y2=None, z)",
        ),
        (
            "void f(const double *x, double *y, int z)",
            f"args: {{x: array, y: {MADE}, z: {{default: 3}}}}",
            ["x, y=None, z=3"],
            "f($module, /, x, y=None, z=3)",
        ),
    ],
)
def test_required_parameters_can_follow_new_outputs(c: str, args: str, expected: list[str], help_: str) -> None:
    assert ways(c, args) == (expected, help_)
