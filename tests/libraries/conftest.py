"""Builds each library once in a session, here or in the fixture of its test file. A failure is reported once."""

from __future__ import annotations

import pytest

from libraries.real import Loader, load
from structs.libraries import Library
from support.build import SANITIZED

# The sanitizers watch this process: what only compiles would only be slow.
collect_ignore = ["test_stubs.py"] if SANITIZED else []


@pytest.fixture(scope="session")
def real(tmp_path_factory: pytest.TempPathFactory) -> Loader:
    """Builds and loads a library by the name of its spec."""
    return lambda name: load(name, tmp_path_factory.mktemp(f"{name}-"))


@pytest.fixture(scope="session")
def gsl(real: Loader) -> Library:
    return real("gsl")


@pytest.fixture(scope="session")
def fftw(real: Loader) -> Library:
    return real("fftw")
