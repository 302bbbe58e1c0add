"""`cast` of an import: arrays of other dtypes are converted, as NumPy does, while they are copied."""

from __future__ import annotations

import array
import ctypes
import gc
import weakref
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from functions.arrays_producers import Described
from python.leaks import assert_no_growth, warm_up
from support.build import build_module

HERE = Path(__file__).parent
SOURCES = """\
dlpack-bindgen: 1
module: castsources
include: castsources.h
arrays: Array
functions:
  copy:
    c: void castsources_copy(const double *x, double *y, size_t n)
    args: {y: {default: like x}, n: {count_of: x}}
"""
SOURCES_HEADER = """\
#include <stddef.h>
static inline void castsources_copy(const double *x, double *y, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        y[i] = x[i];
    }
}
"""
INTEGERS = ["int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"]
DTYPES = ["bool", *INTEGERS, "float16", "float32", "float64", "complex64", "complex128"]
CLASSES = {
    "Vec": ("float32", "same_kind"),
    "SafeVec": ("float32", "safe"),
    "WritableVec": ("float32", "same_kind"),
    "Kept": ("float64", "safe"),
    "Half": ("float16", "same_kind"),
    "Pairs": ("complex64", "same_kind"),
    "Flags": ("bool", "same_kind"),
    "Long": ("int64", "safe"),
}


@pytest.fixture(scope="module")
def lib(tmp_path_factory: pytest.TempPathFactory) -> ModuleType:
    spec, header, source = ((HERE / f"importcasts.{suffix}").read_text() for suffix in ("yaml", "h", "c"))
    return build_module("importcasts", spec, tmp_path_factory.mktemp("importcasts"), header, source)


@pytest.fixture(scope="module")
def other(tmp_path_factory: pytest.TempPathFactory) -> ModuleType:
    """Builds and imports a module whose arrays have an exchange table."""
    return build_module("castsources", SOURCES, tmp_path_factory.mktemp("castsources"), SOURCES_HEADER)


class Producer:
    """An object that only has `__dlpack__`; with `is_old`, that of DLPack before 1.0."""

    def __init__(self, x: np.ndarray, is_old: bool = False) -> None:
        self.x, self.is_old = x, is_old

    def __dlpack__(self, **keywords: Any) -> Any:
        return self.x.__dlpack__() if self.is_old else self.x.__dlpack__(max_version=(1, 0))

    def __dlpack_device__(self) -> tuple[int, int]:
        return (1, 0)


SOURCES_OF_ARRAYS: dict[str, Callable[[np.ndarray], Any]] = {
    "array": lambda x: x,
    "subclass": lambda x: x.view(np.matrix) if x.ndim == 2 else x.view(np.recarray),
    "buffer": memoryview,
    "interface": Described,
    "versioned": Producer,
    "legacy": lambda x: Producer(x, is_old=True),
    "versioned capsule": lambda x: x.__dlpack__(max_version=(1, 0)),
    "legacy capsule": lambda x: x.__dlpack__(),
}


def values(name: str) -> np.ndarray:
    """Returns numbers that every dtype of the kind and of a later kind can hold."""
    numbers: list[Any] = [0, 1, 2, 3, 100]
    if np.dtype(name).kind not in "bu":
        numbers += [-1, -2]
    if np.dtype(name).kind in "fc":
        numbers += [0.1, 1 / 3, -2.75, 65519.0, np.inf, np.nan]
    if np.dtype(name).kind == "c":
        numbers += [1j, 0.1 - 0.3j]
    return np.array(numbers).astype(name)


# ---- from_dlpack() ----


@pytest.mark.parametrize("cls", CLASSES)
@pytest.mark.parametrize("source", DTYPES)
def test_every_dtype_is_converted_as_numpy_can_cast_it(lib: ModuleType, cls: str, source: str) -> None:
    target, casting = CLASSES[cls]
    x = values(source)
    if not np.can_cast(source, target, casting=casting):
        with pytest.raises(BufferError, match=rf"^importcasts\.{cls}: the dtype is {source}, not {target}$"):
            getattr(lib, cls).from_dlpack(x)
        return
    made = getattr(lib, cls).from_dlpack(x)
    assert made.dtype == target
    assert np.array_equal(np.from_dlpack(made), x.astype(target), equal_nan=np.dtype(target).kind in "fc")


