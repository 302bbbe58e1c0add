# SPDX-License-Identifier: MIT
"""`make house`: what it counts, with a tree, a commit and a spec of its own."""

from __future__ import annotations

import subprocess
import sys
from itertools import pairwise
from pathlib import Path

import pytest

from support.build import TOP

sys.path.append(str(TOP / "gates" / "house"))

from measure import changed_files, package_of, path_of_value, sizes, strings_in

SPEC = """
dlpack-bindgen: 1
module: rows
include: rows.h
tensors:
  Rows:
    type: rows_t
    data: self->first
    dtype: uint8
    shape: [self->height, self->width]
    strides: {outer: self->rare_pitch, unit: bytes}
    release: rows_free(self)
"""


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """Makes a product with a module in a folder, a module beside it, a template and a file of the runtime."""
    for name, text in (
        ("generator/dlpack_bindgen/cli.py", "import os\n"),
        ("generator/dlpack_bindgen/text/names.py", "from os import path\n\n\nA = 1\n"),
        ("generator/dlpack_bindgen/text/__init__.py", "\n"),
        ("templates/types.c.j2", "{{ name }}\n"),
        ("runtime/dlb.c", "int a;\n"),
        ("docs/page.md", "A page.\n"),
    ):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    return tmp_path


def commit(tree: Path) -> None:
    author = ("-c", "user.name=a", "-c", "user.email=a@b.c")
    subprocess.run(["git", "add", "."], cwd=tree, check=True)
    subprocess.run(["git", *author, "commit", "-q", "-m", "a"], cwd=tree, check=True)


@pytest.mark.parametrize(
    ("file", "package"),
    [
        ("generator/dlpack_bindgen/tools/init/header.py", "tools"),
        ("text/names.py", "text"),
        ("generator/dlpack_bindgen/cli.py", "(top)"),
        ("runtime/call/call.h", "runtime"),
    ],
)
def test_the_package_of_a_file_is_its_first_folder(file: str, package: str) -> None:
    assert package_of(file) == package


def test_a_change_counts_product_files_only(tree: Path) -> None:
    subprocess.run(["git", "init", "-q"], cwd=tree, check=True)
    commit(tree)
    for name in ("generator/dlpack_bindgen/text/names.py", "generator/dlpack_bindgen/text/__init__.py", "docs/page.md"):
        (tree / name).write_text("B = 2\n")
    (tree / "runtime/dlb.c").write_text("int a;\nint b;\n")
    commit(tree)
    assert changed_files("HEAD^..HEAD", tree) == [
        ("1", "4", "generator/dlpack_bindgen/text/names.py"),
        ("1", "0", "runtime/dlb.c"),
    ]


def test_sizes_are_counted_for_each_package(tree: Path) -> None:
    found = {package: dict(counts) for package, counts in sizes(tree).items()}
    assert found == {
        "(top)": {"files": 1, "lines": 1, "empty": 0, "imports": 1},
        "text": {"files": 2, "lines": 5, "empty": 3, "imports": 1},
        "templates": {"files": 1, "lines": 1, "empty": 0, "imports": 0},
    }


def test_strings_of_a_record_are_found() -> None:
    class Record:
        def __init__(self) -> None:
            self.text, self.name = "a", "not searched"

    assert list(strings_in(["b", Record()])) == ["b", "a"]


def test_the_path_of_a_value_is_a_list_of_files_without_repetitions(tmp_path: Path) -> None:
    (tmp_path / "rows.yaml").write_text(SPEC)
    path = path_of_value(tmp_path / "rows.yaml", "rare_pitch")
    assert any(file.startswith("text/") for file in path.files)
    assert all(one != other for one, other in pairwise(path.files))
    rest = path.without("text")
    assert set(rest) == {file for file in path.files if not file.startswith("text/")}
    assert all(one != other for one, other in pairwise(rest))


def test_a_wrong_spec_has_no_path(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "rows.yaml").write_text("module: rows\n")
    with pytest.raises(SystemExit) as caught:
        path_of_value(tmp_path / "rows.yaml", "rows")
    assert caught.value.code == 1
    assert "a spec needs" in capsys.readouterr().err
