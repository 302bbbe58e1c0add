# SPDX-License-Identifier: MIT
"""`make mutants`: says which test kills which mutant, and compares with `baseline.tsv`.

Environment: `MUTANTS="17 23"` judges those alone; `MUTANTS_MINUTES` stops after that time, and the next run continues;
`MUTANTS_SECONDS` limits each mutant (60); `MUTANTS_ALL=1` lists all files that kill a mutant; `MUTANTS_WRITE=1` writes
`baseline.tsv`.
"""

from __future__ import annotations

import os
import random
import sys
import time
from collections import Counter
from dataclasses import dataclass

from instrument import tree_digest, write_tree, write_venv
from judge import Verdict, judge, read_verdict, steps, try_killer, write_verdict
from mutants import HERE, TREE, Mutant, read_list
from record import is_recorded, kill_again, read_records, record, test_files

sys.path.insert(0, str(HERE.parent))
import ledger

BASELINE = HERE / "baseline.tsv"
HEADER = "mutant\tverdict\tplace\tkilled by, or why it survives\n"
EVERY = os.environ.get("MUTANTS_ALL") == "1"
SECONDS = float(os.environ.get("MUTANTS_SECONDS", "60"))
MINUTES = float(os.environ.get("MUTANTS_MINUTES", "inf"))
CLAIM = "Tests fail after changes of single expressions and statements, drawn by lot over runtime and generator."
PER_FILE = 1.5
"""Seconds that a test file has for each mutant when it is recorded."""
SEEDED = (
    "An assertion of tests/generator/test_validate_import.py was made true for every result. The run ended with exit 1 "
    "and the line `116: generator/dlpack_bindgen/validate/build/steps.py:86: … killed it`."
)


@dataclass(frozen=True)
class Known:
    """A line of the baseline: `notes` are the tests that kill the mutant, or one reason why it survives."""

    result: str
    notes: tuple[str, ...] = ()

    @property
    def note(self) -> str:
        return self.notes[0] if self.notes else ""


def read_baseline() -> dict[int, Known]:
    """Returns the committed verdicts by mutant."""
    if not BASELINE.exists():
        return {}
    rows = [line.split("\t") for line in BASELINE.read_text(encoding="utf-8").splitlines()[1:]]
    return {int(number): Known(result, tuple(filter(None, notes))) for number, result, _, *notes in rows}


def write_baseline(mutants: list[Mutant], verdicts: dict[int, Verdict], known: dict[int, Known]) -> None:
    """Writes the verdicts; a mutant that was not judged keeps its line, a survivor the reason that was given for it."""
    lines = [HEADER]
    for mutant in mutants:
        verdict, before = verdicts.get(mutant.id), known.get(mutant.id, Known("open"))
        if verdict is None or verdict.result in ("open", "stale"):
            result, notes = before.result, before.notes
        elif verdict.result == "killed":
            again = set(verdict.killers) <= set(before.notes)
            result, notes = "killed", before.notes if again else tuple(verdict.killers)
        else:
            result, notes = verdict.result, before.notes if before.result != "killed" else ()
        lines.append("\t".join((str(mutant.id), result, f"{mutant.file}:{mutant.line}", *notes)) + "\n")
    BASELINE.write_text("".join(lines), encoding="utf-8")


def describe(mutant: Mutant) -> str:
    """Returns one line that shows the change."""
    old, new = (" ".join(text.split()) for text in (mutant.old, mutant.new))
    return f"{mutant.id}: {mutant.file}:{mutant.line}: {mutant.operator}: `{old}` -> `{new}`"


def chosen(mutants: list[Mutant]) -> list[Mutant]:
    """Returns the mutants to judge, in the order of a lot: whatever is done when the time is over is a fair sample."""
    numbers = {int(word) for word in os.environ.get("MUTANTS", "").split()}
    order = [mutant for mutant in mutants if not numbers or mutant.id in numbers]
    random.Random(len(mutants)).shuffle(order)
    return order


