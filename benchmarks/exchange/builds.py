"""Builds what is compared; a peer that cannot be built is a sentence in the table."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys
import sysconfig
from collections.abc import Sequence
from pathlib import Path

BENCHMARKS = Path(__file__).resolve().parent.parent
TOP = BENCHMARKS.parent
SUBJECT = BENCHMARKS / "subject"
OUTPUT = TOP / "build" / "bench"
VERSION = f"{sys.version_info.major}.{sys.version_info.minor}"
FOLDER = OUTPUT / VERSION
CC = shlex.split(os.environ.get("CC", "cc"))
CXX = shlex.split(os.environ.get("CXX", "c++"))
SHARED = ["-O2", "-DNDEBUG", "-fPIC", "-shared"]


class BuildError(Exception):
    """A command failed; its last lines."""


def command(arguments: Sequence[str | Path], **environment: str) -> str:
    words = [str(argument) for argument in arguments]
    try:
        result = subprocess.run(words, capture_output=True, text=True, check=False, env={**os.environ, **environment})
    except FileNotFoundError as error:
        raise BuildError(f"{words[0]} is not installed") from error
    if result.returncode != 0:
        raise BuildError(f"{shlex.join(words[:3])} ...: {' '.join(result.stderr.split()[-40:])}")
    return result.stdout


def bindgen(*arguments: str | Path) -> list[str]:
    return shlex.split(command([sys.executable, "-m", "dlpack_bindgen", *arguments]))


def python_flags() -> list[str]:
    return ["-isystem", sysconfig.get_path("include")]


def package(name: str) -> Path:
    """Where an installed package is."""
    return Path(sysconfig.get_path("purelib")) / name


def generate() -> Path:
    folder = FOLDER / "generated"
    bindgen("generate", SUBJECT / "subject.yaml", "-o", folder)
    return folder


def ours(name: str, *, abi3: bool) -> Path:
    """The generated module, for this Python or of the limited API."""
    generated = generate()
    target = FOLDER / name / "subject.so"
    target.parent.mkdir(parents=True, exist_ok=True)
    flags = bindgen("config", "--cflags", "--python-cflags", *(["--abi3-cflags"] if abi3 else []))
    sources: list[str | Path] = [*generated.glob("*.c"), SUBJECT / "subject.c", *bindgen("config", "--sources")]
    command([*CC, "-std=c11", *SHARED, *flags, f"-I{SUBJECT}", f"-I{generated}", *sources, "-o", target])
    return target


def extension(name: str, sources: Sequence[str | Path], *flags: str | Path) -> Path:
    """An extension module in C."""
    target = FOLDER / f"{name}.so"
    cflags = bindgen("config", "--cflags")
    command([*CC, "-std=c11", *SHARED, *cflags, *python_flags(), f"-I{SUBJECT}", *flags, *sources, "-o", target])
    return target


def pure() -> Path:
    generated = generate()
    sources = [SUBJECT / "pure.c", SUBJECT / "subject.c", generated / "subject_dlpack.c"]
    return extension("pure", [*sources, *bindgen("config", "--c-sources")], f"-I{generated}")


def baseline() -> Path:
    return extension("baseline", [*sorted((BENCHMARKS / "baseline").glob("*.c")), SUBJECT / "subject.c"])


def driver() -> Path:
    return extension("driver", [BENCHMARKS / "exchange" / "driver.c"])


def floor() -> Path:
    return extension("floor", [BENCHMARKS / "exchange" / "floor.c", SUBJECT / "subject.c"])


def crate(name: str) -> Path:
    folder = BENCHMARKS / "peers" / name
    build = FOLDER / f"cargo-{name}"
    manifest = folder / "Cargo.toml"
    command(
        ["cargo", "build", "--release", "--locked", "--manifest-path", manifest],
        PYO3_PYTHON=sys.executable,
        CARGO_TARGET_DIR=str(build),
    )
    return Path(shutil.copy(build / "release" / f"libpeer_{name}.so", FOLDER / f"peer_{name}.so"))


def nanobind_flags() -> list[str]:
    """Those of nanobind_add_module(), but for the optimisation."""
    include = [f"-I{package('nanobind') / part}" for part in ("include", "ext/robin_map/include")]
    return ["-std=c++17", "-fvisibility=hidden", "-fno-strict-aliasing", *include]


def nanobind() -> Path:
    target = FOLDER / "peer_nanobind.so"
    source = BENCHMARKS / "peers" / "nanobind" / "peer_nanobind.cpp"
    library = package("nanobind") / "src" / "nb_combined.cpp"
    flags = [*nanobind_flags(), *python_flags(), f"-I{SUBJECT}"]
    command([*CXX, *SHARED, "-O3", *flags, source, library, "-x", "c", SUBJECT / "subject.c", "-o", target])
    return target


def tvm_ffi() -> Path:
    target = FOLDER / "peer_tvm_ffi.so"
    source = BENCHMARKS / "peers" / "tvm_ffi" / "peer_tvm_ffi.cpp"
    home = package("tvm_ffi")
    flags = ["-std=c++17", "-isystem", str(home / "include"), f"-I{SUBJECT}"]
    libraries = [f"-L{home / 'lib'}", "-ltvm_ffi", f"-Wl,-rpath,{home / 'lib'}"]
    command([*CXX, *SHARED, *flags, source, "-x", "c", SUBJECT / "subject.c", "-o", target, *libraries])
    return target


def peers() -> tuple[dict[str, Path], dict[str, str]]:
    """Those that could be built, and why the others could not."""
    built: dict[str, Path] = {}
    failed: dict[str, str] = {}
    for name, build in {
        "pyo3": lambda: crate("pyo3"),
        "dlpark": lambda: crate("dlpark"),
        "nanobind": nanobind,
        "tvm_ffi": tvm_ffi,
    }.items():
        try:
            built[name] = build()
        except BuildError as error:
            failed[name] = str(error)
    return built, failed
