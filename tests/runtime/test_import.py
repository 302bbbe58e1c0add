# SPDX-License-Identifier: MIT
"""Imports of hostile arrays, of every layout, of values that do not fit, and with incomplete specs."""

from __future__ import annotations

from collections.abc import Callable

import pytest

RunProgram = Callable[..., None]

ARRAY = """
    type: array
    data: self->data
    dtype: {of: self->kind, map: {KIND_U8: uint8, KIND_F32: float32, KIND_F64: float64, KIND_F4: float4_e2m1fn}}
    shape: {ndim: self->rank, each: "self->shape[axis]"}
    strides: {each: "self->strides[axis]", unit: elements}
    release: array_free(self)
"""
CONSTRUCT = 'construct: "array_wrap(data, ndim, shape, strides, code)", ok: "!= NULL"'
IMPORTS = f"""
module: imports
include: [array.h]
tensors:
  Array:{ARRAY}
    allocate: {{construct: "array_new(ndim, shape, code)", ok: "!= NULL"}}
    import: {{{CONSTRUCT}}}
  Writable:{ARRAY}
    import: {{require: [writable], {CONSTRUCT}}}
  Failing:{ARRAY}
    import:
      require: [{{expr: "ndim > 0 && shape[0] > 1", message: a single row is no array}}]
      construct: failing_wrap(data)
      ok: "!= NULL"
      error: '"out of luck"'
  Exported:{ARRAY}"""

ORDERS = {"C": "C", "F": "F", "R": "reversed"}
REQUIREMENTS = {
    "Anything": "",
    "Align": "{align: 64}",
    "Compact": "compact",
    "InnerCompact": "inner_compact",
    "NoOverlap": "no_overlap",
    "NonnegativeStrides": "nonnegative_strides",
    "Writable": "writable",
}
LAYOUTS = "\n".join(
    [
        "module: layouts\ninclude: [array.h]\ntensors:",
        *(
            f"  {name}{letter}:{ARRAY}    order: {order}\n    import: {{require: [{requirement}], {CONSTRUCT}}}"
            for name, requirement in REQUIREMENTS.items()
            for letter, order in ORDERS.items()
        ),
    ]
)

