# SPDX-License-Identifier: MIT
"""Functions in several interpreters, each of which has classes of its own.

Each case runs in a process of its own: what goes wrong here is a crash."""

from __future__ import annotations

from pathlib import Path

import pytest

from python.scripts import run

pytestmark = pytest.mark.subinterpreters

PRELUDE = """
from array import array
import sys
import arrays
from python.scripts import Another

pixels = memoryview(bytearray(9)).cast("B", (3, 3))
assert type(arrays.picture_rows(pixels, 1, 1)) is arrays.Picture
another = Another()
"""


def test_a_new_object_is_of_the_class_of_its_interpreter(arrays_folder: Path) -> None:
    script = """
for _ in range(3):
    another.run('''
from array import array
import arrays
assert arrays.numbers_sum(array("d", [1.0, 2.0])) == 3.0
assert type(arrays.picture_rows(memoryview(bytearray(9)).cast("B", (3, 3)), 1, 1)) is arrays.Picture
''')
    assert arrays.numbers_sum(array("d", [1.0, 2.0])) == 3.0
    assert type(arrays.picture_rows(pixels, 1, 1)) is arrays.Picture
another.end()
assert type(arrays.picture_rows(pixels, 1, 1)) is arrays.Picture
print("done")
"""
    assert run(arrays_folder, script, prelude=PRELUDE) == ["done"]


def test_a_module_that_was_not_executed_has_no_classes_of_another_interpreter(arrays_folder: Path) -> None:
    script = """
assert arrays.strip_sum(array("H", [1, 2])) == 3
another.run('''
from array import array
from importlib.util import find_spec, module_from_spec
bare = module_from_spec(find_spec("arrays"))
try:
    bare.strip_sum(array("H", [1, 2]))
except RuntimeError as error:
    assert "is not in this interpreter: import its module first" in str(error)
else:
    raise AssertionError("made an object of a class that is not there")
''')
another.end()
print("done")
"""
    assert run(arrays_folder, script, prelude=PRELUDE) == ["done"]


def test_numpy_is_known_once_any_call_had_an_array_of_it(arrays_folder: Path) -> None:
    """One array of NumPy among several arguments is enough."""
    script = """
import arrays
import numpy
import sys

x = numpy.ones((2, 2))
assert type(arrays.matrix_add(x, x)) is arrays.Matrix
kept = sys.getrefcount(numpy.ndarray)
assert arrays.matrix_sum(x) == arrays.matrix_sum(x) == 4.0
assert sys.getrefcount(numpy.ndarray) == kept
print("done")
"""
    assert run(arrays_folder, script, prelude="") == ["done"]


def test_code_at_the_end_of_an_interpreter_leaves_nothing_for_the_next_one(calls_folder: Path, calls: object) -> None:
    """The next interpreter may get the address of the old one. Members are released after nearly everything else."""
    script = """
from python.scripts import Another

for _ in range(6):
    another = Another()
    another.run('''
import calls

class Late:
    def __init__(self):
        self.call, self.error = calls.echo_color, Exception
    def __del__(self):
        try:
            self.call(1)
        except self.error:
            pass

calls.Color.late = Late()
calls.Color.RED.late = Late()
''')
    another.end()
    another = Another()
    another.run("import calls; assert calls.echo_color(1) is calls.Color.RED")
    another.end()
print("done")
"""
    assert run(calls_folder, script, prelude="import sys\nimport calls\n") == ["done"]
