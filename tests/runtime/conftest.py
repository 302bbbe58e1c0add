# SPDX-License-Identifier: MIT
"""Builds programs in C that use the runtime without Python, and runs them in several variants."""

from __future__ import annotations

import functools
import os
import subprocess
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from support import hangs
from support.build import CC, SANITIZERS, VALGRIND, compile_c, generate, runtime_sources

HERE = Path(__file__).resolve().parent

# What the tests as a whole are compiled with does not count here: every variant says all of its own sanitizers.
VARIANTS = {
    "plain": ("-fno-sanitize=all",),
    "narrow": ("-fno-sanitize=all", "-m32"),  # where not every int64_t is a size
    "sanitized": tuple(SANITIZERS),
    "portable": (
        "-fno-sanitize=all",
        "-fsanitize=undefined",
        "-fno-sanitize-recover=undefined",
        "-DDLB_PORTABLE_ARITHMETIC",
    ),
    "thread": ("-fno-sanitize=all", "-fsanitize=thread", "-g"),
    "valgrind": ("-fno-sanitize=all", "-g"),
}
# A huge malloc() is to fail as it does without the sanitizer.
ENVIRONMENT = {"ASAN_OPTIONS": "allocator_may_return_null=1:detect_stack_use_after_return=1"}

RunProgram = Callable[..., None]


def execute(command: Sequence[str | Path]) -> subprocess.CompletedProcess[str]:
    """Runs a command, free of what a sanitized run of the tests themselves has set."""
    inherited = {k: v for k, v in os.environ.items() if k not in ("LD_PRELOAD", "LSAN_OPTIONS", "UBSAN_OPTIONS")}
    return subprocess.run(
        command,
        env=inherited | ENVIRONMENT,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
        timeout=hangs.SECONDS,
    )


@functools.cache
def launcher(variant: str, folder: Path) -> tuple[str, ...] | None:
    """Returns the command that starts programs of a variant: nothing, valgrind, or `setarch -R` where ThreadSanitizer
    fails with the kernel's randomised addresses. Returns None if such programs cannot be built or run here."""
    source, program = folder / f"probe-{variant}.c", folder / f"probe-{variant}"
    source.write_text("int main(void) { return 0; }\n", encoding="utf-8")
    if execute([*CC, *VARIANTS[variant], source, "-o", program]).returncode != 0:
        return None
    for prefix in (VALGRIND,) if variant == "valgrind" else ((), ("setarch", "-R")):
        try:
            if execute([*prefix, program]).returncode == 0:
                return prefix
        except FileNotFoundError:
            pass
    return None


@pytest.fixture(scope="session")
def runtime_object(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    """Provides a function that compiles the part of the runtime without Python, once for each variant."""

    @functools.cache
    def compiled(variant: str) -> Path:
        target = tmp_path_factory.mktemp(f"runtime-{variant}") / "runtime.o"
        compile_c(["-c", *VARIANTS[variant], *runtime_sources("core")], target)
        return target

    return compiled


@pytest.fixture(params=["plain", "narrow", "sanitized"])
def run_program(
    request: pytest.FixtureRequest,
    tmp_path: Path,
    tmp_path_factory: pytest.TempPathFactory,
    runtime_object: Callable[[str], Path],
) -> RunProgram:
    """Provides `run_program(spec, *sources)`: it builds a program from a spec and C files of this folder, and requires
    that the program finds no fault. `spec` is YAML, or None if the sources declare all that a generated file would."""
    variant: str = request.param
    prefix = launcher(variant, tmp_path_factory.getbasetemp())
    if prefix is None:
        pytest.skip(f"programs of the variant '{variant}' cannot be built or run here")

    def run(spec: str | None, *sources: str, flags: Sequence[str] = ()) -> None:
        generated = generate(spec, tmp_path) if spec is not None else []
        own = [path for path in generated if path.name.endswith("_dlpack.c")]
        own += [HERE / name for name in sources]
        program = tmp_path / "program"
        compile_c(
            [f"-I{HERE}", f"-I{tmp_path}", *VARIANTS[variant], *flags, *own, runtime_object(variant)],
            program,
        )
        done = execute([*prefix, program])
        passed = done.returncode == 0 and done.stdout.endswith(" checks, 0 failed\n")
        assert passed, f"exit status {done.returncode}\n{done.stdout[:20000]}"
        assert not done.stdout.endswith("\n0 checks, 0 failed\n")

    return run
