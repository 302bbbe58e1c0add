# SPDX-License-Identifier: MIT
"""The specs of `specs/` export the arrays that `make init-report` expects of these libraries."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

import pytest

from support.build import TOP

sys.path.append(str(TOP / "gates"))

from init.libraries import Library, load
from init.report import measure


@pytest.mark.parametrize("name", ["cairo", "gdkpixbuf", "gsl"])
def test_specs_written_by_hand_export_the_expected_arrays(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", str(TOP / "generator"))
    (library,) = load([name])
    if not library.is_installed():
        pytest.skip(f"needs {library.package}")

    def copy(_: Library, spec: Path) -> str:
        shutil.copy(TOP / "specs" / f"{name}.yaml", spec)
        return ""

    measured = measure(library, copy)
    assert measured.unedited.problem == ""
    assert {export.name: export.difference for export in measured.unedited.exports} == dict.fromkeys(
        [thing.name for thing in library.objects], ""
    )
