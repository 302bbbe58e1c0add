"""Arrays that objects keep for C, if they are parts of other objects, are taken over, or are shown by views."""

from __future__ import annotations

from pathlib import Path
from types import ModuleType

import pytest

from functions.given import Given, np
from python.scripts import run
from support.build import build_module

HEADER = Path(__file__).with_name("keepers.h").read_text()
SPEC = """
module: keepers
include: [keepers.h]
arrays: Shown
handles:
  Node:
    type: node
    release: node_free(self)
    new: {c: "node *node_new(void)"}
    methods:
      set:
        c: void node_set(node *k, const double *x, size_t n)
        args: {k: {keeps: x, replaces: true}, n: {count_of: x}}
      sum: {c: "double node_sum(const node *k)"}
      data: {c: const double *node_data(const node *k), returns: {of: array, shape: [k->n], borrow: k}}
  Tree:
    type: tree
    release: tree_free(self)
    new: {c: "tree *tree_new(void)"}
    methods:
      add: {c: "void tree_add(tree *t, node *k)", args: {k: {takes: true}}}
      sum: {c: "double tree_sum(const tree *t)"}
      get: {c: "node *tree_get(tree *t, int i)", returns: {of: Node, borrow: t}}
      pop: {c: node *tree_pop(tree *t), returns: {of: Node, keeps: t}}
      at: {c: "ref tree_at(tree *t, int i)", returns: {of: Ref, borrow: t}}
      child: {c: "node *tree_child(tree *t)", returns: {of: Node, keeps: t}}
  Ref:
    type: ref
    pass: value
    methods:
      set:
        c: void ref_set(ref r, const double *x, size_t n)
        args: {r: {keeps: x, replaces: true}, n: {count_of: x}}
functions:
  over: {c: "node *node_over(const double *x, size_t n)", args: {n: {count_of: x}}, returns: {of: Node, keeps: x}}
  leave: {c: void node_leave(node *k), args: {k: {takes: true}}}
  left_sum: {c: "double node_left_sum(void)"}
  freed: {c: "int freed(void)"}
"""


@pytest.fixture(scope="module")
def keepers(tmp_path_factory: pytest.TempPathFactory) -> ModuleType:
    return build_module("keepers", SPEC, tmp_path_factory.mktemp("keepers"), HEADER, "int trees_freed;\n")


def test_each_part_keeps_its_own_arrays(keepers: ModuleType) -> None:
    tree = keepers.Tree()
    tree.add(keepers.Node())
    tree.add(keepers.Node())
    one = Given(tree.get(0).set)
    two = Given(tree.get(1).set, 2)
    assert one.is_alive and two.is_alive and tree.sum() == 3000
    three = Given(tree.get(0).set, 3)
    assert not one.is_alive and two.is_alive and three.is_alive and tree.sum() == 5000
    tree.close()
    assert not two.is_alive and not three.is_alive


@pytest.mark.parametrize("way", ["set", "over", "set twice"])
def test_an_object_that_is_taken_over_takes_its_arrays_along(keepers: ModuleType, way: str) -> None:
    tree = keepers.Tree()
    if way == "over":
        given = Given(keepers.over)
        node = given.made
        given.made = None
    else:
        node = keepers.Node()
        first = Given(node.set, 5)
        given = Given(node.set) if way == "set twice" else first
        assert first.is_alive == (given is first)
    total = node.sum()
    tree.add(node)
    del node
    assert given.is_alive and tree.sum() == total
    if way != "over":
        later = Given(tree.get(0).set, 7)
        assert not given.is_alive and later.is_alive and tree.sum() == 7000
    tree.close()
    assert not given.is_alive


LEFT = {
    "set": "node = keepers.Node(); given = Given(node.set); keepers.leave(node)",
    "over": "given = Given(keepers.over); keepers.leave(given.made); given.made = None",
}


@pytest.mark.parametrize("way", LEFT)
def test_arrays_of_an_object_that_nobody_gets_back_stay_alive(keepers: ModuleType, way: str) -> None:
    script = f"{LEFT[way]}; print(given.is_alive, keepers.left_sum())"
    prelude = "import keepers\nfrom functions.given import Given\n"
    assert run(Path(keepers.__file__ or "").parent, script, prelude=prelude, leaks=True) == ["True 1000.0"]


def test_a_view_keeps_the_array_that_it_shows(keepers: ModuleType) -> None:
    node = keepers.Node()
    given = Given(node.set)
    view = node.data()
    part = np.from_dlpack(view)
    node.set(np.zeros(3))
    assert given.is_alive and part.sum() == 1000
    del view
    assert given.is_alive and part.sum() == 1000
    del part
    assert not given.is_alive


def test_a_view_that_another_object_stores_keeps_the_array_that_it_shows(keepers: ModuleType) -> None:
    node, other = keepers.Node(), keepers.Node()
    given = Given(node.set)
    other.set(node.data())
    node.set(np.zeros(3))
    assert given.is_alive and other.sum() == 1000
    other.set(np.zeros(3))
    assert not given.is_alive


def test_an_object_can_store_its_own_view(keepers: ModuleType) -> None:
    node = keepers.Node()
    given = Given(node.set)
    for _ in range(3):
        node.set(node.data())
        assert given.is_alive and node.sum() == 1000
    node.set(np.zeros(3))
    assert not given.is_alive


def test_an_object_that_leaves_its_owner_keeps_the_owner(keepers: ModuleType) -> None:
    tree = keepers.Tree()
    tree.add(keepers.Node())
    given = Given(tree.get(0).set)
    node = tree.pop()
    tree.close()
    assert given.is_alive and node.sum() == 1000


def test_each_copy_of_an_object_keeps_its_own_arrays(keepers: ModuleType) -> None:
    tree = keepers.Tree()
    given = []
    for index in range(4):
        tree.add(keepers.Node())
        given.append(Given(tree.at(index).set, index))
    assert all(each.is_alive for each in given) and tree.sum() == 6000
    tree.close()
    assert not any(each.is_alive for each in given)


def test_a_child_that_is_given_back_does_not_keep_its_parent(keepers: ModuleType) -> None:
    tree, before = keepers.Tree(), keepers.freed()
    child = tree.child()
    given = Given(child.set, 3)
    tree.add(child)
    del child
    assert given.is_alive and tree.sum() == 3000
    del tree
    assert keepers.freed() == before + 1 and not given.is_alive
