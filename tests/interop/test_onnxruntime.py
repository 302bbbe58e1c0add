# SPDX-License-Identifier: MIT
"""ONNX Runtime: legacy capsules, row-major arrays."""

from __future__ import annotations

from types import ModuleType
from typing import Any, ClassVar

import numpy as np
import pytest

from interop.producer import Producer
from interop.seen import Refused, library

onnxruntime = library("onnxruntime")
OrtValue = onnxruntime.OrtValue

STRIDED = Refused(RuntimeError, "contiguous")
UNKNOWN = Refused(RuntimeError, "Unsupported")


class TestOrt(Producer):
    take = staticmethod(OrtValue.from_dlpack)
    of = staticmethod(lambda array: OrtValue.ortvalue_from_numpy(np.ascontiguousarray(array).reshape(array.shape)))
    asks: ClassVar = {}
    rows: ClassVar = {
        **dict.fromkeys(["column-major", "padded rows", "permuted", "negative", "broadcast"], STRIDED),
        **dict.fromkeys("bool complex64 complex128 float8_e4m3fn float4_e2m1fn".split(), UNKNOWN),
        "read-only": Refused(BufferError, "read-only data needs a versioned capsule"),
        "page-locked": Refused(RuntimeError, "device"),
        "refused": Refused(BufferError, r"probe\.Moved: the probe refuses"),
    }

    makes: ClassVar = {
        "bool": "uint8",
        "complex64": Refused(RuntimeError, "can't be converted"),
        "complex128": Refused(RuntimeError, "can't be converted"),
    }

    @staticmethod
    def numbers(array: Any) -> list[Any]:
        return array.numpy().ravel().tolist()


def test_strings_are_refused_with_the_message_of_onnxruntime(lab: ModuleType) -> None:
    with pytest.raises(RuntimeError, match=r"(?i)string"):
        lab.Moved.from_dlpack(OrtValue.ortvalue_from_numpy(np.array(["a", "b"], dtype=object)))
