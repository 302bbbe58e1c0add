"""Lists of objects that C returns or fills: new ones, and those of another object."""

from __future__ import annotations

from pathlib import Path
from types import ModuleType

import pytest

from python.leaks import assert_no_growth, refused, warm_up
from support.build import build_module

SPEC = """
dlpack-bindgen: 1
module: hubs
include: [hubs.h, stdlib.h]
handles:
  Device:
    type: device
    release: device_free(self)
    properties: {number: self->number}
    methods: {renumber: {c: "void device_renumber(device *d, int number)"}}
  Hub:
    type: hub
    release: hub_free(self)
    new: {c: hub *hub_new(int count)}
    methods:
      list:
        c: int hub_list(const hub *h, device ***out, int *n)
        args: {out: {out: true, of: Device, count: n, borrow: h}, n: {out: true}}
        ok: == 0
        finally: free(out)
      table: {c: device *const *hub_table(const hub *h), returns: {of: Device, count: hub_size(h), borrow: h}}
      fixed: {c: const device *const *hub_fixed(const hub *h), returns: {of: Device, count: hub_size(h), borrow: h}}
  Port: {type: port, pass: value, release: port_free(self), properties: {number: self->number}}
functions:
  made:
    c: device **devices_new(int n, int *count)
    args: {count: {out: true}}
    returns: {of: Device, count: count}
    finally: free(result)
  filled: {c: "int devices_fill(device *out[3], int n)", args: {out: {out: true, of: Device, count: result}, n: int}}
  claimed: {c: device *const *devices_claimed(unsigned long long n), returns: {of: Device, count: n, borrow: static}}
  lost: {c: device **devices_lost(int n), returns: {of: Device, count: n}}
  ports: {c: port *ports_new(int n), returns: {of: Port, count: n}, finally: free(result)}
"""
HEADER = Path(__file__).with_name("hubs.h").read_text()


@pytest.fixture(scope="module")
def hubs(tmp_path_factory: pytest.TempPathFactory) -> ModuleType:
    return build_module("hubs", SPEC, tmp_path_factory.mktemp("hubs"), HEADER)


def numbers(devices: list[object]) -> list[int]:
    return [device.number for device in devices]  # type: ignore[attr-defined]


def test_borrowed_objects_keep_their_owner(hubs: ModuleType) -> None:
    for name in ("list", "table"):
        hub = hubs.Hub(3)
        devices = getattr(hub, name)()
        assert (type(devices), numbers(devices)) == (list, [0, 1, 2])
        devices[1].renumber(7)
        assert numbers(hub.table()) == [0, 7, 2]
        hub.close()
        del devices[:2]
        assert numbers(devices) == [2]
    assert hubs.Hub(0).list() == []


def test_a_table_that_is_null_is_empty_or_an_error(hubs: ModuleType) -> None:
    assert hubs.lost(0) == []
    with pytest.raises(RuntimeError, match=r"^the table of 2 objects \(n\) is NULL$"):
        hubs.lost(2)


def test_a_count_that_no_list_can_have_is_an_error(hubs: ModuleType) -> None:
    """The table itself exists, with one object."""
    assert len(hubs.claimed(1)) == 1
    for count in (2**60, 2**62):
        with pytest.raises(ValueError, match=rf"^the number of objects \(n\) is {count}$"):
            hubs.claimed(count)
    for count in (2**63, 2**64 - 1):
        with pytest.raises(ValueError, match=r"^the number of objects \(n\) is "):
            hubs.claimed(count)


def test_const_objects_are_read_only(hubs: ModuleType) -> None:
    devices = hubs.Hub(2).fixed()
    assert numbers(devices) == [0, 1]
    with pytest.raises(BufferError, match="read-only"):
        devices[0].renumber(7)


def test_new_objects_belong_to_python(hubs: ModuleType) -> None:
    devices = hubs.made(3)
    assert numbers(devices) == [0, 1, 2]
    del devices
    assert hubs.made(0) == []
    assert numbers(hubs.filled(2)) == [10, 11]
    assert [port.number for port in hubs.ports(3)] == [0, 1, 2]


def test_null_and_wrong_numbers_of_objects_are_errors(hubs: ModuleType) -> None:
    with pytest.raises(RuntimeError, match=r"^hubs\.Device: the function returned NULL$"):
        hubs.made(7)
    with pytest.raises(ValueError, match=r"the number of objects \(count\) is -1$"):
        hubs.made(9)
    with pytest.raises(ValueError, match=r"the number of objects \(result\) is 5, and C had space for 3$"):
        hubs.filled(5)


def test_lists_of_objects_leak_nothing(hubs: ModuleType) -> None:
    hub = hubs.Hub(3)
    hub.list()
    too_many = refused(ValueError, lambda: hubs.filled(5))

    def everything() -> None:
        hub.list()
        hubs.made(3)
        hubs.filled(2)
        hubs.ports(3)
        too_many()

    warm_up(everything)
    assert_no_growth(everything)
