"""The folders without Python code: beside the package in an installed wheel, at the top of a checkout."""

from __future__ import annotations

from pathlib import Path
from typing import Literal


class ResourceError(Exception):
    """Raised if a folder of dlpack-bindgen is missing. The message is one line."""


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
