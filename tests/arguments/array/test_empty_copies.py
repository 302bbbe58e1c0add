# SPDX-License-Identifier: MIT
"""Arrays without elements that are always copied: a copy without memory is not written back."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from support.build import build_module

HEADER = Path(__file__).with_name("emptied.h").read_text()
SPEC = """
module: emptied
include: [emptied.h]
tensors:
  Row:
    type: row
    data: self->at
    dtype: uint4
    shape: [self->n]
    import: {copy: always, set: {at: data, n: "shape[0]"}}
functions:
  clear: {c: void clear(row *r)}
"""


@pytest.fixture(scope="module")
def emptied(tmp_path_factory: pytest.TempPathFactory) -> ModuleType:
    return build_module("emptied", SPEC, tmp_path_factory.mktemp("emptied"), HEADER)


@pytest.mark.parametrize("count", [0, 2, 6])
def test_a_copy_of_packed_elements_can_be_empty(
    emptied: ModuleType, managed: Callable[..., Any], producer: ModuleType, count: int
) -> None:
    """Under UndefinedBehaviorSanitizer, memcpy() from NULL is an error."""
    tensor = managed(dtype=(1, 4, 1), axes=[(count,)])
    emptied.clear(tensor.capsule())
    assert producer.record() == (1, 0, 0)
