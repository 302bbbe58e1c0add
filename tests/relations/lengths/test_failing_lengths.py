# SPDX-License-Identifier: MIT
"""Lengths and ranks from a function of the library, which can raise an exception of Python."""

from __future__ import annotations

import sys
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

from python.leaks import assert_no_growth, refused
from support.build import build_module

HERE = Path(__file__).parent
SPEC = """
module: asking
include: [asking.h]
arrays: Array
tensors:
  Sheet: {type: sheet, data: self->at, dtype: float64, shape: [2], release: sheet_end(self)}
functions:
  letters: {c: "void letters(char to[asked(n)], long n)", args: {to: {out: true, of: bytes}}}
  numbers: {c: "void numbers(double to[asked(n)], long n)", args: {to: {out: true, of: array}}}
  cube: {c: const double *cube(long ndim), returns: {of: array, shape: {ndim: asked(ndim), each: "2"}}}
  sheet_beside:
    c: sheet *sheet_beside(long ndim, const double **cube_at)
    args: {cube_at: {out: true, of: array, shape: {ndim: asked(ndim), each: "2"}}}
    returns: [result, cube_at]
"""


@pytest.fixture(scope="module")
def asking(tmp_path_factory: pytest.TempPathFactory) -> ModuleType:
    sources = [(HERE / name).read_text() for name in ("asking.h", "asking.c")]
    return build_module("asking", SPEC, tmp_path_factory.mktemp("asking"), *sources)


def test_a_function_of_the_library_can_give_lengths(asking: ModuleType) -> None:
    assert asking.letters(3) == b"aaa"
    assert np.from_dlpack(asking.numbers(3)).tolist() == [0, 1, 2]
    assert np.from_dlpack(asking.cube(2)).tolist() == [[0, 1], [2, 3]]


@pytest.mark.parametrize("name", ["letters", "numbers", "cube"])
def test_an_exception_instead_of_a_length_is_raised(asking: ModuleType, name: str) -> None:
    function = getattr(asking, name)
    with pytest.raises(KeyError, match=r"^'nobody knows'$"):
        function(-1)
    assert_no_growth(refused(KeyError, lambda: function(-1)))


def test_an_exception_of_a_release_does_not_replace_that_of_a_length(
    asking: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The sheet is made first, and freed when the array beside it cannot be made."""
    heard: list[str] = []
    monkeypatch.setattr(sys, "unraisablehook", lambda told: heard.append(str(told.exc_value)))
    with pytest.raises(KeyError, match=r"^'nobody knows'$"):
        asking.sheet_beside(-1)
    assert heard == ["left by a release"]
