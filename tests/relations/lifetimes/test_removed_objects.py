"""Functions that remove an object from a container, which other functions show: the advice of docs/using.md."""

from __future__ import annotations

from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from support.build import build_module

HEADER = Path(__file__).with_name("trees.h").read_text()
SPEC = """
dlpack-bindgen: 1
module: trees
include: trees.h
handles:
  Leaf:
    type: leaf
    release: leaf_free(self)
    new: {c: leaf *leaf_new(double size)}
    properties: {size: {get: self->size, type: float}}
  Tree:
    type: tree
    release: tree_free(self)
    new: {c: tree *tree_new(void)}
    methods:
      push: {c: "int tree_push(tree *t, leaf *x)", args: {x: {takes: true}}, ok: == 0}
      at: {c: "leaf *tree_at(tree *t, int i)", returns: {of: Leaf, borrow: t}, raises: IndexError}
      pop: {c: leaf *tree_pop(tree *t), args: {t: {invalidates: true}}, returns: Leaf, raises: IndexError}
      pop_kept:
        c: leaf *tree_pop(tree *t)
        args: {t: {invalidates: true}}
        returns: {of: Leaf, keeps: t}
        raises: IndexError
      take:
        c: int tree_take(tree *t, leaf **taken)
        args: {t: {invalidates: true}, taken: {out: true}}
        ok: == 0
        raises: IndexError
      clear: {c: void tree_clear(tree *t), args: {t: {invalidates: true}}}
"""
IN_USE = r"its memory is in use: 0 exports, 1 objects made of it"


@pytest.fixture(scope="module")
def trees(tmp_path_factory: pytest.TempPathFactory) -> ModuleType:
    return build_module("trees", SPEC, tmp_path_factory.mktemp("trees"), HEADER)


@pytest.fixture
def tree(trees: ModuleType) -> Any:
    made = trees.Tree()
    for size in (1.5, 2.5, 3.5):
        made.push(trees.Leaf(size))
    return made


@pytest.mark.parametrize("name", ["pop", "pop_kept", "take", "clear"])
def test_an_object_is_not_removed_while_python_shows_another_one(tree: Any, name: str) -> None:
    shown = tree.at(2)
    with pytest.raises(BufferError, match=IN_USE):
        getattr(tree, name)()
    assert shown.size == 3.5
    del shown
    getattr(tree, name)()
    if name != "clear":
        assert tree.at(0).size == 1.5


@pytest.mark.parametrize("name", ["pop", "take"])
def test_removed_objects_do_not_block_the_next_call(tree: Any, name: str) -> None:
    removed = [getattr(tree, name)() for _ in range(3)]
    del tree
    assert [each.size for each in removed] == [3.5, 2.5, 1.5]


def test_removed_objects_with_keeps_block_the_next_call(tree: Any) -> None:
    removed = tree.pop_kept()
    with pytest.raises(BufferError, match=IN_USE):
        tree.pop_kept()
    assert removed.size == 3.5
    del removed
    assert tree.pop_kept().size == 2.5
