# SPDX-License-Identifier: MIT
"""Data in an array of the struct, whose length is known: no extents lead beyond it."""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from python.exchange import Table
from support.build import build_module

HEADER = """
#include <stdlib.h>
typedef struct grid {
    float cells[16], *far;
    int rows, columns, step;
} grid;
static inline grid *grid_new(int rows, int columns, int step)
{
    grid *const made = calloc(1, sizeof *made);
    *made = (grid){.far = made->cells, .rows = rows, .columns = columns, .step = step};
    return made;
}
static inline void grid_free(grid *self) { free(self); }
"""
SPEC = "module: grids\ninclude: [grids.h]\ntensors:\n" + "".join(
    f"""
  {name}:
    type: grid
    data: {data}
    dtype: float32
    shape: [self->rows, self->columns]
    {strides}
    release: grid_free(self)
    new: {{c: "grid *grid_new(int rows, int columns, int step)"}}
"""
    for name, data, strides in [
        ("Compact", "self->cells", "order: C"),
        ("Rows", "self->cells", "strides: {outer: self->step}"),
        ("Listed", "self->cells", "strides: {list: [self->step, 1]}"),
        ("Anywhere", "self->far", "strides: {outer: self->step}"),
    ]
)


@pytest.fixture(scope="module")
def grids(tmp_path_factory: pytest.TempPathFactory) -> ModuleType:
    return build_module("grids", SPEC, tmp_path_factory.mktemp("grids"), HEADER)


WAYS: dict[str, Callable[[Any], object]] = {
    "legacy": lambda x: x.__dlpack__(),
    "versioned": lambda x: x.__dlpack__(max_version=(1, 3)),
    "table": lambda x: Table(type(x)).export(x),
    "buffer": memoryview,
    "shape": lambda x: x.shape,
}
ROOM = r"data \(self->cells\) is 64: so many bytes do not hold all elements"


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize(
    "name, given",
    [
        ("Compact", (5, 4, 0)),
        ("Compact", (1, 17, 0)),
        ("Compact", (2**31 - 1, 2**31 - 1, 0)),
        ("Rows", (4, 4, 5)),
        ("Rows", (2, 2, 15)),
        ("Rows", (2, 2, 2**31 - 1)),
        ("Listed", (2, 2, 15)),
        ("Listed", (4, 4, -4)),
    ],
)
def test_what_leads_beyond_it_is_refused(grids: ModuleType, name: str, given: tuple[int, int, int], way: str) -> None:
    with pytest.raises(BufferError, match=rf"^grids\.{name}: {ROOM}$"):
        WAYS[way](getattr(grids, name)(*given))


@pytest.mark.parametrize(
    "name, given",
    [
        ("Compact", (4, 4, 0)),
        ("Compact", (16, 1, 0)),
        ("Compact", (0, 100, 0)),
        ("Rows", (3, 4, 6)),
        ("Rows", (2, 2, 14)),
        ("Listed", (2, 2, 14)),
        ("Listed", (2, 2, 0)),
        ("Listed", (1, 4, 10**6)),
        ("Listed", (1, 4, -4)),
        ("Anywhere", (5, 4, 4)),
    ],
)
def test_what_it_holds_is_shown(grids: ModuleType, name: str, given: tuple[int, int, int]) -> None:
    assert np.from_dlpack(getattr(grids, name)(*given)).shape == given[:2]


def test_negative_extents_are_told_as_such(grids: ModuleType) -> None:
    with pytest.raises(BufferError, match=r"shape\[0\] \(self->rows\) is -1"):
        grids.Compact(-1, 4, 0).__dlpack__()
