# SPDX-License-Identifier: MIT
"""A plugin of pytest for `make mutants`: records which test reaches which mutant, or runs the tests of a plan.

`DLB_MUTANT_RECORD` and `DLB_MUTANT_PLAN` name the file that says what to do; without them the plugin does nothing.
"""

from __future__ import annotations

import json
import mmap
import os
import signal
import time
from collections.abc import Generator
from pathlib import Path
from typing import Any

import pytest

COUNT = 4096


class Recorder:
    """Writes the mutants that a test file reaches: while it is set up (`shared`), and in each test.

    Fixtures that several tests use belong to the file, those of a single test to that test.
    """

    def __init__(self, output: str, flags: str) -> None:
        self.output = Path(output)
        with open(flags, "r+b") as file:
            self.flags = mmap.mmap(file.fileno(), COUNT)
        self.shared: set[int] = set()
        self.tests: dict[str, set[int]] = {}
        self.seconds: dict[str, float] = {}
        self.unusable: set[str] = set()
        self.current: set[int] = self.shared

    def take(self) -> set[int]:
        """Returns the mutants that were reached since the last call."""
        reached = {number for number, flag in enumerate(self.flags[:]) if flag} if any(self.flags[:]) else set()
        self.flags[:] = bytes(COUNT)
        return reached

    def pytest_collection_finish(self) -> None:
        self.shared |= self.take()

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Generator[None, Any, Any]:
        self.shared |= self.take()
        self.current = self.tests[item.nodeid] = set()
        result = yield
        self.current |= self.take()
        return result

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_fixture_setup(self, fixturedef: Any) -> Generator[None, Any, Any]:
        self.current |= self.take()
        try:
            return (yield)
        finally:
            target = self.current if fixturedef.scope == "function" else self.shared
            target |= self.take()

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self.seconds[report.nodeid] = self.seconds.get(report.nodeid, 0) + report.duration
        if report.failed or report.skipped or hasattr(report, "wasxfail"):
            self.unusable.add(report.nodeid)

    def pytest_sessionfinish(self) -> None:
        tests = {
            name: [round(self.seconds.get(name, 0), 3), sorted(reached)]
            for name, reached in self.tests.items()
            if name not in self.unusable
        }
        record = {"shared": sorted(self.shared), "tests": tests, "unusable": sorted(self.unusable)}
        self.output.write_text(json.dumps(record), encoding="utf-8")


class Runner:
    """Runs the planned tests, file by file in the order of the plan, and notes what came out of them.

    Each test has a limit, after which the process is killed: the test has then found an endless loop. At the deadline no
    further test begins.
    """

    def __init__(self, plan: dict[str, Any]) -> None:
        self.limits: dict[str, float] = plan["tests"]
        self.files = {name: number for number, name in enumerate(plan["files"])}
        self.deadline = time.monotonic() + plan["seconds"]
        self.output = Path(plan["output"])
        self.passed = 0
        self.failed: list[str] = []
        self.begun = ""
        self.stopped = False

    def write(self) -> None:
        state = {"passed": self.passed, "failed": self.failed, "begun": self.begun, "stopped": self.stopped}
        self.output.write_text(json.dumps(state), encoding="utf-8")

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, config: pytest.Config, items: list[pytest.Item]) -> None:
        chosen = [item for item in items if item.nodeid in self.limits]
        items[:] = sorted(chosen, key=lambda item: self.files[item.nodeid.partition("::")[0]])

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        if report.failed:
            self.failed.append(report.nodeid)
            self.write()

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Generator[None, Any, Any]:
        if time.monotonic() > self.deadline:
            self.stopped = True
            item.session.shouldstop = "the time is over"
        else:
            self.begun = item.nodeid
        self.write()
        signal.setitimer(signal.ITIMER_REAL, self.limits[item.nodeid])
        result = yield
        signal.setitimer(signal.ITIMER_REAL, 0)
        if item.nodeid not in self.failed:
            self.passed += 1
        self.begun = ""
        self.write()
        return result

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed and report.nodeid not in self.failed:
            self.failed.append(report.nodeid)


def pytest_configure(config: pytest.Config) -> None:
    if "DLB_MUTANT_RECORD" in os.environ:
        config.pluginmanager.register(Recorder(os.environ["DLB_MUTANT_RECORD"], os.environ["DLB_MUTANT_FLAGS"]))
    elif "DLB_MUTANT_PLAN" in os.environ:
        plan = json.loads(Path(os.environ["DLB_MUTANT_PLAN"]).read_text(encoding="utf-8"))
        config.pluginmanager.register(Runner(plan))
