"""Detection of variables in C code, as opposed to types and functions."""

from __future__ import annotations

import re

from dlpack_bindgen.c import ctext
from dlpack_bindgen.c.fragments import LITERAL

# Patterns around a name that is not a variable. They are unambiguous, because the C code is valid.
_CALL_OR_TYPE = re.compile(r"\s*(?:\(|[A-Za-z_]|\*[\s*]*(?:const\b|[),]))")
_CAST = re.compile(r"(?:^|[^\w\s)\]])\s*\(\s*\Z"), re.compile(r"\s*\)\s*[\w(\"'{]")
_DECLARATION = re.compile(r"(?:^|[;{}(])\s*\Z"), re.compile(r"\s*\*[\s*]*\w+\s*(?:=(?!=)|;)")
_QUALIFIED = re.compile(r"\b(?:const|volatile|static)\s+\Z")


def is_variable(before: str, after: str) -> bool:
    """Returns whether a name between `before` and `after` is a variable: it is neither called nor a type."""
    if _CALL_OR_TYPE.match(after) or _QUALIFIED.search(before):
        return False
    return not any(left.search(before) and right.match(after) for left, right in (_CAST, _DECLARATION))


def mentions(text: str, name: str) -> bool:
    """Returns whether the code has a variable of that name. Members, types and called functions do not count."""
    if not ctext.mentions(text, name):
        return False
    found = re.finditer(rf"{LITERAL}|(?:->|\.)\s*\w+|\b(?P<name>{name})\b", text)
    return any(match["name"] and is_variable(text[: match.start()], text[match.end() :]) for match in found)
