"""The entries of a spec: the parts that the generator accepts or refuses one by one."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Sequence
from dataclasses import field

from dlpack_bindgen.frozen import Frozen

_WIDTH = 108
_COMMA = re.compile(r", (?=(?:[^\"']|\"[^\"]*\"|'[^']*')*$)")
"""A comma between the items of a list or mapping, outside of quotes."""
Place = tuple[str, ...]
"""The keys that lead to an entry: `("functions",)`, `("tensors", "Image", "methods")`."""


class Entry(Frozen):
    """A key of the spec with its lines. Entries are compared by identity, because a header can have thousands."""

    place: Place
    key: str
    lines: tuple[str, ...]
    """The lines in YAML, from the key on, without the indentation of the place."""
    needs: frozenset[str] = field(default=frozenset())
    """The names of classes and enums that the entry refers to."""
    names: frozenset[str] = field(default=frozenset())
    """The names of C by which the messages of a compiler mention the entry."""
    doubt: str = ""
    """The reason why the entry stays a comment; empty if it is proposed."""
    is_class: bool = False

    def __eq__(self, other: object) -> bool:
        return self is other

    def __hash__(self) -> int:
        return id(self)

    @property
    def defines(self) -> str:
        """The name that other entries can need: of a class, a constant or a rule."""
        return self.key if self.is_class or self.place == ("constants",) or self.is_rule else ""

    @property
    def is_rule(self) -> bool:
        """Whether the entry is a rule about failures. A spec has it only if a function needs it."""
        return self.place == ("failures",)


def block(key: str, values: Sequence[tuple[str, str, str]], comments: Sequence[str] = ()) -> tuple[str, ...]:
    """Returns the lines of a mapping: the key, comments, and keys with their values and the reasons of guesses. A
    value of several lines is a mapping in YAML."""
    lines = [f"{key}:", *(f"  # {line}" for comment in comments for line in wrapped(comment))]
    for name, value, guess in values:
        line = f"  {name}: {value}"
        if "\n" in value:
            lines += [f"  # {part}" for part in wrapped(f"guess: {guess}")] if guess else []
            lines += [f"  {name}:", *(f"    {part}" for part in value.splitlines())]
            continue
        if len(line) > _WIDTH:
            lines += [f"  # {part}" for part in wrapped(f"guess: {guess}")] if guess else []
            lines += _split(name, value)
            continue
        beside = f"{line}  # guess: {guess}"
        if not guess or len(beside) <= _WIDTH:
            lines.append(beside if guess else line)
        else:
            lines += [*(f"  # {part}" for part in wrapped(f"guess: {guess}")), line]
    return tuple(lines)


def _split(name: str, value: str) -> list[str]:
    """Returns the lines of a long value: a prototype, or a list or mapping in brackets."""
    if value.startswith(("[", "{")):
        parts = _COMMA.split(value)
        lines = [f"  {name}: {parts[0]}"]
        for part in parts[1:]:
            if len(lines[-1]) + len(part) < _WIDTH - 2:
                lines[-1] += f", {part}"
            else:
                lines[-1] += ","
                lines.append(f"    {part}")
        return lines
    if value.startswith(("'", '"')):
        return [f"  {name}: {value}"]
    return [f"  {name}: >-", *(f"    {line}" for line in wrapped(value))]


def wrapped(comment: str) -> list[str]:
    """Returns the lines of a comment, without `#`. Lines of YAML in it, which begin with blanks, stay whole."""
    if comment.startswith(" "):
        return [comment]
    return textwrap.wrap(comment, _WIDTH, break_on_hyphens=False, break_long_words=False)
