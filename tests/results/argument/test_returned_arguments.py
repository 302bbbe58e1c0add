"""Functions that return one of their arguments, where nothing counts references: the object has one owner."""

from __future__ import annotations

import ctypes
import gc
from pathlib import Path
from types import ModuleType

import pytest

from support.build import build_module

HEADER = Path(__file__).with_name("returned_arguments.h").read_text()
SOURCE = Path(__file__).with_name("returned_arguments.c").read_text()
SPEC = """
module: returned_arguments
include: returned_arguments.h
handles:
  Image:
    type: image
    release: image_free(self)
    new: {c: image *image_new(int n)}
    properties: {n: self->n}
    methods:
      eat: {c: "image *image_eaten(image *to, image *food)", args: {food: {optional: true, takes: true}}}
  Number:
    type: number_t
    pass: value
    release: number_free(self)
    new: {c: number_t number_new(int n)}
    properties: {n: self->n}
    methods:
      add: {c: "number_t number_add(number_t n, int more)"}
      either:
        c: number_t number_either(number_t n, number_t other, int second)
        args: {other: {optional: true}}
        keyword_only: [other]
  Pair:
    type: pair
    pass: value
    release: (void)self
    new: {c: "pair pair_new(float x, float y)"}
    properties: {x: {get: self.x, type: float, set: true}}
    methods: {scaled: {c: "pair pair_scaled(pair p, float by)"}}
functions:
  negative:
    c: image *image_negative(image *to, const image *source)
    args: {to: {optional: true}}
    keyword_only: [to]
"""


@pytest.fixture(scope="module")
def lib(tmp_path_factory: pytest.TempPathFactory) -> ModuleType:
    return build_module("returned_arguments", SPEC, tmp_path_factory.mktemp("returned_arguments"), HEADER, SOURCE)


def live(lib: ModuleType) -> int:
    gc.collect()
    return ctypes.c_int.in_dll(ctypes.PyDLL(lib.__file__), "live").value


def test_a_returned_argument_may_be_none(lib: ModuleType) -> None:
    source, target = lib.Image(3), lib.Image(0)
    assert lib.negative(source, to=target) is target
    made = lib.negative(source)
    assert (target.n, made.n, live(lib)) == (-3, -3, 3)
    assert lib.negative(source, to=source) is source
    del source, target, made
    assert live(lib) == 0


def test_a_returned_argument_can_be_passed_by_value(lib: ModuleType) -> None:
    number, other = lib.Number(3), lib.Number(5)
    assert number.add(4) is number
    assert number.either(0, other=other) is number
    assert number.either(1, other=other) is other
    assert number.either(0) is number
    assert (number.n, live(lib)) == (7, 2)
    with pytest.raises(RuntimeError, match=r"number_either\(\) failed"):
        number.either(1)
    del number, other
    assert live(lib) == 0


def test_values_without_a_release_are_never_the_same_object(lib: ModuleType) -> None:
    pair = lib.Pair(1, 2)
    same = pair.scaled(1)
    same.x = 5
    assert (pair.x, same.x) == (1, 5)


def test_an_argument_that_the_object_takes_over_may_be_none(lib: ModuleType) -> None:
    image, food = lib.Image(3), lib.Image(4)
    for _ in range(3):
        assert image.eat(None) is image
        assert image.eat() is image
    assert image.eat(food) is image
    assert (image.n, live(lib)) == (7, 1)
    with pytest.raises(ValueError, match="closed"):
        image.eat(food)
    del image
    assert live(lib) == 0
