"""Strings whose characters have another C type than `char`."""

from __future__ import annotations

from pathlib import Path
from types import ModuleType

import pytest

from support.build import build_module

HEADER = Path(__file__).with_name("words.h").read_text()
SPEC = """
module: words
include: [words.h]
handles:
  Node:
    type: node
    release: (void)self
    new: {c: void node_make(node *n), args: {n: {out: true}}}
    properties:
      name: {get: self->name, type: str}
      tag: {get: self->tag, type: str}
functions:
  length: {c: size_t length(const xmlChar *s), args: {s: {of: str, optional: true}}}
  length_of_bytes: {c: size_t length_of_bytes(const unsigned char *s), args: {s: str}}
  length_of_mine: {c: size_t length_of_mine(uint8_t *s), args: {s: {of: path, writes: false}}}
  name: {c: const xmlChar *name(void), returns: str}
  nothing: {c: const unsigned char *nothing(void), returns: str}
  fill: {c: "void fill(unsigned char s[8])", args: {s: {of: str, out: true}}}
  fill_some: {c: "void fill_some(xmlChar s[n], int n)", args: {s: {of: str, out: true}}}
  give: {c: void give(xmlChar **s), args: {s: {of: str, out: true}}, finally: free(s)}
"""


@pytest.fixture(scope="module")
def words(tmp_path_factory: pytest.TempPathFactory) -> ModuleType:
    return build_module("words", SPEC, tmp_path_factory.mktemp("words"), HEADER)


def test_c_gets_strings_of_bytes(words: ModuleType) -> None:
    assert [words.length("ab\u00e9"), words.length(None), words.length_of_bytes("abcd")] == [4, 99, 4]
    assert words.length_of_mine("a/b") == 3
    with pytest.raises(TypeError):
        words.length_of_bytes(b"abc")


def test_c_returns_strings_of_bytes(words: ModuleType) -> None:
    assert (words.name(), words.nothing(), words.give()) == ("na\u00efve", None, "given")


def test_c_fills_strings_of_bytes(words: ModuleType) -> None:
    assert (words.fill(), words.fill_some(4)) == ("z" * 8, "qqq")


def test_members_can_be_strings_of_bytes(words: ModuleType) -> None:
    node = words.Node()
    assert (node.name, node.tag) == ("root", "tags")
