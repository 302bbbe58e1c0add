# SPDX-License-Identifier: MIT
"""Decides which results of the repetitions are failures, and counts what was run."""

from __future__ import annotations

import collections
import json
import linecache
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
TESTS = HERE.parent.parent / "tests"
MEMORY = ("MemoryError", "starved: ")
"""An exception, or the message of a failed assertion, that tells of the fault."""
Record = dict[str, Any]


@dataclass
class Summary:
    """The counts of a run."""

    tests: int = 0
    by_address: int = 0
    """Tests whose leaks are not looked at."""
    imports: int = 0
    faults: int = 0
    onward: int = 0
    not_called: int = 0
    """Faults of calls that the repetition did not make: memory that an earlier run freed was used again."""
    silent: int = 0
    """Faults after which the test passed."""
    unraisable: int = 0
    """Faults that were reported through sys.unraisablehook."""
    sites: set[str] = field(default_factory=set)
    left_out: collections.Counter[str] = field(default_factory=collections.Counter)
    accepted: collections.Counter[str] = field(default_factory=collections.Counter)
    failures: list[str] = field(default_factory=list)


def read_list(name: str) -> dict[str, str]:
    """Returns the lines `FUNCTION: REASON` of leaks.txt or exceptions.txt."""
    lines = (HERE / name).read_text(encoding="utf-8").splitlines()
    pairs = (tuple(line.split(": ", 1)) for line in lines if line and not line.startswith("#"))
    return dict(pairs)


def function_of(site: str) -> str:
    """Returns the function of `FILE:LINE FUNCTION NAME`."""
    return site.split(" ")[1]


def tells_of_the_fault(exceptions: list[str]) -> bool:
    """Returns whether one of the exceptions is a MemoryError, or is about one."""
    return any(mark in text for text in exceptions for mark in MEMORY)


def wraps(seen: str) -> bool:
    """Returns whether the exception came from a call of wrap(): the struct then still belongs to the test."""
    path, _, number = seen.split(" < ")[0].partition(":")
    return number.isdigit() and ".wrap(" in linecache.getline(str(TESTS / path), int(number))


def is_leak(record: Record) -> bool:
    """Returns whether a failed teardown tells of a leak: a failed assertion may keep objects alive for a while."""
    kept = record["raised"][:1] and record["raised"][0].startswith("AssertionError") and not record["left"]
    return not kept and any("was not " in text for text in record["teardown"])


class Judge:
    """Reads the results line by line."""

    def __init__(self) -> None:
        self.summary = Summary()
        self.leaks = read_list("leaks.txt")
        self.exceptions = read_list("exceptions.txt")

    def read(self, path: Path) -> Summary:
        """Judges a file of results."""
        for line in path.read_text(encoding="utf-8").splitlines():
            record = json.loads(line)
            if "left_out" in record:
                self.summary.left_out[record["left_out"]] += 1
            elif "module" in record:
                self._judge_import(record)
            elif "site" in record:
                self._judge(record)
            else:
                self.summary.tests += 1
                self.summary.by_address += record["by_address"]
        return self.summary

    def _judge_import(self, record: Record) -> None:
        self.summary.imports += 1
        site = record.get("site")
        if site:
            self.summary.sites.add(site)
        later = " and all later calls" if record["onward"] else ""
        where = f"import of {record['module']}: {site}, call {record['call']}{later}"
        self.summary.failures += [f"{where}: {problem}" for problem in self._import_problems(record)]

    def _import_problems(self, record: Record) -> list[str]:
        """Returns what is wrong with an import that failed, or with the next one."""
        if record["status"] != 0:
            return [f"the process ends with status {record['status']}"]
        raised = record["raised"]
        found = [text for text in [*raised, *record["unraisable"]] if "SystemError" in text]
        if not record["complete"]:
            found.append("the next import gives another module")
        if not tells_of_the_fault(raised) and not self._accept(self.exceptions, record["site"]):
            found.append(f"another exception: {raised}")
        left = [site for site in record["left"] if not self._accept(self.leaks, site)]
        return [*found, f"blocks are left, allocated at {', '.join(left)}"] if left else found

    def _judge(self, record: Record) -> None:
        summary = self.summary
        summary.sites.add(record["site"])
        if record.get("failures") == 0:
            summary.not_called += 1
            return
        summary.faults += not record["onward"]
        summary.onward += record["onward"]
        problems = self.problems(record)
        later = " and all later calls" if record["onward"] else ""
        where = f"{record['test']}: {record['site']}, call {record['call']}{later}"
        summary.failures += [f"{where}: {problem}" for problem in problems]
        if "crash" not in record:
            summary.silent += not record["raised"]
            summary.unraisable += bool(record["unraisable"])

    def _accept(self, listed: dict[str, str], place: str) -> bool:
        """Returns whether a site's function, or a test with or without its parameter, is listed; counts it if so."""
        name = function_of(place) if "::" not in place else place if place in listed else place.split("[")[0]
        self.summary.accepted[name] += name in listed
        return name in listed

    def problems(self, record: Record) -> list[str]:
        """Returns what is wrong with the result of one fault."""
        if "crash" in record:
            return [f"the process {record['crash']}"]
        found = []
        raised, teardown, site = record["raised"], record["teardown"], record["site"]
        for text in [*raised, *teardown, *record["unraisable"]]:
            if text.startswith("SystemError") or "SystemError: " in text:
                found.append(text)
        counted = (
            record["by_address"] and record["afterwards"][:1] and record["afterwards"][0].startswith("AssertionError")
        )
        if record["afterwards"] and not counted:
            found.append(f"the test fails afterwards: {record['afterwards'][0]}")
        hidden = bool(raised) and not tells_of_the_fault([*raised, *record["unraisable"]])
        if hidden and not self._accept(self.exceptions, site) and not self._accept(self.exceptions, record["test"]):
            found.append(f"another exception: {raised[0]}")
        if record["by_address"] or self._accept(self.leaks, record["test"]):
            return found
        unreleased = (
            bool(teardown) and not tells_of_the_fault(teardown) and not wraps(record["seen"]) and is_leak(record)
        )
        if unreleased and not self._accept(self.leaks, site):
            found.append(f"the teardown fails: {teardown[0]}")
        left = [each for each in record["left"] if not self._accept(self.leaks, each)]
        if left and not self._accept(self.leaks, site):
            found.append(f"blocks are left, allocated at {', '.join(left)}")
        if record["growth"] and not record["left"] and not self._accept(self.leaks, site):
            found.append(f"{record['growth']} blocks of Python are left")
        return found
