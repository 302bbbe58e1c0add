# SPDX-License-Identifier: MIT
"""The fast paths of exports and imports must do the same as the slow paths."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from support.build import OPTIMISED

RunProgram = Callable[..., None]

TENSOR = """
    type: sample
    data: self->data
"""
KINDS = "{of: self->kind, map: {SAMPLE_U8: uint8, SAMPLE_F32: float32, SAMPLE_F64: float64}}"
PLACES = "{of: self->place, map: {0: cpu, 1: cuda, 2: cuda_host}, id: self->device_id}"
EACH = '{ndim: self->rank, each: "self->shape[axis]"}'
SHOWN = f"""
module: shown
include: [sample.h]
tensors:
  Elements:{TENSOR}    dtype: {KINDS}
    shape: {EACH}
    strides: {{each: "self->strides[axis]", unit: elements}}
    device: {PLACES}
    readonly: self->locked
  Bytes:{TENSOR}    dtype: {KINDS}
    shape: {EACH}
    strides: {{each: "self->steps[axis]", unit: bytes}}
  Reversed:{TENSOR}    dtype: {KINDS}
    order: reversed
    shape: {EACH}
    strides: {{each: "self->strides[axis]", unit: elements}}
  Compact:{TENSOR}    dtype: {KINDS}
    shape: {EACH}
  Columns:{TENSOR}    dtype: {KINDS}
    order: F
    shape: {EACH}
  Matrix:{TENSOR}    dtype: {KINDS}
    shape: [self->height, self->width]
    strides: {{outer: self->pitch, unit: bytes}}
    device: {PLACES}
  Stepped:{TENSOR}    dtype: float32
    shape: [self->height, self->width]
    strides: {{list: [self->pitch, self->step], unit: bytes}}
  Tripled:{TENSOR}    dtype: {{code: kDLUInt, bits: 8, lanes: 3}}
    shape: [self->height, self->width]
    strides: {{outer: self->pitch, unit: bytes}}
  Laned:{TENSOR}    dtype: {{code: self->code, bits: self->bits, lanes: self->lanes}}
    shape: [self->height, self->width]
    strides: {{outer: self->pitch, unit: bytes}}
  Constant:
    type: sample
    data: self->constant
    dtype: uint8
    shape: [self->height, self->width]
    strides: {{outer: self->pitch}}
  Chosen:{TENSOR}    match:
      of: [self->locked, self->kind]
      arms:
        - {{when: [0, _], dtype: uint8, shape: [self->height, self->width]}}
        - {{when: [1, SAMPLE_U8], dtype: float32, shape: [self->width]}}
      default: {{dtype: uint8, shape: []}}
  Numbered:{TENSOR}    dtype: {{code: self->code, bits: self->bits, lanes: self->lanes}}
    shape: [self->height]
  Rows:{TENSOR}    dtype: uint8
    shape: [self->kind & 3, self->width]
    strides: {{rows: self->rows}}
  Narrow:{TENSOR}    dtype: uint8
    let: [{{short rows: self->height}}]
    require: [self->kind > 0, {{expr: self->locked >= 0, message: it must be locked or not}}]
    shape: [rows, self->width]
  Paired:{TENSOR}    match:
      of: [self->place, self->kind]
      arms:
        - {{when: [0, _], dtype: uint8, shape: [self->height]}}
        - {{when: [1, {{any: [SAMPLE_U8, SAMPLE_F32, SAMPLE_F64]}}], dtype: float64, shape: [self->width]}}
        - {{when: [2, _], dtype: float32, shape: []}}
  Pointed:
    type: sample
    let: [{{sample_bytes first: self->data}}]
    data: first
    dtype: uint8
    shape: [self->height, self->width]
  Scalar: {{type: sample, data: self->data, dtype: uint8, shape: []}}
  Offset:{TENSOR}    dtype: uint8
    shape: [self->height]
    byte_offset: self->skip
  Packed:{TENSOR}    dtype: {{of: self->kind, map: {{SAMPLE_U8: uint8, SAMPLE_F4: float4_e2m1fn}}}}
    shape: [self->height, self->width]
    strides: {{list: [self->pitch, self->step], unit: elements}}
