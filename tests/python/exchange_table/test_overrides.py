# SPDX-License-Identifier: MIT
"""Subclasses inherit the exchange table and `__dlpack__()`, and override the hooks that change the answer."""

from __future__ import annotations

import ctypes
from typing import Any

import pytest

from python.exchange import ATTRIBUTE, Calls, Source, with_table


class _Definition(ctypes.Structure):
    _fields_ = (
        ("name", ctypes.c_char_p),
        ("function", ctypes.c_void_p),
        ("flags", ctypes.c_int),
        ("doc", ctypes.c_char_p),
    )


_for_ever: list[_Definition] = []
_function = ctypes.pythonapi.PyCFunction_NewEx
_function.restype, _function.argtypes = ctypes.py_object, [ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p]
HOOKS = ("__torch_function__", "__torch_dispatch__", "__dlpack_device__")


def disabled(name: bytes = b"_disabled_torch_function_impl") -> Any:
    """Makes a function of C, like the one by which PyTorch turns a protocol off."""
    definition = _Definition(name, ctypes.cast(ctypes.pythonapi.PyObject_Repr, ctypes.c_void_p).value, 8, None)
    _for_ever.append(definition)
    return _function(ctypes.byref(definition), None, None)


VALUES = {"classmethod": classmethod(lambda cls, *_: None), "staticmethod": staticmethod(len), "len": len, "None": None}


@pytest.mark.parametrize("value", VALUES.values(), ids=VALUES)
@pytest.mark.parametrize("hook", HOOKS)
def test_a_subclass_that_overrides_a_hook_gets_a_call(lab, managed, table, hook: str, value: Any) -> None:
    derived = type("Derived", (with_table(Calls, table()),), {hook: value})
    for cls in (derived, type("Further", (derived,), {})):
        source = cls(managed)
        lab.Moved.from_dlpack(source)
        assert source.asked == ["call"]


@pytest.mark.parametrize("hook", HOOKS)
def test_a_subclass_with_a_hook_of_another_base_gets_a_call_if_that_base_comes_first(
    lab, managed, table, hook: str
) -> None:
    mixin, tabled = type("Mixin", (), {hook: len}), with_table(Calls, table())
    for bases, way in (((mixin, tabled), "call"), ((tabled, mixin), "table")):
        source = type("Both", bases, {})(managed)
        lab.Moved.from_dlpack(source)
        assert source.asked == [way]


@pytest.mark.parametrize("hook", HOOKS)
def test_the_table_is_used_if_the_class_has_no_dlpack(lab, managed, table, hook: str) -> None:
    source = type("Derived", (with_table(Source, table()),), {hook: len})(managed)
    lab.Moved.from_dlpack(source)
    assert source.asked == ["table"]


@pytest.mark.parametrize("hook", HOOKS)
def test_the_table_is_used_if_its_own_class_has_the_hook(lab, managed, table, hook: str) -> None:
    source = type("Whole", (Calls,), {hook: len, ATTRIBUTE: table()})(managed)
    lab.Moved.from_dlpack(source)
    assert source.asked == ["table"]


@pytest.mark.parametrize("protocol", ["function", "dispatch"])
def test_a_class_can_disable_the_hook(lab, managed, table, protocol: str) -> None:
    """Such a class, like torch.nn.Parameter, and its subclasses are read through the table."""
    off = disabled(f"_disabled_torch_{protocol}_impl".encode())
    hook = f"__torch_{protocol}__"
    tabled = with_table(Calls, table())
    parameter = type("Parameter", (tabled,), {hook: off})
    answering = type("Answering", (tabled,), {hook: classmethod(lambda cls, *_: None)})
    for cls, way in (
        (parameter, "table"),
        (type("Subclass", (parameter,), {}), "table"),
        (type("Quiet", (answering,), {hook: off}), "table"),
        (type("Loud", (parameter,), {hook: len}), "call"),
        (type("First", (parameter, answering), {}), "table"),
        (type("Last", (answering, parameter), {}), "call"),
    ):
        source = cls(managed)
        lab.Moved.from_dlpack(source)
        assert source.asked == [way], cls


def test_only_the_disabling_functions_of_pytorch_disable_the_hook(lab, managed, table) -> None:
    source = type("Derived", (with_table(Calls, table()),), {HOOKS[0]: disabled(b"_torch_function_impl")})(managed)
    lab.Moved.from_dlpack(source)
    assert source.asked == ["call"]


@pytest.mark.type_versions
def test_adding_and_removing_the_hook_takes_effect(lab, managed, table) -> None:
    class Derived(with_table(Calls, table())):
        pass

    source = Derived(managed)
    lab.Moved.from_dlpack(source)
    Derived.__torch_function__ = len
    lab.Moved.from_dlpack(source)
    del Derived.__torch_function__
    lab.Moved.from_dlpack(source)
    assert source.asked == ["table", "call", "table"]