@pytest.mark.parametrize("source", SOURCES_OF_ARRAYS)
def test_arrays_of_every_producer_are_converted(lib: ModuleType, source: str) -> None:
    x = np.arange(6, dtype=np.int16).reshape(2, 3)
    assert lib.at(SOURCES_OF_ARRAYS[source](x), 1, 0) == 3
    assert np.from_dlpack(lib.Matrix.from_dlpack(SOURCES_OF_ARRAYS[source](x))).tolist() == x.tolist()
    assert lib.sum(SOURCES_OF_ARRAYS[source](x[0])) == 3


@pytest.mark.parametrize("cls", CLASSES)
@pytest.mark.parametrize("source", DTYPES)
def test_another_byte_order_is_converted(lib: ModuleType, cls: str, source: str) -> None:
    target, casting = CLASSES[cls]
    x = values(source)
    given = x.astype(x.dtype.newbyteorder("S"))
    if not np.can_cast(given.dtype, target, casting=casting):
        with pytest.raises(BufferError, match=rf"^importcasts\.{cls}: the dtype is {source}, not {target}$"):
            getattr(lib, cls).from_dlpack(given)
        return
    made = getattr(lib, cls).from_dlpack(given)
    assert made.dtype == target
    assert np.array_equal(np.from_dlpack(made), x.astype(target), equal_nan=np.dtype(target).kind in "fc")


@pytest.mark.parametrize("source", ["array", "subclass", "buffer", "interface"])
@pytest.mark.parametrize("cls", ["Matrix", "Reversed", "Strided", "Image"])
def test_layouts_of_another_byte_order_are_converted(lib: ModuleType, cls: str, source: str) -> None:
    fields = np.zeros((2, 3), [("tag", "u1"), ("x", ">f4"), ("y", "<f4")])
    fields["x"] = fields["y"] = np.arange(6).reshape(2, 3)
    for x in (fields["x"], fields["y"], fields["x"].T, fields["x"][::-1, ::2], fields["x"][:0]):
        made = getattr(lib, cls).from_dlpack(SOURCES_OF_ARRAYS[source](x))
        assert np.from_dlpack(made).tolist() == x.tolist()
        if x.shape[0] > 1:
            assert lib.at(SOURCES_OF_ARRAYS[source](x), 1, 0) == x[1, 0]


def test_an_object_does_not_keep_an_array_of_another_byte_order(lib: ModuleType) -> None:
    """It has a converted copy."""
    x = np.arange(3.0).astype(">f8").view(np.recarray)
    gone = weakref.ref(x)
    made = lib.Kept.from_dlpack(x)
    del x
    gc.collect()
    assert gone() is None
    assert np.from_dlpack(made).tolist() == [0, 1, 2]


def test_items_of_lists_and_kept_results_of_another_byte_order_are_converted(lib: ModuleType) -> None:
    x = np.array([1, 2], ">i2")
    assert lib.sum_all([x, x.astype("<f4"), memoryview(x)]) == 9
    assert lib.sum_held(x) == lib.sum_by_value(x) == 3
    assert lib.total(x) == 3
    assert np.asarray(lib.values(x)).tolist() == [1, 2]
    assert np.asarray(lib.same(x)).tolist() == [1, 2]


