"""The keys of the language: each is a constant, with the type of the values that its kind yields. `Value`, any type,
may stand for several types."""

from __future__ import annotations

import ast
import importlib
from collections.abc import Iterator
from pathlib import Path
from types import UnionType
from typing import get_args

import pytest

import dlpack_bindgen
from dlpack_bindgen.classes.methods_and_properties import NEW
from dlpack_bindgen.language.keys import (
    DOC,
    Alternatives,
    Anything,
    Integer,
    Key,
    Kind,
    ListOf,
    Lookup,
    MapOf,
    Record,
    Single,
    Words,
    records,
)
from dlpack_bindgen.language.values import Fields, Items, Leaf, Table, Unread, Value
from dlpack_bindgen.spec.all_keys import COPY_OF_TENSOR, SPEC, TENSOR
from dlpack_bindgen.tensor.imports import IMPORT_OF_CLASS
from dlpack_bindgen.tensor.slots import SLOT_NAMES
from dlpack_bindgen.text.diagnostics import Span

PACKAGE = Path(dlpack_bindgen.__file__).parent


def yielded(kind: Kind) -> set[type]:
    """Returns the types of the values that the structure check makes of the kind."""
    if isinstance(kind, Alternatives):
        return set().union(*(yielded(option.kind) for option in kind.options))
    if isinstance(kind, Record):
        return {Fields}
    if isinstance(kind, Single | Words | Integer):
        return {Leaf}
    if isinstance(kind, ListOf):
        return {Items}
    if isinstance(kind, MapOf | Lookup):
        return {Table}
    assert isinstance(kind, Anything)
    return {Unread}


def constants() -> Iterator[tuple[Key, set[type]]]:
    """Finds each key with a declared type, as `NAME = Key[Leaf](...)`, and this type."""
    for path in sorted(PACKAGE.rglob("*.py")):
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.Assign) and isinstance(node.value, ast.Call):
                name, called = ast.unparse(node.targets[0]), node.value.func
                if isinstance(called, ast.Subscript) and ast.unparse(called.value) == "Key":
                    parts = path.relative_to(PACKAGE.parent).with_suffix("").parts
                    module = importlib.import_module(".".join(parts))
                    declared = eval(ast.unparse(called.slice), vars(module))
                    yield getattr(module, name), types_of(declared)


def types_of(declared: object) -> set[type]:
    return set(get_args(declared)) if isinstance(declared, UnionType) else {declared}  # type: ignore[arg-type]


CONSTANTS = dict(constants())
ANY = set(get_args(Value))


@pytest.mark.parametrize(
    "key", [key for key in CONSTANTS if not isinstance(key.kind, Anything)], ids=lambda key: key.name
)
def test_a_key_has_the_type_of_its_values(key: Key) -> None:
    types = CONSTANTS[key]
    assert types == yielded(key.kind) or (types == ANY and len(yielded(key.kind)) > 1)


@pytest.mark.parametrize("record", records(SPEC), ids=lambda record: record.what)
def test_keys_of_one_name_have_values_of_one_type(record: Record) -> None:
    """Records vary the texts of a key, and the forms of its value, but not its type in Python."""
    for key in record.keys:
        found = [types for other, types in CONSTANTS.items() if other.name == key.name]
        is_open = key.name in SLOT_NAMES or not found
        assert is_open or any(types == ANY or types >= yielded(key.kind) for types in found), key.name


def test_a_key_reads_its_value() -> None:
    span = Span("a.yaml", 1, 1, 1)
    leaf = Leaf("f(self)", span)
    fields = Fields(TENSOR, {"import": leaf, "new": leaf}, {"new": span, "doc": span}, None, span, False)
    assert (fields[IMPORT_OF_CLASS], fields[NEW], fields[DOC], fields[COPY_OF_TENSOR]) == (leaf, leaf, None, None)
    assert DOC in fields and COPY_OF_TENSOR not in fields
