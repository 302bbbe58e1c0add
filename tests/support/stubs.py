"""Compares the stub of a module with the module, with mypy's stubtest."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path

import pytest

# Before Python 3.12 the buffer protocol has no name at run time; checkers need it all the same.
_ALLOWED = "" if sys.version_info >= (3, 12) else r".*\.__buffer__" + "\n"


def check_stubs(modules: Mapping[str, Path], directory: Path, allowed: Iterable[str] = ()) -> None:
    """Checks the stubs beside extensions with mypy, or skips the test if mypy is not installed.

    `modules` gives the path of each extension by its name. `allowed` has regular expressions of names that do not exist
    at run time, for reasons that no stub can know."""
    pytest.importorskip("mypy")
    folders = os.pathsep.join(str(path.parent) for path in modules.values())
    listed = directory / "allowed"
    listed.write_text(_ALLOWED + "".join(f"{each}\n" for each in allowed))
    result = subprocess.run(
        [sys.executable, "-m", "mypy.stubtest", *modules, "--allowlist", str(listed), "--ignore-unused-allowlist"],
        env={**os.environ, "PYTHONPATH": folders, "MYPYPATH": folders},
        cwd=directory,
        capture_output=True,
        text=True,
        check=False,
    )
    assert result.returncode == 0, result.stdout + result.stderr
