# SPDX-License-Identifier: MIT
"""`make try-specs`: runs `dlpack-bindgen try` over the specs of this repository, and counts the calls that returned.

Each spec has 20,000 generated steps, and avframe and cfi have their tests, too. A refuted claim fails the target,
unless `NAME.limits.yaml` beside the spec expects it. `calls.txt` lists how many calls of each function, method and
property returned. A target with fewer than 20 needs a line in `reasons.txt`.

TRY_SPECS="gsl nrrd" chooses specs, TRY_CALLS=2000 the number of steps, TRY_SEED the calls. TRY_SAMPLE=SEED runs one
spec of this repository and one of an installed library, with few steps: the seed chooses both. TRY_WRITE=1 writes
`calls.txt`."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

import ledger
from try_.libraries import BUILD, LIBRARIES, TOP, Library, arguments, library

CALLS = Path(__file__).with_name("calls.txt")
REASONS = Path(__file__).with_name("reasons.txt")
STEPS = 20_000
STEPS_OF_SAMPLE = 1_500
ENOUGH = 20
"""The number of calls that must return."""
SEEDED_BUG = (
    "without the `require` of `Rng.shuffle` in specs/gsl.yaml, the target fails: Rng().shuffle() of an array without "
    "elements ends the process with SIGSEGV in gsl_ran_shuffle()."
)


@dataclass(frozen=True)
class Run:
    """The report of `try` about one spec."""

    of: Library
    status: int
    report: dict[str, Any]
    seconds: float

    @property
    def returned(self) -> dict[str, int]:
        """Returns how many calls of each target returned, for all targets of the spec."""
        return {each["name"]: each["returned"] for each in self.report["targets"]}

    @property
    def states(self) -> Counter[str]:
        return Counter(each["state"] for each in self.report["claims"] if each["state"] != "notice")

    @property
    def exercised(self) -> float:
        """Returns the percentage of the claims that calls or tests have confirmed or refuted, also as known limits."""
        states = self.states
        known = {(each["kind"], each["subject"], each["argument"]) for each in self.report["known"]}
        return 100 * (1 - states["not exercised"] / max(sum(states.values()) + len(known), 1))

    def figure(self, steps: int) -> str:
        """Returns the line of the page."""
        states, known = self.states, len(self.report["known"])
        calls = sum(each["returned"] + each["raised"] for each in self.report["targets"])
        enough = sum(count >= ENOUGH for count in self.returned.values())
        limits = f", {known} known limits" if known else ""
        return (
            f"{steps:,} steps, {calls:,} calls, of which {sum(self.returned.values()):,} returned; claims: "
            f"{states['confirmed']} confirmed, {states['refuted']} refuted{limits}, {states['not exercised']} not "
            f"exercised ({self.exercised:.0f} % exercised); {enough} of {len(self.returned)} functions, methods and "
            f"properties returned {ENOUGH} times or more; {self.seconds:.0f} s"
        )


def run(of: Library, steps: int, seed: int) -> Run:
    """Runs `try` over a spec, and prints its report. Exits if it could not run."""
    BUILD.mkdir(parents=True, exist_ok=True)
    path = BUILD / f"{of.name}.json"
    path.unlink(missing_ok=True)
    command = [sys.executable, "-m", "dlpack_bindgen", "try", of.spec, "--calls", str(steps), "--seed", str(seed)]
    command += [word for test in of.tests for word in ("--with", test)]
    begun = time.monotonic()
    done = subprocess.run([*command, "--json", str(path), "--", *arguments(of)], cwd=TOP, check=False)
    if done.returncode not in (0, 1) or not path.exists():
        sys.exit(f"{of.name}: try could not run (exit code {done.returncode})")
    return Run(of, done.returncode, json.loads(path.read_text(encoding="utf-8")), time.monotonic() - begun)


# ---- The reasons for targets that seldom return ----


def read_reasons() -> list[tuple[str, str, str]]:
    """Returns the lines of `reasons.txt`: spec, target, reason. `*` in a target stands for any words."""
    found = []
    for line in REASONS.read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            of, _, rest = line.partition(" ")
            target, _, reason = rest.partition(": ")
            found.append((of, target, reason))
    return found


def problems(runs: Sequence[Run], reasons: Sequence[tuple[str, str, str]]) -> list[str]:
    """Returns a sentence for each target without a reason, and for each reason without a target."""
    found = []
    used = set()
    for each in runs:
        for name, count in sorted(each.returned.items()):
            lines = [line for line in reasons if line[0] == each.of.name and fnmatchcase(name, line[1])]
            if count < ENOUGH and not lines:
                found.append(f"{each.of.name} {name}: {count} calls returned, and {REASONS.name} has no reason")
            used |= set(lines) if count < ENOUGH else set()
    names = {each.of.name for each in runs}
    found += [
        f"{of} {target}: {ENOUGH} calls or more returned; remove the line from {REASONS.name}"
        for of, target, reason in reasons
        if of in names and (of, target, reason) not in used
    ]
    return found


def counted(runs: Sequence[Run]) -> str:
    """Returns the content of `calls.txt`."""
    lines = [f"# Generated calls that returned, of {STEPS:,} steps for each spec. `make try-specs` writes this list."]
    for each in runs:
        lines += ["", f"{each.of.name}: {each.exercised:.0f} % of {sum(each.states.values())} claims exercised"]
        for target in sorted(each.report["targets"], key=lambda target: target["name"]):
            raised = f", and {target['raised']} raised an exception" if target["raised"] else ""
            lines.append(f"    {target['name']}: {target['returned']}{raised}")
    return "\n".join(lines) + "\n"


def sampled(seed: str) -> list[Library]:
    """Returns a spec of this repository and one of an installed library."""
    chance = random.Random(seed)
    return [
        chance.choice([each for each in LIBRARIES if not each.package]),
        chance.choice([each for each in LIBRARIES if each.package]),
    ]


def main() -> None:
    names = os.environ.get("TRY_SPECS", "").split()
    sample = os.environ.get("TRY_SAMPLE")
    steps = int(os.environ.get("TRY_CALLS") or (STEPS if sample is None else STEPS_OF_SAMPLE))
    seed = int(os.environ.get("TRY_SEED") or 1)
    chosen = sampled(sample) if sample is not None else [*map(library, names)] or [*LIBRARIES]
    if sample is not None:
        names = [each.name for each in chosen]
        print(f"sample; to repeat it: TRY_SPECS={' '.join(names)!r} TRY_CALLS={steps} make try-specs")
    complete = not names and steps >= STEPS
    if complete:
        ledger.start("try-specs")
    runs = [run(each, steps, seed) for each in chosen]
    figures = {each.of.name: each.figure(steps) for each in runs}
    print(*(f"{name}: {figure}" for name, figure in figures.items()), sep="\n")
    if os.environ.get("TRY_WRITE") == "1":
        CALLS.write_text(counted(runs), encoding="utf-8")
    refuted = [each.of.name for each in runs if each.status != 0]
    if refuted:
        sys.exit(f"refuted: {', '.join(refuted)}; the reports are above")
    found = problems(runs, read_reasons()) if steps >= STEPS else []
    if found:
        sys.exit("\n".join(found))
    if complete:
        ledger.record(
            "try-specs",
            claim="`dlpack-bindgen try` refutes no claim of the specs of this repository, except for the known limits "
            "of FFTW. `gates/try_/calls.txt` has the number of calls for each function, method and property.",
            command="make try-specs",
            figures=figures,
            seeded_bug=SEEDED_BUG,
            compiler="cc",
        )


if __name__ == "__main__":
    main()
