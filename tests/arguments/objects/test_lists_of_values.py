"""Sequences of objects that C passes by value: a function gets an array of the objects themselves."""

from __future__ import annotations

import sys
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

from support.build import build_module

SPEC = """
dlpack-bindgen: 1
module: values
include: values.h
numbers: {id: int}
tensors:
  Span:
    type: span
    pass: value
    data: self.x
    dtype: float32
    shape: [self.n]
    import: {require: [{ndim: 1}, {dtype: float32}], set: {x: data, n: "shape[0]"}}
handles:
  Node:
    type: node
    pass: value
    release: node_free(self)
    new: {c: node node_new(int weight)}
    properties: {weight: self->weight}
    methods:
      with_all: {c: "int node_sum(node own, const node *all, size_t count)", args: {count: {count_of: all}}}
  Id: {type: id, pass: value, release: (void)self, new: {c: id id_new(int n), returns: Id}}
functions:
  total: {c: "int nodes_sum(const node *all, size_t count)", args: {count: {count_of: all}}}
  total3: {c: "int nodes_sum3(const node all[3])"}
  lift: {c: "void nodes_raise(node *all, int count)", args: {all: {of: Node}, count: {count_of: all}}}
  spans: {c: "double spans_sum(const span *all, int count)", args: {count: {count_of: all}}}
  code: {c: "int ids_code(const id *all, int count)", args: {all: {of: Id}, count: {count_of: all}}}
"""
HEADER = Path(__file__).with_name("values.h").read_text()


@pytest.fixture(scope="module")
def values(tmp_path_factory: pytest.TempPathFactory) -> ModuleType:
    return build_module("values", SPEC, tmp_path_factory.mktemp("values"), HEADER)


def test_c_gets_the_objects(values: ModuleType) -> None:
    nodes = [values.Node(weight) for weight in (1, 2, 3)]
    assert values.total(nodes) == values.total(tuple(nodes)) == values.total3(nodes) == 6
    assert values.total([]) == 0
    assert nodes[0].with_all(nodes * 100) == 601
    values.lift([*nodes, nodes[0]])
    assert [node.weight for node in nodes] == [3, 3, 4]


def test_nothing_is_left_behind(values: ModuleType) -> None:
    node = values.Node(1)
    given = [node, node]
    before = sys.getrefcount(node)
    values.total(given)
    assert sys.getrefcount(node) == before
    blocks = sys.getallocatedblocks()
    for _ in range(1000):
        values.total(given)
    assert abs(sys.getallocatedblocks() - blocks) < 100


def test_structs_and_numbers(values: ModuleType) -> None:
    assert values.code([values.Id(n) for n in (7, 8, 9)]) == 789
    own = values.Span.from_dlpack(np.full(3, 2, np.float32))
    assert values.spans([own, np.ones(4, np.float32), own, np.zeros(0, np.float32)]) == 16


def test_refusals(values: ModuleType) -> None:
    node = values.Node(1)
    with pytest.raises(TypeError, match=r"^total\(\) argument 'all' must be Node, not int$"):
        values.total([node, 1])
    with pytest.raises(TypeError, match=r"^total\(\) argument 'all' must be a sequence, not "):
        values.total(node)
    with pytest.raises(ValueError, match=r"^total3\(\) argument 'all' must have 3 items, not 1$"):
        values.total3([node])
    node.close()
    with pytest.raises(ValueError, match=r"^total\(\) argument 'all' is closed$"):
        values.total([values.Node(2), node])
