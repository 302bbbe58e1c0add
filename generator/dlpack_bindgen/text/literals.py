"""Literals of C and Python: their values, and how strings of a spec are written as literals and comments."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Sequence
from typing import Literal

from dlpack_bindgen.text.types import NumberKind, family

# ---- Integer literals of C ----

_LITERAL = re.compile(
    r"(?P<sign>[-+]?)\s*(?P<digits>0[xX][0-9a-fA-F]+|[0-9]+)(?P<suffix>[uU](?:ll?|LL?)?|(?:ll?|LL?)[uU]?)?", re.ASCII
)


def integer_value(text: str) -> int | None:
    """Returns the value of a literal with an optional sign and optional parentheses, or None."""
    while text.startswith("(") and text.endswith(")"):
        text = text[1:-1].strip()
    return bare_integer(text)


def bare_integer(text: str) -> int | None:
    """Returns the value of a literal with an optional sign but without parentheses, or None."""
    match = _LITERAL.fullmatch(text)
    if match is None:
        return None
    negative, suffix, digits = match["sign"] == "-", match["suffix"] or "", match["digits"]
    try:
        value = int(digits, 16 if digits[1:2] in ("x", "X") else 8 if digits.startswith("0") else 10)
    except ValueError:
        return None
    # `-1u` is a large number whose width only the compiler knows.
    return None if negative and "u" in suffix.lower() else -value if negative else value


# ---- Literals of C, and whether a variable can hold them ----
# The compiler checks other values.

Fit = Literal["fits", "differs", "unknown"]
"""`differs`: C would convert the literal to another number."""

_FLOATING = r"[-+]?(?:[0-9]+\.[0-9]*|\.[0-9]+|[0-9]+(?=[eE]))(?:[eE][-+]?[0-9]+)?[fFlL]?"
_CHARACTER = r"'(?:[ -~]|\\[abfnrtv0'\"\\?])'"
_ESCAPES = {**dict(zip("abfnrtv", "\a\b\f\n\r\t\v", strict=True)), "0": "\0"}
_SIZE = r"sizeof\s*\([\w\s*]+\)"
_WIDTHS = {
    "signed char": (8, 8),
    "unsigned char": (8, 8),
    "short": (16, 16),
    "unsigned short": (16, 16),
    "int": (32, 32),
    "unsigned int": (32, 32),
    "long long": (64, 64),
    "unsigned long long": (64, 64),
    **{f"{sign}int{bits}_t": (bits, bits) for sign in ("", "u") for bits in (8, 16, 32, 64)},
    **{f"{sign}intmax_t": (64, 64) for sign in ("", "u")},
}
_ADDRESSES = (32, 64)
"""The minimum and maximum width, in bits, of all other types. They are as wide as a `long` or an address."""
_SMALLEST = range(128)
"""The numbers that every integer type can hold."""


def fit(value: str, base: str, kind: NumberKind | None) -> Fit:
    """Returns whether a variable can hold `value`. `base`: the C type of a variable by value; `kind`: the kind of its
    values, None if unknown."""
    number = bare_integer(value)
    if kind == "bool":
        return "differs" if is_floating(value) or (number is not None and number not in (0, 1)) else "fits"
    if kind in ("float", "complex"):
        return "fits"
    if is_floating(value):
        return "differs" if kind is not None else "unknown"
    known = family(base) in ("int", "char")
    if number is None:
        return "fits" if re.fullmatch(_CHARACTER, value) or (known and re.fullmatch(_SIZE, value)) else "unknown"
    if number in _SMALLEST or not known:
        return "fits" if number in _SMALLEST else "unknown"
    if base == "char":
        return "unknown" if number in range(-128, 256) else "differs"
    fewest, most = _WIDTHS.get(base, _ADDRESSES)
    if number in _range(base, fewest):
        return "fits"
    return "unknown" if number in _range(base, most) else "differs"


def character(value: str) -> str | None:
    """Returns the character of a literal such as `'a'`, or None for another expression."""
    if re.fullmatch(_CHARACTER, value) is None:
        return None
    return _ESCAPES.get(value[2], value[2]) if value[1] == "\\" and len(value) == 4 else value[1]


def is_floating(value: str) -> bool:
    return re.fullmatch(_FLOATING, value) is not None


def _range(base: str, bits: int) -> range:
    unsigned = base.startswith(("unsigned ", "uint")) or base == "size_t"
    return range(1 << bits) if unsigned else range(-(1 << (bits - 1)), 1 << (bits - 1))


# ---- Quoting of strings of a spec for C and Python source, as string literals and comments ----
# The strings cannot end these early.

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
