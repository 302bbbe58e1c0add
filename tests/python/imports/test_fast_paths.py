# SPDX-License-Identifier: MIT
"""The fast paths of imports must do the same as the slow paths."""

from __future__ import annotations

import ctypes
import gc
import sys
import threading
import weakref
from types import ModuleType
from typing import Any

import numpy as np
import pytest

# ---- Imports of NumPy's arrays without a call of __dlpack__ ----


@pytest.fixture
def believed(lab: ModuleType) -> ModuleType:
    """Provides the module after enough imports of arrays that it reads them without `__dlpack__`."""
    for _ in range(2):
        lab.Moved.from_dlpack(np.arange(6.0).reshape(2, 3))
    return lab


def test_an_array_of_numpy_lives_as_long_as_its_imports_and_their_exports(believed: ModuleType) -> None:
    array = np.arange(4.0)
    count = sys.getrefcount(array)
    made = believed.Moved.from_dlpack(array)
    assert sys.getrefcount(array) == count + 1
    view = np.from_dlpack(made)
    gone = weakref.ref(array)
    del array, made
    assert gone() is not None and view.tolist() == [0, 1, 2, 3]
    del view
    gc.collect()
    assert gone() is None


def test_an_array_of_numpy_can_be_released_on_any_thread(believed: ModuleType) -> None:
    array = np.arange(4.0)
    gone = weakref.ref(array)
    held = [believed.Moved.from_dlpack(array)]
    del array
    thread = threading.Thread(target=held.clear)
    thread.start()
    thread.join()
    assert gone() is None


def test_an_imported_array_of_numpy_cannot_be_resized(believed: ModuleType) -> None:
    array = np.arange(4.0)
    made = believed.Moved.from_dlpack(array)
    with pytest.raises(ValueError, match="cannot resize"):
        array.resize(400)
    assert made.shape == (4,)


def test_an_import_of_a_read_only_array_is_read_only(believed: ModuleType) -> None:
    array = np.arange(4.0)
    array.flags.writeable = False
    made = believed.Moved.from_dlpack(array)
    assert made.readonly and not np.from_dlpack(made).flags.writeable


def test_dlpack_is_called_for_a_class_that_only_has_the_name_of_ndarray(believed: ModuleType) -> None:
    class ndarray:
        __slots__ = tuple("abcdefgh")

        def __dlpack__(self, **keywords: Any) -> Any:
            return np.ones(2).__dlpack__(**keywords)

    ndarray.__module__, ndarray.__qualname__ = "numpy", "ndarray"
    assert believed.Moved.from_dlpack(ndarray()).shape == (2,)


def test_dlpack_is_called_for_a_subclass_that_overrides_it(believed: ModuleType) -> None:
    class Elsewhere(np.ndarray):
        def __dlpack__(self, **keywords: Any) -> Any:
            return np.ones(2).__dlpack__(**keywords)

    class Plain(np.ndarray):
        pass

    array = np.arange(3.0)
    assert believed.Moved.from_dlpack(array.view(Elsewhere)).shape == (2,)
    single: Any = array.view(Plain)
    single.__dlpack__ = np.ones(4).__dlpack__
    assert believed.Moved.from_dlpack(single).shape == (4,)
    made = believed.Moved.from_dlpack(array.view(Plain))
    assert np.shares_memory(np.from_dlpack(made), array)


def test_foreign_byte_order_is_refused_by_numpy_itself(believed: ModuleType) -> None:
    with pytest.raises(BufferError, match="byte"):
        believed.Moved.from_dlpack(np.arange(3.0).astype(">f8"))


def test_an_import_of_a_view_begins_where_the_view_begins(believed: ModuleType) -> None:
    array = np.arange(24.0).reshape(4, 6)
    made = believed.Moved.from_dlpack(array[1:3, 2:])
    np.from_dlpack(made)[...] = -1
    assert array.tolist()[1] == [6, 7, -1, -1, -1, -1]
    assert (made.shape, made.strides) == ((2, 4), (6, 1))


# ---- Reuse of the memory of an earlier import ----


def test_an_import_has_no_value_of_the_import_whose_memory_it_uses_again(lab: ModuleType) -> None:
    for size, writable in [(3, True), (2, False), (4, True), (0, False)]:
        array = np.arange(size, dtype=np.uint8)
        array.flags.writeable = writable
        made = lab.Line.from_dlpack(array)
        shown = np.from_dlpack(made)
        assert (made.shape, made.readonly) == ((size,), not writable)
        assert np.shares_memory(shown, array) == (size > 0)
        del made, shown


def test_memory_of_an_import_is_not_used_again_while_it_has_exports(lab: ModuleType) -> None:
    arrays = [np.full(2, number, np.uint8) for number in range(6)]
    views = []
    for array in arrays:
        made = lab.Line.from_dlpack(array)
        views.append(np.from_dlpack(made))
        del made  # whose export lives on
    others = [lab.Line.from_dlpack(array) for array in arrays[:3]]
    del views[::2]
    gc.collect()
    others += [lab.Line.from_dlpack(array) for array in arrays[3:]]
    assert [view.tolist() for view in views] == [[1, 1], [3, 3], [5, 5]]
    assert [np.from_dlpack(other).tolist() for other in others] == [array.tolist() for array in arrays]


def test_imports_of_several_types_can_alternate(lab: ModuleType) -> None:
    array = np.arange(6, dtype=np.uint8)
    for first, second in [
        (lab.Line, lab.Sheet),
        (lab.Sheet, lab.Line),
        (lab.Sheet, lab.Sheet),
        (lab.Line, lab.Moved),
    ] * 4:
        for cls in (first, second, first):
            wanted = array.reshape(2, 3) if cls is lab.Sheet else array
            nested = cls.from_dlpack(cls.from_dlpack(wanted))  # what is nested ends inside of the other
            assert np.from_dlpack(nested).tolist() == wanted.tolist()
            del nested


def test_wrapped_objects_have_less_storage(lab: ModuleType) -> None:
    wrap = ctypes.PyDLL(lab.__file__).probe_sheet_wrap
    wrap.restype = ctypes.py_object
    struct = ctypes.create_string_buffer(256)
    array = np.arange(6, dtype=np.uint8).reshape(2, 3)
    for _ in range(8):
        assert wrap(struct, ctypes.py_object(struct)).shape == (0, 0)
        made = lab.Sheet.from_dlpack(array)
        assert np.from_dlpack(made).tolist() == array.tolist()


def test_a_refused_import_leaves_the_next_one_alone(lab: ModuleType) -> None:
    array = np.arange(6, dtype=np.uint8)
    for _ in range(2):
        lab.Line.from_dlpack(array)
        with pytest.raises(BufferError, match="compact"):
            lab.Line.from_dlpack(array[::2])
        assert lab.Line.from_dlpack(array[1:]).shape == (5,)
