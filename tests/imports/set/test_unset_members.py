"""Imports whose `set` leaves out a member that selects the dtype or the device: which of them are accepted."""

from __future__ import annotations

import array
from pathlib import Path

import pytest

from dlpack_bindgen.spec.check import validate
from dlpack_bindgen.text.yaml import load
from support.build import build_module

SPEC = """
dlpack-bindgen: 1
module: imaging
include: image.h
tensors:
  Image:
    type: image_t
    data: self->pixels
    shape: [self->height, self->width]
    {dtype}
    release: image_free(self)
    import: {made}
"""
MAP = "dtype: {of: self->kind, map: {KIND_U: uint8, KIND_F: float32}}"
NESTED = "dtype: {of: self->info.kind, map: {KIND_U: uint8, KIND_F: float32}}"
SET = 'pixels: data, height: "shape[0]", width: "shape[1]"'
ACCEPTED = {
    "the member is set": (MAP, f"{{set: {{{SET}, kind: code}}}}"),
    "the member is set to a number of the library": (MAP, f"{{set: {{{SET}, kind: kind_of(dtype)}}}}"),
    "the struct around the member is set": (NESTED, f"{{set: {{{SET}, info: info_of(dtype)}}}}"),
    "a step sets the member": (MAP, f"{{let: [{{do: image_prepare(self)}}], set: {{{SET}}}}}"),
    "a function sets all members": (MAP, '{init: "image_over(self, data, shape, dtype)", destroy: none}'),
    "a function makes the object": (MAP, '{construct: "image_over(data, shape, dtype)"}'),
    "one dtype is required": (MAP, f"{{require: [{{dtype: uint8}}], set: {{{SET}}}}}"),
    "one arm is for imports": (
        "match: {of: self->kind, arms: [{when: KIND_U, dtype: uint8}, {when: KIND_F, dtype: float32, import: false}]}",
        f"{{set: {{{SET}}}}}",
    ),
    "both keys select one dtype": ("dtype: {of: self->kind, map: {1: uint8, 2: uint8}}", f"{{set: {{{SET}}}}}"),
    "a function reads the member": ("dtype: {of: kind_of(self), map: {1: uint8, 2: int8}}", f"{{set: {{{SET}}}}}"),
}
REFUSED = {
    "the dtype": (MAP, "'set' leaves out 'kind', which selects the dtype: it is 0 in each new object"),
    "the dtype of a member struct": (
        NESTED,
        "'set' leaves out 'info.kind', which selects the dtype: it is 0 in each new object",
    ),
    "the device": (
        "dtype: uint8\n    device: {of: self->place, map: {0: cpu, 1: cuda}}",
        "'set' leaves out 'place', which selects the device: it is 0 in each new object",
    ),
    "the bits of a dtype": (
        "dtype: {code: kDLUInt, bits: self->bits, lanes: 1}",
        "'set' leaves out 'bits', a number of the dtype: it is 0 in each new object",
    ),
}


def messages(dtype: str, made: str) -> list[str]:
    loaded = load("imaging.yaml", SPEC.format(dtype=dtype, made=made).encode())
    _, problems = validate([loaded])
    return [each.message for each in [*loaded.diagnostics, *problems]]


@pytest.mark.parametrize("case", ACCEPTED)
def test_an_import_that_may_be_right_is_accepted(case: str) -> None:
    assert messages(*ACCEPTED[case]) == []


@pytest.mark.parametrize("case", REFUSED)
def test_a_member_that_is_always_0_is_reported(case: str) -> None:
    dtype, message = REFUSED[case]
    assert messages(dtype, f"{{set: {{{SET}}}}}") == [message]


FORGETFUL = """
dlpack-bindgen: 1
module: forgetful
include: forgetful.h
tensors:
  Row:
    type: row
    data: self->at
    dtype: {of: self->kind, map: {0: float32, 1: float64}}
    shape: [self->n]
    import: {init: "row_over(self, data, shape[0])", destroy: none}
"""
HEADER = """
#include <stdint.h>
typedef struct { void *at; int64_t n; int kind; } row;
static inline void row_over(row *r, void *at, int64_t n) { r->at = at; r->n = n; }
"""


def test_a_function_that_forgets_the_dtype_is_named_as_the_cause(tmp_path: Path) -> None:
    """The generator cannot read the function, so that only the import of an array shows the fault."""
    module = build_module("forgetful", FORGETFUL, tmp_path, HEADER)
    assert module.Row.from_dlpack(array.array("f", [1, 2])).dtype == "float32"
    message = (
        r"^forgetful\.Row: the new object shows dtype float32, not float64: the import must set the dtype of the array$"
    )
    with pytest.raises(BufferError, match=message):
        module.Row.from_dlpack(array.array("d", [1, 2]))
