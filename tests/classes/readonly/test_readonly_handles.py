"""Memory that must not be written, behind handles and behind `const`."""

from __future__ import annotations

from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

from support.build import build_module

SPEC = """
dlpack-bindgen: 1
module: guarded
include: guarded.h
constants:
  Status: {enum: [STATUS_OFF, STATUS_ON]}
handles:
  Plan:
    type: plan
    release: free(self)
    import: {require: [{ndim: 1}, {dtype: float64}, compact], construct: "plan_new(data, (int)shape[0])"}
    methods:
      run: {c: void plan_run(plan *p)}
      sum: {c: double plan_sum(const plan *p)}
  Conf:
    type: conf
    methods:
      standard: {c: const conf *conf_standard(void), returns: {of: Conf, borrow: static}}
      own: {c: conf *conf_own(void), returns: {of: Conf, borrow: static}}
      set: {c: "void conf_set(conf *c, int k)"}
      get: {c: int conf_get(conf *c), args: {c: {writes: false}}}
    properties: {k: {get: self->k, set: {c: "void conf_set(conf *c, int k)"}}}
tensors:
  Image: {type: image, data: self->p, dtype: uint8, shape: [self->w], import: {set: {w: "shape[0]", p: data}}}
functions:
  run: {c: void plan_run(plan *p)}
  sum: {c: double plan_sum(const plan *p)}
  render: {c: void render(const image *to), args: {to: {writes: true}}}
  status: {c: int status(void), returns: Status}
  meets: {c: char meets(int x), returns: bool}
  attempt: {c: outcome attempt(int x), ok: "%.code == 0", error: result.message}
"""
HEADER = Path(__file__).with_name("guarded.h").read_text()


@pytest.fixture(scope="module")
def guarded(tmp_path_factory: pytest.TempPathFactory) -> ModuleType:
    return build_module("guarded", SPEC, tmp_path_factory.mktemp("guarded"), HEADER)


def frozen(count: int, dtype: str) -> np.ndarray:
    array = np.zeros(count, dtype)
    array.flags.writeable = False
    return array


def test_handles_of_read_only_arrays_are_not_written(guarded: ModuleType) -> None:
    array = frozen(3, "f8")
    plan = guarded.Plan.from_dlpack(array)
    with pytest.raises(BufferError, match=r"run\(\) argument 'self': the object is read-only, and must be writable"):
        plan.run()
    with pytest.raises(BufferError, match=r"run\(\) argument 'p': the object is read-only"):
        guarded.run(array)
    assert (plan.sum(), guarded.sum(array), array.sum()) == (0, 0, 0)


def test_handles_of_writable_arrays_are_written(guarded: ModuleType) -> None:
    array = np.zeros(3)
    guarded.Plan.from_dlpack(array).run()
    guarded.run(array)
    assert array.tolist() == [2, 2, 2]


def test_const_handles_are_not_written(guarded: ModuleType) -> None:
    conf = guarded.Conf.standard()
    with pytest.raises(BufferError, match="read-only"):
        conf.set(5)
    with pytest.raises(BufferError, match="read-only"):
        conf.k = 5
    assert (conf.k, conf.get()) == (3, 3)
    other = guarded.Conf.own()
    other.set(6)
    other.k += 1
    assert other.get() == 7


def test_data_of_a_const_object_can_be_written_if_the_array_is_writable(guarded: ModuleType) -> None:
    array = np.zeros(2, np.uint8)
    guarded.render(array)
    assert array.tolist() == [7, 7]
    with pytest.raises(BufferError, match="read-only"):
        guarded.render(frozen(2, "u1"))


def test_an_enum_and_a_function_may_have_one_name(guarded: ModuleType) -> None:
    assert guarded.status() is guarded.Status.STATUS_ON


def test_a_char_can_be_a_bool(guarded: ModuleType) -> None:
    assert (guarded.meets(3), guarded.meets(2)) == (True, False)
    assert type(guarded.meets(3)) is bool


def test_a_struct_can_tell_a_failure(guarded: ModuleType) -> None:
    assert guarded.attempt(0) is None
    with pytest.raises(RuntimeError, match="no luck"):
        guarded.attempt(1)
