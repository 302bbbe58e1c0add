"""Kinds of arguments answer for themselves: nothing outside of their modules asks which kind an argument is."""

from __future__ import annotations

import ast
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

import pytest

import dlpack_bindgen
from dlpack_bindgen.calls.array import Array
from dlpack_bindgen.calls.kind import Kind
from dlpack_bindgen.calls.kinds import KINDS

PACKAGE = Path(dlpack_bindgen.__file__).parent
NAMES = {Array.__name__, *(kind.__name__ for kind in KINDS)}
LEFT: dict[str, int] = {}
"""Files that still ask which kind an argument is, with the number of their tests, which only falls."""


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
    found: Counter[str] = Counter()
    for path in sorted(PACKAGE.rglob("*.py")):
        found[str(path.relative_to(PACKAGE))] += kind_tests(path.read_text(encoding="utf-8"))
    assert {name: count for name, count in found.items() if count} == LEFT


@pytest.mark.parametrize("test", ["isinstance(x, Array)", "isinstance(x, Array | None)", "isinstance(x, (int, Out))"])
def test_a_test_of_the_kind_is_found(test: str) -> None:
    assert kind_tests(f"y = [x for x in z if not {test}]") == 1


def test_other_tests_are_not_tests_of_the_kind() -> None:
    assert kind_tests("isinstance(x, Tensor) and x.kind.is_operand") == 0


@pytest.mark.parametrize("kind", KINDS)
def test_each_kind_can_be_compiled(kind: type[Kind]) -> None:
    """A record gets a compiled `__init__` with its hundredth object."""
    dataclass(repr=False, eq=False)(type(kind.__name__, kind.__bases__, dict(vars(kind))))
