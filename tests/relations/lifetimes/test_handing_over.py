"""Owners of objects: arguments that the library takes over (`takes`), or gives back as its result."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

from support.build import build_module

SPEC = """
dlpack-bindgen: 1
module: handing
include: handing.h
handles:
  Bag:
    type: bag
    release: bag_free(self)
    new: {c: bag *bag_new(void)}
    methods:
      add: {c: "int bag_add(bag *b, vec *v)", args: {v: {takes: true}}, ok: == 0}
      add_or_end: {c: "int bag_add_or_end(bag *b, vec *v)", args: {v: {takes: always}}, ok: == 0}
      merge: {c: "int bag_merge(bag *b, bag *other)", args: {other: {takes: true}}}
      among:
        c: int bag_among(bag *b, vec *const *all, int n, vec *v)
        args: {n: {count_of: all}, v: {takes: true}}
      scale: {c: "int bag_scale(bag *b, vec *v, const double *by, int n)", args: {v: {takes: true}, n: {count_of: by}}}
      both: {c: "int bag_both(bag *b, vec *v, vec *w)", args: {v: {takes: true}, w: {takes: true, optional: true}}}
tensors:
  Vec:
    type: vec
    data: self->v
    dtype: float64
    shape: [self->n]
    release: vec_free(self)
    new: {c: vec *vec_new(int n)}
    methods:
      twice: {c: vec *vec_twice(vec *v)}
      longer: {c: "vec *vec_longer(vec *a, vec *b)"}
      into: {c: "int vec_into(vec *a, vec **out)", args: {out: {out: true}}, ok: == 0}
      end: {c: int vec_end(vec *v), args: {v: {takes: true}}}
functions:
  live: {c: int vec_live(void)}
  total: {c: "int total(const void *p, size_t n)", args: {p: bytes, n: {size_of: p}}}
"""
HEADER = Path(__file__).with_name("handing.h").read_text()
SOURCE = Path(__file__).with_name("handing.c").read_text()


@pytest.fixture(scope="module")
def handing_module(tmp_path_factory: pytest.TempPathFactory) -> ModuleType:
    return build_module("handing", SPEC, tmp_path_factory.mktemp("handing"), HEADER, SOURCE)


@pytest.fixture
def handing(handing_module: ModuleType) -> Iterator[ModuleType]:
    """Gives the module. After each test, no object may be left, and none may have been freed twice."""
    yield handing_module
    gc.collect()
    assert handing_module.live() == 0


# ---- Arguments that the library takes over ----


def test_an_object_that_is_taken_over_is_closed_and_freed_by_its_new_owner(handing: ModuleType) -> None:
    bag, vec = handing.Bag(), handing.Vec(2)
    bag.add(vec)
    with pytest.raises(ValueError, match="closed"):
        _ = vec.shape
    with pytest.raises(ValueError, match=r"add\(\) argument 'v' is closed"):
        bag.add(vec)
    del vec
    assert handing.live() == 1
    bag.close()
    assert handing.live() == 0


def test_an_object_that_the_library_refuses_stays_with_python(handing: ModuleType) -> None:
    bag = handing.Bag()
    bag.both(handing.Vec(1), handing.Vec(1))
    vec = handing.Vec(3)
    with pytest.raises(RuntimeError):
        bag.add(vec)
    assert vec.shape == (3,)


def test_with_always_the_library_owns_the_object_after_a_failure(handing: ModuleType) -> None:
    bag, vecs = handing.Bag(), [handing.Vec(1) for _ in range(3)]
    for vec in vecs[:2]:
        bag.add_or_end(vec)
    with pytest.raises(RuntimeError):
        bag.add_or_end(vecs[2])
    assert handing.live() == 2
    with pytest.raises(ValueError, match="closed"):
        _ = vecs[2].shape
    assert "closed, also by a call that fails" in bag.add_or_end.__doc__


def test_an_object_in_use_is_not_taken_over(handing: ModuleType) -> None:
    bag, vec = handing.Bag(), handing.Vec(2)
    array = np.from_dlpack(vec)
    with pytest.raises(BufferError, match=r"add\(\) argument 'v': its memory is in use"):
        bag.add(vec)
    del array
    bag.add(vec)


def test_one_object_is_not_taken_over_twice(handing: ModuleType) -> None:
    vec = handing.Vec(2)
    with pytest.raises(
        BufferError, match=r"^both\(\) argument 'w' is the object of argument 'v', which the call takes"
    ):
        handing.Bag().both(vec, vec)
    assert vec.shape == (2,)


def test_an_object_that_is_taken_over_is_passed_only_once(handing: ModuleType) -> None:
    """The object of a method, an item of a list and an array count, too."""
    bag, vec, other = handing.Bag(), handing.Vec(2), handing.Vec(1)
    with pytest.raises(
        BufferError, match=r"^merge\(\) argument 'self' is the object of argument 'other', which the call"
    ):
        bag.merge(bag)
    for many in ([vec], (other, vec)):
        with pytest.raises(
            BufferError, match=r"^among\(\) argument 'all' has the object of argument 'v', which the call"
        ):
            bag.among(many, vec)
    with pytest.raises(BufferError, match=r"^scale\(\) argument 'by' is the object of argument 'v', which the call"):
        bag.scale(vec, vec)
    assert (bag.among([other], vec), bag.scale(other, [2.0]), bag.merge(handing.Bag())) == (0, 0, 2)
    with pytest.raises(ValueError, match="closed"):
        bag.both(vec, other)


def test_none_can_be_passed_instead_of_an_object_to_take_over(handing: ModuleType) -> None:
    handing.Bag().both(handing.Vec(2), None)
    handing.Bag().both(handing.Vec(2))


def test_a_method_can_free_its_object(handing: ModuleType) -> None:
    vec = handing.Vec(3)
    assert vec.end() == 3
    with pytest.raises(ValueError, match="closed"):
        vec.end()


def test_the_docstring_says_that_the_object_is_taken_over(handing: ModuleType) -> None:
    assert "it is taken over, and closed" in handing.Bag.add.__doc__


# ---- Arguments that are returned ----


def test_a_function_that_returns_its_argument_gives_the_object_back(handing: ModuleType) -> None:
    short, long = handing.Vec(1), handing.Vec(3)
    assert short.twice() is short
    assert short.longer(long) is long
    assert long.longer(short) is long
    assert short.into() is short


def test_a_function_can_return_a_new_object_instead_of_its_argument(handing: ModuleType) -> None:
    first, second = handing.Vec(2), handing.Vec(2)
    made = first.longer(second)
    assert made is not first and made is not second
    assert handing.live() == 3


# ---- Bytes ----


def test_objects_of_the_module_are_bytes_too(handing: ModuleType) -> None:
    vec = handing.Vec(1)
    np.from_dlpack(vec)[:] = 1
    assert handing.total(vec) == handing.total(np.ones(1)) == 0x3F + 0xF0


def test_buffers_with_gaps_are_not_bytes(handing: ModuleType) -> None:
    with pytest.raises(BufferError, match="the array must be compact"):
        handing.total(np.ones((2, 3)).T)
    with pytest.raises(BufferError, match="the array must be compact"):
        handing.total(np.ones((2, 3), np.uint8).T)
