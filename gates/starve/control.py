# SPDX-License-Identifier: MIT
"""Drives the library of the wrappers in this process: records which call sites run, and lets one of them fail."""

from __future__ import annotations

import ctypes
import os
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Fault:
    """Call number `call` of a site fails, or of all sites if `site` is 0; `onward`: all later calls, too."""

    site: int
    call: int
    onward: bool = False


class Control:
    """The library, loaded before the modules that use it."""

    def __init__(self, path: Path) -> None:
        library = ctypes.CDLL(str(path), mode=os.RTLD_GLOBAL | os.RTLD_NOW)
        library.starve_begin.argtypes = [ctypes.c_int, ctypes.c_long, ctypes.c_int]
        library.starve_begin.restype = None
        for name in ("starve_end", "starve_calls", "starve_all_calls", "starve_live"):
            getattr(library, name).restype = ctypes.c_long
        library.starve_describe.restype = ctypes.c_char_p
        self._library = library

    def begin(self, fault: Fault | None = None) -> None:
        """Counts the calls of this thread from now on; one fails if `fault` is given."""
        if fault is None:
            self._library.starve_begin(0, 0, 0)
        else:
            self._library.starve_begin(fault.site, fault.call, fault.onward)

    def end(self) -> int:
        """Returns how many calls have failed since begin(). No call fails any more."""
        return int(self._library.starve_end())

    def calls(self) -> dict[int, int]:
        """Returns the sites that were called since begin(), and how often."""
        counts = ((site, self._library.starve_calls(site)) for site in range(1, self._library.starve_site_count() + 1))
        return {site: count for site, count in counts if count}

    def all_calls(self) -> int:
        """Returns how many calls there were since begin()."""
        return int(self._library.starve_all_calls())

    def first_failed(self) -> int:
        """Returns the site of the first call that failed since begin(); 0 if none did."""
        return int(self._library.starve_first_failed())

    def describe(self, site: int) -> str:
        """Returns `FILE:LINE FUNCTION NAME` of a site, with the last two parts of the path."""
        text: str = self._library.starve_describe(site).decode()
        path, rest = text.split(":", 1)
        return f"{'/'.join(path.split('/')[-2:])}:{rest}"

    def live_blocks(self) -> list[int]:
        """Returns how many blocks of each site are not freed; site 1 comes first."""
        return [self._library.starve_live(site) for site in range(1, self._library.starve_site_count() + 1)]
