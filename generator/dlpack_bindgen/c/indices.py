"""Indices in C code: the elements that they select."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal, NamedTuple

from dlpack_bindgen.c.ctext import Token, tokens
from dlpack_bindgen.c.integers import integer

_CHOOSE = frozenset(("?", "&&", "||", "if", "for", "while", "switch", "sizeof", "_Generic"))
"""Operators and keywords before code that C may skip."""
_END = Token("sign", "")


class LiteralIndex(NamedTuple):
    array: str
    value: int
    certain: bool
    """Whether C always reads the element, whatever the code before it yields."""

    @property
    def shown(self) -> str:
        return f"{self.array}[{self.value}]"


def literal_indices(text: str, arrays: frozenset[str]) -> Iterator[LiteralIndex]:
    """Yields each `NAME[3]` and `NAME[-1]` of one of the `arrays`."""
    seen = tokens(text) if "[" in text else ()
    certain = True
    for place, token in enumerate(seen):
        certain = certain and token.text not in _CHOOSE
        before = seen[place - 1].text if place else ""
        if token.text in arrays and before not in (".", "->"):
            value = _index(seen, place + 1)
            if isinstance(value, int):
                yield LiteralIndex(token.text, value, certain and before != "&")


def indices(text: str, name: str) -> Iterator[int | Literal["none", "some"]]:
    """Yields one item for each use of `name`: the number in `name[3]`, `some` for another index, `none` without an
    index."""
    seen = tokens(text) if name in text else ()
    for place, token in enumerate(seen):
        member = place > 0 and seen[place - 1].text in (".", "->")
        if token.text == name and token.kind == "name" and not member:
            yield _index(seen, place + 1)


def _index(seen: tuple[Token, ...], place: int) -> int | Literal["none", "some"]:
    """Returns the index in the brackets at `place`: its number, `some` for another index, `none` without brackets."""
    bracket, *inside = (*seen[place : place + 4], *[_END] * 4)[:4]
    if bracket.text != "[":
        return "none"
    strings = [token.text for token in inside]
    length = strings.index("]") if "]" in strings else 0
    value = integer("".join(strings[:length]))
    return "some" if value is None else value
