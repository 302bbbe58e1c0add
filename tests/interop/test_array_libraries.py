# SPDX-License-Identifier: MIT
"""Libraries on top of NumPy: array-api-strict, array-api-compat, Awkward Array, ml_dtypes."""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType
from typing import Any, ClassVar

import numpy as np
import pytest

from interop.consumer import Consumer
from interop.producer import Producer
from interop.seen import Legacy, Refused, Seen, Shared, library, look, truth, version

strict = library("array_api_strict")
compat = library("array_api_compat.numpy")
awkward = library("awkward")
ml_dtypes = library("ml_dtypes")

UNSUPPORTED = Refused(BufferError if version("numpy") >= (2, 5) else RuntimeError, "Unsupported dtype")
OF_NUMPY = {
    "read-only": Shared(writable=False),
    "bfloat16": UNSUPPORTED,
    "float8_e4m3fn": UNSUPPORTED,
    "float4_e2m1fn": UNSUPPORTED,
    "refused": Refused(BufferError, r"probe\.Moved: the probe refuses"),
}
KEYWORDS = {"dl_device": None, "copy": None, "max_version": (1, 0)}


class TestStrict(Producer):
    take = staticmethod(strict.from_dlpack)
    of = staticmethod(strict.asarray)
    asks: ClassVar = KEYWORDS
    rows: ClassVar = {**OF_NUMPY, "float16": Refused(TypeError, "does not support the dtype 'float16'")}
    makes: ClassVar = {"float16": Refused(TypeError, "float16")}

    def test_a_copy_is_independent_memory(self, aligned: Callable[..., Any]) -> None:
        made = aligned("column-major")
        copied, shared = (strict.from_dlpack(made.object, copy=copy) for copy in (True, False))
        np.from_dlpack(made.object)[...] = 5
        assert set(self.numbers(copied)) == {0}
        assert set(self.numbers(shared)) == {5}

    def test_a_write_to_the_array_reaches_our_object(self, aligned: Callable[..., Any]) -> None:
        made = aligned("padded rows")
        strict.from_dlpack(made.object)[3, 2] = 9
        assert np.from_dlpack(made.object)[3, 2] == 9


class TestCompat(Producer):
    take = staticmethod(compat.from_dlpack)
    of = staticmethod(compat.asarray)
    asks: ClassVar = KEYWORDS
    rows: ClassVar = OF_NUMPY

    def test_an_import_of_a_read_only_array_is_read_only(self, lab: ModuleType) -> None:
        array = compat.arange(3.0)
        array.flags.writeable = False
        assert lab.Moved.from_dlpack(array).readonly

    def test_an_array_of_a_legacy_producer_is_read_only(self, aligned: Callable[..., Any]) -> None:
        made = aligned("compact")
        assert self.look(self.take(Legacy(made.object))) == truth(made.struct)._replace(read_only=True)


class TestAwkward(Consumer):
    take = staticmethod(awkward.from_dlpack)
    asks: ClassVar = KEYWORDS
    rows: ClassVar = {**OF_NUMPY, "rank 0": Refused(TypeError, "Encountered a scalar")}

    @staticmethod
    def look(array: Any) -> Seen:
        return look(np.asarray(array))


@pytest.mark.parametrize("dtype", ["bfloat16", "float8_e4m3fn", "float4_e2m1fn"])
def test_numpy_does_not_export_the_dtypes_of_ml_dtypes(lab: ModuleType, dtype: str) -> None:
    with pytest.raises(BufferError, match="DLPack only supports"):
        lab.Moved.from_dlpack(np.zeros(4, getattr(ml_dtypes, dtype)))
