# SPDX-License-Identifier: MIT
"""`quantity`: the attribute that tells what the elements of an array measure."""

from pathlib import Path
from types import ModuleType

import pytest

from support.build import build_module

HEADER = """
#include <stdlib.h>
typedef struct heights { double *at; long size; } heights;
static inline heights *heights_new(void) { return calloc(1, sizeof(heights)); }
"""
SPEC = """
dlpack-bindgen: 1
module: heights
include: heights.h
tensors:
  Heights:
    type: heights
    quantity: metres
    data: self->at
    dtype: float64
    shape: [self->size]
    release: free(self)
    new: {c: heights *heights_new(void)}
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("heights")


@pytest.fixture(scope="module")
def heights(folder: Path) -> ModuleType:
    return build_module("heights", SPEC, folder, HEADER)


def test_the_attribute_is_the_quantity(heights: ModuleType) -> None:
    assert heights.Heights().quantity == "metres"
    assert heights.Heights.quantity.__doc__ == "The quantity of the elements: metres."


def test_the_stub_has_the_attribute(heights: ModuleType, folder: Path) -> None:
    assert "def quantity(self) -> str" in (folder / "heights.pyi").read_text(encoding="utf-8")
