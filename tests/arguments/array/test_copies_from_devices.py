# SPDX-License-Identifier: MIT
"""`copy: allowed` of an argument: a producer on another device is asked for a copy on the CPU."""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from support.build import build_module

HEADER = """
#include <stddef.h>
typedef struct { float *at; long n; } line;
static inline double sum(const float *x, size_t n)
{
    double total = 0;
    for (size_t i = 0; i < n; i++) total += x[i];
    return total;
}
static inline void fill(float *x, size_t n, float value) { for (size_t i = 0; i < n; i++) x[i] = value; }
static inline double line_sum(const line *x) { return sum(x->at, (size_t)x->n); }
static inline double lines_sum(const line *const *x, size_t n)
{
    double total = 0;
    for (size_t i = 0; i < n; i++) total += line_sum(x[i]);
    return total;
}
"""
SPEC = """
dlpack-bindgen: 1
module: carried
include: carried.h
arrays: Array
tensors:
  Line: {type: line, data: self->at, dtype: float32, shape: [self->n], import: {set: {at: data, n: "shape[0]"}}}
functions:
  sum_here: {c: "double sum(const float *x, size_t n)", args: {n: {count_of: x}}}
  sum: {c: "double sum(const float *x, size_t n)", args: {n: {count_of: x}, x: {copy: allowed}}}
  fill: {c: "void fill(float *x, size_t n, float value)", args: {n: {count_of: x}, x: {copy: allowed}}}
  line_sum: {c: double line_sum(const line *x), args: {x: {copy: allowed}}}
  line_sum_held: {c: double line_sum(const line *x), args: {x: {copy: allowed}}, release_gil: true}
  lines_sum:
    c: double lines_sum(const line *const *x, size_t n)
    args: {n: {count_of: x}, x: {of: Line, copy: allowed}}
"""


@pytest.fixture(scope="module")
def lib(tmp_path_factory: pytest.TempPathFactory) -> ModuleType:
    return build_module("carried", SPEC, tmp_path_factory.mktemp("carried"), HEADER)


class Elsewhere:
    """Data on another device, of which it makes a copy on the CPU on request."""

    def __init__(self, answer: Callable[[Any], Any]) -> None:
        self.answer = answer
        self.asked: list[Any] = []

    def __dlpack__(self, *, max_version: Any = None, dl_device: Any = None, copy: Any = None) -> Any:
        assert (max_version, copy) == ((1, 3), None)
        self.asked.append(dl_device)
        return self.answer(dl_device)


def ones() -> Any:
    return np.ones(4, np.float32).__dlpack__(max_version=(1, 3), copy=True)


def refuse() -> Any:
    raise BufferError("the data is on a device that this test has not")


@pytest.fixture(params=[False, True], ids=["another device", "refused"])
def far(request: pytest.FixtureRequest, managed: Callable[..., Any]) -> Elsewhere:
    def card() -> Any:
        return managed(dtype=(2, 32, 1), axes=((6,), None), device_type=2).capsule()

    return Elsewhere(lambda device: ones() if device == (1, 0) else refuse() if request.param else card())


@pytest.mark.parametrize("name", ["sum", "line_sum", "line_sum_held", "lines_sum"])
def test_a_producer_on_another_device_is_asked_for_the_cpu(lib: ModuleType, name: str, far: Elsewhere) -> None:
    assert getattr(lib, name)([far] if name == "lines_sum" else far) == 4
    assert far.asked == [None, (1, 0)]


def test_a_producer_is_not_asked_for_the_cpu_where_the_spec_allows_no_copy(lib: ModuleType, far: Elsewhere) -> None:
    with pytest.raises(BufferError, match=r"on cuda, not cpu|this test has not"):
        lib.sum_here(far)
    assert far.asked == [None]


def test_a_producer_is_not_asked_for_the_cpu_where_c_writes(lib: ModuleType, far: Elsewhere) -> None:
    with pytest.raises(BufferError, match=r"on cuda, not cpu|this test has not"):
        lib.fill(far, 2.0)
    assert far.asked == [None]


def test_a_producer_that_cannot_copy_leaves_the_message_about_the_device(
    lib: ModuleType, managed: Callable[..., Any]
) -> None:
    def answer(device: Any) -> Any:
        if device is not None:
            raise TypeError("an integer is required")
        return managed(dtype=(2, 32, 1), axes=((6,), None), device_type=2).capsule()

    with pytest.raises(BufferError, match=r"^sum\(\) argument 'x': the data is on cuda, not cpu$"):
        lib.sum(Elsewhere(answer))


def test_an_interrupt_reaches_the_caller(lib: ModuleType) -> None:
    def answer(device: Any) -> Any:
        if device is not None:
            raise KeyboardInterrupt
        return refuse()

    with pytest.raises(KeyboardInterrupt):
        lib.sum(Elsewhere(answer))
