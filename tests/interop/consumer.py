# SPDX-License-Identifier: MIT
"""Tests of our objects in another library. The file of each library has a subclass with its differences."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from types import ModuleType
from typing import Any, ClassVar

import numpy as np
import pytest

from interop.seen import CODES, LAYOUTS, ROWS, STATES, Copied, Outcome, Recorder, Refused, Seen, Shared, look, truth
from python.builds import DTYPES

CPU, PAGE_LOCKED = 1, 3

ENDS: dict[str, Callable[[Callable[[], None]], None]] = {
    "here": lambda end: end(),
    "on another thread": lambda end: run(threading.Thread(target=end)),
}


def run(thread: threading.Thread) -> None:
    thread.start()
    thread.join()


class Consumer:
    """The tests of all consumers; pytest collects them in the subclasses."""

    take: ClassVar[Callable[[Any], Any]]
    """Makes an array of an object."""

    asks: ClassVar[dict[str, Any]]
    """The keywords with which it calls `__dlpack__`."""

    usual: ClassVar[Outcome] = Shared()
    rows: ClassVar[Mapping[str, Outcome]] = {}
    """Outcomes of layouts, dtypes and states other than `usual`. A wrong outcome is noted with the version."""

    compact: ClassVar[str] = "compact"
    """The layout for tests of other things."""

    def __init_subclass__(cls) -> None:
        assert cls.rows.keys() <= ROWS, f"no such rows: {cls.rows.keys() - ROWS}"

    @staticmethod
    def look(array: Any) -> Seen:
        return look(array)

    @staticmethod
    def numbers(array: Any) -> list[Any]:
        return np.asarray(array).ravel().tolist()

    @pytest.fixture
    def aligned(self, subject: Callable[..., Any]) -> Callable[..., Any]:
        """Makes an object whose data have the alignment that every library takes."""

        def make(layout: str, dtype: str = "float32") -> Any:
            shape, strides = LAYOUTS[layout]
            made = subject(shape, strides, dtype)
            made.struct.data += -made.struct.data % 64
            for extent, stride in zip(shape, strides, strict=True):
                made.struct.data -= min(stride, 0) * (extent - 1) * made.object.itemsize
            return made

        return make

    def check(self, made: Any, row: str) -> None:
        expected = self.rows.get(row, self.usual)
        if isinstance(expected, Refused):
            with pytest.raises(expected.error, match=expected.text):
                self.take(made.object)
            return
        ours, theirs = truth(made.struct), self.look(self.take(made.object))
        if isinstance(expected, Shared):
            assert theirs == ours._replace(read_only=not expected.writable)
        else:
            assert theirs.shape == ours.shape
            assert theirs.dtype == (CODES[expected.dtype] if expected.dtype else ours.dtype)
            assert theirs.read_only != expected.writable
            assert theirs.address is None or theirs.address != ours.address

    @pytest.mark.parametrize("layout", LAYOUTS)
    def test_a_layout_is_shared_copied_or_refused(self, aligned: Callable[..., Any], layout: str) -> None:
        self.check(aligned(layout), layout)

    @pytest.mark.parametrize("dtype", DTYPES)
    def test_a_dtype_is_shared_copied_or_refused(self, aligned: Callable[..., Any], dtype: str) -> None:
        self.check(aligned(self.compact, dtype), dtype)

    @pytest.mark.parametrize("state", STATES)
    def test_a_state_of_the_object_is_shared_copied_or_refused(self, aligned: Callable[..., Any], state: str) -> None:
        made = aligned(self.compact)
        made.struct.data += 16 * (state == "unaligned")
        made.struct.readonly = state == "read-only"
        made.struct.device = PAGE_LOCKED if state == "page-locked" else CPU
        made.struct.refused = state == "refused"
        self.check(made, state)

    def test_the_library_calls_dlpack_with_its_keywords(self, aligned: Callable[..., Any]) -> None:
        asked = Recorder(aligned(self.compact).object)
        self.take(asked)
        assert asked.calls == [self.asks]

    def test_writes_to_our_object_are_seen_by_a_library_that_shares_it(self, aligned: Callable[..., Any]) -> None:
        made = aligned(self.compact)
        ours = np.from_dlpack(made.object)
        ours[...] = 3
        array = self.take(made.object)
        ours[...] = 7
        assert set(self.numbers(array)) == ({3} if isinstance(self.usual, Copied) else {7})

    @pytest.mark.parametrize("where", ENDS)
    def test_the_struct_lives_as_long_as_the_arrays_that_share_it(
        self, aligned: Callable[..., Any], lab: ModuleType, where: str
    ) -> None:
        released = lab.counts()[1]
        made = aligned(self.compact)
        arrays = [self.take(made.object), self.take(made.object)]
        made.object = None
        if isinstance(self.usual, Copied):
            assert lab.counts()[1] == released + 1
        else:
            assert lab.counts()[1] == released
            arrays.pop()
            assert lab.counts()[1] == released
        ENDS[where](arrays.clear)
        assert lab.counts()[1] == released + 1
