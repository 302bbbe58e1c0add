# SPDX-License-Identifier: MIT
"""Bugs that were found in released DLPack software: each one's scenario goes well here, and goes wrong where somebody
writes what people write (naive*.c). docs/known-bugs.md tells where each was found.

Each run has a process of its own, since what goes wrong is often a crash or a hang."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from bugs import lifetimes, negotiation, ownership, tables, values  # noqa: F401 (they fill BUGS)
from bugs.bug import BUGS
from python.scripts import run
from support.build import SANITIZED, TOP

TABLE = (TOP / "docs/known-bugs.md").read_text()


def play(folder: Path, implementation: str, name: str, *, leaks: bool) -> list[str]:
    script = f"from bugs.play import {implementation}; {implementation}({BUGS[name].scenario.__module__!r}, {name!r})"
    return run(folder, script, prelude="", leaks=leaks)


@pytest.mark.parametrize("name", BUGS)
def test_a_generated_module_passes_the_scenario(folder: Path, name: str) -> None:
    assert play(folder, "ours", name, leaks=BUGS[name].leaks) == []


# Not with the sanitizers, which report at the first wrong step: what this checks is how it goes on from there.
if not SANITIZED:

    @pytest.mark.parametrize("name", BUGS)
    def test_a_module_written_by_hand_fails_in_the_scenario(folder: Path, name: str) -> None:
        with pytest.raises(AssertionError, match=BUGS[name].fails):
            play(folder, "naive", name, leaks=True)


def test_the_page_lists_all_bugs() -> None:
    named = re.findall(r"`(\w+)` \|$", TABLE, re.MULTILINE)
    assert sorted(named) == sorted(BUGS)
