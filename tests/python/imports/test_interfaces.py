# SPDX-License-Identifier: MIT
"""`Name.from_dlpack` of objects that have only an array interface: how it is found, and how long it is kept."""

from __future__ import annotations

import ctypes
import gc
import textwrap
import weakref
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from python.scripts import run
from support.build import compile_c


class Thing:
    """An object with memory of its own, whose attributes a test sets."""

    def __init__(self, attribute: str = "__array_interface__", **entries: Any) -> None:
        self.memory = np.arange(6, dtype=np.float32)
        data = (self.memory.ctypes.data, False)
        setattr(self, attribute, {"version": 3, "shape": (6,), "typestr": "<f4", "data": data, **entries})


def test_the_import_keeps_the_producer_and_shares_its_memory(lab: ModuleType) -> None:
    thing = Thing()
    memory, alive = thing.memory, weakref.ref(thing)
    made = lab.Moved.from_dlpack(thing)
    del thing
    gc.collect()
    assert alive() is not None
    memory[2] = 20
    assert np.asarray(made).tolist() == [0, 1, 20, 3, 4, 5]
    del made
    assert alive() is None


def test_the_import_keeps_the_bytes_that_a_property_makes(lab: ModuleType) -> None:
    class Picture:
        calls = 0

        @property
        def __array_interface__(self) -> dict[str, Any]:
            self.calls += 1
            return {"version": 3, "shape": (4,), "typestr": "|u1", "data": bytes([1, 2, 3, self.calls])}

    picture = Picture()
    made = lab.Moved.from_dlpack(picture)
    assert picture.calls == 1
    assert (made.readonly, np.asarray(made).tolist()) == (True, [1, 2, 3, 1])


def test_the_import_holds_the_buffer_in_data(lab: ModuleType) -> None:
    data = bytearray(24)
    made = lab.Moved.from_dlpack(Thing(data=data))
    with pytest.raises(BufferError):
        data.append(1)
    del made
    data.append(1)
    with pytest.raises(BufferError, match="does not lie in its data"):
        lab.Moved.from_dlpack(Thing(data=data, offset=4))
    data.append(1)


def test_a_dict_that_changes_while_it_is_read_causes_no_crash(lab: ModuleType) -> None:
    class Two:
        def __index__(self) -> int:
            thing.__array_interface__.clear()
            gc.collect()
            return 2

    thing = Thing(shape=(Two(), 3))
    assert lab.Moved.from_dlpack(thing).shape == (2, 3)


@pytest.mark.parametrize("error", [KeyboardInterrupt, MemoryError])
def test_an_exception_of_an_entry_reaches_the_caller(lab: ModuleType, error: type[BaseException]) -> None:
    class Two:
        def __index__(self) -> int:
            raise error

    for entries in ({"shape": (Two(),)}, {"data": (Two(), False)}, {"version": Two()}, {"data": b"", "offset": Two()}):
        with pytest.raises(error):
            lab.Moved.from_dlpack(Thing(**entries))


def test_an_error_of_the_property_reaches_the_caller(lab: ModuleType) -> None:
    class Picture:
        @property
        def __array_interface__(self) -> dict[str, Any]:
            raise ValueError("no picture yet")

    with pytest.raises(ValueError, match="no picture yet"):
        lab.Moved.from_dlpack(Picture())


@pytest.mark.parametrize("value", [[1, 2], 1, "<f4"])
def test_an_interface_that_is_not_a_dict_is_a_type_error(lab: ModuleType, value: Any) -> None:
    thing = Thing()
    thing.__array_interface__ = value
    with pytest.raises(TypeError, match=r"probe\.Moved: __array_interface__ must be a dict, not "):
        lab.Moved.from_dlpack(thing)


def test_none_and_a_property_object_are_no_interface(lab: ModuleType) -> None:
    class Picture:
        __array_interface__ = property(lambda self: {})

    thing = Thing()
    thing.__array_interface__ = None
    for nothing in (Picture, thing):
        with pytest.raises(TypeError, match="takes an object with __dlpack__"):
            lab.Moved.from_dlpack(nothing)


def test_dlpack_and_buffers_have_precedence_over_an_interface(lab: ModuleType) -> None:
    class Both(Thing):
        def __dlpack__(self, **keywords: Any) -> Any:
            return np.arange(2).__dlpack__(**keywords)

    assert lab.Moved.from_dlpack(Both()).shape == (2,)
    Both.__dlpack__ = None  # type: ignore[method-assign, assignment]
    assert lab.Moved.from_dlpack(Both()).shape == (6,)


