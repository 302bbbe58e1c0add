# SPDX-License-Identifier: MIT
"""Classes have attributes, docstrings and signatures, and refuse changes."""

from __future__ import annotations

import ctypes
import gc
import inspect
import pydoc
from types import ModuleType
from typing import Any

import numpy as np
import pytest

ATTRIBUTES = "shape strides dtype device readonly nbytes itemsize ndim".split()


def test_attributes_show_the_values_of_the_struct(subject) -> None:
    made = subject((2, 3), (8, 1), "complex64")
    told = {name: getattr(made.object, name) for name in ATTRIBUTES}
    assert told == {
        "shape": (2, 3),
        "strides": (8, 1),
        "dtype": "complex64",
        "device": (1, 0),
        "readonly": False,
        "nbytes": 48,
        "itemsize": 8,
        "ndim": 2,
    }
    made.struct.set_axes(())
    made.struct.readonly = 1
    assert (made.object.shape, made.object.strides, made.object.ndim, made.object.nbytes) == ((), (), 0, 8)
    assert made.object.readonly is True


def test_packed_elements_are_counted_in_whole_bytes(subject) -> None:
    made = subject((5,), None, "float4_e2m1fn")
    assert (made.object.nbytes, made.object.itemsize) == (3, 1)


@pytest.mark.parametrize("name", [*ATTRIBUTES, "new", "__dlpack__", "__class__"])
def test_attributes_are_read_only(subject, name: str) -> None:
    made = subject()
    with pytest.raises((AttributeError, TypeError)):
        setattr(made.object, name, 1)
    with pytest.raises((AttributeError, TypeError)):
        delattr(made.object, name)


def test_classes_are_final_immutable_and_not_instantiable(lab: ModuleType) -> None:
    cls: Any = lab.Moved
    with pytest.raises(TypeError, match="not an acceptable base type"):
        type("Derived", (cls,), {})
    with pytest.raises(TypeError, match=r"cannot create 'lab\.Moved' instances"):
        cls()
    with pytest.raises(TypeError, match="cannot set 'shape' attribute of immutable type"):
        cls.shape = None
    with pytest.raises(TypeError):
        cls.__new__(cls)
    with pytest.raises(TypeError):
        object.__new__(cls)


def test_classes_know_their_names(imaging: ModuleType, lab: ModuleType) -> None:
    assert (imaging.Image.__module__, imaging.Image.__qualname__) == ("imaging", "Image")
    assert imaging.Image.__doc__ == (
        "An 8-bit picture with padded rows, top row first.\n\nA black picture.\n\n"
        "Raises ValueError if the library reports a failure."
    )
    assert imaging.__doc__ == "Pictures of the imaging library, shared through DLPack."
    assert (lab.Moved.__module__, lab.Moved.__name__) == ("lab", "Moved")  # the spec says probe


def test_signatures_agree_with_the_stub(imaging: ModuleType) -> None:
    cls = imaging.Image
    signatures = {name: str(inspect.signature(getattr(cls, name))) for name in ("from_dlpack", "empty", "__dlpack__")}
    assert signatures == {
        "from_dlpack": "(x, /, *, device=None, copy=None)",
        "empty": "(shape, *, dtype='uint8')",
        "__dlpack__": "(self, /, *, stream=None, max_version=None, dl_device=None, copy=None)",
    }
    assert str(inspect.signature(cls.__dlpack_device__)) == "(self, /)"
    assert str(inspect.signature(cls.empty((1, 1, 1)).__dlpack_device__)) == "()"
    assert str(inspect.signature(cls.__array__)) == "(self, /, dtype=None, copy=None)"


def test_everything_has_a_docstring(imaging: ModuleType, gsl: ModuleType) -> None:
    for cls in (imaging.Image, gsl.Matrix):
        for name in [*ATTRIBUTES, "from_dlpack", "empty", "__dlpack__", "__dlpack_device__", "__array__"]:
            assert inspect.getdoc(getattr(cls, name)), name


def test_help_shows_classes_and_methods(imaging: ModuleType) -> None:
    text = pydoc.plain(pydoc.render_doc(imaging))
    assert "An 8-bit picture with padded rows" in text
    assert "__dlpack__(self, /, *, stream=None, max_version=None, dl_device=None, copy=None)" in text
    assert "Extent of each axis, in elements." in text
    assert "from_dlpack(x, /, *, device=None, copy=None)" in text


