"""Integer literals of C."""

from __future__ import annotations

import re

_LITERAL = re.compile(
    r"(?P<sign>[-+]?)\s*(?P<digits>0[xX][0-9a-fA-F]+|[0-9]+)(?P<suffix>[uU](?:ll?|LL?)?|(?:ll?|LL?)[uU]?)?", re.ASCII
)


def integer(text: str) -> int | None:
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
