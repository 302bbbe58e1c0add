"""Results that belong to the caller, but need another object as long as they live: `keeps`."""

from __future__ import annotations

from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from python.leaks import counters
from support.build import build_module

HEADER = Path(__file__).with_name("keeping.h").read_text()

SOURCE = Path(__file__).with_name("keeping.c").read_text()

SPEC = """
module: keeping
include: [keeping.h]
handles:
  Store:
    type: store
    release: store_close(self)
    new: {c: store *store_open(void)}
    methods:
      row: {c: "row *store_row(store *home, double first)", returns: {of: Row, keeps: home}}
      find:
        c: int store_find(store *home, double first, row **out)
        args: {out: {out: true, of: Row, keeps: home}}
        ok: == 0
      perhaps: {c: "row *store_row(store *home, double first)", returns: {of: Row, keeps: home, optional: true}}
      given: {c: "row *store_row(store *home, double first)", returns: {of: Given, keeps: home}}
tensors:
  Row:
    type: row
    data: self->values
    dtype: float64
    shape: [3]
    release: row_free(self)
  Given:
    type: row
    params: [store *home]
    data: self->values
    dtype: float64
    shape: [3]
    release: row_give_back(self, home)
"""


@pytest.fixture(scope="module")
def keeping(tmp_path_factory: pytest.TempPathFactory) -> ModuleType:
    return build_module("keeping", SPEC, tmp_path_factory.mktemp("keeping"), HEADER, SOURCE)


def live(keeping: ModuleType) -> tuple[int, ...]:
    """Returns the number of stores, of rows, and of rows that lived longer than their store."""
    return counters(keeping, "stores_live", "rows_live", "too_late")


@pytest.mark.parametrize("method", ["row", "find", "perhaps", "given"])
def test_a_result_is_freed_before_its_dependencies(keeping: ModuleType, method: str) -> None:
    store = keeping.Store()
    row = getattr(store, method)(7)
    del store
    assert live(keeping) == (1, 1, 0)
    view = np.from_dlpack(row)
    del row
    assert live(keeping) == (1, 1, 0) and view.tolist() == [7, 0, 0]
    del view
    assert live(keeping) == (0, 0, 0)


def test_several_results_keep_one_object(keeping: ModuleType) -> None:
    store = keeping.Store()
    rows: list[Any] = [store.row(number) for number in range(3)]
    store.close()
    assert live(keeping) == (1, 3, 0)
    for left in (2, 1):
        rows.pop()
        assert live(keeping) == (1, left, 0)
    rows.pop()
    assert live(keeping) == (0, 0, 0)


def test_a_result_is_closed_without_its_dependency(keeping: ModuleType) -> None:
    store = keeping.Store()
    row = store.row(1)
    row.close()
    assert live(keeping) == (1, 0, 0)
    del store
    assert live(keeping) == (0, 0, 0)


def test_a_null_result_keeps_nothing(keeping: ModuleType) -> None:
    store = keeping.Store()
    assert store.perhaps(-1) is None
    for method in (store.row, store.find):
        with pytest.raises(RuntimeError):
            method(-1)
    del store, method
    assert live(keeping) == (0, 0, 0)
