# SPDX-License-Identifier: MIT
"""Owners keep objects alive. Exports have a known cost, also without memory and with many threads."""

from __future__ import annotations

from collections.abc import Callable

import pytest

RunProgram = Callable[..., None]

WRAP = ["-Wl,--wrap=malloc,--wrap=calloc,--wrap=free"]

TENSOR = """
    type: grid
    data: self->data
    dtype: float32
    shape: [self->rows, self->columns]
    strides: {outer: self->pitch, unit: elements}
    readonly: self->locked
    require: [{expr: "!self->broken", message: the grid is broken}]
"""
FACTORIES = """
    allocate: {construct: "grid_new(shape[0], shape[1])", ok: "!= NULL"}
    import: {construct: "grid_wrap(data, shape[0], shape[1], strides[0])", ok: "!= NULL"}
"""
GRIDS = f"""
module: grids
include: [grid.h]
tensors:
  Moved:{TENSOR}    release: grid_unref(self){FACTORIES}
  Shared:{TENSOR}    release: grid_unref(self)
    retain: grid_ref(self)
  Borrowed:{TENSOR}"""


def test_an_object_lives_as_long_as_its_owner_and_exports(run_program: RunProgram) -> None:
    run_program(GRIDS, "owner.c", "grid.c")


def test_an_export_allocates_at_most_once_and_never_while_the_slot_is_free(run_program: RunProgram) -> None:
    run_program(GRIDS, "slot.c", "grid.c", flags=WRAP)


def test_a_malloc_that_fails_leaves_no_export_half_done(run_program: RunProgram) -> None:
    run_program(GRIDS, "no_memory.c", "grid.c", flags=WRAP)


@pytest.mark.parametrize("run_program", ["plain", "thread"], indirect=True)
def test_threads_can_share_an_owner(run_program: RunProgram) -> None:
    run_program(GRIDS, "threads.c", "grid.c", flags=["-pthread"])


@pytest.mark.parametrize("run_program", ["sanitized", "valgrind"], indirect=True)
def test_a_thousand_steps_in_any_order_leave_nothing_behind(run_program: RunProgram) -> None:
    run_program(GRIDS, "stress.c", "grid.c")


def test_states_are_copied_and_parts_keep_their_whole(run_program: RunProgram) -> None:
    run_program(None, "state.c")


def test_parts_have_the_params_of_their_whole(run_program: RunProgram) -> None:
    run_program(None, "inherit.c")


def test_objects_can_live_by_value_in_their_owner(run_program: RunProgram) -> None:
    run_program(None, "value.c")


def test_adopted_objects_are_released_once(run_program: RunProgram) -> None:
    run_program(None, "adopt.c", flags=WRAP)


def test_subobjects_keep_the_object_that_holds_them(run_program: RunProgram) -> None:
    run_program(None, "within.c", flags=WRAP)


def test_owners_keep_their_dependencies(run_program: RunProgram) -> None:
    run_program(None, "keeps.c", flags=WRAP)


def test_dependencies_are_transferred(run_program: RunProgram) -> None:
    run_program(None, "transfer_dependencies.c", flags=WRAP)


def test_arrays_of_the_runtime_are_zeroed_aligned_and_limited(run_program: RunProgram) -> None:
    run_program(None, "own_arrays.c")


def test_hooks_run_around_exports(run_program: RunProgram) -> None:
    run_program(None, "access_scope.c")


def test_a_malloc_that_fails_leaves_no_state_part_or_lease_half_done(run_program: RunProgram) -> None:
    run_program(None, "scarce.c", flags=WRAP)


@pytest.mark.parametrize("run_program", ["plain", "thread"], indirect=True)
def test_threads_can_share_access_scopes_creators_and_leases(run_program: RunProgram) -> None:
    run_program(None, "threads_special.c", flags=["-pthread"])
