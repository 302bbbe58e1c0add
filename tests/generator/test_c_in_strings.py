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
ROOMS = sorted({path.parent.name for path in PACKAGE.glob("*/*.py")} - {"text"})
"""Rooms of the generator, without the room that reads C and lays it out."""
BEGINS = r"return\b[^.]+$|if \(|for \(|while \(|goto |\}"
ENDS = r".*[^;\s];(\s*/\*.*\*/)?\n*$"
"""A hint that goes on has a space after its semicolon."""
STATEMENT = re.compile(rf"\s*({BEGINS})|{ENDS}", re.DOTALL)
LOOKING = ("startswith", "endswith", "find", "index", "count")
"""Methods that look for a string in another string."""
LEFT = {"calls": ["}"], "emit": ["value(value value value);"]}
"""Strings that only look like statements: the end of a mapping of YAML, and the macro around a long line of C."""


def text_of(node: ast.expr) -> str | None:
    """Returns the text of a string, with a word for each value in it."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    if isinstance(node, ast.JoinedStr):
        return "".join(part.value if isinstance(part, ast.Constant) else "value" for part in node.values)
    return None


def strings(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """Finds the strings of a file with their lines, without docstrings and strings that the file looks for."""
    for node in ast.iter_child_nodes(tree):
        is_docstring = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
        if is_docstring or node in looked_for(tree):
            continue
        if isinstance(node, ast.expr) and (text := text_of(node)) is not None:
            yield node.lineno, text
        if not isinstance(node, ast.JoinedStr):
            yield from strings(node)


def looked_for(node: ast.AST) -> list[ast.expr]:
    """Returns the parts of an expression that it only compares with other strings."""
    if isinstance(node, ast.Compare):
        return [node.left, *node.comparators]
    if isinstance(node, ast.Dict):
        return [key for key in node.keys if key is not None]
    is_search = isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in LOOKING
    return node.args if is_search else []  # type: ignore[attr-defined]


def statements(source: str) -> list[tuple[int, str]]:
    return [(line, text) for line, text in strings(ast.parse(source)) if STATEMENT.match(text)]


PRINTED = re.compile(r"\s*\.[a-z]{4}|(?!\w+$|#ifdef ).*\b(DLB_|kDL)")
"""Matches members of tables and names of the runtime, which the generator prints. A decision must read a field instead.
A name alone is a flag in a list of flags, and `#ifdef` stands in the sources of the runtime."""


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
        else:
            found = looked_for(node) if isinstance(node, ast.Call) else []
        yield from ((node.lineno, text) for each in found for text in constants(each, names))


def reads(source: str) -> list[tuple[int, str]]:
    tree = ast.parse(source)
    assigned = [node for node in tree.body if isinstance(node, ast.Assign)]
    names = {target.id: node.value for node in assigned for target in node.targets if isinstance(target, ast.Name)}
    return [(line, text) for line, text in compared(tree, names) if PRINTED.match(text)]


def files(room: str) -> Iterator[str]:
    """Yields the text of each file of a room."""
    yield from (path.read_text(encoding="utf-8") for path in sorted((PACKAGE / room).rglob("*.py")))


@pytest.mark.parametrize("room", ROOMS)
def test_no_decision_reads_printed_c(room: str) -> None:
    assert [found for text in files(room) for found in reads(text)] == []


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


@pytest.mark.parametrize("room", ROOMS)
def test_no_string_holds_a_statement(room: str) -> None:
    assert [string for text in files(room) for _, string in statements(text)] == LEFT.get(room, [])


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


@pytest.mark.parametrize(
    "source",
    [
        *('"""A docstring;"""', 'x = "a, b"', 'x = f"call({a})"', 'x = "returns"', 'x = ";"', 'x = "return"'),
        *('x == "}"', 'x in ("a;", "b;")', 'x.endswith("}")', '{"}": 1}'),
    ],
)
def test_other_strings_hold_no_statement(source: str) -> None:
    assert statements(source) == []