@pytest.mark.parametrize("order", "<>=|")
@pytest.mark.parametrize("name", "bool i1 i2 i4 i8 u1 u2 u4 u8 f2 f4 f8 c8 c16".split())
def test_every_dtype_of_numpy_is_imported_in_native_byte_order_only(lab: ModuleType, name: str, order: str) -> None:
    source = np.arange(6).reshape(2, 3).T.astype(np.dtype(name).newbyteorder(order))
    thing = Thing(**source.__array_interface__)
    if source.dtype.isnative:
        made = lab.Moved.from_dlpack(thing)
        assert np.dtype(made.dtype) == source.dtype
        np.testing.assert_array_equal(np.from_dlpack(made), source)
    else:
        with pytest.raises(BufferError, match=f"the dtype is {np.dtype(name)} in the other byte order"):
            lab.Moved.from_dlpack(thing)


CUDA = "__cuda_array_interface__"


class TestCuda:
    """Without a driver of CUDA, or with one that the test builds, as its loader finds it by its name."""

    PRELUDE = """
import ctypes, lab, numpy as np, os, sys
driver = ctypes.CDLL(os.path.join(os.path.dirname(lab.__file__), "libcuda.so.1"))

class Thing:
    def __init__(self, **entries):
        self.memory = np.arange(6, dtype=np.float32)
        data = (self.memory.ctypes.data, False)
        self.__cuda_array_interface__ = {"version": 3, "shape": (6,), "typestr": "<f4", "data": data, **entries}

def outcome(thing):
    driver.cuStreamSynchronize(0)
    try:
        return repr(lab.Moved.from_dlpack(thing))
    except Exception as error:
        return f"{type(error).__name__}: {error}"

"""

    @staticmethod
    def run(lab: ModuleType, tmp_path: Path, script: str) -> list[str]:
        folder = Path(str(lab.__file__)).parent
        for file in folder.iterdir():
            if file.name.startswith("lab."):
                (tmp_path / file.name).symlink_to(file)
        compile_c(
            ["-shared", Path(__file__).with_name("driver.c"), "-Wl,-soname,libcuda.so.1"], tmp_path / "libcuda.so.1"
        )
        return run(tmp_path, textwrap.dedent(script), prelude=TestCuda.PRELUDE)

    def test_the_driver_of_cuda_gives_the_device(self, lab: ModuleType, tmp_path: Path) -> None:
        script = """
            thing = Thing()
            print(outcome(thing), driver.driver_waited())
            print(outcome(Thing(data=(64, False))))
            print(outcome(Thing(shape=(0,), data=(0, False))))
        """
        assert self.run(lab, tmp_path, script) == [
            "BufferError: probe.Moved: the new object shows device cpu:0, not cuda:3 0",
            "BufferError: probe.Moved: the driver of CUDA does not know the address of the array (error 1)",
            "BufferError: probe.Moved: the new object shows device cpu:0, not cuda:0",
        ]

    def test_the_import_waits_for_the_stream(self, lab: ModuleType, tmp_path: Path) -> None:
        script = """
            for stream in (None, 1, 2, np.int64(4096), 2**62):
                outcome(Thing(stream=stream))
                print(driver.driver_waited() & 0xFFFFFFFF)
            for stream in (0, -1, 2**64, "1", 666):
                print(outcome(Thing(stream=stream)))
        """
        refused = f"BufferError: probe.Moved: 'stream' of {CUDA} must be None, 1, 2 or the address of a stream, not "
        assert self.run(lab, tmp_path, script) == [
            *("0", "1", "2", "4096", "0"),
            *(refused + value for value in ("0", "-1", "18446744073709551616", "'1'")),
            "BufferError: probe.Moved: the stream of the array has failed in CUDA (error 700)",
        ]

    def test_an_interface_of_cuda_without_an_address_is_refused(self, lab: ModuleType) -> None:
        with pytest.raises(BufferError, match=f"'data' of {CUDA} must be a tuple of an address and a bool, not b''"):
            lab.Moved.from_dlpack(Thing(CUDA, data=b""))

    def test_without_a_driver_of_cuda_the_device_is_unknown(
        self, lab: ModuleType, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def refuse(name: str) -> Any:
            raise OSError(name)

        monkeypatch.setattr(ctypes, "CDLL", refuse)
        with pytest.raises(BufferError, match=r"^probe\.Moved: the data is on cuda, but there is no driver of CUDA \("):
            lab.Moved.from_dlpack(Thing(CUDA))

    def test_the_interface_of_the_cpu_has_precedence_over_that_of_cuda(self, lab: ModuleType) -> None:
        thing = Thing(CUDA, shape=(2,))
        thing.__array_interface__ = Thing().__array_interface__
        assert lab.Moved.from_dlpack(thing).shape == (6,)
