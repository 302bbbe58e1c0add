# SPDX-License-Identifier: MIT
"""`make try-seeded`: puts errors into specs, one at a time, and counts those that somebody finds.

The generator, the C compiler and `dlpack-bindgen try` look at each spec with an error, in this order. An error without
effect is left out: the script proves that the compiled code is the same. `seeded.tsv` has the outcome of each error,
and `not_found.txt` the reason for each error that nobody finds. The target fails if an error is no longer found.

TRY_SPECS="imaging nrrd" chooses specs, TRY_SAMPLE=SEED a few errors of each, TRY_SEED the generated calls, TRY_JOBS how
many errors are judged at a time (by default one for each CPU). TRY_WRITE=1 writes `seeded.tsv`."""

from __future__ import annotations

import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import ledger
from dlpack_bindgen.emit.render import render
from dlpack_bindgen.spec.check import validate
from dlpack_bindgen.text.yaml import load
from dlpack_bindgen.tools import config
from try_.errors import SeededError, errors_of
from try_.libraries import BUILD, TOP, Library, arguments, library

SPECS = ("imaging", "gsl", "nrrd")
OUTCOMES = Path(__file__).with_name("seeded.tsv")
REASONS = Path(__file__).with_name("not_found.txt")
CALLS = 900
SAMPLE = 6
"""The number of errors of each spec in a sample."""
SECONDS = 900
GENERATOR, COMPILER, TRY, NOTICE = "generator", "compiler", "try", "notice"
Files = dict[str, str]
_GENERATOR = threading.Lock()
"""The generator is for one thread at a time."""
FOUND = (GENERATOR, COMPILER, TRY, NOTICE)
SAME, NOT_FOUND = "no effect", "not found"
SEEDED_BUG = (
    "with a `bad` of runtime/checked that finds all memory good, the extents of imaging, gsl and nrrd that are too "
    "large are no longer found, and the target names each of them."
)


@dataclass(frozen=True)
class Outcome:
    """Who found an error, and by what: a message, a check, or the proof that there is none."""

    error: SeededError
    by: str
    what: str

    @property
    def line(self) -> str:
        return "\t".join((self.error.library, self.error.kind, self.error.name, self.by, self.what))


def read_outcomes() -> dict[tuple[str, str], str]:
    """Returns who found each error in the last full run, by spec and error."""
    lines = OUTCOMES.read_text(encoding="utf-8").splitlines()[1:] if OUTCOMES.exists() else []
    rows = [line.split("\t") for line in lines]
    return {(row[0], row[2]): row[3] for row in rows}


def read_reasons() -> dict[tuple[str, str], str]:
    """Returns the reasons by spec and error. A line is `SPEC ERROR -- REASON`; `*` stands for any words."""
    found = {}
    for line in REASONS.read_text(encoding="utf-8").splitlines() if REASONS.exists() else []:
        if line and not line.startswith("#"):
            error, _, reason = line.partition(" -- ")
            of, _, name = error.partition(" ")
            found[(of, name)] = reason
    return found


# ---- One error ----


