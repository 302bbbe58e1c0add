# SPDX-License-Identifier: MIT
"""Runs tests with one mutant switched on until a test fails, and keeps the verdict in `build/mutants/judged`.

Tests that never reach a mutant are not run for it. Of the others, those of the files named like the mutated file come
first, then those that reach it often in little time.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
import signal
import subprocess
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path

from mutants import BUILD, TREE, Mutant
from record import FLAGS, Record, environment, pytest_command, write_flags

JUDGED = BUILD / "judged"
PLAN, STATE, LOG = BUILD / "plan.json", BUILD / "state.json", BUILD / "last.log"
FIRST_BATCH, GROWTH = 6.0, 4.0
NO_MUTANT = 0
"""The numbers of mutants begin with 1."""
START = 2.0
"""Seconds that a test file takes besides its tests: its modules are linked, and perhaps generated, again."""


@dataclass
class Verdict:
    """`result` is `killed`, `survived` (all tests that reach it pass), `unreached`, `open` (not all of them were run)
    or `stale`. `killers` has the test that failed first, or all files that kill it, as far as they were looked for."""

    id: int
    key: str
    result: str = "open"
    killers: list[str] = field(default_factory=list)
    how: str = ""
    passed: list[str] = field(default_factory=list)
    seconds: float = 0.0


@dataclass(frozen=True)
class Step:
    """Tests of one file, with the seconds that each took when it was recorded."""

    file: str
    tests: dict[str, float]
    rank: float

    @property
    def cost(self) -> float:
        return START + sum(self.tests.values())


COMMON_WORDS = {"test", "dlb", "py", "c", "h", "python", "runtime", "core", ""}


def _words(path: str) -> set[str]:
    words = re.split(r"[_/.]", path.removesuffix(".py"))[-6:]
    return {word.rstrip("s") for word in words} - COMMON_WORDS


def steps(mutant: Mutant, records: Iterable[Record]) -> list[Step]:
    """Returns the tests that reach the mutant: first those that do so themselves, then those that share what does."""
    found = []
    named = _words(Path(mutant.file).name) | _words(Path(mutant.file).parent.name)
    for record in records:
        direct = {name: seconds for name, (seconds, reached) in record.tests.items() if mutant.id in reached}
        shared = mutant.id in record.shared
        others = {name: seconds for name, (seconds, _) in record.tests.items() if shared and name not in direct}
        alike = 5 if named & _words(Path(record.file).name) else 1
        for tests, weight in ((direct, 1.0), (others, 0.01)):
            if tests:
                found.append(Step(record.file, tests, weight * alike * len(tests) / (START + sum(tests.values()))))
    return sorted(found, key=lambda step: -step.rank)


def batches(planned: Sequence[Step], done: set[str], every: bool) -> Iterator[list[Step]]:
    """Yields the steps that are not done, in groups of growing size, or alone if `every`. Each is for one process."""
    limit, batch, cost = FIRST_BATCH, [], 0.0
    for step in planned:
        left = Step(step.file, {name: seconds for name, seconds in step.tests.items() if name not in done}, step.rank)
        if not left.tests:
            continue
        batch.append(left)
        cost += left.cost
        if every or cost >= limit:
            yield batch
            limit, batch, cost = limit * GROWTH, [], 0.0
    if batch:
        yield batch


@dataclass(frozen=True)
class Outcome:
    """`killers` are tests or files; `passed` the tests that ran and passed."""

    killers: list[str]
    how: str
    passed: list[str]


def run(mutant: Mutant, batch: Sequence[Step], seconds: float) -> Outcome:
    """Runs the tests of a batch with the mutant, until one fails. A step without tests means all tests of its file."""
    tests = {name: cost for step in batch for name, cost in step.tests.items()}
    files = list(dict.fromkeys(step.file for step in batch))
    whole = [step.file for step in batch if not step.tests]
    plan = {"tests": tests, "files": files, "whole": whole, "seconds": seconds, "output": str(STATE)}
    PLAN.write_text(json.dumps(plan), encoding="utf-8")
    STATE.unlink(missing_ok=True)
    write_flags(mutant.id)
    added = environment(DLB_MUTANT_FLAGS=str(FLAGS), DLB_MUTANT_PLAN=str(PLAN))
    with LOG.open("wb") as log:
        process = subprocess.Popen(
            pytest_command("-x", "--hypothesis-seed=36", *files),
            cwd=TREE,
            env=added,
            stdout=log,
            stderr=log,
            start_new_session=True,
        )
        try:
            process.wait(timeout=seconds + 90)
            how = "fails" if process.returncode >= 0 else signal.Signals(-process.returncode).name
        except subprocess.TimeoutExpired:
            how = "SIGALRM"
        finally:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)  # and with it the processes that a killed test has started
            process.wait()
    if not STATE.exists():
        return Outcome([] if process.returncode in (0, 5) else [files[0]], "does not start", [])
    state = json.loads(STATE.read_text(encoding="utf-8"))
    killers = state["failed"]
    if state["begun"]:
        killers = [*killers, state["begun"]]
        how = "endless" if how in ("SIGALRM", "SIGPROF") else "exits" if how == "fails" else how
    elif process.returncode not in (0, 1, 2, 5) and not killers:
        killers, how = [files[0]], "does not start"
    return Outcome(killers, how if killers else "", state["passed"])


def try_killer(mutant: Mutant, killer: str, seconds: float) -> Outcome:
    """Runs the test, or the test file, that killed the mutant before."""
    return run(mutant, [Step(killer.partition("::")[0], {killer: 5.0} if "::" in killer else {}, 0)], seconds)


def fails_anyway(killer: str, seconds: float) -> bool:
    """Returns whether the test fails alone and without a mutant: it depends on tests that run before it."""
    none = Mutant(NO_MUTANT, "", 0, 0, "", "", "", "", "")
    return bool(try_killer(none, killer, seconds).killers)


def judge(mutant: Mutant, verdict: Verdict, planned: Sequence[Step], seconds: float, every: bool) -> None:
    """Runs the planned tests for at most about `seconds`, without those that the verdict says have passed.

    The verdict becomes `killed`, `survived` or `open`. If `every`, all files are run, and those that kill are listed.
    """
    begin = time.monotonic()
    done = set(verdict.passed)
    killing = {killer.partition("::")[0] for killer in verdict.killers}
    for batch in batches(planned, done, every):
        left = seconds - (time.monotonic() - begin)
        if left <= 0:
            break
        if every and batch[0].file in killing:
            continue
        outcome = run(mutant, batch, left)
        done |= set(outcome.passed)
        if outcome.killers and fails_anyway(outcome.killers[0], seconds):
            verdict.how = f"{outcome.killers[0]} fails without a mutant, too"
            break
        if outcome.killers:
            verdict.how = verdict.how or outcome.how
            verdict.killers += outcome.killers[:1]
            killing.add(outcome.killers[0].partition("::")[0])
            if not every:
                break
    wanted = {name for step in planned for name in step.tests}
    verdict.result = "killed" if killing else "survived" if wanted <= done else "open"
    verdict.passed = sorted(done) if verdict.result == "open" else []
    verdict.seconds = round(verdict.seconds + time.monotonic() - begin, 1)


def _path(number: int) -> Path:
    return JUDGED / f"{number}.json"


def read_verdict(mutant: Mutant, key: str) -> Verdict:
    """Returns the kept verdict if it has that key, or an open one."""
    if _path(mutant.id).exists():
        kept = Verdict(**json.loads(_path(mutant.id).read_text(encoding="utf-8")))
        if kept.key == key:
            return kept
    return Verdict(mutant.id, key)


def write_verdict(verdict: Verdict) -> None:
    """Keeps a verdict for the next run."""
    JUDGED.mkdir(parents=True, exist_ok=True)
    _path(verdict.id).write_text(json.dumps(asdict(verdict)), encoding="utf-8")
