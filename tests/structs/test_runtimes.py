"""Tensors of machine learning runtimes, and Arrow: how each keeps foreign memory, and reports failures."""

from __future__ import annotations

import ctypes

import numpy as np
import pytest

from structs.libraries import Library, assert_same, memory
from structs.modules import Loader
from structs.producers import Bytes, aligned

# ---- TensorFlow: aligned or copied; called back on failure too ----


@pytest.fixture
def tf(library: Loader) -> Library:
    return library("tf")


def test_tensorflow_keeps_an_aligned_array(tf: Library) -> None:
    array = aligned(12).reshape(3, 4)
    before = tf.number("tf_deallocated")
    shown = tf.module.Tensor.from_dlpack(array)
    assert_same(np.from_dlpack(shown), array)
    del shown
    assert tf.number("tf_deallocated") == before + 1
    assert tf.number("tf_length", kind=ctypes.c_size_t) == 48


@pytest.mark.parametrize("form", ["offset", "columns", "readonly", "wider"])
def test_tensorflow_gets_a_copy_of_other_arrays(tf: Library, form: str) -> None:
    array = aligned(12, offset=4 if form == "offset" else 0).reshape(3, 4)
    array = {"columns": array.T, "wider": array[:, :2]}.get(form, array)
    array.flags.writeable = form != "readonly"
    back = np.from_dlpack(tf.module.Tensor.from_dlpack(array))
    np.testing.assert_array_equal(back, array)
    assert not np.shares_memory(back, array)
    assert back.__array_interface__["data"][0] % 64 == 0
    assert back.flags.c_contiguous and back.flags.writeable


def test_a_session_of_tensorflow_can_keep_the_array(tf: Library) -> None:
    array = aligned(12)
    before = tf.number("tf_deallocated")
    shown = tf.module.Tensor.from_dlpack(array)
    tf.number("tf_session_keep", tf.unwrap("tensor", shown), kind=None)
    del shown
    assert (tf.number("tf_deallocated"), tf.number("tf_live")) == (before, 1)
    tf.number("tf_session_close", kind=None)
    assert (tf.number("tf_deallocated"), tf.number("tf_live")) == (before + 1, 0)


def test_a_failure_of_tensorflow_releases_the_array(tf: Library) -> None:
    producer = Bytes(0, np.float32)
    producer.array = aligned(1).reshape([1] * 7)
    before = tf.number("tf_deallocated")
    with pytest.raises(RuntimeError, match="seven axes are too many"):
        tf.module.Tensor.from_dlpack(producer)
    assert not producer.needed
    assert (tf.number("tf_deallocated"), tf.number("tf_live")) == (before + 1, 0)


def test_tensorflow_makes_new_tensors_of_bfloat16(tf: Library) -> None:
    shown = tf.module.Tensor.empty((2, 3), dtype="bfloat16")
    assert (shown.shape, shown.dtype, shown.nbytes) == ((2, 3), "bfloat16", 12)
    assert tf.module.Tensor.from_dlpack(shown).dtype == "bfloat16"
    with pytest.raises(RuntimeError, match="TF_AllocateTensor"):
        tf.module.Tensor.empty((1 << 21,), dtype="uint8")
    del shown
    assert tf.number("tf_live") == 0


# ---- ONNX Runtime: an object with a function frees the memory; errors are objects ----


@pytest.fixture
def ort(library: Loader) -> Library:
    return library("ort")


def counts(ort: Library) -> tuple[int, ...]:
    return tuple(ort.number(f"ort_{name}") for name in ("values", "infos", "statuses", "leases"))


def test_an_array_becomes_a_value_of_onnxruntime_and_comes_back(ort: Library) -> None:
    producer = Bytes(8, np.float32)
    shown = ort.module.Value.from_dlpack(producer)
    assert_same(np.from_dlpack(shown), producer.array)
    assert (shown.shape, shown.dtype, shown.device) == ((8,), "float32", (1, 0))
    assert counts(ort) == (1, 0, 0, 1)
    pointer = ort.pointer("ort_keep", ort.unwrap("value", shown))
    del shown
    assert producer.needed
    again = ort.wrap("value", pointer)
    assert_same(np.from_dlpack(again), producer.array)
    del again
    assert not producer.needed
    assert counts(ort) == (0, 0, 0, 0)


