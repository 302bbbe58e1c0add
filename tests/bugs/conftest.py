# SPDX-License-Identifier: MIT
"""Builds the modules that the scenarios import: the generated one, the naive one, and the producer."""

from __future__ import annotations

from pathlib import Path

import pytest

from python import builds
from support.build import SANITIZED, compile_c
from support.shared import build_once

HERE = Path(__file__).resolve().parent
PYTHON = HERE.parent / "python"


@pytest.fixture(scope="session")
def folder(folder: Path) -> Path:
    builds.lab(folder)
    builds.producer(folder)
    under_gil = folder / "under_gil.so"
    build_once(under_gil, lambda: compile_c(["-shared", "-pthread", HERE / "under_gil.c"], under_gil))
    if not SANITIZED:
        naive = folder / f"naive{builds.SUFFIX}"
        sources = [*sorted(HERE.glob("naive*.c")), PYTHON / "probe.c"]
        build_once(naive, lambda: compile_c(["-shared", f"-I{PYTHON}", *sources], naive))
    return folder
