# SPDX-License-Identifier: MIT
"""New outputs of a class that the library allocates, in the shape that the function requires."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from python.leaks import assert_no_growth, counters, refused, warm_up
from support.build import build_module

HEADER = Path(__file__).with_name("new_objects.h").read_text()
SOURCE = Path(__file__).with_name("new_objects.c").read_text()
SPEC = """
module: new_objects
include: new_objects.h
tensors:
  Row:
    type: row
    data: self->at
    dtype: float32
    shape: [self->n]
    release: row_end(self)
    allocate: {construct: "row_new(shape[0])", ok: "!= NULL"}
    import: {set: {at: data, n: "shape[0]"}}
    methods:
      plus:
        c: int add(const row *a, const row *b, row *into)
        args: {into: {require: [{shape: [row_length(a)]}], default: new}}
        ok: == 1
  Image:
    type: image
    data: {of: self->kind, map: {0: self->data, 1: self->data}}
    dtype: {of: self->kind, map: {0: uint8, 1: float32}}
    shape: [self->height, self->width]
    release: image_end(self)
    allocate: {construct: "image_new(code, shape[0], shape[1])"}
functions:
  ramp: {c: "int ramp(int n, row *into)", args: {into: {require: [{shape: [n]}], default: new}}, ok: == 1}
  ramp_first:
    c: int ramp(int n, row *into)
    args: {into: {require: [{shape: [n]}], default: new}}
    keyword_only: [into]
    returns: [into]
    ok: == 1
  count_up: {c: "void count_up(long size, row *into)", args: {into: {require: [{count: size}], default: new}}}
  scratch:
    c: int ramp(int n, row *into)
    args: {into: {require: [{shape: [n]}], default: new}}
    returns: [result]
    release_gil: true
  bright:
    c: int fill(image *into, int value)
    args: {into: {require: [{shape: [2, value]}, {dtype: uint8}], default: new}, value: int}
    returns: [into, result]
  grey:
    c: int fill(image *into, int value)
    args: {into: {require: [{shape: [2, value]}, {dtype: float32}], default: new}, value: int}
    returns: [into]
"""


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> ModuleType:
    return build_module("new_objects", SPEC, tmp_path_factory.mktemp("new_objects"), HEADER, SOURCE)


@pytest.fixture
def lib(built: ModuleType) -> ModuleType:
    assert living(built) == (0, 0)
    return built


def living(lib: ModuleType) -> tuple[int, ...]:
    return counters(lib, "rows_living", "images_living")


def test_the_call_makes_an_object_of_the_class(lib: ModuleType) -> None:
    made = lib.ramp(3)
    assert (type(made), np.asarray(made).tolist(), living(lib)) == (lib.Row, [0, 1, 2], (1, 0))
    assert lib.ramp(0).shape == (0,)
    assert np.asarray(lib.ramp_first(n=2)).tolist() == [0, 1]
    assert np.asarray(lib.count_up(4)).tolist() == [1, 2, 3, 4]
    del made
    assert living(lib) == (0, 0)


def test_an_object_or_an_array_can_be_passed(lib: ModuleType) -> None:
    own, array = lib.Row.empty(3), np.zeros(3, "f")
    assert lib.ramp(3, own) is own
    assert np.asarray(own).tolist() == [0, 1, 2]
    assert lib.ramp_first(3, into=array) is array
    assert array.tolist() == [0, 1, 2]
    assert np.asarray(lib.ramp(2, None)).tolist() == [0, 1]
    with pytest.raises(ValueError, match=r"^ramp\(\) argument 'into' must have shape \(2,\), not \(3,\)$"):
        lib.ramp(2, own)


def test_the_requirements_choose_the_dtype(lib: ModuleType) -> None:
    made, kind = lib.bright(value=3)
    assert (made.dtype, made.shape, kind, np.asarray(made).tolist()) == ("uint8", (2, 3), 0, [[3] * 3] * 2)
    made = lib.grey(value=2)
    assert (made.dtype, np.asarray(made).tolist()) == ("float32", [[2] * 2] * 2)
    with pytest.raises(BufferError, match=r"^grey\(\) argument 'into': the dtype is uint8, not float32$"):
        lib.grey(lib.bright(value=2)[0], 2)


def test_a_method_reads_its_object(lib: ModuleType) -> None:
    a = lib.ramp(3)
    assert np.asarray(a.plus(np.ones(3, "f"))).tolist() == [1, 2, 3]
    with pytest.raises(RuntimeError, match=r"^plus\(\)"):
        a.plus(np.ones(4, "f"))


@pytest.mark.parametrize(
    ("call", "exception", "message"),
    [
        (lambda lib: lib.ramp(-1), ValueError, r"^ramp\(\): 'into' cannot have shape \(-1,\) \(n = -1\)$"),
        (lambda lib: lib.ramp(100), RuntimeError, r"^ramp\(\) argument 'into': .*row_new\(shape\[0\]\) failed$"),
        (lambda lib: lib.ramp(7), RuntimeError, r"^ramp\(\): ramp\(\) failed with 0 \(n=7\)$"),
    ],
)
def test_a_call_that_fails_leaves_no_object(
    lib: ModuleType, call: Callable[[ModuleType], Any], exception: type[Exception], message: str
) -> None:
    with pytest.raises(exception, match=message):
        call(lib)
    assert living(lib) == (0, 0)


def test_an_object_that_is_not_returned_is_released(lib: ModuleType) -> None:
    assert (lib.scratch(3), living(lib)) == (1, (0, 0))


def test_the_docstring_names_the_output(lib: ModuleType) -> None:
    assert "`into` is written: Row, or an array that Row.from_dlpack() takes, of shape (n,); a new one where none" in (
        lib.ramp.__doc__
    )


def test_new_objects_leak_nothing(lib: ModuleType) -> None:
    def everything() -> None:
        lib.ramp(3)
        lib.bright(value=3)
        lib.ramp(2).plus(np.ones(2, "f"))
        refused(RuntimeError, lambda: lib.ramp(7))()
        refused(RuntimeError, lambda: lib.ramp(100))()

    warm_up(everything)
    assert_no_growth(everything)