class Judge:
    """Finds out who finds the errors of one spec."""

    def __init__(self, of: Library, seed: int) -> None:
        self._of = of
        self._seed = seed
        self._arguments = arguments(of)
        self._folder = Path(tempfile.mkdtemp(prefix=f"seeded-{of.name}-", dir=BUILD))
        self._known = self._baseline()

    def close(self) -> None:
        shutil.rmtree(self._folder, ignore_errors=True)

    def _baseline(self) -> set[tuple[str, str, str]]:
        """Returns what `try` says about the spec as it is."""
        status, found, printed = self._try((TOP / self._of.spec).read_text(encoding="utf-8"), "baseline", 5 * CALLS)
        if status not in (0, 1):
            sys.exit(f"{self._of.name}: try fails for the spec as it is:\n{printed}")
        return set(found)

    def judge(self, numbered: tuple[int, SeededError]) -> Outcome:
        number, error = numbered
        with _GENERATOR:
            found = self._generated(error)
        if isinstance(found, Outcome):
            return found
        files, unchanged = found
        if self._of.itemsize == "1" and error.change.endswith("* 1"):
            return Outcome(error, SAME, "a factor of 1")
        if self._of.itemsize == "1" and (error.kind == "unit" or error.change == "strides[0]"):
            return Outcome(error, SAME, "an element has one byte")
        if files == unchanged:
            return Outcome(error, SAME, "the generated C is the same")
        status, seen, printed = self._try(error.text, f"error-{number}", CALLS)
        new = [each for each in seen if each not in self._known]
        if status == 1 and new:
            return Outcome(error, TRY, " ".join(part for part in new[0] if part))
        if status == 0 and new:
            return Outcome(error, NOTICE, " ".join(part for part in new[0] if part))
        if status == 2 and "error: " in printed:  # the generator has accepted the spec
            return Outcome(error, COMPILER, _first_error(printed))
        if status not in (0, 1):
            return Outcome(error, NOT_FOUND, f"try ended with {status}: {printed.strip().splitlines()[-1:]}")
        return self._compared(error, files, unchanged, number)

    def _generated(self, error: SeededError) -> Outcome | tuple[Files, Files]:
        """Returns the generated C with and without the error, or the outcome if the generator finds the error."""
        loaded = load(f"{self._of.name}.yaml", error.text.encode())
        specs, problems = validate([loaded])
        problems = [*loaded.diagnostics, *problems]
        if problems:
            return Outcome(error, GENERATOR, problems[0].message)
        base = load(f"{self._of.name}.yaml", error.base.encode())
        base_specs, base_problems = validate([base])
        if base_problems:
            raise ValueError(f"{error.name}: the rest of the spec is not valid: {base_problems[0].message}")
        return _c_of(specs), _c_of(base_specs)

    def _compared(self, error: SeededError, files: Files, unchanged: Files, number: int) -> Outcome:
        """Compares the machine code, and what the compiler warns of."""
        objects, warnings = self._objects(files, f"code-{number}")
        others, known = self._objects(unchanged, f"code-{number}")
        if objects == others:
            return Outcome(error, SAME, "the machine code is the same")
        new = [each for each in warnings if each not in known]
        return Outcome(error, COMPILER, new[0]) if new else Outcome(error, NOT_FOUND, "")

    def _objects(self, files: Files, name: str) -> tuple[list[bytes], list[str]]:
        """Returns the compiled code, and the warnings of the compiler without places."""
        folder = self._folder / name
        folder.mkdir(exist_ok=True)
        for each, text in files.items():
            (folder / each).write_text(text, encoding="utf-8")
        found, printed = [], ""
        for each in sorted(name for name in files if name.endswith(".c")):
            made = folder / f"{each}.o"
            flags = [flag for flag in self._arguments if flag.startswith(("-I", "-D"))]
            headers = [*config.cflags(), *config.python_cflags(), f"-I{folder}"]
            command = ["cc", "-std=gnu11", "-O2", "-fPIC", "-Wall", *flags, *headers, "-c", str(folder / each)]
            done = subprocess.run([*command, "-o", str(made)], capture_output=True, text=True, check=True)
            printed += done.stderr
            found.append(made.read_bytes())
        shutil.rmtree(folder)
        messages = [line.partition("warning: ")[2] for line in printed.splitlines() if "warning: " in line]
        return found, messages

    def _try(self, text: str, name: str, calls: int) -> tuple[int, list[tuple[str, str, str]], str]:
        """Runs `try`. Returns its exit code, its findings and its output."""
        folder = self._folder / name
        folder.mkdir()
        spec, report = folder / f"{self._of.name}.yaml", folder / "report.json"
        spec.write_text(text, encoding="utf-8")
        command = [sys.executable, "-m", "try_.quick", str(spec), "--json", str(report), "--calls", str(calls)]
        command += ["--seed", str(self._seed), "--", *self._arguments]
        environment = os.environ | {
            "PYTHONPATH": os.pathsep.join([str(TOP / "gates"), os.environ.get("PYTHONPATH", "")])
        }
        try:
            done = subprocess.run(
                command, capture_output=True, text=True, errors="replace", timeout=SECONDS, cwd=TOP, env=environment
            )
        except subprocess.TimeoutExpired:
            return 124, [], f"no end after {SECONDS} s"
        found = []
        if report.exists():
            claims = json.loads(report.read_text(encoding="utf-8"))["claims"]
            found = [
                (each["check"], each["subject"], each["argument"] or "")
                for each in claims
                if each["state"] in ("refuted", "notice")
            ]
        shutil.rmtree(folder)
        return done.returncode, found, done.stdout + done.stderr


def _c_of(specs: Sequence[object]) -> Files:
    """Returns the generated C."""
    return {each.name: each.text for each in render(specs) if each.name.endswith((".c", ".h"))}  # type: ignore[arg-type]


