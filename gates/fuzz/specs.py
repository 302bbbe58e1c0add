# SPDX-License-Identifier: MIT
"""Gives the generator changed specs: it must accept or refuse each, without a traceback and within a time limit.

Of the accepted specs a share is compiled with the headers of the original. An error of the compiler must quote the
spec. Each case depends on the seed and its number alone: `specs.py --seed S --case N` repeats one.
"""

from __future__ import annotations

import difflib
import faulthandler
import random
import re
import signal
import subprocess
import sys
import tempfile
import time
import traceback
from dataclasses import asdict, dataclass
from pathlib import Path
from types import FrameType

import yaml

import rounds
from candidates import Candidate, find_specs
from dlpack_bindgen.emit.clang_format import RefusedText
from dlpack_bindgen.emit.render import render
from dlpack_bindgen.spec.spec import Spec
from dlpack_bindgen.tools.generate import load, refused, validate
from mutations import KEYS, change, values_of
from support.build import TOP, compiler_environment, header_flags

FOUND = TOP / "build" / "fuzz" / "found"
TIME_LIMIT = 10
"""Seconds of the processor for one spec."""
REAL_LIMIT = 300
COMPILED_SHARE = 0.3
"""Of the time, at most."""
NEXT_MESSAGE = r"(?=^\S+?:\d+:\d+: (?:fatal error|error|warning)|^In file|\Z)"
"""Notes belong to the message above them: they tell where the macro of an assertion is used."""
FIRST_ERROR = re.compile(rf"^\S+?:\d+:\d+: (?:fatal )?error: .*?{NEXT_MESSAGE}", re.MULTILINE | re.DOTALL)
# Words that say nothing of a spec, since most specs and generated files have them.
COMMON = {*KEYS, *"self const void char int unsigned long size_t object view error result source module struct".split()}


class Hang(Exception):
    """The time limit of a spec has passed."""


class Finding(Exception):
    """Something that must not happen; the text says what."""


@dataclass
class Counts:
    """Counts of the cases, by their outcome."""

    specs: int = 0
    accepted: int = 0
    compiled: int = 0
    refused_by_compiler: int = 0
    findings: int = 0


def _stop(number: int, frame: FrameType | None) -> None:
    raise Hang(f"more than {TIME_LIMIT} s")


def accept(text: str, name: str) -> list[Spec] | None:
    """Returns the specs of an accepted text; None if it is refused with at least one problem."""
    loaded = load(name, text.encode("utf-8", "surrogatepass"))
    specs, problems = validate([loaded])
    if loaded.diagnostics or problems:
        return None
    if not specs:
        raise Finding("neither a spec nor a problem")
    return specs


def write_files(specs: list[Spec], text: str, name: str, folder: Path) -> list[Path] | None:
    """Writes the generated files; returns those of C, or None where the formatter refuses a text of the spec."""
    try:
        files = render(specs)
    except RefusedText as error:
        if not refused([load(name, text.encode("utf-8", "surrogatepass"))], error):
            raise Finding(f"the formatter refuses something that has no place in the spec: {error}") from error
        return None
    for file in files:
        (folder / file.name).write_text(file.text, encoding="utf-8", errors="surrogatepass")
    return [folder / file.name for file in files if file.name.endswith(".c")]


def compile_files(sources: list[Path], candidate: Candidate) -> str | None:
    """Returns None if the files compile, else what the compiler says."""
    include = [f"-I{sources[0].parent}", f"-I{candidate.folder}", *candidate.compile_flags, *header_flags()]
    header = re.search(r"include: *\[?([\w.]+\.h)", candidate.text)
    if candidate.header is not None and header is not None:
        (sources[0].parent / header[1]).write_text(candidate.header, encoding="utf-8")
    for source in sources:
        command = ["cc", "-std=c11", "-fsyntax-only", "-fmax-errors=5", *include, str(source)]
        environment = compiler_environment() | {"LC_ALL": "C"}
        done = subprocess.run(command, capture_output=True, env=environment, check=False, timeout=REAL_LIMIT)
        if done.returncode != 0:
            return done.stderr.decode("utf-8", "replace")
    return None


def has(text: str, piece: str) -> bool:
    """Tells whether the piece is in the text, and not as a part of a longer word."""
    return re.search(rf"(?<!\w){re.escape(piece)}(?!\w)", text) is not None


def tokens(text: str) -> list[str]:
    """Returns the words and operators of a text."""
    return re.findall(r"\w+|->|\.\.\.|[^\w\s]", text)


def inserted(text: str, original: str) -> set[str]:
    """Returns the words and operators that the change has inserted, or put in place of others."""
    before, after = tokens(original), tokens(text)
    changes = difflib.SequenceMatcher(None, before, after, autojunk=False).get_opcodes()
    return {token for kind, _, _, start, end in changes if kind != "equal" for token in after[start:end]}


def scalars(text: str) -> set[str]:
    """Returns the scalars of a YAML document."""
    return {event.value for event in yaml.parse(text) if isinstance(event, yaml.ScalarEvent)}


def shows_value(shown: str, value: str) -> bool:
    """Tells whether the C text of a value that the change has made, which has a word or a number, is in an error."""
    parts, sought = tokens(shown), tokens(value)
    has_word = any(len(each) > 1 and each[0].isalnum() for each in sought)
    return has_word and any(parts[start : start + len(sought)] == sought for start in range(len(parts)))


