"""Emitted C stands in templates: a scan of the generator for strings of Python that hold C statements."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import dlpack_bindgen

PACKAGE = Path(dlpack_bindgen.__file__).parent
BEGINS = r"return\b[^.]*$|if \(|for \(|while \(|goto |\}"
ENDS = r".*[^;\s];\s*(/\*.*\*/)?\s*$"
STATEMENT = re.compile(rf"\s*({BEGINS})|{ENDS}", re.DOTALL)
PARSERS = ("advice/", "c/", "load/", "validate/", "language/", "command/", "render/")
"""Whatever reads C or YAML, tells about it, or lays out printed C. It decides no statement."""
PATHS = sorted(path.relative_to(PACKAGE) for path in PACKAGE.rglob("*.py"))
FILES = [path for path in PATHS if not path.as_posix().startswith(PARSERS)]


def text_of(node: ast.expr) -> str | None:
    """The text of a string, with a word for each value in it."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    if isinstance(node, ast.JoinedStr):
        return "".join(part.value if isinstance(part, ast.Constant) else "value" for part in node.values)
    return None


def strings(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """The strings of a file with their lines, without its docstrings."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            continue
        if isinstance(node, ast.expr) and (text := text_of(node)) is not None:
            yield node.lineno, text
        if not isinstance(node, ast.JoinedStr):
            yield from strings(node)


def statements(source: str) -> list[tuple[int, str]]:
    return [(line, text) for line, text in strings(ast.parse(source)) if STATEMENT.match(text)]


@pytest.mark.parametrize("path", FILES, ids=str)
def test_no_string_holds_a_statement(path: Path) -> None:
    assert statements((PACKAGE / path).read_text(encoding="utf-8")) == []


@pytest.mark.parametrize(
    "source",
    [
        '"return x;"',
        'f"{a} = {b};"',
        'f"if ({a}) {{"',
        '"goto failed;"',
        '"}"',
        '["} else {"]',
        'f"{a}; /* {b} */"',
    ],
)
def test_statements_are_found(source: str) -> None:
    assert statements(f"y = {source}") != []


@pytest.mark.parametrize("source", ['"""A docstring;"""', 'x = "a, b"', 'x = f"call({a})"', 'x = "returns"', 'x = ";"'])
def test_other_strings_are_not(source: str) -> None:
    assert statements(source) == []
