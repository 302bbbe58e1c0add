# SPDX-License-Identifier: MIT
"""A plugin of pytest for `make mutants`: runs a test file and tries mutants in it, or runs the tests of a plan.

`DLB_MUTANT_RECORD` or `DLB_MUTANT_PLAN` names the file that says what to do; without them the plugin does nothing.
"""

from __future__ import annotations

import contextlib
import json
import mmap
import os
import resource
import shutil
import signal
import time
from collections.abc import Generator, Sequence
from pathlib import Path
from typing import Any

import pytest
from _pytest.runner import runtestprotocol

COUNT = 4096
MEMORY = 6 << 30
"""Bytes that a process with a mutant may have."""


class Flags:
    """The file that the processes share: which mutants were reached, and which one is active."""

    def __init__(self, path: str) -> None:
        with open(path, "r+b") as file:
            self.memory = mmap.mmap(file.fileno(), 2 * COUNT)

    def take(self) -> set[int]:
        """Returns the mutants that were reached since the last call."""
        flags = self.memory[:COUNT]
        self.memory[:COUNT] = bytes(COUNT)
        return {number for number, flag in enumerate(flags) if flag} if any(flags) else set()

    def activate(self, mutant: int) -> None:
        self.memory[COUNT : COUNT + 4] = mutant.to_bytes(4, "little")


def limit_time(usual: float) -> None:
    """Lets the system kill this process if a test takes far longer than usual: an endless loop, or a wait for ever."""
    signal.setitimer(signal.ITIMER_PROF, 5 + 5 * usual)  # time of this process alone: independent of the load
    signal.setitimer(signal.ITIMER_REAL, 45 + 10 * usual)


def unlimit_time() -> None:
    signal.setitimer(signal.ITIMER_PROF, 0)
    signal.setitimer(signal.ITIMER_REAL, 0)


class Recorder:
    """Runs a test file, records which mutants it reaches, and then runs the tests that reach one with that one active.

    `shared` are the mutants that are reached while modules are imported, and while fixtures that several tests use are
    set up. The others are tried in a fork of the process that has done this: a mutant costs no more than its tests.
    If the plan has `killers`, only these tests run, each with its mutant.
    """

    def __init__(self, plan: dict[str, Any]) -> None:
        self.output = Path(plan["output"])
        self.temporary = Path(plan["temporary"])
        self.killers: dict[int, str] = {int(number): test for number, test in plan["killers"].items()}
        self.limits: dict[int, float] = {int(number): seconds for number, seconds in plan["mutants"].items()}
        self.flags = Flags(os.environ["DLB_MUTANT_FLAGS"])
        self.shared: set[int] = set()
        self.tests: dict[str, set[int]] = {}
        self.seconds: dict[str, float] = {}
        self.unusable: set[str] = set()
        self.current: set[int] = self.shared
        self.killed: dict[int, tuple[str, str]] = {}
        self.passed: dict[int, list[str]] = {}
        self.repeatable: set[str] = set()

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        if self.killers:
            items[:] = [item for item in items if item.nodeid in self.killers.values()]

    def pytest_collection_finish(self) -> None:
        self.shared |= self.flags.take()

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> bool | None:
        if session.testsfailed or not session.items:
            return None
        for item, following in zip(session.items, [*session.items[1:], None], strict=True):
            nextitem = following or item.getparent(pytest.Module)  # fixtures of the module stay for the mutants
            item.config.hook.pytest_runtest_protocol(item=item, nextitem=nextitem)
        self.write()
        for mutant, seconds in self.limits.items():
            self.judge(session.items, mutant, seconds)
        self.write()
        session._setupstate.teardown_exact(None)
        return True

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Generator[None, Any, Any]:
        self.shared |= self.flags.take()
        self.current = self.tests[item.nodeid] = set()
        result = yield
        self.current |= self.flags.take()
        return result

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_fixture_setup(self, fixturedef: Any) -> Generator[None, Any, Any]:
        self.current |= self.flags.take()
        try:
            return (yield)
        finally:
            target = self.current if fixturedef.scope == "function" else self.shared
            target |= self.flags.take()

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self.seconds[report.nodeid] = self.seconds.get(report.nodeid, 0) + report.duration
        if report.failed or report.skipped or hasattr(report, "wasxfail"):
            self.unusable.add(report.nodeid)

    def judge(self, items: Sequence[pytest.Item], mutant: int, seconds: float) -> None:
        """Tries a mutant with the tests that reach it, the quickest ones first."""
        self.passed[mutant] = []
        left = [item for item in items if mutant in self.tests[item.nodeid] and item.nodeid not in self.unusable]
        if self.killers:
            left = [item for item in left if item.nodeid == self.killers[mutant]]
        left.sort(key=lambda item: self.seconds[item.nodeid])
        while left:
            passed, killer, how = self.attempt(left, mutant, seconds)
            run = [*passed, killer]
            if killer is None or killer in self.repeatable:
                break
            _, failed, _ = self.attempt([item for item in left if item.nodeid in run], 0, 60)
            if failed is None:
                self.repeatable.add(killer)
                break
            self.unusable.add(failed)  # it fails when it runs a second time, or in another order, also without a mutant
            left = [item for item in left if item.nodeid not in self.unusable]
        else:
            return
        self.passed[mutant] = passed
        if killer is not None:
            self.killed[mutant] = (killer, how)

    def attempt(self, items: Sequence[pytest.Item], mutant: int, seconds: float) -> tuple[list[str], str | None, str]:
        """Runs tests in a fork until one fails. Returns the tests that passed, the one that failed, and how."""
        log = self.output.with_suffix(".attempt")
        log.write_bytes(b"")
        shutil.rmtree(self.temporary, ignore_errors=True)
        self.flags.activate(mutant)
        child = os.fork()
        if child == 0:
            try:
                os.setsid()
                self.run(items, log, seconds)
            finally:
                os._exit(0)
        _, status = os.waitpid(child, 0)
        with contextlib.suppress(ProcessLookupError):
            os.killpg(child, signal.SIGKILL)  # processes that a killed test has started
        self.flags.activate(0)
        self.flags.take()
        passed: list[str] = []
        begun = None
        for line in log.read_text(encoding="utf-8").splitlines():
            event, _, name = line.partition(" ")
            if event == "fail":
                return passed, name, "fails"
            if event == "pass":
                passed.append(name)
            begun = name if event == "begin" else None
        if begun is not None:
            number = os.WTERMSIG(status) if os.WIFSIGNALED(status) else 0
            if number in (signal.SIGALRM, signal.SIGPROF):
                return passed, begun, "endless"
            return passed, begun, signal.Signals(number).name if number else "exits"
        return passed, None, ""

    def run(self, items: Sequence[pytest.Item], log: Path, seconds: float) -> None:
        """Runs tests until one fails, and writes what happens to each."""
        resource.setrlimit(resource.RLIMIT_DATA, (MEMORY, MEMORY))
        self.temporary.mkdir()
        items[0].config._tmp_path_factory._basetemp = self.temporary  # type: ignore[attr-defined]
        deadline = time.monotonic() + seconds
        with log.open("w", encoding="utf-8", buffering=1) as output:
            for item in items:
                if time.monotonic() > deadline:
                    return
                output.write(f"begin {item.nodeid}\n")
                limit_time(self.seconds[item.nodeid])
                reports = runtestprotocol(item, log=False, nextitem=item.getparent(pytest.Module))  # type: ignore[arg-type]
                unlimit_time()
                failed = any(report.failed for report in reports)
                output.write(f"{'fail' if failed else 'pass'} {item.nodeid}\n")
                if failed:
                    return

    def write(self) -> None:
        tests = {
            name: [round(self.seconds.get(name, 0), 3), sorted(reached)]
            for name, reached in self.tests.items()
            if name not in self.unusable
        }
        record = {"shared": sorted(self.shared), "tests": tests, "unusable": sorted(self.unusable)}
        tried = {"killed": self.killed, "passed": self.passed}
        self.output.write_text(json.dumps(record | tried), encoding="utf-8")


