"""Integers and booleans of NumPy are arguments wherever those of Python are."""

from __future__ import annotations

from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from support.build import build_module

HEADER = Path(__file__).with_name("scalars.h").read_text()
SPEC = """
dlpack-bindgen: 1
module: scalars
include: scalars.h
constants:
  Gear: {enum: {SLOW: GEAR_SLOW, FAST: GEAR_FAST}}
  Door: {flags: {LEFT: DOOR_LEFT, RIGHT: DOOR_RIGHT}}
handles:
  Lift:
    type: lift
    release: free(self)
    new: {c: "lift *lift_new(int level, bool open)", args: {open: {default: false}}}
    properties:
      level: {get: self->level, set: {c: "void lift_move(lift *l, int level)"}}
      stored: {get: self->level, set: true}
      open: {get: self->open, type: bool, set: true}
      load: {get: self->load, type: float, set: true}
    methods:
      __getitem__: {c: "int lift_at(const lift *l, int index)"}
      at: {c: "int lift_at(const lift *l, int index)"}
functions:
  narrow: {c: int8_t narrow(int8_t n)}
  wide: {c: uint64_t wide(uint64_t n)}
  opposite: {c: bool opposite(bool b)}
  gear: {c: int gear(enum gear g), args: {g: Gear}}
  doors: {c: int doors(enum door d), args: {d: Door}}
  real: {c: double real(double x)}
  count: {c: "int count(const bool *flags, int n)", args: {n: {count_of: flags}}}
  sum: {c: "long long sum(const int32_t *numbers, int n)", args: {n: {count_of: numbers}}}
"""


@pytest.fixture(scope="module")
def lib(tmp_path_factory: pytest.TempPathFactory) -> ModuleType:
    return build_module("scalars", SPEC, tmp_path_factory.mktemp("scalars"), HEADER)


KINDS = [np.int8, np.uint8, np.int16, np.int64, np.uint64, np.bool_, np.array]


@pytest.mark.parametrize("kind", KINDS)
def test_integers_of_numpy_are_accepted_where_those_of_python_are(lib: ModuleType, kind: Any) -> None:
    one = kind(1)
    assert (lib.narrow(one), lib.wide(one), lib.real(one), lib.opposite(one)) == (1, 1, 1, False)
    assert (lib.gear(one), lib.doors(one)) == (1, 1)
    assert lib.sum([one, 2, one]) == 4
    assert lib.count([one, False, one]) == 2
    lift = lib.Lift(one, one)
    assert (lift.level, lift.open, lift[one], lift.at(one)) == (1, True, 2, 2)


@pytest.mark.parametrize("kind", KINDS)
def test_properties_are_set(lib: ModuleType, kind: Any) -> None:
    lift = lib.Lift(0)
    for name in ("level", "stored", "load"):
        setattr(lift, name, kind(1))
        assert getattr(lift, name) == 1
        setattr(lift, name, kind(0))
        assert getattr(lift, name) == 0
    for value in (np.True_, np.False_, np.array(True)):
        lift.open = value
        assert lift.open is bool(value)


@pytest.mark.parametrize("value", [True, False, np.True_, np.False_, np.bool_(1), np.array(False)])
def test_bools_of_numpy_are_accepted_where_those_of_python_are(lib: ModuleType, value: Any) -> None:
    assert lib.opposite(value) is not bool(value)
    assert lib.count([value] * 3) == 3 * bool(value)


def test_integers_of_numpy_beyond_the_c_type_are_refused(lib: ModuleType) -> None:
    assert lib.wide(np.uint64(2**64 - 1)) == 2**64 - 1
    with pytest.raises(OverflowError, match=r"^narrow\(\) argument 'n': signed 8-bit integer is greater than maximum$"):
        lib.narrow(np.int64(128))
    with pytest.raises(OverflowError, match=r"^wide\(\) argument 'n': can't convert negative int to unsigned$"):
        lib.wide(np.int8(-1))
    with pytest.raises(ValueError, match=r"^gear\(\) argument 'g': .*7.* is not a valid Gear$"):
        lib.gear(np.int16(7))
    assert lib.doors(np.uint8(3)) == 3


@pytest.mark.parametrize(
    "wrong", [np.float64(1), np.str_("1"), np.complex128(1), np.array(1.0), np.timedelta64(1, "s"), None]
)
def test_other_objects_of_numpy_are_not_integers(lib: ModuleType, wrong: Any) -> None:
    for function, message in ((lib.narrow, "narrow() argument 'n'"), (lib.gear, "gear() argument 'g'")):
        if function is lib.gear and isinstance(wrong, str):
            continue
        with pytest.raises(TypeError) as caught:
            function(wrong)
        assert str(caught.value).startswith(message)
    lift = lib.Lift(3)
    for name in ("level", "stored"):
        with pytest.raises(TypeError, match=f"^attribute '{name}'"):
            setattr(lift, name, wrong)
    assert lift.level == 3


class bool_:
    """A class that only has the name of NumPy's."""

    def __bool__(self) -> bool:
        return True


def test_a_class_with_the_name_of_numpys_bool_is_not_an_integer(lib: ModuleType) -> None:
    for module in (__name__, 5):
        bool_.__module__ = module  # type: ignore[assignment]
        with pytest.raises(TypeError, match=r"must be int, not "):
            lib.narrow(bool_())


class Labelled:
    """An object with keys, which is a sequence if it has one axis."""

    def __init__(self, ndim: Any) -> None:
        self.ndim = ndim

    def keys(self) -> list[str]:
        return ["a", "b"]

    def __len__(self) -> int:
        return 2

    def __getitem__(self, index: int) -> int:
        return range(5, 7)[index]


def test_the_number_of_axes_can_be_an_integer_of_numpy(lib: ModuleType) -> None:
    for ndim in (1, np.int64(1), np.uint8(1)):
        assert lib.sum(Labelled(ndim)) == 11
    for ndim in (2, np.int64(2), np.float64(1), None, "1"):
        with pytest.raises(TypeError, match=r"^sum\(\) argument 'numbers' must be an array"):
            lib.sum(Labelled(ndim))
