# SPDX-License-Identifier: MIT
"""Runs one scenario in this process, which it may end."""

from __future__ import annotations

import faulthandler
import importlib
import resource
import signal

from bugs.bug import BUGS, Bug
from bugs.subject import Subject

PATIENCE = 3
"""Seconds for a scenario: far more than any takes that ends."""


def ours(part: str, name: str) -> None:
    subject = Subject(None)
    _bug(part, name).scenario(subject)
    subject.end()


def naive(part: str, name: str) -> None:
    faulthandler.disable()
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    bug = _bug(part, name)
    subject = Subject(bug.generation)
    signal.alarm(PATIENCE)
    bug.scenario(subject)


def _bug(part: str, name: str) -> Bug:
    importlib.import_module(part)  # and not all of them, which takes longer
    return BUGS[name]
