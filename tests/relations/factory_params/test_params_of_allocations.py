# SPDX-License-Identifier: MIT
"""New outputs whose allocation has params, `empty()` with these params, and results that take them from an argument."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from python.leaks import assert_no_growth, counters, refused, warm_up
from support.build import build_module

HEADER = Path(__file__).with_name("masses.h").read_text() + "int made_in_c(space *s, long n);\n"
SOURCE = Path(__file__).with_name("masses.c").read_text().replace("masses.h", "new_masses.h")
IN_C = """
#include "new_masses_dlpack.h"
int made_in_c(space *s, long n)
{
    int64_t shape[] = {n};
    const DLTensor prototype = {NULL, {kDLCPU, 0}, 1, {kDLFloat, 64, 1}, shape, NULL, 0};
    dlb_owner *owner;
    if (new_masses_mass_allocate(&prototype, &owner, NULL, s) != 0) return -1;
    const int living = s->masses;
    dlb_owner_drop(owner);
    return living;
}
"""
SPEC = """
module: new_masses
include: new_masses.h
handles:
  Space:
    type: space
    new: {c: space *space_new(void)}
    release: space_end(self)
    properties: {masses: self->masses}
tensors:
  Mass:
    type: mass
    params: [space *s]
    data: self->at
    dtype: float64
    shape: [self->n]
    release: mass_end(self, s)
    import: {params: [space *s], construct: "mass_over(s, data, n)", let: [{long n: "shape[0]"}]}
    allocate: {params: [space *s], let: [{long n: "shape[0] != 9 ? shape[0] : -1"}], construct: "mass_new(n, s)"}
    methods:
      doubled: {c: "int mass_into(const mass *m, mass *into)", args: {into: {default: like m}}, ok: == 0}
      twin: {c: "mass *mass_twin(const mass *m)", returns: {of: Mass, keeps: m}}
  Shared:
    type: shared
    params: [{space *a: NULL}, {space *b: NULL}]
    data: self->at
    dtype: float64
    shape: [self->n]
    release: shared_end(self, a, b)
    allocate:
      params: [{space *a: NULL}, {space *b: NULL}]
      let: [{long n: "shape[0]"}]
      construct: "shared_new(n, a, b)"
  Labelled:
    type: series
    params: [{const char *unit: '"m"'}]
    data: self.at
    dtype: float64
    shape: [self.n]
    release: free(self.at)
    pass: value
    allocate:
      params: [{double factor: 2}, {const char *unit: '"m"'}]
      let: [{out: series made, do: "series_init(&made, shape[0], factor, unit)"}]
      construct: made
    properties: {factor: {get: self.factor, type: float}, unit: {get: unit, type: str}}
functions:
  filled:
    c: int mass_filled(space *s, long n, mass *m)
    args: {m: {require: [{shape: [n]}], default: new}}
    ok: == 1
  maybe:
    c: int mass_filled(space *s, long n, mass *m)
    args: {s: {optional: true}, m: {require: [{shape: [n]}], default: new}}
    keyword_only: [s]
    ok: == 1
  into: {c: "int mass_into(const mass *m, mass *into)", args: {into: {default: like m}}, ok: == 0}
  label:
    c: void series_label(double factor, const char *unit, series into)
    args: {into: {require: [{shape: ["3"]}], default: new}}
  made_in_c: {c: "int made_in_c(space *s, long n)", ok: ">= 0", raises: MemoryError}
