"""Helpers of the kinds that pass a string to C."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from dlpack_bindgen.arguments.facts import Scope
from dlpack_bindgen.language.values import Leaf
from dlpack_bindgen.text.diagnostics import Diagnostic
from dlpack_bindgen.text.literals import quotes_hint
from dlpack_bindgen.text.types import CType, is_letter

if TYPE_CHECKING:
    from dlpack_bindgen.validate.functions.calls import Call

_FILE = re.compile(r"\w+(?:\.\w+)*\.(?:png|jpe?g|gif|bmp|tiff?|txt|csv|json|xml|yaml|pdf|html)", re.ASCII)
"""Matches file names. As C text they would read a member of a struct."""


def points_to_letters(ctype: CType) -> bool:
    """Returns whether a type is a pointer to characters."""
    return ctype.depth == 1 and is_letter(CType(ctype.base))


def accepts_none(optional: bool, default: str | None) -> bool:
    """Returns whether None means NULL. A default of NULL is shown as None in Python."""
    return optional or default == "NULL"


def initial_value(default: str | None, scope: Scope) -> str:
    """Returns the value of the variable before the argument is read, as a C expression."""
    return scope.call.text("NULL" if default is None or scope.is_late else default)


def string_length(name: str, ctype: CType, may_be_null: bool) -> str:
    """Returns the length of a string as a C expression of the type `ctype`."""
    cast = "" if ctype.base == "size_t" else f"({ctype.base})"
    length = f"{cast}strlen({name})"
    return f"{name} != NULL ? {length} : 0" if may_be_null else length


def missing_quotes(default: Leaf | None, call: Call) -> Iterator[Diagnostic]:
    """Yields the problem of a default value without the quotes of C."""
    if default is None:
        return
    is_word = default.is_quoted_word and call.find(default.text) is None
    if is_word or _FILE.fullmatch(default.text):
        yield Diagnostic(
            "c-quotes", default.span, "YAML has removed the quotes of this string", quotes_hint(default.text)
        )
