"""Slots: one module for each with its key, its rules and its C, and no slot knows another one."""

from __future__ import annotations

import ast
import inspect
import re
import sys
from dataclasses import fields
from pathlib import Path

import pytest

from dlpack_bindgen.language.language import TENSOR
from dlpack_bindgen.resources import resource_folder
from dlpack_bindgen.slots.slot import Slot
from dlpack_bindgen.slots.slots import SLOTS, Slots
from generator.test_homes_of_kinds import PACKAGE, imported

FOLDER = PACKAGE / "slots"
NAMES = [slot.name for slot in SLOTS]
BASES = {"Slot", "RecordSlot"}


def module(path: Path) -> str:
    return f"dlpack_bindgen.slots.{path.stem}"


def test_each_slot_is_in_the_list() -> None:
    defining = {
        module(path)
        for path in FOLDER.glob("*.py")
        for node in ast.parse(path.read_text(encoding="utf-8")).body
        if isinstance(node, ast.ClassDef) and node.name not in BASES
        if any(isinstance(each, ast.Name) and each.id in BASES for each in node.bases)
    }
    assert defining == {type(slot).__module__ for slot in SLOTS} == {f"dlpack_bindgen.slots.{name}" for name in NAMES}


def test_the_records_have_all_slots() -> None:
    assert [each.name for each in fields(Slots)] == NAMES
    assert [key.name for key in TENSOR.keys if key.name in NAMES] == NAMES


@pytest.mark.parametrize("name", NAMES)
def test_a_slot_knows_no_other_slot(name: str) -> None:
    others = {*NAMES, "slots", "values", "match", "memory"} - {name}
    assert imported(FOLDER / f"{name}.py") & {f"dlpack_bindgen.slots.{other}" for other in others} == set()


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.py")), ids=lambda path: path.stem)
def test_only_relations_know_slots(path: Path) -> None:
    """Modules that several slots share know no slot. `match`, `memory`, and the list relate several slots."""
    if path.stem not in (*NAMES, "slots", "values", "match", "memory"):
        assert imported(path) & {f"dlpack_bindgen.slots.{name}" for name in NAMES} == set()


@pytest.mark.parametrize("slot", SLOTS, ids=lambda slot: slot.name)
def test_each_slot_has_a_template_of_its_own(slot: Slot) -> None:
    assert (resource_folder("templates") / "slots" / f"{slot.name}.c.j2").exists()
    source = inspect.getsource(sys.modules[type(slot).__module__])
    assert set(re.findall(r'"slots/(\w+)"', source)) <= {slot.name}
