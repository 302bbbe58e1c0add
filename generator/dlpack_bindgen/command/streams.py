"""The exit codes, the exception that ends a command, access to stdout as bytes, and words for a shell. All commands
share them."""

from __future__ import annotations

import os
import shlex
import sys

OK, STALE_OR_INVALID, FAILED = 0, 1, 2


class Failure(Exception):
    """Ends the program with exit code 2 and one line of message."""


def print_line(text: str) -> None:
    # Bytes keep a path in another encoding unchanged.
    print_bytes(os.fsencode(text + "\n"))


def print_bytes(data: bytes) -> None:
    if sys.stdout is not None:
        sys.stdout.flush()
        sys.stdout.buffer.write(data)


def discard_stdout() -> None:
    """Redirects stdout to the null device, so that Python does not fail to flush it again at exit."""
    if sys.stdout is not None:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def shell_word(text: str) -> str:
    """Returns the text as one word of a command that can be pasted into a shell."""
    if text.isprintable():
        return shlex.quote(text)
    # Octal escapes always have three digits. `report` would show unprintable characters in Python's way.
    word = ""
    for byte in os.fsencode(text):
        char = chr(byte)
        word += f"\\{char}" if char in "'\\" else char if 32 <= byte < 127 else f"\\{byte:03o}"
    return f"$'{word}'"
