"""The params of an object in the C text of its methods: no parameter of the C function needs them."""

from __future__ import annotations

from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

from support.build import build_module

SPEC = """
dlpack-bindgen: 1
module: own_params
include: own_params.h
handles:
  Sound:
    type: sound
    params: [int channels, const char *name = "it"]
    release: sound_free(self)
    new: {c: sound *sound_new(int channels)}
    methods:
      write:
        c: int sound_write(sound *s, const float *samples, long frames)
        args: {samples: {require: [{shape: [frames, channels]}]}, frames: {extent_of: samples}}
        ok: "% <= 10 * channels"
        error: name
        returns: [result]
      seek:
        c: int sound_seek(sound *s, int sample)
        args: {sample: {value: 2 * channels}}
      scale:
        c: int sound_scale(sound *s, int channels)
        require: [channels > 4]
      both:
        c: int sound_scale(sound *s, int by)
        require: ["by > channels && s->channels"]
    properties:
      place:
        get: s_place(self)
        set: {c: "int sound_seek(sound *s, int sample)", require: [sample % channels == 0]}
tensors:
  Plane:
    type: float
    params: [int n = 3]
    data: self
    dtype: float32
    shape: [n]
    release: free(self)
    methods:
      add: {c: "int plane_add(float *p, const float *other)", args: {other: {require: [{count: n}]}}}
      made: {c: float *plane_new(void)}
"""
HEADER = Path(__file__).with_name("own_params.h").read_text()


@pytest.fixture(scope="module")
def lib(tmp_path_factory: pytest.TempPathFactory) -> ModuleType:
    return build_module("own_params", SPEC, tmp_path_factory.mktemp("own_params"), HEADER)


def test_shapes_and_counts_can_use_the_params_of_the_object(lib: ModuleType) -> None:
    sound = lib.Sound(2)
    assert sound.write(np.zeros((5, 2), np.float32)) == 10
    with pytest.raises(ValueError, match=r"argument 'samples' must have shape \(5, 3\), not \(5, 2\)"):
        lib.Sound(3).write(np.zeros((5, 2), np.float32))
    plane = lib.Plane.made()
    assert (plane.add([1, 2, 3]), plane.add([1, 2, 3])) == (3, 6)
    with pytest.raises(ValueError, match="must have 3 elements, not 2"):
        plane.add([1, 2])


def test_values_and_conditions_can_use_the_params_of_the_object(lib: ModuleType) -> None:
    sound = lib.Sound(3)
    assert sound.seek() == 6
    sound.place = 9
    with pytest.raises(ValueError, match="sample % channels == 0"):
        sound.place = 10
    assert (sound.place, sound.both(4)) == (9, 12)
    with pytest.raises(ValueError, match="by > channels"):
        sound.both(3)


def test_ok_and_error_can_use_the_params_of_the_object(lib: ModuleType) -> None:
    with pytest.raises(RuntimeError, match=r"^write\(\): it$"):
        lib.Sound(2).write(np.zeros((11, 2), np.float32))


def test_a_parameter_with_the_name_of_a_param_comes_first(lib: ModuleType) -> None:
    assert lib.Sound(2).scale(5) == 10
    with pytest.raises(ValueError, match="channels > 4"):
        lib.Sound(9).scale(channels=4)