def test_another_byte_order_needs_a_copy(lib: ModuleType) -> None:
    x = np.array([1, 2], ">f4")
    message = r"^importcasts\.Vec: the dtype is float32 in the other byte order, not in that of this machine$"
    with pytest.raises(BufferError, match=message):
        lib.Vec.from_dlpack(x, copy=False)
    assert np.from_dlpack(lib.Vec.from_dlpack(x, copy=True)).tolist() == [1, 2]
    with pytest.raises(BufferError, match=message.replace("Vec", "StrictVec")):
        lib.StrictVec.from_dlpack(x)
    with pytest.raises(
        BufferError, match=r"^fill\(\) argument 'v': the dtype is float32 in the other byte order, not in that"
    ):
        lib.fill(x, 1)
    with pytest.raises(BufferError, match=r"^importcasts\.Vec: the array has 2 axes, not 1$"):
        lib.Vec.from_dlpack(np.zeros((2, 2), ">f8"))
    with pytest.raises(ValueError, match=r"^importcasts\.Vec: the value 1e\+300 does not fit float32$"):
        lib.Vec.from_dlpack(np.array([1e300], ">f8"))


def test_a_field_of_packed_records_is_copied(lib: ModuleType) -> None:
    x = np.zeros(3, [("tag", "u1"), ("x", "f4")])
    x["x"] = [1, 2, 3]
    for source in ("array", "subclass", "buffer", "interface"):
        assert np.from_dlpack(lib.StrictVec.from_dlpack(SOURCES_OF_ARRAYS[source](x["x"]))).tolist() == [1, 2, 3]
        assert lib.sum_strict(SOURCES_OF_ARRAYS[source](x["x"][::-1])) == 6
    with pytest.raises(
        BufferError,
        match=r"^importcasts\.StrictVec: strides\[0\] of the array is 5 bytes: not a multiple of the item size 4$",
    ):
        lib.StrictVec.from_dlpack(x["x"], copy=False)


def test_objects_of_other_classes_and_modules_are_converted(lib: ModuleType, other: ModuleType) -> None:
    foreign = other.copy(np.array([1.0, 2.5]))
    own = lib.Array.from_dlpack(np.array([1, 2], np.int8))
    image = lib.Image.from_dlpack(np.array([[1, 2]], np.int16))
    assert (lib.sum(foreign), lib.sum(own)) == (3.5, 3)
    assert np.from_dlpack(lib.Vec.from_dlpack(foreign)).tolist() == [1, 2.5]
    assert np.from_dlpack(lib.Vec.from_dlpack(own)).tolist() == [1, 2]
    assert np.from_dlpack(lib.Matrix.from_dlpack(image)).tolist() == [[1, 2]]
    assert (lib.sum(array.array("h", [4, 5])), lib.sum(b"\1\2"), lib.total([1, 2])) == (9, 3, 3)


def test_the_copy_is_separate_and_writable(lib: ModuleType) -> None:
    x = np.array([1, 2, 3])
    alive = weakref.ref(x)
    x.flags.writeable = False
    made = lib.Vec.from_dlpack(x)
    del x
    gc.collect()
    assert alive() is None
    assert not made.readonly
    shown = np.from_dlpack(made)
    shown[0] = 7
    assert lib.sum(made) == 12


def test_the_required_dtype_is_shared(lib: ModuleType) -> None:
    x = np.zeros(3, np.float32)
    shown = np.from_dlpack(lib.Vec.from_dlpack(x))
    x[0] = 1
    assert shown.tolist() == [1, 0, 0]
    gaps = np.arange(6, dtype=np.float32)[::2]
    assert np.from_dlpack(lib.Vec.from_dlpack(gaps)).tolist() == [0, 2, 4]


class TestCopy:
    def test_copy_false_refuses_a_conversion(self, lib: ModuleType) -> None:
        for cls in (lib.Vec, lib.WritableVec):
            with pytest.raises(BufferError, match=r": the dtype is int64, not float32$"):
                cls.from_dlpack(np.array([1]), copy=False)
        with pytest.raises(BufferError, match=r"SafeVec: arrays are always copied, and copy is False$"):
            lib.SafeVec.from_dlpack(np.array([1], np.int8), copy=False)
        assert lib.Vec.from_dlpack(np.ones(2, np.float32), copy=False).shape == (2,)

    @pytest.mark.parametrize("keywords", [{"copy": True}, {"copy": None}, {"device": "cpu"}, {"device": (1, 0)}])
    @pytest.mark.parametrize("cls", ["Vec", "SafeVec", "WritableVec"])
    def test_other_values_of_copy_convert(self, lib: ModuleType, cls: str, keywords: dict[str, Any]) -> None:
        x = np.array([1, 2], np.int16)
        made = getattr(lib, cls).from_dlpack(x, **keywords)
        x[:] = 0
        assert np.from_dlpack(made).tolist() == [1, 2]

    def test_copy_true_without_cast_refuses_another_dtype(self, lib: ModuleType) -> None:
        with pytest.raises(BufferError, match=r"^importcasts\.StrictVec: the dtype is int8, not float32$"):
            lib.StrictVec.from_dlpack(np.array([1], np.int8), copy=True)


