"""Libraries keep the memory of an import, and call its deleter in every order."""

from __future__ import annotations

import ctypes
import threading

import numpy as np
import pytest

from structs.libraries import Library, assert_same
from structs.modules import Loader
from structs.producers import Bytes


@pytest.fixture
def lease(library: Loader) -> Library:
    return library("lease")


ORDERS = ["DataUser", "UserData", "User", "Object", "ObjectData", "DataLengthUser", "UserNote", "Attached"]


def snake(name: str) -> str:
    return "".join("_" + c.lower() if c.isupper() else c for c in name)[1:]


@pytest.mark.parametrize("name", ORDERS)
def test_the_library_calls_the_deleter_when_the_object_is_destroyed(lease: Library, name: str) -> None:
    producer = Bytes(8)
    calls = lease.number("lease_calls")
    shown = getattr(lease.module, name).from_dlpack(producer)
    assert_same(np.from_dlpack(shown), producer.array)
    assert producer.needed
    del shown
    assert not producer.needed
    assert (lease.number("lease_calls"), lease.number("lease_live")) == (calls + 1, 0)


@pytest.mark.parametrize("name", ORDERS)
def test_a_library_can_keep_the_memory_after_the_object(lease: Library, name: str) -> None:
    producer = Bytes(8)
    calls = lease.number("lease_calls")
    shown = getattr(lease.module, name).from_dlpack(producer)
    pointer = lease.unwrap(snake(name), shown)
    lease.number("lease_keep", pointer, kind=None)
    del shown
    assert producer.needed, "the library may still read it"
    assert (lease.number("lease_calls"), lease.number("lease_live")) == (calls, 1)
    data = ctypes.c_void_p.from_address((pointer.value or 0) + 8).value
    assert data == producer.array.__array_interface__["data"][0]
    lease.number("lease_drop", pointer, kind=None)
    assert not producer.needed
    assert (lease.number("lease_calls"), lease.number("lease_live")) == (calls + 1, 0)


@pytest.mark.parametrize("name", ORDERS)
def test_a_library_can_call_the_deleter_on_another_thread(lease: Library, name: str) -> None:
    producer = Bytes(8)
    shown = getattr(lease.module, name).from_dlpack(producer)
    pointer = lease.unwrap(snake(name), shown)
    lease.number("lease_keep", pointer, kind=None)
    del shown
    # Without the GIL: NumPy's deleter takes it on that thread.
    free = ctypes.CDLL(str(lease.path))
    free.lease_drop_elsewhere(pointer)
    assert not producer.needed
    assert lease.number("lease_live") == 0


@pytest.mark.parametrize("name", [*ORDERS[:-1]])
@pytest.mark.parametrize("count", [13, 14])
def test_a_failing_constructor_releases_the_memory_once(lease: Library, name: str, count: int) -> None:
    """Lengths: 13, the constructor has not touched the memory; 14, it has called the deleter before it failed."""
    producer = Bytes(count)
    calls = lease.number("lease_calls")
    with pytest.raises(RuntimeError, match=r"lease_\w+\(data, .*\)"):
        getattr(lease.module, name).from_dlpack(producer)
    assert not producer.needed
    assert (lease.number("lease_calls"), lease.number("lease_live")) == (calls + count - 13, 0)


def test_an_object_whose_deleter_cannot_be_attached_is_destroyed(lease: Library) -> None:
    producer = Bytes(15)
    calls = lease.number("lease_calls")
    with pytest.raises(RuntimeError, match="fifteen bytes are not attached"):
        lease.module.Attached.from_dlpack(producer)
    assert not producer.needed
    assert (lease.number("lease_calls"), lease.number("lease_live")) == (calls, 0)


def test_a_refused_object_is_undone(lease: Library) -> None:
    producer = Bytes(16)
    with pytest.raises(RuntimeError, match="sixteen bytes are not believed"):
        lease.module.Checked.from_dlpack(producer)
    assert not producer.needed
    assert lease.number("lease_live") == 0
    assert_same(np.from_dlpack(lease.module.Checked.from_dlpack(producer := Bytes(8))), producer.array)


def test_detach_runs_before_the_object_is_released(lease: Library) -> None:
    producer = Bytes(8)
    detached = lease.number("lease_detached")
    shown = lease.module.Boxed.from_dlpack(producer)
    array = np.from_dlpack(shown)
    del shown
    assert lease.number("lease_detached") == detached
    assert_same(array, producer.array)
    del array
    assert (lease.number("lease_detached"), lease.number("lease_live")) == (detached + 1, 0)
    assert not producer.needed


def test_an_initialised_struct_can_keep_the_deleter(lease: Library) -> None:
    producer = Bytes(8)
    calls = lease.number("lease_calls")
    shown = lease.module.Initialised.from_dlpack(producer)
    assert_same(np.from_dlpack(shown), producer.array)
    del shown
    assert not producer.needed
    assert (lease.number("lease_calls"), lease.number("lease_live")) == (calls + 1, 0)


def test_exports_of_an_import_outlive_it(lease: Library) -> None:
    producer = Bytes(8)
    array = np.from_dlpack(lease.module.User.from_dlpack(producer))
    assert producer.needed
    array[:] = 7
    assert (producer.array == 7).all()
    del array
    assert not producer.needed


def test_threads_can_import_at_the_same_time(lease: Library) -> None:
    calls = lease.number("lease_calls")

    def work() -> None:
        for _ in range(50):
            np.from_dlpack(lease.module.DataUser.from_dlpack(np.zeros(8, np.uint8)))

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert (lease.number("lease_calls"), lease.number("lease_live")) == (calls + 200, 0)
