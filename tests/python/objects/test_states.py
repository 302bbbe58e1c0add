# SPDX-License-Identifier: MIT
"""Objects whose state decides what they accept and share: their dtype, their data, and whether they can be written."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from support.build import build_extension, import_extension

CODED = """
module: coded
include: [coded.h]
maps: {kinds: {1: float32, 2: float64}}
tensors:
  Coded:
    type: coded
    data: self->data
    dtype: {of: self->kind, map: kinds}
    shape: [self->count]
    require: [{expr: "self->data != NULL", message: not loaded}]
    import:
      require: [compact, {expr: code == 2, message: only doubles}]
      set: {data: data, count: "shape[0]", kind: code}
    new: {c: coded *coded_new(void)}
    release: free(self)
    methods:
      load: {c: void coded_load(coded *self), release_gil: true}
      hide: {c: void coded_hide(coded *self), args: {self: {writes: false}}}
      size: {c: "size_t coded_size(coded *self, size_t bytes)", args: {bytes: {size_of: self}}}
    properties:
      name: {get: self->name, type: str}
      tag: {get: "self->tag", type: str}
"""
CODED_HEADER = Path(__file__).with_name("coded.h").read_text()


@pytest.fixture(scope="module")
def coded(tmp_path_factory: pytest.TempPathFactory) -> Any:
    path = build_extension("coded", CODED, tmp_path_factory.mktemp("coded"), files={"coded.h": CODED_HEADER})
    return import_extension("coded", path)


def test_an_expression_in_require_can_read_the_code(coded: Any) -> None:
    assert coded.Coded.from_dlpack(np.zeros(3)).shape == (3,)
    with pytest.raises(BufferError, match="only doubles"):
        coded.Coded.from_dlpack(np.zeros(3, np.float32))


def test_a_string_ends_with_its_array_member(coded: Any) -> None:
    made = coded.Coded()
    assert (made.name, made.tag) == ("abcd", "tagged")


def test_a_method_can_load_an_object_that_cannot_be_shared_yet(coded: Any) -> None:
    made = coded.Coded()
    for look in (np.from_dlpack, coded.Coded.size):
        with pytest.raises(BufferError, match="not loaded"):
            look(made)
    made.load()
    assert (made.shape, made.size()) == ((2,), 16)


def test_a_method_that_writes_is_refused_for_read_only_and_for_hidden_data(coded: Any) -> None:
    frozen = np.zeros(3)
    frozen.flags.writeable = False
    shown = coded.Coded.from_dlpack(frozen)
    with pytest.raises(BufferError, match="read-only"):
        shown.load()
    shown.hide()
    with pytest.raises(BufferError, match="not loaded"):
        shown.load()
