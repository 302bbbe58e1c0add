# SPDX-License-Identifier: MIT
"""Classes accept integers and booleans of NumPy: in keywords of `__dlpack__`, in shapes and in pickles."""

from __future__ import annotations

from types import ModuleType
from typing import Any

import numpy as np
import pytest

from python.tensors import inside, name_of

INTEGERS = [np.int8, np.uint8, np.int32, np.int64, np.uint64, np.intp, np.bool_, np.array]
"""Types and functions that make 1 and 0; an array of rank 0 is an integer as well."""


@pytest.mark.parametrize("kind", INTEGERS[:-1])
def test_integers_of_numpy_are_versions_and_devices(subject, kind: Any) -> None:
    export = subject().object.__dlpack__
    for _ in range(2):
        capsule = export(max_version=(kind(1), kind(0)), dl_device=(kind(1), kind(0)))
        assert name_of(capsule) == "dltensor_versioned"
        assert name_of(export(max_version=(kind(0), kind(1)))) == "dltensor"
    with pytest.raises(BufferError, match=r"there is no DLPack device"):
        export(dl_device=(kind(0), kind(0)))


@pytest.mark.parametrize("kind", [np.int8, np.int16, np.int32, np.int64, np.array])
def test_integers_of_numpy_are_streams(subject, kind: Any) -> None:
    made = subject()
    assert inside(made.object.__dlpack__(stream=kind(-1))).tensor.ndim == 2
    with pytest.raises(ValueError, match=r"stream=1: on cpu it is None or -1"):
        made.object.__dlpack__(stream=kind(1))
    made.struct.device = 2
    for stream in (-1, 1, 2, 100):
        assert inside(made.object.__dlpack__(stream=kind(stream))).tensor.device_type == 2
    with pytest.raises(ValueError, match="stream=0: on cuda"):
        made.object.__dlpack__(stream=kind(0))


def test_an_unsigned_integer_beyond_any_address_is_refused_as_a_stream(subject) -> None:
    with pytest.raises(ValueError, match=r"stream=.*18446744073709551615.* is not an address"):
        subject().object.__dlpack__(stream=np.uint64(2**64 - 1))


def test_a_bool_of_numpy_is_a_stream_as_true_is(subject) -> None:
    made = subject()
    made.struct.device = 2
    for stream in (True, np.True_):
        assert inside(made.object.__dlpack__(stream=stream)).tensor.device_type == 2


def test_copy_accepts_a_bool_of_numpy_and_refuses_numbers_and_arrays(subject) -> None:
    made = subject()
    export = made.object.__dlpack__
    assert inside(export(copy=np.True_, max_version=(1, 0))).tensor.data != made.struct.data
    assert inside(export(copy=np.False_, max_version=(1, 0))).tensor.data == made.struct.data
    made.struct.readonly = 1
    with pytest.raises(BufferError, match="read-only"):
        export(copy=np.bool_(False))
    for wrong in (np.int64(1), np.array(True), np.array([True])):
        with pytest.raises(TypeError, match=r"__dlpack__\(\) argument 'copy' must be None or a bool"):
            export(copy=wrong)


@pytest.mark.parametrize(
    "wrong", [np.float64(1), np.float32(-1), np.str_("1"), np.complex64(1), np.array([1]), np.datetime64(1, "s")]
)
def test_values_that_are_no_integers_are_refused(subject, wrong: Any) -> None:
    export = subject().object.__dlpack__
    with pytest.raises(TypeError, match=r"__dlpack__\(\) argument 'stream'"):
        export(stream=wrong)
    for keyword in ("max_version", "dl_device"):
        for pair in ((wrong, 0), (1, wrong)):
            with pytest.raises(TypeError, match=rf"__dlpack__\(\) argument '{keyword}'"):
                export(**{keyword: pair})


@pytest.mark.parametrize("kind", INTEGERS)
def test_a_shape_can_have_integers_of_numpy(imaging: ModuleType, stocked: ModuleType, kind: Any) -> None:
    one = kind(1)
    assert imaging.Image.empty((one, one, np.int16(3))).shape == (1, 1, 3)
    assert imaging.Image.empty([one, 4, 3]).shape == (1, 4, 3)
    assert imaging.Image.empty(np.array([2, 4, 3])).shape == (2, 4, 3)


@pytest.mark.parametrize("kind", INTEGERS[:-1])
def test_a_pickle_can_have_integers_of_numpy(lab: ModuleType, kind: Any) -> None:
    if kind is not np.bool_:
        dtype = (kind(1), kind(8), kind(1))
        assert lab.Moved._rebuild(b"abc", dtype, (kind(3),), "C").shape == (3,)
