"""The step `vendor`: the runtime, `dlpack.h` and their licences, as the few files that a project commits beside its
generated C.

The runtime has many files, one for each concept. This step joins them: each public header includes the parts that
only it needs, each library is one C file, and what several libraries share is a private header. Nothing depends on the
machine: with the same `dlpack.h`, the files have the same bytes everywhere."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from dlpack_bindgen import __version__
from dlpack_bindgen.emit.render import OutputFile
from dlpack_bindgen.resources import header, licence_of_dlpack, resource_folder

LIBRARIES = ("core", "object", "call")
"""The libraries of the runtime, in the order in which they need each other."""
# The files to write for each library, and the file of the runtime that each begins with.
_FILES = {
    "core": {
        "dlb_core.h": "dlb_core.h",
        "dlb_array.h": "dlb_array.h",
        "dlb_assert.h": "dlb_assert.h",
        "dlb_emit.h": "dlb_emit.h",
        "dlb_runtime.h": "dlb_runtime.h",
        "dlb_core_private.h": "core/exchange.h",
        "dlb_core.c": "dlb_core.c",
    },
    "object": {
        "dlb_object.h": "dlb_object.h",
        "dlb_module.h": "dlb_module.h",
        "dlb_object_private.h": "object/object.h",
        "dlb_object.c": "dlb_object.c",
    },
    "call": {"dlb_call.h": "dlb_call.h", "dlb_call.c": "dlb_call.c"},
}
_RUNTIME_FILE = re.compile(r"dlb_[a-z_]+\.[ch]")
_SPDX = "/* SPDX-License-Identifier: MIT-0 */\n"
_GUARD = re.compile(r"^#ifndef (\w+_H_)\n#define \1\n", re.MULTILINE)
_INCLUDE = re.compile(r'#include ("|<)(.*?)[">]')
_OFFICIAL = ("#include <dlpack/dlpack.h>", '#include "dlpack/dlpack.h"')
"""The line of the runtime, and the line for a copy that lies beside its `dlpack.h`."""

_BANNER = "/* Written by `dlpack-bindgen vendor`. Run it again to update the file; do not edit it. */\n"
_NAMESPACE = """\
/* This copy of the runtime was written with --namespace {0}. */
#if !defined(DLB_NAMESPACE)
#define DLB_NAMESPACE {0}
#endif

"""
# One number for all files that belong together. The test in front of the guard finds a copy of another version in the
# same source file.
_SAME_COPY = """\
#if defined(DLB_COPY) && DLB_COPY != {0}
#error "two versions of the runtime in one source file: run `dlpack-bindgen vendor` of one version for both copies"
#endif
"""
_COPY = "#define DLB_COPY {0} /* all files of one version have this number */\n"
_SAME_VERSION = """\
#if !defined(DLB_COPY) || DLB_COPY != {0}
#error "{1} and dlb_core.h are of two versions: run `dlpack-bindgen vendor` again, and compile the files of one folder"
#endif
"""
# The folder may be moved: pkg-config replaces ${pcfiledir} by the folder of the file.
_PKG_CONFIG = """\
# The runtime has no binary: compile the files that `pkg-config --variable=sources dlb_runtime` lists.
sources={sources}

