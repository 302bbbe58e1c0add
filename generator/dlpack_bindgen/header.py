"""The official `dlpack.h`: where it is, and whether it is new enough."""

from __future__ import annotations

import importlib.util
import os
import re
from collections.abc import Iterator
from pathlib import Path

OLDEST = (1, 3)
"""The version that the runtime needs."""
_PLACE = Path("dlpack", "dlpack.h")
_VERSION = re.compile(r"^#define DLPACK_(MAJOR|MINOR)_VERSION ([0-9]+)\s*$", re.MULTILINE)


class HeaderError(Exception):
    """Raised if there is no usable `dlpack.h`. The message is one line and names the remedy."""


def include_folder() -> Path:
    """Returns the folder that contains `dlpack/dlpack.h`: that of `DLPACK_INCLUDE`, else the one in the wheel of this
    package, else the one in the package `apache-tvm-ffi`."""
    chosen = os.environ.get("DLPACK_INCLUDE")
    if chosen:
        if not _has_header(Path(chosen)):
            raise HeaderError(f"DLPACK_INCLUDE is {chosen}, where there is no dlpack/dlpack.h")
        return Path(chosen).absolute()
    for folder in (Path(__file__).resolve().parent / "include", *_of_package()):
        if _has_header(folder):
            return folder.absolute()
    raise HeaderError(
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
        raise HeaderError(f"{path} is {shown}, and {'.'.join(map(str, OLDEST))} or a later 1.x is needed")
    return path


def _of_package() -> Iterator[Path]:
    # Locate tvm_ffi without an import, which would load its shared libraries.
    package = importlib.util.find_spec("tvm_ffi")
    for folder in (package and package.submodule_search_locations) or ():
        yield Path(folder, "include")


def _has_header(include: Path) -> bool:
    return Path(include, _PLACE).is_file()
