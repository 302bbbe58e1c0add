"""Whether a name in C text is that of a variable, or of a type or a function."""

from __future__ import annotations

import re

from dlpack_bindgen.c import ctext
from dlpack_bindgen.c.fragments import LITERAL

# The surroundings of a name that does not name a variable. C text is sound, so that each of these means one thing.
_CALL_OR_TYPE = re.compile(r"\s*(?:\(|[A-Za-z_]|\*[\s*]*(?:const\b|[),]))")
_CAST = re.compile(r"(?:^|[^\w\s)\]])\s*\(\s*\Z"), re.compile(r"\s*\)\s*[\w(\"'{]")
_DECLARATION = re.compile(r"(?:^|[;{}(])\s*\Z"), re.compile(r"\s*\*[\s*]*\w+\s*(?:=(?!=)|;)")
_QUALIFIED = re.compile(r"\b(?:const|volatile|static)\s+\Z")


def is_variable(before: str, after: str) -> bool:
    """Whether a name between these is neither called nor a type."""
    if _CALL_OR_TYPE.match(after) or _QUALIFIED.search(before):
        return False
    return not any(left.search(before) and right.match(after) for left, right in (_CAST, _DECLARATION))


def mentions(text: str, name: str) -> bool:
    """Whether the text has a variable of that name: no member, no type, and nothing that is called."""
    if not ctext.mentions(text, name):
        return False
    found = re.finditer(rf"{LITERAL}|(?:->|\.)\s*\w+|\b(?P<name>{name})\b", text)
    return any(match["name"] and is_variable(text[: match.start()], text[match.end() :]) for match in found)
