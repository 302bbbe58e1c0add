"""Text of a spec as C and Python source: string literals and comments that it cannot break out of."""

from __future__ import annotations

import textwrap

_C_ESCAPES = {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\t": "\\t", "?": "\\?"}
_COMMENT_WIDTH = 114
_DOC_WIDTH = 88
"""Of a docstring, in a table of methods."""


def c_string(text: str) -> str:
    """A C string literal; what is not printable ASCII is written as octal escapes of its UTF-8 bytes."""
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


def c_strings(text: str) -> str:
    """The same as a literal for each line, and no line longer than a file is wide: C puts them together."""
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
    """The text of a C comment, wrapped, unable to end it early or to continue its last line."""
    safe = text.replace("*/", "* /").replace("/*", "/ *").replace("??/", "?? /")
    return tuple(line.rstrip("\\ ") for line in wrap(safe))


def wrap(text: str) -> tuple[str, ...]:
    """Paragraphs and lines of `text`, none too long, without control characters."""
    printable = text if text.isprintable() else "".join(c if c.isprintable() or c == "\n" else " " for c in text)
    lines: list[str] = []
    for line in printable.strip().splitlines():
        if len(line) <= _COMMENT_WIDTH:
            lines.append(line)
            continue
        lines.extend(textwrap.wrap(line, _COMMENT_WIDTH, break_long_words=False, break_on_hyphens=False) or [""])
    return tuple(line.rstrip() for line in lines)


def python_doc_lines(text: str) -> tuple[str, ...]:
    """The lines of a Python docstring in triple double quotes."""
    return tuple(line.replace("\\", "\\\\").replace('"', '\\"') for line in wrap(text))
