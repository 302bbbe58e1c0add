"""The first call reads the layout of NumPy's arrays, so that later calls read their memory without a buffer."""

from __future__ import annotations

from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

from support.build import build_module

SPEC = """
dlpack-bindgen: 1
module: first_arrays
include: first_arrays.h
functions:
  add: {c: "void add(const double *a, const double *b, double *sum, size_t n)", args: {n: {count_of: a}}}
  buffers: {c: int buffers(void)}
"""
HEADER = """
#include <stddef.h>
void add(const double *a, const double *b, double *sum, size_t n);
int buffers(void);
"""
SOURCE = Path(__file__).with_name("first_arrays.c").read_text()


@pytest.fixture
def lib(tmp_path: Path) -> ModuleType:
    """Builds a module that has not been called yet, and counts how often its runtime asks for a buffer."""
    return build_module("first_arrays", SPEC, tmp_path, HEADER, SOURCE, ["-Wl,--wrap=PyObject_GetBuffer"])


def test_several_arrays_are_read_after_the_first_call(lib: ModuleType) -> None:
    total = np.zeros(3)
    lib.add(np.ones(3), np.arange(3.0), total)
    assert total.tolist() == [1.0, 2.0, 3.0]
    asked = lib.buffers()
    assert asked > 0
    lib.add(total, total.copy(), total)
    assert (total.tolist(), lib.buffers()) == ([2.0, 4.0, 6.0], asked)
