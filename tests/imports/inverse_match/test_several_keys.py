"""Arms with several keys: an import gives the object the first key, or the key that `code` names."""

from __future__ import annotations

import pickle
from types import ModuleType

import numpy as np
import pytest

from support.build import build_module

HEADER = """
enum format { GREY = 1, RGB, BGR, DEEP, DEEPER };
typedef struct { void *at; long h, w; enum format format; int bits; const char *name; } frame;
static inline void frame_of(frame *f, int format) { f->format = (enum format)format; }
"""
SPEC = """
module: frames
include: [frames.h]
tensors:
  Frame:
    type: frame
    data: self->at
    match:
      of: [self->format, self->bits]
      arms:
        - {when: [{any: [RGB, BGR]}, 8], dtype: uint8, shape: [self->h, self->w, 3]}
        - when: [{any: [DEEP, DEEPER], code: DEEPER}, {any: [12, 16], code: 16}]
          dtype: uint16
          shape: [self->h, self->w]
        - {when: [{any: [GREY, DEEP]}, 8], dtype: uint8, shape: [self->h, self->w], import: true}
        - {when: [BGR, 9], dtype: uint8, shape: [self->h, self->w]}
    import: {set: {at: data, h: "shape[0]", w: "shape[1]", format: "code[0]", bits: "code[1]"}}
    properties: {format: self->format, bits: self->bits}
    methods: {of: {c: "void frame_of(frame *f, int format)"}}
  Name:
    type: frame
    data: self->at
    dtype: uint8
    match:
      of: self->name
      arms: [{when: {any: ['"grey"', '"gray"'], code: '"gray"'}, shape: [self->h]}]
    import: {set: {at: data, h: "shape[0]", name: code}}
    properties: {name: {get: self->name, type: str}}
"""


@pytest.fixture(scope="module")
def frames(tmp_path_factory: pytest.TempPathFactory) -> ModuleType:
    return build_module("frames", SPEC, tmp_path_factory.mktemp("frames"), HEADER)


@pytest.mark.parametrize(
    "array, format, bits",
    [
        (np.zeros((2, 5, 3), np.uint8), 2, 8),
        (np.zeros((2, 5), np.uint16), 5, 16),
        (np.zeros((2, 5), np.uint8), 1, 8),
    ],
)
def test_an_import_sets_the_first_key_or_the_key_that_code_names(
    frames: ModuleType, array: np.ndarray, format: int, bits: int
) -> None:
    frame = frames.Frame.from_dlpack(array)
    assert (frame.format, frame.bits, np.from_dlpack(frame).shape) == (format, bits, array.shape)


def test_an_import_sets_a_key_that_is_a_string(frames: ModuleType) -> None:
    assert frames.Name.from_dlpack(np.zeros(3, np.uint8)).name == "gray"


def test_an_object_with_another_key_is_not_pickled(frames: ModuleType) -> None:
    """The array does not tell which of the keys the object has."""
    frame = frames.Frame.from_dlpack(np.zeros((2, 5, 3), np.uint8))
    frame.of(3)
    assert frame.format == 3
    with pytest.raises(TypeError, match="Frame"):
        pickle.dumps(frame)
