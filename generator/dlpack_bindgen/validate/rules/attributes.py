"""Rules for properties whose values are tensors or handles."""

from __future__ import annotations

from dlpack_bindgen.hooks.count_parts import OF_PART, PARTS
from dlpack_bindgen.language.classes import GET, SET, TYPE_OF_PROPERTY
from dlpack_bindgen.language.names import Class, Names
from dlpack_bindgen.language.slots import DATA
from dlpack_bindgen.language.values import Fields, Leaf, leaf_of, text_of
from dlpack_bindgen.text import ctext
from dlpack_bindgen.text.diagnostics import Diagnostic, Note, Report
from dlpack_bindgen.validate.functions.declared import declared_params


def check(property_: Fields, own_class: Class, known: Names, report: Report) -> None:
    kind, get = property_[TYPE_OF_PROPERTY], property_[GET]
    of = known.classes.get(text_of(kind) or "")
    if of is None or get is None or kind is None:
        return
    note = (Note(of.name.span, "the class"),)
    setter = leaf_of(property_[SET])
    if setter is not None:
        message = f"'set: true' stores no '{of.name.text}': Python sets its elements through the attribute"
        hint = "leave 'set' out, or name a function that copies an array"
        report(Diagnostic("setter-value", setter.span, message, hint, note))
    if None in (of.type, own_class.type):
        return
    is_same_type, is_self = of.type == own_class.type, get.text == "self"
    if is_self and not is_same_type:
        message = f"'self' is a '{own_class.type}', and the C type of '{of.name.text}' is '{of.type}'"
        hint = f"write the address of the '{of.type}', such as '&self->member'; or give '{of.name.text}' this C type"
        report(Diagnostic("result-type", get.span, message, hint, note))
    elif is_same_type and not is_self and _describes(of, get.text):
        message = f"'{get.text}' is the array, and the C type of '{of.name.text}' is '{of.type}'"
        report(Diagnostic("result-type", get.span, message, "write 'get: self'", note))
    elif is_self and of.name.text == own_class.name.text:
        message = f"'self' is the object of the property: it is a '{of.name.text}' already"
        report(Diagnostic("result-type", get.span, message, "leave the property out", note))
    else:
        _params(kind, of, own_class if is_self else None, known, report)


def _describes(of: Class, get: str) -> bool:
    """Returns whether the class reads its elements from that member."""
    data = of.fields[DATA]
    return isinstance(data, Leaf) and ctext.tokens(data.text) == ctext.tokens(get)


def _params(kind: Leaf, of: Class, whole: Class | None, known: Names, report: Report) -> None:
    """Reports a param of the class that has no value: a property has no arguments."""
    inherited = [(each.name, each.ctype) for each in declared_params(whole)] if whole is not None else []
    is_part = any(text_of(part[OF_PART]) == of.name.text for each in known.classes.values() for part in _parts(each))
    for position, param in enumerate(declared_params(of)):
        is_index = position == 0 and is_part
        if param.required and (is_index or (param.name, param.ctype) not in inherited):
            message = f"'{of.name.text}' has the parameter '{param.name}', and a property has no arguments"
            hint = f"give '{param.name}' a default, or declare a method"
            report(Diagnostic("param-unset", kind.span, message, hint, (Note(param.leaf.span, "here"),)))


def _parts(of: Class) -> tuple[Fields, ...]:
    return parts.records() if (parts := of.fields[PARTS]) else ()
