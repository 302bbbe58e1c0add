"""Objects and arrays that a call uses while other code closes or frees them: another argument, an object that waits for
its thread, the garbage collector."""

from __future__ import annotations

import ctypes
import gc
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from functions.arrays_library import matrix, numbers
from functions.arrays_producers import Called, Ending, Number
from support.build import build_module

# ---- Arguments ----

FLOAT64 = (2, 64, 1)


class TestMeanwhile:
    """Arguments that change each other while they are converted."""

    def test_an_own_object_that_a_producer_closes_is_refused(self, arrays: ModuleType) -> None:
        for position in (0, 1):
            own, _ = matrix(arrays)
            given = [own, Called(numbers(3, 4), own.close)]
            with pytest.raises(ValueError, match=r"argument '[ab]' is closed$"):
                arrays.matrix_add(*given[:: 1 - 2 * position])

    def test_an_own_object_that_a_number_closes_is_refused(self, arrays: ModuleType) -> None:
        own, _ = matrix(arrays)
        with pytest.raises(ValueError, match=r"^matrix_scale\(\) argument 'x' is closed$"):
            arrays.matrix_scale(own, Number(own.close))
        tank = arrays.Tank()
        with pytest.raises(ValueError, match=r"^arrays\.Tank: the object is closed$"):
            tank.fill([1.0, Number(tank.close)])

    @pytest.mark.parametrize("function", ["matrix_add", "matrix_add_copied", "numbers_sum_weighted"])
    def test_an_object_of_another_module_that_a_producer_closes_is_refused(
        self, arrays: ModuleType, lab: ModuleType, function: str
    ) -> None:
        """The table of this object only lends its memory, so the object is converted last."""
        x = numbers(3, 4)
        other = lab.Moved.from_dlpack(x)
        more = [np.zeros((3, 4))] if function == "matrix_add_copied" else []
        with pytest.raises(ValueError, match="is closed"):
            getattr(arrays, function)(other, Called(x, other.close), *more)

    def test_an_object_of_another_module_that_a_number_closes_is_refused(
        self, arrays: ModuleType, lab: ModuleType
    ) -> None:
        other = lab.Moved.from_dlpack(numbers(2))
        with pytest.raises(ValueError, match="is closed"):
            arrays.numbers_sum_weighted(other, [1.0, Number(other.close)])

    def test_an_object_that_a_producer_resizes_has_its_new_shape(self, arrays: ModuleType) -> None:
        own = arrays.Matrix(3, 4)
        with pytest.raises(ValueError, match=r"^matrix_add\(\): the extents differ$"):
            arrays.matrix_add(own, Called(numbers(3, 4), lambda: own.resize(50, 60)), np.zeros((3, 4)))
        made = arrays.matrix_add(own, Called(numbers(3, 4), lambda: own.resize(3, 4)))
        assert made.shape == (3, 4)

    def test_an_array_of_numpy_without_a_dtype_of_dlpack_is_exported_first(self, arrays: ModuleType) -> None:
        """The array looks like one whose memory can be read directly. The other argument is read after it."""

        class Odd(np.ndarray):
            def __getattribute__(self, name: str) -> Any:
                if name == "__dlpack__":
                    x.resize(2, refcheck=False)
                    return np.ones(2).__dlpack__
                return super().__getattribute__(name)

        x = np.ones(3)
        odd = np.ones(3, "M8[s]").view(Odd)  # no dtype of DLPack
        assert arrays.numbers_sum_weighted(x, odd) == 2

    def test_an_array_that_overrides_methods_of_its_table_is_exported_first(
        self, arrays: ModuleType, lab: ModuleType, managed: Callable[..., Any], scripted: ModuleType
    ) -> None:
        """A table may run methods that a subclass overrides, so such an array is read before others are borrowed."""

        def zeros() -> Any:
            return managed(dtype=FLOAT64, axes=((3,),))

        class Base:
            __dlpack_c_exchange_api__ = scripted.table("", 1)

            def __init__(self) -> None:
                self.kept = zeros()
                self.keeper = self.kept.capsule()

            def lend(self) -> int:
                return ctypes.addressof(self.kept.struct.tensor)

            def give(self) -> int:
                return int(zeros().address)

        class Overriding(Base):
            def lend(self) -> int:
                other.close()
                return super().lend()

            def give(self) -> int:
                other.close()
                return super().give()

        for order in (1, -1):
            other = lab.Moved.from_dlpack(np.ones(3))
            assert arrays.numbers_sum_weighted(*[other, Base()][::order]) == 0
            with pytest.raises(ValueError, match="is closed"):
                arrays.numbers_sum_weighted(*[other, Overriding()][::order])

    def test_a_type_may_lose_its_table_during_the_call(self, arrays: ModuleType, lab: ModuleType) -> None:
        """The type has a table at first, and none when the array is converted."""

        class Changing(Called):
            pass

        Changing.__dlpack_c_exchange_api__ = lab.Moved.__dlpack_c_exchange_api__  # type: ignore[attr-defined]

        def change() -> None:
            del Changing.__dlpack_c_exchange_api__  # type: ignore[attr-defined]

        x = numbers(2)
        assert arrays.numbers_sum_weighted(Changing(x), Called(x, change)) == 5

    def test_copies_are_written_back_before_any_argument_is_released(self, arrays: ModuleType) -> None:
        """The release of one argument closes another one."""
        own, view = matrix(arrays, 2, 2, 3)
        seen = []

        def end() -> None:
            seen.append(view.tolist())
            own.close()

        arrays.numbers_copy(own, Ending(np.zeros((2, 2)), end))
        assert seen == [[[0, 0], [0, 0]]]

    def test_copies_are_written_back_to_objects_of_other_modules_before_any_release(
        self, arrays: ModuleType, lab: ModuleType
    ) -> None:
        x = numbers(2, 3)[:, :2]
        other = lab.Moved.from_dlpack(x)
        arrays.numbers_copy(other, Ending(np.zeros((2, 2)), other.close))
        assert x.tolist() == [[0, 0], [0, 0]]


