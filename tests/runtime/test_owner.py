# SPDX-License-Identifier: MIT
"""Owners: who holds the object how long, what one export costs, what happens without memory and with many threads."""

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


def test_the_object_lives_as_long_as_somebody_shares_it(run_program: RunProgram) -> None:
    run_program(GRIDS, "owner.c", "grid.c")


def test_an_export_allocates_at_most_once_and_never_while_the_slot_is_free(run_program: RunProgram) -> None:
    run_program(GRIDS, "slot.c", "grid.c", flags=WRAP)


def test_without_memory_nothing_is_half_done(run_program: RunProgram) -> None:
    run_program(GRIDS, "no_memory.c", "grid.c", flags=WRAP)


@pytest.mark.parametrize("run_program", ["plain", "thread"], indirect=True)
def test_owners_are_shared_by_threads(run_program: RunProgram) -> None:
    run_program(GRIDS, "threads.c", "grid.c", flags=["-pthread"])


@pytest.mark.parametrize("run_program", ["sanitized", "valgrind"], indirect=True)
def test_a_thousand_steps_in_any_order_leave_nothing_behind(run_program: RunProgram) -> None:
    run_program(GRIDS, "stress.c", "grid.c")


def test_states_and_parts(run_program: RunProgram) -> None:
    run_program(None, "state.c")


def test_parts_have_the_params_of_their_whole(run_program: RunProgram) -> None:
    run_program(None, "inherit.c")


def test_values_and_params(run_program: RunProgram) -> None:
    run_program(None, "value.c")


def test_objects_that_are_given_away(run_program: RunProgram) -> None:
    run_program(None, "adopt.c", flags=WRAP)


def test_objects_that_live_in_others(run_program: RunProgram) -> None:
    run_program(None, "within.c", flags=WRAP)


def test_what_owners_keep(run_program: RunProgram) -> None:
    run_program(None, "keeps.c", flags=WRAP)


def test_dependencies_are_transferred(run_program: RunProgram) -> None:
    run_program(None, "transfer_dependencies.c", flags=WRAP)


def test_arrays_of_the_runtime(run_program: RunProgram) -> None:
    run_program(None, "own_arrays.c")


def test_what_happens_around_exports(run_program: RunProgram) -> None:
    run_program(None, "access_scope.c")


def test_without_memory_nothing_of_that_is_half_done(run_program: RunProgram) -> None:
    run_program(None, "scarce.c", flags=WRAP)


@pytest.mark.parametrize("run_program", ["plain", "thread"], indirect=True)
def test_access_scopes_creators_and_leases_are_for_many_threads(run_program: RunProgram) -> None:
    run_program(None, "threads_special.c", flags=["-pthread"])
