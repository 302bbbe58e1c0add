"""Arrays that reach beyond one end of the address space are refused by every function."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from support.build import build_module

SPEC = """
dlpack-bindgen: 1
module: ended
include: ended.h
arrays: Array
tensors:
  Grid: {type: grid, data: self->cells, dtype: float64, shape: [self->n], release: (void)self,
         import: {set: {cells: data, n: "shape[0]"}}}
functions:
  plain: {c: "uintptr_t address_of(const double *x, int n)", args: {n: {count_of: x}}}
  any:
    c: uintptr_t address_of_any(const double *x, int n, long step)
    args: {n: {extent_of: x}, step: {stride_of: x}}
  both: {c: "uintptr_t address_of_both(const double *x, const double *y, int n)", args: {n: {count_of: x}}}
  released: {c: "uintptr_t address_of(const double *x, int n)", args: {n: {count_of: x}}, release_gil: true}
  cast: {c: "uintptr_t address_of(const double *x, int n)", args: {x: {cast: safe}, n: {count_of: x}}}
  copied: {c: "uintptr_t address_of(const double *x, int n)", args: {x: {copy: allowed}, n: {count_of: x}}}
  of_grid: {c: "uintptr_t address_of_grid(const grid *g)"}
"""
SPACE = 1 << 8 * ctypes.sizeof(ctypes.c_void_p)


class Interface:
    """An array of `count` elements at an address, with a step in bytes."""

    def __init__(self, address: int, count: int, step: int = 8, kind: str = "<f8") -> None:
        self.__array_interface__ = {
            "version": 3,
            "typestr": kind,
            "shape": (count,),
            "strides": (step,),
            "data": (address, False),
        }


def buffer(address: int, count: int, step: int = 8, kind: str = "<f8") -> Any:
    return (ctypes.c_double * count).from_address(address)


def ndarray(address: int, count: int, step: int = 8, kind: str = "<f8") -> Any:
    return np.asarray(Interface(address, count, step, kind))


@pytest.fixture(scope="module")
def ended(tmp_path_factory: pytest.TempPathFactory) -> ModuleType:
    header = (Path(__file__).parent / "ended.h").read_text()
    return build_module("ended", SPEC, tmp_path_factory.mktemp("ended"), header)


def ways(ended: ModuleType) -> dict[str, Callable[[Any], Any]]:
    return {
        "plain": ended.plain,
        "any": ended.any,
        "both": lambda x: ended.both(x, x),
        "released": ended.released,
        "cast": ended.cast,
        "of_grid": ended.of_grid,
        "from_dlpack": ended.Grid.from_dlpack,
    }


@pytest.mark.parametrize("make", [Interface, buffer, ndarray])
@pytest.mark.parametrize("way", ["plain", "any", "both", "released", "cast", "of_grid", "from_dlpack"])
def test_elements_behind_the_end_are_refused(ended: ModuleType, way: str, make: Callable[..., Any]) -> None:
    for address in (SPACE - 8, SPACE - 16):
        with pytest.raises(BufferError, match="lead beyond the address space"):
            ways(ended)[way](make(address, 2))


@pytest.mark.parametrize("way", ["plain", "any", "both", "released", "cast", "of_grid", "from_dlpack"])
def test_a_large_array_near_the_end_is_refused(ended: ModuleType, way: str) -> None:
    with pytest.raises(BufferError, match="lead beyond the address space"):
        ways(ended)[way](Interface(SPACE - SPACE // 64, SPACE // 256))


@pytest.mark.parametrize("make", [Interface, ndarray])
@pytest.mark.parametrize("way", ["any", "copied"])
def test_elements_before_the_first_address_are_refused(ended: ModuleType, way: str, make: Callable[..., Any]) -> None:
    with pytest.raises(BufferError, match="begins at the address 0x40, and the shape and the strides lead beyond"):
        getattr(ended, way)(make(64, 10, -8))


def test_elements_to_be_converted_behind_the_end_are_refused(ended: ModuleType) -> None:
    with pytest.raises(BufferError, match="beyond the address space"):
        ended.cast(Interface(SPACE - 8, 3, 4, "<f4"))


def test_a_distance_of_half_the_address_space_is_refused(ended: ModuleType) -> None:
    with pytest.raises(BufferError, match="beyond the address space"):
        ended.any(Interface(SPACE - 8, 2, -SPACE // 2))


def test_elements_that_end_in_the_address_space_are_accepted(ended: ModuleType) -> None:
    assert ended.plain(Interface(SPACE - 24, 2)) == SPACE - 24
    assert ended.any(ndarray(SPACE - 24, 2)) == SPACE - 24
    assert ended.of_grid(Interface(SPACE // 2 - 8, 2)) == SPACE // 2 - 8