# ---- Deferred destruction and the garbage collector ----

# Ended objects of this library are marked, not freed, so that a use of one is seen.

HEADER = Path(__file__).with_name("ends.h").read_text()
SOURCE = Path(__file__).with_name("ends.c").read_text()
SPEC = """
module: ends
include: [ends.h]
tensors:
  Mat:
    type: mat
    data: self->data
    dtype: float64
    shape: [self->rows, self->columns]
    strides: {list: [self->columns * self->step, self->step]}
    release: mat_end(self)
    new: {c: "mat *mat_new(int rows, int columns, int step)"}
  Local:
    type: local
    data: self->data
    dtype: float64
    shape: [self->count]
    release: local_free(self)
    release_on: creator
    new: {c: local *local_new(int count)}
    import: {require: [writable, compact], construct: "local_around(data, (int)shape[0])", ok: "!= NULL"}
functions:
  freed: {c: int mats_freed(void)}
  last: {c: double mats_last(void)}
  both: {c: "int both(const mat *a, local *b)"}
  derived: {c: "local *derived(const mat *a)", returns: {of: Local, keeps: a}}
  fill:
    c: int fill(DLTensor *x, int *first, int *second)
    args:
      x: {require: [{dtype: float64}, compact, {ndim: 2}], copy: allowed}
      first: {out: true}
      second: {out: true}
"""


@pytest.fixture(scope="module")
def ends(tmp_path_factory: pytest.TempPathFactory) -> ModuleType:
    return build_module("ends", SPEC, tmp_path_factory.mktemp("ends"), HEADER, SOURCE)


@pytest.fixture
def mat(ends: ModuleType) -> Iterator[Any]:
    made = ends.Mat(300, 2, 2)
    yield made
    made.close()
    gc.collect()
    assert ends.freed() == 1


def leave_waiting(ends: ModuleType, mat: Any) -> None:
    """Leaves a Local for this thread to release. The release of its memory closes the Mat."""
    box = [ends.Local.from_dlpack(Ending(np.zeros(2), mat.close))]
    thread = threading.Thread(target=box.clear)
    thread.start()
    thread.join()


def test_an_argument_that_another_argument_closes_lives_until_the_call_has_ended(ends: ModuleType, mat: Any) -> None:
    local = ends.Local(4)
    leave_waiting(ends, mat)
    assert ends.both(mat, local) == 0
    with pytest.raises(ValueError, match=r"^both\(\) argument 'a' is closed$"):
        ends.both(mat, local)


def test_a_result_keeps_an_object_that_is_closed_during_the_call(ends: ModuleType, mat: Any) -> None:
    leave_waiting(ends, mat)
    made = ends.derived(mat)
    assert made.shape == (300,) and repr(mat) == "<ends.Mat, closed>"
    assert ends.freed() == 0, "it is still kept"
    del made


def test_an_object_that_the_collector_closes_still_gets_its_copy_back(ends: ModuleType, mat: Any) -> None:
    """The tuple of the results starts the collector, before the copy is written back."""

    class Cycle:
        def __init__(self) -> None:
            self.me = self

        def __del__(self) -> None:
            closed.append(mat.close())

    closed: list[None] = []
    threshold = gc.get_threshold()
    gc.disable()
    kept = [(i, i, i) for i in range(5000)]  # no tuple comes from a list of free ones
    Cycle()
    gc.set_threshold(1)
    gc.enable()
    try:
        assert ends.fill(mat) == (3, 1, 2)
    finally:
        gc.set_threshold(*threshold)
    assert closed == [None] and len(kept) == 5000
    assert ends.last() == 7
