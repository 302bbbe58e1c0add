# SPDX-License-Identifier: MIT
"""Results that may refer to an argument, where the library counts references."""

from __future__ import annotations

import pytest

from dlpack_bindgen.emit.module import Module
from support.printed import body
from support.validated import spec

SPEC = """
module: m
tensors:
  Grid:
    type: grid
    data: self->at
    dtype: int8
    shape: [self->n]
    retain: grid_ref(self)
    release: grid_unref(self)
  Row:
    type: row
    data: self->at
    dtype: int8
    shape: [self->n]
    retain: row_ref(self)
    release: row_unref(self)
handles:
  Same: {type: grid, retain: grid_ref(self), release: grid_unref(self)}
  Other: {type: name, retain: name_ref(self), release: name_unref(self)}
functions:
  f: {c: PROTOTYPE, args: {g: {of: Grid}}, returns: RESULT}
"""


def refers(prototype: str, result: str) -> bool:
    text = SPEC.replace("PROTOTYPE", prototype).replace("RESULT", result)
    return any("dlb_py_adopt_referring(" in line for line in body(Module(spec(text)).functions[0]))


@pytest.mark.parametrize("result", ["Grid", "Same"])
def test_a_result_of_the_same_struct_may_be_the_argument(result: str) -> None:
    assert refers("grid *f(grid *g)", result)


def test_an_array_of_another_struct_may_show_its_memory() -> None:
    assert refers("row *f(grid *g)", "Row")


def test_a_handle_of_another_struct_refers_to_no_array() -> None:
    assert not refers("name *f(grid *g)", "Other")
