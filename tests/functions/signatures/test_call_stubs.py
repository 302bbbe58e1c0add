"""The stubs of these modules agree with the modules, by mypy's stubtest."""

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


USES = """\
import things
import calls

store = things.Store()
store.label = None
store.label = "a"
store.title = "a"
store.title = None  # refused
store.mood = things.Mood.CALM
store.mood = "CALM"
store.mood = 1
store.mood = 1.5  # refused
store.value = "1"  # refused
calls.not_true(True)
"""


def test_stubs_accept_the_arguments_that_the_modules_accept(
    things: ModuleType, calls: ModuleType, calls_folder: Path
) -> None:
    """Checks the stubs with mypy, too."""
    (calls_folder / "uses.py").write_text(USES)
    result = subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", "--no-incremental", "uses.py"],
        cwd=calls_folder,
        capture_output=True,
        text=True,
        check=False,
    )
    refused = [int(line.split(":")[1]) for line in result.stdout.splitlines() if ": error:" in line]
    assert refused == [number for number, line in enumerate(USES.splitlines(), 1) if "refused" in line], result.stdout
    with pytest.raises(TypeError):
        things.Store().title = None


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
