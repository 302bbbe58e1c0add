# SPDX-License-Identifier: MIT
"""The memory of a checked build with forbidden pages: zones, the allocator for the library, reports, leaks."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

from runtime.checked.builds import HERE, STRICT, compile_shared
from support import hangs
from support.build import RUNTIME

pytestmark = pytest.mark.skipif(
    not sys.platform.startswith("linux") or not os.confstr("CS_GNU_LIBC_VERSION"), reason="needs Linux with glibc"
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("pages")
    compile_shared(made / "liblibrary.so", "-std=gnu11", "-O1", "-fstack-protector-strong", HERE / "library.c")
    compile_shared(made / "libother.so", "-std=gnu11", "-O1", HERE / "library.c")
    sources = [RUNTIME / "checked" / "memory_map.c", *sorted((RUNTIME / "checked").glob("memory_pages*.c"))]
    compile_shared(made / "libchecks.so", "-std=gnu11", "-O2", *STRICT, f"-I{RUNTIME}", *sources, HERE / "probe.c")
    return made


def run(folder: Path, code: str, tested: str = "liblibrary.so", **environment: str) -> subprocess.CompletedProcess[str]:
    """Runs code in a process with the preloaded checks."""
    inherited = {k: v for k, v in os.environ.items() if k not in ("LD_PRELOAD", "PYTHONFAULTHANDLER")}
    own = {
        "LD_PRELOAD": str(folder / "libchecks.so"),
        "DLB_CHECKED_LIBRARIES": f"/nowhere/lib.so:{folder / tested}",
        "TEST_CHECKS": str(folder / "libchecks.so"),
        "TEST_LIBRARY": str(folder / "liblibrary.so"),
        "PYTHONPATH": str(HERE),
    }
    text = "import faulthandler, gc; from child import *\n" + textwrap.dedent(code)
    return subprocess.run(
        [sys.executable, "-c", text],
        env={**inherited, **own, **environment},
        capture_output=True,
        text=True,
        check=False,
        timeout=hangs.SECONDS,
    )


def passes(folder: Path, code: str, **environment: str) -> str:
    """Runs code that fails no check, and returns what it printed."""
    done = run(folder, code, **environment)
    assert done.returncode == 0, f"{done.returncode}\n{done.stderr}{done.stdout}"
    return done.stdout + done.stderr


def reported(
    folder: Path, code: str, number: int = signal.SIGSEGV, **environment: str
) -> tuple[str, int | None, int, str]:
    """Runs code that a signal ends. Returns the kind, the distance from the address that the code has told, whether it
    was written, and the function of the library."""
    done = run(folder, "checks.probe_start()\n" + textwrap.dedent(code), **environment)
    lines = [line.split(" ") for line in done.stderr.splitlines() if line.startswith("report ")]
    assert done.returncode == -number and len(lines) == 1, f"{done.returncode}\n{done.stderr}"
    _, kind, address, written, symbol = lines[0]
    told = [line.split(" ")[1] for line in done.stderr.splitlines() if line.startswith("told ")]
    at = int(address, 16) - int(told[-1], 16) if told and address != "(nil)" else None
    return kind, at, int(written), symbol.strip("[]")


@pytest.mark.parametrize("compiler", ["gcc", "clang"])
def test_both_compilers_accept_the_sources(compiler: str, tmp_path: Path) -> None:
    sources = [RUNTIME / "checked" / "memory_map.c", *sorted((RUNTIME / "checked").glob("memory_pages*.c"))]
    for level in ("-O0", "-O2"):
        compile_shared(tmp_path / "lib.so", "-std=gnu11", level, *STRICT, f"-I{RUNTIME}", *sources, compiler=[compiler])


# ---- Zones ----


def test_zones_have_the_alignment_the_size_and_a_pattern_beside_the_array(folder: Path) -> None:
    passes(
        folder,
        """
        for alignment in (1, 2, 4, 8, 64, 4096):
            for residue in sorted({0, 1, alignment // 2, alignment - 1} & set(range(alignment))):
                for size in (1, 3, 16, 4095, 4096, 4097, 70000):
                    for front in (False, True):
                        zone = make(size, alignment, residue, front)
                        assert overwritten(zone) is None
                        ctypes.memset(zone.at, 0xFF, size)
                        assert overwritten(zone) is None
                        assert bad(zone.at, size) == bad(zone.at, size + 1) == size and bad(zone.at - 1, 2) == 0
                        assert memory_writable(zone.at) and block_of(zone.at) is None
                        zone_forbid(byref(zone))
                        assert bad(zone.at, size) == 0
                        zone_free(byref(zone))
        """,
    )


def test_a_write_beside_the_array_that_no_page_stops_is_found(folder: Path) -> None:
    passes(
        folder,
        """
        zone = make(12, 8)  # four bytes are left to the end of the page
        write(zone.at, 12)
        assert overwritten(zone) == 12
        zone = make(12)
        write(zone.at, -100)
        assert overwritten(zone) == -100
        zone = make(12, front=True)
        write(zone.at, 500)
        assert overwritten(zone) == 500
        """,
    )


ACCESSES = {
    "read behind": ("zone = make(12)", "read(zone.at, 12)", ("heap-buffer-overflow", 12, 0, "library_read")),
    "read far behind": ("zone = make(12)", "read(zone.at, 20000)", ("heap-buffer-overflow", 20000, 0, "library_read")),
    "write behind": ("zone = make(12)", "write(zone.at, 12)", ("heap-buffer-overflow", 12, 1, "library_write")),
    "read before": (
        "zone = make(12, front=True)",
        "read(zone.at, -1)",
        ("heap-buffer-overflow", -1, 0, "library_read"),
    ),
    "read of nothing": ("zone = make(0)", "read(zone.at, 0)", ("heap-buffer-overflow", 0, 0, "library_read")),
    "read by the C library": (
        "zone = make(16)",
        "copy(malloc(200), zone.at, 48)",
        ("heap-buffer-overflow", None, 0, "library_copy"),
    ),
    "string without an end": (
        "zone = make(5); ctypes.memset(zone.at, 65, 5)",
        "length(zone.at)",
        ("heap-buffer-overflow", None, 0, "library_length"),
    ),
    "read later": (
        "zone = make(12); zone_forbid(byref(zone))",
        "read(zone.at, 3)",
        ("heap-use-after-free", 3, 0, "library_read"),
    ),
    "write later": (
        "zone = make(12); zone_forbid(byref(zone))",
        "write(zone.at, 3)",
        ("heap-use-after-free", 3, 1, "library_write"),
    ),
}


@pytest.mark.parametrize("case", ACCESSES)
def test_an_access_that_a_zone_forbids_is_reported(folder: Path, case: str) -> None:
    before, fault, (kind, at, written, symbol) = ACCESSES[case]
    found = reported(folder, f"{before}\ntell('told', zone.at)\n{fault}\n")
    assert found == (kind, at if at is not None else found[1], written, symbol)


def test_the_addresses_of_zones_are_used_again_only_after_all_others(folder: Path) -> None:
    passes(
        folder,
        """
        kept, zone, seen = make(10), Zone(), set()
        for _ in range(20_000):
            assert zone_make(byref(zone), 10, 1, 0) and zone.block not in seen
            seen.add(zone.block)
            zone_free(byref(zone))
        assert overwritten(kept) is None and bad(kept.at, 10) == 10 and kept.block not in seen
        """,
    )


def test_a_limit_of_the_address_space_makes_the_arena_small(folder: Path) -> None:
    passes(
        folder,
        """
        import resource, subprocess, textwrap
        code = '''
        from child import *
        zone, seen = Zone(), set()
        kept = make(10)
        while True:
            assert zone_make(byref(zone), 10, 1, 0) and zone.at != kept.at
            if zone.block in seen: break
            seen.add(zone.block)
            zone_free(byref(zone))
        assert 20000 < len(seen) < 70000, len(seen)
        assert library.library_family() == 0
        '''
        def limit():
            resource.setrlimit(resource.RLIMIT_AS, (1 << 32, 1 << 32))
        subprocess.run([sys.executable, "-c", textwrap.dedent(code)], check=True, preexec_fn=limit)
        """,
    )


# ---- The allocator ----


def test_blocks_of_the_library_have_their_exact_size(folder: Path) -> None:
    passes(
        folder,
        """
        block = malloc(13)
        assert usable(block) == 13 and block % 16 == 0
        assert block_of(block) == block_of(block + 12) == (block, 13, False)
        assert block_of(block + 13) is None and block_of(block - 1) is None
        assert bad(block, 13) == 13 and bad(block, 14) == 13 and bad(block + 13, 1) == 0
        free(block)
        assert block_of(block + 5) == (block, 13, True) and bad(block, 13) == 0
        text = strdup(b"word")
        assert block_of(text) == (text, 5, False) and ctypes.string_at(text) == b"word"
        larger = realloc(text, 100)
        assert larger != text and block_of(larger) == (larger, 100, False) and block_of(text)[2]
        assert ctypes.string_at(larger) == b"word"
        # A block of the library can be freed by others, and the other way round.
        libc = ctypes.CDLL(None)
        libc.malloc.restype = c_void_p
        libc.free(c_void_p(larger))
        assert block_of(larger)[2]
        other = libc.malloc(c_size_t(40))
        assert block_of(other) is None and bad(other, 40) == 40
        free(other)
        """,
    )


def test_the_family_of_malloc_keeps_its_rules(folder: Path) -> None:
    passes(folder, "assert library.library_family() == 0")


def test_other_libraries_get_blocks_of_the_c_library(folder: Path) -> None:
    passes(folder, "assert block_of(malloc(13)) is None", tested="libother.so")
    passes(folder, "assert block_of(malloc(13)) is None", DLB_CHECKED_LIBRARIES="")
    passes(folder, "assert block_of(malloc(13)) is None\nzone = make(5)", LD_PRELOAD="")


def test_more_blocks_than_the_limit_come_from_the_c_library(folder: Path) -> None:
    passes(
        folder,
        """
        exact = library.library_most(30_000)
        assert 15_000 < exact <= 20_000, exact
        assert library.library_most(1000) == 1000
        assert sum(1 for _ in open("/proc/self/maps")) < 1000  # freed blocks need no mappings
        """,
    )


def test_threads_can_allocate_and_free(folder: Path) -> None:
    passes(folder, "assert library.library_threads(8, 20_000) == 0")


def test_a_forked_child_can_allocate_and_free(folder: Path) -> None:
    passes(
        folder,
        """
        import signal, threading
        kept = malloc(100)
        thread = threading.Thread(target=library.library_threads, args=(4, 40_000))
        thread.start()
        for number in range(200):
            child = os.fork()
            if child == 0:
                signal.alarm(60)  # a lock that is never released would stop it
                free(kept)
                free(malloc(10))
                family = library.library_family() if number % 50 == 0 else 0
                os._exit(0 if family == 0 and block_of(kept)[2] else 1)
            assert os.waitpid(child, 0)[1] == 0
        thread.join()
        assert not block_of(kept)[2]
        """,
    )


def test_python_and_its_modules_run(folder: Path) -> None:
    passes(
        folder,
        """
        import json, sqlite3, ssl, subprocess, threading, multiprocessing
        made = [threading.Thread(target=lambda: json.dumps(list(range(1000)))) for _ in range(8)]
        for each in made: each.start()
        for each in made: each.join()
        assert sqlite3.connect(":memory:").execute("select 1+1").fetchall() == [(2,)]
        assert subprocess.run([sys.executable, "-c", "print(5)"], stdout=subprocess.PIPE).stdout == b"5\\n"
        with multiprocessing.get_context("fork").Pool(2) as pool:
            assert pool.map(abs, [-1, 2]) == [1, 2]
        """,
    )


def test_numpy_runs(folder: Path) -> None:
    pytest.importorskip("numpy")
    passes(folder, "import numpy\nassert numpy.linalg.inv(numpy.eye(50) * 2).trace() == 25")


FAULTS_OF_BLOCKS = {
    "read behind": ("block = malloc(32)", "read(block, 32)", ("heap-buffer-overflow", 32, 0, "library_read")),
    "write behind": ("block = malloc(32)", "write(block, 32)", ("heap-buffer-overflow", 32, 1, "library_write")),
    "read of no byte": ("block = malloc(0)", "read(block, 0)", ("heap-buffer-overflow", 0, 0, "library_read")),
    "read later": ("block = malloc(32); free(block)", "read(block, 3)", ("heap-use-after-free", 3, 0, "library_read")),
    "resized": (
        "block = malloc(32); realloc(block, 64)",
        "write(block, 0)",
        ("heap-use-after-free", 0, 1, "library_write"),
    ),
}


@pytest.mark.parametrize("case", FAULTS_OF_BLOCKS)
def test_a_bad_access_to_a_block_is_reported(folder: Path, case: str) -> None:
    before, fault, expected = FAULTS_OF_BLOCKS[case]
    assert reported(folder, f"{before}\ntell('told', block)\n{fault}\n") == expected


BAD_FREES = {
    "freed twice": ("block = malloc(32); free(block)", "free(block)", ("double-free", 0, -1, "library_free")),
    "resized after free": (
        "block = malloc(32); free(block)",
        "realloc(block, 5)",
        ("double-free", 0, -1, "library_realloc"),
    ),
    "inside": ("block = malloc(32)", "free(block + 16)", ("bad-free", 16, -1, "library_free")),
    "an array of the caller": ("block = make(32).at", "free(block)", ("bad-free", 0, -1, "library_free")),
    "written behind": (
        "block = malloc(30); write(block, 30)",
        "free(block)",
        ("heap-buffer-overflow", 30, 1, "library_free"),
    ),
    "written before": (
        "block = malloc(30); write(block, -3)",
        "free(block)",
        ("heap-buffer-overflow", -3, 1, "library_free"),
    ),
}


@pytest.mark.parametrize("case", BAD_FREES)
def test_a_bad_free_is_reported(folder: Path, case: str) -> None:
    before, fault, expected = BAD_FREES[case]
    assert reported(folder, f"{before}\ntell('told', block)\n{fault}\n", signal.SIGABRT) == expected


def test_a_block_of_the_program_must_not_be_freed_by_the_library(folder: Path) -> None:
    code = "block = ctypes.create_string_buffer(100)\nat = ctypes.addressof(block)\ntell('told', at)\n"
    code += "checks.probe_protect(c_void_p(at))\n"
    assert reported(folder, code + "free(at)", signal.SIGABRT) == ("bad-free", 0, -1, "library_free")
    assert reported(folder, code + "realloc(at, 9)", signal.SIGABRT) == ("bad-free", 0, -1, "library_realloc")


def test_other_blocks_of_the_c_library_may_be_freed(folder: Path) -> None:
    code = "own = ctypes.CDLL(None)\nown.malloc.restype = c_void_p\n"
    passes(folder, code + "checks.probe_protect(c_void_p(8))\nfree(own.malloc(c_size_t(100)))")


def test_a_write_behind_an_array_on_the_stack_is_reported(folder: Path) -> None:
    code = "library.library_print(5)\nlibrary.library_print(12)"
    assert reported(folder, code, signal.SIGABRT) == ("stack-buffer-overflow", None, 1, "library_print")


def test_the_c_library_reports_a_bad_free_of_its_own(folder: Path) -> None:
    code = "block = ctypes.create_string_buffer(100)\nat = ctypes.addressof(block)\ntell('told', at)\n"
    assert reported(folder, code + "free(at + 8)", signal.SIGABRT) == ("bad-free", 8, -1, "library_free")
    assert reported(folder, code + "realloc(at + 8, 9)", signal.SIGABRT) == ("bad-free", 8, -1, "library_realloc")


# ---- C++ ----


@pytest.fixture(scope="module")
def cpp(folder: Path) -> str:
    compile_shared(folder / "libcpp.so", "-O0", "-std=c++17", HERE / "library.cc", "-lstdc++")
    return "libcpp.so"


def test_the_operators_of_cpp_give_blocks_of_the_library(folder: Path, cpp: str) -> None:
    prelude = f"cpp = ctypes.CDLL('{folder / cpp}')\ncpp.cpp_new_array.restype = c_void_p\n"
    done = run(
        folder,
        prelude
        + """
array = cpp.cpp_new_array(c_size_t(21))
assert block_of(array) == (array, 21, False)
cpp.cpp_delete_array(c_void_p(array))
assert block_of(array)[2]
assert cpp.cpp_catches_bad_alloc(c_size_t(1 << 62)) == 1
assert cpp.cpp_uses_all_operators() == 1
""",
        tested=cpp,
    )
    assert done.returncode == 0, done.stderr
    found = reported(folder, f"{prelude}cpp.cpp_read_vector(32, 32)", tested=cpp)
    assert found == ("heap-buffer-overflow", None, 0, "cpp_read_vector")


def test_a_library_that_is_not_preloaded_replaces_nothing(folder: Path, cpp: str) -> None:
    checks = folder / "libchecks.so"
    arguments = (
        "-O0",
        "-std=c++17",
        HERE / "library.cc",
        "-Wl,--no-as-needed",
        checks,
        f"-Wl,-rpath,{folder}",
        "-lstdc++",
    )
    compile_shared(folder / "liblinked.so", *arguments)
    code = f"""
    cpp = ctypes.CDLL('{folder / "liblinked.so"}')
    cpp.cpp_new_array.restype = c_void_p
    array = cpp.cpp_new_array(c_size_t(21))
    assert block_of(array) is None
    cpp.cpp_delete_array(c_void_p(array))
    assert cpp.cpp_catches_bad_alloc(c_size_t(1 << 62)) == 1
    """
    passes(folder, code, LD_PRELOAD="", DLB_CHECKED_LIBRARIES=str(folder / "liblinked.so"))


# ---- Other memory ----


def test_memory_of_others_is_bad_only_if_it_is_not_mapped(folder: Path) -> None:
    passes(
        folder,
        """
        import mmap
        memory = mmap.mmap(-1, 4 * 4096)
        at = ctypes.addressof(c_int.from_buffer(memory))
        assert bad(at, 4 * 4096) == 4 * 4096 and memory_writable(at)
        libc = ctypes.CDLL(None)
        assert libc.mprotect(c_void_p(at + 4096), c_size_t(4096), 0) == 0
        assert bad(at, 4 * 4096) == 4096 and bad(at + 100, 10_000) == 3996
        assert libc.mprotect(c_void_p(at + 4096), c_size_t(4096), 1) == 0
        assert bad(at, 4 * 4096) == 4 * 4096
        assert not memory_writable(at + 4096) and memory_writable(at) and memory_writable(at + 8192)
        assert libc.mprotect(c_void_p(at + 4096), c_size_t(4096), 3) == 0
        assert memory_writable(at + 4096)
        assert bad(0, 1) == 0 and bad(0x1234, 10) == 0 and bad((1 << 64) - 8, 8) == 0 and bad(1 << 63, 100) == 0
        value = ctypes.c_int()
        assert bad(ctypes.addressof(value), 4) == 4
        assert bad(read_only(), 4) == 4 and not memory_writable(read_only())
        """,
    )


def test_tables_are_zeroed_and_end_at_their_size(folder: Path) -> None:
    passes(
        folder,
        """
        for size in (1, 100, 4096, 1 << 20):
            table = memory_table(size)
            assert not any(ctypes.string_at(table, size)) and block_of(table) is None
            ctypes.memset(table, 1, size)
            memory_table_free(table, size)
            assert bad(table, 1) == 0
        """,
    )


# ---- Signals ----


SIGNALS = {
    "null": ("read(0, 0)", signal.SIGSEGV, ("SEGV", None, 0, "library_read")),
    "write to null": ("write(0, 8)", signal.SIGSEGV, ("SEGV", None, 1, "library_write")),
    "read-only": ("write(read_only(), 0)", signal.SIGSEGV, ("SEGV", None, 1, "library_write")),
    "no address": ("read(1 << 62, 0)", signal.SIGSEGV, ("SEGV", None, -1, "library_read")),
    "recursion": ("library.library_recurse(1)", signal.SIGSEGV, ("stack-overflow", None, 1, "library_recurse")),
    "recursion of a thread": (
        "library.library_run_thread(library.library_recurse, 1)",
        signal.SIGSEGV,
        ("stack-overflow", None, 1, "library_recurse"),
    ),
    "division": ("library.library_divide(1, 0)", signal.SIGFPE, ("FPE", None, -1, "library_divide")),
    "instruction": ("library.library_trap()", signal.SIGILL, ("ILL", None, -1, "library_trap")),
    "abort": ("library.library_abort()", signal.SIGABRT, ("ABRT", None, -1, "library_abort")),
    "file": (
        "import tempfile; f = tempfile.TemporaryFile(); f.write(b'x'); f.flush(); read_file(f.fileno())",
        signal.SIGBUS,
        ("BUS", None, 0, "library_read_file"),
    ),
    "sent": ("os.kill(os.getpid(), 11)", signal.SIGSEGV, ("SEGV", None, -1, "")),
}


@pytest.mark.parametrize("faulthandler", ["", "before", "after"])
@pytest.mark.parametrize("case", SIGNALS)
def test_a_signal_is_reported_also_with_a_faulthandler(folder: Path, case: str, faulthandler: str) -> None:
    code, number, expected = SIGNALS[case]
    environment = {"PYTHONFAULTHANDLER": "1"} if faulthandler == "before" else {}
    found = reported(
        folder, ("faulthandler.enable()\n" if faulthandler == "after" else "") + code, number, **environment
    )
    assert found == expected


def test_the_faulthandler_prints_its_traceback_after_the_report(folder: Path) -> None:
    for fault in ("read(0, 0)", "library.library_abort()", "block = malloc(1); free(block); free(block)"):
        done = run(folder, f"checks.probe_start()\nfaulthandler.enable()\n{fault}")
        assert done.stderr.index("report ") < done.stderr.index("Fatal Python error"), done.stderr
        assert 'File "<string>", line 4' in done.stderr


def test_handlers_of_the_program_are_kept_and_given_back(folder: Path) -> None:
    passes(
        folder,
        """
        import signal
        checks.probe_start()
        assert signal.signal(signal.SIGSEGV, signal.SIG_IGN) == signal.SIG_DFL
        assert signal.getsignal(signal.SIGSEGV) == signal.SIG_IGN
        assert signal.signal(signal.SIGSEGV, signal.SIG_DFL) == signal.SIG_IGN
        faulthandler.enable()
        faulthandler.disable()
        seen = []
        signal.signal(signal.SIGUSR1, lambda *_: seen.append(1))
        os.kill(os.getpid(), signal.SIGUSR1)
        assert seen == [1]
        """,
    )


# ---- Blocks of the program ----

FENCED = """
memory_fence(True)
array = bytearray(b"x" * 100)
memory_fence(False)
at = ctypes.addressof((ctypes.c_char * 100).from_buffer(array))
tell("told", at)
"""
PYTHON_ALLOCATES = {"PYTHONMALLOC": "malloc"}


def test_an_array_of_the_program_is_forbidden_after_its_end(folder: Path) -> None:
    found = reported(folder, f"{FENCED}\nread(at, 99)\ndel array\nread(at, 5)", **PYTHON_ALLOCATES)
    assert found == ("heap-use-after-free", 5, 0, "library_read")


def test_a_library_must_not_free_an_array_of_the_program(folder: Path) -> None:
    found = reported(folder, f"{FENCED}\nfree(at)", signal.SIGABRT, **PYTHON_ALLOCATES)
    assert found == ("bad-free", 0, -1, "library_free")
    found = reported(folder, f"{FENCED}\nrealloc(at, 200)", signal.SIGABRT, **PYTHON_ALLOCATES)
    assert found == ("bad-free", 0, -1, "library_realloc")


def test_other_memory_of_the_program_has_no_forbidden_pages(folder: Path) -> None:
    code = "array = bytearray(b'x' * 100); at = ctypes.addressof((ctypes.c_char * 100).from_buffer(array))"
    passes(folder, f"{code}\nassert block_of(at) is None", **PYTHON_ALLOCATES)


# ---- Leaks ----


def leaks(folder: Path, code: str, **environment: str) -> list[str]:
    done = run(folder, f"{textwrap.dedent(code)}\ngc.collect()\nchecks.probe_leaks()\n", **environment)
    assert done.returncode == 0 and "leaks listed" in done.stderr, done.stderr
    return [line for line in done.stderr.splitlines() if line.startswith("leak ")]


def test_blocks_that_nothing_points_to_are_leaks(folder: Path) -> None:
    found = leaks(
        folder,
        """
        leak(40, 24)
        name = b"py_meter_label"
        assert memory_enter(name) is None
        leak(50, 77)
        assert memory_enter(None) == name
        """,
    )
    # An old copy of an address can hide a block.
    assert 38 <= found.count("leak 24 - [library_leak]") <= 40
    assert 48 <= found.count("leak 77 py_meter_label [library_leak]") <= 50
    assert len(found) <= 90


def test_a_leak_of_a_static_function_has_its_name(folder: Path) -> None:
    found = leaks(folder, "leak_hidden(40, 24)")
    assert 38 <= found.count("leak 24 - [allocate_hidden]") == len(found), found


def test_a_leak_of_a_stripped_library_has_its_file_and_the_address(folder: Path) -> None:
    stripped = folder / "libstripped.so"
    subprocess.run(["strip", "-o", stripped, folder / "liblibrary.so"], check=True)
    own = {"DLB_CHECKED_LIBRARIES": str(stripped), "TEST_LIBRARY": str(stripped)}
    found = leaks(folder, "leak_hidden(40, 24)", **own)
    assert len(found) >= 38 and len(set(found)) == 1, found
    assert re.fullmatch(r"leak 24 - \[libstripped\.so\+0x[0-9a-f]+\]", found[0]), found


def test_a_library_that_is_not_tested_has_no_leaks(folder: Path) -> None:
    assert leaks(folder, "leak_hidden(40, 24); leak(40, 24)", TEST_LIBRARY=str(folder / "libother.so")) == []


def test_blocks_that_something_points_to_are_no_leaks(folder: Path) -> None:
    assert (
        leaks(folder, "library.library_list(100); kept = c_void_p(malloc(50)); inside = c_void_p(malloc(9) + 5)") == []
    )


def test_freed_blocks_are_no_leaks(folder: Path) -> None:
    assert leaks(folder, "for _ in range(50): free(malloc(100))") == []


def test_only_the_first_block_of_a_lost_list_is_a_leak(folder: Path) -> None:
    assert leaks(folder, "library.library_list(20)\nlibrary.library_lose_list()") == ["leak 8 - [library_list]"]
