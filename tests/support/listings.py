# SPDX-License-Identifier: MIT
"""Python listings of the pages: statements, each followed by its answer in lines that begin with `# -> `.

As a program, it reads a listing and prints it with the true answers, in a process of its own.
"""

from __future__ import annotations

import ast
import contextlib
import io
import sys
from typing import Any

ANSWER = "# -> "


def answered(listing: str) -> str:
    """Runs a listing, and returns it with the answers that Python gives; of an exception, the last line."""
    scope: dict[str, Any] = {}
    answers: dict[int, list[str]] = {}
    for statement in ast.parse(listing).body:
        with contextlib.redirect_stdout(io.StringIO()) as printed:
            try:
                exec(compile(ast.Interactive([statement]), "<listing>", "single"), scope)
            except Exception as error:
                print(f"{type(error).__name__}: {error}")
        answers[statement.end_lineno or 0] = printed.getvalue().splitlines()
    lines = []
    for number, line in enumerate(listing.splitlines(), 1):
        lines += [] if line.startswith(ANSWER) else [line]
        lines += [f"{ANSWER}{answer}" for answer in answers.get(number, ())]
    return "".join(f"{line}\n" for line in lines)


if __name__ == "__main__":
    sys.stdout.write(answered(sys.stdin.read()))
