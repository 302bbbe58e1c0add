# SPDX-License-Identifier: MIT
"""Objects of a class where C takes an array: their memory is exported first, and copies of it are written back."""

from __future__ import annotations

import ctypes
import pickle
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from support.build import build_module

HERE = Path(__file__).resolve().parent
NUMBERS = """
    type: pinned
    data: self->data
    dtype: float64
    shape: [self->count]
    strides: [self->step]
    require: [{expr: "!self->broken", message: it is broken}]
    release: pinned_free(self)
    new: {c: "pinned *pinned_new(int count, int step)"}
    properties:
      pins: self->pins
      waits: self->waits
      refuses_pin: {get: self->refuses_pin, set: true}
      refuses_wait: {get: self->refuses_wait, set: true}
      broken: {get: self->broken, set: true}
      is_shared: self->is_shared
    methods:
      break_next: {c: void pinned_break_next(pinned *self)}
      share: {c: void pinned_share(pinned *self)}
"""
SPEC = f"""
dlpack-bindgen: 1
module: pinning
include: pinned.h
tensors:
  Pinned:{NUMBERS}
    acquire: {{do: pinned_pin(self), ok: == 0, error: '"no pin is free"'}}
    restore: pinned_unpin(self)
  Awaited:{NUMBERS}
    device: {{of: self->is_shared, map: {{0: cpu, 1: cuda_host}}}}
    import:
      construct: "pinned_copy(data, (int)shape[0], device_code)"
      ok: "!= NULL"
      copy: always
    sync: {{do: "pinned_wait(self, stream)", ok: == 0, error: '"the stream is gone"'}}
  Simple:{NUMBERS}
  Nibbles:
    type: pinned
    data: self->data
    dtype: float4_e2m1fn
    shape: [self->count]
    release: pinned_free(self)
    new: {{c: "pinned *pinned_new(int count, int step)"}}
    properties: {{first: "*(unsigned char *)self->data", second: "((unsigned char *)self->data)[1]"}}
functions:
  sum_of: {{c: "double sum_of(const double *x, size_t n)", args: {{n: {{count_of: x}}}}}}
  negate: {{c: "void negate(double *x, size_t n)", args: {{x: {{copy: allowed}}, n: {{count_of: x}}}}}}
  negate_aligned:
    c: "void negate(double *x, size_t n)"
    args: {{x: {{copy: allowed, require: [{{align: 1048576}}]}}, n: {{count_of: x}}}}
  invert_aligned:
    c: "void invert(void *x, size_t nbytes)"
    args:
      x: {{of: array, copy: allowed, require: [{{align: 1048576}}, {{dtype: float4_e2m1fn}}]}}
      nbytes: {{size_of: x}}
"""


@pytest.fixture(scope="module")
def lib(tmp_path_factory: pytest.TempPathFactory) -> ModuleType:
    header = (HERE / "pinned.h").read_text(encoding="utf-8")
    return build_module("pinning", SPEC.replace("pinned.h", "pinning.h"), tmp_path_factory.mktemp("pinning"), header)


def numbers(made: Any) -> list[float]:
    return np.asarray(made).tolist()


