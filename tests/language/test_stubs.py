"""The stub of a module says what the module is, by mypy's stubtest."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from dlpack_bindgen.load import load
from dlpack_bindgen.names import snake
from dlpack_bindgen.validate import validate
from language.conftest import Loader
from language.libraries import NAMES, spec_of

pytest.importorskip("mypy")
# Before Python 3.12 the buffer protocol has no name at run time; checkers need it all the same.
ALLOWED = "" if sys.version_info >= (3, 12) else r".*\.__buffer__" + "\n"


def conditional(name: str) -> str:
    """What the C compiler may have left out, which a stub cannot know."""
    specs, _ = validate([load(f"{name}.yaml", spec_of(name).encode())])
    classes = [each.name for spec in specs for each in (*spec.tensors, *spec.handles) if each.condition is not None]
    return "".join(rf"{name}\.(.*\.)?({each}|{snake(each)})(\..*)?" + "\n" for each in classes)


@pytest.mark.parametrize("library", ["gcc"], indirect=True)
def test_stubs_agree_with_the_modules(library: Loader, tmp_path: Path) -> None:
    folders = os.pathsep.join(str(library(name).path.parent) for name in NAMES)
    allowed = tmp_path / "allowed"
    allowed.write_text(ALLOWED + "".join(map(conditional, NAMES)))
    result = subprocess.run(
        [sys.executable, "-m", "mypy.stubtest", *NAMES, "--allowlist", str(allowed), "--ignore-unused-allowlist"],
        env={**os.environ, "PYTHONPATH": folders, "MYPYPATH": folders},
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert result.returncode == 0, result.stdout + result.stderr
