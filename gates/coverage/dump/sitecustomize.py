# SPDX-License-Identifier: MIT
"""Lets `os._exit()` write the counts of the process first: gcov does so only where a process ends in the usual way."""

from __future__ import annotations

import ctypes
import os
import re
from pathlib import Path

_end_process = os._exit
_LIBRARY = re.compile(r"/\S+\.so$", re.MULTILINE)


def _exit(status: int) -> None:
    """Writes the counts of all modules of this process, and ends it."""
    for path in set(_LIBRARY.findall(Path("/proc/self/maps").read_text(encoding="utf-8"))):
        try:
            library = ctypes.CDLL(path, mode=os.RTLD_NOW | os.RTLD_NOLOAD)
            library["__gcov_dump"]()
        except (OSError, AttributeError):
            continue
    _end_process(status)


os._exit = _exit
