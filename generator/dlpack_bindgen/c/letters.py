"""Lookalikes of C characters, from word processors and other alphabets."""

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
"""The ASCII equivalents of typographic quotes, dashes and mathematical signs."""
_ALPHABETS = ("CYRILLIC", "GREEK")


def plain(character: str) -> str | None:
    """Returns the ASCII equivalent of a character, or None."""
    return _PLAIN.get(character)


def stranger(name: str) -> str | None:
    """Returns the first letter of another alphabet in a name that also has ASCII letters, or None."""
    if name.isascii() or not any(letter.isascii() and letter.isalpha() for letter in name):
        return None
    import unicodedata  # slow, and rarely needed

    return next((letter for letter in name if unicodedata.name(letter, "").startswith(_ALPHABETS)), None)
