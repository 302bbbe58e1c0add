"""Hooks: one module for each with its key, its rules and its C, and no hook knows another one."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

from dlpack_bindgen.hooks.hook import StatementsHook, StepsHook
from dlpack_bindgen.hooks.hooks import HOOKS
from dlpack_bindgen.language.language import HANDLE, TENSOR
from dlpack_bindgen.resources import resource_folder
from generator.test_homes_of_kinds import PACKAGE, imported

FOLDER = PACKAGE / "hooks"
NAMES = [hook.name for hook in HOOKS]
WITH_MODULE = [hook.name for hook in HOOKS if type(hook) not in (StatementsHook, StepsHook)]
"""Other hooks only run code of the spec. They are declared in the list."""
BASES = {"Hook", "StatementsHook", "StepsHook"}


def module(name: str) -> str:
    return f"dlpack_bindgen.hooks.{name}"


def test_each_hook_is_in_the_list() -> None:
    defining = {
        module(path.stem)
        for path in FOLDER.glob("*.py")
        for node in ast.parse(path.read_text(encoding="utf-8")).body
        if isinstance(node, ast.ClassDef) and node.name not in BASES
        if any(isinstance(each, ast.Name) and each.id in BASES for each in node.bases)
    }
    assert defining == set(map(module, WITH_MODULE)) == {type(hook).__module__ for hook in HOOKS} - {module("hook")}
    assert len(set(NAMES)) == len(NAMES)


def test_classes_have_the_keys_of_their_hooks() -> None:
    own = [key.name for hook in HOOKS for key in hook.keys]
    assert len(set(own)) == len(own)
    assert set(own) <= {key.name for key in TENSOR.keys}
    of_handles = {key.name for hook in HOOKS if hook.is_of_handles for key in hook.keys}
    assert of_handles == set(own) & {key.name for key in HANDLE.keys}


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.py")), ids=lambda path: path.stem)
def test_only_the_list_knows_the_hooks(path: Path) -> None:
    if path.stem != "hooks":
        assert imported(path) & {*map(module, WITH_MODULE), module("hooks")} == set()


@pytest.mark.parametrize("name", WITH_MODULE)
def test_a_hook_with_c_of_its_own_has_a_template(name: str) -> None:
    printed = set(re.findall(r'"hooks/(\w+)"', (FOLDER / f"{name}.py").read_text(encoding="utf-8")))
    assert printed <= {name}
    assert (resource_folder("templates") / "hooks" / f"{name}.c.j2").exists() == bool(printed)
