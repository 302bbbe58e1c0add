"""A wheel of the limited API for an old Linux, checked by two auditors."""

from __future__ import annotations

import os
import re
import sys
from pathlib import Path

import pytest

from builds.conftest import need, run
from builds.listings import commands
from builds.test_packages import TRIAL, Package, environment

__all__ = ["environment"]


@pytest.fixture(scope="module")
def wheel(environment: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Builds the wheel of the recipe for setuptools, with the changes in docs/packaging.md, for an old glibc."""
    if sys.version_info < (3, 11):
        pytest.skip("the limited API has buffers since 3.11")
    zig = need("ziglang")
    [listing] = commands("packaging", "Old Linux systems")
    [compiler] = re.findall(r'^CC="(.*?)" pip wheel \.$', listing, re.MULTILINE)
    folder = tmp_path_factory.mktemp("limited")
    package = Package("setuptools", folder / "project", environment)
    recipe = (package.folder / "setup.py").read_text()
    limited = '["clip.c"], py_limited_api=True, define_macros=[("Py_LIMITED_API", "0x030B0000")])'
    recipe = recipe.replace('["clip.c"])', limited)
    recipe = recipe.replace("setup(\n", 'setup(\n    options={"bdist_wheel": {"py_limited_api": "cp311"}},\n', 1)
    (package.folder / "setup.py").write_text(recipe)
    command = [package.python, "-m", "pip", "wheel", ".", "-w", str(folder), "--no-deps", "--no-build-isolation"]
    path = f"{package.path}:{zig}"
    run(command, package.folder, path, CC=compiler, ZIG_LOCAL_CACHE_DIR="zig", ZIG_GLOBAL_CACHE_DIR=str(folder))
    [made] = folder.glob("*.whl")
    return made


def test_the_wheel_is_for_all_pythons_from_3_11_on(wheel: Path) -> None:
    assert "-cp311-abi3-" in wheel.name


def test_the_wheel_uses_only_the_limited_api(wheel: Path) -> None:
    need("abi3audit")
    run([sys.executable, "-m", "abi3audit", "--strict", str(wheel)], wheel.parent, os.environ["PATH"])


def test_the_wheel_fits_manylinux_2_17(wheel: Path) -> None:
    need("auditwheel")
    shown = run([sys.executable, "-m", "auditwheel", "show", str(wheel)], wheel.parent, os.environ["PATH"])
    assert 'manylinux_2_17_x86_64"' in " ".join(shown.split())


def test_the_wheel_works_in_an_environment(wheel: Path, environment: Path, tmp_path: Path) -> None:
    python = environment / "python"
    target = ["--no-deps", "--target", str(tmp_path / "installed")]
    run([python, "-m", "pip", "install", "--quiet", str(wheel), *target], tmp_path, os.environ["PATH"])
    code = f"import sys; sys.path.insert(0, {str(tmp_path / 'installed')!r})\n{TRIAL}"
    path, values = run([python, "-c", code], tmp_path, os.environ["PATH"]).splitlines()
    assert path.endswith("sound.abi3.so")
    assert values == "[0.0, 0.0, 0.0]"
