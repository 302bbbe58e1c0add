# SPDX-License-Identifier: MIT
"""The common part of the fuzzers in Python: their options, rounds until the time has passed, and counts."""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import NoReturn


def parser(description: str | None) -> argparse.ArgumentParser:
    """Returns a parser with the options that `run.py` passes to each fuzzer."""
    made = argparse.ArgumentParser(description=description)
    made.add_argument("--seconds", type=float, default=60)
    made.add_argument("--seed", type=int, default=1)
    made.add_argument("--counts", type=Path, help="where the counts are written as JSON")
    return made


def run_rounds(options: argparse.Namespace, run: Callable[[int], bool], limit: int | None) -> tuple[int, int]:
    """Calls `run` with one seed after the other until the time has passed, or `limit` rounds are done: at least once.
    `run` returns False for a finding. Returns the number of rounds and the number of findings."""
    start = time.monotonic()
    rounds, findings = 0, 0
    while rounds == 0 or (time.monotonic() - start < options.seconds and rounds != limit):
        findings += not run(options.seed + rounds)
        rounds += 1
    return rounds, findings


def end(options: argparse.Namespace, counts: dict[str, int], text: str) -> NoReturn:
    """Writes the counts, prints `text`, and exits with 1 if there are findings."""
    if options.counts is not None:
        options.counts.write_text(json.dumps(counts), encoding="utf-8")
    print(text)
    sys.exit(1 if counts["findings"] else 0)
