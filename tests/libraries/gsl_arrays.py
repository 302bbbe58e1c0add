"""The module of the GNU Scientific Library, arrays for its functions, and comparisons."""

from __future__ import annotations

from types import ModuleType
from typing import Any

import numpy as np
import pytest

from libraries.real import Array
from python.tensors import inside
from structs.libraries import Library

RANDOM = np.random.default_rng(20)
CUDA = 2


@pytest.fixture(scope="session")
def lib(gsl: Library) -> ModuleType:
    return gsl.module


def numbers(*shape: int) -> Array:
    return RANDOM.normal(size=shape)


def spread(values: Array, step: int = 3) -> Array:
    """Returns a copy whose elements lie further apart: the last axis uses every `step`-th number."""
    wide = np.full((*values.shape[:-1], values.shape[-1] * step), np.nan, values.dtype)
    wide[..., ::step] = values
    return wide[..., ::step]


def block(values: Array) -> Array:
    """Returns a copy of the matrix within a larger one."""
    rows, columns = values.shape
    whole = np.full((rows + 2, columns + 3), np.nan, values.dtype)
    whole[1:-1, 2:-1] = values
    return whole[1:-1, 2:-1]


def shown(matrix: Any) -> Array:
    return matrix if isinstance(matrix, np.ndarray) else np.from_dlpack(matrix)


def close(a: Any, b: Any) -> None:
    np.testing.assert_allclose(shown(a), shown(b), rtol=1e-10, atol=1e-10)


class Producer:
    """A producer with only the methods of the protocol."""

    def __init__(self, values: Array, device: int = 1) -> None:
        self._values = values
        self._device = device

    def __dlpack__(self, **keywords: Any) -> Any:
        capsule = self._values.__dlpack__(**keywords)
        inside(capsule).tensor.device_type = self._device
        return capsule

    def __dlpack_device__(self) -> tuple[int, int]:
        return (self._device, 0)
