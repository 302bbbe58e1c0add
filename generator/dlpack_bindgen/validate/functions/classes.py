"""Reader for the names of a spec that stand for types in its functions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import cast

from dlpack_bindgen.arguments.object import REPLACES
from dlpack_bindgen.hooks.release import RELEASE
from dlpack_bindgen.language import records
from dlpack_bindgen.language.classes import METHODS
from dlpack_bindgen.language.functions import ARGS
from dlpack_bindgen.language.kinds import Form
from dlpack_bindgen.language.language import FROM, HANDLES, MODULE, PREFIX, TENSOR, TENSORS, classes_of
from dlpack_bindgen.language.making import ALLOCATE_OF_TENSOR, IMPORT_OF_CLASS
from dlpack_bindgen.language.module import (
    CONSTANT,
    CONSTANTS,
    ENUM,
    FLAGS,
    FUNCTIONS,
    INT_ENUM,
    INT_FLAG,
    TYPE_OF_CONSTANT,
    VALUE_OF_CONSTANT,
)
from dlpack_bindgen.language.names import Class, Enum, NamedValue, Names
from dlpack_bindgen.language.records import ARRAYS, NUMBERS, RECORDS
from dlpack_bindgen.language.shared import PASS, TYPE
from dlpack_bindgen.language.values import Fields, Items, Leaf, Table, c_fragments, is_record, is_true, text_of
from dlpack_bindgen.results.kind import OF
from dlpack_bindgen.spec.spec import RELEASES_NOTHING
from dlpack_bindgen.text import types
from dlpack_bindgen.text.diagnostics import shown
from dlpack_bindgen.text.types import NumberKind

_OF_CLASSES = frozenset(("methods", "properties", "new"))


def names(spec: Fields) -> Names:
    classes = {name.text: _class(name, fields) for name, fields in classes_of(spec)}
    constants, numbers = spec[CONSTANTS], spec[NUMBERS]
    tables = (spec[TENSORS], spec[HANDLES], constants)
    enums = {
        name.text: Enum(name, _members(fields))
        for name, fields in (constants.records(INT_ENUM, INT_FLAG) if constants else ())
    }
    kinds = {key.text: cast(NumberKind, kind.text) for key, kind in (numbers.leaves() if numbers else ())}
    sound = all(found.type is not None for found in classes.values())
    whole = sound and not spec.has_unknown and all(table is None or not table.broken for table in tables)
    unread = frozenset(name for table in (numbers, spec[RECORDS]) if table is not None for name in table.broken)
    values = frozenset(name.text for name, _ in (constants.entries if constants else ())) - enums.keys()
    return Names(
        classes=classes,
        enums=enums,
        module=spec,
        numbers=kinds,
        whole=whole,
        unread=unread,
        values=values,
        calls={},
        named_values=_named_values(constants),
        records=records.read(spec[RECORDS], text_of(spec[PREFIX]) or text_of(spec[MODULE]) or ""),
        arrays=text_of(spec[ARRAYS]),
        replaced=frozenset(_replaced(spec, classes)),
        prototypes=lambda: _prototypes(spec),
    )


def _prototypes(spec: Fields) -> list[str]:
    return [leaf.text for _, leaf in c_fragments(spec, forms=(Form.PROTOTYPE,))]


def _replaced(spec: Fields, classes: Mapping[str, Class]) -> Iterator[str]:
    groups = [(None, spec[FUNCTIONS]), *((name, each.fields[METHODS]) for name, each in classes.items())]
    for class_name, functions in groups:
        tables = [function[ARGS] for _, function in (functions.records() if functions else ())]
        for record in [record for table in tables if table for _, record in table.records()]:
            if is_true(record[REPLACES]):
                named = text_of(record[OF]) or class_name
                yield from classes if named is None else [named]


def _pairs(enum: Fields) -> list[tuple[str, str]]:
    """Returns the members of an enum: their names in Python, and their C expressions."""
    members = enum[ENUM] or enum[FLAGS]
    if isinstance(members, Table):
        return [(name.text, value.text) for name, value in members.leaves()]
    return [(leaf.text, leaf.text) for leaf in members.leaves()] if isinstance(members, Items) else []


def _members(enum: Fields) -> dict[str, str]:
    return {name: value for name, value in _pairs(enum) if value.endswith(f"_{name}")}


def _named_values(constants: Table | None) -> dict[str, list[NamedValue]]:
    found: dict[str, list[NamedValue]] = {}
    for name, value in constants.entries if constants else ():
        if isinstance(value, Leaf):
            found.setdefault(value.text, []).append(NamedValue(shown(name.text), "int"))
        elif is_record(value, CONSTANT) and (written := value[VALUE_OF_CONSTANT]) is not None:
            kind = cast(NumberKind, text_of(value[TYPE_OF_CONSTANT]) or "int")
            found.setdefault(written.text, []).append(NamedValue(shown(name.text), kind))
        elif is_record(value, INT_ENUM, INT_FLAG):
            for member, expression in _pairs(value):
                found.setdefault(expression, []).append(NamedValue(f"{name.text}.{shown(member)}", "int", name.text))
    return found


def has_functions(spec: Fields) -> bool:
    """Returns whether the spec declares functions, methods, properties or constructors."""
    return FUNCTIONS in spec or any(_OF_CLASSES.intersection(fields.given) for _, fields in classes_of(spec))


def _class(name: Leaf, fields: Fields) -> Class:
    written = text_of(fields[TYPE])
    return Class(
        name=name,
        fields=fields,
        type=types.normal(written.split()) if written else None,
        by_value=text_of(fields[PASS]) == "value",
        is_tensor=fields.record is TENSOR,
        allocates=ALLOCATE_OF_TENSOR in fields,
        imports=IMPORT_OF_CLASS in fields,
        releases=RELEASE in fields or FROM in fields or fields.has_unknown,
        releases_nothing=text_of(fields[RELEASE]) == RELEASES_NOTHING,
        is_external=FROM in fields,
    )
