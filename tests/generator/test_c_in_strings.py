"""Emitted C stands in templates: a scan of the generator for strings of Python that hold C statements.

A second scan finds decisions that read printed C.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

import dlpack_bindgen

PACKAGE = Path(dlpack_bindgen.__file__).parent
BEGINS = r"return\b[^.]*$|if \(|for \(|while \(|goto |\}"
ENDS = r".*[^;\s];(\s*/\*.*\*/)?\n*$"
"""A hint that goes on has a space after its semicolon."""
STATEMENT = re.compile(rf"\s*({BEGINS})|{ENDS}", re.DOTALL)
PARSERS = (
    "tools/advice",
    "text/",
    "language/",
    "calls/count_rules.py",
    "spec/",
    "tools/command.py",
    "tools/config.py",
    "tools/generate.py",
    "tools/init/init.py",
    "emit/render.py",
    "emit/clang_format.py",
)
"""Whatever reads C or YAML, tells about it, or lays out printed C. It decides no statement."""
PATHS = sorted(path.relative_to(PACKAGE) for path in PACKAGE.rglob("*.py"))
FILES = [path for path in PATHS if not path.as_posix().startswith(PARSERS)]


def text_of(node: ast.expr) -> str | None:
    """Returns the text of a string, with a word for each value in it."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    if isinstance(node, ast.JoinedStr):
        return "".join(part.value if isinstance(part, ast.Constant) else "value" for part in node.values)
    return None


def strings(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """Finds the strings of a file with their lines, without its docstrings."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            continue
        if isinstance(node, ast.expr) and (text := text_of(node)) is not None:
            yield node.lineno, text
        if not isinstance(node, ast.JoinedStr):
            yield from strings(node)


def statements(source: str) -> list[tuple[int, str]]:
    return [(line, text) for line, text in strings(ast.parse(source)) if STATEMENT.match(text)]


PRINTED = re.compile(r"\s*\.[a-z]|(?!\w+$).*\b(DLB_|kDL)")
"""Matches members of tables and names of the runtime, which only `bind` prints. A decision must read a field instead. A
name alone is a flag in a list of flags."""
READERS = [path for path in FILES if path.name != "vendor.py"]
"""`vendor` reads the sources of the runtime."""


def constants(node: ast.expr, names: Mapping[str, ast.expr]) -> Iterator[str]:
    """Finds the strings in an expression, also those that a name of the file stands for."""
    for each in ast.walk(names.get(node.id, node) if isinstance(node, ast.Name) else node):
        if isinstance(each, ast.Constant) and isinstance(each.value, str):
            yield each.value


def compared(tree: ast.Module, names: Mapping[str, ast.expr]) -> Iterator[tuple[int, str]]:
    """Finds the strings that a file looks for in other strings, with their lines."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Compare) and isinstance(node.ops[0], ast.In | ast.NotIn):
            found = [node.left]
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            found = node.args if node.func.attr in ("startswith", "endswith", "find", "index", "count") else []
        else:
            continue
        yield from ((node.lineno, text) for each in found for text in constants(each, names))


def reads(source: str) -> list[tuple[int, str]]:
    tree = ast.parse(source)
    assigned = [node for node in tree.body if isinstance(node, ast.Assign)]
    names = {target.id: node.value for node in assigned for target in node.targets if isinstance(target, ast.Name)}
    return [(line, text) for line, text in compared(tree, names) if PRINTED.match(text)]


@pytest.mark.parametrize("path", READERS, ids=str)
def test_no_decision_reads_printed_c(path: Path) -> None:
    assert reads((PACKAGE / path).read_text(encoding="utf-8")) == []


@pytest.mark.parametrize(
    "source",
    [
        'x.startswith(".devices")',
        '"{ kDLCPU" in x',
        '".order = DLB_ORDER_REVERSED" not in x',
        'UNUSUAL = (".order = 1", ".extents")\ny = x.startswith(UNUSUAL)',
    ],
)
def test_a_decision_that_reads_printed_c_is_found(source: str) -> None:
    assert reads(source) != []


@pytest.mark.parametrize(
    "source", ['"dtype" in x', 'x.startswith("{")', '"DLB_COMPACT" in flags', 'x.append(".holds = 1")']
)
def test_other_comparisons_are_not_decisions_about_printed_c(source: str) -> None:
    assert reads(source) == []


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
def test_a_string_with_a_statement_is_found(source: str) -> None:
    assert statements(f"y = {source}") != []


@pytest.mark.parametrize("source", ['"""A docstring;"""', 'x = "a, b"', 'x = f"call({a})"', 'x = "returns"', 'x = ";"'])
def test_other_strings_hold_no_statement(source: str) -> None:
    assert statements(source) == []
