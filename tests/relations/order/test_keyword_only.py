"""Options that stand before the arrays in C, and are keyword-only parameters in Python."""

from __future__ import annotations

import inspect
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from support.build import build_module

SPEC = """
dlpack-bindgen: 1
module: options
include: options.h
handles:
  Plan:
    type: plan
    release: free(self)
    new:
      c: plan *plan_new(int flags, const char *name, int size)
      args: {flags: {default: 1}}
      keyword_only: [flags]
    properties: {flags: self->flags, size: self->size}
    methods:
      run:
        c: double plan_run(int scale, plan *p, int shift, const double *x, int n)
        args: {scale: {default: 1}, shift: {default: scale}, n: {count_of: x}}
        keyword_only: [shift, scale]
functions:
  norm:
    c: double norm(char kind, int upper, const double *x, int n, double *work, const char *note)
    args:
      kind: {default: "'F'"}
      upper: {of: bool, default: 0}
      n: {count_of: x}
      work: {optional: true, require: [{count: n}]}
      note: {optional: true}
    keyword_only: [kind, upper]
    positional_only: x
"""
HEADER = Path(__file__).with_name("options.h").read_text()


@pytest.fixture(scope="module")
def lib(tmp_path_factory: pytest.TempPathFactory) -> ModuleType:
    return build_module("options", SPEC, tmp_path_factory.mktemp("options"), HEADER)


def test_keyword_only_parameters_come_last(lib: ModuleType) -> None:
    assert str(inspect.signature(lib.norm)) == "(x, /, work=None, note=None, *, kind='F', upper=False)"
    work = np.zeros(2)
    assert lib.norm([1.0, 2.0]) == 5
    assert lib.norm([1.0, 2.0], kind="1") == 3
    assert lib.norm([1.0, 2.0], work, "x", upper=True) == -1005
    assert work.tolist() == [1001, 1005]
    assert lib.norm([1.0, 2.0], upper=True, note="x", kind="1") == -1003


def test_methods_and_constructors_can_have_keyword_only_parameters(lib: ModuleType) -> None:
    plan = lib.Plan("ab", 3)
    assert (plan.flags, plan.size) == (1, 5)
    assert lib.Plan("", size=1, flags=7).flags == 7
    assert (plan.run([2.0]), plan.run([2.0], scale=3), plan.run(x=[2.0], shift=0, scale=3)) == (103, 109, 106)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda m: m.norm([1.0], None, None, "F"), r"norm\(\) takes at most 3 positional arguments \(4 given\)"),
        (lambda m: m.norm(kind="F"), r"norm\(\) missing required argument 'x' \(pos 1\)"),
        (lambda m: m.Plan(1, "a", 2), r"Plan\(\) takes exactly 2 positional arguments \(3 given\)"),
        (lambda m: m.norm([1.0], kind=1), r"norm\(\) argument 'kind' must be"),
    ],
)
def test_wrong_positions_and_keywords_are_refused(lib: ModuleType, call: Any, message: str) -> None:
    with pytest.raises(TypeError, match=message):
        call(lib)


# ---- Required parameters after the keyword-only one ----

PUMPS = """
dlpack-bindgen: 1
module: pumps
include: pumps.h
handles:
  Pump:
    type: pump
    release: free(self)
    new:
      c: pump *pump_new(int size, int flags, const char *name)
      args: {flags: {default: 1}}
      keyword_only: flags
    properties: {flags: self->flags, size: self->size}
    methods:
      push:
        c: double pump_push(pump *p, double gain, const double *x, int n, int turns)
        args: {gain: {default: 1}, n: {count_of: x}}
        keyword_only: gain
functions:
  flow:
    c: int pump_flow(int rate, int by, int offset, int context)
    args: {by: {default: 1}, offset: {default: 0}}
    keyword_only: by
    positional_only: rate
  ahead:
    c: int pump_flow(int rate, int by, int offset, int context)
    args: {rate: {default: 1}, by: {default: 1}}
    keyword_only: by
  needed:
    c: int pump_flow(int rate, int by, int offset, int context)
    args: {offset: {default: 0}}
    keyword_only: by
"""
PUMPS_HEADER = Path(__file__).with_name("pumps.h").read_text()


@pytest.fixture(scope="module")
def pumps(tmp_path_factory: pytest.TempPathFactory) -> ModuleType:
    return build_module("pumps", PUMPS, tmp_path_factory.mktemp("pumps"), PUMPS_HEADER)


@pytest.mark.parametrize(
    ("name", "signature"),
    [
        ("flow", "(rate, /, context, *, by=1, offset=0)"),
        ("ahead", "(rate=1, *, by=1, offset, context)"),
        ("needed", "(rate, *, by, offset=0, context)"),
    ],
)
def test_required_parameters_stay_positional_after_the_first_optional_parameter(
    pumps: ModuleType, name: str, signature: str
) -> None:
    assert str(inspect.signature(getattr(pumps, name))) == signature


def test_parameters_can_be_passed_by_position_or_name(pumps: ModuleType) -> None:
    assert (pumps.flow(2, 3), pumps.flow(2, context=3), pumps.flow(2, 3, offset=4, by=5)) == (2103, 2103, 2543)
    assert (pumps.ahead(offset=2, context=3), pumps.needed(1, by=2, context=3)) == (1123, 1203)
    pump = pumps.Pump(3, "ab")
    assert (pump.flags, pump.size, pumps.Pump(3, name="ab", flags=7).flags) == (1, 5, 7)
    assert (pump.push([2.0], 3), pump.push([2.0], turns=3, gain=2)) == (11, 17)
    with pytest.raises(TypeError, match=r"flow\(\) takes exactly 2 positional arguments \(3 given\)"):
        pumps.flow(1, 2, 3)
