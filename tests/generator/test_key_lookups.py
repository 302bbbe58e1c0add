"""Typed records instead of look-ups by string keys: a scan of the generator for look-ups by a literal key."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

import dlpack_bindgen
from dlpack_bindgen.language.keys import records
from dlpack_bindgen.spec.all_keys import SPEC

PACKAGE = Path(dlpack_bindgen.__file__).parent
KEYS = frozenset(key.name for record in records(SPEC) for key in record.keys)
METHODS = ("value_of",)
"""Methods that take a key: for code that treats all keys alike."""


def keys(node: ast.expr) -> Iterator[str]:
    """Returns the keys in an expression or in a tuple, list or set of constants."""
    if isinstance(node, ast.Constant) and node.value in KEYS:
        yield node.value
    elif isinstance(node, ast.Tuple | ast.List | ast.Set):
        for item in node.elts:
            yield from keys(item)


def is_about_fields(node: ast.expr) -> bool:
    """Tells if the expression mentions the dictionaries of a record."""
    return any(isinstance(each, ast.Attribute) and each.attr in ("given", "values") for each in ast.walk(node))


def is_lookup(node: ast.AST) -> bool:
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.args:
        if node.func.attr in METHODS and isinstance(node.args[0], ast.Constant):
            return any(keys(node.args[0]))
        return any(map(is_about_fields, (node.func.value, *node.args))) and any(
            any(keys(each)) for each in (node.func.value, *node.args)
        )
    if isinstance(node, ast.Subscript):
        return is_about_fields(node.value) and any(keys(node.slice))
    if isinstance(node, ast.Compare):
        return any(keys(node.left)) and any(map(is_about_fields, node.comparators))
    if isinstance(node, ast.BinOp):
        sides = (node.left, node.right)
        return any(map(is_about_fields, sides)) and any(any(keys(side)) for side in sides)
    return False


def lookups(source: str) -> list[str]:
    tree = ast.parse(source)
    return [ast.get_source_segment(source, node) or "" for node in ast.walk(tree) if is_lookup(node)]


def test_keys_are_read_as_objects_and_not_by_their_names() -> None:
    found = [text for path in sorted(PACKAGE.rglob("*.py")) for text in lookups(path.read_text(encoding="utf-8"))]
    assert found == []


@pytest.mark.parametrize(
    "source",
    [
        'fields.value_of("release")',
        '"release" not in fields.given',
        'fields.given["release"]',
        'fields.values.get("release")',
        '{"init", "set"} & fields.given.keys()',
        'fields.given.keys().isdisjoint(("shape", "dtype"))',
        '{"init"}.intersection(fields.values)',
    ],
)
def test_a_lookup_by_a_string_is_found(source: str) -> None:
    assert lookups(source) == [source]


@pytest.mark.parametrize("source", ["fields.release", "fields.value_of(key)", "key in fields.given", '"x" in text'])
def test_other_expressions_are_not_lookups_by_a_string(source: str) -> None:
    assert lookups(source) == []