def test_an_accepted_dtype_is_kept_and_another_one_becomes_the_first_that_allows_it(lib: ModuleType) -> None:

    def dtypes(cls: Any) -> dict[str, str]:
        found = {}
        for name in DTYPES:
            try:
                found[name] = cls.from_dlpack(np.ones((1, 2), name)).dtype
            except BufferError as error:
                assert f"the dtype is {name}, not " in str(error)
        return found

    first = {"bool": "int16", "int8": "int16", "int16": "int16", "uint8": "int16", "complex64": "complex64"}
    second = dict.fromkeys(["uint16", "float16", "float32"], "float32")
    third = dict.fromkeys(["int32", "int64", "uint32", "uint64", "float64"], "float64")
    assert dtypes(lib.Image) == {**first, **second, **third}
    reals = {name: "float64" for name in DTYPES if not name.startswith("complex")}
    assert dtypes(lib.Narrow) == {**reals, "int16": "int16"}
    x = np.ones((1, 2), np.uint16)
    assert (lib.type(x), lib.type_of_narrow(x), lib.type(x.astype(np.int8)), lib.type(x.astype(np.complex64))) == (
        2,
        3,
        1,
        4,
    )


def test_the_requirement_of_an_argument_chooses_the_dtype(lib: ModuleType) -> None:
    """The call accepts fewer dtypes than the class, in another order."""
    assert [lib.type_of_floats(np.ones((1, 2), name)) for name in ("float32", "float64", "int16", "float16")] == [
        2,
        3,
        3,
        3,
    ]
    with pytest.raises(BufferError, match="the dtype is complex64, not float64 or float32"):
        lib.type_of_floats(np.ones((1, 2), np.complex64))
    with pytest.raises(BufferError, match="the dtype is int16, not float64 or float32"):
        lib.type_of_floats(lib.Image.from_dlpack(np.ones((1, 2), np.int16)))


def test_floats_of_16_bits_are_converted(lib: ModuleType) -> None:
    brain = lib.Brain.from_dlpack(np.array([1.0, -3.0, 1.00390625]))
    assert brain.dtype == "bfloat16"
    assert np.from_dlpack(lib.Vec.from_dlpack(brain)).tolist() == [1, -3, 1]
    assert np.from_dlpack(lib.Pairs.from_dlpack(brain)).tolist() == [1, -3, 1]
    half = lib.Half.from_dlpack(brain)
    assert np.from_dlpack(half).tolist() == [1, -3, 1]
    with pytest.raises(BufferError, match="the dtype is bfloat16, not float16"):
        lib.Half.from_dlpack(brain, copy=False)
    with pytest.raises(BufferError, match="the dtype is bfloat16, not int64"):
        lib.Long.from_dlpack(brain)


UNUSUAL = {"complex32": (5, 32, 1), "float8_e4m3fn": (10, 8, 1)} | {
    f"dtype{dtype}": dtype
    for dtype in ((0, 128, 1), (1, 24, 1), (2, 128, 1), (2, 8, 1), (2, 32, 2), (3, 64, 1), (4, 32, 1), (6, 16, 1))
}


@pytest.mark.parametrize("cls", ["Vec", "Flags", "Long", "Pairs"])
@pytest.mark.parametrize("name", UNUSUAL)
def test_numbers_that_c_does_not_have_are_not_converted(lib: ModuleType, managed: Any, cls: str, name: str) -> None:
    with pytest.raises(BufferError) as error:
        getattr(lib, cls).from_dlpack(managed(dtype=UNUSUAL[name], axes=((2,), (1,))).capsule())
    assert str(error.value) == f"importcasts.{cls}: the dtype is {name}, not {CLASSES[cls][0]}"


