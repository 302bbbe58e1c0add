# SPDX-License-Identifier: MIT
"""Parts of objects that show a stored array keep this array alive, too."""

from __future__ import annotations

import gc
import weakref
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

from support.build import build_module

HEADER = Path(__file__).with_name("strips.h").read_text()
SPEC = """
module: strips
include: strips.h
arrays: Array
tensors:
  Strip:
    type: strip
    data: self->at
    dtype: float64
    shape: [self->n]
    release: strip_free(self)
    new: {c: strip *strip_new(int n)}
    methods:
      use: {c: "void strip_use(strip *s, double *at, int n)", args: {s: {keeps: at}, n: {count_of: at}}}
    parts: [{name: halves, of: Half, count: "2"}]
  Half:
    type: strip
    params: [int half]
    data: self->at + half * (self->n / 2)
    dtype: float64
    shape: [self->n / 2]
"""


@pytest.fixture(scope="module")
def strips(tmp_path_factory: pytest.TempPathFactory) -> ModuleType:
    return build_module("strips", SPEC, tmp_path_factory.mktemp("strips"), HEADER)


def test_a_part_keeps_the_array_that_the_whole_uses(strips: ModuleType) -> None:
    whole, array = strips.Strip(2), np.arange(4.0)
    known = weakref.ref(array)
    whole.use(array)
    half = whole.half(1)
    del whole, array
    gc.collect()
    assert np.from_dlpack(half).tolist() == [2, 3]
    del half
    gc.collect()
    assert known() is None
