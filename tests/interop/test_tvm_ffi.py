# SPDX-License-Identifier: MIT
"""Functions of tvm-ffi in any language pass arguments and results through exchange tables."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from types import ModuleType
from typing import Any, ClassVar

import numpy as np
import pytest

from interop.consumer import Consumer
from interop.producer import Producer
from interop.seen import LAYOUTS, Refused, library, look, truth
from python.tensors import DLTensor, Versioned

tvm_ffi = library("tvm_ffi")

echo = tvm_ffi.get_global_func("testing.echo")

REFUSED = Refused(BufferError, r"probe\.Moved: the probe refuses")


class TestDunder(Producer):
    """Read-only data is not refused, because the table is asked before `__dlpack__`; tvm-ffi 0.1.15 drops the flag."""

    take = staticmethod(tvm_ffi.from_dlpack)
    of = staticmethod(tvm_ffi.from_dlpack)
    asks: ClassVar = {}
    rows: ClassVar = {"refused": REFUSED}

    @staticmethod
    def numbers(array: Any) -> list[Any]:
        return np.from_dlpack(array).ravel().tolist()


class TestArgument(Consumer):
    """The argument that a function gets."""

    asks: ClassVar = {}
    rows: ClassVar = {"refused": REFUSED}

    @staticmethod
    def take(x: Any) -> Any:
        seen: list[Any] = []
        tvm_ffi.convert_func(seen.append)(x)
        return seen.pop()

    @staticmethod
    def numbers(array: Any) -> list[Any]:
        return np.from_dlpack(array).ravel().tolist()


@pytest.mark.parametrize("layout", LAYOUTS)
def test_a_result_is_an_object_of_the_class_of_the_argument(
    subject: Callable[..., Any], lab: ModuleType, layout: str
) -> None:
    made, released = subject(*LAYOUTS[layout]), lab.counts()[1]
    result = echo(made.object)
    assert type(result) is lab.Moved
    assert result is not made.object
    assert look(result) == truth(made.struct)
    made.object = None
    assert lab.counts()[1] == released
    del result
    assert lab.counts()[1] == released + 2


def test_an_image_comes_back_as_an_image(imaging: ModuleType) -> None:
    image = imaging.Image.empty((4, 5, 3))
    result = echo(image)
    assert type(result) is imaging.Image
    np.from_dlpack(result)[...] = 9
    assert (np.from_dlpack(image) == 9).all()


@pytest.mark.parametrize("kind", ["Counted", "Borrowed"])
def test_classes_without_import_come_back_as_tensors(lab: ModuleType, kind: str) -> None:
    address, released = lab.new(64), lab.counts()[1]
    result = echo(lab.wrap(kind, address))
    assert type(result) is tvm_ffi.Tensor
    assert result.shape == (64,)
    del result
    assert lab.counts()[1] == released + (kind == "Counted")
    lab.unref(address)


def test_a_read_only_argument_comes_back_writable(subject: Callable[..., Any]) -> None:
    """tvm-ffi 0.1.15 loses the flag."""
    made = subject()
    made.struct.readonly = 1
    assert not echo(made.object).readonly


def test_several_arguments_come_back_in_a_container(subject: Callable[..., Any], lab: ModuleType) -> None:
    made = [subject().object for _ in range(3)]
    results = tvm_ffi.convert_func(lambda *arrays: list(arrays))(*made)
    assert [look(result) for result in results] == [look(one) for one in made]
    made.clear()
    assert [np.from_dlpack(result).sum() for result in results] == [0, 0, 0]


def test_a_closed_object_is_refused_as_an_argument(subject: Callable[..., Any]) -> None:
    made = subject()
    made.object.close()
    for take in (echo, tvm_ffi.from_dlpack):
        with pytest.raises(ValueError, match=r"probe\.Moved: the object is closed"):
            take(made.object)


def test_a_refused_result_is_released(subject: Callable[..., Any], lab: ModuleType) -> None:
    """tvm-ffi keeps its own tensor then."""
    made, released = subject(), lab.counts()[1]
    lab.set_mood(1)
    try:
        result = echo(made.object)
    finally:
        lab.set_mood(0)
    assert type(result) is tvm_ffi.Tensor
    assert look(result) == truth(made.struct)
    made.object = None
    assert lab.counts()[1] == released
    del result
    assert lab.counts()[1] == released + 1


def allocate(prototype: DLTensor) -> ctypes.c_void_p:
    """Allocates the result of a C function: through the exchange table of the arguments, without the GIL."""
    handle = ctypes.c_void_p()
    assert tvm_ffi.LIB.TVMFFIEnvTensorAlloc(ctypes.byref(prototype), ctypes.byref(handle)) == 0
    return handle


def test_a_function_allocates_an_object_of_the_class_of_its_argument(imaging: ModuleType) -> None:
    shape = (ctypes.c_int64 * 3)(4, 5, 3)
    prototype = DLTensor(device_type=1, ndim=3, code=1, bits=8, lanes=1)
    prototype.shape = ctypes.cast(shape, ctypes.POINTER(ctypes.c_int64))
    handles: list[ctypes.c_void_p] = []
    tvm_ffi.convert_func(lambda _: handles.append(allocate(prototype)))(imaging.Image.empty((2, 2, 3)))
    managed = ctypes.POINTER(Versioned)()
    assert tvm_ffi.LIB.TVMFFITensorToDLPackVersioned(handles[0], ctypes.byref(managed)) == 0
    tvm_ffi.LIB.TVMFFIObjectDecRef(handles[0])
    tensor = managed.contents.tensor
    assert tensor.axes() == ((4, 5, 3), (64, 3, 1)), "rows of images are padded"
    assert bytes((ctypes.c_uint8 * 256).from_address(tensor.data)) == bytes(256)
    ctypes.CFUNCTYPE(None, ctypes.c_void_p)(managed.contents.deleter)(managed)
