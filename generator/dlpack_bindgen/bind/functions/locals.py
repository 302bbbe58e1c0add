"""The variables of an emitted function that a spec has named: its parameters, and `result`.

In a prototype they hide nothing. In a body they stand beside all that it refers to: types, functions, what is Python's.
A name that means one of these as well is not theirs there.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from dlpack_bindgen.c.fragments import LITERAL
from dlpack_bindgen.c.usage import is_variable

_MARK = "\u02b9"
"""Ends their names until the body is complete; to all regular expressions it is a letter."""
_MARKED = re.compile(rf"(\w+){_MARK}")
_NAME = re.compile(
    rf"{LITERAL}|/\*.*?\*/|(?:(?:->|\.)\s*|\b(?:struct|union|enum)\s+)[A-Za-z_]\w*|\b(?P<name>[A-Za-z_]\w*)", re.DOTALL
)
"""Members, tags and labels in comments are no names of this kind: they conflict with nothing."""
_OF_MACROS = re.compile(r"_?Py\w*|_save|int64_t")
"""What macros of Python and of the runtime refer to, where nobody sees it."""


class Locals:
    def __init__(self, names: Iterable[str]) -> None:
        self._names = tuple(names)

    def __getitem__(self, name: str) -> str:
        """The variable, in lines that `settled` gets."""
        return f"{name}{_MARK}"

    def text(self, text: str) -> str:
        """C text of the spec in such lines."""

        def marked(match: re.Match[str]) -> str:
            name = match["name"]
            if name not in self._names or not is_variable(text[: match.start()], text[match.end() :]):
                return match.group()
            return self[name]

        return _NAME.sub(marked, text) if any(name in text for name in self._names) else text

    def settled(self, head: str, lines: Sequence[str]) -> list[str]:
        """The lines with the names that the variables get: their own, unless it means something else in them."""
        others = {match["name"] for match in _NAME.finditer("\n".join([head, *lines]))}
        taken = others | set(self._names)
        chosen = {}
        for name in self._names:
            local = f"{name}_" if name in others or _OF_MACROS.fullmatch(name) else name
            while local != name and local in taken:
                local += "_"
            chosen[name] = local
            taken.add(local)
        return [_MARKED.sub(lambda match: chosen[match[1]], line) for line in lines]
