"""Sizes that C reports beside the memory: out-parameters that are the params of the result."""

from __future__ import annotations

from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

from support.build import build_module

SPEC = """
dlpack-bindgen: 1
module: sizes
include: sizes.h
handles:
  Vec:
    type: vec
    release: free(self)
    new: {c: vec *vec_new(size_t n)}
    methods:
      data:
        c: const double *vec_data(const vec *v, size_t *n)
        args: {n: {out: true}}
        returns: {of: Shown, borrow: v}
tensors:
  Shown: {type: double, params: [size_t n], data: self, dtype: float64, shape: [n]}
  Image:
    type: unsigned char
    params: [int w, int h, int channels = 1]
    data: self
    dtype: uint8
    shape: [h, w, channels]
    release: free(self)
functions:
  decode:
    c: unsigned char *decode(const void *bytes, size_t size, int *w, int *h)
    args: {bytes: bytes, size: {size_of: bytes}, w: {out: true}, h: {out: true}}
    returns: Image
  load:
    c: int load(int channels, int *w, unsigned char **made, int *h, int *depth)
    args: {w: {out: true}, made: {of: Image, out: true}, h: {out: true}, depth: {out: true}}
    ok: == 0
  said:
    c: unsigned char *decode(const void *bytes, size_t size, int *w, int *h)
    args: {bytes: bytes, size: {size_of: bytes}, w: {out: true}, h: {out: true}}
    returns: [w, result]
  digest:
    c: void digest(const void *bytes, size_t size, unsigned char digest[4])
    args: {bytes: bytes, size: {size_of: bytes}, digest: {of: bytes, out: true}}
  packed:
    c: int packed(int count, char into[8], size_t room, size_t *used)
    args: {into: {of: bytes, out: true, size: used}, room: {value: sizeof into}, used: {out: true}}
    returns: [into]
  encode:
    c: int encode(const unsigned char *pixels, int w, int h)
    args: {pixels: {require: [{shape: [h, w, 3]}]}, w: {extent_of: pixels, axis: 1}, h: {extent_of: pixels}}
  total:
    c: int total(const unsigned char *pixels, size_t count)
    args: {count: {count_of: pixels}}
  first:
    c: int first(const unsigned char *pixels)
    args: {pixels: array}
  first_of:
    c: int first(const unsigned char *pixels)
    args: {pixels: {of: Image}}
  own:
    c: const double *own(const double *v, size_t n)
    args: {v: Shown, n: {count_of: v}}
    returns: {of: Shown, borrow: v}
"""
HEADER = Path(__file__).with_name("sizes.h").read_text()


@pytest.fixture(scope="module")
def sizes(tmp_path_factory: pytest.TempPathFactory) -> ModuleType:
    return build_module("sizes", SPEC, tmp_path_factory.mktemp("sizes"), HEADER)


def test_a_borrowed_result_has_the_size_that_c_reports(sizes: ModuleType) -> None:
    vec = sizes.Vec(5)
    shown = vec.data()
    del vec
    assert (shown.shape, shown.readonly) == ((5,), True)
    assert np.from_dlpack(shown)[0] == 2.5


def test_an_owned_result_has_the_size_that_c_reports(sizes: ModuleType) -> None:
    image = sizes.decode(b"abc")
    assert image.shape == (2, 3, 1)
    assert np.from_dlpack(image)[0, 0, 0] == ord("a")


def test_an_output_has_the_size_that_c_reports(sizes: ModuleType) -> None:
    image, depth = sizes.load(4)
    assert (image.shape, depth) == ((2, 3, 4), 8)


def test_sizes_that_returns_lists_are_returned_too(sizes: ModuleType) -> None:
    width, image = sizes.said(b"abcd")
    assert (width, image.shape) == (4, (2, 4, 1))


def test_filled_bytes_have_the_declared_size(sizes: ModuleType) -> None:
    assert sizes.digest(b"ab") == b"ab\0\0"


def test_filled_bytes_have_the_size_that_c_reports(sizes: ModuleType) -> None:
    assert [sizes.packed(count) for count in (0, 3, 8)] == [b"", b"xxx", b"xxxxxxxx"]
    with pytest.raises(ValueError, match=r"^the size of the bytes \(used\) is 9, and the capacity is 8$"):
        sizes.packed(9)
    with pytest.raises(ValueError, match=r"is -1$|is 18446744073709551615"):
        sizes.packed(-1)


def test_a_tensor_of_numbers_takes_no_array_away_from_functions(sizes: ModuleType) -> None:
    pixels = np.arange(24, dtype=np.uint8).reshape(2, 4, 3)
    assert (sizes.encode(pixels), sizes.total(pixels), sizes.first(pixels)) == (23, 23, 0)
    image = sizes.decode(b"abc")
    assert (sizes.total(image), sizes.first(image), sizes.first_of(image)) == (0, ord("a"), ord("a"))
    with pytest.raises(ValueError, match="must have shape"):
        sizes.encode(image)
    with pytest.raises(TypeError, match="Image"):
        sizes.first_of(pixels)


def test_a_borrowed_result_has_the_size_of_the_object_that_it_borrows_from(sizes: ModuleType) -> None:
    shown = sizes.Vec(3).data()
    assert sizes.own(shown).shape == (3,)
