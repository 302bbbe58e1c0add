# SPDX-License-Identifier: MIT
"""The library `cards` with a driver of CUDA: that of this folder, or that of the machine (`make test-gpu`)."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

from support.build import build_module, compile_c

HERE = Path(__file__).parent
DRIVER = os.environ.get("DLB_CUDA_DRIVER")
"""The driver of the machine; None: the driver of this folder, which needs no GPU."""


@pytest.fixture(scope="session")
def loaded(tmp_path_factory: pytest.TempPathFactory) -> ModuleType:
    folder = tmp_path_factory.mktemp("cards")
    if DRIVER is None:
        compile_c(["-shared", HERE / "driver.c"], folder / "driver.so")
    spec, header, source = ((HERE / f"cards.{suffix}").read_text(encoding="utf-8") for suffix in ("yaml", "h", "c"))
    module = build_module("cards", spec, folder, header, source)
    problem = module.open(DRIVER or str(folder / "driver.so"))
    if problem:
        pytest.skip(f"{problem} ({DRIVER})")
    return module


@pytest.fixture
def cards(loaded: ModuleType) -> Iterator[ModuleType]:
    loaded.clear()
    yield loaded
