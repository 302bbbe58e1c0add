# SPDX-License-Identifier: MIT
"""Repeats a test in a child process, with one failing call each time, and describes what came of it."""

from __future__ import annotations

import contextlib
import dataclasses
import gc
import itertools
import json
import os
import signal
import sys
import traceback
from dataclasses import dataclass, field
from typing import Any

import pytest

from python.leaks import allocated_blocks
from starve.control import Control, Fault

OUTCOMES = (Exception, KeyboardInterrupt, pytest.skip.Exception, pytest.fail.Exception)
LEAK_REPEATS = 40
"""A leak grows each time; caches fill up."""
LEAK_RATE = 0.9
"""A leak adds a block each time. Caches and the memory of pytest add some at first, and fewer later."""
HANG_SECONDS = 20
PLACES = 3


@dataclass
class Outcome:
    """Describes how one run of a test ended."""

    raised: list[str] = field(default_factory=list)
    """`TYPE: MESSAGE` of the exception that ended the test, and of its causes and contexts."""
    left_by_teardown: list[str] = field(default_factory=list)
    unraisable: list[str] = field(default_factory=list)
    failures: int = 0
    seen: str = ""
    """The lines of the test and of its helpers that the exception passed, the innermost first."""


@dataclass
class Pair:
    """A run with a fault, and the next one without."""

    failed: Outcome
    clean: Outcome
    blocks: int
    """How many blocks Python's allocator had given out before."""
    growth: int
    """How many more it has given out after both runs; some of them are freed later."""
    left: dict[int, int]
    """The sites that have more live blocks, and how many more."""


def describe(error: BaseException | None) -> list[str]:
    """Returns `TYPE: MESSAGE` of an exception and of the exceptions behind it."""
    described: list[str] = []
    pending: list[BaseException | None] = [error]
    known: set[int] = set()
    while pending:
        one = pending.pop()
        if one is None or id(one) in known:
            continue
        known.add(id(one))
        described.append(f"{type(one).__name__}: {one}"[:2000])
        pending += [one.__context__, one.__cause__, *getattr(one, "exceptions", ())]
    return described


def places_of(error: BaseException) -> str:
    """Returns the last lines that an exception passed, the innermost first, without the lines of pytest."""
    places = [
        f"{frame.f_code.co_filename.rsplit('/tests/', 1)[-1]}:{line}"
        for frame, line in traceback.walk_tb(error.__traceback__)
        if "site-packages" not in frame.f_code.co_filename and "/starve/repeat" not in frame.f_code.co_filename
    ]
    return " < ".join(places[: -PLACES - 1 : -1])


def caught_before(error: BaseException) -> list[str]:
    """Returns the MemoryErrors that the test had caught: their text is in a variable where the assertion failed."""
    texts: list[str] = []
    for frame, _ in traceback.walk_tb(error.__traceback__):
        variables = [value for value in frame.f_locals.values() if type(value) in (str, dict, list, tuple)]
        with contextlib.suppress(Exception):
            texts += [text for text in map(repr, variables) if "MemoryError" in text or "starved: " in text]
    return [f"a variable: {text[max(text.find('MemoryError'), 0) :][:300]}" for text in texts[:1]]