# ---- Layouts ----


@pytest.mark.parametrize("cls", ["Matrix", "Reversed", "Strided"])
def test_arrays_of_every_layout_are_converted(lib: ModuleType, cls: str) -> None:
    x = np.arange(24, dtype=np.int32).reshape(4, 6)
    for each in (x, x.T, x[::-1, ::-2], x[1:3], x[:, 2:3], x[:0], x[:, :0], np.broadcast_to(x[0], (3, 6))):
        made = getattr(lib, cls).from_dlpack(each)
        shown = np.from_dlpack(made)
        assert np.array_equal(shown, each)
        assert shown.flags.f_contiguous if cls == "Matrix" else shown.flags.c_contiguous
    with pytest.raises(BufferError, match="the array has 1 axis, not 2"):
        getattr(lib, cls).from_dlpack(x[0])


def test_rows_with_gaps_become_compact(lib: ModuleType) -> None:
    x = np.arange(24, dtype=np.uint8).reshape(4, 6)[:, :4]
    made = lib.Image.from_dlpack(x)
    assert (made.strides, np.from_dlpack(made).tolist()) == ((4, 1), x.tolist())


def test_a_converted_copy_is_aligned_and_writable(lib: ModuleType) -> None:
    unaligned = np.frombuffer(b"\0" + np.arange(3, dtype=np.int32).tobytes(), np.int32, offset=1)
    made = lib.WritableVec.from_dlpack(unaligned)
    assert np.from_dlpack(made).tolist() == [0, 1, 2]
    assert np.from_dlpack(made).ctypes.data % 64 == 0
    assert lib.sum_writable(unaligned) == 3


def test_arrays_without_elements_are_converted(lib: ModuleType) -> None:
    for cls in CLASSES:
        made = getattr(lib, cls).from_dlpack(np.zeros(0, bool))
        assert (made.shape, made.dtype) == ((0,), CLASSES[cls][0])
    assert (lib.sum(np.zeros(0, np.int8)), lib.total(np.zeros(0, np.int8))) == (0, 0)


def test_a_value_that_does_not_fit_is_refused(lib: ModuleType) -> None:
    """NumPy would change the value without an error."""
    with pytest.raises(ValueError, match=r"^importcasts\.Half: the value 70000 does not fit float16$"):
        lib.Half.from_dlpack(np.array([1, 70000]))
    with pytest.raises(ValueError, match=r"^sum\(\) argument 'v': the value 1e\+300 does not fit float32$"):
        lib.sum(np.array([1, 1e300]))
    with pytest.raises(ValueError, match=r"^sum_held\(\) argument 'v': the value 1e\+300 does not fit float32$"):
        lib.sum_held(np.array([1, 1e300]))


# ---- Objects whose library takes the memory ----


def test_the_library_releases_the_copy(lib: ModuleType) -> None:
    made = lib.Kept.from_dlpack(np.array([1, 2], np.int8))
    shown = np.from_dlpack(made)
    del made
    assert (shown.tolist(), lib.live()) == ([1, 2], 1)
    del shown
    gc.collect()
    assert lib.live() == 0
    with pytest.raises(RuntimeError, match=r"kept_new\(.*\) failed"):
        lib.Kept.from_dlpack(np.ones(17, np.int8))


def test_handles_are_made_of_converted_arrays(lib: ModuleType) -> None:
    assert lib.total(np.array([1, 2], np.int8)) == 3
    assert lib.total(lib.Total.from_dlpack(np.array([1, 2], np.float32))) == 3
    with pytest.raises(BufferError, match=r"^importcasts\.Total: the dtype is complex64, not float64$"):
        lib.Total.from_dlpack(np.ones(2, np.complex64))


