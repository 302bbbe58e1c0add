# SPDX-License-Identifier: MIT
"""Parts that depend on compilers and linkers: arithmetic without builtins, and the exported symbols."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from support.build import RUNTIME, compile_c, generate

ARITHMETIC = ("arithmetic.c", "arithmetic_portable.c")
PLAIN = "-fno-sanitize=all"  # sanitizers add symbols of their own
SEEN = ("--extern-only", "--defined-only")  # by other files
LINKER = {"__bss_start", "_edata", "_end", "_fini", "_init"}  # which some linkers export from everything
SPEC = """
module: seen
prefix: shown
include: [counted.h]
tensors:
  Counted: {type: counted, data: self->data, dtype: uint8, shape: [self->count], release: (void)self}
"""


@pytest.mark.parametrize("run_program", ["plain", "sanitized"], indirect=True)  # with numbers of 128 bits
def test_portable_arithmetic_agrees_with_the_builtins(run_program: Callable[..., None]) -> None:
    run_program("{module: none, tensors: {Nothing: {type: int, data: self, dtype: int32, shape: []}}}", *ARITHMETIC)


def symbols(*arguments: str | Path) -> set[str]:
    """Returns the names that `nm` finds; skips the test if `nm` is not installed."""
    if shutil.which("nm") is None:
        pytest.skip("nm is not installed")
    command = ["nm", "--format=posix", *map(str, arguments)]
    listed = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    return {line.split()[0] for line in listed.splitlines()}


def test_symbols_of_the_runtime_have_one_prefix_and_are_hidden(tmp_path: Path) -> None:
    objects = []
    for source in sorted(RUNTIME.glob("*.c")):
        objects.append(tmp_path / f"{source.stem}.o")
        compile_c([PLAIN, "-c", source], objects[-1])
        strangers = {name for name in symbols(*SEEN, objects[-1]) if not name.startswith("dlb_")}
        assert not strangers, source.name
    assert "dlb_own" in symbols(*SEEN, tmp_path / "dlb_core.o")

    (tmp_path / "counted.h").write_text("typedef struct counted { void *data; int count; } counted;\n")
    sources = [path for path in generate(SPEC, tmp_path) if path.suffix == ".c"]
    library = tmp_path / "seen.so"
    compile_c([PLAIN, "-shared", f"-I{tmp_path}", *sources, *objects], library)
    visible = symbols("--dynamic", "--defined-only", library) - LINKER
    assert visible == {"PyInit_seen"}


def test_a_runtime_without_dlb_one_thread_needs_no_symbol_of_new_glibc(tmp_path: Path) -> None:
    """A runtime that is compiled so can be loaded with any glibc."""
    core = tmp_path / "dlb_core.o"
    compile_c([PLAIN, "-DDLB_ONE_THREAD=0", "-c", RUNTIME / "dlb_core.c"], core)
    assert "__libc_single_threaded" not in symbols(core)
