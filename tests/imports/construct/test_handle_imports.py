"""An import of a handle makes its object from an array."""

from __future__ import annotations

from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

from support.build import build_module

HEADER = Path(__file__).with_name("totals.h").read_text()
SOURCE = Path(__file__).with_name("totals.c").read_text()
SPEC = """\
module: totals
include: [totals.h]
handles:
  Total:
    type: total_t
    release: total_free(self)
    import:
      require: [{dtype: float64}, {ndim: 1}, compact]
      construct: "total_new(data, shape[0])"
    properties: {value: {get: self->value, type: float}}
  Window:
    type: window_t
    import:
      require: [{dtype: float64}, compact]
      set: {first: data, count: nbytes / itemsize}
    methods: {last: {c: double window_last(const window_t *window)}}
functions:
  value: {c: double total_value(const total_t *total)}
  last: {c: double window_last(const window_t *window)}
  live: {c: int total_live(void)}
"""


@pytest.fixture(scope="module")
def totals(tmp_path_factory: pytest.TempPathFactory) -> ModuleType:
    return build_module("totals", SPEC, tmp_path_factory.mktemp("totals"), HEADER, SOURCE)


def test_a_handle_is_made_of_an_array(totals: ModuleType) -> None:
    total = totals.Total.from_dlpack(np.arange(4.0))
    assert (total.value, totals.value(total), totals.live()) == (6.0, 6.0, 1)
    total.close()
    assert totals.live() == 0


def test_a_handle_shows_its_array(totals: ModuleType) -> None:
    array = np.arange(4.0)
    window = totals.Window.from_dlpack(array)
    array[3] = 7
    del array
    assert window.last() == totals.last(window) == 7.0


def test_functions_take_arrays_for_handles(totals: ModuleType) -> None:
    array = np.arange(6.0)
    assert totals.value(array) == 15.0
    assert totals.last(array.reshape(2, 3)) == 5.0
    assert totals.live() == 0


def test_unsuitable_arrays_are_refused(totals: ModuleType) -> None:
    with pytest.raises(BufferError, match=r"^totals\.Total: the dtype is int32, not float64$"):
        totals.Total.from_dlpack(np.arange(4, dtype=np.int32))
    with pytest.raises(BufferError, match=r"^totals\.Total: the array has 2 axes, not 1$"):
        totals.Total.from_dlpack(np.ones((2, 2)))
    with pytest.raises(BufferError, match=r"^value\(\) argument 'total': the array must be compact"):
        totals.value(np.arange(4.0)[::2])
