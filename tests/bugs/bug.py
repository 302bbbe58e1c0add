# SPDX-License-Identifier: MIT
"""A known bug is a scenario that runs on two implementations: a generated and a naive one."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from bugs.subject import Subject

Scenario = Callable[[Subject], None]

CRASH = r"\Aexit status -(4|6|7|11)\n"
"""By SIGILL, SIGABRT, SIGBUS or SIGSEGV."""
HANG = r"\Aexit status -14\n"
"""By SIGALRM."""


@dataclass(frozen=True)
class Bug:
    scenario: Scenario
    generation: str
    """The naive class that has this bug."""
    fails: str
    """How the scenario fails there, as a pattern."""
    leaks: bool
    """Ours leaks, as it must: Python objects whose interpreter is gone."""


BUGS: dict[str, Bug] = {}
"""By the names in docs/known-bugs.md; filled by the import of the scenarios."""


def bug(generation: str, fails: str, *, leaks: bool = False) -> Callable[[Scenario], Scenario]:
    def add(scenario: Scenario) -> Scenario:
        assert scenario.__name__ not in BUGS, scenario.__name__
        BUGS[scenario.__name__] = Bug(scenario, generation, fails, leaks)
        return scenario

    return add


def expect(what: str, found: Any, wanted: Any) -> None:
    """Checks that two values are equal, without pytest: its import takes longer than a scenario."""
    if found != wanted:
        raise AssertionError(f"{what}: {found!r}, not {wanted!r}")


def refuse(error: type[Exception], call: Callable[[], Any]) -> str:
    """Checks that `call` raises `error`, and returns the message."""
    try:
        call()
    except error as raised:
        return str(raised)
    raise AssertionError("not refused")