def quotes(message: str, text: str, original: str) -> bool:
    """Tells whether the first error shows a part of the spec: a word that not every spec has, `"NAME.key`,
    or a value that the change has made.

    Common words and operators count if the compiler names them and the change has inserted them: `error: 'data'
    undeclared`.
    """
    first = FIRST_ERROR.search(message)
    shown = first.group() if first else message
    if any(has(text, name) for name in re.findall(r'"(\w+)\.\w+', shown)):
        return True
    if '#error "spec.yaml ' in shown:  # the generated header says what the spec lacks
        return True
    missing = re.search(r"fatal error: (.+): No such file", shown)
    if missing is not None:  # the original compiles, so the file can only be one that the spec includes
        return re.search(r"\s+".join(map(re.escape, missing[1].split())), text) is not None  # YAML folds lines
    named = re.findall(r"'([^']+)'", shown.partition("\n")[0])
    if any(each.isidentifier() and each not in COMMON and has(text, each) for each in named):
        return True
    new = inserted(text, original)
    if any(set(tokens(each)) <= new for each in named if len(each) > 1 or each.isalnum()):
        return True
    shown = re.sub(r"[\w./-]+\.[ch]\b(:\d+)*", "", shown)  # names of files have the name of the module
    words = set(re.findall(r"[A-Za-z_]\w{2,}|\d+\.\d+|\d{2,}", text)) - COMMON
    return any(has(shown, word) for word in words) or any(
        shows_value(shown, value) for value in scalars(text) - scalars(original)
    )


class Fuzzer:
    """Draws cases from the specs of the repository, and runs them."""

    def __init__(self, seed: int) -> None:
        self.seed = seed
        self.counts = Counts()
        self.compile_time = 0.0
        self.start = time.monotonic()
        self.originals = find_specs()
        self.pool = values_of([each.text for each in self.originals])
        self._compiles: dict[str, bool] = {}

    def draw(self, number: int) -> tuple[Candidate, str]:
        """Returns the original and the changed text of a case."""
        choose = random.Random(f"{self.seed}:{number}")
        candidate = choose.choice(self.originals)
        return candidate, change(candidate.text, choose, self.pool)

    def run_case(self, number: int, always_compile: bool = False) -> None:
        """Runs one case; raises a Finding, or the exception of the generator."""
        candidate, text = self.draw(number)
        self.counts.specs += 1
        signal.setitimer(signal.ITIMER_PROF, TIME_LIMIT)
        faulthandler.dump_traceback_later(REAL_LIMIT, exit=True)
        try:
            specs = accept(text, "spec.yaml")
        finally:
            signal.setitimer(signal.ITIMER_PROF, 0)
            faulthandler.cancel_dump_traceback_later()
        if specs is None:
            return
        self.counts.accepted += 1
        spent = self.compile_time / (time.monotonic() - self.start)
        if always_compile or spent < COMPILED_SHARE:
            began = time.monotonic()
            self.compile_case(candidate, text, specs)
            self.compile_time += time.monotonic() - began

    def compile_case(self, candidate: Candidate, text: str, specs: list[Spec]) -> None:
        """Compiles an accepted spec, if its original compiles."""
        if not self.original_compiles(candidate):
            return
        with tempfile.TemporaryDirectory() as folder:
            signal.setitimer(signal.ITIMER_PROF, TIME_LIMIT)
            try:
                sources = write_files(specs, text, "spec.yaml", Path(folder))
            finally:
                signal.setitimer(signal.ITIMER_PROF, 0)
            if sources is None:
                return
            self.counts.compiled += 1
            message = compile_files(sources, candidate)
        if message is not None:
            self.counts.refused_by_compiler += 1
            if not quotes(message, text, candidate.text):
                raise Finding(f"the error of the compiler shows nothing of the spec:\n{message[:3000]}")

    def original_compiles(self, candidate: Candidate) -> bool:
        """Tells whether the original compiles here: the headers of some are not in the repository."""
        if candidate.origin not in self._compiles:
            specs = accept(candidate.text, "spec.yaml")
            if specs is None:
                self._compiles[candidate.origin] = False
                return False
            with tempfile.TemporaryDirectory() as folder:
                sources = write_files(specs, candidate.text, "spec.yaml", Path(folder))
                self._compiles[candidate.origin] = sources is not None and compile_files(sources, candidate) is None
        return self._compiles[candidate.origin]

    def report(self, number: int, error: BaseException) -> None:
        """Writes a finding to build/fuzz/found, and prints how to repeat it."""
        self.counts.findings += 1
        candidate, text = self.draw(number)
        FOUND.mkdir(parents=True, exist_ok=True)
        path = FOUND / f"spec-{self.seed}-{number}.yaml"
        path.write_text(text, encoding="utf-8", errors="surrogatepass")
        what = str(error) if isinstance(error, Finding) else "".join(traceback.format_exception(error)[-4:])
        print(f"FINDING: {path.relative_to(TOP)}, of {candidate.origin}: {what}")
        print(f"  to repeat: {sys.argv[0]} --seed {self.seed} --case {number}", flush=True)


def main() -> None:
    parser = rounds.parser(__doc__)
    parser.add_argument("--case", type=int, help="runs this case alone")
    options = parser.parse_args()
    signal.signal(signal.SIGPROF, _stop)
    fuzzer = Fuzzer(options.seed)
    if options.case is not None:
        print(fuzzer.draw(options.case)[1])
        fuzzer.run_case(options.case, always_compile=True)
        return
    number = 0
    fuzzer.start = time.monotonic()
    while time.monotonic() - fuzzer.start < options.seconds:
        try:
            fuzzer.run_case(number)
        except Exception as error:
            fuzzer.report(number, error)
        number += 1
    counts = asdict(fuzzer.counts)
    listed = ", ".join(f"{value} {name}" for name, value in counts.items())
    rounds.end(options, counts, f"seed {options.seed}: {listed}")


if __name__ == "__main__":
    main()
