"""The module of these tests, which is built once in a session, and the folder in which a test runs `try`."""

from __future__ import annotations

from pathlib import Path
from types import ModuleType

import pytest

from support.build import CACHE, build_module
from try_.builds import HEADER, SOURCE, SPEC


@pytest.fixture(scope="session")
def sampler(tmp_path_factory: pytest.TempPathFactory) -> ModuleType:
    return build_module("sampler", SPEC, tmp_path_factory.mktemp("sampler"), HEADER, SOURCE)


@pytest.fixture
def try_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Provides an empty folder, which is the working directory. All tests share the compiled runtime."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(CACHE))
    monkeypatch.chdir(tmp_path)
    return tmp_path
