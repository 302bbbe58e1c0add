# SPDX-License-Identifier: MIT
"""What the scenarios import: our module, the naive one, and the producer of the other tests."""

from __future__ import annotations

from pathlib import Path

import pytest

from python import builds
from support.build import SANITIZED, compile_c

HERE = Path(__file__).resolve().parent
PYTHON = HERE.parent / "python"


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("bugs")
    builds.lab(made)
    builds.producer(made)
    compile_c(["-shared", "-pthread", HERE / "under_gil.c"], made / "under_gil.so")
    if not SANITIZED:
        sources = [*sorted(HERE.glob("naive*.c")), PYTHON / "probe.c"]
        compile_c(["-shared", f"-I{PYTHON}", *sources], made / f"naive{builds.SUFFIX}")
    return made
