# SPDX-License-Identifier: MIT
"""Consumers in C use the exchange tables of our classes."""

from __future__ import annotations

import ctypes
import functools
import gc
import sys
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from python.exchange import Table, run_at_once, tensor_at
from python.framing import FAIL_ACQUIRE
from python.limits import FREE_THREADED
from python.tensors import IS_COPIED, READ_ONLY, DLTensor, Managed, Versioned, name_of

PLACES = ["here", "without the GIL", "on a foreign thread"]
UINT8, FLOAT32 = (1, 8, 1), (2, 32, 1)
borrows = pytest.mark.borrowing


def aligned(shape: tuple[int, ...]) -> np.ndarray[Any, Any]:
    """Bytes at a multiple of 128."""
    memory = np.arange(256, dtype=np.uint8)
    start = -memory.ctypes.data % 128
    return memory[start : start + int(np.prod(shape))].reshape(shape)


@pytest.fixture
def moved(lab: ModuleType) -> Table:
    return Table(lab.Moved)


class TestTheTable:
    def test_the_table_is_of_version_1_3_and_has_no_older_one(self, moved: Table) -> None:
        assert name_of(moved.capsule) == "dlpack_exchange_api"
        assert (moved.api.major, moved.api.minor, moved.api.prev_api) == (1, 3, None)

    def test_the_table_has_all_functions_that_dlpack_demands(
        self, lab: ModuleType, stocked: ModuleType, imaging: ModuleType
    ) -> None:
        for cls in (lab.Moved, lab.Borrowed, lab.Rows, stocked.Locked, stocked.Copied, imaging.Image):
            api = Table(cls).api
            assert api.allocator and api.from_object and api.to_object and api.stream, cls

    @pytest.mark.parametrize("name", ["Locked", "Noted", "Copied"])
    def test_data_that_exists_only_during_an_export_is_not_borrowed(self, stocked: ModuleType, name: str) -> None:
        assert Table(getattr(stocked, name)).api.view is None

    def test_the_table_has_the_function_for_views_if_python_has_a_gil(self, moved: Table) -> None:
        assert bool(moved.api.view) == (not FREE_THREADED)

    def test_each_class_has_one_table_that_never_changes(self, lab: ModuleType, stocked: ModuleType) -> None:
        tables = [ctypes.addressof(Table(cls).api) for cls in (lab.Moved, lab.Counted, stocked.Rows)]
        assert len(set(tables)) == 3
        gc.collect()
        assert [ctypes.addressof(Table(cls).api) for cls in (lab.Moved, lab.Counted, stocked.Rows)] == tables

    def test_the_table_of_a_class_cannot_be_replaced(self, lab: ModuleType) -> None:
        with pytest.raises(TypeError, match="immutable type"):
            lab.Moved.__dlpack_c_exchange_api__ = None
        with pytest.raises(TypeError, match="immutable type"):
            del lab.Moved.__dlpack_c_exchange_api__

    def test_handles_have_no_table(self, stocked: ModuleType) -> None:
        assert not hasattr(stocked.Box, "__dlpack_c_exchange_api__")

    def test_our_current_stream_is_null_on_every_device(self, moved: Table) -> None:
        assert [moved.stream(device, 3) for device in (1, 2, 10)] == [None, None, None]