class Runner:
    """Runs the planned tests, file by file in the order of the plan, and notes which pass and which fail.

    At the deadline no further test begins.
    """

    def __init__(self, plan: dict[str, Any]) -> None:
        self.usual: dict[str, float] = plan["tests"]
        self.whole = set(plan["whole"])
        self.files = {name: number for number, name in enumerate(plan["files"])}
        self.deadline = time.monotonic() + plan["seconds"]
        self.output = Path(plan["output"])
        self.passed: list[str] = []
        self.failed: list[str] = []
        self.begun = ""

    def write(self) -> None:
        state = {"passed": self.passed, "failed": self.failed, "begun": self.begun}
        self.output.write_text(json.dumps(state), encoding="utf-8")

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        chosen = [item for item in items if item.nodeid in self.usual or _file(item) in self.whole]
        items[:] = sorted(chosen, key=lambda item: self.files[_file(item)])

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        if report.failed:
            self.failed.append(report.nodeid)
            self.write()

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Generator[None, Any, Any]:
        if time.monotonic() > self.deadline:
            item.session.shouldstop = "the time is over"
        self.begun = item.nodeid
        self.write()
        limit_time(self.usual.get(item.nodeid, 5))
        result = yield
        unlimit_time()
        if item.nodeid not in self.failed:
            self.passed.append(item.nodeid)
        self.begun = ""
        self.write()
        return result

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed and report.nodeid not in self.failed:
            self.failed.append(report.nodeid)


def _file(item: pytest.Item) -> str:
    return item.nodeid.partition("::")[0]


def pytest_configure(config: pytest.Config) -> None:
    for variable, plugin in (("DLB_MUTANT_RECORD", Recorder), ("DLB_MUTANT_PLAN", Runner)):
        if variable in os.environ:
            plan = json.loads(Path(os.environ[variable]).read_text(encoding="utf-8"))
            config.pluginmanager.register(plugin(plan))
