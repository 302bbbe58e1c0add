# SPDX-License-Identifier: MIT
"""Builds a free-threaded CPython, with ThreadSanitizer or without.

The source is the original archive of Debian's package, without Debian's patches. The build is kept in
`$XDG_CACHE_HOME/dlpack-bindgen` (default: `~/.cache`), which later calls use. A build takes about five minutes on two
cores. `CLANG` names the compiler. `DLB_DEBIAN_MIRROR` names another mirror. Once the version has left Debian, this
mirror still has it: https://snapshot.debian.org/archive/debian/20250901T000000Z
"""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import urllib.request
from collections.abc import Sequence
from pathlib import Path

CLANG = os.environ.get("CLANG", "clang")
MIRROR = os.environ.get("DLB_DEBIAN_MIRROR", "http://deb.debian.org/debian").rstrip("/")
POOL = "pool/main/p/python3.13"
DESCRIPTION = "python3.13_3.13.5-2.dsc"
DESCRIPTION_SHA256 = "e20005a62d344943da291e014cf4ffee2c1795e2ff461d4f90b0159868762f87"
ARCHIVE = "python3.13_3.13.5.orig.tar.xz"
CONFIGURE = ("--disable-gil",)
THREAD_SANITIZER = ("--with-thread-sanitizer", "--without-ensurepip", "--disable-test-modules")
# The interpreter runs during its own build: the races of CPython itself are not of interest here.
BUILD_OPTIONS = "report_bugs=0"


def cache_folder() -> Path:
    """Returns the folder of all that this project keeps outside of its tree."""
    base = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(base) / "dlpack-bindgen"


def compiler_version() -> str:
    """Returns what the compiler prints as its version."""
    return subprocess.run([CLANG, "--version"], capture_output=True, text=True, check=True).stdout


def launcher() -> list[str]:
    """Returns a prefix of commands: older ThreadSanitizers stop if addresses have more than 28 random bits."""
    try:
        bits = int(Path("/proc/sys/vm/mmap_rnd_bits").read_text(encoding="ascii"))
    except OSError:
        return []
    return ["setarch", "-R"] if bits > 28 else []


def fetch(name: str, sha256: str) -> bytes:
    """Returns a file of the package; stops unless it has that checksum."""
    url = f"{MIRROR}/{POOL}/{name}"
    print(f"fetching {url}", file=sys.stderr)
    with urllib.request.urlopen(url, timeout=60) as response:
        content: bytes = response.read()
    found = hashlib.sha256(content).hexdigest()
    if found != sha256:
        sys.exit(f"{url}: the SHA-256 is {found}, expected {sha256}")
    return content


def fetch_archive() -> bytes:
    """Returns the source archive, whose checksum is in the description of the package."""
    description = fetch(DESCRIPTION, DESCRIPTION_SHA256).decode()
    line = re.search(rf"^ ([0-9a-f]{{64}}) \d+ {re.escape(ARCHIVE)}$", description, re.MULTILINE)
    if line is None:
        sys.exit(f"{DESCRIPTION} has no SHA-256 of {ARCHIVE}")
    return fetch(ARCHIVE, line[1])


def unpack(content: bytes, folder: Path) -> Path:
    """Unpacks the source archive; returns its top folder."""
    archive = folder / ARCHIVE
    archive.write_bytes(content)
    with tarfile.open(archive) as file:
        if hasattr(tarfile, "data_filter"):
            file.extraction_filter = tarfile.data_filter
        file.extractall(folder)
    (top,) = (path for path in folder.iterdir() if path.is_dir())
    return top


def run(command: Sequence[str], folder: Path, log: Path) -> None:
    """Runs one step of the build; on failure prints the end of the log and stops."""
    print(" ".join(command), file=sys.stderr)
    environment = os.environ | {"CC": CLANG, "TSAN_OPTIONS": BUILD_OPTIONS}
    environment.pop("MAKEFLAGS", None)  # `make pythons` exports --no-builtin-rules, but CPython needs suffix rules
    with log.open("a", encoding="utf-8") as output:
        status = subprocess.run(
            command, cwd=folder, env=environment, stdout=output, stderr=subprocess.STDOUT, check=False
        ).returncode
    if status != 0:
        end = log.read_text(encoding="utf-8", errors="replace").splitlines()[-40:]
        sys.exit("\n".join([*end, f"'{' '.join(command)}' failed with {status}; the log is {log}"]))


def free_threaded_python(*, thread_sanitizer: bool) -> Path:
    """Returns the path of the interpreter; builds it unless the cache has it."""
    options = CONFIGURE + (THREAD_SANITIZER if thread_sanitizer else ())
    key = "\n".join([DESCRIPTION_SHA256, *options, compiler_version()])
    name = "python3.13t-tsan" if thread_sanitizer else "python3.13t"
    target = cache_folder() / f"{name}-{hashlib.sha256(key.encode()).hexdigest()[:12]}"
    executable = target / "bin" / "python3.13t"
    stamp = target / "complete"
    if stamp.exists():
        return executable
    target.parent.mkdir(parents=True, exist_ok=True)
    shutil.rmtree(target, ignore_errors=True)
    log = target.with_name(f"{target.name}.log")
    log.unlink(missing_ok=True)
    with tempfile.TemporaryDirectory(dir=target.parent, prefix="build-") as folder:
        source = unpack(fetch_archive(), Path(folder))
        run(["./configure", f"--prefix={target}", *options], source, log)
        run([*launcher(), "make", f"-j{os.cpu_count() or 1}"], source, log)
        # The interpreter compiles the modules that it needs: all of them would take longer than the rest.
        run([*launcher(), "make", "install", "COMPILEALL_OPTS=-r0"], source, log)
    stamp.touch()
    return executable