@pytest.mark.parametrize(
    ("shape", "strides", "dtype", "fields", "text"),
    [
        ((2, 3), (3, 1), "float32", {}, "float32[2, 3] on cpu"),
        ((2, 3), (8, 1), "uint8", {}, "uint8[2, 3] strides (8, 1) on cpu"),
        ((), (), "bool", {}, "bool[] on cpu"),
        ((0, 3), (9, 9), "int64", {}, "int64[0, 3] on cpu"),
        ((1, 3), (77, 1), "int8", {"readonly": 1}, "int8[1, 3] on cpu, read-only"),
        ((4,), (-1,), "bfloat16", {"device": 2, "device_id": 3}, "bfloat16[4] strides (-1) on cuda:3"),
        ((1,) * 64, (2**62,) * 64, "int8", {}, f"int8[{', '.join('1' * 64)}] on cpu"),
        ((2,) * 59, (0,) * 59, "int8", {}, f"int8[{', '.join('2' * 59)}] strides ({', '.join('0' * 59)}) on cpu"),
    ],
)
def test_repr_is_one_short_line(subject, shape: Any, strides: Any, dtype: str, fields: Any, text: str) -> None:
    made = subject(shape, strides, dtype)
    for name, value in fields.items():
        setattr(made.struct, name, value)
    assert repr(made.object) == str(made.object) == f"<probe.Moved {text}>"


def test_objects_are_compared_by_identity(subject) -> None:
    first, second = subject().object, subject().object
    assert first != second
    assert len({first, second, first}) == 2


def test_an_object_of_another_class_is_not_unwrapped(subject, lab: ModuleType, imaging: ModuleType) -> None:
    others = [subject(kind="Counted").object, None, object(), np.zeros(3), imaging.Image.empty((1, 1, 1)), lab.Moved]
    for other in others:
        with pytest.raises(TypeError, match=r"expected probe\.Moved, not "):
            lab.unwrap("Moved", other)


def test_an_object_is_unwrapped_to_its_struct(subject, lab: ModuleType) -> None:
    made = subject()
    assert lab.unwrap("Moved", made.object) == ctypes.addressof(made.struct)


def test_the_garbage_collector_does_not_track_objects(subject) -> None:
    assert not gc.is_tracked(subject().object)


