"""Rules for properties with a setter: the target must be a member whose type Python can assign."""

from __future__ import annotations

from collections.abc import Iterable

from dlpack_bindgen.language.classes import GET, SET, TYPE_OF_PROPERTY
from dlpack_bindgen.language.names import Class
from dlpack_bindgen.language.slots import READONLY, SLOT_NAMES
from dlpack_bindgen.language.values import Fields, Leaf, c_fragments, leaf_of, text_of
from dlpack_bindgen.text import ctext
from dlpack_bindgen.text.diagnostics import Diagnostic, Note, Report
from dlpack_bindgen.text.fragments import ALWAYS, is_own_member, is_place
from dlpack_bindgen.validate.functions.declared import declared_params

_ALWAYS = (ALWAYS, "true")
_TYPES = {"float": "double ", "bool": "bool ", "complex": "double complex ", "char": "char ", "str": "const char *"}


_OF_MEMORY = (*SLOT_NAMES, "match", "let", "hold", "parts")
"""Keys of a class that describe its memory."""


def check(name: str, property_: Fields, own_class: Class, classes: Iterable[Class], report: Report) -> None:
    setter, get = leaf_of(property_[SET]), property_[GET]
    if setter is None:
        return
    own, value = " " if own_class.by_value else " *", _TYPES.get(text_of(property_[TYPE_OF_PROPERTY]) or "", "int ")
    function = f'c: "void set_{name}({own_class.type}{own}self, {value}value)"'
    hint = f"name a function that sets it, such as: set: {{{function}}}"
    if text_of(property_[TYPE_OF_PROPERTY]) == "str":
        message = "a string is not stored: its owner and its lifetime are unknown"
        report(Diagnostic("setter-value", setter.span, message, hint))
    elif get is not None and (why := _not_stored(get.text, own_class)):
        report(Diagnostic("setter-value", get.span, f"nothing can be assigned to '{get.text}'{why}", hint))
    elif get is not None and (leaf := _of_memory(get.text, own_class, classes)):
        message = f"'{get.text}' describes the memory, and arrays could lead beyond its end"
        if leaf.text == _array(get.text) != get.text:
            message = f"'{get.text}' is an element of the array, which is written to as an array"
        report(Diagnostic("setter-value", get.span, message, hint, notes=(Note(leaf.span, "here"),)))
    elif get is not None and (text_of(own_class.fields[READONLY]) or "") in _ALWAYS and not is_own_member(get.text):
        message = f"a '{own_class.name.text}' is read-only, and this may be its data: each assignment would be refused"
        hint = f"if a function may: set: {{{function}, args: {{self: {{writes: false}}}}}}"
        report(Diagnostic("setter-value", setter.span, message, hint))


def _of_memory(get: str, own_class: Class, classes: Iterable[Class]) -> Leaf | None:
    """Returns C text that uses the member to describe memory, in a class of the same C type. For `self->dims[0]`, any
    use of `self->dims` counts."""
    path = _array(get)
    for each in classes:
        for key in _OF_MEMORY if each.type == own_class.type else ():
            for _, leaf in c_fragments(each.fields.values[key]) if key in each.fields.values else ():
                if _has(leaf.text, path):
                    return leaf
    return None


def _array(get: str) -> str:
    """Returns the array of an element; returns other places unchanged."""
    while get.endswith("]"):
        depth = 0
        for start in range(len(get) - 1, -1, -1):
            depth += {"]": 1, "[": -1}.get(get[start], 0)
            if depth == 0:
                break
        get = get[:start].rstrip()
    return get


def _has(text: str, path: str) -> bool:
    """Returns whether C text contains the tokens of the path in sequence."""
    tokens, wanted = ctext.tokens(text), ctext.tokens(path)
    return any(tokens[start : start + len(wanted)] == wanted for start in range(len(tokens)))


def _not_stored(get: str, own_class: Class) -> str | None:
    """Returns the reason that nothing can be assigned, as the end of a message; None if it can."""
    if get == "self":
        return ", which is the object"
    if any(get == param.name for param in declared_params(own_class)):
        return ", which is given when the object is made"
    return None if is_place(get) else ": it is not a member"
