# SPDX-License-Identifier: MIT
"""Writes `build/mutants/tree`: a copy of the project with all mutants in it, each switched on by `DLB_MUTANT=ID`.

A test module is then compiled once and not once per mutant.
"""

from __future__ import annotations

import hashlib
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from mutants import BUILD, HERE, TOP, TREE, Mutant, locate, sources

VENV = BUILD / "venv"
COPIED = (
    "runtime",
    "generator",
    "templates",
    "LICENSES",
    "tests",
    "specs",
    "generated",
    "examples",
    "docs",
    "benchmarks",
)
FUTURE = b"from __future__ import annotations"


def in_c(mutant: Mutant) -> str:
    """Returns the fragment with its mutant, in C."""
    if mutant.shape == "statement":
        return f"{{ if (!dlb_mutant({mutant.id})) {{ {mutant.old} }} }}"
    return f"(dlb_mutant({mutant.id}) ? ({mutant.new}) : ({mutant.old}))"


def in_python(mutant: Mutant, imported: bool) -> str:
    """Returns the fragment with its mutant, in Python."""
    call = "dlb_mutant" if imported else '__import__("dlpack_bindgen._mutants", fromlist=["on"]).on'
    if mutant.shape == "statement":
        return f"if not {call}({mutant.id}): {mutant.old}"
    return f"(({mutant.new}) if {call}({mutant.id}) else ({mutant.old}))"


def apply(mutants: Sequence[Mutant], contents: dict[str, bytes]) -> tuple[dict[str, bytes], list[Mutant]]:
    """Returns the changed contents of the files that have mutants, and the stale mutants."""
    places: dict[str, list[tuple[int, Mutant]]] = {}
    stale = []
    for mutant in mutants:
        found = locate(mutant, contents)
        if found is None:
            stale.append(mutant)
        else:
            places.setdefault(found[0], []).append((found[1], mutant))
    changed = {}
    # Nothing here adds a line: messages and `__LINE__` keep their numbers.
    for file, here in places.items():
        text = contents[file]
        begin = len(text)
        for offset, mutant in sorted(here, key=lambda pair: pair[0], reverse=True):
            end = offset + len(mutant.old.encode())
            if end > begin:
                stale.append(mutant)  # it overlaps another one since lines have moved
                continue
            begin = offset
            replaced = in_python(mutant, FUTURE in text) if file.endswith(".py") else in_c(mutant)
            text = text[:offset] + replaced.encode() + text[end:]
        if file.endswith(".py"):
            text = text.replace(FUTURE, FUTURE + b"; from dlpack_bindgen._mutants import on as dlb_mutant", 1)
        else:
            first, _, rest = text.partition(b"\n")
            text = b'#include "dlb_mutant.h" ' + first + b"\n" + rest
        changed[file] = text
    return changed, sorted(stale, key=lambda mutant: mutant.id)


def write_tree(mutants: Sequence[Mutant], tree: Path = TREE) -> list[Mutant]:
    """Copies the project and puts the mutants into it; unchanged files keep their times. Returns the stale mutants."""
    contents = {file: (TOP / file).read_bytes() for file in sources()}
    changed, stale = apply(mutants, contents)
    for file in ("dlb_mutant.h", "_mutants.py"):
        folder = "runtime" if file.endswith(".h") else "generator/dlpack_bindgen"
        changed[f"{folder}/{file}"] = (HERE / "shipped" / file).read_bytes()
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=TOP,
        capture_output=True,
        check=True,
    )
    wanted = {name for name in listed.stdout.decode().split("\0") if name and (TOP / name).is_file()}
    wanted = {name for name in wanted if "/" not in name or name.split("/")[0] in COPIED} | set(changed)
    for folder in COPIED:
        for path in (tree / folder).rglob("*"):
            if path.is_file() and str(path.relative_to(tree)) not in wanted and "__pycache__" not in path.parts:
                path.unlink()
    for name in sorted(wanted):
        content = changed[name] if name in changed else (TOP / name).read_bytes()
        target = tree / name
        if not target.exists() or target.read_bytes() != content:
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(content)
            if name not in changed:
                shutil.copymode(TOP / name, target)
    return stale


def write_venv() -> Path:
    """Makes an environment with the packages of this one, but with the package of the tree. Returns its interpreter."""
    python = VENV / "bin" / "python"
    if not python.exists():
        subprocess.run([sys.executable, "-m", "venv", "--without-pip", VENV], check=True)
    inside = f"lib/python{sys.version_info[0]}.{sys.version_info[1]}/site-packages"
    lines = [TREE / "generator", Path(sys.prefix) / inside, HERE / "plugin"]
    (VENV / inside / "mutants.pth").write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    for script in (Path(sys.prefix) / "bin").iterdir():
        target = VENV / "bin" / script.name
        if script.is_file() and not target.exists() and script.read_bytes().startswith(b"#!" + sys.prefix.encode()):
            target.write_bytes(script.read_bytes().replace(sys.prefix.encode(), str(VENV).encode(), 1))
            target.chmod(0o755)
    return python


def digest(paths: Sequence[Path]) -> str:
    """Returns a hash of the files' names and contents."""
    value = hashlib.sha256()
    for path in paths:
        value.update(f"{path}\0".encode() + path.read_bytes())
    return value.hexdigest()[:16]


def tree_digest() -> str:
    """Returns a hash of all that a run of tests depends on: with another one, no earlier verdict counts."""
    folders = [folder for folder in COPIED if folder != "benchmarks"]
    paths = [path for folder in folders for path in (TREE / folder).rglob("*") if path.is_file()]
    return digest(sorted(path for path in paths if "__pycache__" not in path.parts))
