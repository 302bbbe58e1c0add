# SPDX-License-Identifier: MIT
"""Fixtures for the modules of the rows. A row whose cells were not all read has not been tested."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

from protocol.sheets import HERE, Sheets
from python.builds import SUFFIX
from support.build import compile_c, import_extension
from support.shared import build_once


@pytest.fixture(scope="session")
def sheets(folder: Path) -> Sheets:
    return Sheets(folder)


@pytest.fixture(scope="session")
def foreign(folder: Path) -> ModuleType:
    target = folder / f"foreign{SUFFIX}"
    build_once(target, lambda: compile_c(["-shared", HERE / "foreign.c"], target))
    return import_extension("foreign", target)


@pytest.fixture(autouse=True)
def whole_row(request: pytest.FixtureRequest) -> Iterator[None]:
    yield
    row = getattr(request.node, "callspec", None) and request.node.callspec.params.get("row")
    assert row is None or row.unread == set(), "columns that the test did not look at"
