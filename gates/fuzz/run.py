# SPDX-License-Identifier: MIT
"""Runs the five fuzzers, each for FUZZ_SECONDS (60 by default), one for each core, and records their figures.

`imports` and `producers` are programs with libFuzzer; `specs`, `objects` and `calls` are Python. A finding is written
to `build/fuzz/found`, and printed with the command that repeats it; then the exit status is 1.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import shlex
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import harness
from candidates import TOP
from harness import BUILD, HERE

sys.path.insert(0, str(HERE.parent))
import ledger

FUZZERS = ("imports", "producers", "specs", "objects", "calls")
FOUND = BUILD / "found"
CORPUS = HERE / "corpus"
SECONDS = int(os.environ.get("FUZZ_SECONDS", "60"))
FEWEST_SPECS = 70
"""Fewer in a program mean that a library is missing here, or that specs are not found."""
FUZZER = (
    "-max_len=256 -len_control=0 -print_funcs=0 -print_final_stats=1 -detect_leaks=0 -rss_limit_mb=4096 -timeout=20"
).split()
# The harness looks for leaks itself. A copy that is too large shall fail as without the sanitizer.
SANITIZERS = {
    "ASAN_OPTIONS": "allocator_may_return_null=1:max_allocation_size_mb=64:detect_odr_violation=0:detect_leaks=1",
    "LSAN_OPTIONS": f"suppressions={TOP}/tests/lsan.supp:print_suppressions=0",
    "UBSAN_OPTIONS": "print_stacktrace=1",
}
SANITIZED = ("objects", "calls")
"""Fuzzers in Python that run C of the modules."""
EMBEDDED = {"PYTHONHOME": sys.base_prefix, "PYTHONMALLOC": "malloc", "PYTHONDONTWRITEBYTECODE": "1"}


def print_step(text: str) -> None:
    print(f"{time.strftime('%H:%M:%S')} {text}", flush=True)


def unpack_corpus(name: str) -> Path:
    """Writes the committed inputs, which are lines in hexadecimal, to the folder of the inputs found here."""
    folder = BUILD / "corpus" / name
    folder.mkdir(parents=True, exist_ok=True)
    for line in (CORPUS / f"{name}.txt").read_text(encoding="ascii").split():
        data = bytes.fromhex(line)
        (folder / hashlib.sha1(data, usedforsecurity=False).hexdigest()).write_bytes(data)
    return folder


Built = tuple[Path, list[harness.Part], dict[str, str]]
"""A program, the specs in it, and those left out."""


def build(name: str) -> Built:
    """Builds a program with libFuzzer."""
    print_step(f"{name}: build")
    program, parts, left_out = harness.build(name)
    for origin, why in left_out.items():
        print(f"  left out: {origin}: {why[-100:]}")
    if len(parts) < FEWEST_SPECS:
        sys.exit(f"only {len(parts)} specs could be built: are the libraries of .ci/run installed?")
    return program, parts, left_out


def run_library_fuzzer(name: str, built: Built) -> tuple[dict[str, int], bool]:
    """Runs a program with libFuzzer; returns what it counted, and whether it found nothing."""
    program, parts, left_out = built
    corpus = unpack_corpus(name)
    print_step(f"{name}: {SECONDS} s")
    command = [program, *FUZZER, f"-max_total_time={SECONDS}", f"-artifact_prefix={FOUND}/{name}-", corpus]
    log = BUILD / f"{name}.log"
    with log.open("wb") as output:
        environment = os.environ | SANITIZERS | (EMBEDDED if name == "producers" else {})
        status = subprocess.run(
            [str(part) for part in command], stdout=output, stderr=output, env=environment, check=False
        ).returncode
    text = log.read_text(encoding="utf-8", errors="replace")
    types = re.search(r"^(\d+) importer types", text, re.MULTILINE)
    executions = re.search(r"number_of_executed_units: (\d+)", text)
    counts = {
        "executions": int(executions[1]) if executions else 0,
        "types": int(types[1]) if types else 0,
        "specs": len(parts),
        "left out": len(left_out),
    }
    if status != 0:
        lines = [line for line in text.splitlines() if not line.startswith("#") or "  in " in line or " 0x" in line]
        print("\n".join(lines[-60:]))
        environment_text = shlex.join(f"{name}={value}" for name, value in SANITIZERS.items())
        found = " ".join(str(path) for path in sorted(FOUND.glob(f"{name}-*")))
        print(f"FINDING in {name}: to repeat: {environment_text} {program} {found}")
    return counts, status == 0


def sanitized_environment() -> dict[str, str]:
    """Returns the environment in which Python runs extension modules with sanitizers."""
    libraries = [
        subprocess.run(["gcc", f"-print-file-name={name}"], capture_output=True, text=True, check=True).stdout.strip()
        for name in ("libasan.so", "libubsan.so")
    ]
    return {
        "LD_PRELOAD": " ".join(libraries),
        "ASAN_OPTIONS": "detect_leaks=1:detect_stack_use_after_return=1:intercept_tls_get_addr=0",
        "UBSAN_OPTIONS": "halt_on_error=1:print_stacktrace=1",
        "LSAN_OPTIONS": SANITIZERS["LSAN_OPTIONS"],
        "OPENBLAS_NUM_THREADS": "1",
        "PYTHONMALLOC": "malloc",
        "DLB_SANITIZE": "1",
        "CC": "env -u LD_PRELOAD cc",
    }


def run_python_fuzzer(name: str) -> tuple[dict[str, int], bool]:
    """Runs a fuzzer in Python; returns what it counted, and whether it found nothing."""
    print_step(f"{name}: {SECONDS} s")
    counts = BUILD / f"{name}.json"
    counts.unlink(missing_ok=True)
    seed = os.environ.get("FUZZ_SEED", str(time.time_ns() // 1_000_000))
    command = [sys.executable, HERE / f"{name}.py", "--seconds", str(SECONDS), "--seed", seed, "--counts", counts]
    environment = os.environ | (sanitized_environment() if name in SANITIZED else {})
    log = BUILD / f"{name}.log"
    with log.open("wb") as output:
        status = subprocess.run(
            [str(part) for part in command], stdout=output, stderr=subprocess.STDOUT, env=environment, check=False
        ).returncode
    text = log.read_text(encoding="utf-8", errors="replace")
    if status != 0:
        print(text[-6000:])
        print(f"FINDING in {name}: see above, and {log.relative_to(TOP)}")
    found: dict[str, int] = json.loads(counts.read_text(encoding="utf-8")) if counts.exists() else {}
    return found, status == 0


def record(counts: dict[str, dict[str, int]]) -> None:
    """Writes the figures of a run without a finding."""
    imports, producers, specs, objects, calls = (counts[name] for name in FUZZERS)
    ledger.record(
        "fuzz",
        claim=(
            "Imports of hostile tensors, capsules, buffers and exchange tables, changed specs, objects in random use, "
            "and calls with hostile arguments: no report of AddressSanitizer or UndefinedBehaviorSanitizer, each "
            "deleter called once, no traceback, no difference from the models."
        ),
        command=f"make fuzz FUZZ_SECONDS={SECONDS}",
        figures={
            "imports in C: executions": f"{imports['executions']:,}",
            "importer types, of specs": f"{imports['types']}, {imports['specs']} ({imports['left out']} left out)",
            "imports from Python objects: executions": f"{producers['executions']:,}",
            "classes, of specs": f"{producers['types']}, {producers['specs']} ({producers['left out']} left out)",
            "changed specs": f"{specs['specs']:,}",
            "of these accepted, compiled": f"{specs['accepted']:,}, {specs['compiled']:,}",
            "steps of state machines, in runs": f"{objects['steps']:,}, {objects['runs']:,}",
            "calls of functions, in rounds": f"{calls['calls']:,}, {calls['rounds']:,}",
            "findings": "0",
            "seconds of each fuzzer": str(SECONDS),
        },
        seeded_bug=(HERE / "seeded_bug.txt").read_text(encoding="utf-8").strip(),
        compiler="clang",
    )


def run(name: str, built: Built | None) -> tuple[str, dict[str, int], bool]:
    """Runs a fuzzer, and prints what it did."""
    counts, nothing_found = run_library_fuzzer(name, built) if built is not None else run_python_fuzzer(name)
    print_step(f"{name}: " + ", ".join(f"{value:,} {what}" for what, value in counts.items()))
    return name, counts, nothing_found


def main() -> None:
    FOUND.mkdir(parents=True, exist_ok=True)
    wanted = sys.argv[1:] or list(FUZZERS)
    if len(wanted) == len(FUZZERS):
        ledger.start("fuzz")
    built = {name: build(name) for name in wanted if name in harness.OWN}
    with ThreadPoolExecutor(harness.JOBS) as threads:
        outcomes = list(threads.map(run, wanted, map(built.get, wanted)))
    if not all(nothing_found for _, _, nothing_found in outcomes):
        sys.exit(1)
    if len(wanted) == len(FUZZERS):
        record({name: counts for name, counts, _ in outcomes})


if __name__ == "__main__":
    main()
