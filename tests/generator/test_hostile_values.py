"""Each key of the language with values that no author means: a mistake with a place, or a valid spec; no traceback."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from dlpack_bindgen.language.keys import Alternatives, Kind, ListOf, Lookup, MapOf, Record
from dlpack_bindgen.spec.all_keys import SPEC
from dlpack_bindgen.spec.reference import own_keys, sections
from dlpack_bindgen.text.diagnostics import split_lines
from dlpack_bindgen.text.yaml import Mapping, Node, Scalar, Sequence
from dlpack_bindgen.tools.generate import load, validate
from support.build import TOP

SPECS = sorted((TOP / "docs" / "examples").glob("*.yaml"), key=lambda path: path.stat().st_size)
"""Together they use each key. The smallest come first, since each value is validated with the spec around it."""
VALUES = {
    "escape": r"\e",
    "characters": r"é \u2028 %s %n {0} ${x}",
    "lone-surrogate": r"\ud800",
    "empty": "",
    "signs-of-c": "*/ ??/",
    "end-of-a-string": r"\" x\\",
    "long": "x" * 5000,
}


def children(node: Node, kind: Kind) -> Iterator[tuple[str, Node]]:
    """Yields the values of a node, each with the name of the record and the key that declare it."""
    if isinstance(kind, Alternatives):
        for option in kind.options:
            yield from children(node, option.kind)
    elif isinstance(kind, Lookup):
        yield from children(node, kind.table)
    elif isinstance(kind, ListOf):
        for item in node.items if isinstance(node, Sequence) else (node,):
            yield from children(item, kind.item)
    elif isinstance(kind, MapOf) and isinstance(node, Mapping):
        for key, value in node.entries:
            yield f"a key of {kind.what}", key
            yield f"a value of {kind.what}", value
            yield from children(value, kind.value)
    elif isinstance(kind, Record) and isinstance(node, Mapping):
        for key, value in node.entries:
            declared = kind.key(key.text)
            if declared is not None:
                yield f"{key.text} of {kind.what}", value
                yield from children(value, declared.kind)
            elif kind.entry is not None:
                yield f"a key of {kind.what}", key
                yield from children(value, kind.entry.value)


def first_scalar(node: Node) -> Scalar | None:
    if isinstance(node, Scalar):
        return None if node.span.lines else node
    values = node.items if isinstance(node, Sequence) else ()
    if isinstance(node, Mapping):
        values = tuple(value for _, value in node.entries)
    return next(filter(None, map(first_scalar, values)), None)


def places() -> dict[str, tuple[Path, Scalar]]:
    """Returns one scalar for each key."""
    found: dict[str, tuple[Path, Scalar]] = {}
    for path in SPECS:
        root = load(path.name, path.read_bytes()).root
        assert root is not None
        for name, node in children(root, SPEC):
            scalar = first_scalar(node)
            if scalar is not None:
                found.setdefault(name, (path, scalar))
    return found


PLACES = places()


def test_each_key_has_a_place() -> None:
    for alike in sections():
        for key in own_keys(alike):
            assert any(f"{key.name} of {record.what}" in PLACES for record in alike), key.name


@pytest.mark.parametrize("value", VALUES.values(), ids=VALUES)
def test_a_hostile_value_is_refused_at_its_place_or_accepted(value: str) -> None:
    for name, (path, scalar) in PLACES.items():
        lines = split_lines(path.read_text(encoding="utf-8"))
        line, start = lines[scalar.span.line - 1], scalar.span.column - 1
        lines[scalar.span.line - 1] = f'{line[:start]}"{value}"{line[start + scalar.span.length :]}'
        try:
            specs, diagnostics = validate([load(path.name, "\n".join(lines).encode())])
        except Exception as error:
            raise AssertionError(f"{name}: {path.name}:{scalar.span.line}") from error
        assert bool(specs) != bool(diagnostics), name
        assert all(each.span.file == path.name and each.span.line > 0 and each.message for each in diagnostics), name
