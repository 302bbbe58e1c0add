# SPDX-License-Identifier: MIT
"""The libraries of `make init-report`: each folder is complete, and a wrong expectation is noticed."""

from __future__ import annotations

import re
import shutil
import sys
from dataclasses import replace
from pathlib import Path

import pytest
import yaml

from support.build import TOP

sys.path.append(str(TOP / "gates"))

from init import libraries
from init.libraries import Array, Library, check, load

ALL = load([])

TABLES = Path(__file__).resolve().parent / "tables"


def test_there_are_enough_libraries() -> None:
    assert len(ALL) >= 30
    assert len({library.package for library in ALL}) >= 30


@pytest.mark.parametrize("library", ALL, ids=lambda library: str(library.name))
def test_each_folder_is_complete(library: Library) -> None:
    source = (library.folder / "objects.c").read_text()
    assert f"#include <{library.header}>" in source
    assert library.package.endswith("-dev")
    for thing in library.objects:
        assert thing.doc.endswith(".")
        for function in (f"new_{thing.new}", f"first_{thing.read}", f"at_{thing.read}"):
            assert re.search(rf"\b{function}\(", source), f"{library.name}/objects.c has no {function}()"
        for array in thing.expected:
            assert array.dtype in libraries.C_TYPES
            assert len(array.shape) == len(array.strides)


def test_most_objects_tell_their_axes_apart() -> None:
    shapes = [array.shape for library in ALL for thing in library.objects for array in thing.expected[:1]]
    assert all(len(set(shape)) > 1 for shape in shapes if len(shape) > 1 and shape not in {(3, 3), (11, 11), (2, 2, 3)})
    assert all(1 not in shape for shape in shapes)


def changed(folder: Path, monkeypatch: pytest.MonkeyPatch, old: str = "", new: str = "") -> Library:
    """Returns the library of `tables/`, with another word in its expectations."""
    shutil.copytree(TABLES, folder / "tables")
    description = folder / "tables" / "library.yaml"
    assert old in description.read_text()
    description.write_text(description.read_text().replace(old, new, 1))
    monkeypatch.setattr(libraries, "LIBRARIES", folder)
    return load([])[0]


def test_a_right_expectation_passes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert check(changed(tmp_path, monkeypatch)) == ""


def test_a_wrong_value_is_noticed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert "part[1, 2]: other element" in check(changed(tmp_path, monkeypatch, "22, 23]", "22, 24]"))


def test_wrong_strides_are_noticed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert "part[1, 0] of array 0: other memory" in check(changed(tmp_path, monkeypatch, "[4, 1]", "[3, 1]"))


def test_the_transposed_array_is_another_expectation(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first, second = changed(tmp_path, monkeypatch).objects[0].expected
    assert second == Array("int16", (3, 2), (1, 4), (11, 21, 12, 22, 13, 23), readonly=False)
    assert second.reversed() == first


def test_strides_of_single_elements_have_no_meaning() -> None:
    row = Array("int16", (1, 3), (3, 1), (1, 2, 3), readonly=False)
    assert row.equals(replace(row, strides=(7, 1)))
    assert not row.equals(replace(row, strides=(3, 2)))
    assert not row.equals(replace(row, dtype="uint16"))
    assert not row.equals(replace(row, readonly=True))


def test_values_without_the_shape_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(ValueError, match="do not have the shape"):
        changed(tmp_path, monkeypatch, ", 23]", "]")


def test_an_unknown_key_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(ValueError, match=r"unknown keys \['stride'\]"):
        changed(tmp_path, monkeypatch, "strides:", "stride:")


@pytest.mark.parametrize("library", ALL, ids=lambda library: str(library.name))
def test_edits_begin_with_a_section_of_a_spec(library: Library) -> None:
    path = library.folder / "edits.yaml"
    for edit in yaml.safe_load(path.read_text()) if path.is_file() else []:
        assert set(edit) in ({"at", "to"}, {"remove"})
        assert (edit.get("at") or edit["remove"])[0] in {"tensors", "handles", "functions"}