"""
HEADER += """
static inline int mass_filled(space *s, long n, mass *m)
{
    for (long i = 0; i < n; i++) m->at[i] = 5;
    return m->s == s && n != 4;
}
typedef struct shared { long n; double *at; } shared;
static inline shared *shared_new(long n, space *a, space *b)
{
    shared *const made = malloc(sizeof *made);
    double *const at = calloc((size_t)n + 1, sizeof(double));
    if (made == NULL || at == NULL) {
        free(made);
        free(at);
        return NULL;
    }
    *made = (shared){n, at};
    if (a != NULL) a->masses++;
    if (b != NULL) b->masses++;
    return made;
}
static inline void shared_end(shared *x, space *a, space *b)
{
    if (a != NULL) a->masses--;
    if (b != NULL) b->masses--;
    free(x->at);
    free(x);
}
static inline void series_init(series *x, long n, double factor, const char *unit)
{
    *x = (series){calloc((size_t)n + 1, sizeof(double)), n, factor, unit};
}
static inline void series_label(double factor, const char *unit, series into)
{
    into.at[0] = factor;
    into.at[1] = *unit;
}
"""


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> ModuleType:
    return build_module("new_masses", SPEC, tmp_path_factory.mktemp("new_masses"), HEADER, SOURCE + IN_C)


@pytest.fixture
def lib(built: ModuleType) -> ModuleType:
    assert counts(built) == (0, 0)
    return built


def counts(lib: ModuleType) -> tuple[int, ...]:
    """Returns the number of spaces that live, and of masses that lived longer than their space."""
    return counters(lib, "spaces_living", "masses_late")


X = np.array([1.0, 2.0, 3.0])


class TestOutputs:
    def test_a_new_output_takes_the_argument_with_the_name_of_the_param(self, lib: ModuleType) -> None:
        s = lib.Space()
        made = lib.filled(s, 2)
        assert (type(made), np.asarray(made).tolist(), s.masses) == (lib.Mass, [5, 5], 1)
        del s
        assert counts(lib) == (1, 0)
        del made
        assert counts(lib) == (0, 0)

    def test_a_new_output_takes_the_param_of_another_argument(self, lib: ModuleType) -> None:
        m = lib.Mass.from_dlpack(X, s=lib.Space())
        for made in (m.doubled(), lib.into(m)):
            assert np.asarray(made).tolist() == [2, 4, 6]
        del m
        assert counts(lib) == (1, 0)  # the space, which the output keeps alive

    def test_params_of_a_new_output_can_be_numbers_and_strings(self, lib: ModuleType) -> None:
        made = lib.label(3, "km")
        assert (np.asarray(made).tolist(), made.factor, made.unit) == ([3, ord("k"), 0], 3, "km")

    def test_a_result_takes_the_param_of_an_argument(self, lib: ModuleType) -> None:
        twin = lib.Mass.from_dlpack(X, s=lib.Space()).twin()
        assert (np.asarray(twin).tolist(), counts(lib)) == ([1, 2, 3], (1, 0))
        del twin
        assert counts(lib) == (0, 0)

    def test_c_can_allocate_with_the_params(self, lib: ModuleType) -> None:
        s = lib.Space()
        assert (lib.made_in_c(s, 3), s.masses) == (1, 0)


class TestEmpty:
    def test_empty_takes_the_param_as_a_keyword(self, lib: ModuleType) -> None:
        s = lib.Space()
        three = [lib.Mass.empty(2, s=s), lib.Mass.empty(s=s, shape=[2]), lib.Mass.empty((2,), s=s, dtype="float64")]
        assert ([each.shape for each in three], s.masses) == ([(2,)] * 3, 3)
        three.clear()
        assert s.masses == 0
        made = lib.Mass.empty(0, s=s)
        del s
        assert (made.shape, counts(lib)) == ((0,), (1, 0))

    def test_a_new_object_keeps_the_objects_of_several_params(self, lib: ModuleType) -> None:
        a, b = lib.Space(), lib.Space()
        made = lib.Shared.empty(3, b=b, a=a)
        assert (made.shape, a.masses, b.masses) == ((3,), 1, 1)
        del a, b
        assert counts(lib) == (2, 0)
        made.close()
        assert counts(lib) == (0, 0)
        assert np.asarray(lib.Shared.empty(2)).tolist() == [0, 0]

    def test_params_of_empty_can_have_defaults(self, lib: ModuleType) -> None:
        made, other = lib.Labelled.empty(3), lib.Labelled.empty(3, unit="kg", factor=4)
        assert (made.factor, made.unit, other.factor, other.unit) == (2, "m", 4, "kg")

    def test_the_signature_of_empty_shows_the_params(self, lib: ModuleType) -> None:
        assert lib.Mass.empty.__text_signature__ == "($type, /, shape, *, dtype='float64', s)"
        assert lib.Labelled.empty.__text_signature__ == "($type, /, shape, *, dtype='float64', factor=2, unit=\"m\")"


@pytest.mark.parametrize(
    ("call", "exception", "message"),
    [
        (lambda lib: lib.Mass.empty(2), TypeError, r"empty\(\) missing required keyword-only argument: 's'"),
        (
            lambda lib: lib.Mass.empty(s=lib.Space()),
            TypeError,
            r"empty\(\) missing required argument 'shape' \(pos 1\)",
        ),
        (lambda lib: lib.Mass.empty(2, s=3), TypeError, r"empty\(\) argument 's' must be Space, not int"),
        (lambda lib: lib.Mass.empty(2, t=3), TypeError, r"empty\(\) got an unexpected keyword argument 't'"),
        (lambda lib: lib.Mass.empty(2, dtype="int8", s=lib.Space()), ValueError, r".*the dtype is int8, not float64"),
        (lambda lib: lib.filled(lib.Space(), 9), RuntimeError, r"filled\(\) argument 'm': .*mass_new\(n, s\) failed"),
        (lambda lib: lib.filled(lib.Space(), 4), RuntimeError, r"filled\(\): mass_filled\(\) failed with 0 \(n=4\)"),
        (
            lambda lib: lib.maybe(2),
            TypeError,
            r"maybe\(\) argument 'm' must be Mass, not None: give Mass\.empty\(shape, s=\.\.\.\)",
        ),
    ],
)
def test_missing_and_wrong_params_are_refused(
    lib: ModuleType, call: Callable[[ModuleType], Any], exception: type[Exception], message: str
) -> None:
    with pytest.raises(exception, match=f"^{message}$") as info:
        call(lib)
    del info
    assert counts(lib) == (0, 0)


def test_allocations_with_params_leak_nothing(lib: ModuleType) -> None:
    s = lib.Space()
    m = lib.Mass.from_dlpack(X, s=s)

    def everything() -> None:
        lib.filled(s, 3)
        lib.filled(lib.Space(), 3)
        m.doubled().twin()
        lib.label(3, "km")
        lib.Mass.empty(shape=3, s=s)
        lib.Labelled.empty(3, unit="kg")
        refused(TypeError, lambda: lib.maybe(2))()
        refused(RuntimeError, lambda: lib.filled(s, 9))()
        refused(RuntimeError, lambda: lib.filled(s, 4))()
        refused(TypeError, lambda: lib.Mass.empty(2, s=s, t=1))()

    warm_up(everything)
    assert_no_growth(everything)