class TestFromObject:
    """`managed_tensor_from_py_object_no_sync`."""

    def test_the_tensor_has_the_values_of_the_struct(self, subject, producer, moved: Table) -> None:
        made = subject((2, 3), (8, 1), "complex64")
        address = moved.export(made.object)
        given = tensor_at(address)
        assert (given.major, given.minor, given.flags) == (1, 3, 0)
        assert given.tensor.axes() == ((2, 3), (8, 1))
        assert (given.tensor.code, given.tensor.bits, given.tensor.lanes) == (5, 64, 1)
        assert (given.tensor.device_type, given.tensor.device_id) == (1, 0)
        assert given.tensor.data == made.struct.data
        producer.delete(address, True, "here")

    def test_the_tensor_of_read_only_data_has_the_flag(self, subject, producer, moved: Table) -> None:
        made = subject()
        made.struct.readonly = 1
        address = moved.export(made.object)
        assert tensor_at(address).flags == READ_ONLY
        producer.delete(address, True, "here")

    @pytest.mark.parametrize("rank", [0, 1, 8, 9, 64])
    def test_ranks_from_0_to_64_are_exported(self, subject, producer, moved: Table, rank: int) -> None:
        made = subject((1,) * rank)
        addresses = [moved.export(made.object) for _ in range(2)]
        for address in addresses:
            tensor = tensor_at(address).tensor
            assert tensor.ndim == rank
            assert bool(tensor.shape) == bool(tensor.strides) == (rank > 0)
            assert tensor.shape[:rank] == [1] * rank
            producer.delete(address, True, "here")

    @pytest.mark.parametrize("place", [*PLACES, "with an exception pending"])
    @pytest.mark.parametrize("kind", ["Moved", "Counted", "Borrowed"])
    def test_the_tensor_outlives_the_object_and_can_be_deleted_anywhere(
        self, lab, producer, kind: str, place: str
    ) -> None:
        address = lab.new(64)
        made = lab.wrap(kind, address)
        tensors = [Table(type(made)).export(made) for _ in range(3)]
        released = lab.counts()[1]
        made.close()
        del made
        for tensor in tensors:
            assert lab.counts()[1] == released
            assert tensor_at(tensor).tensor.data
            producer.delete(tensor, True, place)
        assert lab.counts()[1] == released + (kind != "Borrowed")
        if kind != "Moved":
            lab.unref(address)

    def test_the_tensor_of_a_copy_has_the_flag(self, stocked: ModuleType, producer) -> None:
        made = stocked.Copied.from_dlpack(bytearray(b"abc"))
        address = Table(stocked.Copied).export(made)
        assert tensor_at(address).flags & IS_COPIED
        assert ctypes.string_at(tensor_at(address).tensor.data, 3) == b"abc"
        producer.delete(address, True, "here")

    def test_hooks_run_before_the_first_and_after_the_last_tensor(self, frame, frames: ModuleType, producer) -> None:
        made = frame().wrap("Locked")
        tensors = [Table(frames.Locked).export(made) for _ in range(2)]
        assert frames.log() == "acquire\n"
        for tensor in tensors:
            producer.delete(tensor, True, "on a foreign thread")
        assert frames.log() == "after_write\nrestore\n"

    def test_a_hook_that_fails_leaves_no_export(self, frame, frames: ModuleType) -> None:
        made = frame(fails=FAIL_ACQUIRE).wrap("Locked")
        with pytest.raises(RuntimeError, match="lock"):
            Table(frames.Locked).export(made)

    def test_an_object_of_another_class_of_ours_is_exported_as_its_own_class(self, subject, moved, producer) -> None:
        address = moved.export(subject((5,), kind="Counted").object)
        assert tensor_at(address).tensor.axes() == ((5,), (1,))
        producer.delete(address, True, "here")

    @pytest.mark.parametrize("other", [None, 1, object(), bytearray(3), np.zeros(3), type])
    def test_foreign_objects_are_refused(self, moved: Table, other: object) -> None:
        for function in (moved.export, *([] if FREE_THREADED else [moved.view])):
            with pytest.raises(TypeError, match=f"table does not belong to '[a-z.]*{type(other).__name__}'"):
                function(other)

    def test_handles_are_no_tensors(self, frame, frames: ModuleType) -> None:
        made = frame().wrap("Frame")
        with pytest.raises(TypeError, match=r"frames\.Frame is not an array"):
            Table(frames.Plane).export(made)

    def test_objects_that_cannot_be_shared_or_are_closed_are_refused(self, subject, moved: Table) -> None:
        made = subject()
        made.struct.refused = 1
        with pytest.raises(BufferError, match="the probe refuses"):
            moved.export(made.object)
        made.object.close()
        with pytest.raises(ValueError, match=r"probe\.Moved: the object is closed"):
            moved.export(made.object)


