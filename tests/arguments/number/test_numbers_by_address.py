"""Numbers whose address C takes, as functions of Fortran do, and counts that differ from a length by one."""

from __future__ import annotations

from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

from support.build import build_module

SPEC = """
dlpack-bindgen: 1
module: addressed
include: addressed.h
numbers: {index_t: int}
constants:
  Way: {enum: {UP: 1, DOWN: -1}}
functions:
  degrees:
    c: int graph_degrees(const index_t *rows, const index_t *offsets, index_t *degrees, index_t *most)
    args:
      rows: {count_of: offsets, plus: -1}
      degrees: {require: [{count: rows}]}
      most: {out: true}
    ok: == 0
  scale: {c: "double scale_(const int *n, double *x, const double *by, const int *step)",
          args: {n: {count_of: x}, by: float, step: {of: int, default: 1}}}
  decode:
    c: void decode(const float *x, int *read, float *out, int *written, index_t *way)
    args: {read: {count_of: x}, written: {count_of: out}, way: {of: Way, default: UP}}
    returns: [read, written, way]
  total: {c: "int total(const char *x, int n)", args: {x: bytes, n: {size_of: x, plus: 2}}}
"""
HEADER = Path(__file__).with_name("addressed.h").read_text()
SOURCE = Path(__file__).with_name("addressed.c").read_text()


@pytest.fixture(scope="module")
def addressed(tmp_path_factory: pytest.TempPathFactory) -> ModuleType:
    return build_module("addressed", SPEC, tmp_path_factory.mktemp("addressed"), HEADER, SOURCE)


def test_a_count_may_be_one_less(addressed: ModuleType) -> None:
    degrees = np.zeros(3, np.int64)
    assert addressed.degrees([0, 2, 2, 5], degrees) == 3
    assert degrees.tolist() == [2, 0, 3]
    with pytest.raises(ValueError, match="argument 'degrees' must have 3 elements, not 2"):
        addressed.degrees([0, 2, 2, 5], degrees[:2])
    assert addressed.total(b"abc") == 5


def test_c_gets_the_address_of_a_number(addressed: ModuleType) -> None:
    x = np.ones(4)
    assert addressed.scale(x, 3) == 12
    assert addressed.scale(x, by=2.0, step=2) == 12
    assert x.tolist() == [6, 3, 6, 3]
    with pytest.raises(TypeError):
        addressed.scale(x, "3")


def test_a_number_that_c_changes_is_returned_where_returns_lists_it(addressed: ModuleType) -> None:
    out = np.zeros(2, np.float32)
    assert addressed.decode([1, 2, 3], out) == (2, 2, addressed.Way.DOWN)
    assert out.tolist() == [1, 2]
    assert addressed.decode([1], out, way="DOWN") == (1, 1, addressed.Way.UP)
    assert out.tolist() == [-1, 2]
