"""Kinds answer for themselves: nothing asks which kind an argument or a value is, neither by class nor by name."""

from __future__ import annotations

import ast
from dataclasses import dataclass
from pathlib import Path

import pytest

import dlpack_bindgen
from dlpack_bindgen.calls.argument_kind import Kind
from dlpack_bindgen.calls.argument_kinds import KINDS
from dlpack_bindgen.calls.array import Array
from dlpack_bindgen.calls.result_kinds import RESULT_WORDS

PACKAGE = Path(dlpack_bindgen.__file__).parent
NAMES = {Array.__name__, *(kind.__name__ for kind in KINDS)}


def kind_tests(source: str) -> int:
    """Returns the number of `isinstance` calls that name a kind of argument of another file."""
    tree = ast.parse(source)
    others = NAMES - {node.name for node in tree.body if isinstance(node, ast.ClassDef)}
    return sum(
        any(isinstance(part, ast.Name) and part.id in others for part in ast.walk(node.args[1]))
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "isinstance"
    )


def test_only_the_modules_of_kinds_ask_which_kind_an_argument_is() -> None:
    assert [path for path in PACKAGE.rglob("*.py") if kind_tests(path.read_text(encoding="utf-8"))] == []


@pytest.mark.parametrize("test", ["isinstance(x, Array)", "isinstance(x, Array | None)", "isinstance(x, (int, Out))"])
def test_a_test_of_the_kind_is_found(test: str) -> None:
    assert kind_tests(f"y = [x for x in z if not {test}]") == 1


def test_other_tests_are_not_tests_of_the_kind() -> None:
    assert kind_tests("isinstance(x, Tensor) and x.kind.is_operand") == 0


# ---- A rule asks the kind of a value, and compares it with no word ----

WORDS = {*RESULT_WORDS, "object", "objects", "enum", "private"}
"""The words for kinds of values."""


def compared_words(source: str) -> list[int]:
    """Returns the lines that compare something named `kind` with a word for a kind, or look it up in a table."""
    found = []
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Compare):
            kinds, others = [node.left, *node.comparators], [node.left, *node.comparators]
        elif isinstance(node, ast.Subscript):
            kinds, others = [node.slice], [node.value]
        else:
            continue
        is_kind = any(getattr(each, "attr", getattr(each, "id", "")) == "kind" for each in kinds)
        words = {part.value for each in others for part in ast.walk(each) if isinstance(part, ast.Constant)}
        if is_kind and words & WORDS:
            found.append(node.lineno)
    return found


def test_no_module_compares_a_kind_with_a_word() -> None:
    """A rule about strings would miss a new kind beside `str`. `text` and `tools/init` have kinds of C types."""
    paths = [path for path in sorted(PACKAGE.rglob("*.py")) if path.parent.name not in ("text", "init")]
    found = {path.name: compared_words(path.read_text(encoding="utf-8")) for path in paths}
    assert {name: lines for name, lines in found.items() if lines} == {}


@pytest.mark.parametrize(
    "test",
    ["value.kind == 'object'", "kind in ('str', 'bytes')", "'int' != x.y.kind", "{'int': 0, 'float': 0.0}[each.kind]"],
)
def test_comparisons_with_words_are_found(test: str) -> None:
    assert compared_words(test) == [1]


def test_kinds_of_tokens_are_strings() -> None:
    assert compared_words("token.kind == 'name' or value.kind.is_object") == []


@pytest.mark.parametrize("kind", KINDS)
def test_each_kind_can_be_compiled(kind: type[Kind]) -> None:
    """A record gets a compiled `__init__` with its hundredth object."""
    dataclass(repr=False, eq=False)(type(kind.__name__, kind.__bases__, dict(vars(kind))))