class TestToObject:
    """`managed_tensor_to_py_object_no_sync`."""

    @pytest.mark.parametrize("place", ["here", "on a foreign thread"])
    def test_the_object_owns_the_tensor(self, lab, managed, producer, moved: Table, place: str) -> None:
        given = managed(axes=((2, 3), (8, 1)))
        made = moved.make(given.address)
        assert type(made) is lab.Moved
        assert (made.shape, made.strides, made.dtype) == ((2, 3), (8, 1), "float32")
        fresh = object()
        assert sys.getrefcount(made) == sys.getrefcount(fresh)
        tensor = moved.export(made)
        del made
        assert producer.record() == (0, 0, 0)
        producer.delete(tensor, True, place)
        assert producer.record() == (1, 0, int(place != "here"))

    @pytest.mark.parametrize(
        ("fields", "message"),
        [
            ({"ndim": -1}, "-1 axes"),
            ({"ndim": 65}, "65 axes"),
            ({"shape": None}, "shape of the array is NULL"),
            ({"data": None}, "data of the array is NULL"),
            ({"dtype": (9, 9, 9)}, "dtype"),
            ({"device_type": 7}, "device|vulkan"),
            ({"major": 2}, "version 2"),
            ({"major": 0}, "version 0"),
        ],
        ids=str,
    )
    def test_a_refused_tensor_still_belongs_to_the_caller(
        self, managed, producer, moved: Table, fields, message: str
    ) -> None:
        given = managed(**fields)
        with pytest.raises(BufferError, match=message):
            moved.make(given.address)
        assert producer.record() == (0, 0, 0)
        producer.delete(given.address, True, "here")
        assert producer.record() == (1, 0, 0)

    @pytest.mark.parametrize("mood", [1, 2])
    def test_a_tensor_that_the_library_refuses_still_belongs_to_the_caller(
        self, lab, managed, producer, moved: Table, mood: int
    ) -> None:
        given = managed(dtype=FLOAT32)
        lab.set_mood(mood)
        try:
            with pytest.raises((RuntimeError, BufferError)):
                moved.make(given.address)
        finally:
            lab.set_mood(0)
        assert producer.record() == (0, 0, 0)
        producer.delete(given.address, True, "here")

    def test_classes_without_import_refuse_a_tensor(self, lab, managed, producer) -> None:
        given = managed()
        with pytest.raises(TypeError, match=r"probe\.Counted: it cannot be made from an array"):
            Table(lab.Counted).make(given.address)
        assert producer.record() == (0, 0, 0)
        producer.delete(given.address, True, "here")

    def test_a_tensor_that_is_null_is_refused(self, moved: Table) -> None:
        with pytest.raises(ValueError, match="the managed tensor is NULL"):
            moved.make(None)

    def test_an_import_with_a_required_param_is_refused(self, stocked, managed, producer) -> None:
        """A consumer in C cannot give the values."""
        given = managed(dtype=UINT8, axes=((3,), (1,)))
        with pytest.raises(TypeError, match=r"stock\.Labelled.*rate"):
            Table(stocked.Labelled).make(given.address)
        assert producer.record() == (0, 0, 0)
        producer.delete(given.address, True, "here")


