"""Construction of functions, properties and constants from values without mistakes."""

from __future__ import annotations

from typing import cast

from dlpack_bindgen.language.classes import (
    GET,
    INIT_OF_STRUCT,
    METHODS,
    NEW,
    NEW_STRUCT,
    PROPERTIES,
    PROPERTY,
    SET,
    TYPE_OF_PROPERTY,
)
from dlpack_bindgen.language.functions import (
    FUNCTION,
)
from dlpack_bindgen.language.module import CONSTANT, ENUMS, INT_ENUM, INT_FLAG, TYPE_OF_CONSTANT, VALUE_OF_CONSTANT
from dlpack_bindgen.language.names import Class, Names
from dlpack_bindgen.language.shared import DOC, IF
from dlpack_bindgen.language.steps import ERROR
from dlpack_bindgen.language.values import Fields, Items, Leaf, Table, Value, is_record, is_true, needed, text_of
from dlpack_bindgen.spec.functions import Constant, Enumeration, Property
from dlpack_bindgen.spec.spec import Action, NewStruct
from dlpack_bindgen.steps.reading import is_by_spec, tested
from dlpack_bindgen.text.diagnostics import Diagnostic
from dlpack_bindgen.text.types import NumberKind, as_number
from dlpack_bindgen.validate.functions.calls import Call


class ClassMembers:
    """The members of a class that the spec declares: methods, properties and constructor."""

    def __init__(self, fields: Fields, names: Names, own_class: Class, ok: str | None) -> None:
        """Constructs the members. `ok` is the default test of calls."""
        self.methods = functions(fields[METHODS], names, own_class)
        self.properties = _properties(fields[PROPERTIES], names, own_class)
        new = fields[NEW]
        self.new = _call("new", new, names, None, made=own_class) if is_record(new, FUNCTION) else None
        self.new_struct = _new_struct(new, ok) if is_record(new, NEW_STRUCT) else None


def _new_struct(fields: Fields, ok: str | None) -> NewStruct:
    call = text_of(fields[INIT_OF_STRUCT])
    init = (
        Action(call, tested(fields, ok), text_of(fields[ERROR]), is_by_spec(fields, ok)) if call is not None else None
    )
    return NewStruct(init, text_of(fields[DOC]) or None)


def functions(table: Table | None, names: Names, own_class: Class | None = None) -> tuple[Call, ...]:
    functions = table.records() if table else ()
    return tuple(_call(key.text, fields, names, own_class) for key, fields in functions)


def _call(
    key: str,
    fields: Fields,
    names: Names,
    own_class: Class | None,
    made: Class | None = None,
    property_: Fields | None = None,
) -> Call:
    """Returns the call that the rules have read, unless names in the spec have been marked since then."""
    from dlpack_bindgen.validate.functions.calls import read  # many specs have no functions

    return needed(read(key, fields, names, own_class, made, _unexpected, property_))


def _unexpected(diagnostic: Diagnostic) -> None:
    raise AssertionError(diagnostic.message)


def _properties(table: Table | None, names: Names, own_class: Class) -> tuple[Property, ...]:
    return tuple(_property(key.text, value, names, own_class) for key, value in (table.entries if table else ()))


def _property(name: str, value: Value, names: Names, own_class: Class) -> Property:
    if isinstance(value, Leaf):
        return Property(name, value.text, "int")
    assert is_record(value, PROPERTY)
    kind = text_of(value[TYPE_OF_PROPERTY]) or "int"
    known = as_number(kind) or ("str" if kind == "str" else "object" if kind in names.classes else None)
    setter = value[SET]
    return Property(
        name=name,
        get=needed(text_of(value[GET])),
        kind=known or "enum",
        of=kind if known in (None, "object") else None,
        set=_call(name, setter, names, own_class, property_=value) if is_record(setter, FUNCTION) else None,
        stored=is_true(value[SET]),
        doc=text_of(value[DOC]) or None,
        condition=text_of(value[IF]),
    )


def constants(table: Table | None) -> tuple[Constant, ...]:
    found: list[Constant] = []
    for name, value in table.entries if table else ():
        if isinstance(value, Leaf):
            found.append(Constant(name.text, value.text, "int"))
        elif is_record(value, CONSTANT) and (written := text_of(value[VALUE_OF_CONSTANT])):
            found.append(Constant(name.text, written, cast(NumberKind, text_of(value[TYPE_OF_CONSTANT]) or "int")))
    return tuple(found)


def enums(table: Table | None) -> tuple[Enumeration, ...]:
    found: list[Enumeration] = []
    for name, fields in table.records(INT_ENUM, INT_FLAG) if table else ():
        for tag in ENUMS:
            members = fields.value_of(tag)
            if isinstance(members, Items):
                pairs = tuple((leaf.text, leaf.text) for leaf in members.leaves())
                found.append(Enumeration(name.text, pairs, tag == "flags"))
            elif isinstance(members, Table):
                pairs = tuple((key.text, value.text) for key, value in members.leaves())
                found.append(Enumeration(name.text, pairs, tag == "flags"))
    return tuple(found)
