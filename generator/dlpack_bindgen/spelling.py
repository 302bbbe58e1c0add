"""Comparison of a misspelled name with the known names."""

from __future__ import annotations

from collections.abc import Iterable


def closest(word: str, known: Iterable[str]) -> str | None:
    """Returns the known word that is probably meant by an abbreviation or a misspelling, or None."""
    from difflib import get_close_matches  # only mistakes need it

    word = word.lower()
    names = {name.lower(): name for name in known}
    if word in names:
        return names[word]
    whole = [name for name in names if len(word) > 2 and name.startswith(word)]
    matches = whole or get_close_matches(word, [name for name in names if _may_be(word, name)], n=1, cutoff=2 / 3)
    return names[matches[0]] if len(matches) == 1 else None


def _may_be(word: str, name: str) -> bool:
    """Returns whether `word` may be a misspelling of `name`. Digits distinguish words (uint24 is not uint4). The first
    letter distinguishes short words (xpu is not cpu)."""
    digits = sorted(filter(str.isdigit, name))
    if digits not in ([], sorted(filter(str.isdigit, word))):
        return False
    return max(len(word), len(name)) > 3 or word[:1] == name[:1] or sorted(word) == sorted(name)