@borrows
class TestView:
    """`dltensor_from_py_object_no_sync`."""

    def test_a_view_shows_the_struct_and_owns_nothing(self, subject, lab, moved: Table) -> None:
        made = subject((2, 3), (8, 1), "int16")
        counts = lab.counts()
        before = sys.getrefcount(made.object)
        seen = moved.view(made.object)
        after = sys.getrefcount(made.object)
        assert seen.axes() == ((2, 3), (8, 1))
        assert (seen.data, seen.code, seen.bits, seen.lanes, seen.byte_offset) == (made.struct.data, 0, 16, 1, 0)
        assert lab.counts() == counts
        assert after == before

    def test_exports_do_not_change_an_earlier_view(self, subject, producer, moved: Table) -> None:
        made = subject((2, 3))
        seen = moved.view(made.object)
        tensors = [moved.export(made.object) for _ in range(3)]
        assert seen.axes() == ((2, 3), (3, 1))
        made.struct.set_axes((7, 5))
        late = moved.export(made.object)
        assert seen.axes() == ((2, 3), (3, 1))
        again = moved.view(made.object)
        assert again.axes() == ((7, 5), (5, 1))
        assert [tensor_at(t).tensor.axes() for t in tensors] == [((2, 3), (3, 1))] * 3
        assert tensor_at(late).tensor.axes() == ((7, 5), (5, 1))
        for tensor in (*tensors, late):
            producer.delete(tensor, True, "here")

    def test_scalars_have_no_axes(self, subject, moved: Table) -> None:
        seen = moved.view(subject(()).object)
        assert (seen.ndim, bool(seen.shape), bool(seen.strides)) == (0, False, False)

    @pytest.mark.parametrize(
        ("fields", "message"),
        [({"readonly": 1}, "read-only"), ({"refused": 1}, "the probe refuses"), ({"ndim": 65}, "a rank is 0 to 64")],
        ids=str,
    )
    def test_data_that_a_view_cannot_describe_is_refused(
        self, subject, moved: Table, fields: Any, message: str
    ) -> None:
        made = subject()
        for name, value in fields.items():
            setattr(made.struct, name, value)
        with pytest.raises(BufferError, match=message):
            moved.view(made.object)

    def test_more_axes_than_the_capacity_are_refused(self, subject, moved: Table) -> None:
        assert moved.view(subject((1,) * 8).object).ndim == 8
        with pytest.raises(BufferError, match="holds 8 axes, not 9"):
            moved.view(subject((1,) * 9).object)

    def test_an_import_of_read_only_data_is_refused(self, lab, moved: Table) -> None:
        with pytest.raises(BufferError, match="read-only"):
            moved.view(lab.Moved.from_dlpack(b"abc"))

    def test_a_closed_object_is_refused(self, subject, moved: Table) -> None:
        made = subject()
        made.object.close()
        with pytest.raises(ValueError, match=r"probe\.Moved: the object is closed"):
            moved.view(made.object)

    def test_a_view_that_is_never_read_only_shows_the_struct_or_the_reason(
        self, lab: ModuleType, producer, rows
    ) -> None:
        """Such a view is described on the fast path, and by the full check only where that fails."""
        made, struct = rows
        table = Table(lab.Rows)
        seen = table.view(made)
        assert (seen.axes(), seen.data, seen.code, seen.bits) == (((2, 3), (4, 1)), struct.data, 0, 32)
        export = table.export(made)
        struct.row_bytes = 15
        with pytest.raises(BufferError, match=r"probe\.Rows: strides\[0\] \(self->row_bytes\) is 15"):
            table.view(made)
        assert tensor_at(export).tensor.axes() == ((2, 3), (4, 1))
        struct.rows, struct.row_bytes = 0, 16
        assert table.view(made).axes()[0] == (0, 3)
        made.close()
        with pytest.raises(ValueError, match=r"probe\.Rows: the object is closed"):
            table.view(made)
        producer.delete(export, True, "here")

    @pytest.mark.parametrize("name", ["Aligned", "Held", "Passed"])
    def test_a_view_shows_writable_imports(self, stocked: ModuleType, name: str) -> None:
        """Takes the fast path for a pointer, a pointer in a state, and a struct that is passed by value."""
        cls = getattr(stocked, name)
        memory = aligned((3, 4))
        seen = Table(cls).view(made := cls.from_dlpack(memory))
        assert (seen.axes(), seen.data) == (((3, 4), (4, 1)), memory.ctypes.data)
        seen = Table(cls).view(scalar := cls.from_dlpack(aligned(())))
        assert (seen.ndim, bool(seen.shape), bool(seen.strides)) == (0, False, False)
        assert seen.data == np.from_dlpack(scalar).ctypes.data
        memory.flags.writeable = False
        if name != "Aligned":  # which demands that it may write
            with pytest.raises(BufferError, match=rf"stock\.{name}: the data is read-only"):
                Table(cls).view(cls.from_dlpack(memory))
        del made, scalar

    def test_more_axes_than_the_capacity_are_refused_for_writable_data(self, stocked: ModuleType) -> None:
        table = Table(stocked.Held)
        assert table.view(stocked.Held.from_dlpack(np.zeros((1,) * 8, np.uint8))).ndim == 8
        with pytest.raises(BufferError, match=r"stock\.Held: a borrowed view holds 8 axes, not 9"):
            table.view(stocked.Held.from_dlpack(np.zeros((1,) * 9, np.uint8)))

    @pytest.mark.parametrize("kind", ["Locked", "Copied", "Frame"])
    def test_an_object_without_data_of_its_own_is_refused_through_another_table(self, frame, frames, kind: str) -> None:
        made = frame().wrap(kind)
        with pytest.raises((BufferError, TypeError), match=rf"frames\.{kind}"):
            Table(frames.Remote).view(made)
        assert frames.log() == ""


class TestManyThreads:
    def test_tables_are_used_while_objects_are_closed(self, lab: ModuleType, producer) -> None:
        """Each use finds the object either complete or closed."""
        errors: list[BaseException] = []
        released, living = lab.counts()[1:]
        rounds = 60

        def use(made: Any, table: Table) -> None:
            try:
                while True:
                    producer.delete(table.export(made), True, "without the GIL")
                    assert np.from_dlpack(made).shape == (64,)
            except ValueError as error:
                assert "closed" in str(error)
            except BaseException as error:
                errors.append(error)

        for _ in range(rounds):
            made = lab.wrap("Moved", lab.new(64))
            table = Table(lab.Moved)
            run_at_once([*[functools.partial(use, made, table)] * 2, made.close, made.close])
        assert not errors
        assert lab.counts()[1:] == (released + rounds, living)


def test_the_table_can_be_used_through_the_capsule_alone(lab, managed) -> None:
    """The table is static: no Python object owns any part of it."""
    capsule = Table(lab.Moved).capsule
    table = Table(type("Foreign", (), {"__dlpack_c_exchange_api__": capsule}))
    given: Managed = managed()
    made = table.make(given.address)
    assert type(made) is lab.Moved
    assert isinstance(table.view(made) if table.api.view else DLTensor(), DLTensor)
    assert isinstance(given.struct, Versioned)