def test_a_failure_of_onnxruntime_releases_the_array(ort: Library) -> None:
    producer = Bytes(5000)
    with pytest.raises(RuntimeError, match=r"CreateTensorWithDataAndDeleterAsOrtValue.*more than a page is too much"):
        ort.module.Value.from_dlpack(producer)
    assert not producer.needed
    assert counts(ort) == (0, 0, 0, 0)


def test_errors_of_onnxruntime_during_a_description_are_reported(ort: Library) -> None:
    sizes = (ctypes.c_int64 * 9)(*[1] * 9)
    shown = ort.wrap("value", ort.pointer("ort_make", 0, b"Cpu", 0, ctypes.c_size_t(1), sizes, None))
    with pytest.raises((BufferError, RuntimeError), match="the value is no tensor"):
        shown.__dlpack__()
    shown = ort.wrap("value", ort.pointer("ort_make", 1, b"Cpu", 0, ctypes.c_size_t(9), sizes, None))
    with pytest.raises(BufferError, match="more axes than this binding has room for"):
        shown.__dlpack__()
    shown = ort.wrap("value", ort.pointer("ort_make", 1, None, 0, ctypes.c_size_t(1), sizes, memory(np.zeros(1))))
    with pytest.raises(BufferError, match="the memory has no name"):
        shown.__dlpack__()
    assert counts(ort) == (1, 0, 0, 0)
    del shown
    assert counts(ort) == (0, 0, 0, 0)


# ---- MLX: handles by value, cloned ----


@pytest.fixture
def mlx(library: Loader) -> Library:
    return library("mlx")


class Handle(ctypes.Structure):
    _fields_ = [("ctx", ctypes.c_void_p)]


def test_the_object_has_its_own_handle_of_an_mlx_array(mlx: Library) -> None:
    handle = mlx.number("mlx_range", 3, 4, 4, kind=Handle)
    assert (mlx.number("mlx_handles"), mlx.number("mlx_arrays")) == (1, 1)
    shown = mlx.wrap("array", handle)
    assert mlx.number("mlx_handles") == 2
    assert not shown.readonly, "held from before the clone was made"
    mlx.number("mlx_array_free", handle)
    array = np.from_dlpack(shown)
    np.testing.assert_array_equal(array, np.arange(12).reshape(3, 4))
    del shown, array
    assert (mlx.number("mlx_handles"), mlx.number("mlx_arrays")) == (0, 0)


def test_an_mlx_array_is_computed_by_an_export(mlx: Library) -> None:
    handle = mlx.number("mlx_range", 3, 4, 4, kind=Handle)
    shown = mlx.wrap("array", handle)
    memory_ = mlx.pointer("mlx_array_data_int32", handle)
    values = (ctypes.c_int32 * 12).from_address(memory_.value or 0)
    assert (shown.shape, shown.dtype) == ((3, 4), "int32")
    assert not any(values), "attributes compute nothing"
    assert np.from_dlpack(shown).sum() == 66 == sum(values)
    mlx.number("mlx_array_free", handle)


def test_an_mlx_array_with_negative_strides_is_shared(mlx: Library) -> None:
    handle = mlx.number("mlx_range", 3, 4, -4, kind=Handle)
    np.testing.assert_array_equal(np.from_dlpack(mlx.wrap("array", handle)), np.arange(12).reshape(3, 4)[::-1])
    mlx.number("mlx_array_free", handle)


def test_a_held_value_of_an_mlx_array_does_not_change(mlx: Library) -> None:
    handle = mlx.number("mlx_range", 1, 4, 4, kind=Handle)
    other = mlx.number("mlx_copy_of", handle, kind=Handle)
    shown = mlx.wrap("array", handle)
    mlx.number("mlx_array_free", other)
    assert shown.readonly, "what was held does not change"
    assert not np.from_dlpack(shown).flags.writeable
    mlx.number("mlx_array_free", handle)
    empty = mlx.number("mlx_array_new", kind=Handle)
    with pytest.raises((BufferError, RuntimeError), match="the handle is empty"):
        mlx.wrap("array", empty)
    mlx.number("mlx_array_free", empty)


