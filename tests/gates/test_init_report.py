# SPDX-License-Identifier: MIT
"""`make init-report`: how it counts, with a library of its own and specs that stand for those of `init`."""

from __future__ import annotations

import shutil
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from support.build import TOP

sys.path.append(str(TOP / "gates"))

from init import libraries
from init.exports import Export
from init.libraries import Library, load
from init.report import Init, Measurement, SpecResult, apply_edits, count_edits, figures, measure, page

RIGHT = """
dlpack-bindgen: 1
module: tables
include: [<tables.h>]
tensors:
  Table:
    type: struct table
    data: self->first
    dtype: int16
    shape: [self->rows, self->columns]
    strides: {outer: self->row_length}
"""
WRONG = RIGHT.replace("    strides: {outer: self->row_length}\n", "")
EDITS = """
- at: [tensors, Table, strides]
  to: {outer: self->row_length}
"""


@pytest.fixture
def tables(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Library:
    folder = tmp_path / "libraries"
    shutil.copytree(Path(__file__).resolve().parent / "tables", folder / "tables")
    monkeypatch.setattr(libraries, "LIBRARIES", folder)
    monkeypatch.setenv("PYTHONPATH", str(TOP / "generator"))
    return replace(load([])[0], cflags=(f"-I{folder / 'tables'}",))


def writes(spec: str) -> Init:
    """Returns a command `init` that writes this spec."""

    def init(_: Library, path: Path) -> str:
        path.write_text(spec)
        return ""

    return init


def test_right_exports_need_no_edits(tables: Library) -> None:
    measured = measure(tables, writes(RIGHT))
    assert measured.unedited.problem == ""
    assert [(export.name, export.difference) for export in measured.unedited.exports] == [("part", ""), ("whole", "")]
    assert measured.edits == 0


def test_a_wrong_export_is_shown_and_another_is_right(tables: Library) -> None:
    measured = measure(tables, writes(WRONG))
    assert [(export.name, export.difference) for export in measured.unedited.exports] == [
        ("part", "strides [3, 1] instead of [4, 1]"),
        ("whole", ""),
    ]
    assert measured.edits == 0
    assert "| tables | part | strides [3, 1] instead of [4, 1] |" in page([measured], [])


def test_edits_to_the_first_right_export_are_counted(tables: Library) -> None:
    part = replace(tables, objects=tables.objects[:1])
    assert measure(part, writes(WRONG)).edits is None
    (tables.folder / "edits.yaml").write_text(EDITS)
    assert measure(part, writes(WRONG)).edits == 1


def test_edits_that_do_not_help_do_not_count(tables: Library) -> None:
    part = replace(tables, objects=tables.objects[:1])
    (tables.folder / "edits.yaml").write_text(EDITS.replace("self->row_length", "self->rows"))
    assert measure(part, writes(WRONG)).edits is None
    (tables.folder / "edits.yaml").write_text("- remove: [tensors, Other]\n")
    assert measure(part, writes(WRONG)).edits is None


@pytest.mark.parametrize(
    ("spec", "problem"),
    [
        (RIGHT.replace("shape:", "shap:"), "generate: "),
        (RIGHT.replace("self->first", "self->frist"), "compile: "),
    ],
    ids=["generate", "compile"],
)
def test_a_spec_with_an_error_has_no_exports(tables: Library, spec: str, problem: str) -> None:
    measured = measure(tables, writes(spec))
    assert measured.unedited.problem.startswith(problem)
    assert measured.unedited.exports == ()
    assert measured.edits is None


def test_a_spec_without_the_type_is_not_right(tables: Library) -> None:
    other = RIGHT.replace("struct table", "struct row").replace("self->rows, self->columns", "3")
    other = other.replace("    strides: {outer: self->row_length}\n", "")
    exports = measure(tables, writes(other)).unedited.exports
    assert {export.difference for export in exports} == {"no class of the type struct table"}


def test_figures_count_libraries_and_arrays(tables: Library) -> None:
    right, wrong = Export("part", ""), Export("whole", "no class of the type struct table")
    measured = [
        Measurement(tables, 0.5, SpecResult("", (right, right)), 0),
        Measurement(tables, 0.5, SpecResult("", (right, wrong)), 0),
        Measurement(tables, 0.5, SpecResult("", (wrong, wrong)), 6),
        Measurement(tables, 2.5, SpecResult("init: no such header"), None),
        Measurement(replace(tables, objects=()), 0.5, SpecResult(""), None),
    ]
    assert [row[1] for row in figures(measured)] == [
        "4 of 5 (80 %)",
        "1 of 4 (25 %)",
        "2 of 4 (50 %)",
        "3 of 8 (37 %)",
        "2 of 4 (50 %)",
        "1 of 4 (25 %)",
        "2.5 s",
    ]
    assert "| tables | all | init: no such header |" in page(measured, [])


def test_a_library_that_is_not_installed_is_named(tables: Library) -> None:
    missing = replace(tables, header="no/such.h")
    assert tables.is_installed()
    assert not missing.is_installed()
    assert "Not installed, and not counted: tables (`tables-dev`)." in page([], [missing])


def test_an_edit_is_a_key_that_is_added_changed_or_removed() -> None:
    assert count_edits([{"at": ["a"], "to": 1}, {"remove": ["b"]}]) == 2
    assert count_edits([{"at": ["a"], "to": {"x": 1, "y": {"z": 2, "w": [1, 2]}}}]) == 3
    assert count_edits([{"at": ["a"], "to": [{"x": 1, "y": 2}, {"z": 3}]}]) == 3
    assert count_edits([{"at": ["a"], "to": {}}]) == 1


def test_edits_change_a_spec() -> None:
    spec = {"tensors": {"A": {"dtype": "int8"}, "B": {}}, "require": ["x", "y"]}
    apply_edits(
        spec,
        [
            {"at": ["tensors", "A", "dtype"], "to": "int16"},
            {"at": ["tensors", "C", "type"], "to": "t"},
            {"remove": ["tensors", "B"]},
            {"at": ["require", 1], "to": "z"},
        ],
    )
    assert spec == {"tensors": {"A": {"dtype": "int16"}, "C": {"type": "t"}}, "require": ["x", "z"]}
