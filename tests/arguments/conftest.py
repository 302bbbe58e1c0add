"""A module that several folders use: buffers with any fields."""

from __future__ import annotations

from pathlib import Path
from types import ModuleType

import pytest

from support.build import compile_c, import_extension


@pytest.fixture(scope="session")
def claims(tmp_path_factory: pytest.TempPathFactory) -> ModuleType:
    """Returns the module of array/claims.c."""
    path = tmp_path_factory.mktemp("claims") / "claims.so"
    source = Path(__file__).resolve().parent / "array" / "claims.c"
    compile_c(["-shared", "-Wno-missing-field-initializers", source], path)
    return import_extension("claims", path)
