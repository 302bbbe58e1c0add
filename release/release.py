# SPDX-License-Identifier: MIT
"""`make release`: makes the files of a release in `dist/`, and checks them. It uploads nothing.

It refuses a changed tree, a version without a date in CHANGELOG.md, a version that has a tag already, and results of
gates that are older than their sources.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import venv
from pathlib import Path

TOP = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(TOP / "gates"))

import ledger  # noqa: E402

DIST = TOP / "dist"


def run(*command: str | Path, folder: Path = TOP) -> str:
    """Runs a command and returns what it prints; ends this program with its output if it fails."""
    done = subprocess.run(
        list(map(str, command)), cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False
    )
    if done.returncode:
        sys.exit(f"{' '.join(map(str, command))}\n{done.stdout}")
    return done.stdout


def version_of(package: str) -> str:
    """Returns the version in the text of the package's `__init__.py`."""
    found = re.search(r'^__version__ = "(.*)"$', package, re.MULTILINE)
    if found is None:
        sys.exit("generator/dlpack_bindgen/__init__.py has no __version__")
    return found[1]


def notes_of(changes: str, version: str) -> str:
    """Returns the section of CHANGELOG.md about a version, which must have a date."""
    found = re.search(rf"^## {re.escape(version)} \((.*?)\)\n(.*?)(?=^## |\Z)", changes, re.MULTILINE | re.DOTALL)
    if found is None:
        sys.exit(f"CHANGELOG.md has no section '## {version} (DATE)'")
    if re.fullmatch(r"\d{4}-\d{2}-\d{2}", found[1]) is None:
        sys.exit(f"CHANGELOG.md says '{version} ({found[1]})': replace the words in brackets by the date")
    return found[2].strip() + "\n"


def check_tree(version: str, folder: Path = TOP) -> None:
    """Refuses uncommitted changes, and a version that has a tag."""
    changed = run("git", "status", "--porcelain", folder=folder)
    if changed:
        sys.exit(f"commit these changes first:\n{changed}")
    if run("git", "tag", "--list", f"v{version}", folder=folder):
        sys.exit(f"there is a tag v{version}: increase __version__ in generator/dlpack_bindgen/__init__.py")


def try_wheel(wheel: Path, folder: Path) -> None:
    """Installs the wheel in a new environment, and writes and compiles C with it."""
    venv.create(folder, with_pip=True, clear=True)
    python = folder / "bin" / "python"
    run(python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", wheel)
    bindgen = folder / "bin" / "dlpack-bindgen"
    run(bindgen, "generate", TOP / "examples" / "template" / "sound.yaml", "-o", folder / "glue")
    run(bindgen, "vendor", folder / "glue", "--c-only")
    run(
        "cc",
        "-std=c99",
        "-c",
        folder / "glue" / "sound_dlpack.c",
        f"-I{TOP / 'examples' / 'template'}",
        "-o",
        "/dev/null",
    )


def main() -> None:
    """Makes the wheel, the source distribution and the notes."""
    version = version_of((TOP / "generator" / "dlpack_bindgen" / "__init__.py").read_text(encoding="utf-8"))
    notes = notes_of((TOP / "CHANGELOG.md").read_text(encoding="utf-8"), version)
    check_tree(version)
    ledger.refuse_older()
    ledger.check_page()
    shutil.rmtree(DIST, ignore_errors=True)
    run(sys.executable, "-m", "build", "--outdir", DIST)
    artifacts = sorted(DIST.iterdir())
    run(sys.executable, "-m", "twine", "check", "--strict", *artifacts)
    [wheel] = DIST.glob("*.whl")
    try_wheel(wheel, TOP / "build" / "release")
    (DIST / "NOTES.md").write_text(notes, encoding="utf-8")
    print("These files are checked; NOTES.md is for the page of the release:")
    print(*artifacts, sep="\n")
    print(f"Tag the commit: git tag v{version}")


if __name__ == "__main__":
    main()