Name: dlb_runtime
Description: The runtime of C code that dlpack-bindgen generates
Version: {version}
Cflags: -I${{pcfiledir}}
"""


def outputs(libraries: Sequence[str], namespace: str | None) -> list[OutputFile]:
    """Returns the files of these libraries, `dlpack.h` and the licences."""
    official = header()
    contents = _Amalgamation().contents
    version = f"0x{hashlib.sha256(repr(sorted(contents.items())).encode()).hexdigest()[:8]}"
    files = []
    for library in libraries:
        files += [
            OutputFile(name, _with_version_check(name, contents[name], version, namespace)) for name in _FILES[library]
        ]
    files.append(OutputFile("dlb_runtime.pc", _pkg_config(libraries)))
    files.append(OutputFile("dlb_LICENSE.txt", (resource_folder("runtime") / "LICENSE").read_text(encoding="utf-8")))
    files.append(OutputFile("dlpack/dlpack.h", official.read_text(encoding="utf-8")))
    files.append(OutputFile("dlpack/LICENSE", licence_of_dlpack().read_text(encoding="utf-8")))
    return files


def _pkg_config(libraries: Sequence[str]) -> str:
    sources = " ".join(f"${{pcfiledir}}/dlb_{library}.c" for library in libraries)
    return _PKG_CONFIG.format(version=__version__, sources=sources)


def with_present(libraries: Sequence[str], directory: Path) -> Sequence[str]:
    """Returns these libraries, and those that the directory has besides: the files of one copy are of one version."""
    counts = [
        count for count, name in enumerate(LIBRARIES, 1) if any((directory / file).exists() for file in _FILES[name])
    ]
    return LIBRARIES[: max([len(libraries), *counts])]


def left_over(files: Sequence[OutputFile], directory: Path) -> list[str]:
    """Returns the names of files in the directory that look as if an earlier run had written them."""
    names = {file.name for file in files}
    found = sorted(path.name for path in directory.glob("dlb_*") if path.is_file())
    return [name for name in found if _RUNTIME_FILE.fullmatch(name) and name not in names]


def namespace_of(directory: Path) -> str | None:
    """Returns the namespace of the copy in the directory, or None if it has none or there is no copy."""
    try:
        text = (directory / "dlb_core.h").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return None
    found = re.search(r"was written with --namespace (\w+)\.", text)
    return found[1] if found else None


def _with_version_check(name: str, text: str, version: str, namespace: str | None) -> str:
    """Adds the namespace, and the checks that all files are of one version. `version` is a number computed of them."""
    if name == "dlb_core.h":
        guard = _GUARD.search(text)
        assert guard is not None
        opening = _SAME_COPY.format(version) + guard.group() + _COPY.format(version)
        text = text[: guard.start()] + opening + text[guard.end() :]
        if namespace is not None:
            first = text.index("#ifdef DLB_NAMESPACE\n")
            text = text[:first] + _NAMESPACE.format(namespace) + text[first:]
    elif name != "dlb_runtime.h":
        first = text.index("\n", text.index('#include "dlb_')) + 1
        text = text[:first] + _SAME_VERSION.format(version, name) + text[first:]
    return _SPDX + _BANNER + text


class _Amalgamation:
    """The content of each file to write, joined of files of the runtime."""

    def __init__(self) -> None:
        self._runtime = resource_folder("runtime").resolve()
        starts = {name: self._runtime / start for library in LIBRARIES for name, start in _FILES[library].items()}
        self._output_of = {start: name for name, start in starts.items()}
        """Maps each file of the runtime to the output file that contains it."""
        self.contents = {name: self._text(name, start) for name, start in starts.items()}

    def _text(self, name: str, start: Path) -> str:
        parts = self._parts(name, start, [])
        if parts == [start] and start.name == name:
            return _read(start).replace(_OFFICIAL[0], _OFFICIAL[1])
        top, guard, rest = _split_guard(_read(start))
        hoisted: dict[str, None] = {}  # the lines that include files, in order
        sections = []
        for part in parts:
            comment, _, text = ("", "", rest) if part == start else _split_guard(_read(part))
            lines = list(self._without_includes(part, name, text, hoisted))
            text = comment + "\n".join(lines)
            if text.strip():
                title = f"/* ======== {part.relative_to(self._runtime).as_posix()} ======== */\n\n"
                sections.append((title if len(parts) > 1 else "") + text.strip("\n") + "\n")
        own = [line for line in hoisted if "<" not in line]
        system = sorted(line for line in hoisted if "<" in line)
        blocks = [top + guard, "".join(f"{line}\n" for line in own), "".join(f"{line}\n" for line in system), *sections]
        text = "\n".join(filter(None, [*blocks, "#endif\n" if guard else ""]))
        return re.sub(r"\n{3,}", "\n\n", text)

    def _parts(self, name: str, path: Path, found: list[Path]) -> list[Path]:
        """Adds a file, behind the files that it includes and that no other file to write contains."""
        for _, included in _INCLUDE.findall(_read(path)):
            part = self._find(path, included)
            if part is not None and self._output_of.setdefault(part, name) == name and part not in found:
                self._parts(name, part, found)
        found.append(path)
        return found

    def _without_includes(self, path: Path, name: str, text: str, hoisted: dict[str, None]) -> Iterator[str]:
        """Yields the lines except includes that need no condition, which go to the top of the file: `hoisted`."""
        depth = 0
        for line in text.splitlines():
            depth += line.startswith("#if")
            depth -= line.startswith("#endif")
            found = _INCLUDE.match(line)
            part = self._find(path, found[2]) if found else None
            if part is not None:
                if self._output_of[part] != name:
                    hoisted.setdefault(f'#include "{self._output_of[part]}"')
            elif line == _OFFICIAL[0]:
                hoisted.setdefault(_OFFICIAL[1])
            elif found is not None and depth == 0:
                hoisted.setdefault(line)
            else:
                yield line

    def _find(self, path: Path, included: str) -> Path | None:
        places = [(folder / included).resolve() for folder in (path.parent, self._runtime)]
        return next((place for place in places if place.is_file()), None)


def _read(path: Path) -> str:
    return path.read_text(encoding="utf-8").removeprefix(_SPDX)


def _split_guard(text: str) -> tuple[str, str, str]:
    """Splits the text of a file: the comment at its top, the lines that begin a guard, and what the guard contains."""
    guard = _GUARD.search(text)
    if guard is not None:
        return text[: guard.start()], guard.group(), text[guard.end() :].rstrip("\n").removesuffix("#endif")
    end = text.index("*/\n") + len("*/\n")
    return text[:end], "", text[end:]
