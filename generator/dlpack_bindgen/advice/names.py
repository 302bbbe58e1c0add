"""Hints for unknown names: a similar name, or the corresponding word of the spec language."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Mapping

from dlpack_bindgen.text.diagnostics import closest


def did_you_mean(word: str, known: Iterable[str]) -> str | None:
    meant = closest(word, known)
    return f"did you mean '{meant}'?" if meant else None


def meant(text: str, synonyms: Mapping[str, tuple[str, ...]], known: Iterable[str]) -> str | None:
    """Returns the known word that has `text` as a synonym, plural or singular, or None."""
    names = tuple(known)
    word = text.lower()
    return next((name for name in (*synonyms.get(word, ()), f"{word}s", word.removesuffix("s")) if name in names), None)


class NameIndex:
    """An index of the names of a spec, of which there may be many. Names with a similar spelling are neighbours in
    alphabetical order, or in the order of the reversed names. A word is therefore compared with only a few names."""

    _BESIDE = 8

    def __init__(self, names: Iterable[str]) -> None:
        known = [(name.lower(), name) for name in names]
        self._orders = (sorted(known), sorted((lower[::-1], name) for lower, name in known))

    def near(self, word: str) -> list[str]:
        found: dict[str, None] = {}
        lower = word.lower()
        for order, key in zip(self._orders, (lower, lower[::-1]), strict=True):
            place = bisect_left(order, (key, ""))
            found.update((name, None) for _, name in order[max(place - self._BESIDE, 0) : place + self._BESIDE])
        return list(found)


_INTEGERS = frozenset("int uint integer char wchar idx index size ssize long longlong count id len offset dim".split())
"""Words in the names of integer types."""


def with_numbers(hint: str) -> str:
    """Completes an entry of `numbers` in a hint. The name of the C type suggests the kind of number."""
    return re.sub(r"(?<=numbers: \{)(?P<ctype>[^{}]*): \.\.\.(?=\})", _number, hint)


def _number(entry: re.Match[str]) -> str:
    ctype = entry["ctype"]
    words = re.split(r"[\W_\d]+|(?<=[a-z])(?=[A-Z])", ctype)
    is_int = any(word.lower() in _INTEGERS for word in words)
    return f"{ctype}: {'complex' if 'complex' in ctype.lower() else 'int' if is_int else 'float'}"
