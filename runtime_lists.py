# SPDX-License-Identifier: MIT
"""Writes the lists of the runtime: the names in `dlb_namespace.h`, and the files that `dlb_core.c` and others include.

Run `make generate` after you have added a function or a file to the runtime. With `--check`, nothing is written, and
the status is 1 if a list would change. What files of the runtime share is declared with DLB_API; -DDLB_NAMESPACE
renames it. Each library includes its files so that none calls a later one.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

RUNTIME = Path(__file__).resolve().parent / "runtime"
LIBRARIES = ("core", "object", "call")
"""The folders of the runtime, which are libraries: each needs those before it."""
_NAMES = re.compile(r"^#define dlb_\w+ DLB_NAME\(.*^#define dlb_\w+ DLB_NAME\(\w+\)\n", re.MULTILINE | re.DOTALL)
_INCLUDES = re.compile(r'(?:^#include "\w+/\w+\.c"\n)+', re.MULTILINE)
_DECLARED = re.compile(r"\bDLB_API\b[^;{}#]*?\b(dlb_\w+)\s*[(;\[=]")
_FUNCTION = re.compile(r"^(?!static|typedef|#)[A-Za-z][^;{}=#]*?\b(dlb_\w+)\([^;{}]*?\)\n\{", re.MULTILINE)
_VARIABLE = re.compile(r"^(?!static|typedef|#|extern)[A-Za-z][\w *]*?\b(dlb_\w+)(?:\[\])? = ", re.MULTILINE)


@cache
def code_of(path: Path) -> str:
    """Returns the text of a file without comments and strings."""
    return re.sub(r'/\*.*?\*/|"(\\.|[^"\\])*"', " ", path.read_text(encoding="utf-8"), flags=re.DOTALL)


def names() -> list[str]:
    """Returns the functions and variables that files of the runtime share."""
    return sorted({name for path in RUNTIME.rglob("*.[ch]") for name in _DECLARED.findall(code_of(path))})


def called_files(library: str) -> dict[Path, set[Path]]:
    """Maps each C file of a library to the files of the library whose functions and variables it uses."""
    listed = re.findall(r'^#include "(.*)"', (RUNTIME / f"dlb_{library}.c").read_text(encoding="utf-8"), re.MULTILINE)
    files = [RUNTIME / name for name in listed if (RUNTIME / name).exists()]
    files += sorted({*(RUNTIME / library).glob("*.c")} - {*files})
    home = {name: path for path in files for kind in (_FUNCTION, _VARIABLE) for name in kind.findall(code_of(path))}
    return {
        path: {home[name] for name in set(re.findall(r"\bdlb_\w+", code_of(path))) if name in home} - {path}
        for path in files
    }


def in_order(library: str) -> Iterator[Path]:
    """Yields the C files of a library, each after those that it calls, and otherwise in the order of the list."""
    waiting = called_files(library)
    while waiting:
        ready = next((path for path, called in waiting.items() if not called & waiting.keys()), None)
        if ready is None:
            sys.exit(f"these files call each other: {', '.join(path.name for path in waiting)}")
        del waiting[ready]
        yield ready


def written() -> dict[Path, str]:
    """Returns the files with lists, and their text."""
    namespace = RUNTIME / "dlb_namespace.h"
    lines = "".join(f"#define {name} DLB_NAME({name})\n" for name in names())
    found = {namespace: _NAMES.sub(lines, namespace.read_text(encoding="utf-8"), count=1)}
    for library in LIBRARIES:
        path = RUNTIME / f"dlb_{library}.c"
        lines = "".join(f'#include "{library}/{each.name}"\n' for each in in_order(library))
        found[path] = _INCLUDES.sub(lines, path.read_text(encoding="utf-8"), count=1)
    return found


def main() -> None:
    """Writes the lists that have changed, or reports them."""
    stale = [path for path, text in written().items() if path.read_text(encoding="utf-8") != text]
    if "--check" in sys.argv and stale:
        sys.exit(f"run `make generate`: {', '.join(path.name for path in stale)} would change")
    for path in stale:
        path.write_text(written()[path], encoding="utf-8")


if __name__ == "__main__":
    main()
