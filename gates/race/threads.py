# SPDX-License-Identifier: MIT
"""Runs random operations in many threads at once: `threads.py FOLDER THREADS OPERATIONS SEED`.

FOLDER has the modules. Prints the numbers of operations as JSON. Fails if an operation has a wrong result, if an object
is left in the end, or if the GIL is enabled.
"""

from __future__ import annotations

import gc
import importlib
import json
import random
import sys
import threading
import traceback
from collections import Counter
from types import ModuleType

from operations import Operations, Shared, is_expected, names

MODULES = ("first", "second")


class Worker(threading.Thread):
    """One thread with its own sequence of operations."""

    def __init__(self, shared: Shared, start: threading.Barrier, seed: str, operations: int) -> None:
        super().__init__()
        self._shared, self._start, self._seed, self._operations = shared, start, seed, operations
        self.counts: Counter[str] = Counter()
        self.refused = 0
        self.failures: list[str] = []

    def run(self) -> None:
        draw = random.Random(self._seed)
        operations = Operations(self._shared, draw)
        choices = names()
        self._start.wait()
        for _ in range(self._operations):
            name = draw.choice(choices)
            self.counts[name] += 1
            try:
                getattr(operations, name)()
            except Exception as error:
                if is_expected(error):
                    self.refused += 1
                else:
                    self.failures.append(f"{name}: {traceback.format_exc()}")
                    return


def left_over(modules: tuple[ModuleType, ...]) -> list[int]:
    """Returns how many objects are left, and how many cells were freed by another thread.

    The first module frees lamps that the second one has made, so only the sum of both counts is 0.
    """
    gc.collect()
    return [sum(module.library_count() for module in modules), sum(module.library_misplaced() for module in modules)]


def main() -> None:
    """Runs all threads, and prints what they did."""
    folder, threads, operations, seed = sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), sys.argv[4]
    sys.path.insert(0, folder)
    modules = tuple(importlib.import_module(name) for name in MODULES)
    enabled = getattr(sys, "_is_gil_enabled", lambda: True)()
    shared = Shared(modules)
    start = threading.Barrier(threads)
    workers = [Worker(shared, start, f"{seed}-{i}", operations // threads) for i in range(threads)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    failures = [failure for worker in workers for failure in worker.failures]
    total = sum((worker.counts for worker in workers), Counter())
    refused = sum(worker.refused for worker in workers)
    del workers, worker
    shared.slots.clear()
    del shared
    left = left_over(modules)
    print(json.dumps({"gil": enabled, "operations": total, "refused": refused, "left": left}))
    if failures or any(left) or enabled:
        sys.exit("\n".join([*failures[:3], f"GIL enabled: {enabled}; left over: {left}"]))


if __name__ == "__main__":
    main()
