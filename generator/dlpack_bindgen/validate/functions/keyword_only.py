"""Keyword-only parameters of a function."""

from __future__ import annotations

from dlpack_bindgen.language.functions import FunctionFields
from dlpack_bindgen.language.values import items_of, text_of
from dlpack_bindgen.validate.functions.calls import Call


def by_name(function: FunctionFields, call: Call) -> tuple[str, ...]:
    """Returns the names of the keyword-only parameters. They come last in Python, whatever their order in C.

    `keyword_only` is a list of them, or the name of the first one. After the first, required parameters stay positional
    if the first is optional and all parameters before it are required. C often has a context as its last parameter.
    """
    listed = items_of(function.keyword_only)
    if listed:
        return tuple(leaf.text for leaf in listed.leaves())
    given = call.from_python()
    names = [each.name for each in given]
    first = text_of(function.keyword_only)
    if first not in names:
        return ()
    place = names.index(first)
    all_behind = not given[place].kind.may_be_missing or any(each.kind.may_be_missing for each in given[:place])
    return tuple(each.name for each in given[place:] if all_behind or each.kind.may_be_missing)
