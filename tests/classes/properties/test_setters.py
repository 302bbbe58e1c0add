"""Properties whose setter returns its object, or is left out by the preprocessor."""

from __future__ import annotations

from pathlib import Path

import pytest

from support.build import build_module

SPEC = """
dlpack-bindgen: 1
module: named
include: named.h
functions:
  first: {c: node *node_first(void), returns: {of: Node, borrow: static}}
handles:
  Node:
    type: node
    properties:
      name:
        get: self->name
        type: str
        set: {c: "node *node_set_name(node *n, const char *name)", returns: None, ok: "!= NULL", raises: ValueError}
"""
HEADER = Path(__file__).with_name("named.h").read_text()


def test_the_object_that_a_setter_returns_is_not_released(tmp_path: Path) -> None:
    node = build_module("named", SPEC, tmp_path, HEADER).first()
    node.name = "one"
    assert node.name == "one"
    with pytest.raises(ValueError, match=r"^Node\.name: node_set_name\(\) failed \(name='much too long'\)$"):
        node.name = "much too long"
    assert node.name == "one"


FAILING = """
      level:
        get: self->level
        set:
          c: "int node_set_level(node *n, int level)"
          require: [{expr: level >= 0, message: the level is negative}]
          ok: == 0
      size:
        get: self->level
        set: {c: "int node_set_level(node *n, int size)", ok: == 0, raises: OSError, errno: result}
      weights:
        get: self->level
        set:
          c: "int node_set_weights(node *n, const double *x)"
          args: {x: {require: [{count: n->level - 8}]}}
          returns: None
    methods:
      raised: {c: "int node_set_level(node *n, int level)", ok: == 0}
"""
SETTERS = """
#include <errno.h>
static inline int node_set_level(node *n, int level)
{
    n->level = level;
    return level > 9 ? ENOENT : 0;
}
static inline int node_set_weights(node *n, const double *x)
{
    (void)x;
    return n->level;
}
"""


def test_a_failed_assignment_names_the_property(tmp_path: Path) -> None:
    """The setter of a property is not a function of the class, so that no message names a function `level()`."""
    header = HEADER.replace("} node;", "    int level;\n} node;") + SETTERS
    node = build_module("named", SPEC + FAILING, tmp_path, header).first()
    with pytest.raises(RuntimeError, match=r"^Node\.level: node_set_level\(\) failed with 2 \(level=10\)$"):
        node.level = 10
    with pytest.raises(ValueError, match=r"^Node\.level: the level is negative \(level=-1\)$"):
        node.level = -1
    with pytest.raises(FileNotFoundError, match=r"No such file"):
        node.size = 10
    with pytest.raises(TypeError, match=r"^attribute 'level' must be int, not str$"):
        node.level = "high"
    with pytest.raises(RuntimeError, match=r"^raised\(\): node_set_level\(\) failed with 2 \(level=10\)$"):
        node.raised(10)
    node.level = 3
    with pytest.raises(ValueError, match=r"^Node\.weights: 'x' cannot have -5 elements \(n->level = 3\)$"):
        node.weights = [1.0]


def test_a_setter_is_left_out_together_with_its_property(tmp_path: Path) -> None:
    absent = '{get: self->absent, if: defined(ABSENT), set: {c: "void node_set_absent(node *n, int absent)"}}'
    module = build_module("named", f"{SPEC}      absent: {absent}\n", tmp_path, HEADER)
    assert not hasattr(module.Node, "absent")
