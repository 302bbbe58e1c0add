"""Letters of other alphabets that resemble those of C."""

from __future__ import annotations

_ALPHABETS = ("CYRILLIC", "GREEK")


def stranger(name: str) -> str | None:
    """Returns the first letter of another alphabet in a name that also has ASCII letters, or None."""
    if name.isascii() or not any(letter.isascii() and letter.isalpha() for letter in name):
        return None
    import unicodedata  # slow, and rarely needed

    return next((letter for letter in name if unicodedata.name(letter, "").startswith(_ALPHABETS)), None)