"""

ELEMENTS = f"""
    dtype: {KINDS}
    shape: {EACH}
    strides: {{each: "self->strides[axis]", unit: elements}}"""
SET_ELEMENTS = """
        data: data
        rank: ndim
        shape[axis]: shape[axis]
        strides[axis]: strides[axis]
        kind: code"""
MATRIX = f"""
    dtype: {KINDS}
    shape: [self->height, self->width]
    strides: {{outer: self->pitch, unit: bytes}}"""
SET_MATRIX = 'data: data, height: "shape[0]", width: "shape[1]", pitch: "byte_strides[0]", kind: code'
TAKEN = f"""
module: taken
include: [sample.h]
tensors:
  Elements:{TENSOR}{ELEMENTS}
    device: {PLACES}
    readonly: self->locked
    import:
      set:{SET_ELEMENTS}
        place: device_code
        device_id: device_id
        locked: readonly
  Bytes:{TENSOR}    dtype: {KINDS}
    shape: {EACH}
    strides: {{each: "self->steps[axis]", unit: bytes}}
    import:
      set:
        data: data
        rank: ndim
        shape[axis]: shape[axis]
        steps[axis]: byte_strides[axis]
        kind: code
        skip: nbytes
        bits: itemsize
  Numbered:{TENSOR}    dtype: {{code: self->code, bits: self->bits, lanes: self->lanes}}
    shape: {EACH}
    strides: {{each: "self->strides[axis]", unit: elements}}
    import:
      set:{SET_ELEMENTS.replace("kind: code", "code: dtype.code")}
        bits: dtype.bits
        lanes: dtype.lanes
        steps[axis]: byte_strides[axis]
  Steps:{TENSOR}{ELEMENTS}
    import:
      require: [{{expr: ndim < 6, message: too many axes}}]
      let: [{{short most: "ndim > 0 ? shape[0] : 0"}}]
      set:{SET_ELEMENTS}
        height: most
  Writable:{TENSOR}{ELEMENTS}
    import:
      require: [writable]
      set:{SET_ELEMENTS}
  Moved:{TENSOR}{ELEMENTS}
    release: sample_release(self)
    import:
      set:{SET_ELEMENTS}
  Matrix:{TENSOR}{MATRIX}
    import: {{set: {{{SET_MATRIX}}}}}
  Tested:{TENSOR}{MATRIX}
    require: [self->height > 0]
    let: [{{short rows: self->height}}]
    import: {{require: [no_overlap, nonnegative_strides, {{expr: "shape[1] < 1000"}}], set: {{{SET_MATRIX}}}}}
  Floats:{TENSOR}    dtype: float32
    shape: [self->height, self->width]
    import: {{set: {{data: data, height: "shape[0]", width: "shape[1]"}}}}
  Offset:{TENSOR}{MATRIX}
    byte_offset: self->skip
    import: {{set: {{{SET_MATRIX}}}}}
  ForgetsStride:{TENSOR}    dtype: uint8
    shape: [self->height, self->width]
    strides: {{outer: self->width}}
    import: {{set: {{data: data, height: "shape[0]", width: "shape[1]"}}}}
  ForgetsExtent:{TENSOR}    dtype: uint8
    shape: [self->height, self->width]
    strides: {{outer: self->pitch}}
    import: {{set: {{data: data, height: "1", width: "shape[1]", pitch: "strides[0]"}}}}
  OtherData:{TENSOR}    dtype: uint8
    shape: [self->height, self->width]
    strides: {{outer: self->pitch}}
    import:
      let: [{{char *other: "ndim > 0 && shape[0] > 1 ? data + 1 : data"}}]
      set: {{data: other, height: "shape[0]", width: "shape[1]", pitch: "strides[0]"}}
  OtherRank:{TENSOR}    dtype: uint8
    shape: {EACH}
    strides: {{each: "self->strides[axis]", unit: elements}}
    import:
      let: [{{int axes: "ndim > 0 && shape[0] > 1 ? 0 : ndim"}}]
      set:
        data: data
        rank: axes
        shape[axis]: shape[axis]
        strides[axis]: strides[axis]
  OtherDevice:{TENSOR}    dtype: uint8
    device: {{of: self->place, map: {{0: cpu, 1: cuda}}}}
    shape: [self->height, self->width]
    strides: {{outer: self->pitch, unit: elements}}
    import:
      let: [{{int place: "shape[0] > 1"}}]
      set: {{data: data, height: "shape[0]", width: "shape[1]", pitch: "strides[0]", place: place}}
  OtherDtype:{TENSOR}    dtype: {KINDS}
    shape: [self->height, self->width]
    strides: {{outer: self->pitch, unit: elements}}
    import:
      let: [{{int kind: "shape[0] > 1 ? SAMPLE_F32 : SAMPLE_U8"}}]
      set: {{data: data, height: "shape[0]", width: "shape[1]", pitch: "strides[0]", kind: kind}}
"""

WAYS = f"""
module: ways
include: [sample.h]
tensors:
  Kept:{TENSOR}{ELEMENTS}
    readonly: self->locked
    import:
      set:{SET_ELEMENTS}
  Moved:{TENSOR}{ELEMENTS}
    readonly: self->locked
    release: sample_release(self)
    import:
      require: [writable]
      set:{SET_ELEMENTS}
"""


@pytest.mark.parametrize("run_program", ["plain", "sanitized", "portable"], indirect=True)
def test_the_fast_path_of_exports_describes_as_the_slow_path_does(run_program: RunProgram) -> None:
    run_program(SHOWN, "fast_views.c", flags=OPTIMISED)


@pytest.mark.parametrize("run_program", ["plain", "narrow", "sanitized", "portable"], indirect=True)
def test_the_fast_path_of_imports_makes_the_objects_of_the_slow_path(run_program: RunProgram) -> None:
    run_program(TAKEN, "fast_imports.c")


@pytest.mark.parametrize("program", ["export_ways.c", "import_ways.c"])
def test_every_export_and_import_takes_one_step(run_program: RunProgram, program: str) -> None:
    run_program(WAYS, program, flags=["-Wl,--wrap=malloc,--wrap=calloc,--wrap=free"])
