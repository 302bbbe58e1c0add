"""Quoting of strings of a spec for C and Python source, as string literals and comments. The strings cannot end these
early."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence

_C_ESCAPES = {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\t": "\\t", "?": "\\?"}
_COMMENT_WIDTH = 114
_DOC_WIDTH = 88
"""The width of a docstring in a table of methods."""


def c_string(text: str) -> str:
    """Returns a C string literal. Characters outside printable ASCII become octal escapes of their UTF-8 bytes."""
    if text.isascii() and text.isprintable() and "??" not in text:
        return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'
    parts = []
    for character in text:
        if character in _C_ESCAPES:
            # A question mark is escaped only where two could start a trigraph.
            parts.append("?" if character == "?" and "??" not in text else _C_ESCAPES[character])
        elif " " <= character <= "~":
            parts.append(character)
        else:
            parts.extend(f"\\{byte:03o}" for byte in character.encode())
    return '"' + "".join(parts) + '"'


def quotes_hint(text: str) -> str:
    """Returns a hint to quote the string."""
    return f"write '\"{text}\"'{'; a C name has no quotes' if text.isidentifier() else ''}"


def c_strings(text: str) -> str:
    """Returns a sequence of C string literals, one per line and none too wide for a file. C concatenates them."""
    lines = [f"{line}\n" for line in text.split("\n")]
    lines[-1] = lines[-1][:-1]
    found: list[str] = []
    for line in lines:
        if line == "\n" and found:
            found[-1] += line
            continue
        while len(line) > _DOC_WIDTH and (space := line.rfind(" ", 1, _DOC_WIDTH)) > 0:
            found.append(line[: space + 1])
            line = line[space + 1 :]
        found.append(line)
    return " ".join(map(c_string, filter(None, found))) or '""'


def comment_lines(text: str) -> tuple[str, ...]:
    """Wraps the text of a C comment. The text can neither end the comment early nor continue its last line."""
    safe = text.replace("*/", "* /").replace("/*", "/ *").replace("??/", "?? /")
    return tuple(line.rstrip("\\ ") for line in wrap(safe))


def wrap(text: str) -> tuple[str, ...]:
    """Wraps `text` to lines of limited width, and replaces control characters."""
    printable = text if text.isprintable() else "".join(c if c.isprintable() or c == "\n" else " " for c in text)
    lines: list[str] = []
    for line in printable.strip().splitlines():
        if len(line) <= _COMMENT_WIDTH:
            lines.append(line)
            continue
        lines.extend(textwrap.wrap(line, _COMMENT_WIDTH, break_long_words=False, break_on_hyphens=False) or [""])
    return tuple(line.rstrip() for line in lines)


def python_doc_lines(text: str) -> tuple[str, ...]:
    """Returns the lines of a Python docstring in triple double quotes."""
    return tuple(line.replace("\\", "\\\\").replace('"', '\\"') for line in wrap(text))


def joined(words: Sequence[str]) -> str:
    """Returns the words with commas, and `or` before the last one."""
    return " or ".join([*([", ".join(words[:-1])] if len(words) > 1 else []), *words[-1:]])
