"""Structs whose slots are read through pointers that are NULL."""

from __future__ import annotations

from pathlib import Path
from types import ModuleType

import pytest

from support.build import build_module

np = pytest.importorskip("numpy")

HEADER = Path(__file__).with_name("nulls.h").read_text()
SPEC = """
module: nulls
include: [nulls.h]
tensors:
  Tens:
    type: tens
    dtype: {of: "self->far[0]->code", map: {7: float32}}
    shape: {ndim: self->at->rank, each: "self->at->extents[axis]"}
    strides: {each: "self->at->steps[axis]"}
    match: {of: self->place, arms: [{when: 0, data: self->held->data}, {when: 1, data: self->gpu->data}]}
    release: tens_free(self)
    new: {c: "tens *tens_new(int held, int far, int rank, int extents, int steps, int place)"}
  Inline:
    type: tens
    let: [{int rank: 'self->far[0]->code'}]
    data: self->held->data
    dtype: float32
    shape: [rank / rank * sizeof(self->gpu->data) / sizeof(self->gpu->data)]
    match: {of: self->place, arms: [{when: 0, data: "&self->own"}, {when: 1, readonly: "true"}]}
    release: tens_free(self)
    new: {c: "tens *tens_new(int held, int far, int rank, int extents, int steps, int place)"}
  Known:
    type: tens
    require: [{expr: self->held != NULL, message: it has nothing}]
    data: self->held->data
    dtype: float32
    shape: [1]
    release: tens_free(self)
    new: {c: "tens *tens_new(int held, int far, int rank, int extents, int steps, int place)"}
  Chosen:
    type: tens
    data: "self->held != NULL ? self->held->data : NULL"
    dtype: float32
    shape: ["self->held != NULL"]
    release: tens_free(self)
    new: {c: "tens *tens_new(int held, int far, int rank, int extents, int steps, int place)"}
"""


@pytest.fixture(scope="module")
def nulls(tmp_path_factory: pytest.TempPathFactory) -> ModuleType:
    return build_module("nulls", SPEC, tmp_path_factory.mktemp("nulls"), HEADER)


@pytest.mark.parametrize(
    ("given", "reason"),
    [
        ((0, 1, 1, 1, 1, 0), r"self->held is NULL"),
        ((1, 0, 1, 1, 1, 0), r"self->far\[0\] is NULL"),
        ((1, 1, 1, 1, 1, 1), r"self->gpu is NULL"),
        ((1, 1, 2, 0, 1, 0), r"ndim \(self->at->rank\) is 2: the array with a value for each axis is NULL"),
        ((1, 1, 2, 1, 0, 0), r"ndim \(self->at->rank\) is 2: the array with a value for each axis is NULL"),
    ],
)
def test_a_null_pointer_that_a_slot_reads_is_a_buffer_error(
    nulls: ModuleType, given: tuple[int, ...], reason: str
) -> None:
    tensor = nulls.Tens(*given)
    with pytest.raises(BufferError, match=f"^nulls.Tens: {reason}$"):
        np.from_dlpack(tensor)
    with pytest.raises(BufferError, match=f"^nulls.Tens: {reason}$"):
        memoryview(tensor)


def test_without_axes_the_arrays_of_extents_can_be_null(nulls: ModuleType) -> None:
    assert np.from_dlpack(nulls.Tens(1, 1, 0, 0, 0, 0)) == 0


def test_a_spec_can_check_for_null_itself(nulls: ModuleType) -> None:
    with pytest.raises(BufferError, match=r"^nulls.Known: it has nothing$"):
        np.from_dlpack(nulls.Known(0, 0, 0, 0, 0, 0))
    assert [np.from_dlpack(nulls.Chosen(held, 0, 0, 0, 0, 0)).shape for held in (0, 1)] == [(0,), (1,)]


def test_only_pointers_that_are_read_must_not_be_null(nulls: ModuleType) -> None:
    assert np.from_dlpack(nulls.Inline(0, 1, 0, 0, 0, 0)).shape == (1,)
    with pytest.raises(BufferError, match=r"^nulls.Inline: self->held is NULL$"):
        np.from_dlpack(nulls.Inline(0, 1, 0, 0, 0, 1))
    with pytest.raises(BufferError, match=r"^nulls.Inline: self->far\[0\] is NULL$"):
        np.from_dlpack(nulls.Inline(1, 0, 0, 0, 0, 1))