class TestWhatPreparesTheMemory:
    def test_an_object_is_pinned_during_the_call(self, lib: ModuleType) -> None:
        made = lib.Pinned(3, 1)
        assert (lib.sum_of(made), made.pins) == (6, 0)
        made.refuses_pin = 1
        with pytest.raises(
            RuntimeError, match=r"^sum_of\(\) argument 'x': .*pinned_pin\(self\) failed: no pin is free$"
        ):
            lib.sum_of(made)
        assert made.pins == 0

    def test_the_call_waits_for_the_object(self, lib: ModuleType) -> None:
        made = lib.Awaited(3, 1)
        assert (lib.sum_of(made), made.waits) == (6, 1)
        made.refuses_wait = 1
        with pytest.raises(RuntimeError, match=r"^sum_of\(\) argument 'x': .*failed: the stream is gone$"):
            lib.sum_of(made)
        made.refuses_wait = 0
        assert lib.sum_of(made) == 6

    def test_a_pickle_waits_for_memory_that_is_shared_with_a_device(self, lib: ModuleType) -> None:
        made = lib.Awaited(3, 1)
        made.share()
        assert pickle.dumps(made, 4)  # 5, the default since Python 3.14, asks for the memory three times
        assert (made.is_shared, made.waits) == (1, 1)
        made.refuses_wait = 1
        with pytest.raises(RuntimeError, match=r"failed: the stream is gone$"):
            pickle.dumps(made)

    @pytest.mark.parametrize("name", ["Pinned", "Awaited", "Simple"])
    def test_an_object_that_cannot_be_shown_is_refused(self, lib: ModuleType, name: str) -> None:
        made = getattr(lib, name)(3, 1)
        made.broken = 1
        with pytest.raises(BufferError, match=r"^sum_of\(\) argument 'x': .*it is broken$"):
            lib.sum_of(made)
        made.broken = 0
        assert lib.sum_of(made) == 6


class TestCopiesThatAreWrittenBack:
    @pytest.mark.parametrize("name", ["Pinned", "Awaited", "Simple"])
    def test_a_copy_is_written_back_to_an_object(self, lib: ModuleType, name: str) -> None:
        made = getattr(lib, name)(3, 2)
        lib.negate(made)
        assert numbers(made) == [-1, -2, -3]
        assert made.pins == 0

    def test_a_copy_is_not_written_back_to_an_object_that_has_become_unreadable(self, lib: ModuleType) -> None:
        made = lib.Simple(3, 2)
        made.break_next()
        with pytest.raises(BufferError, match=r"it is broken$"):
            lib.negate(made)
        made.broken = 0
        assert numbers(made) == [1, 2, 3]

    def test_an_array_without_elements_is_accepted_where_copies_are_written_back(self, lib: ModuleType) -> None:
        empty = np.zeros((0, 2))[:, 0]
        lib.negate(empty)
        lib.negate_aligned(np.zeros(0))
        assert empty.shape == (0,)
        lib.negate_aligned(lib.Simple(0, 1))

    @pytest.mark.parametrize("versioned", [True, False])
    def test_a_copy_is_written_back_to_a_tensor_without_strides(
        self, lib: ModuleType, managed: Any, versioned: bool
    ) -> None:
        values = (ctypes.c_double * 3)(1, 2, 3)
        data = ctypes.addressof(values)
        given = managed(versioned, dtype=(2, 64, 1), axes=((3,), (1,)), strides=None, data=data)
        lib.negate_aligned(given.capsule())
        assert values[:] == [-1, -2, -3]

    def test_a_copy_is_written_back_to_elements_below_a_byte(self, lib: ModuleType) -> None:
        made = lib.Nibbles(2, 1)
        assert (made.first, made.second) == (0, 0)
        lib.invert_aligned(made)
        assert (made.first, made.second) == (0xFF, 0)


def test_elements_with_an_odd_byte_stride_are_refused_or_copied(lib: ModuleType) -> None:
    lib.sum_of(np.zeros(1))  # from here on, the struct of NumPy is read
    fields = np.zeros(3, "u1,f8")
    fields["f1"] = [1, 2, 3]
    with pytest.raises(BufferError, match=r"strides\[0\] of the array is 9 bytes: not a multiple"):
        lib.sum_of(fields["f1"])
    lib.negate(fields["f1"])
    assert fields["f1"].tolist() == [-1, -2, -3]


def test_an_object_whose_table_gives_no_array_is_exported_by_dlpack(lib: ModuleType, table: Any) -> None:
    """Neither the table nor its borrowed view works, so `__dlpack__()` is called."""

    class Target:
        __dlpack_c_exchange_api__ = table(without="from")

        def lend(self) -> int:
            raise BufferError("not now")

        def __dlpack__(self, **keywords: Any) -> object:
            return np.array([1.0, 2.0]).__dlpack__(**keywords)

        def __dlpack_device__(self) -> tuple[int, int]:
            return 1, 0

    assert lib.sum_of(Target()) == 3
