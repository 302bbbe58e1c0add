"""The C code of a function in the spec, and the variables that its names become."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator

from dlpack_bindgen.calls.call import Call
from dlpack_bindgen.text.fragments import LITERAL, is_variable
from dlpack_bindgen.text.types import declared

# ---- Variables of an emitted function that the spec has named: its parameters, and `result` ----
# In a prototype such names hide nothing. In a body they can hide types, functions and names of CPython. A name with
# another meaning in the body gets a new name.

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


def sizes(function: Call) -> list[str]:
    """Returns the size expressions of the bytes and arrays that C returns."""
    return [text for _, _, value in function.values for text in value.sizes]


def returned_sizes(function: Call) -> list[str]:
    """Returns the size expressions of the values that Python gets. Other sizes are never evaluated."""
    values = {name: value for name, _, value in function.values}
    return [text for name in function.returned if name in values for text in values[name].sizes]


def c_fragments(function: Call) -> list[str | None]:
    fragments = [function.ok, function.error, function.errno, function.undo, function.finally_, *sizes(function)]
    fragments += [expression for expression, _ in function.raises]
    fragments += [text for check in function.require for text in (check.expr, check.error)]
    for argument in function.arguments:
        kind = argument.kind
        fragments += [argument.ctype.length, kind.default, kind.value, *(code for code, _ in kind.codes)]
        fragments += kind.expressions()
        if not kind.is_list:
            fragments += [kind.require.count, *(kind.require.shape or ())]
    return fragments


def body_fragments(function: Call) -> list[str]:
    """Returns the C source of a function, a cast to each type in its prototype, and its call."""
    prototype, arguments = function.prototype, function.arguments
    types = [prototype.result, *(each.ctype for each in arguments), *(each.written for each in arguments)]
    types += [value.class_type for _, _, value in function.values]
    casts = [f"({declared(each, '')})0" for each in types if each is not None]
    fragments = (*c_fragments(function), *(text for each in function.features for text in each.c_text()))
    return [f"{prototype.name}()", *casts, *(text for text in fragments if text is not None)]
