"""The classes of the language's records: each key is an attribute with the type that its kind yields. Only `Value`, any
type, may stand for several types."""

from __future__ import annotations

from types import UnionType
from typing import get_args

import pytest

from dlpack_bindgen.calls.features import KEYS, MODULE_KEYS
from dlpack_bindgen.diagnostics import Span
from dlpack_bindgen.language.kinds import (
    Alternatives,
    Anything,
    Integer,
    Kind,
    ListOf,
    Lookup,
    MapOf,
    Record,
    Single,
    Words,
)
from dlpack_bindgen.language.language import TENSOR, ClassFields, records
from dlpack_bindgen.language.values import Attribute, Fields, Items, Leaf, Table, Unread, Value

CLASSES = tuple(dict.fromkeys(record.fields for record in records()))


def yielded(kind: Kind) -> set[type]:
    """The types of the values that the structure check makes of the kind."""
    if isinstance(kind, Alternatives):
        return set().union(*(yielded(option.kind) for option in kind.options))
    if isinstance(kind, Record):
        return {kind.fields}
    if isinstance(kind, Single | Words | Integer):
        return {Leaf}
    if isinstance(kind, ListOf):
        return {Items}
    if isinstance(kind, MapOf | Lookup):
        return {Table}
    assert isinstance(kind, Anything)
    return {Unread}


def attributes(of: type[Fields]) -> dict[str, set[type]]:
    """Each key of the class, with its types."""
    found = {}
    for each in of.__mro__:
        for attribute in vars(each).values():
            if isinstance(attribute, Attribute):
                (declared,) = get_args(attribute.__orig_class__)
                found[attribute.key] = set(get_args(declared)) if isinstance(declared, UnionType) else {declared}
    return found


@pytest.mark.parametrize("of", CLASSES, ids=lambda of: of.__name__)
def test_the_attributes_are_the_keys(of: type[Fields]) -> None:
    keys: dict[str, set[type]] = {}
    for record in records():
        for key in record.keys if record.fields is of else ():
            if key in (*KEYS, *MODULE_KEYS):
                continue  # the key is its own attribute
            keys.setdefault(key.name, set()).update(yielded(key.kind))
    declared = attributes(of)
    assert declared.keys() == keys.keys()
    for key, types in declared.items():
        is_open = types == set(get_args(Value)) and len(keys[key]) > 1
        assert is_open or types == keys[key], key


def test_an_attribute_is_the_value_or_none() -> None:
    span = Span("a.yaml", 1, 1, 1)
    leaf = Leaf("f(self)", span)
    fields = ClassFields(TENSOR, {"import": leaf, "release": leaf}, {"release": span, "doc": span}, None, span, False)
    assert (fields.import_, fields.release, fields.doc, fields.copy) == (leaf, leaf, None, None)
    assert ClassFields.doc in fields and ClassFields.copy not in fields
