"""Parts by their index: the class of the whole gives their number."""

from __future__ import annotations

from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

from support.build import build_module

HEADER = Path(__file__).with_name("part_indices.h").read_text()
SPEC = """
module: part_indices
include: part_indices.h
tensors:
  Image:
    type: image
    data: self->pixels
    dtype: uint8
    shape: [self->planes, 4]
    release: image_free(self)
    parts:
      - {name: planes, of: Plane, count: self->planes}
      - {name: bytes, of: Byte, count: self->planes}
      - {name: words, of: Word, count: self->planes}
      - {name: rows, of: Row, count: self->planes}
      - {name: chars, of: Char, count: self->planes}
      - {name: shorts, of: Short, count: self->planes}
      - {name: halves, of: Half, count: self->planes}
      - {name: longs, of: Long, count: self->planes}
      - {name: sizes, of: Size, count: "(uint64_t)self->planes << 62"}
  Plane: {type: image, params: [int plane], data: self->pixels + plane * 4, dtype: uint8, shape: [4]}
  Byte: {type: image, params: [uint8_t at], data: self->pixels + at, dtype: uint8, shape: [1]}
  Word: {type: image, params: [int64_t at], data: self->pixels + at, dtype: uint8, shape: [1]}
  Row: {type: image, params: [int row = -1], data: "self->pixels + (row < 0 ? 0 : row)", dtype: uint8, shape: [1]}
  Char: {type: image, params: [int8_t at], data: self->pixels + at, dtype: uint8, shape: [1]}
  Short: {type: image, params: [int16_t at], data: self->pixels + at, dtype: uint8, shape: [1]}
  Half: {type: image, params: [uint16_t at], data: self->pixels + at, dtype: uint8, shape: [1]}
  Long: {type: image, params: [uint32_t at], data: self->pixels + at, dtype: uint8, shape: [1]}
  Size: {type: image, params: [uint64_t at], data: self->pixels + (at & 3), dtype: uint8, shape: [1]}
functions:
  new: {c: image *image_new(int planes), returns: Image}
"""


@pytest.fixture(scope="module")
def lib(tmp_path_factory: pytest.TempPathFactory) -> ModuleType:
    return build_module("part_indices", SPEC, tmp_path_factory.mktemp("part_indices"), HEADER)


def test_each_part_is_found_by_its_index(lib: ModuleType) -> None:
    image = lib.new(3)
    assert [np.asarray(image.plane(i)).tolist() for i in range(3)] == np.arange(12).reshape(3, 4).tolist()
    assert np.asarray(image.byte(at=2)).tolist() == np.asarray(image.word(2)).tolist() == [2]


@pytest.mark.parametrize("index", [-1, 3, 1000000000, -(2**31)])
def test_an_index_outside_of_the_parts_is_refused(lib: ModuleType, index: int) -> None:
    with pytest.raises(ValueError, match=r"^plane\(\) argument 'plane' must be one of the 3 planes, from 0$"):
        lib.new(3).plane(index)
    with pytest.raises(ValueError, match=r"^word\(\) argument 'at' must be one of the 3 words, from 0$"):
        lib.new(3).word(index)


@pytest.mark.parametrize("name", ["char", "short", "half", "long", "byte"])
def test_an_index_can_have_any_type_of_integer(lib: ModuleType, name: str) -> None:
    take = getattr(lib.new(3), name)
    assert np.asarray(take(2)).tolist() == [2]
    outside = [3, 127, -1, -128] if name in ("char", "short") else [3, 255]
    for index in outside:
        with pytest.raises(ValueError, match=rf"^{name}\(\) argument 'at' must be one of the 3 \w+, from 0$"):
            take(index)


def test_an_impossible_number_of_parts_is_an_error(lib: ModuleType) -> None:
    assert np.asarray(lib.new(1).size(2**62 - 1)).tolist() == [3]
    with pytest.raises(ValueError, match=rf"^size\(\) argument 'at' must be one of the {2**62} sizes, from 0$"):
        lib.new(1).size(2**62)
    with pytest.raises(BufferError, match=rf"count of sizes \(.*\) is {2**63}: an impossible number$"):
        lib.new(2).size(0)
    with pytest.raises(BufferError, match=r"count of shorts \(self->planes\) is -1: an impossible number$"):
        lib.new(-1).short(0)


def test_a_default_index_need_not_be_that_of_a_part(lib: ModuleType) -> None:
    assert lib.new(3).row().shape == (1,)


def test_an_object_may_have_no_parts(lib: ModuleType) -> None:
    with pytest.raises(ValueError, match="one of the 0 bytes"):
        lib.new(0).byte(0)
    with pytest.raises(ValueError, match="one of the 3 bytes"):
        lib.new(3).byte(255)
