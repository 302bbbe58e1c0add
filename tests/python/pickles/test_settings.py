# SPDX-License-Identifier: MIT
"""Copies and pickles keep the values of properties, and accept any alignment."""

from __future__ import annotations

import copy
import pickle
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

from python.pickles.pickling import PROTOCOLS, out_of_band, there_and_back
from support.build import build_extension, import_extension

SETTINGS = """
module: labelled
include: [labelled.h]
constants:
  Mood: {enum: {CALM: 0, ANGRY: 1}}
tensors:
  Labelled:
    type: labelled
    data: self->data
    dtype: float64
    shape: [self->count]
    import: {require: [compact], set: {data: data, count: "shape[0]"}}
    properties:
      gain: {get: self->gain, set: {c: "int labelled_set_gain(labelled *self, int gain)", ok: "== 0"}}
      mood:
        get: self->mood
        type: Mood
        set: {c: "void labelled_set_mood(labelled *self, int mood)", args: {mood: Mood}}
      label: {get: self->label, type: str, set: {c: "void labelled_set_label(labelled *self, const char *label)"}}
      doubled: {get: 2 * self->gain}
  Packed:
    type: labelled
    data: self->data
    dtype: float64
    shape: [self->count]
    import: {require: [compact, {align: 1}], set: {data: data, count: "shape[0]"}}
"""
SETTINGS_HEADER = Path(__file__).with_name("labelled.h").read_text()


@pytest.fixture(scope="module")
def labelled(folder: Path) -> ModuleType:
    path = build_extension("labelled", SETTINGS, folder, files={"labelled.h": SETTINGS_HEADER})
    return import_extension("labelled", path)


def test_values_of_properties_come_back(labelled: ModuleType) -> None:
    made = labelled.Labelled.from_dlpack(np.arange(3.0))
    made.gain, made.mood, made.label = 7, labelled.Mood.ANGRY, "name"
    for back in (
        copy.copy(made),
        copy.deepcopy(made),
        out_of_band(made)[0],
        *(there_and_back(made, p) for p in PROTOCOLS),
    ):
        assert (back.gain, back.mood, back.label, back.doubled) == (7, labelled.Mood.ANGRY, "name", 14)
        assert np.from_dlpack(back).tolist() == [0, 1, 2]
    pickled = pickle.dumps(made, 2)
    with pytest.raises(RuntimeError, match="gain"):
        pickle.loads(pickled.replace(b"K\x07", b"J\xff\xff\xff\xff"))


def test_unaligned_memory_is_pickled_out_of_band_without_a_copy(labelled: ModuleType) -> None:
    array = np.frombuffer(bytearray(25), np.float64, offset=1)
    made = labelled.Packed.from_dlpack(array)
    back, (buffer,) = out_of_band(made)
    for shown in (np.frombuffer(buffer.raw(), np.uint8), np.from_dlpack(back)):
        assert shown.ctypes.data == array.ctypes.data
    with pytest.raises(BufferError, match="must be aligned to 8 bytes"):
        labelled.Labelled.from_dlpack(array)
