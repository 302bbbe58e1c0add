# SPDX-License-Identifier: MIT
"""A rule of `make fuzz`: which errors of the compiler show a part of a changed spec."""

from __future__ import annotations

import sys

import pytest

from support.build import TOP

sys.path.append(str(TOP / "gates" / "fuzz"))

from specs import quotes

SPEC = """
module: demo
include: demo.h
tensors:
  Ring: {type: ring, data: self->samples, dtype: float32, shape: [self->n], release: ring_end(self)}
"""
ERRORS = [
    ("ring", "attach", "demo_module.c:7:3: error: 'attach' undeclared here (not in a function)", True),
    ("ring", "attach", "demo_dlpack.h:7:3: error: unknown type name 'attach'", True),
    ("demo.h", "size_t out", "demo_dlpack.h:3:10: fatal error: size_t out: No such file or directory", True),
    ("demo.h", "h", "demo_dlpack.h:3:10: fatal error: h: No such file or directory", True),
    ("ring, data", "data, daca", "demo_dlpack.h:7:3: error: unknown type name 'data'", True),
    ("samples", "others", "demo_dlpack.c:9:5: error: 'ring' has no member named 'others'", True),
    ("self->n]", "... n]", "demo_dlpack.c:9:5: error: expected expression before '...' token", True),
    (
        "self->n",
        "ring",
        "dlb_assert.h:101:63: error: expected expression before ':' token\n"
        "  101 | #define DLB_ASSERT_INTEGER(e, message)\n"
        "demo_dlpack.c:9:5: note: in expansion of macro 'DLB_ASSERT_INTEGER'\n"
        '    9 |     DLB_ASSERT_INTEGER(ring, "Ring.shape[0]: ring must be an integer");',
        True,
    ),
    (
        "demo.h",
        "[]",
        "demo_dlpack.h:8:1: error: expected ';' before '*' token\n    8 | ring *self;\n"
        "demo_dlpack.h:9:10: fatal error: FILE.h: No such file or directory",
        True,
    ),
    ("ring, data", "demo, data", "demo.c:8:1: error: expected ';' before '*' token\n    8 | demo *self;", True),
    ("ring, data", "self, data", 'demo_dlpack.h:8:2: error: #error "spec.yaml includes no header of self"', True),
    (
        "self->n]",
        "unsigned -1n]",
        "demo_dlpack.c:9:5: error: expected ')' before '-' token\n    9 |     DLB_INTEGER(unsigned - 1n)",
        True,
    ),
    ("self->n]", "const]", "demo.c:9:5: error: expected expression before ',' token\n 9 | (int)(const),", True),
    # Words of each spec, or of the emitted code alone, show nothing of this one.
    ("float32", "int8", "demo_dlpack.c:9:5: error: 'self' undeclared (first use in this function)", False),
    ("float32", "int8", "demo_dlpack.c:9:5: error: 'view' undeclared (first use in this function)", False),
    ("float32", "int8", "demo_dlpack.c:9:5: error: expected ';' before '}' token", False),
    ("float32", "int8", "In file included from demo.c:7:\ndemo_dlpack.c:9:5: error: expected ';'", False),
    ("self->n]", "self->n)]", "demo_dlpack.c:9:5: error: expected ';' before ')' token", False),
]


@pytest.mark.parametrize(("old", "new", "message", "shows"), ERRORS)
def test_an_error_shows_the_spec_if_it_quotes_a_changed_part(old: str, new: str, message: str, shows: bool) -> None:
    assert quotes(message, SPEC.replace(old, new), SPEC) == shows