class Run:
    """One run over the chosen mutants."""

    def __init__(self, mutants: list[Mutant], known: dict[int, Known]) -> None:
        self.end = time.monotonic() + MINUTES * 60
        self.known = known
        self.order = chosen(mutants)
        self.stale = {mutant.id for mutant in write_tree(mutants)}
        write_venv()
        self.tree = tree_digest() + (" all" if EVERY else "")
        self.verdicts: dict[int, Verdict] = {}
        self.missed: set[int] = set()  # those that the test of the baseline no longer kills

    def over(self) -> bool:
        return time.monotonic() > self.end

    def keep(self, mutant: Mutant, verdict: Verdict) -> None:
        """Keeps a verdict and shows it."""
        write_verdict(verdict)
        print(f"{verdict.result:9} {describe(mutant)}\n          {' '.join(verdict.killers)} {verdict.how}", flush=True)

    def first(self) -> list[Mutant]:
        """Tries the tests of the baseline. Returns the mutants that these do not kill."""
        left = []
        files: dict[str, dict[int, str]] = {}
        for mutant in self.order:
            verdict = self.verdicts[mutant.id] = read_verdict(mutant, self.tree)
            if mutant.id in self.stale:
                verdict.result = "stale"
                print(f"stale     {describe(mutant)}", flush=True)
            elif verdict.result == "open":
                left.append(mutant)
                before = self.known.get(mutant.id)
                if before and before.result == "killed" and not EVERY and not verdict.passed:
                    files.setdefault(before.note.partition("::")[0], {})[mutant.id] = before.note
        by_number = {mutant.id: mutant for mutant in left}
        for file, killers in sorted(files.items()):
            if not self.over() and (TREE / file).exists():
                killed = kill_again(file, killers, SECONDS)
                for number, killer in killers.items():
                    if number not in killed and (outcome := try_killer(by_number[number], killer, SECONDS)).killers:
                        killed[number] = (outcome.killers[0], outcome.how)
                for number, (test, how) in killed.items():
                    self.verdicts[number].result, self.verdicts[number].how = "killed", how
                    self.verdicts[number].killers = [test]
                    self.keep(by_number[number], self.verdicts[number])
            if not self.over():
                self.missed |= {number for number in killers if self.verdicts[number].result == "open"}
        return [mutant for mutant in left if self.verdicts[mutant.id].result == "open"]

    def second(self, left: list[Mutant]) -> None:
        """Records the test files, and tries in each the mutants that are not judged and that single tests reach."""
        for file in test_files():
            limits = {
                mutant.id: min(PER_FILE, SECONDS - self.verdicts[mutant.id].seconds)
                for mutant in left
                if EVERY or (self.verdicts[mutant.id].result == "open" and self.verdicts[mutant.id].seconds < SECONDS)
            }
            if self.over() or is_recorded(file, self.tree) or not limits:
                continue
            found = record(file, self.tree, limits)
            for mutant in left:
                killed = found["killed"].get(str(mutant.id))
                passed = found["passed"].get(str(mutant.id), [])
                verdict = self.verdicts[mutant.id]
                if not mutant.file.endswith(".py"):  # results that Python keeps from before hide a mutant
                    verdict.passed += passed
                verdict.seconds += sum(found["tests"][name][0] for name in passed if name in found["tests"])
                if killed is not None:
                    verdict.result, verdict.how = "killed", killed[1]
                    verdict.killers.append(killed[0])
                    self.keep(mutant, verdict)
                elif passed:
                    write_verdict(verdict)

    def third(self, left: list[Mutant]) -> None:
        """Runs the tests that are left for a mutant, in processes that have it from their start."""
        records = read_records(self.tree)
        complete = len(records) == len(test_files())
        for mutant in left:
            verdict = self.verdicts[mutant.id]
            if self.over() or (verdict.result != "open" and not EVERY):
                continue
            planned = steps(mutant, records)
            if planned:
                judge(mutant, verdict, planned, SECONDS, EVERY)
            elif complete:
                verdict.result = "unreached"
            if verdict.result == "survived" and not complete:
                verdict.result = "open"
            self.keep(mutant, verdict)


def report(run: Run, mutants: list[Mutant]) -> int:
    """Prints the mutants that are not killed. Returns 1 if one of them was killed before."""
    worse = 0
    for mutant in mutants:
        verdict, before = run.verdicts.get(mutant.id), run.known.get(mutant.id, Known("open"))
        if verdict is None or verdict.result == "killed":
            continue
        if before.result == "killed" and (mutant.id in run.missed or verdict.result in ("survived", "unreached")):
            worse += 1
            print(f"{describe(mutant)}: {verdict.result}, but {before.note} killed it")
        elif verdict.result != "open":
            print(f"{describe(mutant)}: {verdict.result} {before.note}")
    counts = Counter(verdict.result for verdict in run.verdicts.values())
    print(", ".join(f"{count} {result}" for result, count in sorted(counts.items())))
    return 1 if worse else 0


def main() -> int:
    """Runs, reports, and keeps the figures of a complete run that passed."""
    mutants, known = read_list(), read_baseline()
    ledger.start("mutants")
    run = Run(mutants, known)
    left = run.first()
    run.second(left)
    run.third(left)
    status = report(run, mutants)
    counts = Counter(verdict.result for verdict in run.verdicts.values())
    if os.environ.get("MUTANTS_WRITE") == "1":
        write_baseline(mutants, run.verdicts, known)
    unended = [known.get(number, Known("open")) for number, each in run.verdicts.items() if each.result == "open"]
    are_explained = all(each.result == "survived" and each.note for each in unended)
    if status == 0 and len(run.verdicts) == len(mutants) and are_explained:
        names = {"killed": "killed", "survived": "survived", "unreached": "reached by no test", "stale": "stale"}
        explained = sum(1 for number, each in known.items() if each.note and run.verdicts[number].result == "survived")
        figures = {"mutants": str(len(mutants)), **{text: str(counts[name]) for name, text in names.items()}}
        figures["survivors with a reason: the change has no effect"] = str(explained)
        if unended:
            figures["survivors of an earlier run with such a reason, for which the time was over"] = str(len(unended))
        ledger.record("mutants", claim=CLAIM, command="make mutants", figures=figures, seeded_bug=SEEDED, compiler="cc")
    return status


if __name__ == "__main__":
    sys.exit(main())
