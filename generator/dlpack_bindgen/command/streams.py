"""What every command shares: the exit codes, the failure that ends a command, and stdout as bytes."""

from __future__ import annotations

import os
import sys

OK, STALE_OR_INVALID, FAILED = 0, 1, 2


class Failure(Exception):
    """Ends the program with exit code 2 and one line."""


def print_line(text: str) -> None:
    # Through bytes, so that a path in another encoding leaves as it came.
    print_bytes(os.fsencode(text + "\n"))


def print_bytes(data: bytes) -> None:
    if sys.stdout is not None:
        sys.stdout.flush()
        sys.stdout.buffer.write(data)


def discard_stdout() -> None:
    """Keeps Python from trying, and failing, to flush stdout once more at exit."""
    if sys.stdout is not None:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
