# SPDX-License-Identifier: MIT
"""Compiles the harnesses of the import fuzzers: the runtime, all importer types that can be linked, and libFuzzer.

Each spec is compiled with its library into one object file, whose symbols are local but for its table of types and the
initialization function of its module: libraries of several specs define the same names. A spec that does not compile or
link without more than its folder has is left out, and counted.
"""

from __future__ import annotations

import hashlib
import os
import re
import shlex
import subprocess
import sysconfig
import threading
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from candidates import TOP, Candidate, find_candidates
from dlpack_bindgen.emit.render import render
from dlpack_bindgen.tools.generate import load, validate
from support.build import header_flags

HERE = Path(__file__).resolve().parent
BUILD = TOP / "build" / "fuzz"
# (C libraries may add 0 to NULL, which only clang reports.)
SANITIZERS = [
    "-fsanitize=fuzzer-no-link,address,undefined",
    "-fno-sanitize=pointer-overflow",
    "-fno-sanitize-recover=undefined",
]
COMPILE = ["clang", "-std=gnu11", "-O1", "-g", "-fno-omit-frame-pointer", "-w", *SANITIZERS]
LINK = ["clang", "-fsanitize=fuzzer,address,undefined", "-g"]
RUNTIME = {"imports": ["dlb_core.c"], "producers": ["dlb_core.c", "dlb_object.c", "dlb_call.c"]}
OWN = {"imports": ["imports", "tensors"], "producers": ["producers", "hostile", "tensors"]}
GENERATOR = threading.Lock()
"""The generator keeps one parser of C prototypes, which two threads must not use at once."""
JOBS = int(os.environ.get("FUZZ_JOBS", os.cpu_count() or 1))


class CannotBuild(Exception):
    """The spec needs something else than what its folder has; the text says why."""


@dataclass(frozen=True)
class Part:
    """The object file of one spec."""

    candidate: Candidate
    object: Path
    module: str


def python_link_flags() -> list[str]:
    """Returns the flags that embed this interpreter into a program."""
    flags: list[str] = ["-rdynamic"]
    for name in ("LIBDIR", "LIBPL"):
        flags.append(f"-L{sysconfig.get_config_var(name)}")
    flags.append(f"-Wl,-rpath,{sysconfig.get_config_var('LIBDIR')}")
    flags.append(f"-lpython{sysconfig.get_config_var('LDVERSION')}")
    for name in ("LIBS", "SYSLIBS"):
        flags += shlex.split(sysconfig.get_config_var(name) or "")
    return flags


