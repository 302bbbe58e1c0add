# SPDX-License-Identifier: MIT
"""The libraries of `make init-report`: each folder is complete, and a wrong expectation is noticed."""

from __future__ import annotations

import re
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from support.build import TOP

sys.path.append(str(TOP / "gates"))

from init import libraries
from init.libraries import Array, Library, check, load

ALL = load([])

OBJECTS = """
#include <stddef.h>
static struct table { int rows, columns, pitch; short *first; } the_table;
struct table *new_part(void)
{
    static short numbers[] = {11, 12, 13, 0, 21, 22, 23, 0};
    the_table = (struct table){2, 3, 4, numbers};
    return &the_table;
}
const void *first_part(struct table *t) { return t->first; }
double at_part(struct table *t, const size_t *at) { return t->first[at[0] * (size_t)t->pitch + at[1]]; }
"""
LIBRARY = """
library: Tables
package: none
header: stddef.h
objects:
  part:
    doc: A table whose rows are 4 elements apart.
    type: struct table
    dtype: int16
    shape: [2, 3]
    strides: [STRIDE, 1]
    either_order: true
    values: [[11, 12, 13], [21, 22, LAST]]
"""


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


def written(folder: Path, monkeypatch: pytest.MonkeyPatch, *, stride: int = 4, last: int = 23) -> Library:
    (folder / "tables").mkdir()
    (folder / "tables" / "library.yaml").write_text(LIBRARY.replace("STRIDE", str(stride)).replace("LAST", str(last)))
    (folder / "tables" / "objects.c").write_text(OBJECTS)
    monkeypatch.setattr(libraries, "LIBRARIES", folder)
    return load([])[0]


def test_a_right_expectation_passes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert check(written(tmp_path, monkeypatch)) == ""


def test_a_wrong_value_is_noticed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert "part[1, 2]: other element" in check(written(tmp_path, monkeypatch, last=24))


def test_wrong_strides_are_noticed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert "part[1, 0] of array 0: other memory" in check(written(tmp_path, monkeypatch, stride=3))


def test_the_transposed_array_is_another_expectation(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first, second = written(tmp_path, monkeypatch).objects[0].expected
    assert second == Array("int16", (3, 2), (1, 4), (11, 21, 12, 22, 13, 23), readonly=False)
    assert second.reversed() == first


def test_strides_of_single_elements_have_no_meaning() -> None:
    row = Array("int16", (1, 3), (3, 1), (1, 2, 3), readonly=False)
    assert row.equals(replace(row, strides=(7, 1)))
    assert not row.equals(replace(row, strides=(3, 2)))
    assert not row.equals(replace(row, dtype="uint16"))
    assert not row.equals(replace(row, readonly=True))


def test_values_without_the_shape_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "tables").mkdir()
    wrong = LIBRARY.replace("STRIDE", "4").replace(", LAST", "")
    (tmp_path / "tables" / "library.yaml").write_text(wrong)
    monkeypatch.setattr(libraries, "LIBRARIES", tmp_path)
    with pytest.raises(ValueError, match="do not have the shape"):
        load([])
