# SPDX-License-Identifier: MIT
"""Rules of `make fuzz`: which errors of the compiler show a part of a changed spec, and how specs are generated."""

from __future__ import annotations

import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from support.build import TOP

sys.path.append(str(TOP / "gates" / "fuzz"))

from candidates import Candidate
from harness import write_spec
from specs import quotes

SPEC = """
module: demo
include: demo.h
tensors:
  Ring: {type: ring, data: self->samples, dtype: float32, shape: [self->n], release: ring_end(self)}
"""
IMPORTED = SPEC.replace("}\n", ", import: {require: [compact], set: {samples: data, n: 'shape[0]'}}}\n")
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


def test_threads_generate_specs_one_after_the_other(tmp_path: Path) -> None:
    def generate(number: int) -> str:
        folder = tmp_path / str(number)
        folder.mkdir()
        functions = "".join(
            f"  f{number}_{i}: {{c: 'int f{number}_{i}(int a, const char *name, double x{i})'}}\n" for i in range(50)
        )
        text = f"{IMPORTED.replace('demo', f'demo{number}')}functions:\n{functions}"
        return write_spec(Candidate(f"spec{number}.yaml", text, folder), folder)[1]

    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        with ThreadPoolExecutor(8) as threads:
            assert list(threads.map(generate, range(8))) == [f"demo{number}" for number in range(8)]
    finally:
        sys.setswitchinterval(interval)
