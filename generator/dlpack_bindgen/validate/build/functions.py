"""Construction of functions, properties and constants from values without mistakes."""

from __future__ import annotations

from dataclasses import replace
from typing import cast

from dlpack_bindgen.arguments.requirements import checks
from dlpack_bindgen.c.names import is_system_error
from dlpack_bindgen.c.types import NumberKind, as_number
from dlpack_bindgen.calls.features import FEATURES
from dlpack_bindgen.diagnostics import Diagnostic
from dlpack_bindgen.language.classes import NewStructFields, PropertyFields
from dlpack_bindgen.language.functions import FunctionFields
from dlpack_bindgen.language.language import ClassFields
from dlpack_bindgen.language.module import ENUMS, ConstantFields, EnumFields
from dlpack_bindgen.language.names import Class, Names
from dlpack_bindgen.language.values import Items, Leaf, Table, Value, is_true, needed, text_of
from dlpack_bindgen.spec.functions import Constant, Enumeration, Function, ParamOfMade, Property
from dlpack_bindgen.spec.spec import Action, NewStruct
from dlpack_bindgen.steps.reading import is_by_spec, tested
from dlpack_bindgen.validate.functions.calls import Call

_ALL_OTHERS = "_"
_DEFAULT = "RuntimeError"


class ClassMembers:
    """The members of a class that the spec declares: methods, properties and constructor."""

    def __init__(self, fields: ClassFields, names: Names, own_class: Class, ok: str | None) -> None:
        """Constructs the members. `ok` is the default test of calls."""
        self.methods = functions(fields.methods, names, own_class)
        self.properties = _properties(fields.properties, names, own_class)
        new = fields.new
        self.new = _function("new", new, names, None, made=own_class) if isinstance(new, FunctionFields) else None
        self.new_struct = _new_struct(new, ok) if isinstance(new, NewStructFields) else None


def _new_struct(fields: NewStructFields, ok: str | None) -> NewStruct:
    call = text_of(fields.init)
    init = Action(call, tested(fields, ok), text_of(fields.error), is_by_spec(fields, ok)) if call is not None else None
    return NewStruct(init, text_of(fields.doc) or None)


def functions(table: Table | None, names: Names, own_class: Class | None = None) -> tuple[Function, ...]:
    return tuple(
        _function(key.text, each, names, own_class) for key, each in (table.records(FunctionFields) if table else ())
    )


def _function(
    key: str,
    fields: FunctionFields,
    names: Names,
    own_class: Class | None,
    made: Class | None = None,
    kind: Leaf | None = None,
) -> Function:
    """Returns the function that the fields declare.

    `own_class` is the class of a method, `made` that of a constructor. `kind` is the type of a property that is set.
    """
    from dlpack_bindgen.validate.functions import results  # many specs have no functions
    from dlpack_bindgen.validate.functions.bound_params import bound_params
    from dlpack_bindgen.validate.functions.calls import read
    from dlpack_bindgen.validate.functions.factory_params import factory_params
    from dlpack_bindgen.validate.functions.keyword_only import by_name

    call = needed(read(fields, names, own_class, made, _unexpected, kind))
    result = needed(call.result)
    tested = results.tested(fields, call.prototype, result, names)
    at_end = by_name(fields, call)
    given = sorted((each.name for each in call.from_python()), key=lambda name: name in at_end)
    params = tuple(
        ParamOfMade(each.returned, each.name, each.source) for each in bound_params(call, names) if each.passed
    )
    last, raises = text_of(fields.positional_only), _raises(fields.raises)
    return Function(
        key=key,
        name=text_of(fields.name) or key,
        prototype=call.prototype,
        arguments=call.sound(),
        result=result,
        returned=call.returned,
        features=tuple(found for each in FEATURES if (found := each.read(call)) is not None),
        positional_only=given.index(last) + 1 if last else 0,
        keyword_only=len(at_end),
        at_end=at_end,
        ok=tested,
        status=needed(results.status(tested, call.sound())),
        error=text_of(fields.error),
        errno=text_of(fields.errno) or ("errno" if _fails_with_errno(call, raises) else None),
        raises=raises,
        require=checks(fields.require),
        undo=text_of(fields.undo),
        finally_=text_of(fields.finally_),
        is_macro=is_true(fields.macro),
        release_gil=is_true(fields.release_gil),
        doc=text_of(fields.doc) or None,
        condition=text_of(fields.if_),
        self_index=call.self_index,
        params=params,
        factory_params=tuple(factory_params(call)),
    )


def _unexpected(diagnostic: Diagnostic) -> None:
    raise AssertionError(diagnostic.message)


def _fails_with_errno(call: Call, raises: tuple[tuple[str | None, str], ...]) -> bool:
    """Returns whether a function without the key `errno` reports its failures by the `errno` of C.

    Such a function takes a path, or maps a result to an exception for system errors. After other failures, `errno` has
    no meaning. For example, a library that polls leaves EAGAIN in it.
    """
    takes_path = any(each.kind.is_path for each in call.sound())
    return takes_path or any(status is not None and is_system_error(exception) for status, exception in raises)


def _raises(value: Value | None) -> tuple[tuple[str | None, str], ...]:
    if isinstance(value, Leaf):
        return ((None, value.text),)
    if not isinstance(value, Table):
        return ((None, _DEFAULT),)
    listed = {result.text: exception.text for result, exception in value.leaves()}
    default = listed.pop(_ALL_OTHERS, _DEFAULT)
    return (*listed.items(), (None, default))


def _properties(table: Table | None, names: Names, own_class: Class) -> tuple[Property, ...]:
    return tuple(_property(key.text, value, names, own_class) for key, value in (table.entries if table else ()))


def _property(name: str, value: Value, names: Names, own_class: Class) -> Property:
    if isinstance(value, Leaf):
        return Property(name, value.text, "int")
    assert isinstance(value, PropertyFields)
    kind = text_of(value.type) or "int"
    known = as_number(kind) or ("str" if kind == "str" else "object" if kind in names.classes else None)
    setter, condition = value.set, text_of(value.if_)
    function = (
        _function(f"set_{name}", setter, names, own_class, kind=value.type)
        if isinstance(setter, FunctionFields)
        else None
    )
    return Property(
        name=name,
        get=needed(text_of(value.get)),
        kind=known or "enum",
        of=kind if known in (None, "object") else None,
        set=replace(function, name=name, condition=condition) if function else None,
        stored=is_true(value.set),
        doc=text_of(value.doc) or None,
        condition=condition,
    )


def constants(table: Table | None) -> tuple[Constant, ...]:
    found: list[Constant] = []
    for name, value in table.entries if table else ():
        if isinstance(value, Leaf):
            found.append(Constant(name.text, value.text, "int"))
        elif isinstance(value, ConstantFields) and (written := text_of(value.value)):
            found.append(Constant(name.text, written, cast(NumberKind, text_of(value.type) or "int")))
    return tuple(found)


def enums(table: Table | None) -> tuple[Enumeration, ...]:
    found: list[Enumeration] = []
    for name, fields in table.records(EnumFields) if table else ():
        for tag in ENUMS:
            members = fields.value_of(tag)
            if isinstance(members, Items):
                pairs = tuple((leaf.text, leaf.text) for leaf in members.leaves())
                found.append(Enumeration(name.text, pairs, tag == "flags"))
            elif isinstance(members, Table):
                pairs = tuple((key.text, value.text) for key, value in members.leaves())
                found.append(Enumeration(name.text, pairs, tag == "flags"))
    return tuple(found)
