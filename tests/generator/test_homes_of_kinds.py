"""Kinds of arguments and results: one module for each, and no kind knows another one."""

from __future__ import annotations

import ast
import importlib
import inspect
from pathlib import Path

import pytest

import dlpack_bindgen
from dlpack_bindgen.arguments import kinds as arguments
from dlpack_bindgen.arguments.kind import Kind
from dlpack_bindgen.language.arguments import ARGUMENT
from dlpack_bindgen.language.kinds import Key
from dlpack_bindgen.language.results import RESULT
from dlpack_bindgen.resources import resource_folder
from dlpack_bindgen.results import kinds as results

PACKAGE = Path(dlpack_bindgen.__file__).parent
MODULES = {
    "arguments": [kind.__module__ for kind in arguments.KINDS],
    "results": [*dict.fromkeys(type(kind).__module__ for kind in results.KINDS.values())],
}
OF_KINDS = [(folder, module.rpartition(".")[2]) for folder, modules in MODULES.items() for module in modules]


def is_key(module: str, name: str) -> bool:
    return isinstance(getattr(importlib.import_module(module), name), Key)


def imported(path: Path) -> set[str]:
    """The modules from which a file imports more than keys, with which any module reads a spec."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    nodes = [node for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)]
    named = [(node.module, each.name) for node in nodes if node.module is not None for each in node.names]
    found = {module for module, name in named if not (module.startswith("dlpack_bindgen.") and is_key(module, name))}
    return found | {each.name for node in ast.walk(tree) if isinstance(node, ast.Import) for each in node.names}


def test_each_module_has_one_kind() -> None:
    for modules in MODULES.values():
        assert len(set(modules)) == len(modules)


@pytest.mark.parametrize(("folder", "bases"), [("arguments", {"Kind", "Array"}), ("results", {"ResultKind", "Scalar"})])
def test_each_kind_is_in_the_list(folder: str, bases: set[str]) -> None:
    defining = {
        f"dlpack_bindgen.{folder}.{path.stem}"
        for path in (PACKAGE / folder).glob("*.py")
        for node in ast.parse(path.read_text(encoding="utf-8")).body
        if isinstance(node, ast.ClassDef) and node.name not in bases
        if any(isinstance(each, ast.Name) and each.id in bases for each in node.bases)
    }
    assert defining == set(MODULES[folder])


@pytest.mark.parametrize(("folder", "name"), OF_KINDS)
def test_a_kind_knows_no_other_kind(folder: str, name: str) -> None:
    own = f"dlpack_bindgen.{folder}.{name}"
    others = {*MODULES[folder], f"dlpack_bindgen.{folder}.kinds"} - {own}
    assert imported(PACKAGE / folder / f"{name}.py") & others == set()


@pytest.mark.parametrize("kind", arguments.KINDS, ids=lambda kind: kind.__name__)
def test_each_kind_of_argument_has_a_template(kind: type[Kind]) -> None:
    name = kind.__module__.rpartition(".")[2]
    assert (resource_folder("templates") / "arguments" / f"{name}.c.j2").exists()
    assert f'"arguments/{name}"' in inspect.getsource(kind)


def test_the_records_have_the_keys_of_all_kinds() -> None:
    own = [key.name for kind in arguments.KINDS for key in kind.keys]
    assert len(set(own)) == len(own)
    assert {key.name for key in ARGUMENT.keys} >= set(own)
    assert {key.name for key in RESULT.keys} >= {key.name for kind in results.KINDS.values() for key in kind.keys}


def test_a_word_selects_one_kind() -> None:
    assert len(set(arguments.WORDS)) == len(arguments.WORDS)
    assert len(set(results.WORDS)) == len(results.WORDS)
