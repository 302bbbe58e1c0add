"""The files without Python code: templates, runtime and CMake files, and the official `dlpack.h`.

They lie beside the package in an installed wheel, and at the top of a checkout."""

from __future__ import annotations

import importlib.util
import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Literal


class ResourceError(Exception):
    """Raised if a file of dlpack-bindgen, `dlpack.h` or another requirement is missing or unusable.

    The message is one line and names the remedy."""


def package() -> Path:
    """Returns the folder of this package."""
    return Path(__file__).resolve().parent


def resource_folder(name: Literal["templates", "runtime", "cmake"]) -> Path:
    for place in (package() / name, package().parent.parent / name):
        if place.is_dir():
            return place
    raise ResourceError(
        f"{package()} has no folder {name!r} beside it: the installation is incomplete, reinstall dlpack-bindgen"
    )


def licence_of_dlpack() -> Path:
    """Returns the text of the licence of `dlpack.h`, Apache-2.0."""
    for place in (
        package() / "include" / "dlpack" / "LICENSE",
        package().parent.parent / "LICENSES" / "Apache-2.0.txt",
    ):
        if place.is_file():
            return place
    raise ResourceError(
        f"{package()} has no licence of dlpack.h: the installation is incomplete, reinstall dlpack-bindgen"
    )


# ---- The official `dlpack.h`: where it is, and whether it is new enough ----

OLDEST = (1, 3)
"""The version that the runtime needs."""
_PLACE = Path("dlpack", "dlpack.h")
_VERSION = re.compile(r"^#define DLPACK_(MAJOR|MINOR)_VERSION ([0-9]+)\s*$", re.MULTILINE)


def include_folder() -> Path:
    """Returns the folder that contains `dlpack/dlpack.h`: that of `DLPACK_INCLUDE`, else the one in the wheel of this
    package, else the one in the package `apache-tvm-ffi`."""
    chosen = os.environ.get("DLPACK_INCLUDE")
    if chosen:
        if not _has_header(Path(chosen)):
            raise ResourceError(f"DLPACK_INCLUDE is {chosen}, where there is no dlpack/dlpack.h")
        return Path(chosen).absolute()
    for folder in (package() / "include", *_of_package()):
        if _has_header(folder):
            return folder.absolute()
    raise ResourceError(
        "dlpack/dlpack.h not found: pip install 'dlpack-bindgen[header]', "
        "or set DLPACK_INCLUDE to the folder that contains dlpack/dlpack.h"
    )


def header() -> Path:
    """Returns the path of `dlpack.h`, whose version has been checked."""
    path = include_folder() / _PLACE
    found = {name: int(number) for name, number in _VERSION.findall(path.read_text(encoding="utf-8"))}
    version = (found.get("MAJOR", 0), found.get("MINOR", 0))
    if version[0] != OLDEST[0] or version < OLDEST:
        shown = ".".join(map(str, version)) if found else "of an unknown version"
        raise ResourceError(f"{path} is {shown}, and {'.'.join(map(str, OLDEST))} or a later 1.x is needed")
    return path


def _of_package() -> Iterator[Path]:
    # Locate tvm_ffi without an import, which would load its shared libraries.
    package = importlib.util.find_spec("tvm_ffi")
    for folder in (package and package.submodule_search_locations) or ():
        yield Path(folder, "include")


def _has_header(include: Path) -> bool:
    return Path(include, _PLACE).is_file()
