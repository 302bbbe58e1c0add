# SPDX-License-Identifier: MIT
"""Draws the mutants and writes `mutants.jsonl`: one in each file with code, and more in large files.

The draw is repeatable: it depends on the sources and on `SEED`. Mutants that do not compile without a warning are drawn
again. It needs tree-sitter and tree-sitter-c; the list alone is enough to run `make mutants`.
"""

from __future__ import annotations

import random
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import candidates_c
import candidates_python
from candidates import Candidate
from dlpack_bindgen.tools import config
from instrument import write_tree
from mutants import BUILD, TOP, Mutant, context_at, locate, places, sources, write_list

SEED = 36
WANTED = {"runtime": 180, "generator": 150}
TREE = BUILD / "draw"
ROUNDS = 12
FLAGS = ("-std=c11", "-O1", "-fPIC", "-Wall", "-Wextra")
MESSAGE = re.compile(r"^(/[^:\n]+):(\d+):\d+: (?:warning|error|fatal error): .*", re.M)


def choices(file: str, text: bytes) -> list[Candidate]:
    """Returns the candidates of a file in the order of the draw, which takes each operator in turn."""
    found = candidates_python.find(text) if file.endswith(".py") else candidates_c.find(text)
    lots = random.Random(f"{SEED} {file}")
    groups: dict[str, list[Candidate]] = {}
    for candidate in sorted(found, key=lambda candidate: (candidate.start, candidate.end)):
        groups.setdefault(candidate.operator, []).append(candidate)
    for group in groups.values():
        lots.shuffle(group)
    names = sorted(groups)
    lots.shuffle(names)
    return [groups[name][turn] for turn in range(len(found)) for name in names if turn < len(groups[name])]


def quotas(ordered: dict[str, list[Candidate]]) -> dict[str, int]:
    """Returns how many mutants each file gets: one, and of the rest as many as its share of all candidates."""
    numbers = {}
    for folder, wanted in WANTED.items():
        files = {file: len(found) for file, found in ordered.items() if file.startswith(folder) and found}
        spare = max(0, wanted - len(files))
        total = sum(files.values())
        exact = {file: spare * count / total for file, count in files.items()}
        rest = spare - sum(int(share) for share in exact.values())
        for file in sorted(exact, key=lambda file: (int(exact[file]) - exact[file], file)):
            numbers[file] = 1 + int(exact[file]) + (1 if rest > 0 else 0)
            rest -= 1
    return numbers


def select(
    ordered: dict[str, list[Candidate]], contents: dict[str, bytes], refused: set[tuple[str, int, int]]
) -> list[Mutant]:
    """Returns the first candidates of each file that overlap no other one and were not refused."""
    mutants: list[Mutant] = []
    for file, number in sorted(quotas(ordered).items()):
        taken: list[Candidate] = []
        for candidate in ordered[file]:
            free = all(candidate.end <= other.start or other.end <= candidate.start for other in taken)
            if len(taken) < number and free and (file, candidate.start, candidate.end) not in refused:
                taken.append(candidate)
        for candidate in sorted(taken, key=lambda candidate: candidate.start):
            text = contents[file]
            context, column = context_at(text, candidate.start)
            mutant = Mutant(
                id=len(mutants) + 1,
                file=file,
                line=text.count(b"\n", 0, candidate.start) + 1,
                column=column,
                operator=candidate.operator,
                shape=candidate.shape,
                old=text[candidate.start : candidate.end].decode(),
                new=candidate.new.decode(),
                context=context.decode(),
            )
            here = [offset for _, offset in places(mutant, text)]
            mutant = replace(mutant, nth=here.index(candidate.start), equal=len(here))
            if locate(mutant, contents) != (file, candidate.start):
                raise AssertionError(f"{file}:{mutant.line}: the fragment is not found again")
            mutants.append(mutant)
    return mutants


def compiler_messages() -> Iterator[tuple[str, int]]:
    """Compiles the runtime and a committed module with all mutants; yields file and line of each warning."""
    flags = [*config.cflags()[1:], *config.python_cflags()]
    system = [part for flag in flags for part in ("-isystem", flag.removeprefix("-I"))]
    units = [*sorted((TREE / "runtime").glob("*.c")), *sorted((TREE / "generated" / "imaging").glob("*.c"))]
    for unit in units:
        folders = [f"-I{TREE / 'runtime'}", f"-I{unit.parent}", f"-I{TREE / 'examples' / unit.parent.name}"]
        command: list[str | Path] = ["cc", *FLAGS, *folders, *system, "-c", unit, "-o", "/dev/null"]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        for message in MESSAGE.finditer(done.stderr):
            if message[1].startswith(str(TREE)):
                yield message[1].removeprefix(f"{TREE}/"), int(message[2])
            else:
                sys.exit(f"the tree does not compile:\n{message[0]}")


def refused_by_compilers(mutants: list[Mutant]) -> set[int]:
    """Returns the mutants that a compiler warns about: those nearest to the lines that it names."""
    shutil.rmtree(TREE, ignore_errors=True)
    write_tree(mutants, TREE)
    refused = set()
    for file, line in compiler_messages():
        near = sorted((abs(mutant.line - line), mutant.id) for mutant in mutants if mutant.file == file)
        if not near:
            sys.exit(f"{file}:{line}: a warning without a mutant")
        refused.add(near[0][1])
    for mutant in mutants:
        if mutant.file.endswith(".py"):
            compile((TREE / mutant.file).read_bytes(), mutant.file, "exec")
    return refused


def main() -> None:
    """Draws until all mutants compile without a warning."""
    contents = {file: (TOP / file).read_bytes() for file in sources()}
    ordered = {file: choices(file, text) for file, text in contents.items()}
    refused: set[tuple[str, int, int]] = set()
    for _ in range(ROUNDS):
        mutants = select(ordered, contents, refused)
        bad = refused_by_compilers(mutants)
        if not bad:
            write_list(mutants)
            print(f"{len(mutants)} mutants in {len({mutant.file for mutant in mutants})} files")
            return
        for mutant in mutants:
            if mutant.id in bad:
                print(f"refused: {mutant.file}:{mutant.line}: {mutant.old!r} -> {mutant.new!r}", flush=True)
                _, start = locate(mutant, contents) or ("", 0)
                refused.add((mutant.file, start, start + len(mutant.old.encode())))
    sys.exit(f"the compiler still warns after {ROUNDS} rounds")


if __name__ == "__main__":
    main()
