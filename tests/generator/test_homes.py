"""Features: each class of a feature stands in the list of its mechanism, and only the lists know all of them."""

from __future__ import annotations

import ast
import importlib
import pkgutil
from collections.abc import Iterable, Iterator
from dataclasses import fields
from pathlib import Path

import pytest

import dlpack_bindgen
from dlpack_bindgen.calls.argument_kind import Kind
from dlpack_bindgen.calls.argument_kinds import ARGUMENT, ARGUMENT_WORDS, KINDS
from dlpack_bindgen.calls.feature import Feature
from dlpack_bindgen.calls.features import FEATURES
from dlpack_bindgen.calls.result_kind import ResultKind
from dlpack_bindgen.calls.result_kinds import KINDS as RESULT_KINDS
from dlpack_bindgen.calls.result_kinds import RESULT, RESULT_WORDS
from dlpack_bindgen.spec.all_keys import HANDLE, TENSOR
from dlpack_bindgen.tensor.import_parts import Part
from dlpack_bindgen.tensor.imports import ALLOCATE, IMPORT, PARTS
from dlpack_bindgen.tensor.lifetime_hooks import HOOKS, Hook
from dlpack_bindgen.tensor.slot import Slot
from dlpack_bindgen.tensor.slots import SLOTS, Slots

PACKAGE = Path(dlpack_bindgen.__file__).parent
LISTS = {
    Feature: set(FEATURES),
    Kind: set(KINDS),
    ResultKind: set(map(type, RESULT_KINDS)),
    Slot: set(map(type, SLOTS)),
    Hook: set(map(type, HOOKS)),
    Part: set(map(type, PARTS)),
}
"""The base class of each mechanism, and the classes in its list."""


def leaves(base: type) -> Iterator[type]:
    """Yields the classes without a further subclass."""
    for each in base.__subclasses__():
        yield from leaves(each) if each.__subclasses__() else [each]


@pytest.fixture(autouse=True, scope="module")
def all_modules() -> None:
    for each in pkgutil.walk_packages([str(PACKAGE)], "dlpack_bindgen."):
        if each.name.split(".")[1] in ("tensor", "calls"):
            importlib.import_module(each.name)


@pytest.mark.parametrize("base", LISTS, ids=lambda base: base.__name__)
def test_each_feature_stands_in_the_list_of_its_mechanism(base: type) -> None:
    known = {each for each in leaves(base) if each.__module__.startswith("dlpack_bindgen.")}
    assert known <= LISTS[base]


RELATIONS = {each.__name__ for each in FEATURES}


def imported_relations(path: Path) -> set[str]:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    return {each.name for node in ast.walk(tree) if isinstance(node, ast.ImportFrom) for each in node.names} & RELATIONS


def test_only_the_list_names_relations_between_arguments() -> None:
    found = [names for path in PACKAGE.rglob("*.py") if (names := imported_relations(path))]
    assert found == [RELATIONS]


def test_a_new_question_to_features_has_two_answers() -> None:
    """A question with one answer is a stage or a replaced piece. The set of the others only shrinks."""
    questions = [name for name in vars(Feature) if not name.startswith("_")]
    rare = {name for name in questions if sum(name in vars(each) for each in FEATURES) < 2}
    of_streams, of_factories, of_outputs = (
        {"suffix", "in_words", "c_text", "members"},
        {"tables", "members_of"},
        {"stub_type"},
    )
    of_outputs |= {"module_keys", "problems_of_module", "replaced"}
    assert rare == of_streams | of_factories | of_outputs | {"sentences_of_arguments", "inlined"}


def test_the_records_have_all_slots() -> None:
    names = [slot.name for slot in SLOTS]
    assert [each.name for each in fields(Slots)] == names
    assert [key.name for key in TENSOR.keys if key.name in names] == names


def keys_of(listed: Iterable[object]) -> list[str]:
    return [key.name for each in listed for key in each.keys]  # type: ignore[attr-defined]


def test_the_records_have_the_keys_of_all_features() -> None:
    assert set(keys_of(KINDS)) <= {key.name for key in ARGUMENT.keys}
    assert set(keys_of(RESULT_KINDS)) <= {key.name for key in RESULT.keys}
    assert set(keys_of(PARTS)) <= {key.name for key in IMPORT.keys}
    of_allocations = set(keys_of(part for part in PARTS if part.is_of_allocations))
    assert of_allocations == set(keys_of(PARTS)) & {key.name for key in ALLOCATE.keys}
    assert set(keys_of(HOOKS)) <= {key.name for key in TENSOR.keys}
    of_handles = set(keys_of(hook for hook in HOOKS if hook.is_of_handles))
    assert of_handles == set(keys_of(HOOKS)) & {key.name for key in HANDLE.keys}


@pytest.mark.parametrize("listed", [KINDS, PARTS, HOOKS], ids=["kinds", "parts", "hooks"])
def test_a_key_belongs_to_one_feature(listed: Iterable[object]) -> None:
    own = keys_of(listed)
    assert len(set(own)) == len(own)


def test_a_word_selects_one_kind() -> None:
    assert len(set(ARGUMENT_WORDS)) == len(ARGUMENT_WORDS)
    assert len(set(RESULT_WORDS)) == len(RESULT_WORDS)
