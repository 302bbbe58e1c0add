"""Objects that are made of other objects take the required `params` of these."""

from __future__ import annotations

from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

from support.build import build_module, generate

HEADER = Path(__file__).with_name("givers.h").read_text()
SOURCE = Path(__file__).with_name("givers.c").read_text()
SPEC = """
module: givers
include: givers.h
handles:
  Symbolic:
    type: symbolic
    params: [int n]
    release: symbolic_free(self)
    new: {c: symbolic *symbolic_new(int n)}
    properties: {n: n}
    methods:
      numeric: {c: "numeric *numeric_of(const symbolic *s, double value)"}
      into: {c: "int numeric_into(numeric **made, const symbolic *s)", args: {made: {out: true}}, ok: == 0}
tensors:
  Numeric:
    type: numeric
    params: [int n]
    data: self->diagonal
    dtype: float64
    shape: [n]
    release: numeric_free(self)
    methods: {twice: {c: "numeric *numeric_twice(const numeric *x)"}}
functions:
  numeric: {c: "numeric *numeric_of(const symbolic *s, double value)"}
"""


@pytest.fixture(scope="module")
def lib(tmp_path_factory: pytest.TempPathFactory) -> ModuleType:
    return build_module("givers", SPEC, tmp_path_factory.mktemp("givers"), HEADER, SOURCE)


def test_a_result_takes_the_params_of_the_object_of_a_method(lib: ModuleType) -> None:
    symbolic = lib.Symbolic(3)
    assert np.asarray(symbolic.numeric(1.5)).tolist() == [1.5] * 3
    assert np.asarray(symbolic.into()).tolist() == [5] * 3
    assert np.asarray(symbolic.numeric(2).twice()).tolist() == [4] * 3


def test_a_result_takes_the_params_of_the_only_argument_that_has_them(lib: ModuleType) -> None:
    assert np.asarray(lib.numeric(lib.Symbolic(4), 2)).tolist() == [2] * 4


def test_a_result_takes_no_params_where_several_arguments_have_them(tmp_path: Path) -> None:
    """A product, for example, has the rows of one argument and the columns of the other."""
    spec = f'{SPEC}  sum: {{c: "numeric *numeric_sum(const numeric *x, const numeric *y)"}}\n'
    with pytest.raises(AssertionError, match="'n' is required"):
        generate(spec, tmp_path)
