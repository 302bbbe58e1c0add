"""Outputs for C text alone: an error object whose message is read, and which is then freed."""

from __future__ import annotations

from pathlib import Path
from types import ModuleType

import pytest

from support.build import build_module

SPEC = """
dlpack-bindgen: 1
module: private_outs
include: private_outs.h
handles:
  Picture:
    type: picture
    release: free(self)
    new:
      c: picture *picture_load(const char *name, struct fault **error)
      args: {error: {out: true}}
      ok: "!= NULL"
      error: error->message
      raises: OSError
      finally: fault_clear(&error)
    methods:
      save:
        c: int picture_save(const picture *p, const char *name, int *size, struct fault **error)
        args: {size: {out: true}, error: {out: true}}
        ok: == 1
        error: error->message
        finally: fault_clear(&error)
functions:
  alive: {c: int fault_count(void)}
"""
HEADER = Path(__file__).with_name("private_outs.h").read_text()
SOURCE = Path(__file__).with_name("private_outs.c").read_text()


@pytest.fixture(scope="module")
def lib(tmp_path_factory: pytest.TempPathFactory) -> ModuleType:
    return build_module("private_outs", SPEC, tmp_path_factory.mktemp("private_outs"), HEADER, SOURCE)


def test_a_private_output_is_not_returned(lib: ModuleType) -> None:
    assert lib.Picture("a").save("abc") == 3
    assert lib.alive() == 0


def test_the_message_of_a_private_output_is_read_before_it_is_freed(lib: ModuleType) -> None:
    with pytest.raises(OSError, match=r"^Picture\(\): no name \(name=''\)$"):
        lib.Picture("")
    with pytest.raises(RuntimeError, match=r"^save\(\): nowhere \(name=''\)$"):
        lib.Picture("a").save("")
    assert lib.alive() == 0
