# SPDX-License-Identifier: MIT
"""Arrow, which takes versioned capsules only: tensors of any layout, arrays of one axis."""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType
from typing import Any, ClassVar

import numpy as np
import pytest

from interop.consumer import Consumer
from interop.producer import Producer
from interop.seen import LAYOUTS, Legacy, Refused, Shared, library, look

pyarrow = library("pyarrow")

KEYWORDS = {"max_version": (1, 3), "dl_device": None, "copy": None}
UNKNOWN = Refused(ValueError, "unsupported DLPack type")
STATES = {
    "read-only": Shared(writable=False),
    "page-locked": Refused(NotImplementedError, "CPU"),
    "refused": Refused(BufferError, r"probe\.Moved: the probe refuses"),
}
DTYPES = dict.fromkeys("bool complex64 complex128 bfloat16 float8_e4m3fn float4_e2m1fn".split(), UNKNOWN)


class TestTensor(Producer):
    take = staticmethod(pyarrow.Tensor.from_dlpack)
    of = staticmethod(pyarrow.Tensor.from_numpy)
    asks: ClassVar = KEYWORDS
    rows: ClassVar = {
        **STATES,
        **DTYPES,
        "negative": Refused(ValueError, "negative strides not supported"),
        "empty": Shared(writable=False),
    }
    makes: ClassVar = {
        "negative": Refused(ValueError, "Negative ndarray strides"),
        "bool": "uint8",
        "complex64": Refused(NotImplementedError, "Unsupported numpy type"),
        "complex128": Refused(NotImplementedError, "Unsupported numpy type"),
    }

    @staticmethod
    def numbers(array: Any) -> list[Any]:
        return array.to_numpy().ravel().tolist()

    def test_an_import_of_a_read_only_tensor_is_read_only(self, lab: ModuleType) -> None:
        array = np.arange(3.0)
        array.flags.writeable = False
        tensor = pyarrow.Tensor.from_numpy(array)
        made = lab.Moved.from_dlpack(tensor)
        assert made.readonly
        assert look(made) == look(tensor)

    def test_a_legacy_producer_is_refused(self, aligned: Callable[..., Any]) -> None:
        with pytest.raises(TypeError, match="keyword"):
            self.take(Legacy(aligned("compact").object))

    @pytest.mark.parametrize(("copy", "same"), [(True, False), (False, True), (None, True)])
    def test_the_keyword_copy_decides_about_a_copy(
        self, aligned: Callable[..., Any], copy: bool | None, same: bool
    ) -> None:
        made = aligned("padded rows")
        array = pyarrow.Tensor.from_dlpack(made.object, copy=copy)
        assert (look(array).address == made.struct.data) == same

    def test_a_device_that_is_a_string_is_refused(self, aligned: Callable[..., Any]) -> None:
        """Arrow passes the value on."""
        with pytest.raises(TypeError, match="dl_device"):
            pyarrow.Tensor.from_dlpack(aligned("compact").object, device="cpu")


class TestArray(Consumer):
    take = staticmethod(pyarrow.Array.from_dlpack)
    asks: ClassVar = KEYWORDS
    compact = "one axis"
    rows: ClassVar = {
        **dict.fromkeys(LAYOUTS, Refused(ValueError, "Only contiguous one dimensional tensor")),
        "one axis": Shared(writable=False),
        **STATES,
        **DTYPES,
    }
    usual = Shared(writable=False)


@pytest.mark.parametrize("dtype", ["int16", "uint64", "float16", "float32", "float64"])
def test_arrays_of_arrow_are_read_only_objects(lab: ModuleType, dtype: str) -> None:
    array = pyarrow.array([1, 2, 3], getattr(pyarrow, dtype)())
    made = lab.Moved.from_dlpack(array)
    assert (made.dtype, made.shape, made.readonly) == (dtype, (3,), True)
    assert look(made) == look(array)


@pytest.mark.parametrize(
    ("values", "message"), [([1, None, 3], "null"), ([True, False], "(?i)bool"), (["a"], "(?i)string")]
)
def test_a_refusal_of_arrow_has_its_message(lab: ModuleType, values: list[Any], message: str) -> None:
    with pytest.raises(TypeError, match=message):
        lab.Moved.from_dlpack(pyarrow.array(values))
