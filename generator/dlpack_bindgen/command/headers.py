"""The headers of the library, as far as `generate` finds them: in the output folder, and beside the spec.

The compiler may find other headers by its flags. The checks therefore use headers only if all of them are found. They
do not look for headers in angle brackets, which belong to other libraries.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Sequence

from dlpack_bindgen.text.names import STANDARD, HeaderNames, HeaderText, read

_MOST_BYTES = 16 * 1024 * 1024
"""The limit for all headers of a spec. Larger ones count as missing."""


def headers_of(output: str | None) -> Callable[[str, Sequence[str]], HeaderNames | None]:
    """Returns the function that reads the headers of a spec, whose files are generated into the folder `output`."""

    def names(file: str, includes: Sequence[str]) -> HeaderNames | None:
        # Compilers look first in the folder of the file that includes the header: the output folder.
        folders = [output] if output is not None else []
        return _names(includes, [*folders, os.path.dirname(file)] if os.path.isfile(file) else folders)

    return names


def _names(includes: Sequence[str], folders: Sequence[str]) -> HeaderNames | None:
    found: dict[str, HeaderText] = {}
    paths: list[str] = []
    pending = [(include, "") for include in reversed(includes)]
    left = _MOST_BYTES
    while pending:
        include, includer = pending.pop()
        if f"<{include[1:-1]}>" in STANDARD:
            paths += [include] if not includer else []
            continue
        path = _find(include, [*([os.path.dirname(includer)] if includer else []), *folders])
        if path is None:
            return None
        paths += [path] if not includer else []
        if path in found:
            continue
        data = _read(path, left)
        header = read(data.decode("latin-1")) if data is not None else None
        if data is None or header is None:
            return None
        left -= len(data)
        found[path] = header
        pending += [(each, path) for each in header.includes]
    return HeaderNames(paths, found.values())


def _find(include: str, folders: Sequence[str]) -> str | None:
    """Returns the path of a header in quotes, or None."""
    paths = [os.path.normpath(os.path.join(folder, include[1:-1])) for folder in folders]
    return next((path for path in paths if os.path.isfile(path)), None) if include.startswith('"') else None


def _read(path: str, most: int) -> bytes | None:
    """Returns the content of a regular file that has at most so many bytes, or None."""
    try:
        status = os.stat(path)
        if not stat.S_ISREG(status.st_mode) or status.st_size > most:
            return None
        with open(path, "rb") as file:
            return file.read(most)
    except OSError:
        return None
