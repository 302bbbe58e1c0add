"""The command `config`: flags and files for a compile line, each found where it is installed.

Everything is quoted for a shell. `$(dlpack-bindgen config ...)` is right for every path without special characters, and
`eval` or a Makefile for the others."""

from __future__ import annotations

import importlib.machinery
import importlib.util
import os
import shlex
import sysconfig
from collections.abc import Callable, Sequence
from pathlib import Path

from dlpack_bindgen.resources import resource_folder


class ConfigError(Exception):
    """Raised if a requirement of a compile line is not installed. The message is one line and names the remedy."""


# The docstrings of the functions up to `abi3_suffix` are the help texts of the options.


def cflags() -> list[str]:
    """The include flags of the runtime and of dlpack.h."""
    return [f"-I{resource_folder('runtime')}", f"-I{_dlpack_include()}"]


def python_cflags() -> list[str]:
    """CPython's include flags."""
    include = sysconfig.get_path("include")
    if not Path(include, "Python.h").is_file():
        raise ConfigError(
            f"no Python.h in {include}: install CPython's headers (Debian: apt install python3-dev, "
            "Fedora: dnf install python3-devel)"
        )
    return [f"-I{path}" for path in dict.fromkeys([include, sysconfig.get_path("platinclude")])]


def sources() -> list[str]:
    """The runtime's source files, for a CPython module: each is made of the parts in a folder."""
    return [*c_sources(), str(resource_folder("runtime") / "dlb_python.c")]


def c_sources() -> list[str]:
    """The one that needs no CPython, for a C program."""
    return [str(resource_folder("runtime") / "dlb_runtime.c")]


def extension_suffix() -> list[str]:
    """What the name of an extension module ends in."""
    return [str(sysconfig.get_config_var("EXT_SUFFIX"))]


def abi3_cflags() -> list[str]:
    """The limited API: one module for all Pythons from 3.11 on."""
    return ["-DPy_LIMITED_API=0x030B0000"]


def abi3_suffix() -> list[str]:
    """What the name of a module of the limited API ends in."""
    stable = [suffix for suffix in importlib.machinery.EXTENSION_SUFFIXES if "abi3" in suffix or suffix == ".pyd"]
    if not stable:
        raise ConfigError("this Python loads no modules of the limited API: it has no GIL")
    return stable[:1]


QUESTIONS: dict[str, Callable[[], list[str]]] = {
    "cflags": cflags,
    "python-cflags": python_cflags,
    "sources": sources,
    "c-sources": c_sources,
    "extension-suffix": extension_suffix,
    "abi3-cflags": abi3_cflags,
    "abi3-suffix": abi3_suffix,
}


def answer(questions: Sequence[str]) -> str:
    """Returns the answers in the order of the questions, on one line."""
    return " ".join(shlex.quote(word) for question in questions for word in QUESTIONS[question]())


def _dlpack_include() -> Path:
    chosen = os.environ.get("DLPACK_INCLUDE")
    if chosen:
        if not _has_header(Path(chosen)):
            raise ConfigError(f"DLPACK_INCLUDE is {chosen}, where there is no dlpack/dlpack.h")
        return Path(chosen).absolute()
    # Locate tvm_ffi without an import, which would load its shared libraries.
    package = importlib.util.find_spec("tvm_ffi")
    for folder in (package and package.submodule_search_locations) or ():
        if _has_header(Path(folder, "include")):
            return Path(folder, "include").absolute()
    raise ConfigError(
        "dlpack/dlpack.h not found: pip install 'dlpack-bindgen[header]', "
        "or set DLPACK_INCLUDE to the folder that contains dlpack/dlpack.h"
    )


def _has_header(include: Path) -> bool:
    return Path(include, "dlpack", "dlpack.h").is_file()
