"""How many processes may work at once."""

from __future__ import annotations

import os


def cores() -> int:
    """Those that this process may use, which in a container are fewer than the machine has."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