HEAD = "type: narrow, data: self->data, dtype: uint8"
KINDS = "{of: self->kind, map: {KIND_U8: uint8, KIND_F32: float32}}"
FITS = f"""
module: fits
include: [narrow.h]
tensors:
  Int: {{{HEAD}, shape: [self->height], import: {{set: {{height: "shape[0]", data: data}}}}}}
  Byte: {{{HEAD}, shape: [self->width], import: {{set: {{width: "shape[0]", data: data}}}}}}
  Bits: {{{HEAD}, shape: [self->channels], import: {{set: {{channels: "shape[0]", data: data}}}}}}
  WideBits: {{{HEAD}, shape: [self->columns], import: {{set: {{columns: "shape[0]", data: data}}}}}}
  Flag: {{{HEAD}, shape: [self->pair], import: {{set: {{pair: "shape[0]", data: data}}}}}}
  Unseen: {{{HEAD}, shape: [self->rows], import: {{set: {{rows: "shape[0]", channels: "shape[0]", data: data}}}}}}
  UnseenWide: {{{HEAD}, shape: [self->rows], import: {{set: {{rows: "shape[0]", columns: "shape[0]", data: data}}}}}}
  Unsigned:
    {{{HEAD}, shape: [self->rows, self->width], strides: {{outer: self->pitch}},
     import: {{set: {{rows: "shape[0]", width: "shape[1]", pitch: "strides[0]", data: data}}}}}}
  Size:
    {{{HEAD}, shape: [self->rows, self->width], strides: {{outer: self->skip}},
     import: {{set: {{rows: "shape[0]", width: "shape[1]", skip: "strides[0]", data: data}}}}}}
  Short:
    {{{HEAD}, shape: [self->rows], strides: {{list: [self->step], unit: bytes}},
     import: {{set: {{rows: "shape[0]", step: "byte_strides[0]", data: data}}}}}}
  Let:
    {{{HEAD}, shape: [self->rows],
     import: {{let: [{{short count: "shape[0]"}}], set: {{rows: count, data: data}}}}}}
  LetUnsigned:
    {{{HEAD}, shape: [self->rows], strides: [self->step],
     import: {{let: [{{unsigned step: "strides[0]"}}], set: {{rows: "shape[0]", step: step, data: data}}}}}}
  Several:
    {{{HEAD}, shape: [self->rows, self->width, self->channels],
     import: {{set: {{rows: "shape[0]", width: "shape[1]", channels: "shape[2]", data: data}}}}}}
  Literal: {{{HEAD}, shape: [self->rows, "3"], import: {{set: {{rows: "shape[0]", data: data}}}}}}
  Cast:
    {{{HEAD}, shape: [self->rows, "3"],
      import: {{copy: allowed, cast: same_kind, set: {{rows: "shape[0]", data: data}}}}}}
  ReversedLiteral:
    {{{HEAD}, shape: [self->rows, "3"], order: reversed, import: {{set: {{rows: "shape[0]", data: data}}}}}}
  Ranks:
    {{{HEAD}, shape: {{ndim: self->rank, each: "2"}},
     import: {{require: [{{ndim: [2, 3]}}], set: {{rank: ndim, data: data}}}}}}
  ForgetsStride:
    {{{HEAD}, shape: [self->rows, self->width], strides: {{outer: self->pitch}},
     import: {{set: {{rows: "shape[0]", width: "shape[1]", data: data}}}}}}
  ForgetsExtent:
    {{{HEAD}, shape: [self->rows, self->width], import: {{set: {{rows: "shape[0]", data: data}}}}}}
  ForgetsData:
    {{{HEAD}, shape: [self->rows],
     import: {{let: [{{void *memory: data}}], set: {{rows: "memory != NULL ? shape[0] : 0"}}}}}}
  OtherData: {{{HEAD}, shape: [self->rows], import: {{set: {{rows: "shape[0]", data: (char *)data + 1}}}}}}
  ForgetsRank: {{{HEAD}, shape: {{ndim: self->rank, each: "2"}}, import: {{set: {{data: data}}}}}}
  ForgetsDtype:
    {{type: narrow, data: self->data, dtype: {KINDS}, shape: [self->rows],
     import: {{init: "narrow_begin(self, shape[0], data)", destroy: none}}}}
  ForgetsDevice:
    {{{HEAD}, shape: [self->rows], device: {{of: self->kind, map: {{0: cuda, 1: cpu}}}},
     import: {{init: "narrow_begin(self, shape[0], data)", destroy: none}}}}
  OtherDtype:
    {{type: narrow, data: self->data, dtype: {KINDS}, shape: [self->rows],
     import: {{set: {{rows: "shape[0]", kind: KIND_F32, data: data}}}}}}
  Arms:
    type: narrow
    data: self->data
    match:
      of: self->kind
      arms:
        - {{when: KIND_U8, dtype: uint8, shape: [self->rows, "3"]}}
        - {{when: KIND_F32, dtype: uint8, shape: [self->rows, "4"]}}
    import: {{set: {{rows: "shape[0]", kind: code, data: data}}}}
  OpenCL:
    {{{HEAD}, shape: [self->rows], device: opencl, import: {{set: {{rows: "shape[0]", data: data}}}}}}
  Scaled: {{type: narrow, data: self->data, dtype: {{of: self->scale, map: {{"1.5": uint8}}}}, shape: [self->rows]}}
  Mixed:
    {{{HEAD}, shape: [self->rows],
     import: {{set: {{
       rows: "shape[0]", scale: "1.5", ratio: "shape[0]", start: "(origin){{1, 2}}", name: '"it"', data: data}}}}}}
  Constructed:
    {{{HEAD}, shape: [self->rows],
     import: {{construct: "narrow_make(data, 1)", ok: "!= NULL", destroy: narrow_destroy(self)}}}}
"""


@pytest.mark.parametrize("run_program", ["plain", "narrow", "sanitized", "portable"], indirect=True)
def test_foreign_tensors_are_imported_or_stay_with_the_caller(run_program: RunProgram) -> None:
    run_program(IMPORTS, "import.c", "array.c")


@pytest.mark.parametrize("run_program", ["plain", "sanitized"], indirect=True)
def test_every_layout_name_is_checked_in_every_order(run_program: RunProgram) -> None:
    run_program(LAYOUTS, "layout.c", "array.c")


@pytest.mark.parametrize("run_program", ["plain", "sanitized"], indirect=True)
def test_values_must_fit_and_be_carried_over(run_program: RunProgram) -> None:
    run_program(FITS, "fit.c")


def test_imports_copy_and_lease_as_their_spec_says(run_program: RunProgram) -> None:
    run_program(None, "lease.c")


def test_new_objects_get_params_states_and_values(run_program: RunProgram) -> None:
    run_program(None, "new_object.c")
