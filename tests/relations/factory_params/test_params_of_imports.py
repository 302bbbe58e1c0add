# SPDX-License-Identifier: MIT
"""Arrays that become objects with params: the other arguments of the call have the values."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from python.leaks import assert_no_growth, counters, refused, warm_up
from support.build import build_module

HEADER = Path(__file__).with_name("masses.h").read_text()
SOURCE = Path(__file__).with_name("masses.c").read_text()
SPEC = """
module: masses
include: masses.h
handles:
  Space:
    type: space
    new: {c: space *space_new(void)}
    release: space_end(self)
    properties: {masses: self->masses}
    methods:
      total: {c: "double mass_total(const space *s, const mass *m)"}
      sum: {c: "double mass_total(const space *self, const mass *m)"}
      closing: {c: "int mass_fill(space *s, mass *m, double value)", args: {s: {invalidates: true}}}
  Unit: {type: unit_t, pass: value, release: unit_end(self), new: {c: unit_t unit_new(double factor)}}
  Rules: {type: rules, pass: value, release: (void)self, new: {c: rules rules_new(int twice), ok: none}}
tensors:
  Mass:
    type: mass
    params: [space *s]
    data: self->at
    dtype: float64
    shape: [self->n]
    release: mass_end(self, s)
    new: {c: "mass *mass_new(long n, space *s)", returns: {of: Mass, keeps: s}}
    import: {params: [space *s], construct: "mass_over(s, data, n)", let: [{long n: "shape[0]"}]}
    methods:
      dot: {c: "double mass_dot(const mass *a, const mass *b, const mass *c)", args: {c: {optional: true}}}
      times: {c: "double mass_dot(const mass *a, const mass *b, const mass *c)", args: {c: {value: "NULL"}}}
      of_own:
        c: "double mass_total(const space *s, const mass *m)"
        args: {s: {param_of: m}}
  Scale:
    type: scale_t
    data: self->at
    dtype: float64
    shape: [self->n]
    import: {set: {at: data, n: "shape[0]"}}
  Weights:
    type: weights
    params: [scale_t *scale]
    data: self->at
    dtype: float64
    shape: [self->n]
    release: weights_end(self)
    import: {params: [scale_t *scale], let: [{long n: "shape[0]"}], construct: "weights_over(scale, data, n)"}
  Lengths:
    type: lengths
    data: self->at
    dtype: float64
    shape: [self->n]
    import:
      params: [{unit_t u: "NULL"}, {rules r: "(rules){0}"}, {space *s: NULL}]
      set: {at: data, n: "shape[0]", factor: "u != NULL ? u->factor * (r.twice ? 2 : 1) : 0", s: s}
  Series:
    type: series
    data: self->at
    dtype: float64
    shape: [self->n]
    import:
      params: [double factor, {const char *unit: '"m"'}]
      set: {at: data, n: "shape[0]", factor: factor, unit: unit}
  Loose:
    type: loose
    params: [{space *s: NULL}]
    data: self->at
    dtype: float64
    shape: [self->n]
    import: {params: [{space *s: NULL}], set: {at: data, n: "shape[0]", s: s}}
  Rated:
    type: rated
    params: [double factor]
    data: self->at
    dtype: float64
    shape: [self->n]
    import: {params: [double factor], set: {at: data, n: "shape[0]", factor: factor}}
functions:
  same_space: {c: "int loose_same(const loose *a, const loose *b)"}
  factors: {c: "double rated_factors(const rated *a, const rated *b)"}
  total: {c: "double mass_total(const space *s, const mass *m)"}
  total_last: {c: "double mass_total_last(const mass *m, space *s)"}
  maybe: {c: "double mass_total(const space *s, const mass *m)", args: {s: {optional: true}}, keyword_only: [s]}
  kept_apart: {c: "double mass_total(const space *other, const mass *m)"}
  dot: {c: "double mass_dot(const mass *a, const mass *b, const mass *c)", args: {c: {optional: true}}}
  all: {c: "double mass_all(space *s, const mass *const *all, int n)", args: {n: {count_of: all}}}
  fill: {c: "int mass_fill(space *s, mass *m, double value)", release_gil: true}
  same: {c: "mass *mass_same(space *s, mass *m)", returns: {of: Mass, keeps: s}}
  kept: {c: "mass *mass_kept(space *s, mass *m)", returns: {of: Mass, keeps: [s, m]}}
  copied: {c: "double mass_total(const space *s, const mass *m)", args: {m: {require: [compact], copy: allowed}}}
  weigh: {c: "double weights_of(const weights *w, const scale_t *scale)"}
  length: {c: "double lengths_sum(unit_t u, rules r, const lengths *x)"}
  has: {c: "int lengths_has(const space *s, const lengths *x)", args: {s: {optional: true}}, keyword_only: [s]}
  value:
    c: double series_value(const series *x, double factor, const char *unit)
    args: {factor: {default: 2}}
    keyword_only: [factor]
