"""Bad specs: the first lines of each `tests/*/*/bad/*.yaml` list its diagnostics."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from pathlib import Path
from typing import get_args

import pytest

from dlpack_bindgen.command.check import load, validate
from dlpack_bindgen.diagnostics import Code, Diagnostic
from support.specs import find_bad_specs

BAD = find_bad_specs()
_HEADER = re.compile(rb"# (?P<what>expect|hint|with): (?P<text>.*)")


@dataclass(frozen=True)
class Expected:
    line: int
    column: int
    code: str
    hint: str | None = None


def _header(path: Path) -> tuple[list[Expected], list[Path]]:
    """What stands first in a bad spec.

    `# with: FILE` names a spec that is checked with it, `# expect: LINE:COLUMN CODE` a diagnostic; `# hint: TEXT`
    belongs to the line before.
    """
    expected: list[Expected] = []
    companions: list[Path] = []
    for raw in path.read_bytes().splitlines():
        match = _HEADER.fullmatch(raw)
        if match is None:
            break
        text = match["text"].decode()
        if match["what"] == b"with":
            companions.append(path.parent / "with" / text)
        elif match["what"] == b"hint":
            expected[-1] = replace(expected[-1], hint=text)
        else:
            place, code = text.split()
            line, column = place.split(":")
            expected.append(Expected(int(line), int(column), code))
    return expected, companions


def _summary(diagnostic: Diagnostic) -> Expected:
    return Expected(diagnostic.span.line, diagnostic.span.column, diagnostic.code, diagnostic.hint)


@pytest.mark.parametrize("path", BAD, ids=lambda path: path.stem)
def test_a_bad_spec_gets_exactly_its_diagnostics(path: Path) -> None:
    expected, companions = _header(path)
    assert expected, "the file does not begin with '# expect: LINE:COLUMN CODE'"
    specs, diagnostics = validate([load(file.name, file.read_bytes()) for file in (*companions, path)])
    assert {diagnostic.span.file for diagnostic in diagnostics} == {path.name}
    found = [_summary(diagnostic) for diagnostic in diagnostics]
    assert [replace(entry, hint=None) for entry in found] == [replace(entry, hint=None) for entry in expected]
    for diagnostic, entry in zip(found, expected, strict=True):
        assert (entry.hint is None) == (diagnostic.hint is None)
        assert (entry.hint or "") in (diagnostic.hint or "")
    assert [spec.file for spec in specs] == [companion.name for companion in companions]


def test_every_code_has_a_bad_spec_that_is_named_after_it() -> None:
    assert len({path.stem for path in BAD}) == len(BAD)
    shown = {code for path in BAD for code in _codes_of(path)}
    # Large files are better made than kept: test_load.py and test_variants.py do.
    assert sorted(set(get_args(Code)) - shown) == ["file-too-large", "variants-too-large"]


def _codes_of(path: Path) -> list[str]:
    return [
        entry.code for entry in _header(path)[0] if path.stem == entry.code or path.stem.startswith(f"{entry.code}-")
    ]
