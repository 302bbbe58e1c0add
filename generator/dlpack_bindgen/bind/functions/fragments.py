"""The C source that a spec contains for a function."""

from __future__ import annotations

from dlpack_bindgen.arguments.array import Array
from dlpack_bindgen.arguments.dltensor import Raw
from dlpack_bindgen.arguments.dtype_code import DTypeCode
from dlpack_bindgen.arguments.object import Object
from dlpack_bindgen.arguments.output import Out
from dlpack_bindgen.c import ctext
from dlpack_bindgen.spec.functions import Function, Result, size_expressions


def sizes(function: Function) -> list[str]:
    """Returns the size expressions of the bytes and arrays that C returns."""
    return [text for value in _values(function).values() for text in size_expressions(value)]


def returned_sizes(function: Function) -> list[str]:
    """Returns the size expressions of the values that Python gets. Other sizes are never evaluated."""
    values = _values(function)
    return [text for name in function.returned if name in values for text in size_expressions(values[name])]


def _values(function: Function) -> dict[str, Result | Out]:
    outs = {each.name: each.kind for each in function.arguments if isinstance(each.kind, Out)}
    return {"result": function.result, **outs}


def c_fragments(function: Function) -> list[str | None]:
    fragments = [function.ok, function.error, function.errno, function.undo, function.finally_, *sizes(function)]
    fragments += [expression for expression, _ in function.raises]
    fragments += [text for check in function.require for text in (check.expr, check.error)]
    for argument in function.arguments:
        kind = argument.kind
        fragments += [argument.ctype.length, getattr(kind, "default", None), getattr(kind, "value", None)]
        if isinstance(kind, DTypeCode):
            fragments += [code for code, _ in kind.arms]
        fragments += kind.expressions()
        if isinstance(kind, Object | Raw | Array):
            fragments += [kind.require.count, *(kind.require.shape or ())]
    return fragments


def mentioned(function: Function) -> set[str]:
    """Returns the names in the C source of a function, and the names of types and of the function in its prototype."""
    prototype = function.prototype
    types = {prototype.result.base, *(argument.ctype.base for argument in function.arguments)}
    fragments = [prototype.name, *c_fragments(function)]
    named = {
        token.text for text in fragments if text is not None for token in ctext.tokens(text) if token.kind == "name"
    }
    return types | named
