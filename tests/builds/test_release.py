"""`make release`: the sdist is the project, and a tree that is not ready is refused."""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
import tarfile
from pathlib import Path
from types import ModuleType

import pytest

from builds.conftest import run
from dlpack_bindgen import __version__
from support.build import TOP


@pytest.fixture(scope="module")
def release() -> ModuleType:
    spec = importlib.util.spec_from_file_location("release", TOP / "release" / "release.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


CHANGES = """\
# Changes

## 0.3.0 (not released)

New.

## 0.2.0 (2026-12-01)

Old.

### More

## 0.1.0 (2026-01-01)
"""


def test_the_notes_are_the_section_of_the_version(release: ModuleType) -> None:
    assert release.notes_of(CHANGES, "0.2.0") == "Old.\n\n### More\n"


@pytest.mark.parametrize(
    ("version", "message"),
    [
        ("0.3.0", "CHANGELOG.md says '0.3.0 (not released)': replace the words in brackets by the date"),
        ("0.4.0", "CHANGELOG.md has no section '## 0.4.0 (DATE)'"),
    ],
)
def test_a_version_without_a_date_is_refused(release: ModuleType, version: str, message: str) -> None:
    with pytest.raises(SystemExit) as refused:
        release.notes_of(CHANGES, version)
    assert str(refused.value) == message


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    def git(*words: str) -> None:
        subprocess.run(["git", "-c", "user.name=x", "-c", "user.email=x@x", *words], cwd=tmp_path, check=True)

    git("init", "--quiet")
    (tmp_path / "file").write_text("")
    git("add", "file")
    git("commit", "--quiet", "-m", "first")
    git("tag", "v0.2.0")
    return tmp_path


def test_a_changed_tree_is_refused(release: ModuleType, repository: Path) -> None:
    release.check_tree("0.3.0", repository)
    (repository / "file").write_text("changed")
    with pytest.raises(SystemExit, match="commit these changes first:\n M file"):
        release.check_tree("0.3.0", repository)


def test_a_version_with_a_tag_is_refused(release: ModuleType, repository: Path) -> None:
    with pytest.raises(SystemExit, match=r"there is a tag v0\.2\.0: increase __version__"):
        release.check_tree("0.2.0", repository)


def test_the_change_log_has_the_version(release: ModuleType) -> None:
    assert f"## {__version__} (" in (TOP / "CHANGELOG.md").read_text(encoding="utf-8")
    assert release.version_of((TOP / "generator" / "dlpack_bindgen" / "__init__.py").read_text()) == __version__


def test_the_source_distribution_is_the_project(tmp_path: Path) -> None:
    run([sys.executable, "-m", "hatchling", "build", "-t", "sdist", "-d", str(tmp_path)], TOP, os.environ["PATH"])
    [archive] = tmp_path.glob("*.tar.gz")
    with tarfile.open(archive) as opened:
        names = {name.partition("/")[2] for name in opened.getnames()}
    listed = run(["git", "ls-files"], TOP, os.environ["PATH"]).splitlines()
    left_out = {name for name in listed if name not in names and not name.startswith((".github/", ".ci/"))}
    assert left_out == set()
    assert not any(name.endswith("dlpack/dlpack.h") for name in names)
