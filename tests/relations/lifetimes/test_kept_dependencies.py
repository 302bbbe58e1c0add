"""Dependencies of dependencies, objects with several owners, and structs in memory of Python."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path
from types import ModuleType

import pytest

from functions.given import Given, np
from support.build import build_module

HEADER = Path(__file__).with_name("dependencies.h").read_text()
SPEC = """
module: dependencies
include: [dependencies.h]
arrays: Shown
handles:
  Vec:
    type: vec
    release: vec_free(self)
    release_on: RELEASE_ON
    new: {c: "vec *vec_new(void)"}
    methods:
      set:
        c: void vec_set(vec *v, const double *x, size_t n)
        args: {v: {keeps: x, replaces: true}, n: {count_of: x}}
      sum: {c: double vec_sum(const vec *v)}
      copy: {c: "void vec_copy(vec *v, const vec *source)", args: {v: {keeps: source, replaces: true}}}
      dup: {c: vec *vec_dup(const vec *v), returns: {of: Vec, keeps: v}}
      exchange:
        c: const double *vec_exchange(vec *v, const double *x, size_t n, size_t *before)
        args: {v: {keeps: x, replaces: true}, n: {count_of: x}, before: {out: true}}
        returns: {of: array, shape: [before], borrow: v, optional: true}
  Node:
    type: node
    release: node_free(self)
    new: {c: "node *node_new(void)"}
    methods:
      hang: {c: "void node_hang(node *k, vec *v)", args: {v: Vec, k: {keeps: v, replaces: true}}}
      stand_on: {c: "void node_stand_on(node *k, node *other)", args: {k: {keeps: other}}}
      below: {c: node *node_below(node *k), returns: {of: Node, borrow: k}}
      vec: {c: vec *node_vec(node *k), returns: {of: Vec, borrow: k}}
      data:
        c: const double *node_data(node *k, size_t *n)
        args: {n: {out: true}}
        returns: {of: array, shape: [n], borrow: k}
  Pair:
    type: pair
    release: pair_free(self)
    new: {c: "pair *pair_new(void)"}
    parts: {name: sides, of: Side, count: 2}
    methods:
      at: {c: "item *pair_at(pair *p, int i)", returns: {of: Item, borrow: p}}
      turn: {c: void pair_turn(pair *p), args: {p: {invalidates: true}}}
      sum: {c: double pair_sum(const pair *p)}
  Item:
    type: item
    methods:
      set:
        c: void item_set(item *v, const double *x, size_t n)
        args: {v: {keeps: x, replaces: true}, n: {count_of: x}}
  Block:
    type: block
    release: block_clear(self)
    release_on: RELEASE_ON
    new: {c: "int block_make(block *v)", args: {v: {out: true}}, ok: == 0}
    methods:
      set:
        c: void block_set(block *v, const double *x, size_t n)
        args: {v: {keeps: x, replaces: true}, n: {count_of: x}}
  Bag:
    type: bag
    release: bag_free(self)
    new: {c: "bag *bag_new(void)"}
    methods:
      add: {c: "void bag_add(bag *b, block *v)", args: {v: {of: Block, takes: true}}}
      sum: {c: double bag_sum(const bag *b)}
  Shop:
    type: shop
    release: shop_free(self)
    new: {c: shop *shop_new(void)}
  Cart:
    type: cart
    params: [shop *s]
    release: cart_free(s, self)
    new: {c: cart *cart_new(shop *s), returns: {of: Cart, keeps: s}}
  Order:
    type: order
    params: [shop *s]
    release: order_free(s, self)
    new:
      c: order *order_of(shop *s, cart *c)
      args: {s: {param_of: c}, c: {takes: true}}
      returns: {of: Order, keeps: s}
tensors:
  Side:
    type: pair
    params: [int side = 0, 'const char *tag = "none"']
    data: self->tags[side]
    dtype: float32
    shape: [4]
    methods:
      mask:
        c: void pair_mask(pair *p, int side, const double *x, size_t n)
        args: {p: {keeps: x, replaces: true, invalidates: false}, side: {param_of: p}, n: {count_of: x}}
functions:
  closed: {c: "int closed(void)"}
  bag_of: {c: bag *bag_of(block *v), args: {v: {takes: true}}}
  both:
    c: void vec_join(vec *a, vec *b, const double *x, size_t n, const double *y, size_t m)
    args:
      a: {of: Vec, keeps: x, replaces: true}
      b: {of: Vec, keeps: y, replaces: true}
      n: {count_of: x}
      m: {count_of: y}
  over: {c: "vec *vec_over(const double *x, size_t n)", args: {n: {count_of: x}}, returns: {of: Vec, keeps: x}}
