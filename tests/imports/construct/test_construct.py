"""Objects are constructed for arrays: literal extents, checks, allocation, and destruction."""

from __future__ import annotations

import ctypes

import numpy as np
import pytest

from structs.libraries import Library, assert_same, count
from structs.modules import Loader


@pytest.fixture
def cloud(library: Loader) -> Library:
    return library("cloud")


def test_a_literal_extent_must_be_equal(cloud: Library) -> None:
    array = count(7, 3)
    assert_same(np.from_dlpack(cloud.module.Cloud.from_dlpack(array)), array)
    with pytest.raises(BufferError, match=r"shape\[1\] is 4, not 3"):
        cloud.module.Cloud.from_dlpack(count(7, 4))
    with pytest.raises(ValueError, match=r"shape\[1\] is 4, not 3"):
        cloud.module.Cloud.empty((7, 4))


def test_checks_of_an_import_refuse_an_array(cloud: Library) -> None:
    with pytest.raises(BufferError, match=r"shape\[0\] != 13 does not hold"):
        cloud.module.Cloud.from_dlpack(count(13, 3))
    with pytest.raises(BufferError, match="too many"):
        cloud.module.Cloud.from_dlpack(count(100, 3))


def test_a_new_object_is_allocated_and_released(cloud: Library) -> None:
    shown = cloud.module.Cloud.empty([4, 3])
    np.from_dlpack(shown)[...] = 1
    assert cloud.number("cloud_live") == 1
    del shown
    assert cloud.number("cloud_live") == 0
    with pytest.raises(RuntimeError, match=r"cloud_new\(shape\[0\]\).*at most a thousand points"):
        cloud.module.Cloud.empty((1001, 3))
    assert cloud.module.Cloud.empty.__text_signature__ == "($type, /, shape, *, dtype='float32')"


def test_release_can_have_two_statements(cloud: Library) -> None:
    array = count(9, dtype=np.uint8)
    first = cloud.module.Slot.from_dlpack(array)
    second = np.from_dlpack(cloud.module.Slot.from_dlpack(array))
    assert_same(second, array)
    assert cloud.number("slots_used") == 2
    with pytest.raises(RuntimeError, match=r"slot_take\(data, n\)"):
        cloud.module.Slot.from_dlpack(array)
    slot = cloud.unwrap("slot", first).value or 0
    del first
    assert ctypes.c_void_p.from_address(slot + 8).value is None
    del second
    assert cloud.number("slots_used") == 0


def test_destroy_none_leaves_the_object_to_the_library(cloud: Library) -> None:
    lasting = cloud.module.Lasting.from_dlpack(count(9, dtype=np.int8))
    slot = cloud.unwrap("lasting", lasting)
    del lasting
    assert cloud.number("slots_used") == 1, "nothing was done to it"
    cloud.number("slot_put", slot, kind=None)
