# SPDX-License-Identifier: MIT
"""Sets the environment that frameworks read when they are imported."""

from __future__ import annotations

import gc
import os
from collections.abc import Iterator

import pytest

pytest.register_assert_rewrite("interop.consumer", "interop.producer")
os.environ["JAX_PLATFORMS"] = "cpu"
os.environ["CUDA_VISIBLE_DEVICES"] = ""  # the tables of the tests are those of machines without a GPU


@pytest.fixture(scope="session", autouse=True)
def frozen() -> Iterator[None]:
    """Exempts the imported frameworks from garbage collection: their millions of objects would slow it down."""
    gc.collect()
    gc.freeze()
    yield
    gc.unfreeze()
