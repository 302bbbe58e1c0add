"""Bad specs: the first lines of each `tests/*/*/bad/*.yaml` list its diagnostics.

The checks find them without advice, too: it adds hints, and finds further mistakes behind a probable correction."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import get_args

import pytest

from dlpack_bindgen.advice.advisor import GuessingAdvisor
from dlpack_bindgen.advisor import Advisor, Mend
from dlpack_bindgen.command.headers import headers_of
from dlpack_bindgen.diagnostics import Code, Diagnostic, Span
from dlpack_bindgen.load.load import load
from dlpack_bindgen.spec.spec import Spec
from dlpack_bindgen.validate.validate import validate
from support.specs import Expected, find_bad_specs, header_of

BAD = find_bad_specs()


class Corrector(GuessingAdvisor):
    """An advisor that remembers whether it has corrected anything, so that the checks have read something else."""

    def __init__(self) -> None:
        super().__init__()
        self.has_corrected = False

    def meant_key(self, key: str, known: Sequence[str]) -> str | None:
        found = super().meant_key(key, known)
        self.has_corrected |= found is not None
        return found

    def mends(self, problems: Sequence[Diagnostic], lines: Sequence[str]) -> list[Mend] | None:
        found = super().mends(problems, lines)
        self.has_corrected |= bool(found)
        return found


def check(files: Sequence[Path], advisor: Advisor) -> tuple[list[Spec], list[Diagnostic]]:
    """Validates specs together, with the headers in the folder of the last one."""
    loaded = [load(file.name, file.read_bytes(), lambda: advisor) for file in files]
    return validate(loaded, lambda: advisor, headers_of(str(files[-1].parent)))


def _summary(diagnostic: Diagnostic) -> Expected:
    return Expected(diagnostic.span.line, diagnostic.span.column, diagnostic.code, diagnostic.hint)


def _messages(diagnostics: Sequence[Diagnostic]) -> list[tuple[Span, str, str]]:
    return [(diagnostic.span, diagnostic.code, diagnostic.message) for diagnostic in diagnostics]


@pytest.mark.parametrize("path", BAD, ids=lambda path: path.stem)
def test_a_bad_spec_gets_exactly_its_diagnostics(path: Path) -> None:
    expected, companions = header_of(path)
    assert expected, "the file does not begin with '# expect: LINE:COLUMN CODE'"
    files = [*companions, path]
    corrector = Corrector()
    specs, diagnostics = check(files, corrector)
    assert {diagnostic.span.file for diagnostic in diagnostics} == {path.name}
    found = [_summary(diagnostic) for diagnostic in diagnostics]
    assert [replace(entry, hint=None) for entry in found] == [replace(entry, hint=None) for entry in expected]
    for diagnostic, entry in zip(found, expected, strict=True):
        assert (entry.hint is None) == (diagnostic.hint is None)
        assert (entry.hint or "") in (diagnostic.hint or "")
    assert [spec.file for spec in specs] == [companion.name for companion in companions]
    without_advice = check(files, Advisor())[1]
    assert without_advice
    if not corrector.has_corrected:
        assert _messages(without_advice) == _messages(diagnostics)


def test_every_code_has_a_bad_spec_that_is_named_after_it() -> None:
    assert len({path.stem for path in BAD}) == len(BAD)
    shown = {code for path in BAD for code in _codes_of(path)}
    # Large files are better made than kept: test_load.py and test_variants.py do.
    assert sorted(set(get_args(Code)) - shown) == ["file-too-large", "variants-too-large"]


def _codes_of(path: Path) -> list[str]:
    return [
        entry.code for entry in header_of(path)[0] if path.stem == entry.code or path.stem.startswith(f"{entry.code}-")
    ]
