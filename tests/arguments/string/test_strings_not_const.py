"""Strings that C only reads, though their type is `char *`, as in libraries that are older than `const`."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from support.build import build_module

SPEC = """
dlpack-bindgen: 1
module: elder
include: elder.h
functions:
  length: {c: "int elder_length(char *name)", args: {name: {of: str, writes: false, default: '"none"'}}}
  maybe: {c: "int elder_length(char *name)", args: {name: {of: str, writes: false, optional: true}}}
  opened: {c: "int elder_length(char *file)", args: {file: {of: path, writes: false}}, ok: "% < 8", raises: OSError}
"""
HEADER = """
#include <string.h>
static inline int elder_length(char *name) { return name == NULL ? -1 : (int)strlen(name); }
"""


def test_a_string_need_not_be_const(tmp_path: Path) -> None:
    elder = build_module("elder", SPEC, tmp_path, HEADER)
    assert (elder.length("abc"), elder.length()) == (3, 4)
    assert (elder.maybe("é"), elder.maybe(None), elder.maybe()) == (2, -1, -1)
    assert elder.opened(Path("a") / "b") == elder.opened(os.fsencode("a/b")) == 3
    with pytest.raises(OSError, match=r"elder_length\(\) failed"):
        elder.opened("far too long")
    with pytest.raises(TypeError, match=r"^length\(\) argument 'name' must be str, not bytes$"):
        elder.length(b"abc")
