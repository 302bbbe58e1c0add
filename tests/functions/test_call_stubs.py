"""The stubs of these modules say what the modules are, by mypy's stubtest."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

pytest.importorskip("mypy")
ALLOWED = [
    *([] if sys.version_info >= (3, 12) else [r".*\.__buffer__"]),  # which has no name at run time before
    r"calls\.absent",  # the preprocessor leaves them out
    r"calls\.chosen",  # this one it chooses
    r"things\.Store\.absent",
]


def test_stubs_agree_with_the_modules(
    calls: ModuleType, outcomes: ModuleType, things: ModuleType, calls_folder: Path, tmp_path: Path
) -> None:
    allowed = tmp_path / "allowed"
    allowed.write_text("\n".join(ALLOWED))
    names = [module.__name__ for module in (calls, outcomes, things)]
    result = subprocess.run(
        [sys.executable, "-m", "mypy.stubtest", *names, "--allowlist", str(allowed)],
        env={**os.environ, "PYTHONPATH": str(calls_folder), "MYPYPATH": str(calls_folder)},
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert result.returncode == 0, result.stdout + result.stderr
