"""The command `config`: flags and files for a compile line, each found where it is installed.

Everything is quoted for a shell. `$(dlpack-bindgen config ...)` is right for every path without special characters, and
`eval` or a Makefile for the others."""

from __future__ import annotations

import importlib.machinery
import shlex
import sysconfig
from collections.abc import Callable, Sequence
from pathlib import Path

from dlpack_bindgen.header import include_folder
from dlpack_bindgen.resources import resource_folder


class ConfigError(Exception):
    """Raised if a requirement of a compile line is not installed. The message is one line and names the remedy."""


# The docstrings of the functions up to `cmakedir` are the help of the options.


def cflags() -> list[str]:
    """The include flags of the runtime and of dlpack.h."""
    return [f"-I{resource_folder('runtime')}", f"-I{include_folder()}"]


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
    """The C files of the runtime, one for each of its libraries: core, object and call."""
    return [*object_sources(), str(resource_folder("runtime") / "dlb_call.c")]


def object_sources() -> list[str]:
    """The C files for a module whose spec has no functions, methods or properties: core and object."""
    return [*c_sources(), str(resource_folder("runtime") / "dlb_object.c")]


def c_sources() -> list[str]:
    """The C file for a program without Python: core."""
    return [str(resource_folder("runtime") / "dlb_core.c")]


def extension_suffix() -> list[str]:
    """The suffix of extension modules."""
    return [str(sysconfig.get_config_var("EXT_SUFFIX"))]


def abi3_cflags() -> list[str]:
    """The limited API: one module for all Pythons from 3.11 on."""
    return ["-DPy_LIMITED_API=0x030B0000"]


_ABI3_SUFFIXES = (".abi3.so", ".pyd")
"""The suffixes of all Pythons from 3.11 on. CPython 3.15 also has `.abi3-PLATFORM.so`, which older ones do not load."""


def abi3_suffix() -> list[str]:
    """The suffix of modules of the limited API."""
    suffix = next((each for each in _ABI3_SUFFIXES if each in importlib.machinery.EXTENSION_SUFFIXES), None)
    if suffix is None:
        raise ConfigError("this Python loads no modules of the limited API: it has no GIL")
    return [suffix]


def cmakedir() -> list[str]:
    """The folder of the CMake package, for -Ddlpack_bindgen_DIR=."""
    return [str(resource_folder("cmake"))]


QUESTIONS: dict[str, Callable[[], list[str]]] = {
    "cflags": cflags,
    "python-cflags": python_cflags,
    "sources": sources,
    "object-sources": object_sources,
    "c-sources": c_sources,
    "extension-suffix": extension_suffix,
    "abi3-cflags": abi3_cflags,
    "abi3-suffix": abi3_suffix,
    "cmakedir": cmakedir,
}


def answer(questions: Sequence[str], have_functions: bool = True) -> str:
    """Returns the answers in the order of the questions, on one line. Without functions, `sources` leaves out what only
    functions need."""
    asked = [question if have_functions or question != "sources" else "object-sources" for question in questions]
    return " ".join(shlex.quote(word) for question in asked for word in QUESTIONS[question]())