def test_imports_with_params_convert(lib: ModuleType) -> None:
    ctx = lib.Context(2)
    made = lib.Scaled.from_dlpack(np.array([1, 2], np.int8), ctx=ctx)
    assert np.from_dlpack(made).tolist() == [1, 2]
    with pytest.raises(BufferError, match="the dtype is int8, not float32"):
        lib.Scaled.from_dlpack(np.array([1, 2], np.int8), ctx=ctx, copy=False)


# ---- Arrays in the place of objects ----


def test_functions_that_read_get_a_converted_copy(lib: ModuleType) -> None:
    x = np.array([[1, 2, 3], [4, 5, 6]], np.int16)
    for call in (lib.sum, lib.sum_held, lib.sum_by_value, lib.sum_safe):
        assert call(x[0]) == 6
        assert call(x[:, 1]) == 7
    assert lib.sum(x[0].astype(np.float64)) == 6
    assert lib.sum_all([x[0], x[1].astype(np.float64), lib.Vec.from_dlpack(x[1])]) == 36
    with pytest.raises(BufferError, match=r"^sum_safe\(\) argument 'v': the dtype is float64, not float32$"):
        lib.sum_safe(np.ones(2))
    with pytest.raises(BufferError, match=r"^sum_strict\(\) argument 'v': the dtype is int16, not float32$"):
        lib.sum_strict(x[0])


@pytest.mark.parametrize("name", ["clear", "clear_copy"])
def test_functions_that_write_to_a_new_object_do_not_convert(lib: ModuleType, name: str) -> None:
    """The library keeps the memory of the object, so no temporary struct can replace it."""
    x = np.ones(3, np.float32)
    with pytest.raises(BufferError, match=rf"^{name}\(\) argument 'k': the dtype is float32, not float64$"):
        getattr(lib, name)(x)
    y = np.ones(3)
    getattr(lib, name)(y)
    assert y.tolist() == ([0, 0, 0] if name == "clear" else [1, 1, 1])
    assert (x.tolist(), lib.live()) == ([1, 1, 1], 0)


@pytest.mark.parametrize("name", ["fill", "fill_safe", "fill_writable"])
def test_functions_that_write_do_not_convert(lib: ModuleType, name: str) -> None:
    """Elements that C writes to a converted copy would be lost."""
    x = np.zeros(3, np.int16)
    with pytest.raises(BufferError, match=rf"^{name}\(\) argument 'v': the dtype is int16, not float32$"):
        getattr(lib, name)(x, 4)
    gaps = np.zeros(6, np.float32)
    getattr(lib, name)(gaps[::2], 4)
    assert (x.tolist(), gaps.tolist()) == ([0, 0, 0], [4, 0, 4, 0, 4, 0])


def test_results_keep_the_converted_copy(lib: ModuleType) -> None:
    for result in (lib.same(np.array([1, 2])), lib.values(np.array([1, 2]))):
        gc.collect()
        assert np.from_dlpack(result).tolist() == [1, 2]
    with pytest.raises(BufferError, match=r"^same_to_write\(\) argument 'v': the dtype is int64, not float32$"):
        lib.same_to_write(np.array([1, 2]))
    x = np.zeros(2, np.float32)
    assert np.from_dlpack(lib.same_to_write(x)).ctypes.data == x.ctypes.data


def test_an_alternative_with_the_exact_dtype_wins(lib: ModuleType) -> None:
    x = np.array([1, 2])
    assert (lib.chosen(x.astype(np.float64)), lib.chosen(x.astype(np.float32)), lib.chosen(x)) == (2002, 1002, 1002)


def test_a_producer_on_another_device_is_asked_for_the_cpu(lib: ModuleType, managed: Callable[..., Any]) -> None:
    class Far:
        def __init__(self) -> None:
            self.asked: list[Any] = []

        def __dlpack__(self, *, max_version: Any = None, dl_device: Any = None, copy: Any = None) -> Any:
            self.asked.append(dl_device)
            if dl_device == (1, 0):
                return np.ones(4, np.int8).__dlpack__(max_version=max_version, copy=True)
            return managed(dtype=(0, 8, 1), axes=((4,), None), device_type=2).capsule()

    far = Far()
    assert (lib.sum(far), np.from_dlpack(lib.Vec.from_dlpack(far)).tolist()) == (4, [1, 1, 1, 1])
    assert far.asked == [None, (1, 0)] * 2
    card = managed(dtype=(0, 8, 1), axes=((4,), None), device_type=2).capsule()
    with pytest.raises(BufferError, match=r"^importcasts\.Vec: data on cuda cannot be converted by the CPU$"):
        lib.Vec.from_dlpack(card)


