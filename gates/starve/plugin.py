# SPDX-License-Identifier: MIT
"""A pytest plugin: runs each test once, records the call sites that it reaches, and repeats it with each one failing.

The repetitions run in a child process, one for each test: a crash or a hang ends the child, and names the site.
"""

from __future__ import annotations

import collections
import ctypes
import gc
import inspect
import json
import os
import random
import signal
import sys
import threading
import time
import traceback
from collections.abc import Generator
from pathlib import Path
from typing import Any

import pytest
from _pytest import runner

from starve.control import Control, Fault
from starve.repeat import HANG_SECONDS, Repeater

SLOW_SECONDS = 1.0
"""A test that takes longer is left out: it repeats calls that other tests make once."""
CLEAN_PAIRS = 5
"""The last ones tell how many blocks a repetition takes without a fault: few, and always as many."""
BY_ADDRESS = ("producer.delete(", "unref(", "lab.new(", "frames.new(", "named.forget(")
"""In the source of a test: it owns memory by its address, or corrects a count, which it does not do if interrupted."""
EVENTS = {"subprocess.Popen": "starts a process", "os.fork": "forks"}


class Plugin:
    """The state of one pytest process."""

    def __init__(self) -> None:
        environment = os.environ
        self.control = Control(Path(environment["STARVE_LIBRARY"]))
        self.results = open(environment["STARVE_RESULTS"], "a", encoding="utf-8")  # noqa: SIM115
        self.log = Path(environment["STARVE_RESULTS"]).with_suffix(".log")
        self.deadline = float(environment.get("STARVE_DEADLINE", "inf"))
        self.seed = environment.get("STARVE_SEED", "")
        self.calls_per_site = int(environment.get("STARVE_CALLS", "2"))
        self.faults_per_test = int(environment.get("STARVE_FAULTS", "0"))
        self.tests_per_site = int(environment.get("STARVE_TESTS", "0"))
        self.tested: collections.Counter[tuple[int, int, bool]] = collections.Counter()
        self.reason: str | None = None
        self.reached: dict[int, int] = {}
        self.seconds = 0.0
        sys.addaudithook(self._hear)
        self._watch_threads()

    def _watch_threads(self) -> None:
        start = threading.Thread.start

        def start_and_tell(thread: threading.Thread) -> None:
            self.reason = "starts a thread"
            start(thread)

        threading.Thread.start = start_and_tell  # type: ignore[method-assign]

    def _hear(self, event: str, _: Any) -> None:
        if event in EVENTS and self.reason is None:
            self.reason = EVENTS[event]

    def write(self, **record: Any) -> None:
        """Appends one line to the results."""
        self.results.write(json.dumps(record) + "\n")
        self.results.flush()

    # ---- The first run of a test ----

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_call(self) -> Generator[None, Any, Any]:
        """Records the call sites that the test reaches."""
        self.reason = None
        started = time.monotonic()
        self.control.begin()
        try:
            return (yield)
        finally:
            self.control.end()
            self.seconds = time.monotonic() - started
            self.reached = self.control.calls()

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_protocol(self, item: Any, nextitem: Any) -> bool:
        """Takes the place of pytest's own loop for one test."""
        if time.time() >= self.deadline:
            self.write(test=item.nodeid, left_out="no time left")
        elif runs_script(item):
            self.write(test=item.nodeid, left_out=EVENTS["subprocess.Popen"])
        else:
            self._run_and_repeat(item)
        item.session._setupstate.teardown_exact(nextitem)
        return True

    def _run_and_repeat(self, item: Any) -> None:
        self.reached = {}
        item.ihook.pytest_runtest_logstart(nodeid=item.nodeid, location=item.location)
        reports = runner.runtestprotocol(item, nextitem=item.parent)
        item.ihook.pytest_runtest_logfinish(nodeid=item.nodeid, location=item.location)
        if not all(report.passed for report in reports):
            skipped = any(report.skipped for report in reports)
            self.write(test=item.nodeid, left_out="skipped" if skipped else "fails without a fault")
            return
        left_out = self._reason_to_leave_out(item)
        if left_out is None:
            self._repeat(item)
        else:
            self.write(test=item.nodeid, left_out=left_out)

    def _reason_to_leave_out(self, item: Any) -> str | None:
        if self.reason is not None:
            return self.reason
        if not self.reached:
            return "reaches no call site"
        if hasattr(item.obj, "hypothesis"):
            return "draws its data"
        if inspect.iscoroutinefunction(item.obj):
            return "is a coroutine"
        return f"takes more than {SLOW_SECONDS:g} s" if self.seconds > SLOW_SECONDS else None

    # ---- The repetitions ----

    def _plan(self, item: Any) -> list[Fault]:
        """Chooses the calls that fail: the first ones of each site and the last one, alone and with all later calls."""
        plan = []
        for onward in (False, True):
            for site, count in self.reached.items():
                for call in sorted({*range(1, min(count, self.calls_per_site) + 1), count}):
                    key = (site, min(call, self.calls_per_site + 1), onward)
                    if not self.tests_per_site or self.tested[key] < self.tests_per_site:
                        plan.append(Fault(site, call, onward))
        if self.faults_per_test and len(plan) > self.faults_per_test:
            plan = random.Random(f"{self.seed} {item.nodeid}").sample(plan, self.faults_per_test)
        for fault in plan:
            self.tested[fault.site, min(fault.call, self.calls_per_site + 1), fault.onward] += 1
        return plan

    def _repeat(self, item: Any) -> None:
        """Starts children until each planned fault was set; a child that dies is followed by the next one."""
        plan = self._plan(item)
        started = time.monotonic()
        done, count = 0, len(plan)
        while done < len(plan):
            lines, status = self._run_child(item, plan[done:])
            if lines and "left_out" in lines[0]:
                self.write(test=item.nodeid, **lines[0])
                return
            for fault, line in zip(plan[done:], lines, strict=False):
                self._write_fault(item, fault, line)
            done += len(lines)
            if status == 0:
                count = done if time.time() >= self.deadline else count
                break
            if done < len(plan) and os.WIFSIGNALED(status):
                number = os.WTERMSIG(status)
                ended = "hangs" if number == signal.SIGALRM else f"crashes with {signal.Signals(number).name}"
                self._write_fault(item, plan[done], {"crash": ended, "log": self._tail()})
                done += 1
            elif done < len(plan) and not lines:
                self._write_fault(item, plan[done], {"crash": "ends the process", "log": self._tail()})
                done += 1
        by_address = owns_by_address(item)
        seconds = time.monotonic() - started
        self.write(test=item.nodeid, reached=len(self.reached), faults=count, by_address=by_address, seconds=seconds)

    def _write_fault(self, item: Any, fault: Fault, line: dict[str, Any]) -> None:
        place = self.control.describe(fault.site)
        by_address = owns_by_address(item)
        self.write(test=item.nodeid, site=place, call=fault.call, onward=fault.onward, by_address=by_address, **line)

    def _tail(self) -> str:
        return self.log.read_text(encoding="utf-8", errors="replace")[-3000:]

    def _run_child(self, item: Any, plan: list[Fault]) -> tuple[list[dict[str, Any]], int]:
        """Runs the faults of `plan` in a child. Returns one line for each fault that it got through, and its status."""
        reader, writer = os.pipe()
        sys.stdout.flush()
        child = os.fork()
        if child == 0:
            status = 1
            try:
                os.close(reader)
                log = os.open(self.log, os.O_CREAT | os.O_WRONLY | os.O_TRUNC)
                os.dup2(log, 1)
                os.dup2(log, 2)
                with os.fdopen(writer, "w", encoding="utf-8") as lines:
                    self._repeat_in_child(item, plan, lines)
                status = 0
            except BaseException:
                traceback.print_exc()
            finally:
                leave(status)
        os.close(writer)
        with os.fdopen(reader, encoding="utf-8") as lines:
            written = [json.loads(line) for line in lines if line.endswith("\n")]
        return written, os.waitpid(child, 0)[1]

    def _repeat_in_child(self, item: Any, plan: list[Fault], lines: Any) -> None:
        gc.disable()
        gc.collect()
        gc.freeze()  # each collection then looks at the objects of the test alone
        repeater = Repeater(item, self.control)
        growths: list[int] = []
        for _ in range(CLEAN_PAIRS):
            pair = repeater.run_pair(None)
            problems = [*pair.clean.raised, *pair.clean.left_by_teardown]
            if problems:
                lines.write(json.dumps({"left_out": "cannot be repeated", "problem": problems[0]}) + "\n")
                return
            growths.append(pair.growth)
        baseline = min(growths[-3:])
        for fault in plan:
            if time.time() >= self.deadline:
                return
            result = repeater.run_fault(fault, baseline)
            lines.write(json.dumps(result) + "\n")
            lines.flush()
            if result["afterwards"]:
                leave(2)  # the next fault starts afresh


def runs_script(item: Any) -> bool:
    """Returns whether the test calls run() of tests/python/scripts.py: then it need not run at all."""
    run = getattr(item.module, "run", None)
    return getattr(run, "__module__", "") == "python.scripts" and " run(" in inspect.getsource(item.function)


def owns_by_address(item: Any) -> bool:
    """Returns whether the test owns memory by its address: leaks cannot be told from those of the test."""
    source = inspect.getsource(item.function)
    return any(word in source for word in BY_ADDRESS)


def leave(status: int) -> None:
    """Ends the child at once, without Python's finalization; exit() of C writes the counters of gcov."""
    signal.alarm(HANG_SECONDS)
    if status == 0:
        ctypes.CDLL(None).exit(0)
    os._exit(status)


def pytest_configure(config: pytest.Config) -> None:
    """Registers the plugin."""
    config.pluginmanager.register(Plugin(), "starve-plugin")