def late_rate(totals: list[int]) -> float:
    """Returns by how many blocks the total grows each time, in the second half."""
    late = totals[len(totals) // 2 :]
    return (late[-1] - late[0]) / (len(late) - 1)


def size_of(file: int) -> int:
    """Returns how many bytes a file has."""
    return os.fstat(file).st_size


class Repeater:
    """Runs one test again and again."""

    def __init__(self, item: Any, control: Control) -> None:
        self._item = item
        self._control = control
        self._unraisable: list[str] = []
        self._store = os.memfd_create("outcomes")  # they take no memory of Python while its growth is measured

    def _finalizers(self) -> list[list[Any]]:
        """Returns the lists of finalizers that outlive the test: pytest adds to them whenever a test is set up."""
        fixtures = itertools.chain.from_iterable(self._item._fixtureinfo.name2fixturedefs.values())
        nodes = (finalizers for finalizers, _ in self._item.session._setupstate.stack.values())
        return [*nodes, *(fixture._finalizers for fixture in fixtures)]

    def _hear(self, unraisable: Any) -> None:
        self._unraisable += describe(unraisable.exc_value) or [unraisable.exc_type.__name__]

    def run(self, fault: Fault | None) -> Outcome:
        """Runs setup, test and teardown; the fault is set during the test alone."""
        before = [(finalizers, len(finalizers)) for finalizers in self._finalizers()]
        item, outcome = self._item, Outcome()
        self._unraisable = []
        sys.unraisablehook = self._hear
        sys.excepthook = lambda kind, error, _: self._unraisable.extend(describe(error) or [kind.__name__])
        signal.alarm(HANG_SECONDS)
        item._initrequest()
        state = item.session._setupstate
        try:
            state.setup(item)
            self._control.begin(fault)
            try:
                item.runtest()
            finally:
                outcome.failures = self._control.end()
        except OUTCOMES as error:
            outcome.raised = describe(error)
            outcome.seen = places_of(error)
            if isinstance(error, AssertionError):
                outcome.raised += caught_before(error)
            with contextlib.suppress(RuntimeError):
                traceback.clear_frames(error.__traceback__)
            error.__traceback__ = None
        try:
            state.teardown_exact(item.parent)
        except OUTCOMES as error:
            outcome.left_by_teardown = describe(error)
            error.__traceback__ = None
        item._request = False
        item.funcargs = None
        for finalizers, length in before:
            del finalizers[length:]
        gc.collect()
        signal.alarm(0)
        outcome.unraisable = self._unraisable
        return outcome

    def run_pair(self, fault: Fault | None) -> Pair:
        """Runs with the fault, then without."""
        gc.collect()  # of the garbage of this loop itself
        blocks, live = allocated_blocks(), self._control.live_blocks()
        os.ftruncate(self._store, 0)
        for each in (fault, None):
            os.pwrite(
                self._store, json.dumps(dataclasses.asdict(self.run(each))).encode() + b"\n", size_of(self._store)
            )
        gc.collect()
        growth = allocated_blocks() - blocks
        after = self._control.live_blocks()
        live += [0] * (len(after) - len(live))
        left = {site: now - then for site, (then, now) in enumerate(zip(live, after, strict=True), 1) if now > then}
        lines = os.pread(self._store, size_of(self._store), 0).splitlines()
        failed, clean = (Outcome(**json.loads(line)) for line in lines)
        return Pair(failed, clean, blocks, growth, left)

    def run_fault(self, fault: Fault, baseline: int) -> dict[str, Any]:
        """Returns what a fault did, as JSON can hold it. `baseline`: the growth of a pair without a fault."""
        first = pair = self.run_pair(fault)
        growths, totals, left = [pair.growth], [pair.blocks], set(pair.left)
        for _ in range(LEAK_REPEATS):
            broken = pair.clean.raised or pair.clean.left_by_teardown
            if broken or not pair.failed.failures or (min(growths) <= baseline and not left):
                break
            pair = self.run_pair(fault)
            growths.append(pair.growth)
            totals.append(pair.blocks)
            left &= set(pair.left)
        excess = 0.0
        if len(growths) > LEAK_REPEATS:  # it grew each time: perhaps it does so without a fault, too
            usual = late_rate([self.run_pair(None).blocks for _ in range(LEAK_REPEATS)])
            excess = late_rate(totals) - usual
        failed, clean = first.failed, pair.clean
        return {
            "failures": failed.failures,
            "raised": failed.raised,
            "seen": failed.seen,
            "teardown": failed.left_by_teardown,
            "unraisable": failed.unraisable,
            "afterwards": [*clean.raised, *clean.left_by_teardown],
            "growth": round(excess) if excess >= LEAK_RATE else 0,
            "left": [self._control.describe(site) for site in sorted(left)],
        }
