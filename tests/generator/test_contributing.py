"""The commands of CONTRIBUTING.md and tests/README.md: their targets exist, and their tests are found."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

TOP = Path(__file__).resolve().parents[2]
PAGES = ("CONTRIBUTING.md", "tests/README.md")


def lines(page: str) -> list[str]:
    """Returns the commands of the shell listings."""
    text = (TOP / page).read_text(encoding="utf-8")
    listings = re.findall(r"^```sh\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
    return [line for listing in listings for line in listing.splitlines()]


TESTS = [line for page in PAGES for line in lines(page) if " -m pytest " in line]
TARGETS = sorted(
    {target for line in lines("CONTRIBUTING.md") if line.startswith("make ") for target in line.split()[1:]}
)


@pytest.mark.parametrize("line", TESTS)
def test_the_named_tests_are_found(line: str) -> None:
    *_, arguments = line.partition(" -m pytest ")
    command = [sys.executable, "-m", "pytest", "--collect-only", "-q", *shlex.split(arguments, comments=True)]
    done = subprocess.run(command, cwd=TOP, capture_output=True, text=True, check=False, env={**os.environ, "CC": "cc"})
    assert done.returncode == 0, done.stdout[-500:]


@pytest.mark.parametrize("target", TARGETS)
def test_the_named_targets_exist(target: str) -> None:
    makefile = (TOP / "Makefile").read_text(encoding="utf-8")
    rule = re.escape(target) if not target.startswith(".venv/.extra-") else re.escape("$(VENV)/.extra-%")
    assert re.search(rf"^{rule}:", makefile, re.MULTILINE)


def test_the_pages_name_tests_and_targets() -> None:
    assert len(TESTS) >= 4
    assert {"lint", "check-generated", "test"} <= set(TARGETS)
