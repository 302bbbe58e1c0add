# SPDX-License-Identifier: MIT
"""Counts how often an export reads the struct: once on the fast path, twice where the full check follows."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from python.exchange import Table, delete
from python.limits import FREE_THREADED
from support.build import build_extension, import_extension

HEADER = Path(__file__).with_name("tally.h").read_text()
SPEC = "module: tallies\ninclude: [tally.h]\ntensors:\n" + "".join(
    f"""
  {name}:
    type: tally
    data: tally_cells(self)
    dtype: float32
    readonly: self->fixed
    shape: [self->rows, self->columns]
    order: {order}
    release: tally_free(self)
    new: {{c: "tally *tally_new(int rows, int columns, int fixed)"}}
    properties: {{reads: self->reads}}
"""
    for name, order in [("Rows", "C"), ("Columns", "F")]
)


@pytest.fixture(scope="module")
def tallies(tmp_path_factory: pytest.TempPathFactory) -> ModuleType:
    folder = tmp_path_factory.mktemp("tallies")
    (folder / "tally.h").write_text(HEADER)
    return import_extension("tallies", build_extension("tallies", SPEC, folder, flags=[f"-I{folder}"]))


WAYS: dict[str, Callable[[Any], object]] = {
    "legacy": lambda x: x.__dlpack__(),
    "versioned": lambda x: x.__dlpack__(max_version=(1, 3)),
    "table": lambda x: delete(Table(type(x)).export(x)),
}
if not FREE_THREADED:  # else nothing is lent
    WAYS["view"] = lambda x: Table(type(x)).view(x)


@pytest.mark.parametrize("beside", [False, True], ids=["alone", "beside another"])
@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("name, rows, reads", [("Rows", 2, 1), ("Columns", 2, 1), ("Rows", 0, 2), ("Columns", 0, 2)])
def test_a_struct_is_read_once_or_twice_if_it_has_no_elements(
    tallies: ModuleType, name: str, rows: int, reads: int, way: str, beside: bool
) -> None:
    made = getattr(tallies, name)(rows, 3, 0)
    kept = np.from_dlpack(made) if beside else None
    before = made.reads
    WAYS[way](made)
    assert made.reads - before == reads
    del kept


@pytest.mark.parametrize("way", sorted({"legacy", "view"} & WAYS.keys()))
@pytest.mark.parametrize("name", ["Rows", "Columns"])
def test_read_only_data_is_read_twice_where_the_consumer_has_no_flag_for_it(
    tallies: ModuleType, name: str, way: str
) -> None:
    """A legacy tensor and a borrowed view cannot say that they are read-only."""
    made = getattr(tallies, name)(2, 3, 1)
    with pytest.raises(BufferError, match="read-only"):
        WAYS[way](made)
    assert made.reads == 2
    assert not np.from_dlpack(made).flags.writeable
