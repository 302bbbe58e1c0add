"""Variables of an emitted function that the spec has named: its parameters, and `result`.

In a prototype such names hide nothing. In a body they can hide types, functions and names of CPython. A name with
another meaning in the body gets a new name.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator

from dlpack_bindgen.text.fragments import LITERAL, is_variable

_NAME = re.compile(
    rf"{LITERAL}|/\*.*?\*/|(?:(?:->|\.)\s*|\b(?:struct|union|enum)\s+)[A-Za-z_]\w*|\b(?P<name>[A-Za-z_]\w*)", re.DOTALL
)
"""Pattern for names. Members, tags and labels in comments never conflict with variables, so it skips them."""
_RESERVED = re.compile(r"_?Py\w*|_save|int64_t|errno|(?:dlb_|DLB_|kDL)\w*")
"""Names in templates and in macros of Python and of the runtime."""


class Locals:
    def __init__(self, names: Iterable[str], others: Collection[str] = ()) -> None:
        """Chooses the variables for `names`. `others` are the names in the body that have another meaning."""
        self.names = tuple(names)
        taken = {*others, *self.names}
        self._chosen = {}
        for name in self.names:
            local = f"{name}_" if name in others or _RESERVED.fullmatch(name) else name
            while local != name and local in taken:
                local += "_"
            self._chosen[name] = local
            taken.add(local)

    def __getitem__(self, name: str) -> str:
        return self._chosen[name]

    @property
    def chosen(self) -> list[str]:
        """Returns all variables."""
        return list(self._chosen.values())

    def text(self, text: str) -> str:
        """Returns C source of the spec with the variables."""

        def replaced(match: re.Match[str]) -> str:
            return self[match["name"]] if _names_variable(match, self.names) else match.group()

        return _NAME.sub(replaced, text) if any(name in text for name in self.names) else text


def other_names(names: Collection[str], fragments: Iterable[str]) -> Iterator[str]:
    """Yields the names in C source that mean no variable of `names`: types, functions, and other variables."""
    for code in fragments:
        for match in _NAME.finditer(code):
            if match["name"] is not None and not _names_variable(match, names):
                yield match["name"]


def _names_variable(match: re.Match[str], names: Collection[str]) -> bool:
    return match["name"] in names and is_variable(match.string[: match.start()], match.string[match.end() :])