def _first_error(printed: str) -> str:
    line = next((line for line in printed.splitlines() if "error: " in line), printed.strip())
    return line.partition("error: ")[2] or line


# ---- All errors ----


def chosen(of: Library, sample: str | None) -> list[SeededError]:
    """Returns the errors of a spec, or a few that the seed chooses."""
    path = TOP / of.spec
    found = errors_of(load(of.spec, path.read_bytes()), of)
    if sample is None:
        return found
    return random.Random(f"{sample}:{of.name}").sample(found, min(SAMPLE, len(found)))


def judged(of: Library, errors: Sequence[SeededError], seed: int) -> list[Outcome]:
    """Returns the outcomes, in the order of the errors."""
    judge = Judge(of, seed)
    found = []
    try:
        with ThreadPoolExecutor(int(os.environ.get("TRY_JOBS", os.cpu_count() or 1))) as pool:
            for each in pool.map(judge.judge, enumerate(errors)):
                found.append(each)
                print(f"{each.by:10} {each.error.library} {each.error.name}  {each.what}"[:170], flush=True)
    finally:
        judge.close()
    return found


def table(outcomes: Iterable[Outcome]) -> dict[str, str]:
    """Returns how many errors were found, by spec and kind."""
    count: dict[str, Counter[str]] = {}
    for each in outcomes:
        for row in (f"{each.error.library}, {each.error.kind}", f"{each.error.library}, all"):
            count.setdefault(row, Counter())[each.by] += 1
    return {row: _words(by) for row, by in count.items()}


def _words(by: Counter[str]) -> str:
    found, all_ = sum(by[who] for who in FOUND), sum(by.values()) - by[SAME]
    who = ", ".join(f"{name} {by[name]}" for name in FOUND if by[name])
    share = f" ({100 * found / all_:.0f} %)" if all_ else ""
    same = f"; {by[SAME]} without effect" if by[SAME] else ""
    return f"{found} of {all_}{share}{': ' + who if who else ''}{same}"


def unexplained(outcomes: Iterable[Outcome]) -> list[Outcome]:
    """Returns the errors that nobody finds, and that have no reason."""
    reasons = [*read_reasons()]
    return [each for each in outcomes if each.by == NOT_FOUND and not any(_is_named(each, *name) for name in reasons)]


def _is_named(outcome: Outcome, of: str, name: str) -> bool:
    from fnmatch import fnmatchcase

    pattern = name.replace("[", "[[]")
    return of in ("*", outcome.error.library) and fnmatchcase(outcome.error.name, pattern)


def main() -> None:
    names = os.environ.get("TRY_SPECS", "").split()
    sample = os.environ.get("TRY_SAMPLE")
    seed = int(os.environ.get("TRY_SEED", "1"))
    complete = not names and sample is None
    if complete:
        ledger.start("try-seeded")
    BUILD.mkdir(parents=True, exist_ok=True)
    begun = time.monotonic()
    known = read_outcomes()
    outcomes: list[Outcome] = []
    for of in map(library, names or SPECS):
        outcomes += judged(of, chosen(of, sample), seed)
    figures = table(outcomes)
    print(*(f"{row:24} {words}" for row, words in figures.items()), sep="\n")
    if os.environ.get("TRY_WRITE") == "1":
        OUTCOMES.write_text("\n".join(["spec\tkind\terror\tfound by\twhat", *(each.line for each in outcomes), ""]))
    lost = [
        each for each in outcomes if each.by == NOT_FOUND and known.get((each.error.library, each.error.name)) in FOUND
    ]
    for each in lost:
        print(f"no longer found: {each.error.library} {each.error.name}")
    for each in unexplained(outcomes):
        print(f"not found, and {REASONS.name} has no reason: {each.error.library} {each.error.name}")
    print(f"{len(outcomes)} errors, {time.monotonic() - begun:.0f} s, seed {seed}")
    if lost or unexplained(outcomes):
        sys.exit(1)
    if complete:
        ledger.record(
            "try-seeded",
            claim="Specs with one error each: who finds the error, the generator, the C compiler or "
            "`dlpack-bindgen try`. Errors without effect are not counted: the compiled code is the same.",
            command="make try-seeded",
            figures=figures,
            seeded_bug=SEEDED_BUG,
            compiler="cc",
        )


if __name__ == "__main__":
    main()
