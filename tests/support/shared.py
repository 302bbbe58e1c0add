"""Files that all processes of a run of pytest share, so that each module is compiled once."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Callable
from pathlib import Path

import pytest


def run_folder(factory: pytest.TempPathFactory, name: str) -> Path:
    """Returns a temporary folder of the whole run. pytest-xdist gives each process a folder below that of the run."""
    base = factory.getbasetemp()
    folder = (base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / name
    folder.mkdir(exist_ok=True)
    return folder


def build_once(path: Path, build: Callable[[], object]) -> Path:
    """Calls `build`, which makes the file `path`, unless a process of this run has done so. Returns the path."""
    with path.with_suffix(".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not path.exists():
            build()
    return path
