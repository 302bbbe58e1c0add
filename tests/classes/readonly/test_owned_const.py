# SPDX-License-Identifier: MIT
"""Objects that C calls `const` and that belong to the caller: they are freed, and never written."""

from __future__ import annotations

from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

from support.build import build_module

SPEC = """
module: frozen
include: frozen.h
tensors:
  Table:
    type: table
    data: self->data
    dtype: float64
    shape: [self->size]
    release: table_free(self)
    methods:
      double: {c: "int table_double(const table *t, const table **made)",
               args: {made: {out: true, owned: true}}, ok: "== 0"}
      scale: {c: "void table_scale(table *t, double by)"}
functions:
  ramp: {c: "const table *ramp(int size)", returns: {of: Table, owned: true}}
  part: {c: "const table *part(const table *of)", returns: {of: Table, owned: true, keeps: of}}
  living_count: {c: int living_count(void)}
"""
HEADER = Path(__file__).with_name("frozen.h").read_text()
SOURCE = Path(__file__).with_name("frozen.c").read_text()


@pytest.fixture(scope="module")
def frozen(tmp_path_factory: pytest.TempPathFactory) -> ModuleType:
    return build_module("frozen", SPEC, tmp_path_factory.mktemp("frozen"), HEADER, SOURCE)


def test_a_const_object_is_freed_with_the_last_array(frozen: ModuleType) -> None:
    array = np.from_dlpack(frozen.ramp(4))
    assert array.tolist() == [0, 1, 2, 3]
    assert frozen.living_count() == 1
    del array
    assert frozen.living_count() == 0


def test_a_const_object_is_never_written(frozen: ModuleType) -> None:
    table = frozen.ramp(4)
    assert table.readonly
    assert not np.from_dlpack(table).flags.writeable
    with pytest.raises(BufferError, match=r"the object is read-only"):
        table.scale(2)
    with pytest.raises(BufferError):
        table.__dlpack__()  # a consumer that does not know of read-only memory


def test_a_const_object_can_be_an_output(frozen: ModuleType) -> None:
    doubled = frozen.ramp(3).double()
    assert doubled.readonly
    assert np.from_dlpack(doubled).tolist() == [0, 2, 4]
    del doubled
    assert frozen.living_count() == 0


def test_a_const_object_can_keep_another_object(frozen: ModuleType) -> None:
    table = frozen.ramp(4)
    part = frozen.part(table)
    del table
    assert frozen.living_count() == 2
    assert np.from_dlpack(part).tolist() == [0, 1]
    assert part.readonly
    del part
    assert frozen.living_count() == 0


def test_null_instead_of_a_const_object_is_an_error(frozen: ModuleType) -> None:
    with pytest.raises(RuntimeError, match=r"ramp\(\): ramp\(\) failed"):
        frozen.ramp(-1)
