# SPDX-License-Identifier: MIT
"""Runs one scenario in this process, which it may end."""

from __future__ import annotations

import faulthandler
import importlib
import resource
import signal

from bugs.bug import BUGS, HANG, Bug
from bugs.subject import Subject

PATIENCE = 3
"""Seconds until a scenario that may hang is ended. Others have no limit: a busy machine may be slow."""


def ours(part: str, name: str) -> None:
    subject = Subject(None)
    _bug(part, name).scenario(subject)
    subject.end()


def naive(part: str, name: str) -> None:
    faulthandler.disable()
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    bug = _bug(part, name)
    subject = Subject(bug.generation)
    if HANG in bug.fails:
        signal.alarm(PATIENCE)
    bug.scenario(subject)


def _bug(part: str, name: str) -> Bug:
    importlib.import_module(part)  # and not all of them, which takes longer
    return BUGS[name]
