# SPDX-License-Identifier: MIT
"""The memory of a checked build under valgrind: zones, undefined bytes, errors that lead to an address, leaks."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from runtime.checked.builds import HERE, STRICT, compile_shared
from support import hangs
from support.build import RUNTIME

pytestmark = pytest.mark.skipif(
    shutil.which("valgrind") is None or not Path("/usr/include/valgrind/memcheck.h").exists(),
    reason="valgrind and its headers are not installed",
)

SOURCES = [RUNTIME / "checked" / "memory_map.c", RUNTIME / "checked" / "memory_memcheck.c"]
FLAGS = ["-std=gnu11", *STRICT, f"-I{RUNTIME}"]


def run(folder: Path, code: str) -> subprocess.CompletedProcess[str]:
    """Runs code under valgrind."""
    output = f"{folder}/errors.%p"
    options = ["--xml=yes", f"--xml-file={output}", "--leak-check=no", "--child-silent-after-fork=yes"]
    own = {
        "DLB_CHECKED_VALGRIND": output,
        "DLB_CHECKED_LIBRARIES": f"/nowhere/lib.so:{folder}/liblibrary.so",
        "TEST_CHECKS": f"{folder}/libchecks.so",
        "TEST_LIBRARY": f"{folder}/liblibrary.so",
        "PYTHONPATH": str(HERE),
        "PYTHONMALLOC": "malloc",
    }
    return subprocess.run(
        ["valgrind", "--tool=memcheck", *options, sys.executable, "-c", f"from child import *\n{code}"],
        env={**{k: v for k, v in os.environ.items() if k != "LD_PRELOAD"}, **own},
        capture_output=True,
        text=True,
        check=False,
        timeout=hangs.SECONDS,
    )


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("memcheck")
    compile_shared(made / "liblibrary.so", "-std=gnu11", "-O1", HERE / "library.c")
    compile_shared(made / "libchecks.so", "-O2", *FLAGS, *SOURCES, HERE / "probe.c")
    return made


@pytest.mark.parametrize("compiler", ["gcc", "clang"])
def test_both_compilers_accept_the_sources(compiler: str, tmp_path: Path) -> None:
    for level in ("-O0", "-O2"):
        compile_shared(tmp_path / "lib.so", level, *FLAGS, *SOURCES, compiler=[compiler])


def test_memory_is_bad_undefined_or_forbidden(folder: Path) -> None:
    done = run(
        folder,
        """
checks.probe_start()
for alignment in (1, 8, 64, 4096):
    for size in (0, 1, 40, 70000):
        zone = Zone()
        assert zone_make(byref(zone), size, alignment, alignment // 2)
        assert zone.at % alignment == alignment // 2 and zone.size == size
        assert bad(zone.at, size) == bad(zone.at, size + 1) == size and bad(zone.at - 1, 3) == 0
        assert undefined(zone.at, size) == 0
        ctypes.memset(zone.at, 0, size)
        assert undefined(zone.at, size) == size and overwritten(zone) is None
        undefine(zone.at, size)
        ctypes.memset(zone.at, 0, size // 3)
        assert undefined(zone.at, size) == (size // 3 if size else 0)
        assert memory_writable(zone.at) and block_of(zone.at) is None
        zone_forbid(byref(zone))
        assert bad(zone.at, size) == 0
        zone_free(byref(zone))
assert bad(0, 1) == 0 and bad(0x1234, 1) == 0
assert bad(read_only(), 4) == 4 and not memory_writable(read_only())
block = malloc(10)
assert bad(block, 20) == 10
free(block)
assert bad(block, 10) == 0
checks.dlb_memory_collect()  # questions are no errors
""",
    )
    assert (done.returncode, done.stderr, done.stdout) == (0, "", "")


def test_errors_are_reported_with_their_address_and_function(folder: Path) -> None:
    done = run(
        folder,
        """
checks.probe_start()
zone = make(40)
ctypes.memset(zone.at, 0, 40)
block = malloc(10)
later = make(8)
zone_forbid(byref(later))
tell("zone", zone.at)
read(zone.at, 40)
checks.dlb_memory_collect()
write(zone.at, -1)
checks.dlb_memory_collect()
copy(zone.at, later.at, 8)
checks.dlb_memory_collect()
tell("block", block)
length(ctypes.cast(ctypes.memset(block, 65, 10), c_void_p).value)
free(block)
free(block)
checks.dlb_memory_collect()
realloc(malloc(20) + 4, 5)
checks.dlb_memory_collect()
leak(5, 77)
checks.probe_leaks()
tell("null", 0)
strdup(None)
""",
    )
    assert done.returncode == -11, done.stderr
    lines = [line.split(" ") for line in done.stderr.splitlines()]
    told = {words[0]: int(words[1], 16) for words in lines if words[0] in ("zone", "block")}
    zone, block = told["zone"], told["block"]
    found = [
        (words[1], 0 if words[2] == "(nil)" else int(words[2], 16), int(words[3]), words[4].strip("[]"))
        for words in lines
        if words[0] == "report"
    ]
    assert found[:2] == [("SEGV", zone + 40, 0, "library_read"), ("SEGV", zone - 1, 1, "write_byte")]
    assert (found[2][0], *found[2][2:]) == ("SEGV", 0, "library_copy")
    assert found[3] == ("heap-buffer-overflow", block + 10, 0, "library_length")
    assert found[4] == ("double-free", block, -1, "library_free")
    assert (found[5][0], *found[5][2:]) == ("bad-free", -1, "library_realloc")
    assert found[6] == ("SEGV", 0, 0, "library_strdup") and len(found) == 7
    leaks = [words[1:] for words in lines if words[0] == "leak"]
    assert sorted(leaks) == [["20", "-", "[library_malloc]"], *[["77", "-", "[library_leak]"]] * 5]
