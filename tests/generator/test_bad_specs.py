"""Bad specs: the marks in each `tests/*/*/bad.txt` show the diagnostics of its specs.

The checks find them without advice, too: it adds hints, and finds further mistakes behind a probable correction."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import get_args

import pytest

from dlpack_bindgen.spec.check import validate
from dlpack_bindgen.spec.spec import Spec
from dlpack_bindgen.text.diagnostics import Advisor, Code, Diagnostic, Mend, Span
from dlpack_bindgen.text.yaml import load
from dlpack_bindgen.tools.advice import GuessingAdvisor
from dlpack_bindgen.tools.generate import headers_of
from support.specs import Case, Expected, find_bad_specs

BAD = find_bad_specs()
FILE = "bad.yaml"


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


def check(case: Case, advisor: Advisor) -> tuple[list[Spec], list[Diagnostic]]:
    """Validates a spec together with its companions, and with the headers of its feature."""
    loaded = [load(name, content, lambda: advisor) for name, content in [*case.companions, (FILE, case.content)]]
    return validate(loaded, lambda: advisor, headers_of(str(case.folder / "headers")))


def _summary(diagnostic: Diagnostic) -> Expected:
    return Expected(diagnostic.span.line, diagnostic.span.column, diagnostic.code, diagnostic.hint)


def _messages(diagnostics: Sequence[Diagnostic]) -> list[tuple[Span, str, str]]:
    return [(diagnostic.span, diagnostic.code, diagnostic.message) for diagnostic in diagnostics]


@pytest.mark.parametrize("case", BAD, ids=lambda case: case.name)
def test_a_bad_spec_gets_exactly_its_diagnostics(case: Case) -> None:
    corrector = Corrector()
    specs, diagnostics = check(case, corrector)
    assert {diagnostic.span.file for diagnostic in diagnostics} == {FILE}
    found = [_summary(diagnostic) for diagnostic in diagnostics]
    assert [replace(entry, hint=None) for entry in found] == [replace(entry, hint=None) for entry in case.expected]
    for diagnostic, entry in zip(found, case.expected, strict=True):
        assert (entry.hint is None) == (diagnostic.hint is None)
        assert (entry.hint or "") in (diagnostic.hint or "")
    assert [spec.file for spec in specs] == [name for name, _ in case.companions]
    without_advice = check(case, Advisor())[1]
    assert without_advice
    if not corrector.has_corrected:
        assert _messages(without_advice) == _messages(diagnostics)


def test_every_code_has_a_bad_spec() -> None:
    shown = {expected.code for case in BAD for expected in case.expected}
    # Large files are better made than kept: test_load.py and test_variants.py do. test_errors_at_keys.py has compilers.
    assert sorted(set(get_args(Code)) - shown) == ["compiler", "file-too-large", "header", "variants-too-large"]
