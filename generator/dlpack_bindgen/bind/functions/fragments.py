"""The C source that a spec contains for a function."""

from __future__ import annotations

from dlpack_bindgen.text import ctext
from dlpack_bindgen.text.types import declared
from dlpack_bindgen.validate.functions.calls import Call


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


def names_in(fragments: list[str]) -> set[str]:
    """Returns the names in C source."""
    return {token.text for code in fragments for token in ctext.tokens(code) if token.kind == "name"}
