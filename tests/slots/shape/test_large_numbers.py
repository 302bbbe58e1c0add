# SPDX-License-Identifier: MIT
"""Ranks, extents, device ids and dtypes in unsigned members, whose numbers can be larger than 2**63 - 1."""

from __future__ import annotations

from types import ModuleType
from typing import Any

import numpy as np
import pytest

from support.build import build_module

HEADER = """
#include <stdint.h>
#include <stdlib.h>
typedef struct wide {
    uint64_t code, lanes, id, rank, extents[3];
    int place;
    const uint64_t *others;
    uint8_t at[8];
} wide;
static inline wide *wide_new(uint64_t rank, uint64_t extent, uint64_t id, uint64_t code, uint64_t lanes)
{
    wide *const made = calloc(1, sizeof *made);
    if (made != NULL) {
        *made = (wide){.code = code, .lanes = lanes, .id = id, .rank = rank, .extents = {extent, 1, 1}};
        made->place = id != 0;
        made->others = rank != 0 ? made->extents : NULL;
    }
    return made;
}
"""
SLOTS = """
    data: self->at
    dtype: {code: self->code, bits: "8", lanes: self->lanes}
    device: {of: self->place, map: {0: cpu, 1: cuda}, id: self->id}
    release: free(self)
    new:
      c: wide *wide_new(uint64_t rank, uint64_t extent, uint64_t id, uint64_t code, uint64_t lanes)
      args: {rank: {default: 1}, extent: {default: 4}, id: {default: 0}, code: {default: 1}, lanes: {default: 1}}
"""
SPEC = f"""
dlpack-bindgen: 1
module: large
include: large.h
tensors:
  Inside:
    type: wide
    shape: {{ndim: self->rank, each: "self->extents[axis]"}}{SLOTS}
  Pointed:
    type: wide
    shape: {{ndim: self->rank, each: "self->others[axis]"}}{SLOTS}
  Equal:
    type: wide
    shape: {{ndim: self->rank, each: "1"}}{SLOTS}
"""
HUGE = 2**64 - 1


@pytest.fixture(scope="module")
def lib(tmp_path_factory: pytest.TempPathFactory) -> ModuleType:
    return build_module("large", SPEC, tmp_path_factory.mktemp("large"), HEADER)


CODES = "the codes of DLPack are kDLInt (0) to kDLBcomplex (18)"


@pytest.mark.parametrize("cls", ["Inside", "Pointed"])
@pytest.mark.parametrize(
    ("numbers", "message"),
    [
        ({"rank": HUGE}, f"ndim (self->rank) is {HUGE}: a rank is 0 to 64"),
        ({"rank": 65}, "ndim (self->rank) is 65: the struct cannot hold so many axes"),
        ({"extent": HUGE}, f"shape[0] (EXTENT) is {HUGE}: an extent is 0 to 2^63 - 1"),
        ({"id": HUGE}, f"device id (self->id) is {HUGE}: a device id is 0 to 2^31 - 1"),
        ({"id": 2**31}, f"device id (self->id) is {2**31}: a device id is 0 to 2^31 - 1"),
        ({"code": HUGE}, f"dtype code (self->code) is {HUGE}: {CODES}"),
        ({"code": 19}, f"dtype code (self->code) is 19: {CODES}"),
        ({"lanes": HUGE}, f"dtype lanes (self->lanes) is {HUGE}: there are 1 to 65535 lanes"),
        ({"lanes": 65536}, "dtype lanes (self->lanes) is 65536: there are 1 to 65535 lanes"),
        ({"lanes": 0}, "dtype lanes (self->lanes) is 0: there are 1 to 65535 lanes"),
    ],
)
def test_a_number_that_does_not_fit_is_reported(
    lib: ModuleType, cls: str, numbers: dict[str, Any], message: str
) -> None:
    made = getattr(lib, cls)(**numbers)
    member = {"Inside": "self->extents[axis]", "Pointed": "self->others[axis]"}[cls]
    for export in (made.__dlpack__, lambda: made.__dlpack__(max_version=(1, 0)), lambda: made.shape):
        with pytest.raises(BufferError) as error:
            export()
        assert str(error.value) == f"large.{cls}: {message.replace('EXTENT', member)}"


@pytest.mark.parametrize("rank", [HUGE, 65])
def test_a_rank_of_extents_that_are_not_stored_is_at_most_64(lib: ModuleType, rank: int) -> None:
    with pytest.raises(BufferError) as error:
        lib.Equal(rank=rank).__dlpack__()
    assert str(error.value) == f"large.Equal: ndim (self->rank) is {rank}: a rank is 0 to 64"
    assert np.from_dlpack(lib.Equal(rank=3)).shape == (1, 1, 1)


def test_an_array_without_axes_needs_no_extents(lib: ModuleType) -> None:
    assert [np.from_dlpack(getattr(lib, cls)(rank=0)).shape for cls in ("Inside", "Pointed")] == [(), ()]
