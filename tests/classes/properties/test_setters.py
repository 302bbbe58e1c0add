"""Properties whose setter returns the object itself, which stays where it is, or is left out by the preprocessor."""

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


def test_the_object_that_a_setter_returns_is_nobodys(tmp_path: Path) -> None:
    node = build_module("named", SPEC, tmp_path, HEADER).first()
    node.name = "one"
    assert node.name == "one"
    with pytest.raises(ValueError, match=r"^name\(\): node_set_name\(\) failed"):
        node.name = "much too long"
    assert node.name == "one"


def test_what_sets_a_property_that_the_preprocessor_leaves_out_is_left_out_too(tmp_path: Path) -> None:
    absent = '{get: self->absent, if: defined(ABSENT), set: {c: "void node_set_absent(node *n, int absent)"}}'
    module = build_module("named", f"{SPEC}      absent: {absent}\n", tmp_path, HEADER)
    assert not hasattr(module.Node, "absent")
