# SPDX-License-Identifier: MIT
"""What is done in one step: the same as with care, for all that is usual, by all functions that export and import."""

from __future__ import annotations

from collections.abc import Callable

import pytest

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
    strides: {{each: "self->strides[axis]"}}
    device: {PLACES}
    readonly: self->locked
  Bytes:{TENSOR}    dtype: {KINDS}
    shape: {EACH}
    strides: {{each: "self->steps[axis]", unit: bytes}}
  Reversed:{TENSOR}    dtype: {KINDS}
    order: reversed
    shape: {EACH}
    strides: {{each: "self->strides[axis]"}}
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
  Scalar: {{type: sample, data: self->data, dtype: uint8, shape: []}}
  Offset:{TENSOR}    dtype: uint8
    shape: [self->height]
    byte_offset: self->skip
  Packed:{TENSOR}    dtype: {{of: self->kind, map: {{SAMPLE_U8: uint8, SAMPLE_F4: float4_e2m1fn}}}}
    shape: [self->height, self->width]
    strides: [self->pitch, self->step]
"""


@pytest.mark.parametrize("run_program", ["plain", "sanitized", "portable"], indirect=True)
def test_what_is_described_in_one_step(run_program: RunProgram) -> None:
    run_program(SHOWN, "usual_views.c")
