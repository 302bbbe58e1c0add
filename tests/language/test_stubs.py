"""The stub of a module says what the module is, by mypy's stubtest."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from language.conftest import Loader
from language.libraries import NAMES

pytest.importorskip("mypy")
# Before Python 3.12 the buffer protocol has no name at run time; checkers need it all the same.
ALLOWED = "" if sys.version_info >= (3, 12) else r".*\.__buffer__" + "\n"


@pytest.mark.parametrize("library", ["gcc"], indirect=True)
def test_stubs_agree_with_the_modules(library: Loader, tmp_path: Path) -> None:
    folders = os.pathsep.join(str(library(name).path.parent) for name in NAMES)
    allowed = tmp_path / "allowed"
    allowed.write_text(ALLOWED)
    result = subprocess.run(
        [sys.executable, "-m", "mypy.stubtest", *NAMES, "--allowlist", str(allowed)],
        env={**os.environ, "PYTHONPATH": folders, "MYPYPATH": folders},
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert result.returncode == 0, result.stdout + result.stderr