"""


@pytest.fixture(scope="module", params=["any", "gil"])
def dependencies(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> ModuleType:
    """Builds the module with a `release` that any thread may call, and with one that needs the GIL."""
    spec = SPEC.replace("RELEASE_ON", request.param)
    return build_module("dependencies", spec, tmp_path_factory.mktemp("dependencies"), HEADER, "int shops_closed;\n")


def total(array: object) -> float:
    return float(np.from_dlpack(array).sum())


def test_a_copy_keeps_the_arrays_of_the_original(dependencies: ModuleType) -> None:
    first, second = dependencies.Vec(), dependencies.Vec()
    given = Given(first.set)
    made = first.dup()
    second.copy(first)
    first.set(np.zeros(3))
    del first
    assert given.is_alive and made.sum() == second.sum() == 1000
    second.copy(dependencies.Vec())
    assert given.is_alive and second.sum() == 0
    del made
    assert not given.is_alive


def test_an_array_that_a_view_stores_stays_with_the_object_of_the_view(dependencies: ModuleType) -> None:
    vec, node = dependencies.Vec(), dependencies.Node()
    node.hang(vec)
    given = Given(node.vec().set)
    assert vec.sum() == 1000
    del node
    assert given.is_alive and vec.sum() == 1000
    later = Given(vec.set, 2)
    assert not given.is_alive and later.is_alive
    del vec
    assert not later.is_alive


def test_the_data_of_a_kept_object_keeps_its_array(dependencies: ModuleType) -> None:
    vec, node = dependencies.Vec(), dependencies.Node()
    given = Given(vec.set)
    node.hang(vec)
    data = node.data()
    vec.set(np.zeros(3))
    node.hang(dependencies.Vec())
    assert given.is_alive and total(data) == 1000
    del data
    assert not given.is_alive


def test_a_replaced_array_lives_as_long_as_the_result_that_shows_it(dependencies: ModuleType) -> None:
    vec = dependencies.Vec()
    assert vec.exchange(np.ones(3)) is None
    given = Given(vec.exchange)
    given.made = None
    before = vec.exchange(np.zeros(3))
    assert given.is_alive and total(before) == 1000
    del before
    assert not given.is_alive


def test_one_object_as_two_arguments_keeps_both_arrays(dependencies: ModuleType) -> None:
    vec = dependencies.Vec()
    first, second = np.ones(1000), Given(lambda array: dependencies.both(vec, vec, np.zeros(3), array))
    assert second.is_alive and vec.sum() == first.sum()
    third = Given(lambda array: dependencies.both(vec, dependencies.Vec(), array, np.zeros(3)))
    assert second.is_alive and third.is_alive and vec.sum() == 1000


def test_parts_of_one_struct_keep_their_own_arrays(dependencies: ModuleType) -> None:
    pair = dependencies.Pair()
    left, right = pair.sides
    given = Given(left.mask), Given(right.mask, 2)
    assert all(each.is_alive for each in given) and pair.sum() == 3000
    named = Given(pair.side(0, tag="left").mask)
    assert named.is_alive and pair.sum() == 3000


def test_many_objects_that_keep_each_other_are_searched_quickly(dependencies: ModuleType) -> None:
    """A search through all paths would take years."""
    layers = [[dependencies.Node() for _ in range(12)] for _ in range(12)]
    vec = dependencies.Vec()
    for node in layers[0]:
        node.hang(vec)
    for lower, upper in pairwise(layers):
        for node in upper:
            for _ in range(12):
                for other in lower:
                    node.stand_on(other)
    assert all(node.below() is not None for node in layers[-1])


def test_arrays_stay_alive_while_their_objects_move(dependencies: ModuleType) -> None:
    pair = dependencies.Pair()
    given = Given(pair.at(0).set), Given(pair.at(1).set, 2)
    pair.turn()
    pair.at(0).set(np.zeros(3))
    pair.at(1).set(np.zeros(3))
    assert all(each.is_alive for each in given) and pair.sum() == 0
    later = Given(pair.at(0).set, 3)
    pair.at(0).set(np.zeros(3))
    assert not later.is_alive


def test_a_struct_in_python_memory_hands_its_arrays_over(dependencies: ModuleType) -> None:
    bag, block = dependencies.Bag(), dependencies.Block()
    given = Given(block.set)
    bag.add(block)
    del block
    assert given.is_alive and bag.sum() == 1000
    bag.close()
    assert not given.is_alive


def test_a_struct_is_released_before_its_arrays(dependencies: ModuleType) -> None:
    block = dependencies.Block()
    given = Given(block.set)
    del block
    assert not given.is_alive


def test_an_object_over_an_array_keeps_more_arrays(dependencies: ModuleType) -> None:
    made = Given(dependencies.over)
    later = Given(made.made.set, 2)
    assert made.is_alive and later.is_alive
    made.made = None
    assert not made.is_alive and not later.is_alive


def test_an_object_that_takes_over_another_one_keeps_its_arrays(dependencies: ModuleType) -> None:
    block = dependencies.Block()
    given = Given(block.set)
    bag = dependencies.bag_of(block)
    del block
    assert given.is_alive and bag.sum() == 1000
    bag.close()
    assert not given.is_alive


def test_the_context_of_an_object_that_is_taken_over_is_freed_with_the_new_owner(dependencies: ModuleType) -> None:
    before = dependencies.closed()
    order = dependencies.Order(dependencies.Cart(dependencies.Shop()))
    assert dependencies.closed() == before
    del order
    assert dependencies.closed() == before + 1