"""
HEADER += """
typedef struct loose { double *at; long n; space *s; } loose;
typedef struct rated { double *at; long n; double factor; } rated;
static inline int loose_same(const loose *a, const loose *b) { return a->s == b->s ? 1 + (a->s != NULL) : 0; }
static inline double rated_factors(const rated *a, const rated *b) { return a->factor + 10 * b->factor; }
"""
HEADER += "static inline double mass_total_last(const mass *m, space *s) { return mass_total(s, m); }\n"


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> ModuleType:
    return build_module("masses", SPEC, tmp_path_factory.mktemp("masses"), HEADER, SOURCE)


@pytest.fixture
def lib(built: ModuleType) -> ModuleType:
    assert counts(built) == (0, 0)
    return built


def counts(lib: ModuleType) -> tuple[int, ...]:
    """Returns the number of spaces that live, and of masses that lived longer than their space."""
    return counters(lib, "spaces_living", "masses_late")


X = np.array([1.0, 2.0, 3.0])


class TestObjects:
    def test_an_array_takes_the_argument_with_the_name_of_the_param(self, lib: ModuleType) -> None:
        s = lib.Space()
        assert lib.total(s, X) == lib.total_last(X, s) == lib.total(m=X, s=s) == 106
        assert lib.total(lib.Space(), memoryview(X)) == lib.total(lib.Space(), X.__dlpack__()) == 106
        assert lib.total(s, lib.Mass.from_dlpack(X, s=s)) == 106
        assert s.masses == 0

    def test_an_array_takes_the_object_of_a_method(self, lib: ModuleType) -> None:
        assert lib.Space().total(X) == lib.Space().sum(X) == 106

    def test_an_array_takes_the_param_of_another_argument(self, lib: ModuleType) -> None:
        s = lib.Space()
        m = lib.Mass.from_dlpack(X, s=s)
        assert m.dot(X) == m.times(X) == lib.dot(m, X) == lib.dot(X, m) == 14
        assert lib.dot(X, m, X) == m.dot(X, X) == 36
        assert lib.dot(m, lib.Mass(3, s), X) == 0

    def test_an_array_takes_no_object_from_an_argument_without_one(self, lib: ModuleType) -> None:
        """The param of the argument has its default, NULL: the import has its default, too."""
        assert lib.same_space(lib.Loose.from_dlpack(X), X) == lib.same_space(X, X) == 1
        space = lib.Space()
        assert lib.same_space(X, lib.Loose.from_dlpack(X, s=space)) == 2

    def test_an_array_takes_a_number_from_an_argument(self, lib: ModuleType) -> None:
        rated = lib.Rated.from_dlpack(X, factor=3)
        assert (lib.factors(rated, X), lib.factors(X, rated)) == (33, 33)
        with pytest.raises(TypeError) as info:
            lib.factors(X, X)
        assert str(info.value) == (
            "factors() argument 'a' must be Rated, not numpy.ndarray: give Rated.from_dlpack(x, factor=...)"
        )

    def test_several_objects_must_agree(self, lib: ModuleType) -> None:
        a, b = (lib.Mass.from_dlpack(X, s=lib.Space()) for _ in range(2))
        with pytest.raises(TypeError) as info:
            lib.dot(X, a, b)
        assert str(info.value) == (
            "dot() argument 'a' cannot be made: the other objects of the call have different values of 's': "
            "give Mass.from_dlpack(x, s=...)"
        )
        assert a.dot(X, b) == 36  # the object of a method decides

    def test_params_can_be_objects_by_value(self, lib: ModuleType) -> None:
        assert lib.length(lib.Unit(3), lib.Rules(0), X) == 3
        assert lib.length(lib.Unit(3), lib.Rules(1), X) == 6

    def test_an_import_has_its_default_without_the_argument(self, lib: ModuleType) -> None:
        assert lib.has(X) == lib.has(X, s=None) == lib.has(X, s=lib.Space()) == 1

    def test_arrays_of_a_list_take_the_params(self, lib: ModuleType) -> None:
        s = lib.Space()
        assert lib.all(s, [X, lib.Mass.from_dlpack(X, s=s), X[1:].copy()]) == 4
        assert s.masses == 0

    def test_c_writes_to_the_array(self, lib: ModuleType) -> None:
        x = np.zeros(3)
        assert (lib.fill(lib.Space(), x, 4), x.tolist()) == (1, [4, 4, 4])
        with pytest.raises(BufferError, match=r"^fill\(\) argument 'm': the object is read-only"):
            lib.fill(lib.Space(), np.broadcast_to(0.0, 1), 4)

    def test_an_array_can_be_the_param_of_another_array(self, lib: ModuleType) -> None:
        scale = np.array([3.0])
        assert (lib.weigh(X, scale), scale.tolist()) == (3, [4])
        own = lib.Scale.from_dlpack(scale)
        assert (lib.weigh(X, own), scale.tolist()) == (4, [5])
        assert lib.weigh(lib.Weights.from_dlpack(X, scale=own), own) == 5

    def test_a_result_keeps_the_object(self, lib: ModuleType) -> None:
        kept = lib.kept(lib.Space(), X.copy())
        assert counts(lib) == (1, 0)
        assert np.asarray(kept).tolist() == [1, 2, 3]
        del kept
        assert counts(lib) == (0, 0)
        x = X.copy()
        assert lib.same(lib.Space(), x) is x
        assert counts(lib) == (0, 0)

    def test_a_copy_takes_the_params(self, lib: ModuleType) -> None:
        steps = np.arange(6.0)[::2]
        assert lib.copied(lib.Space(), steps) == 106
        with pytest.raises(BufferError, match=r"^total\(\) argument 'm': the array must be compact"):
            lib.total(lib.Space(), steps)


class TestNumbers:
    def test_params_can_be_numbers_and_strings(self, lib: ModuleType) -> None:
        assert lib.value(X, "km", factor=3) == 3
        assert lib.value(X, unit="m") == 2


@pytest.mark.parametrize(
    ("call", "exception", "message"),
    [
        (
            lambda lib: lib.kept_apart(lib.Space(), X),
            TypeError,
            r"kept_apart\(\) argument 'm' must be Mass, not {}: {}",
        ),
        (lambda lib: lib.kept_apart(lib.Space(), 3), TypeError, r"kept_apart\(\) argument 'm' must be Mass, not int"),
        (lambda lib: lib.dot(X, X), TypeError, r"dot\(\) argument '[ab]' must be Mass, not {}: {}"),
        (lambda lib: lib.maybe(X), TypeError, r"maybe\(\) argument 'm' must be Mass, not {}: {}"),
        (lambda lib: lib.total(3, X), TypeError, r"total\(\) argument 's' must be Space, not int"),
        (lambda lib: lib.total(None, X), TypeError, r"total\(\) argument 's' must be Space, not None"),
        (lambda lib: lib.total(lib.Space(), 3), TypeError, r"total\(\) argument 'm' must be Mass or an array, not int"),
        (lambda lib: lib.total(lib.Space(), X.astype("f")), BufferError, r"total\(\) argument 'm': the dtype is .*"),
        (
            lambda lib: lib.all(lib.Space(), [X, 3]),
            TypeError,
            r"all\(\) argument 'all' must be Mass or an array, not int",
        ),
        (lambda lib: lib.total(closed(lib), X), ValueError, r"total\(\) argument 's' is closed"),
        (lambda lib: lib.Space().closing(X, 1), BufferError, r"closing\(\) argument 'self': its memory is in use: .*"),
        (lambda lib: lib.weigh(X, X.astype("f")), BufferError, r"weigh\(\) argument 'scale': the dtype is float32.*"),
        (lambda lib: lib.value(X, "m", factor="m"), TypeError, r"value\(\) argument 'factor' must be .*"),
    ],
)
def test_missing_and_wrong_params_are_refused(
    lib: ModuleType, call: Callable[[ModuleType], Any], exception: type[Exception], message: str
) -> None:
    with pytest.raises(exception) as info:
        call(lib)
    expected = message.format(r"(numpy\.)?ndarray", r"give Mass\.from_dlpack\(x, s=\.\.\.\)")
    info.match(f"^{expected}$")
    del info
    assert counts(lib) == (0, 0)


def closed(lib: ModuleType) -> Any:
    s = lib.Space()
    s.close()
    return s


def test_the_docstrings_name_the_params(lib: ModuleType) -> None:
    taken = "is read: Mass, or an array that Mass.from_dlpack() takes with"
    assert f"`m` {taken} `s`." in lib.total.__doc__
    assert f"`m` {taken} this object." in lib.Space.sum.__doc__
    assert f"`b` {taken} the `s` of this object." in lib.Mass.dot.__doc__
    assert f"`a` {taken} the `s` of `b` or `c`." in lib.dot.__doc__
    assert "`m` is read: Mass." in lib.kept_apart.__doc__


def test_imports_with_params_leak_nothing(lib: ModuleType) -> None:
    s = lib.Space()
    m = lib.Mass.from_dlpack(X, s=s)

    def everything() -> None:
        lib.total(s, X)
        lib.Space().total(X)
        lib.dot(X, m, X)
        lib.all(lib.Space(), [X, X])
        lib.kept(lib.Space(), X)
        lib.weigh(X, X.copy())
        lib.value(X, "km")
        refused(TypeError, lambda: lib.dot(X, X))()
        refused(TypeError, lambda: lib.maybe(X))()
        refused(BufferError, lambda: lib.total(s, np.zeros((2, 2))))()
        refused(TypeError, lambda: lib.all(s, [X, 3]))()

    warm_up(everything)
    assert_no_growth(everything)
