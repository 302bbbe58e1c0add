# SPDX-License-Identifier: MIT
"""Says which mutant is active, and records which ones were reached; `instrument.py` puts it into the copied package."""

from __future__ import annotations

import mmap
import os

COUNT = 4096
active = int(os.environ.get("DLB_MUTANT") or 0)
reached: bytearray | mmap.mmap = bytearray(COUNT)

if os.environ.get("DLB_MUTANT_FLAGS"):
    with open(os.environ["DLB_MUTANT_FLAGS"], "r+b") as flags:
        reached = mmap.mmap(flags.fileno(), COUNT)


def on(mutant: int) -> bool:
    """Returns whether that mutant is active."""
    reached[mutant] = 1
    return mutant == active
