# SPDX-License-Identifier: MIT
"""Pickles that somebody has changed are refused: `Name._rebuild` accepts calls with any arguments."""

from __future__ import annotations

import io
import pickle
from types import ModuleType
from typing import Any

import pytest

UINT8 = (1, 8, 1)
NONSENSE: dict[str, tuple[type[Exception], tuple[Any, ...]]] = {
    "nothing": (TypeError, ()),
    "no buffer": (TypeError, (None, UINT8, (3,), "C")),
    "a number": (TypeError, (3, UINT8, (3,), "C")),
    "a list for the shape": (TypeError, (b"abc", UINT8, [3], "C")),
    "no dtype": (TypeError, (b"abc", None, (3,), "C")),
    "half a dtype": (TypeError, (b"abc", (1, 8), (3,), "C")),
    "a dtype of words": (TypeError, (b"abc", ("a", "b", "c"), (3,), "C")),
    "no order": (TypeError, (b"abc", UINT8, (3,), None)),
    "an order with a null": (ValueError, (b"abc", UINT8, (3,), "C\0")),
    "no dtype code": (BufferError, (b"abc", (255, 8, 1), (3,), "C")),
    "a negative code": (ValueError, (b"abc", (-1, 8, 1), (3,), "C")),
    "a huge code": (ValueError, (b"abc", (256, 8, 1), (3,), "C")),
    "no bits": (ValueError, (b"", (1, 0, 1), (3,), "C")),
    "many bits": (ValueError, (b"abc", (1, 256, 1), (3,), "C")),
    "no lanes": (ValueError, (b"abc", (1, 8, 0), (3,), "C")),
    "many lanes": (ValueError, (b"abc", (1, 8, 65536), (3,), "C")),
    "lanes": (BufferError, (b"abcd", (1, 8, 2), (2,), "C")),
    "more bits than 32 hold": (OverflowError, (b"abc", (1, 2**40, 1), (3,), "C")),
    "too few bytes": (ValueError, (b"ab", UINT8, (3,), "C")),
    "too many bytes": (ValueError, (b"abcd", UINT8, (3,), "C")),
    "a negative extent": (BufferError, (b"abc", UINT8, (-3,), "C")),
    "two negative extents": (BufferError, (b"abc", UINT8, (-3, -1), "C")),
    "a huge extent": (OverflowError, (b"abc", UINT8, (2**70,), "C")),
    "extents that multiply to nothing": (BufferError, (b"", UINT8, (2**32, 2**32), "C")),
    "bytes that multiply to nothing": ((BufferError, ValueError), (b"", (2, 64, 1), (2**61,), "C")),
    "an extent that is no number": (TypeError, (b"abc", UINT8, ("3",), "C")),
    "65 axes": (ValueError, (b"a", UINT8, (1,) * 65, "C")),
    "a buffer with gaps": (BufferError, (memoryview(b"abcdef")[::2], UINT8, (3,), "C")),
    "bytes for a shape": (TypeError, (b"abc", UINT8, b"abc", "C")),
}


class TestTampered:
    @pytest.mark.parametrize("name", NONSENSE)
    def test_wrong_arguments_of_rebuild_are_refused(self, lab: ModuleType, name: str) -> None:
        error, arguments = NONSENSE[name]
        living = lab.counts()[2]
        with pytest.raises(error):
            lab.Moved._rebuild(*arguments)
        assert lab.counts()[2] == living

    @pytest.mark.parametrize("order", ["C", "F", "", "anything"])
    def test_right_arguments_of_rebuild_make_an_object(self, lab: ModuleType, order: str) -> None:
        made = lab.Moved._rebuild(b"abcdef", UINT8, (2, 3), order)
        assert (made.shape, made.strides) == ((2, 3), (1, 2) if order == "F" else (3, 1))

    def test_an_index_that_runs_code_cannot_release_the_array(self, lab: ModuleType) -> None:
        """The array is either released or held when the code runs."""
        source = bytearray(b"abc")

        class Extent:
            def __index__(self) -> int:
                with pytest.raises(BufferError):
                    source.append(1)
                return 3

        assert lab.Moved._rebuild(source, UINT8, (Extent(),), "C").shape == (3,)
        source.append(1)

    def test_rebuild_refuses_classes_that_cannot_be_pickled(self, lab, frames: ModuleType, stocked) -> None:
        for cls in (lab.Counted, frames.Frame, stocked.Labelled, stocked.Remote):
            with pytest.raises(TypeError, match="cannot pickle"):
                cls._rebuild(b"abc", UINT8, (3,), "C")

    def test_a_refused_buffer_is_released(self, lab: ModuleType) -> None:
        source = bytearray(b"abc")
        lab.set_mood(1)
        try:
            with pytest.raises(RuntimeError):
                lab.Moved._rebuild(source, UINT8, (3,), "C")
        finally:
            lab.set_mood(0)
        source.append(1)

    def test_a_pickle_cut_short_anywhere_gives_no_object(self, subject) -> None:
        data = pickle.dumps(subject((3,), None, "uint8").object)
        for length in range(len(data)):
            with pytest.raises((EOFError, pickle.UnpicklingError)):
                pickle.loads(data[:length])

    def test_a_pickler_of_the_user_has_precedence(self, subject) -> None:
        class Pickler(pickle.Pickler):
            def reducer_override(self, value: Any) -> Any:
                return (str, ("replaced",)) if type(value).__name__ == "Moved" else NotImplemented

        file = io.BytesIO()
        Pickler(file).dump(subject().object)
        assert pickle.loads(file.getvalue()) == "replaced"
