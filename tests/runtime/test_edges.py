# SPDX-License-Identifier: MIT
"""Structs with a small capacity, dtypes of any width, libraries that fail late."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from support.build import compile_c, generate

RunProgram = Callable[..., None]

EDGES = """
module: edges
include: [edges.h]
tensors:
  Each:
    type: edge
    data: self->data
    dtype: uint8
    shape: {ndim: self->rank, each: "self->shape[axis]"}
    strides: {each: "self->strides[axis]", unit: elements}
    import:
      set: {data: data, rank: ndim, "shape[axis]": "shape[axis]", "strides[axis]": "strides[axis]"}
  Late:
    type: edge
    data: self->data
    dtype: uint8
    shape: {ndim: self->rank, each: "self->strides[axis]"}
    strides: {each: "self->shape[axis]", compact_when: self->rank == 4}
  Decoded:
    type: decoded
    data: self->data
    dtype: {code: self->code, bits: self->bits}
    shape: [self->height, self->width]
    strides: {outer: self->pitch, unit: bytes}
    import:
      set:
        data: data
        code: dtype.code
        bits: dtype.bits
        height: shape[0]
        width: shape[1]
        pitch: byte_strides[0]
  Matrices: {type: decoded, data: self->data, dtype: {code: kDLInt, bits: 4, lanes: 9}, shape: [self->height],
             import: {set: {data: data, height: "shape[0]"}}}
  Clip:
    type: clip
    data: self->data
    dtype: uint8
    shape: [self->count]
    release: clip_free(self)
    import:
      let:
        - {clip *made: clip_new(), ok: "!= NULL", undo: clip_free(made)}
        - {int used: clip_resources++, finally: clip_resources--}
        - do: made->data = data; made->count = shape[0] + used
      construct: made
      ok: "!= NULL"
      attach: {do: "clip_attach(self, deleter, user)", ok: == 0, order: [user]}
      detach: clip_detach(self)
  Copied: {type: clip, data: self->data, dtype: uint8, shape: [self->count],
           import: {set: {data: data, count: "shape[0]"}, copy: always}}
  Aligned: {type: clip, data: self->data, dtype: uint8, shape: [self->count],
            import: {require: [{align: 4096}], set: {data: data, count: "shape[0]"}, copy: allowed}}
"""
WIDE = """
module: wide
include: [wide.h]
tensors:
  Wide: {type: wide, data: self->data, dtype: uint8, shape: ["8"]%s}
"""
VALUE, BOX = ", pass: value", ", import: {set: {data: data}}"


@pytest.mark.parametrize("run_program", ["plain", "narrow", "sanitized", "portable"], indirect=True)
def test_ranks_packed_elements_and_late_failures_at_the_limits_are_handled(run_program: RunProgram) -> None:
    run_program(EDGES, "edges.c")


@pytest.mark.parametrize("alignment", [16, 64])
@pytest.mark.parametrize("keys", [VALUE, BOX], ids=["value", "box"])
def test_storage_in_an_owner_is_aligned_or_does_not_compile(tmp_path: Path, keys: str, alignment: int) -> None:
    spec = WIDE % keys
    if keys is VALUE:
        spec = spec.replace("self->", "self.")
    (tmp_path / "wide.h").write_text(
        f"typedef struct {{ _Alignas({alignment}) char *data; }} wide;\n", encoding="utf-8"
    )
    source = next(path for path in generate(spec, tmp_path) if path.name == "wide_dlpack.c")
    call = ["-c", "-Wno-psabi", f"-I{tmp_path}", source]
    if alignment <= 16:
        compile_c(call, tmp_path / "wide.o")
        return
    with pytest.raises(AssertionError, match="owners_align_as_malloc_does"):
        compile_c(call, tmp_path / "wide.o")
