# SPDX-License-Identifier: MIT
"""Tests of arrays of another library in our objects. The file of each library has a subclass."""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator, Mapping
from types import ModuleType
from typing import Any, ClassVar

import numpy as np
import pytest
from numpy.lib.stride_tricks import as_strided

from interop.consumer import ENDS, Consumer
from interop.seen import Copied, Refused, look, truth
from python.builds import DTYPES
from python.tensors import Probe


def base() -> np.ndarray:
    return np.arange(24, dtype=np.float32).reshape(4, 6)


ARRAYS: dict[str, Callable[[], np.ndarray]] = {
    "compact": base,
    "one axis": lambda: base()[1],
    "column-major": lambda: base().T,
    "rows of a larger array": lambda: base()[1:3, :4],
    "sliced": lambda: base()[::2, 1:5:3],
    "negative": lambda: base()[::-1],
    "broadcast": lambda: as_strided(base(), (4, 6), (0, 4)),
    "column": lambda: base()[:, :1],
    "rank 0": lambda: np.array(1.5, dtype=np.float32),
    "rank 4": lambda: base().reshape(2, 2, 3, 2).transpose(3, 0, 2, 1),
    "rank 5": lambda: base().reshape(2, 2, 3, 2, 1),
    "empty": lambda: np.zeros((3, 0), dtype=np.float32),
}
NUMPY_DTYPES = [name for name in DTYPES if hasattr(np, name)]


class Producer(Consumer):
    """The tests of libraries that do both; pytest collects them in the subclasses."""

    of: ClassVar[Callable[[np.ndarray], Any]]
    """Makes an array of one of NumPy's, in its layout if the library can."""

    makes: ClassVar[Mapping[str, Refused | str]] = {}
    """The arrays and dtypes of NumPy that `of` cannot make, or the dtype that it makes of them."""

    writable: ClassVar[bool] = True
    """Whether its arrays, or their buffers, are reported as writable."""

    @pytest.fixture
    def willing(self, lab: ModuleType) -> Iterator[Callable[[int], None]]:
        """Sets what the library's constructor does; in the end, it is willing again."""
        yield lab.set_mood
        lab.set_mood(0)

    def bring(self, lab: ModuleType, source: np.ndarray, row: str) -> None:
        expected = self.makes.get(row)
        if isinstance(expected, Refused):
            with pytest.raises(expected.error, match=expected.text):
                lab.Moved.from_dlpack(self.of(source))
            return
        array = self.of(source)
        made = lab.Moved.from_dlpack(array)
        assert made.readonly != self.writable
        assert truth(Probe.from_address(lab.unwrap("Moved", made))) == look(array)._replace(read_only=False)
        assert made.dtype == (expected or source.dtype.name)
        assert np.array_equal(np.from_dlpack(made).reshape(source.shape), source)

    @pytest.mark.parametrize("name", ARRAYS)
    def test_arrays_of_every_layout_are_imported(self, lab: ModuleType, name: str) -> None:
        self.bring(lab, ARRAYS[name](), name)

    @pytest.mark.parametrize("dtype", NUMPY_DTYPES)
    def test_arrays_of_every_dtype_are_imported(self, lab: ModuleType, dtype: str) -> None:
        self.bring(lab, ARRAYS[self.compact]().astype(dtype), dtype)

    def test_writes_to_our_import_are_seen_by_the_library(self, lab: ModuleType) -> None:
        array = self.of(ARRAYS[self.compact]())
        shown = np.from_dlpack(lab.Moved.from_dlpack(array))
        assert shown.flags.writeable == self.writable
        if self.writable:
            shown[...] = 7
            assert set(self.numbers(array)) == {7}

    @pytest.mark.parametrize("where", ENDS)
    def test_the_array_lives_as_long_as_our_import(
        self, aligned: Callable[..., Any], lab: ModuleType, where: str
    ) -> None:
        """Takes the memory of another object of ours, whose release can be observed."""
        released = lab.counts()[1] + isinstance(self.usual, Copied)
        made = aligned(self.compact)
        holders = [lab.Moved.from_dlpack(self.take(made.object))]
        made.object = None
        assert not np.from_dlpack(holders[0]).any()
        assert lab.counts()[1] == released
        ENDS[where](holders.clear)
        gc.collect()  # JAX lets go of Python objects no earlier
        assert lab.counts()[1] == released + 2 - isinstance(self.usual, Copied)

    def test_a_refused_array_is_released(
        self, aligned: Callable[..., Any], lab: ModuleType, willing: Callable[[int], None]
    ) -> None:
        released = lab.counts()[1]
        made = aligned(self.compact)
        array = self.take(made.object)
        made.object = None
        willing(1)
        with pytest.raises(RuntimeError, match="the probe is unwilling"):
            lab.Moved.from_dlpack(array)
        assert lab.counts()[1] == released + isinstance(self.usual, Copied)
        del array
        gc.collect()
        assert lab.counts()[1] == released + 1