class TestEmpty:
    """`Name.empty`."""

    @pytest.mark.parametrize("shape", [(4, 5, 3), [4, 5, 3], np.array([4, 5, 3]), (np.int64(4), 5, 3)])
    def test_a_shape_is_any_sequence_of_ints(self, imaging: ModuleType, shape: Any) -> None:
        image = imaging.Image.empty(shape, dtype="uint8")
        assert (image.shape, image.dtype) == ((4, 5, 3), "uint8")
        assert imaging.Image.empty(dtype="uint8", shape=(4, 5, 3)).shape == (4, 5, 3)

    @pytest.mark.parametrize(
        ("args", "keywords", "error", "message"),
        [
            ((), {}, TypeError, "missing required argument"),
            (((4, 5, 3), "uint8"), {}, TypeError, "positional argument"),
            (((4, 5, 3),), {"device": "cpu"}, TypeError, "device"),
            (((4, 5, 3),), {"shape": (4, 5, 3)}, TypeError, r"empty\(\) given by name \('shape'\) and position \(1\)"),
            ((), {"dtype": "uint8"}, TypeError, r"empty\(\) missing required argument 'shape' \(pos 1\)"),
            (("abc",), {}, TypeError, "str"),
            ((None,), {}, TypeError, "must be an int or a sequence of ints"),
            (({4, 5, 3},), {}, TypeError, "must be an int or a sequence of ints, not 'set'"),
            (((4, 5.0, 3),), {}, TypeError, "'shape' must be an int or a sequence of ints, without 'float'"),
            (((4, 5, 3),), {"dtype": 8}, TypeError, "'dtype' must be a dtype or its name, not 'int'"),
            (((4, 5, 3),), {"dtype": np.dtype(">f8")}, TypeError, r"its name, not '(numpy\.dtypes\.)?Float64DType'"),
            (((4, 5, 3),), {"dtype": np.float32}, ValueError, r"imaging\.Image: the dtype is float32, not uint8"),
            (((4, 5, 3),), {"dtype": "unit8"}, ValueError, "there is no dtype 'unit8'"),
            (((4, 5, 3),), {"dtype": "float32"}, ValueError, r"imaging\.Image: the dtype is float32, not uint8"),
            (((4, 5, 3),), {"dtype": "uint8\0"}, ValueError, r"there is no dtype 'uint8\\x00'"),
            ((7,), {}, ValueError, r"imaging\.Image: the array has 1 axis, not 3"),
            ((np.array(7),), {}, ValueError, r"imaging\.Image: the array has 1 axis, not 3"),
            (((4, 5),), {}, ValueError, r"imaging\.Image: the array has 2 axes, not 3"),
            (((1,) * 65,), {}, ValueError, r"imaging\.Image: an array has at most 64 axes, not 65"),
            (((-4, 5, 3),), {}, ValueError, r"imaging\.Image: shape\[0\] is -4: an extent is not negative"),
            (((4, np.int64(-1), 3),), {}, ValueError, r"imaging\.Image: shape\[1\] is -1: an extent is not negative"),
            (((2**40, 2**40, 3),), {}, ValueError, r"multiply to more than 2\^63 - 1"),
            (((10**30, 5, 3),), {}, ValueError, "an extent of 1000000000000000000000000000000 does not fit"),
            (((2**31, 5, 3),), {}, ValueError, r"imaging\.Image: height .*would be 2147483648"),
            (((70000, 5, 3),), {}, RuntimeError, r"imaging\.Image: image_create\(.*\) failed"),
            (((4, 5, 2),), {}, RuntimeError, r"imaging\.Image: image_create\(.*\) failed"),
        ],
    )
    def test_a_wrong_argument_is_refused_with_the_reason(
        self, imaging, args: Any, keywords: Any, error: Any, message: str
    ) -> None:
        with pytest.raises(error, match=message):
            imaging.Image.empty(*args, **keywords)

    @pytest.mark.parametrize("dtype", [np.uint8, np.dtype("uint8"), np.zeros(1, np.uint8).dtype, "uint8"], ids=repr)
    def test_a_dtype_of_another_library_is_known_by_its_name(self, imaging: ModuleType, dtype: Any) -> None:
        assert imaging.Image.empty((4, 5, 3), dtype=dtype).dtype == "uint8"

    def test_the_name_of_a_dtype_may_contain_the_name_of_its_library(self, imaging: ModuleType) -> None:
        class DType:
            def __init__(self, name: str) -> None:
                self.name = name

            def __str__(self) -> str:
                return self.name

        for name in ("library.uint8", "library.dtypes.uint8", "uint8"):
            assert imaging.Image.empty((4, 5, 3), dtype=DType(name)).dtype == "uint8"
        for name in ("library.", "uint8.library", ""):
            with pytest.raises(TypeError, match=r"argument 'dtype' must be a dtype or its name, not '.*DType'$"):
                imaging.Image.empty((4, 5, 3), dtype=DType(name))

    def test_an_exception_in_the_name_of_a_dtype_reaches_the_caller(self, imaging: ModuleType) -> None:
        class Failing:
            def __str__(self) -> str:
                raise LookupError("no name")

        with pytest.raises(LookupError, match="no name"):
            imaging.Image.empty((4, 5, 3), dtype=Failing())

    def test_an_index_can_change_the_list_that_holds_it(self, imaging: ModuleType) -> None:
        class Clears:
            def __index__(self) -> int:
                shape.clear()
                return 4

        shape: list[Any] = [Clears(), 5, 3]
        assert imaging.Image.empty(shape).shape == (4, 5, 3)

    def test_an_exception_of_an_index_reaches_the_caller(self, imaging: ModuleType) -> None:
        class Bad:
            def __index__(self) -> int:
                raise KeyboardInterrupt

        with pytest.raises(KeyboardInterrupt):
            imaging.Image.empty((1, Bad(), 3))
        with pytest.raises(KeyboardInterrupt):
            imaging.Image.empty(Bad())

    def test_only_classes_with_allocate_or_import_have_empty_or_from_dlpack(self, lab: ModuleType) -> None:
        assert not hasattr(lab.Moved, "empty")
        assert not hasattr(lab.Counted, "from_dlpack")
