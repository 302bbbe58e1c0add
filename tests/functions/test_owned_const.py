# SPDX-License-Identifier: MIT
"""Objects that C calls `const` and that are the caller's: they end, and nobody writes to them."""

from __future__ import annotations

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
HEADER = """
typedef struct table { double *data; int size; const struct table *of; } table;
int living_count(void);
const table *ramp(int size);
void table_free(const table *t);
const table *part(const table *of);
int table_double(const table *t, const table **made);
void table_scale(table *t, double by);
"""
SOURCE = """
#include "frozen.h"
#include <stdint.h>
#include <stdlib.h>

static int living;
int living_count(void)
{
    return living;
}
const table *ramp(int size)
{
    table *t = size < 0 ? NULL : malloc(sizeof *t);
    if (t != NULL) {
        *t = (table){malloc(sizeof(double) * (size_t)(size + 1)), size, NULL};
        for (int i = 0; i < size; i++) {
            t->data[i] = i;
        }
        living++;
    }
    return t;
}
void table_free(const table *t)
{
    if (t->of == NULL) {
        free(t->data);
    }
    free((void *)(uintptr_t)t);
    living--;
}
const table *part(const table *of)
{
    table *t = malloc(sizeof *t);
    *t = (table){of->data, of->size / 2, of};
    living++;
    return t;
}
int table_double(const table *t, const table **made)
{
    *made = ramp(t->size);
    for (int i = 0; i < t->size; i++) {
        (*made)->data[i] = 2 * t->data[i];
    }
    return 0;
}
void table_scale(table *t, double by)
{
    for (int i = 0; i < t->size; i++) {
        t->data[i] *= by;
    }
}
"""


@pytest.fixture(scope="module")
def frozen(tmp_path_factory: pytest.TempPathFactory) -> ModuleType:
    return build_module("frozen", SPEC, tmp_path_factory.mktemp("frozen"), HEADER, SOURCE)


def test_it_ends_with_the_last_array(frozen: ModuleType) -> None:
    array = np.from_dlpack(frozen.ramp(4))
    assert array.tolist() == [0, 1, 2, 3]
    assert frozen.living_count() == 1
    del array
    assert frozen.living_count() == 0


def test_nobody_writes_to_it(frozen: ModuleType) -> None:
    table = frozen.ramp(4)
    assert table.readonly
    assert not np.from_dlpack(table).flags.writeable
    with pytest.raises(BufferError, match=r"the object is read-only"):
        table.scale(2)
    with pytest.raises(BufferError):
        table.__dlpack__()  # a consumer that does not know of read-only memory


def test_one_that_is_filled(frozen: ModuleType) -> None:
    doubled = frozen.ramp(3).double()
    assert doubled.readonly
    assert np.from_dlpack(doubled).tolist() == [0, 2, 4]
    del doubled
    assert frozen.living_count() == 0


def test_one_that_keeps_another(frozen: ModuleType) -> None:
    table = frozen.ramp(4)
    part = frozen.part(table)
    del table
    assert frozen.living_count() == 2
    assert np.from_dlpack(part).tolist() == [0, 1]
    assert part.readonly
    del part
    assert frozen.living_count() == 0


def test_none_is_a_failure(frozen: ModuleType) -> None:
    with pytest.raises(RuntimeError, match=r"ramp\(\): ramp\(\) failed"):
        frozen.ramp(-1)