def run(command: Sequence[str | Path]) -> None:
    """Runs a compiler or linker; raises CannotBuild with its first error."""
    done = subprocess.run([str(part) for part in command], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        errors = re.findall(r"^.*(?:error|undefined|multiple definition).*$", done.stderr, re.MULTILINE)
        raise CannotBuild(errors[0] if errors else done.stderr[-300:])


def digest(*parts: Iterable[Path | str | None]) -> str:
    """Returns a checksum of the contents of files and of strings."""
    sum_ = hashlib.sha256()
    for part in parts:
        for each in part:
            sum_.update(each.read_bytes() if isinstance(each, Path) else repr(each).encode())
    return sum_.hexdigest()


def shared_digest() -> str:
    """Returns a checksum of everything that all parts are made of: the generator, and the headers of the runtime."""
    kinds = {"runtime": (".h",), "generator": (".py",), "templates": (".j2",)}
    sources = [path for folder, ends in kinds.items() for path in (TOP / folder).rglob("*") if path.suffix in ends]
    return digest(sorted(sources), [*COMPILE, *header_flags()])


def write_spec(candidate: Candidate, folder: Path) -> tuple[list[str], str]:
    """Generates the files of a spec into `folder`; returns the names of its types in C, and of its module."""
    name = candidate.origin.rsplit("/", 1)[-1]
    with GENERATOR:
        loaded = load(name, candidate.text.encode())
        specs, problems = validate([loaded])
        if problems or loaded.diagnostics:
            raise CannotBuild("not a complete spec")
        files = {file.name: file.text for file in render(specs)}
    module = next(name for name in files if name.endswith("_module.c")).removesuffix("_module.c")
    types = re.findall(r"^DLB_EXTERN const dlb_type (\w+);", files[f"{module}_dlpack.h"], re.MULTILINE)
    if not re.search(r"\.importer = ", files[f"{module}_dlpack.c"]):
        raise CannotBuild("no importer")
    header = re.search(r"include: *\[?([\w.]+\.h)", candidate.text)
    if candidate.header is not None and header is not None:
        files[header[1]] = candidate.header
    if candidate.source is not None:
        files["library_source.c"] = candidate.source
    pointers = ", ".join(f"&{each}" for each in types)
    files["types.c"] = (
        f'#include "{module}_dlpack.h"\nconst dlb_type *const fuzz_types_{candidate.symbol}[] = {{{pointers}, 0}};\n'
    )
    for file, text in files.items():
        (folder / file).write_text(text, encoding="utf-8")
    return types, module


def compile_part(candidate: Candidate, harness: str, shared: str) -> Part:
    """Returns the object file of a spec for one harness, which is made again only after a change."""
    folder = BUILD / "parts" / candidate.symbol
    target, stamp = folder / f"{harness}.o", folder / f"{harness}.stamp"
    own = digest(
        [candidate.text, candidate.header, candidate.source, shared, *candidate.compile_flags],
        sorted(candidate.folder.glob("*.h")),
        candidate.sources,
    )
    if stamp.exists() and stamp.read_text(encoding="utf-8").startswith(own):
        outcome = stamp.read_text(encoding="utf-8").split("\n", 2)
        if outcome[1] == "":
            raise CannotBuild(outcome[2])
        return Part(candidate, target, outcome[1])
    folder.mkdir(parents=True, exist_ok=True)
    try:
        module = build_part(candidate, harness, folder, target)
    except CannotBuild as error:
        stamp.write_text(f"{own}\n\n{error}", encoding="utf-8")
        raise
    stamp.write_text(f"{own}\n{module}\n", encoding="utf-8")
    return Part(candidate, target, module)


def build_part(candidate: Candidate, harness: str, folder: Path, target: Path) -> str:
    """Compiles a spec with its library, and links it alone to see whether anything is missing; returns its module."""
    _, module = write_spec(candidate, folder)
    sources = [folder / f"{module}_dlpack.c", folder / "types.c"]
    sources += candidate.sources
    sources += [folder / "library_source.c"] if candidate.source is not None else []
    if harness == "producers":
        sources.append(folder / f"{module}_module.c")
    else:
        sources = [path for path in sources if "Python.h" not in path.read_text(encoding="utf-8")]
    include = [f"-I{folder}", f"-I{candidate.folder}", *candidate.compile_flags, *header_flags()]
    objects = []
    for source in sources:
        objects.append(folder / f"{harness}-{source.stem}.o")
        run([*COMPILE, *include, "-c", source, "-o", objects[-1]])
    table, start = f"fuzz_types_{candidate.symbol}", f"fuzz_init_{candidate.symbol}"
    run(["ld", "-r", *objects, "-o", target])
    keep = [f"--keep-global-symbol={table}", f"--keep-global-symbol={start}"]
    run(["objcopy", f"--redefine-sym=PyInit_{module}={start}", target])
    run(["objcopy", *keep, target])
    trial = folder / f"{harness}.trial"
    libraries = [*candidate.link_flags, *(python_link_flags() if harness == "producers" else [])]
    run([*LINK, target, *runtime_objects(harness), probe_object(), *libraries, "-o", trial])
    trial.unlink()
    for path in objects:
        path.unlink()
    return module


def object_of(source: Path, name: str, flags: Sequence[str] = ()) -> Path:
    """Compiles one source file of the runtime or of a harness."""
    target = BUILD / f"{name}.o"
    target.parent.mkdir(parents=True, exist_ok=True)
    run([*COMPILE, *flags, f"-I{HERE}", *header_flags(), "-c", source, "-o", target])
    return target


_objects: dict[str, list[Path]] = {}


def runtime_objects(harness: str) -> list[Path]:
    """Returns the compiled runtime, with its CPython part for the producers."""
    if harness not in _objects:
        _objects[harness] = [
            object_of(TOP / "runtime" / name, Path(name).stem, ["-fsanitize=pointer-overflow"])
            for name in RUNTIME[harness]
        ]
    return _objects[harness]


def probe_object() -> Path:
    """Returns an object file with a fuzzer that does nothing."""
    if "probe" not in _objects:
        source = BUILD / "probe.c"
        source.write_text("int LLVMFuzzerTestOneInput(const char *d, unsigned long n) { return d == 0 && n > 0; }\n")
        _objects["probe"] = [object_of(source, "probe")]
    return _objects["probe"][0]


def write_table(parts: Sequence[Part], harness: str) -> Path:
    """Writes the C file that lists the tables of types, and the modules, of all parts."""
    python = harness == "producers"
    lines = ['#include "Python.h"' if python else "", '#include "table.h"']
    for part in parts:
        symbol = part.candidate.symbol
        lines.append(f"extern const dlb_type *const fuzz_types_{symbol}[];")
        lines += [f"extern PyObject *fuzz_init_{symbol}(void);"] if python else []
    lines.append("const fuzz_part fuzz_parts[] = {")
    for part in parts:
        symbol = part.candidate.symbol
        start = f", fuzz_init_{symbol}" if python else ", 0"
        lines.append(f'    {{"{part.candidate.origin}", "{part.module}", fuzz_types_{symbol}{start}}},')
    lines.append("    {0, 0, 0, 0},\n};")
    path = BUILD / f"{harness}_table.c"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def build(harness: str) -> tuple[Path, list[Part], dict[str, str]]:
    """Builds a harness; returns the program, the parts in it, and for each spec left out the reason."""
    shared = shared_digest()
    BUILD.mkdir(parents=True, exist_ok=True)
    runtime_objects(harness)
    probe_object()
    parts: list[Part] = []
    left_out: dict[str, str] = {}

    def attempt(candidate: Candidate) -> Part | str:
        try:
            return compile_part(candidate, harness, shared)
        except CannotBuild as error:
            return str(error)

    candidates = find_candidates()
    with ThreadPoolExecutor(JOBS) as threads:
        for candidate, outcome in zip(candidates, threads.map(attempt, candidates), strict=True):
            if isinstance(outcome, Part):
                parts.append(outcome)
            elif outcome != "no importer":
                left_out[candidate.origin] = outcome
    own = [object_of(write_table(parts, harness), f"{harness}_table")]
    own += [object_of(HERE / f"{name}.c", name) for name in OWN[harness]]
    libraries = dict.fromkeys(flag for part in parts for flag in part.candidate.link_flags)
    program = BUILD / harness
    more = python_link_flags() if harness == "producers" else []
    run([*LINK, *own, *(part.object for part in parts), *runtime_objects(harness), *libraries, *more, "-o", program])
    return program, parts, left_out
