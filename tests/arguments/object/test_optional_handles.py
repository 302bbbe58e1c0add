"""Handles whose type is a pointer by another name: None is NULL, and NULL is a failure."""

from __future__ import annotations

from pathlib import Path

import pytest

from support.build import build_module

SPEC = """
dlpack-bindgen: 1
module: based
include: based.h
handles:
  Set:
    type: set_handle
    pass: value
    release: set_free(self)
    new:
      c: set_handle set_new(int size, const set_handle like)
      args: {like: {optional: true}}
      raises: MemoryError
      error: '"no room"'
    properties: {size: self->size}
    methods:
      join: {c: "int set_join(set_handle self, set_handle other)", args: {other: {optional: true}}}
"""
HEADER = Path(__file__).with_name("based.h").read_text()


def test_none_is_null(tmp_path: Path) -> None:
    based = build_module("based", SPEC, tmp_path, HEADER)
    first = based.Set(3)
    assert (based.Set(4, None).size, based.Set(4, first).size) == (4, 3)
    assert (first.join(), first.join(None), first.join(other=first)) == (3, 3, 6)
    with pytest.raises(TypeError, match=r"^join\(\) argument 'other' must be Set or None, not int$"):
        first.join(0)
    other = based.Set(1)
    other.close()
    with pytest.raises(ValueError, match=r"^join\(\) argument 'other' is closed$"):
        first.join(other)


def test_null_raises_the_declared_exception(tmp_path: Path) -> None:
    based = build_module("based", SPEC, tmp_path, HEADER)
    with pytest.raises(MemoryError, match=r"^Set\(\): no room \(size=-1\)$"):
        based.Set(-1)
