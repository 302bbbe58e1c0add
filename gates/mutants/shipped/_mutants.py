# SPDX-License-Identifier: MIT
"""Says which mutant is active, and records which ones were reached; `instrument.py` puts it into the copied package.

`DLB_MUTANT_FLAGS` names a file of one byte for each mutant and, behind them, the number of the active one.
"""

from __future__ import annotations

import mmap
import os

COUNT = 4096
reached: memoryview = memoryview(bytearray(2 * COUNT))

if os.environ.get("DLB_MUTANT_FLAGS"):
    with open(os.environ["DLB_MUTANT_FLAGS"], "r+b") as flags:
        reached = memoryview(mmap.mmap(flags.fileno(), 2 * COUNT))
else:
    reached[COUNT : COUNT + 4] = int(os.environ.get("DLB_MUTANT") or 0).to_bytes(4, "little")

active = reached[COUNT : COUNT + 4].cast("i")


def on(mutant: int) -> bool:
    """Returns whether that mutant is active."""
    reached[mutant] = 1
    return active[0] == mutant
