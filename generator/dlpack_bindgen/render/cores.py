"""The number of available CPU cores."""

from __future__ import annotations

import os


def cores() -> int:
    """Returns the number of cores that this process may use. In a container they are fewer than the machine has."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
