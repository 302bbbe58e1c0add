"""Structs whose members are set one by one: members behind a pointer."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

from structs.libraries import assert_same, count
from support.build import build_module

HERE = Path(__file__).parent


@pytest.fixture(scope="module")
def module(tmp_path_factory: pytest.TempPathFactory) -> ModuleType:
    spec, header, source = ((HERE / f"members.{suffix}").read_text() for suffix in ("yaml", "h", "c"))
    return build_module("members", spec, tmp_path_factory.mktemp("members"), header, source)


@pytest.fixture
def members(module: ModuleType) -> Iterator[ModuleType]:
    """Provides the module, and checks at the end of each test that every form is freed."""
    yield module
    gc.collect()
    assert module.live() == 0


# ---- Members behind a pointer ----


@pytest.mark.parametrize("array", [count(2, 3), count(4, 3, 2, 1)[::2, ::-1], count(5)[:0], np.array(7, np.float32)])
def test_members_behind_a_pointer_are_set(members: ModuleType, array: np.ndarray) -> None:
    assert_same(np.from_dlpack(members.Brick.from_dlpack(array)), array)


def test_values_behind_a_pointer_are_checked(members: ModuleType) -> None:
    with pytest.raises(BufferError, match=r"info\.form->sizes\[axis\].*40000"):
        members.Brick.from_dlpack(np.zeros((2, 40000), np.float32))
    with pytest.raises(RuntimeError, match=r"form_new\(ndim\) failed"):
        members.Brick.from_dlpack(np.zeros((2, 2, 2), np.float32))


def test_a_refused_array_does_not_change_memory_of_other_objects(members: ModuleType) -> None:
    flat = members.Flat.from_dlpack(np.zeros(5, np.float32))
    for refused in (np.zeros(3, np.float64), np.zeros((3, 2), np.float32), np.zeros(8, np.float32)[::2]):
        with pytest.raises(BufferError):
            members.Flat.from_dlpack(refused)
    assert flat.size == 5


def test_members_of_a_struct_by_value_are_set_and_checked(members: ModuleType) -> None:
    assert members.pair_size(np.zeros(9, np.float32)) == 9
    with pytest.raises(BufferError, match=r"forms\[0\]->sizes\[0\]"):
        members.Pair.from_dlpack(np.zeros(40000, np.float32))
