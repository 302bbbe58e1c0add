"""Calls that release the GIL: other threads run, and the arguments of the call stay as they are.

Such a call waits at a gate until another thread, through another function of the module, opens it."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from functions.arrays_library import address, matrix, numbers
from functions.arrays_producers import Ending

FLOAT64 = (2, 64, 1)


class Waiting:
    """A call that waits at the gate, on a thread of its own; the gate is opened in the end."""

    def __init__(self, arrays: ModuleType, call: Callable[[], Any]) -> None:
        self._arrays, self._call = arrays, call
        self._thread = threading.Thread(target=self._run)
        self.result: Any = None
        self.error: BaseException | None = None

    def _run(self) -> None:
        try:
            self.result = self._call()
        except BaseException as error:
            self.error = error

    def __enter__(self) -> Waiting:
        self._thread.start()
        self._arrays.gate_arrived()
        return self

    def __exit__(self, *_: object) -> None:
        self._arrays.gate_open()
        self._thread.join()


@pytest.fixture
def gate(arrays: ModuleType) -> Iterator[Callable[..., Waiting]]:
    """Calls a function that waits."""
    arrays.gate_reset()
    yield lambda name, *given: Waiting(arrays, lambda: getattr(arrays, name)(*given))
    arrays.gate_open()


def test_other_threads_run_during_the_call(arrays: ModuleType, gate: Callable[..., Waiting]) -> None:
    x = numbers(3)
    with gate("numbers_wait", x) as waiting:
        x *= 2
    assert waiting.result == 12


def test_an_object_that_is_closed_during_the_call_lives_on(arrays: ModuleType, gate: Callable[..., Waiting]) -> None:
    ended = []
    own = arrays.Matrix.from_dlpack(Ending(numbers(2, 2), lambda: ended.append(True)))
    with gate("matrix_wait", own) as waiting:
        own.close()
        assert not ended
        with pytest.raises(ValueError, match="is closed"):
            arrays.matrix_sum(own)
    assert waiting.result == 10
    assert ended


def test_an_object_without_other_references_lives_on_during_the_call(
    arrays: ModuleType, gate: Callable[..., Waiting]
) -> None:
    with gate("matrix_wait", arrays.Matrix.from_dlpack(numbers(2, 2))) as waiting:
        pass
    assert waiting.result == 10


def test_an_object_of_another_module_that_is_closed_lives_on(
    arrays: ModuleType, lab: ModuleType, gate: Callable[..., Waiting]
) -> None:
    living = lab.counts()[2]
    other = lab.Moved.from_dlpack(numbers(2, 2))
    with gate("matrix_wait", other) as waiting:
        other.close()
        assert lab.counts()[2] == living + 1
    assert waiting.result == 10
    assert lab.counts()[2] == living


def test_a_buffer_cannot_be_resized_during_the_call(gate: Callable[..., Waiting]) -> None:
    memory = bytearray(numbers(2).tobytes())
    view = memoryview(memory).cast("d")
    with gate("numbers_wait", view) as waiting:
        with pytest.raises(BufferError):
            view.release()
        with pytest.raises(BufferError):
            memory.append(1)
    assert waiting.result == 3
    view.release()
    memory.append(1)


@pytest.mark.parametrize("kind", [lambda x: x, lambda x: x.__dlpack__(max_version=(1, 3))], ids=["call", "capsule"])
@pytest.mark.parametrize("function", ["numbers_wait", "matrix_wait"])
def test_memory_is_held_during_the_call(
    kind: Callable[[Any], Any], function: str, gate: Callable[..., Waiting]
) -> None:
    ended = []
    with gate(function, kind(Ending(numbers(3, 1), lambda: ended.append(True)))) as waiting:
        assert not ended
    assert waiting.result == 6
    assert ended


def test_nothing_is_copied_for_a_call_without_the_gil(arrays: ModuleType, gate: Callable[..., Waiting]) -> None:
    x = numbers(4)
    with gate("numbers_wait_and_scale", x, 3.0):
        assert arrays.memory_where(x) == address(x)
        x[0] = 10
    assert x.tolist() == [30, 6, 9, 12]


def test_a_copy_is_written_back_after_the_call(gate: Callable[..., Waiting]) -> None:
    x = numbers(6)[::2]
    with gate("numbers_wait_and_scale", x, 3.0):
        assert x.tolist() == [1, 3, 5]
    assert x.tolist() == [3, 9, 15]


def test_a_copy_is_written_back_to_an_object_that_was_closed(arrays: ModuleType, gate: Callable[..., Waiting]) -> None:
    own, view = matrix(arrays, 2, 2, 3)
    with gate("numbers_wait_and_scale", own, 3.0):
        own.close()
    assert view.tolist() == [[3, 6], [12, 15]]


def test_an_object_in_use_is_not_invalidated(arrays: ModuleType, gate: Callable[..., Waiting]) -> None:
    own = arrays.Matrix(2, 2)
    in_use = r"^matrix_remake\(\) argument 'x': its memory is in use: 0 exports, 1 objects made of it$"
    with gate("matrix_wait", own) as waiting, pytest.raises(BufferError, match=in_use):
        arrays.matrix_remake(own, 3, 3)
    assert waiting.result == 0
    arrays.matrix_remake(own, 3, 3)
    assert own.shape == (3, 3)


def test_a_failed_call_releases_all_arguments(
    arrays: ModuleType, gate: Callable[..., Waiting], managed: Callable[..., Any], producer: ModuleType
) -> None:
    with gate("matrix_wait_and_fail", managed(dtype=FLOAT64).capsule()) as waiting:
        assert producer.record() == (0, 0, 0)
    assert isinstance(waiting.error, RuntimeError)
    assert str(waiting.error) == "matrix_wait_and_fail(): matrix_wait_and_fail() failed with -1"
    assert producer.record() == (1, 0, 0)


def test_calls_wait_side_by_side(arrays: ModuleType, gate: Callable[..., Waiting]) -> None:
    own = arrays.Matrix.from_dlpack(numbers(2, 2))
    with gate("matrix_wait", own) as first, gate("matrix_wait", own) as second:
        assert np.asarray(own).sum() == 10
    assert (first.result, second.result) == (10, 10)


def test_an_interrupt_is_raised_after_the_call(arrays: ModuleType, producer: ModuleType, managed: Any) -> None:
    """The result of the call is not lost."""
    living = arrays.picture_count()
    made = []
    before = signal.signal(signal.SIGINT, signal.default_int_handler)  # shells have it ignored in the background
    try:
        with pytest.raises(KeyboardInterrupt):
            made.append(arrays.picture_interrupted(managed(dtype=(1, 8, 1)).capsule()))
            made.append("and on")
    finally:
        signal.signal(signal.SIGINT, before)
    assert "and on" not in made
    made.clear()
    assert producer.record() == (1, 0, 0)
    assert arrays.picture_count() == living