def test_a_failing_clone_of_an_mlx_array_is_reported(mlx: Library) -> None:
    handle = mlx.number("mlx_range", 1, 4, 4, kind=Handle)
    mlx.number("mlx_freeze", handle, kind=None)
    with pytest.raises((BufferError, RuntimeError), match=r"mlx_copy_of\(self\).*the array is frozen"):
        mlx.wrap("array", handle)
    assert (mlx.number("mlx_handles"), mlx.number("mlx_arrays")) == (1, 1)
    mlx.number("mlx_array_free", handle)


def test_an_mlx_array_keeps_the_imported_array(mlx: Library) -> None:
    producer = Bytes(8, np.float32)
    shown = mlx.module.Array.from_dlpack(producer)
    assert_same(np.from_dlpack(shown), producer.array)
    handle = Handle.from_address(mlx.unwrap("array", shown).value or 0)
    copy = mlx.number("mlx_copy_of", handle, kind=Handle)
    del shown
    assert producer.needed
    mlx.number("mlx_array_free", copy)
    assert not producer.needed
    with pytest.raises(BufferError, match=rf"{2**31}"):
        mlx.module.Array.from_dlpack(np.zeros((0, 2**31), np.float32))
    with pytest.raises(BufferError, match="dtype is float64"):
        mlx.module.Array.from_dlpack(np.zeros(3))
    assert (mlx.number("mlx_handles"), mlx.number("mlx_arrays")) == (0, 0)


# ---- Arrow: the release function is a member, and the struct may be moved away ----


@pytest.fixture
def carrow(library: Loader) -> Library:
    return library("carrow")


def test_the_release_function_of_an_arrow_struct_is_called(carrow: Library) -> None:
    producer = Bytes(8, np.int16)
    shown = carrow.module.Column.from_dlpack(producer)
    assert_same(np.from_dlpack(shown), producer.array)
    del shown
    assert not producer.needed


def test_an_arrow_struct_that_was_moved_keeps_its_array(carrow: Library) -> None:
    producer = Bytes(8, np.int16)
    shown = carrow.module.Column.from_dlpack(producer)
    moved = carrow.pointer("column_move", carrow.unwrap("column", shown))
    with pytest.raises(BufferError, match="the array was moved away"):
        np.from_dlpack(shown)
    del shown
    assert producer.needed, "whoever has the struct now may read it"
    carrow.number("column_finish", moved, kind=None)
    assert not producer.needed


# ---- TensorFlow Lite: an initialiser, and the undoing of a failed construction ----


@pytest.fixture
def tflite(library: Loader) -> Library:
    return library("tflite")


def test_a_tensor_of_tflite_has_params_and_shares_the_array(tflite: Library) -> None:
    array = aligned(12).reshape(3, 4)
    shown = tflite.module.Tensor.from_dlpack(array, name="input", variable=True)
    assert_same(np.from_dlpack(shown), array)
    assert tflite.number("tflite_live") == 2, "the extents and the name"
    del shown
    assert tflite.number("tflite_live") == 0
    with pytest.raises(TypeError, match="name"):
        tflite.module.Tensor.from_dlpack(array, name=3)
    with pytest.raises(ValueError, match="null character"):
        tflite.module.Tensor.from_dlpack(array, name="a\0b")


def test_failing_constructions_of_tflite_are_undone(tflite: Library) -> None:
    with pytest.raises(RuntimeError, match=r"TfLiteIntArrayCreate\(ndim\).*too many axes"):
        tflite.module.Tensor.from_dlpack(aligned(1).reshape([1] * 7))
    assert tflite.number("tflite_live") == 0
    with pytest.raises(BufferError, match="aligned to 16 bytes"):
        tflite.module.Tensor.from_dlpack(aligned(12, offset=4))
    with pytest.raises(BufferError, match=rf"{2**31}"):
        tflite.module.Tensor.from_dlpack(np.zeros((0, 2**31), np.float32))
    assert tflite.number("tflite_live") == 0
