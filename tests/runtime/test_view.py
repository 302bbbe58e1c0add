# SPDX-License-Identifier: MIT
"""A struct is described as a valid array or refused with a message: ranks, checks of the view, copies."""

from __future__ import annotations

from collections.abc import Callable

import pytest

RunProgram = Callable[..., None]

RANKS = """
module: ranks
include: [array.h]
tensors:
  Array:
    type: array
    data: self->data
    dtype: uint8
    shape: {ndim: self->rank, each: "self->shape[axis]"}
    strides: {each: "self->strides[axis]", unit: elements}
  Reversed:
    type: array
    data: self->data
    dtype: uint8
    order: reversed
    shape: {ndim: self->rank, each: "self->shape[axis]"}
    strides: {each: "self->strides[axis]", unit: elements}
  Rows:
    type: array
    data: self->data
    dtype: uint8
    shape: {ndim: self->rank, each: "self->shape[axis]"}
  Columns:
    type: array
    data: self->data
    dtype: uint8
    order: F
    shape: {ndim: self->rank, each: "self->shape[axis]"}
  Counted:
    type: counted
    data: self->data
    dtype: uint8
    shape: {ndim: self->count, each: "1"}
  Scalar: {type: array, data: self->data, dtype: uint8, shape: []}
"""

PICTURE = """
    type: picture
    data: self->data
"""
VIEWS = f"""
module: views
include: [picture.h]
tensors:
  Picture:{PICTURE}
    require: [{{expr: "self->ready", message: the picture is not ready}}, self->ready < 2]
    dtype: {{of: self->kind, map: {{KIND_U8: uint8, KIND_F32: float32, KIND_F64: float64}}}}
    device: {{of: self->place, map: {{PLACE_CPU: cpu, PLACE_CUDA: cuda, PLACE_HOST: cuda_host}}, id: self->device_id}}
    shape: [self->height, self->width]
    strides: {{outer: self->pitch, unit: bytes}}
  Stepped:{PICTURE}    dtype: float32
    shape: [self->height, self->width]
    strides: {{outer: self->step}}
  ByteStepped:{PICTURE}    dtype: float32
    shape: [self->height, self->width]
    strides: {{outer: self->step, unit: bytes}}
  Strided:{PICTURE}    dtype: float32
    shape: [self->height, self->width]
    strides: [self->row_step, self->column_step]
  Nibbles:{PICTURE}    dtype: float4_e2m1fn
    shape: [self->height, self->width]
    strides: [self->row_step, self->column_step]
  Formatted:{PICTURE}    dtype: {{of: self->format, map: {{'"f"': float32, '"d"': float64}}}}
    shape: [self->height]
  Packed:{PICTURE}    dtype: uint8
    shape: [self->rows, self->many_rows]
  Negative: {{type: picture, data: self->data, dtype: uint8, shape: [self->lines]}}
  Constant: {{type: picture, data: self->constant, dtype: uint8, shape: ["0"]}}
  Locked: {{type: picture, data: self->data, dtype: uint8, shape: ["1"], readonly: self->locked}}
"""

ARRAY = """
    type: array
    data: self->data
    dtype: {of: self->kind, map: {KIND_U8: uint8, KIND_F32: float32, KIND_F64: float64, KIND_F4: float4_e2m1fn,
                                  KIND_I16: int16, KIND_C128: complex128}}
    device: {of: self->place, map: {0: cpu, 1: cuda, 2: cuda_host}}
    shape: {ndim: self->rank, each: "self->shape[axis]"}
    strides: {each: "self->strides[axis]", unit: elements, overlap: true}
    readonly: self->locked
"""
COPIES = f"""
module: copies
include: [array.h]
tensors:
  Array:{ARRAY}    release: array_free(self)
  Borrowed:{ARRAY}"""


def test_every_rank_up_to_64_is_exported(run_program: RunProgram) -> None:
    run_program(RANKS, "rank.c", "array.c", flags=["-Wl,--wrap=malloc,--wrap=calloc,--wrap=free"])


@pytest.mark.parametrize("run_program", ["plain", "sanitized", "portable"], indirect=True)
def test_states_that_cannot_be_shared_are_refused_with_the_reason(run_program: RunProgram) -> None:
    run_program(VIEWS, "view.c")


def test_copies_of_every_layout_are_compact_and_aligned(run_program: RunProgram) -> None:
    run_program(COPIES, "copy.c", "array.c")


def test_a_message_has_one_line_and_fits_its_buffer(run_program: RunProgram) -> None:
    run_program(None, "messages.c")


@pytest.mark.parametrize("run_program", ["plain", "narrow", "sanitized", "portable"], indirect=True)
def test_elements_beyond_the_known_memory_are_refused(run_program: RunProgram) -> None:
    run_program(None, "reach.c")


def test_strides_in_every_unit_are_converted_or_refused(run_program: RunProgram) -> None:
    run_program(None, "units.c")


def test_run_time_dtypes_offsets_ranks_and_variables_are_checked(run_program: RunProgram) -> None:
    run_program(None, "word.c")


@pytest.mark.parametrize("run_program", ["plain", "narrow", "sanitized", "portable"], indirect=True)
def test_strides_that_are_no_number_of_elements_are_refused_or_gathered(run_program: RunProgram) -> None:
    run_program(None, "gather.c")


@pytest.mark.parametrize("run_program", ["plain", "narrow", "sanitized", "portable"], indirect=True)
def test_tables_of_rows_are_shared_refused_or_gathered(run_program: RunProgram) -> None:
    run_program(None, "rows.c")
