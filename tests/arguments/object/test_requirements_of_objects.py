# SPDX-License-Identifier: MIT
"""Functions that require more of an object than its class does, of its own objects and of arrays."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from support.build import build_module

KINDS = "{of: self->kind, map: {0: float32, 1: float64}}"
SPEC = f"""
dlpack-bindgen: 1
module: demanding
include: demanding.h
tensors:
  Series:
    type: series
    data: self->data
    dtype: {KINDS}
    shape: [self->count]
    import: {{set: {{data: data, count: "shape[0]", kind: code}}}}
    properties: {{kind: self->kind, mark: {{get: self->mark, set: true}}}}
  Fixed:
    type: fixed
    data: self->data
    dtype: float64
    shape: [self->count]
    readonly: true
    import: {{set: {{data: data, count: "shape[0]"}}}}
    properties: {{count: self->count, mark: {{get: self->mark, set: true}}}}
  Placed:
    type: placed
    data: self->data
    dtype: float64
    shape: [self->count]
    device: {{of: self->place, map: {{0: cpu, 1: cuda}}, id: self->id}}
    import: {{set: {{data: data, count: "shape[0]", place: device_code, id: device_id}}}}
functions:
  total: {{c: double total(const series *x), args: {{x: {{require: [{{dtype: float32}}]}}}}}}
  sum_of_three: {{c: double sum_of_three(const double *x), args: {{x: {{of: array, require: [{{shape: [3]}}]}}}}}}
  single: {{c: double single(const double *x), args: {{x: {{of: array, require: [{{ndim: 0}}]}}}}}}
  place: {{c: int place(const placed *x)}}
  place_on_cpu: {{c: int place(const placed *x), args: {{x: {{require: [{{device: cpu}}]}}}}}}
  any_total: {{c: double total(const series *x)}}
  words: {{c: "char *words(int bad, char ***list)", args: {{list: {{of: strings, out: true}}}}, returns: str}}
  counted:
    c: char *counted(int bad, char ***list, int *n)
    args: {{list: {{of: strings, out: true, count: n}}, n: {{out: true}}}}
    returns: str
  label: {{c: "char *label(int bad, char room[8])", args: {{room: {{of: str, out: true}}}}, returns: str}}
"""
HEADER = Path(__file__).with_name("demanding.h").read_text()


@pytest.fixture(scope="module")
def demanding(tmp_path_factory: pytest.TempPathFactory) -> ModuleType:
    return build_module("demanding", SPEC, tmp_path_factory.mktemp("demanding"), HEADER)


@pytest.mark.parametrize("made", [False, True])
def test_a_function_can_refuse_a_dtype_of_the_class(demanding: ModuleType, made: bool) -> None:
    single, double = np.arange(4, dtype=np.float32), np.arange(4.0)
    give = demanding.Series.from_dlpack if made else np.asarray
    assert demanding.any_total(give(single)) == demanding.any_total(give(double)) == 6
    assert demanding.total(give(single)) == 6
    with pytest.raises(BufferError, match=r"^total\(\) argument 'x': the dtype is float64, not float32$"):
        demanding.total(give(double))


def test_a_function_can_refuse_a_device_of_the_class(demanding: ModuleType, managed: Callable[..., Any]) -> None:
    def remote() -> object:
        return managed(device_type=2, dtype=(2, 64, 1), axes=((3,), (1,))).capsule()

    assert (demanding.place_on_cpu(np.zeros(3)), demanding.place(np.zeros(3)), demanding.place(remote())) == (0, 0, 1)
    with pytest.raises(BufferError, match=r"^place_on_cpu\(\) argument 'x': the data is on cuda, not cpu$"):
        demanding.place_on_cpu(remote())


def test_numbers_of_another_shape_are_refused(demanding: ModuleType) -> None:
    assert demanding.sum_of_three([1, 2, 3]) == demanding.sum_of_three(np.arange(1.0, 4)) == 6
    for given in ([1, 2], np.arange(2.0), range(2)):
        with pytest.raises(ValueError, match=r"^sum_of_three\(\) argument 'x' must have shape \(3,\), not \(2,\)$"):
            demanding.sum_of_three(given)


def test_a_sequence_is_refused_where_an_array_without_axes_is_required(demanding: ModuleType) -> None:
    assert demanding.single(np.array(3.0)) == 3
    for given in ([3], np.ones(1), range(1)):
        with pytest.raises(BufferError, match=r"^single\(\) argument 'x': the array has 1 axis, not 0$"):
            demanding.single(given)


def test_the_first_result_that_fails_is_the_one_that_is_raised(demanding: ModuleType) -> None:
    assert demanding.words(0) == ("a", ["a", "a"])
    assert demanding.counted(0) == ("a", ["a", "a"])
    assert demanding.label(0) == ("a", "b")
    for call in (demanding.words, demanding.counted, demanding.label):
        with pytest.raises(UnicodeDecodeError):
            call(1)


def test_an_object_whose_first_property_cannot_be_set_can_be_pickled(demanding: ModuleType) -> None:
    made, fixed = (each.from_dlpack(np.arange(4.0)) for each in (demanding.Series, demanding.Fixed))
    made.mark, fixed.mark = 7, 8
    for protocol in (2, 4, 5):
        again, still = pickle.loads(pickle.dumps((made, fixed), protocol))
        assert (again.kind, again.mark, np.asarray(again).tolist()) == (1, 7, [0, 1, 2, 3])
        assert (still.count, still.mark, np.from_dlpack(still).tolist()) == (4, 8, [0, 1, 2, 3])
