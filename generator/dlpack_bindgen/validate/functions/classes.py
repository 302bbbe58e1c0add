"""Reader for the names of a spec that stand for types in its functions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import cast

from dlpack_bindgen.c import prototype
from dlpack_bindgen.c.types import NumberKind
from dlpack_bindgen.diagnostics import shown
from dlpack_bindgen.language import records
from dlpack_bindgen.language.arguments import ArgumentFields
from dlpack_bindgen.language.functions import FunctionFields
from dlpack_bindgen.language.kinds import Form
from dlpack_bindgen.language.language import ClassFields, SpecFields
from dlpack_bindgen.language.module import ConstantFields, EnumFields
from dlpack_bindgen.language.names import Class, Enum, NamedValue, Names
from dlpack_bindgen.language.values import Items, Leaf, Table, c_fragments, is_true, text_of
from dlpack_bindgen.spec.spec import RELEASES_NOTHING

_OF_CLASSES = frozenset(("methods", "properties", "new"))


def names(spec: SpecFields) -> Names:
    classes = {name.text: _class(name, fields) for name, fields in spec.classes()}
    constants, numbers = spec.constants, spec.numbers
    tables = (spec.tensors, spec.handles, constants)
    enums = {
        name.text: Enum(name, _members(fields)) for name, fields in (constants.records(EnumFields) if constants else ())
    }
    kinds = {key.text: cast(NumberKind, kind.text) for key, kind in (numbers.leaves() if numbers else ())}
    sound = all(found.type is not None for found in classes.values())
    whole = sound and not spec.has_unknown and all(table is None or not table.broken for table in tables)
    unread = frozenset(name for table in (numbers, spec.records) if table is not None for name in table.broken)
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
        records=records.read(spec.records, text_of(spec.prefix) or text_of(spec.module) or ""),
        arrays=text_of(spec.arrays),
        replaced=frozenset(_replaced(spec, classes)),
        prototypes=lambda: _prototypes(spec),
    )


def _prototypes(spec: SpecFields) -> list[str]:
    return [leaf.text for _, leaf in c_fragments(spec, forms=(Form.PROTOTYPE,))]


def _replaced(spec: SpecFields, classes: Mapping[str, Class]) -> Iterator[str]:
    groups = [(None, spec.functions), *((name, each.fields.methods) for name, each in classes.items())]
    for class_name, functions in groups:
        tables = [function.args for _, function in (functions.records(FunctionFields) if functions else ())]
        for record in [record for table in tables if table for _, record in table.records(ArgumentFields)]:
            if is_true(record.replaces):
                named = text_of(record.of) or class_name
                yield from classes if named is None else [named]


def _pairs(enum: EnumFields) -> list[tuple[str, str]]:
    """Returns the members of an enum: their names in Python, and their C expressions."""
    members = enum.enum or enum.flags
    if isinstance(members, Table):
        return [(name.text, value.text) for name, value in members.leaves()]
    return [(leaf.text, leaf.text) for leaf in members.leaves()] if isinstance(members, Items) else []


def _members(enum: EnumFields) -> dict[str, str]:
    return {name: value for name, value in _pairs(enum) if value.endswith(f"_{name}")}


def _named_values(constants: Table | None) -> dict[str, list[NamedValue]]:
    found: dict[str, list[NamedValue]] = {}
    for name, value in constants.entries if constants else ():
        if isinstance(value, Leaf):
            found.setdefault(value.text, []).append(NamedValue(shown(name.text), "int"))
        elif isinstance(value, ConstantFields) and value.value is not None:
            kind = cast(NumberKind, text_of(value.type) or "int")
            found.setdefault(value.value.text, []).append(NamedValue(shown(name.text), kind))
        elif isinstance(value, EnumFields):
            for member, expression in _pairs(value):
                found.setdefault(expression, []).append(NamedValue(f"{name.text}.{shown(member)}", "int", name.text))
    return found


def has_functions(spec: SpecFields) -> bool:
    """Returns whether the spec declares functions, methods, properties or constructors."""
    return SpecFields.functions in spec or any(_OF_CLASSES.intersection(fields.given) for _, fields in spec.classes())


def _class(name: Leaf, fields: ClassFields) -> Class:
    written = text_of(fields.type)
    return Class(
        name=name,
        fields=fields,
        type=prototype.normal(written.split()) if written else None,
        by_value=text_of(fields.pass_) == "value",
        is_tensor=fields.is_tensor,
        allocates=ClassFields.allocate in fields,
        imports=ClassFields.import_ in fields,
        releases=ClassFields.release in fields or ClassFields.from_ in fields or fields.has_unknown,
        releases_nothing=text_of(fields.release) == RELEASES_NOTHING,
        is_external=ClassFields.from_ in fields,
    )
