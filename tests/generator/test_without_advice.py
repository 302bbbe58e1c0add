"""The checks are complete without advice: it adds hints, and finds further mistakes behind a probable correction."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from dlpack_bindgen.advice.advisor import GuessingAdvisor
from dlpack_bindgen.advisor import Advisor, Mend
from dlpack_bindgen.diagnostics import Diagnostic
from dlpack_bindgen.load.load import load
from dlpack_bindgen.validate.validate import validate

TESTS = Path(__file__).parents[1]
SPECS = sorted(path for path in TESTS.rglob("*.yaml") if path.parent.name != "with")


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


def files_of(path: Path) -> list[Path]:
    """The files that are validated together: a spec, and those that its first lines name."""
    named = [line for line in path.read_text(encoding="utf-8", errors="replace").splitlines() if "# with: " in line]
    return [path.parent / "with" / line.removeprefix("# with: ") for line in named] + [path]


def mistakes(path: Path, advisor: Advisor) -> list[Diagnostic]:
    loaded = [load(each.name, each.read_bytes(), lambda: advisor) for each in files_of(path)]
    specs, found = validate(loaded, lambda: advisor)
    assert specs or found
    return found


def places(found: Sequence[Diagnostic]) -> list[tuple[str, int, int, str]]:
    return [(each.span.file, each.span.line, each.span.column, each.code) for each in found]


@pytest.mark.parametrize("path", SPECS, ids=lambda path: str(path.relative_to(TESTS)))
def test_a_spec_is_accepted_or_refused_without_advice_as_with_it(path: Path) -> None:
    corrector = Corrector()
    with_advice, without = mistakes(path, corrector), mistakes(path, Advisor())
    assert bool(without) == bool(with_advice)
    if not corrector.has_corrected:
        assert places(without) == places(with_advice)
        assert [each.message for each in without] == [each.message for each in with_advice]


@pytest.mark.parametrize(("release", "needed"), [("image_free(self)", "False"), ("'", "True")])
def test_only_a_mistake_needs_advice(release: str, needed: str) -> None:
    spec = "module: m\ninclude: [m.h]\nhandles:\n  Image:\n    type: image_t\n    release: " + release
    script = (
        "import sys; from dlpack_bindgen.command.check import load, validate\n"
        f"validate([load('m.yaml', {spec!r}.encode())])\n"
        "print('difflib' in sys.modules or any('dlpack_bindgen.advice' in name for name in sys.modules))\n"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == needed
