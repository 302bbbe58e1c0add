# SPDX-License-Identifier: MIT
"""Data in an array of the struct has a known length: extents beyond it are refused."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from python.exchange import Table
from support.build import build_module

HEADER = Path(__file__).with_name("grids.h").read_text()
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
TOO_SMALL = r"data \(self->cells\) is 64: so many bytes do not hold all elements"


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
def test_extents_beyond_an_array_of_the_struct_are_refused(
    grids: ModuleType, name: str, given: tuple[int, int, int], way: str
) -> None:
    with pytest.raises(BufferError, match=rf"^grids\.{name}: {TOO_SMALL}$"):
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
def test_extents_within_an_array_of_the_struct_are_exported(
    grids: ModuleType, name: str, given: tuple[int, int, int]
) -> None:
    assert np.from_dlpack(getattr(grids, name)(*given)).shape == given[:2]


def test_negative_extents_have_a_message_of_their_own(grids: ModuleType) -> None:
    with pytest.raises(BufferError, match=r"shape\[0\] \(self->rows\) is -1"):
        grids.Compact(-1, 4, 0).__dlpack__()


# ---- Pointers into arrays of the struct, and arms ----

PAGE = Path(__file__).with_name("pages.h").read_text()
KINDS = "dtype: {of: self->kind, map: {0: float32, 1: float64}}"
FLOAT = "dtype: float32"
POINTERS = {
    "First": ("&self->grid[0][0]", FLOAT),
    "Row": ("self->grid[0]", FLOAT),
    "From": ("&self->grid[0][self->first]", FLOAT),
    "Added": ("self->any.floats + self->first", FLOAT),
    "Offset": ("self->any.floats", FLOAT + "\n    byte_offset: 4 * self->first"),
    "Chosen": ("self->any.raw", KINDS),
    "Table": ("self->table[0]", FLOAT),
    "Cast": ("(float *)self->any.doubles", FLOAT),
    "Packed": ("&self->packed[0]", "dtype: uint4"),
}
PAGES = "module: pages\ninclude: [pages.h]\ntensors:\n" + "".join(
    f"""
  {name}:
    type: page
    data: {data!r}
    {dtype}
    shape: [self->rows, self->columns]
    strides: {{outer: self->step, unit: elements}}
    release: page_free(self)
    new: {{c: "page *page_new(int first, int rows, int columns, int step, int kind)"}}
"""
    for name, (data, dtype) in POINTERS.items()
)
PAGES += """
  Arms:
    type: page
    match:
      of: self->kind
      arms:
        - {when: 0, dtype: float32, data: self->any.floats}
        - {when: 1, dtype: float64, data: self->any.doubles}
        - {when: 2, dtype: float32, data: "&self->grid[0][0]"}
        - {when: 3, dtype: float32, data: "self->table[1]"}
    shape: [self->rows, self->columns]
    strides: {outer: self->step, unit: elements}
    release: page_free(self)
    new: {c: "page *page_new(int first, int rows, int columns, int step, int kind)"}
"""


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> ModuleType:
    return build_module("pages", PAGES, tmp_path_factory.mktemp("pages"), PAGE)


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize(
    "name, given",
    [
        ("First", (0, 4, 4, 5, 0)),
        ("First", (0, 2, 1, -1, 0)),
        ("Row", (0, 5, 4, 4, 0)),
        ("From", (1, 4, 4, 4, 0)),
        ("From", (3, 2, 4, -4, 0)),
        ("Added", (8, 1, 1, 1, 0)),
        ("Added", (-1, 1, 1, 1, 0)),
        ("Offset", (5, 1, 4, 4, 0)),
        ("Offset", (2**28, 1, 1, 1, 0)),
        ("Chosen", (0, 3, 2, 2, 1)),
        ("Packed", (0, 1, 5, 5, 0)),
        ("Arms", (0, 3, 4, 4, 0)),
        ("Arms", (0, 3, 2, 2, 1)),
        ("Arms", (0, 5, 4, 4, 2)),
    ],
)
def test_a_pointer_into_the_struct_cannot_reach_beyond_its_member(
    pages: ModuleType, name: str, given: tuple[int, ...], way: str
) -> None:
    with pytest.raises(BufferError, match=rf"^pages\.{name}: data \(self->[a-z.]+\) is \d+: so many bytes do not hold"):
        WAYS[way](getattr(pages, name)(*given))


@pytest.mark.parametrize(
    "name, given",
    [
        ("First", (0, 4, 4, 4, 0)),
        ("First", (0, 0, 100, 7, 0)),
        ("Row", (0, 4, 4, 4, 0)),
        ("Added", (6, 4, 2, -2, 0)),
        ("Added", (7, 1, 1, 99, 0)),
        ("Offset", (4, 1, 4, 4, 0)),
        ("Chosen", (0, 2, 2, 2, 1)),
        ("Chosen", (0, 4, 2, 2, 0)),
        ("Table", (0, 4, 4, 4, 0)),
        ("Cast", (0, 3, 4, 4, 0)),  # the caller knows better
        ("Arms", (0, 4, 2, 2, 0)),
        ("Arms", (0, 2, 2, 2, 1)),
        ("Arms", (0, 4, 4, 4, 2)),
        ("Arms", (0, 4, 4, 4, 3)),
    ],
)
def test_a_pointer_into_the_struct_shows_the_elements_of_its_member(
    pages: ModuleType, name: str, given: tuple[int, ...]
) -> None:
    assert np.from_dlpack(getattr(pages, name)(*given)).shape == given[1:3]


def test_a_pointer_into_the_struct_can_have_elements_below_a_byte(pages: ModuleType) -> None:
    assert pages.Packed(0, 1, 4, 4, 0).shape == (1, 4)
