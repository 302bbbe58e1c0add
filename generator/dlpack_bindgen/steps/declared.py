"""Variables that the spec declares in `params`, `hold` or `let`, and the rules about one declaration."""

from __future__ import annotations

from collections.abc import Iterator

from dlpack_bindgen.frozen import Frozen
from dlpack_bindgen.language.steps import OUT_OF_STEP
from dlpack_bindgen.language.values import Fields, Items, Leaf, Value
from dlpack_bindgen.text import ctext
from dlpack_bindgen.text.diagnostics import Diagnostic, Note
from dlpack_bindgen.text.names import is_keyword
from dlpack_bindgen.text.types import split_output, split_parameter, split_variable

_STORAGE = frozenset(("static", "extern", "register", "auto", "typedef", "_Thread_local", "thread_local"))


class Declared(Frozen):
    ctype: str
    name: str
    leaf: Leaf
    value: Leaf | None
    is_array: bool


def declared_in(item: Value) -> Declared | None:
    """Returns the variable that an item of `params`, `hold` or `let` declares, or None."""
    if isinstance(item, Leaf):
        parameter = split_parameter(item.text)
        return Declared(parameter[0], parameter[1], item, None, False) if isinstance(parameter, tuple) else None
    if not isinstance(item, Fields):
        return None
    leaf, value = item.entry or (item[OUT_OF_STEP], None)
    output = split_output(leaf.text) if leaf and item.entry is None else None
    if leaf and isinstance(output, tuple):
        return Declared(output[0], output[1], leaf, None, False)
    variable = split_variable(leaf.text) if leaf else None
    if leaf is None or not isinstance(variable, tuple):
        return None
    return Declared(variable[0], variable[1], leaf, value, variable[2])


def parameter_problems(params: Items | None) -> Iterator[Diagnostic]:
    """Yields the problems of parameters of a class or an import."""
    optional: Leaf | None = None
    names = {declared.name for item in (params.items if params else ()) if (declared := declared_in(item))}
    for item in params.items if params else ():
        declared = declared_in(item)
        if declared is None:
            continue
        name, span = declared.name, declared.leaf.span
        if is_keyword(name):
            yield Diagnostic("keyword-name", span, f"'{name}' is a keyword of C, C++ or Python")
        required = isinstance(item, Leaf) and "=" not in item.text
        if required and optional:
            message = f"'{name}' is required, and comes after an optional parameter"
            notes = (Note(optional.span, "it has a default"),)
            yield Diagnostic("required-after-optional", span, message, "give it a default, or move it up", notes)
        optional = optional if required else declared.leaf
        yield from storage_problems(item, "a parameter lives with each object")
        mentioned = ctext.names(_default_of(item, declared))
        if other := next((other for other in mentioned if other in names), None):
            yield Diagnostic("used-too-early", span, f"'{other}' is not known here: a default cannot use parameters")


def _default_of(item: Value, declared: Declared) -> str:
    if isinstance(item, Leaf):
        return item.text.partition("=")[2]
    return declared.value.text if declared.value else ""


def storage_problems(item: Value, why: str) -> Iterator[Diagnostic]:
    """Yields the problem of a variable with a storage class, which a member of a struct cannot have."""
    declared = declared_in(item)
    storage = _STORAGE.intersection(declared.ctype.split()) if declared else None
    if declared and storage:
        message = f"'{sorted(storage)[0]}' cannot stand here: {why}"
        yield Diagnostic("static-lifetime", declared.leaf.span, message)
