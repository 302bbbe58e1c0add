"""Sequences of objects that C passes by value: a function gets an array of the objects themselves."""

from __future__ import annotations

import sys
from array import array
from collections.abc import Iterator, Mapping
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from python.leaks import assert_no_growth, warm_up
from support.build import SANITIZED, build_module

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
  Label:
    type: label
    pass: value
    release: label_clear(self)
    new: {init: self.text = text_new()}
    properties: {size: {get: self.size, set: true}}
  Point:
    type: point
    pass: value
    release: (void)self
    new: {}
    properties: {x: {get: self.x, type: float, set: true}, y: {get: self.y, type: float, set: true}}
  Id: {type: id, pass: value, release: (void)self, new: {c: id id_new(int n), returns: Id}}
functions:
  total: {c: "int nodes_sum(const node *all, size_t count)", args: {count: {count_of: all}}}
  total3: {c: "int nodes_sum3(const node all[3])"}
  lift: {c: "void nodes_raise(node *all, int count)", args: {all: {of: Node}, count: {count_of: all}}}
  spans: {c: "double spans_sum(const span *all, int count)", args: {count: {count_of: all}}}
  text: {c: "int labels_total(const label *all, int count)", args: {count: {count_of: all}}}
  take: {c: "int label_take(label taken, const label *all, int count)",
         args: {taken: {takes: true}, count: {count_of: all}}}
  labels_left: {c: int labels_left(void)}
  points_in_use: {c: "size_t points_in_use(const point *all, int count)", args: {count: {count_of: all}}}
  nodes_in_use: {c: "size_t nodes_in_use(const node *all, int count)", args: {count: {count_of: all}}}
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


def test_lists_of_values_leak_nothing(values: ModuleType) -> None:
    node = values.Node(1)
    given = [node, node]
    before = sys.getrefcount(node)
    values.total(given)
    assert sys.getrefcount(node) == before
    warm_up(lambda: values.total(given))
    assert_no_growth(lambda: values.total(given))


def test_items_can_be_structs_or_numbers(values: ModuleType) -> None:
    assert values.code([values.Id(n) for n in (7, 8, 9)]) == 789
    own = values.Span.from_dlpack(np.full(3, 2, np.float32))
    assert values.spans([own, np.ones(4, np.float32), own, np.zeros(0, np.float32)]) == 16


def test_wrong_items_and_lists_are_refused(values: ModuleType) -> None:
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


class Closing(Mapping[str, int]):
    """Members that close other objects while they are read."""

    def __init__(self, *others: Any) -> None:
        self._others = others

    def __len__(self) -> int:
        return 1

    def __iter__(self) -> Iterator[str]:
        return iter(["size"])

    def __getitem__(self, key: str) -> int:
        for other in self._others:
            other.close()
        return 3


def test_an_item_may_be_closed_while_later_items_are_converted(values: ModuleType) -> None:
    label = values.Label(4)
    assert values.text([label, (2,), {"size": 1}, Closing(label), {}]) == 15
    assert values.labels_left() == 0
    with pytest.raises(ValueError, match="closed"):
        label.size  # noqa: B018


def test_a_failure_releases_the_items_before_it(values: ModuleType) -> None:
    label = values.Label(4)
    for wrong in (3, (1, 2), {"length": 1}, ("x",)):
        with pytest.raises((TypeError, ValueError)):
            values.text([label, (2,), wrong, (5,)])
    assert values.labels_left() == 1


def test_an_object_that_the_call_takes_is_not_an_item(values: ModuleType) -> None:
    label = values.Label(4)
    for items in ([label], [(1,), label]):
        with pytest.raises(BufferError, match=r"^take\(\) argument 'all' has the object of argument 'taken'"):
            values.take(label, items)
    assert values.take(label, [(1,), (2,)]) == 6
    assert values.labels_left() == 0


if not SANITIZED:  # whose malloc() is another one

    @pytest.mark.parametrize("kind", ["objects", "tuples", "mappings", "handles"])
    def test_an_item_costs_little_memory(values: ModuleType, kind: str) -> None:
        item, use, size = {
            "objects": (values.Point(1, 2), values.points_in_use, 16),
            "tuples": ((1, 2), values.points_in_use, 16),
            "mappings": ({"y": 1}, values.points_in_use, 16),
            "handles": (values.Node(1), values.nodes_in_use, 8),
        }[kind]
        use([item] * 10)
        few, many = use([item] * 10), use([item] * 5010)
        if few == 0:
            pytest.skip("the C library does not report the memory that malloc() has handed out")
        assert (many - few) / 5000 <= size + 64


def test_the_message_tells_equal_names_of_classes_apart(values: ModuleType) -> None:
    own = type("Node", (), {"__module__": "elsewhere"})
    for call in (lambda: values.total([own()]), lambda: values.Node(1).with_all([own()])):
        with pytest.raises(TypeError, match=r"argument 'all' must be values\.Node, not elsewhere\.Node$"):
            call()
    with pytest.raises(TypeError, match=r"^total\(\) argument 'all' must be Node, not (values\.)?Id$"):
        values.total([values.Id(1)])


@pytest.mark.parametrize(
    "one",
    [np.ones(3, np.float32), np.ones(3), memoryview(array("f", [1])), array("f", [1, 2])],
    ids=["float32", "float64", "memoryview", "array.array"],
)
def test_one_array_is_not_a_sequence_of_objects(values: ModuleType, one: Any) -> None:
    name = type(one).__name__
    with pytest.raises(
        TypeError, match=rf"^total\(\) argument 'all' must be a sequence of Node objects, not one array \(.*{name}\)$"
    ):
        values.total(one)
    with pytest.raises(
        TypeError,
        match=rf"^spans\(\) argument 'all' must be a sequence of Span objects or arrays, not one array \(.*{name}\)$",
    ):
        values.spans(one)


def test_a_sequence_in_an_array_stays_one(values: ModuleType) -> None:
    nodes = np.array([values.Node(1), values.Node(4)], dtype=object)
    assert values.total(nodes) == 5
    assert values.spans(np.ones((2, 3), np.float32)) == 6


def test_the_error_about_an_item_of_an_array_of_objects_stays(values: ModuleType) -> None:
    def objects(*items: Any) -> np.ndarray:
        made = np.empty(len(items), dtype=object)
        made[:] = items
        return made

    with pytest.raises(TypeError, match=r"^total\(\) argument 'all' must be Node, not int$"):
        values.total(objects(values.Node(1), 3))
    with pytest.raises(BufferError, match=r"^spans\(\) argument 'all': the array has 0 axes, not 1$"):
        values.spans(objects(np.ones(2, np.float32), np.float32(1)))
