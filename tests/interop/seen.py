# SPDX-License-Identifier: MIT
"""Reads how an array of any library describes its memory, and lists the possible outcomes of an exchange."""

from __future__ import annotations

import importlib.metadata
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import pytest

from python.builds import DTYPES
from python.tensors import READ_ONLY, Probe, Versioned, compact, inside


def library(module: str) -> Any:
    """Imports a library; skips the tests of the file if it is not installed."""
    return pytest.importorskip(module, reason=f"no {module}: make interop, or pip install -e '.[interop]' (6 GB)")


def version(package: str) -> tuple[int, ...]:
    """Returns the first two numbers of the version: libraries differ by them."""
    return tuple(map(int, re.findall(r"\d+", importlib.metadata.version(package))[:2]))


class Seen(NamedTuple):
    """A layout. What DLPack leaves open is None: the address of no elements, the stride of an axis of extent 1."""

    address: int | None
    shape: tuple[int, ...]
    strides: tuple[int | None, ...] | None
    dtype: tuple[int, int]
    read_only: bool


CODES = {
    "bool": (6, 8),
    **{f"int{bits}": (0, bits) for bits in (8, 16, 32, 64)},
    **{f"uint{bits}": (1, bits) for bits in (8, 16, 32, 64)},
    **{f"float{bits}": (2, bits) for bits in (16, 32, 64)},
    **{f"complex{bits}": (5, bits) for bits in (64, 128)},
    "bfloat16": (4, 16),
    "float8_e4m3fn": (10, 8),
    "float4_e2m1fn": (17, 4),
}
"""DLPack's code and bits of each dtype."""


def seen(address: int, shape: Sequence[int], strides: Sequence[int], dtype: tuple[int, int], read_only: bool) -> Seen:
    return Seen(
        None if 0 in shape else address,
        tuple(shape),
        None if 0 in shape else tuple(s if n != 1 else None for n, s in zip(shape, strides, strict=True)),
        dtype,
        read_only,
    )


def look(array: Any) -> Seen:
    """Returns the contents of the capsule that `__dlpack__` of the array exports, a versioned one if possible."""
    try:
        capsule = array.__dlpack__(max_version=(1, 0))
    except TypeError:
        capsule = array.__dlpack__()
    managed = inside(capsule)
    tensor = managed.tensor
    shape = tensor.shape[: tensor.ndim] if tensor.ndim else []
    strides = tensor.strides[: tensor.ndim] if tensor.strides and tensor.ndim else compact(shape)
    read_only = isinstance(managed, Versioned) and bool(managed.flags & READ_ONLY)
    return seen(
        tensor.data + tensor.byte_offset if tensor.data else 0, shape, strides, (tensor.code, tensor.bits), read_only
    )


def truth(struct: Probe) -> Seen:
    """Returns the contents of the struct behind an object, without an export."""
    shape, strides = struct.shape[: struct.ndim], struct.strides[: struct.ndim]
    return seen(struct.data, shape, strides, CODES[DTYPES[struct.dtype - 1]], bool(struct.readonly))


@dataclass(frozen=True)
class Shared:
    """Memory shared with the object."""

    writable: bool = True
    """Whether the library lets its array be written."""


@dataclass(frozen=True)
class Copied:
    """Other memory, with the numbers as they were; `dtype` if the library changes it."""

    dtype: str = ""
    writable: bool = True
    """Whether the library lets its array be written."""


@dataclass(frozen=True)
class Refused:
    """An exception of that type, in whose text `text` is found."""

    error: type[Exception]
    text: str


Outcome = Shared | Copied | Refused

LAYOUTS: dict[str, tuple[tuple[int, ...], tuple[int, ...]]] = {
    "compact": ((2, 3), (3, 1)),
    "one axis": ((5,), (1,)),
    "column-major": ((2, 3), (1, 2)),
    "padded rows": ((4, 3), (8, 1)),
    "permuted": ((2, 3, 4), (1, 8, 2)),
    "negative": ((3,), (-1,)),
    "broadcast": ((4, 3), (0, 1)),
    "rank 0": ((), ()),
    "rank 12": ((1,) * 11 + (3,), (3,) * 11 + (1,)),
    "extent 1": ((2, 1), (1, 12345)),
    "empty": ((0, 3), (3, 1)),
}
STATES = ("unaligned", "read-only", "page-locked", "refused")
ROWS = {*LAYOUTS, *DTYPES, *STATES}


class Recorder:
    """Passes an object on and keeps the keywords of each call; an exchange table is not passed on."""

    def __init__(self, inner: Any) -> None:
        self.inner = inner
        self.calls: list[dict[str, Any]] = []

    def __dlpack__(self, **keywords: Any) -> object:
        self.calls.append(keywords)
        return self.inner.__dlpack__(**keywords)

    def __dlpack_device__(self) -> tuple[int, int]:
        return self.inner.__dlpack_device__()


class Legacy(Recorder):
    """A producer from before DLPack 1.0."""

    def __dlpack__(self, stream: object = None) -> object:
        return self.inner.__dlpack__(stream=stream)
