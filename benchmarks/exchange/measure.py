"""Nanoseconds per turn: all cases in one process, in interleaved rounds, so that what disturbs one disturbs all."""

from __future__ import annotations

import ctypes
import gc
import os
import random
import statistics
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import repeat
from time import perf_counter_ns
from typing import Any

Loop = Callable[[int], float]
"""Does so many turns, and says how many nanoseconds they took."""

SHAPE = """\
def loop(n, clock, repeat{names}):
    begin = clock()
    for _ in repeat(None, n):
        {statement}
    return clock() - begin
"""


@dataclass(frozen=True)
class Case:
    row: str
    side: str
    loop: Loop


@dataclass(frozen=True)
class Time:
    """Of one turn, over the rounds."""

    least: float
    median: float


def python_loop(statement: str, **names: Any) -> Loop:
    """The statement in a loop of Python, its names being local variables."""
    made: dict[str, Any] = {}
    exec(SHAPE.format(names="".join(f", {name}" for name in names), statement=statement), made)
    loop = made["loop"]
    values = tuple(names.values())
    return lambda n: loop(n, perf_counter_ns, repeat, *values)


def pin() -> None:
    """Keeps this process on one core: the last one, since interrupts are usually served by the first."""
    os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})


def require_one_thread() -> None:
    """Ends the program where the C library has ever seen another: counting takes atomic steps from then on."""
    try:
        alone = ctypes.c_char.in_dll(ctypes.CDLL(None), "__libc_single_threaded").value != b"\0"
    except ValueError:  # another C library, with which it is always counted so
        return
    if not alone:
        raise SystemExit("a library has started threads: run it with OPENBLAS_NUM_THREADS=1 OMP_NUM_THREADS=1")


@contextmanager
def second_thread() -> Iterator[None]:
    """One that does nothing but be there."""
    end = threading.Event()
    thread = threading.Thread(target=end.wait)
    thread.start()
    try:
        yield
    finally:
        end.set()
        thread.join()


def turns(loop: Loop, nanoseconds: float) -> int:
    """How many turns take about that long, once everything is warm."""
    loop(1)
    count = 1
    while True:
        took = min(loop(count) for _ in range(3))
        if took >= nanoseconds / 4:
            return max(1, round(count * nanoseconds / took))
        count *= 4


def measure(cases: Iterable[Case], rounds: int, nanoseconds: float) -> dict[str, dict[str, Time]]:
    """Times by row and side. Each round visits all cases in an order of its own."""
    chosen = [(case, turns(case.loop, nanoseconds)) for case in cases]
    times: dict[tuple[str, str], list[float]] = {(case.row, case.side): [] for case, _ in chosen}
    order = random.Random(0)
    gc.collect()
    gc.disable()
    for _ in range(rounds):
        order.shuffle(chosen)
        for case, count in chosen:
            times[case.row, case.side].append(case.loop(count) / count)
    gc.enable()
    results: dict[str, dict[str, Time]] = {}
    for (row, side), values in times.items():
        results.setdefault(row, {})[side] = Time(min(values), statistics.median(values))
    return results
