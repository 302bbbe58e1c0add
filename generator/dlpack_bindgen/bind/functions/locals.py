"""Variables of an emitted function that the spec has named: its parameters, and `result`.

In a prototype such names hide nothing. In a body they can hide types, functions and names of CPython. A name with
another meaning in the body gets a new name.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from dlpack_bindgen.c.fragments import LITERAL
from dlpack_bindgen.c.usage import is_variable

_MARK = "\u02b9"
"""Suffix of variables until the body is complete. Regular expressions treat it as a letter."""
_MARKED = re.compile(rf"(\w+){_MARK}")
_NAME = re.compile(
    rf"{LITERAL}|/\*.*?\*/|(?:(?:->|\.)\s*|\b(?:struct|union|enum)\s+)[A-Za-z_]\w*|\b(?P<name>[A-Za-z_]\w*)", re.DOTALL
)
"""Pattern for names. Members, tags and labels in comments never conflict with variables, so it skips them."""
_OF_MACROS = re.compile(r"_?Py\w*|_save|int64_t")
"""Names that macros of Python and of the runtime use internally."""


class Locals:
    def __init__(self, names: Iterable[str]) -> None:
        self.names = tuple(names)

    def __getitem__(self, name: str) -> str:
        """Returns the marked variable, for lines that are passed to `resolved`."""
        return f"{name}{_MARK}"

    def text(self, text: str) -> str:
        """Returns C source of the spec with marked variables, for lines that are passed to `resolved`."""

        def marked(match: re.Match[str]) -> str:
            name = match["name"]
            if name not in self.names or not is_variable(text[: match.start()], text[match.end() :]):
                return match.group()
            return self[name]

        return _NAME.sub(marked, text) if any(name in text for name in self.names) else text

    def resolved(self, head: str, lines: Sequence[str]) -> list[str]:
        """Returns the lines with final variable names. A name changes only if it has another meaning in them."""
        others = {match["name"] for match in _NAME.finditer("\n".join([head, *lines]))}
        taken = others | set(self.names)
        chosen = {}
        for name in self.names:
            local = f"{name}_" if name in others or _OF_MACROS.fullmatch(name) else name
            while local != name and local in taken:
                local += "_"
            chosen[name] = local
            taken.add(local)
        return [_MARKED.sub(lambda match: chosen[match[1]], line) for line in lines]
