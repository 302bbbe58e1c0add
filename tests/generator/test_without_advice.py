"""Only a mistake needs advice. `test_bad_specs.py` shows that the checks find the mistakes without it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from dlpack_bindgen.spec.check import validate
from dlpack_bindgen.text.diagnostics import Advisor
from dlpack_bindgen.text.yaml import load
from dlpack_bindgen.tools.advice import GuessingAdvisor
from support.specs import find_wrong_specs

TESTS = Path(__file__).parents[1]
LIBRARY = "library.yaml"
"""A library for `make init-report`, and no spec."""
SPECS = {
    **{str(path.relative_to(TESTS)): path.read_bytes() for path in TESTS.rglob("*.yaml") if path.name != LIBRARY},
    **{name: case.content for name, case in find_wrong_specs().items()},
}


@pytest.mark.parametrize("name", sorted(SPECS))
def test_a_sound_spec_needs_no_advice(name: str) -> None:
    for advisor in (GuessingAdvisor(), Advisor()):
        loaded = load("spec.yaml", SPECS[name], lambda advisor=advisor: advisor)
        specs, found = validate([loaded], lambda advisor=advisor: advisor)
        assert specs and not found


@pytest.mark.parametrize(("release", "needed"), [("image_free(self)", "False"), ("'", "True")])
def test_only_a_mistake_needs_advice(release: str, needed: str) -> None:
    spec = "module: m\ninclude: [m.h]\nhandles:\n  Image:\n    type: image_t\n    release: " + release
    script = (
        "import sys; from dlpack_bindgen.tools.generate import load, validate\n"
        f"validate([load('m.yaml', {spec!r}.encode())])\n"
        "print('difflib' in sys.modules or any('dlpack_bindgen.tools.advice' in name for name in sys.modules))\n"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == needed
