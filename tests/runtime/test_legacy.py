# SPDX-License-Identifier: MIT
"""The emitted functions export and import the struct from before DLPack 1.0."""

from __future__ import annotations

from collections.abc import Callable

import pytest

RunProgram = Callable[..., None]

TENSOR = """
    data: self->data
    dtype: float32
    shape: [self->rows, self->columns]
    strides: {outer: self->pitch, unit: elements}
    readonly: self->locked
    require: [{expr: "!self->broken", message: the grid is broken}]
    release: grid_unref(self)
"""
LEGACY = f"""
module: legacy
include: [aliases.h]
tensors:
  Moved:{TENSOR}
    type: moved_grid
    import: {{construct: "grid_wrap(data, shape[0], shape[1], strides[0])", ok: "!= NULL"}}
  Shared:{TENSOR}
    type: grid
    retain: grid_ref(self)
  Copied:{TENSOR}
    type: copied_grid
    legacy_readonly: copy
  Row:
    type: grid
    params: [int row = 0]
    require: [{{expr: row < self->rows, message: no such row}}]
    data: self->data + row * self->pitch
    dtype: float32
    shape: [self->columns]
    retain: grid_ref(self)
    release: grid_unref(self)
  Part:{TENSOR}
    type: part_grid
    import:
      params: [int locked]
      require: [{{expr: locked == 0 || locked == 1, message: neither locked nor open}}]
      set: {{data: data, rows: "shape[0]", columns: "shape[1]", pitch: "strides[0]", locked: locked}}
"""


@pytest.mark.parametrize("run_program", ["plain", "narrow", "sanitized", "valgrind"], indirect=True)
def test_the_struct_from_before_1_0_is_exported_and_imported(run_program: RunProgram) -> None:
    run_program(LEGACY, "legacy.c", "grid.c")
