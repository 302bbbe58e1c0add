# SPDX-License-Identifier: MIT
"""Tests the rows of "After close()" in docs/protocol.md."""

from __future__ import annotations

import copy
import ctypes
import pickle
import weakref
from types import ModuleType
from typing import Any

import numpy
import pytest

from protocol import table
from protocol.page import Row, outcome, rows
from python.tensors import Probe

NAMES = {"copy": copy, "numpy": numpy, "pickle": pickle, "table": table, "weakref": weakref}


def closed(imaging: ModuleType, frames: ModuleType, name: str) -> tuple[Any, int]:
    """Makes a closed object of the class `name`. Returns it and its frame, which is 0 for an `Image`."""
    if name == "Image":
        made, frame = imaging.Image.empty((1, 2, 3)), 0
    else:
        frame = frames.new(1, 2, 3)
        made = frames.wrap(name, frame)
    made.close()
    return made, frame


@rows("Each method")
def test_a_method_of_a_closed_object_gives_the_outcome_of_the_page(
    imaging: ModuleType, frames: ModuleType, row: Row
) -> None:
    made, frame = closed(imaging, frames, row["class"])
    names = {**NAMES, "x": made, "Image": imaging.Image, "frames": frames}
    row.expect({"outcome": outcome(lambda: repr(eval(row["call"], names)))})
    if frame:
        frames.unref(frame)


@pytest.mark.filterwarnings("ignore:The chararray class is deprecated:DeprecationWarning")  # since NumPy 2.5
@rows("Existing exports")
def test_exports_of_a_closed_object_behave_as_the_page_says(lab: ModuleType, row: Row) -> None:
    address = lab.new(4)
    ctypes.memset(Probe.from_address(address).data, 5, 4)
    made = lab.wrap("Moved", address)
    living = lab.counts()[2]
    held = [eval(row["held"], {**NAMES, "x": made})]
    made.close()
    lives = lab.counts()[2] == living
    row.expect({"the struct": "is alive" if lives else "is freed"})
    if row["reads"]:
        row.expect({"reads": str(held[0].tolist())})
    held.clear()
    assert lab.counts()[2] == living - 1
