# SPDX-License-Identifier: MIT
"""Builds the library `cards` with a driver of CUDA: the one of this folder or of the machine (`make test-gpu`)."""

from __future__ import annotations

import ctypes
import os
from collections.abc import Iterator
from datetime import datetime, timezone
from importlib import metadata
from pathlib import Path
from types import ModuleType

import pytest

from support.build import build_module, compile_c

HERE = Path(__file__).parent
DRIVER = os.environ.get("DLB_CUDA_DRIVER")
"""The driver of the machine; None: the driver of this folder, which needs no GPU."""


def pytest_report_header() -> list[str]:
    """Returns the machine of a run on a GPU, for its record."""
    if DRIVER is None:
        return []
    name, version = ctypes.create_string_buffer(128), ctypes.c_int()
    try:
        driver = ctypes.CDLL(DRIVER)
        driver.cuInit(0)
        driver.cuDeviceGetName(name, len(name), 0)
        driver.cuDriverGetVersion(ctypes.byref(version))
    except (OSError, AttributeError) as error:
        return [f"GPU: none ({error})"]
    packages = [each for each in metadata.distributions() if each.name and each.name.startswith(("torch", "cupy"))]
    installed = ", ".join(sorted(f"{each.name} {each.version}" for each in packages)) or "neither PyTorch nor CuPy"
    cuda = f"{version.value // 1000}.{version.value % 1000 // 10}"
    today = f"{datetime.now(timezone.utc):%Y-%m-%d}"
    return [f"GPU: {name.value.decode() or 'none'}; CUDA of the driver: {cuda}; {installed}; date: {today}"]


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
