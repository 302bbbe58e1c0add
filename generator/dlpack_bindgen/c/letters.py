"""Characters that come from word processors and other alphabets, and look like those of C."""

from __future__ import annotations

_PLAIN = {
    **dict.fromkeys("\u201c\u201d\u201e", '"'),
    **dict.fromkeys("\u2018\u2019", "'"),
    **dict.fromkeys("\u2010\u2013\u2014\u2212", "-"),
    "\u00d7": "*",
    "\u2264": "<=",
    "\u2265": ">=",
    "\u2260": "!=",
}
"""Quotes, dashes and signs of mathematics."""
_ALPHABETS = ("CYRILLIC", "GREEK")


def plain(character: str) -> str | None:
    """What a keyboard has for it."""
    return _PLAIN.get(character)


def stranger(name: str) -> str | None:
    """A letter of another alphabet among those of ASCII."""
    if name.isascii() or not any(letter.isascii() and letter.isalpha() for letter in name):
        return None
    import unicodedata  # hardly any spec has such letters

    return next((letter for letter in name if unicodedata.name(letter, "").startswith(_ALPHABETS)), None)
