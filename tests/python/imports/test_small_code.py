# SPDX-License-Identifier: MIT
"""Code that is compiled for size imports in one function for all types, and accepts and refuses the same arrays."""

from __future__ import annotations

from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

from support.build import build_module

HEADER = Path(__file__).with_name("small.h").read_text()

SPEC = """
module: {name}
include: [{name}.h]
tensors:
  Grid:
    type: grid
    data: self->cells
    dtype: int16
    shape: [self->rows, self->columns]
    strides: {{outer: self->pitch, unit: elements}}
    import: {{set: {{cells: data, rows: "shape[0]", columns: "shape[1]", pitch: "strides[0]"}}}}
  Row:
    type: row
    data: self->values
    dtype: float64
    shape: [self->count]
    import: {{set: {{values: data, count: "shape[0]"}}}}
functions:
  sum: {{c: "long grid_sum(const grid *self)"}}
"""


@pytest.fixture(scope="module", params=["-Os", "-O2"])
def module(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> ModuleType:
    name = f"small{request.param_index}"
    return build_module(name, SPEC.format(name=name), tmp_path_factory.mktemp(name), HEADER, flags=[request.param])


def test_arrays_that_fit_are_imported_by_reference(module: ModuleType) -> None:
    cells = np.arange(12, dtype=np.int16).reshape(3, 4)
    for array in (cells, cells[:, :2], cells[1:], cells[::2, :3], cells[2:2]):
        made = module.Grid.from_dlpack(array)
        again = module.Grid.from_dlpack(made)
        assert np.from_dlpack(again).tolist() == array.tolist()
        assert np.shares_memory(np.from_dlpack(again), cells) == (array.size > 0)
        assert module.sum(made) == module.sum(array) == array.sum()


def test_an_array_that_does_not_fit_is_refused_with_the_reason(module: ModuleType) -> None:
    with pytest.raises(BufferError, match=r"self->count \(shape\[0\]\) would be 128"):
        module.Row.from_dlpack(np.zeros(128))
    with pytest.raises(BufferError, match="float32"):
        module.Row.from_dlpack(np.zeros(3, np.float32))
    with pytest.raises(BufferError, match="but for the outermost axis"):
        module.Grid.from_dlpack(np.zeros((3, 4), np.int16)[:, ::2])
    assert module.Row.from_dlpack(np.ones(127)).shape == (127,)


def test_an_import_of_a_read_only_array_is_read_only(module: ModuleType) -> None:
    array = np.arange(3.0)
    for writable in (True, False):
        array.flags.writeable = writable
        assert module.Row.from_dlpack(array).readonly is not writable
