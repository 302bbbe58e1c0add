"""Parameters may have the names of types, of functions, and of the C API."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from types import ModuleType

import numpy as np
import pytest


@pytest.fixture
def named(named_module: ModuleType) -> Iterator[ModuleType]:
    yield named_module
    assert named_module.Node(0).count() == 2, "a node was not ended, or twice"


def test_a_parameter_may_have_the_name_of_its_type(named: ModuleType) -> None:
    first = named.Node(3)
    second = first.next()
    assert (first.value, second.value, first.next()) == (3, 4, None)
    assert named.Point.moved(named.point_at(2), 5).x == 9


def test_a_parameter_may_have_the_name_of_the_function(named: ModuleType) -> None:
    node = named.Node(3)
    assert node.scale(scale=5) == 15
    node.value = 2
    assert node.value == 30


def test_a_parameter_may_have_the_name_of_the_function_that_error_calls(named: ModuleType) -> None:
    node = named.Node(3)
    assert node.count() == 2
    with pytest.raises(KeyError, match="there was an error"):
        node.count(node_error=1)
    with pytest.raises(ValueError, match="there was an error"):
        node.count(2)


def test_c_text_can_use_a_parameter_and_a_type_of_one_name(named: ModuleType) -> None:
    node = named.Node(3)
    assert node.add() is None
    with pytest.raises(ValueError, match="too small"):
        node.add(0)
    with pytest.raises(ValueError, match="no number is that large"):
        node.add(1000)
    alone = node.next()
    with pytest.raises(IndexError, match=r"^add\(\): node_add\(\) failed with 2 \(status=2\)$"):
        alone.add(2)
    counted = (3 + node.value) + (2 + alone.value)  # by `finally`
    named.forget(100 * counted)


def test_a_parameter_may_have_a_name_of_the_c_api(named: ModuleType) -> None:
    assert named.ask(1, Py_None=2, PyLong_FromLongLong=3) == (12, 3)
    assert named.refuse(1, 2, 1) is None
    assert named.wait_for(7) == 7


def test_a_parameter_may_have_the_name_of_a_type_of_the_runtime(named: ModuleType) -> None:
    assert named.total(np.array([[1.0, 2.0], [3.0, 4.5]])) == 10.5
    with pytest.raises(ValueError, match="'int64_t'"):
        named.total(np.ones((1, 3)))
    memory = bytearray(3)
    named.fill(memory, size_t=7)
    assert memory == b"\7\7\7"


def test_a_function_may_be_called_result(named: ModuleType) -> None:
    assert named.result(1) == 3
    with pytest.raises(RuntimeError, match="too small"):
        named.result(0)


def test_python_sees_the_names_of_the_prototype(named: ModuleType) -> None:
    assert str(inspect.signature(named.ask)) == "(PyObject, Py_None, PyLong_FromLongLong)"
    assert str(inspect.signature(named.Node.scale)) == "(self, /, scale)"
    with pytest.raises(TypeError, match="'Py_None'"):
        named.ask(1)