def test_memory_of_a_device_that_the_cpu_reads_is_converted_to_the_cpu(
    lib: ModuleType, managed: Callable[..., Any]
) -> None:
    tensor = managed(dtype=(0, 8, 1), axes=((3,), None), device_type=3)
    ctypes.memmove(tensor.data, b"\1\2\3", 3)
    made = lib.Pinned.from_dlpack(tensor.capsule())
    assert (made.device, np.from_dlpack(made).tolist()) == ((1, 0), [1, 2, 3])
    shared = lib.Pinned.from_dlpack(managed(axes=((3,), None), device_type=3).capsule())
    assert shared.device == (3, 0)
    with pytest.raises(BufferError, match=r"^importcasts\.Pinned: data on cuda cannot be converted by the CPU$"):
        lib.Pinned.from_dlpack(managed(dtype=(0, 8, 1), axes=((3,), None), device_type=2).capsule())


def test_packed_elements_are_not_converted(lib: ModuleType, managed: Callable[..., Any]) -> None:
    for dtype in ((0, 4, 1), (2, 32, 2), (17, 4, 1)):
        with pytest.raises(BufferError, match=r"^importcasts\.Vec: the dtype is .*, not float32$"):
            lib.Vec.from_dlpack(managed(dtype=dtype, axes=((4,), None)).capsule())


def test_a_tensor_with_an_offset_and_without_strides_is_converted(lib: ModuleType, managed: Callable[..., Any]) -> None:
    """Tensors before DLPack 1.2 can have no strides."""
    tensor = managed(dtype=(0, 16, 1), axes=((3,), None))
    ctypes.memmove(tensor.data, np.arange(5, dtype=np.int16).tobytes(), 10)
    tensor.set("byte_offset", 4)
    tensor.struct.tensor.strides = None
    assert np.from_dlpack(lib.Vec.from_dlpack(tensor.capsule())).tolist() == [2, 3, 4]


def test_the_docstring_shows_the_conversion(lib: ModuleType) -> None:
    sentence = "Arrays of other dtypes are converted, as numpy.can_cast(..., '{}') allows it."
    assert sentence.format("same_kind") in lib.Vec.from_dlpack.__doc__
    assert sentence.format("safe") in lib.SafeVec.from_dlpack.__doc__
    assert "converted" not in lib.StrictVec.from_dlpack.__doc__


def test_conversions_leave_nothing_behind(lib: ModuleType) -> None:
    x, large = np.ones(5, np.int32), np.array([1, 1e300])
    own, own_large = lib.Array.from_dlpack(x), lib.Array.from_dlpack(large)

    def calls() -> None:
        lib.Vec.from_dlpack(x)
        lib.Vec.from_dlpack(x, copy=True)
        lib.Vec.from_dlpack(own)
        lib.Vec.from_dlpack(x.__dlpack__())
        lib.Kept.from_dlpack(x)
        lib.sum(x)
        lib.sum_held(x)
        lib.same(x)
        lib.sum_all([x, x])
        lib.chosen(x)
        for refused in (lib.Vec.from_dlpack, lib.sum, lib.sum_held, lib.same):
            with pytest.raises(ValueError, match="does not fit"):
                refused(large)
            with pytest.raises(ValueError, match="does not fit"):
                refused(own_large)
            with pytest.raises(ValueError, match="does not fit"):
                refused(large.__dlpack__())
        for write in (lib.fill, lib.fill_safe):
            with pytest.raises(BufferError):
                write(x, 1)

    warm_up(calls)
    assert_no_growth(calls)
