"""A machine without Python: commands that find a C compiler and the tools of one build system, and nothing else."""

from __future__ import annotations

import shlex
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

BASIC = "sh cc gcc as ld ar ranlib nm strip make pkg-config cat cp rm mkdir ln uname env sed grep qemu-aarch64 qemu-arm"
"""Commands of a machine with a C compiler. QEMU runs the programs for other processors."""


def need(module: str) -> Path:
    """Returns the folder of a package that has a build tool; without the package, the test is skipped."""
    return Path(str(pytest.importorskip(module).__file__)).parent


def run(command: Sequence[str | Path], folder: Path, path: str, **variables: str) -> str:
    """Runs a command with this PATH and no other variable than those given. Returns what it prints."""
    environment = {"PATH": path, "HOME": str(folder.parent), "LC_ALL": "C", **variables}
    done = subprocess.run(
        command, cwd=folder, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False
    )
    assert done.returncode == 0, f"{shlex.join(map(str, command))}\n{done.stdout}"
    return done.stdout


@pytest.fixture(scope="session", autouse=True)
def _installed() -> None:
    """Skips all tests of this folder without the packages of `make builds`: most need them, and the others are slow."""
    need("mesonbuild")


@pytest.fixture(scope="session")
def bare(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Makes a folder for PATH with the basic commands."""
    folder = tmp_path_factory.mktemp("bare")
    for name in BASIC.split():
        found = shutil.which(name)
        if found is not None:
            (folder / name).symlink_to(found)
    return folder


def real_binary(package: str, *places: str) -> Path:
    """Returns the program inside a package whose command is a script of Python."""
    folder = need(package)
    candidates = [*(folder / place for place in places), Path(sys.executable).parent / package]
    return next(path for path in candidates if path.is_file())
