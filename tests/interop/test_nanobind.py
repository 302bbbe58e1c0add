# SPDX-License-Identifier: MIT
"""An extension that was made with nanobind leaves the capsules unconsumed."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sysconfig
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any, ClassVar

import numpy as np
import pytest

from interop.consumer import Consumer
from interop.producer import Producer
from interop.seen import Refused, Shared, library, look, truth
from support.build import import_extension

nanobind = library("nanobind")

CXX = shlex.split(os.environ.get("CXX", "c++"))
SOURCE = Path(__file__).with_name("nanobind_arrays.cpp")

# What the producer raises is replaced by this message.
MISMATCH = Refused(TypeError, "incompatible function arguments")


@pytest.fixture(scope="module")
def arrays(tmp_path_factory: pytest.TempPathFactory) -> ModuleType:
    if shutil.which(CXX[0]) is None:
        pytest.skip(f"no C++ compiler '{CXX[0]}': apt install g++, or choose one with CXX=")
    include, code = Path(nanobind.include_dir()), Path(nanobind.source_dir())
    target = tmp_path_factory.mktemp("nanobind") / f"nanobind_arrays{sysconfig.get_config_var('EXT_SUFFIX')}"
    folders = [include, include.parent / "ext" / "robin_map" / "include", sysconfig.get_path("include")]
    options = ["-std=c++17", "-O0", "-shared", "-fPIC", "-fvisibility=hidden", "-fno-strict-aliasing", "-pthread"]
    command = [*CXX, *options, *(f"-I{folder}" for folder in folders), SOURCE, code / "nb_combined.cpp", "-o", target]
    subprocess.run(command, check=True)
    return import_extension("nanobind_arrays", target)


class OfNanobind:
    """The functions of the module, which is compiled only if a test runs."""

    @pytest.fixture(autouse=True)
    def functions(self, arrays: ModuleType) -> None:
        self.take = getattr(arrays, self.function)
        self.of = arrays.take


class TestWritable(OfNanobind, Producer):
    function = "take"
    asks: ClassVar = {"max_version": (1, 1)}
    rows: ClassVar = {"read-only": MISMATCH, "refused": MISMATCH}


class TestReadOnly(OfNanobind, Consumer):
    function = "take_read_only"
    asks: ClassVar = {}
    rows: ClassVar = {"read-only": Shared(writable=False), "refused": MISMATCH}
    """nanobind 3.1.0: a returned `nb::ro` array is writable again, unless the producer's was read-only."""


def test_writes_of_the_extension_reach_our_object(subject: Callable[..., Any], arrays: ModuleType) -> None:
    made = subject((4, 3), (8, 1))
    arrays.fill(made.object, 5)
    assert (np.from_dlpack(made.object) == 5).all()


@pytest.mark.parametrize("read_only", [False, True])
def test_an_argument_lives_for_the_call(
    subject: Callable[..., Any], arrays: ModuleType, lab: ModuleType, read_only: bool
) -> None:
    made, released = subject(), lab.counts()[1]
    np.from_dlpack(made.object)[...] = 2
    made.struct.readonly = read_only
    assert arrays.sum(made.object) == 12
    made.object = None
    assert lab.counts()[1] == released + 1


def test_arrays_that_a_signature_does_not_take_are_refused(subject: Callable[..., Any], arrays: ModuleType) -> None:
    for made in (subject((2, 3), None, "float64"), subject((2, 3, 4))):
        with pytest.raises(MISMATCH.error, match=MISMATCH.text):
            arrays.fill(made.object, 5)


def test_read_only_arrays_come_back_read_only(subject: Callable[..., Any], arrays: ModuleType, lab: ModuleType) -> None:
    made = subject()
    made.struct.readonly = 1
    again = lab.Moved.from_dlpack(arrays.take_read_only(made.object))
    assert again.readonly
    assert look(again) == truth(made.struct)


def test_memory_can_be_released_on_a_thread_without_python(
    subject: Callable[..., Any], arrays: ModuleType, lab: ModuleType
) -> None:
    made, released = [subject().object], lab.counts()[1]
    arrays.drop(made.pop())
    assert lab.counts()[1] == released + 1


def test_memory_of_the_extension_is_freed_once(arrays: ModuleType, lab: ModuleType) -> None:
    freed = arrays.freed()
    array = arrays.make()
    made = lab.Moved.from_dlpack(array)
    assert look(made) == look(array)
    del array
    assert np.from_dlpack(made).tolist() == [[0, 1, 2], [3, 4, 5]]
    assert arrays.freed() == freed
    del made
    assert arrays.freed() == freed + 1
