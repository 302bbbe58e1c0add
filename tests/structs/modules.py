"""A fixture for the struct libraries. Each library is built once by each compiler in a run of the tests."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from structs.libraries import COMPILERS, Library, load
from support.build import SANITIZED
from support.shared import run_folder

Loader = Callable[..., Library]
_PREFIXES = {"ipl": "cvx"}


@pytest.fixture(scope="session", params=COMPILERS[:1] if SANITIZED else COMPILERS)
def library(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Loader:
    """Loads a library by its name; with the sanitizers only gcc's, whose runtime is preloaded."""
    loaded: dict[str, Library] = {}

    def loads(name: str) -> Library:
        if name not in loaded:
            directory = run_folder(tmp_path_factory, f"{name}-{request.param}")
            loaded[name] = load(name, request.param, directory, _PREFIXES.get(name))
        return loaded[name]

    return loads
