# SPDX-License-Identifier: MIT
"""Functions in several interpreters, each of which has classes of its own.

Each case runs in a process of its own: what goes wrong here is a crash."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import ClassVar

import pytest

from python.scripts import AT_THE_END, ENDING, run

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


class TestTheEnd:
    """Python code may run after the interpreter has released the states of all modules: here a finalizer does."""

    __test__ = sys.version_info < (
        3,
        14,
    )  # there, the process can crash after these calls, which have the same outcomes
    WORKS: ClassVar[dict[str, str]] = {
        "a.matrix_sum(m)": "3.0",
        "m.shape": "(1, 2)",
        "m.__dlpack__().__class__.__name__": "'PyCapsule'",
        "m.__dlpack__(copy=True).__class__.__name__": "'PyCapsule'",
    }
    """Calls that need no state."""

    ENDS = (
        "a.numbers_sum(x)", "a.numbers_sum([1.0])", "a.numbers_sum(p)", "a.numbers_sum_weighted(x, x)",
        "a.numbers_scale(x, 2)", "a.complexes_sum([1.0])", "a.matrix_sum(y)", "a.matrix_scale(y, 2)",
        "a.matrix_add(m, m)", "a.matrix_add(y, y)", "a.matrices_sum([m, y])", "a.picture_sum(z)",
        "a.picture_rows(z, 1, 1)", "a.pictures_sum(z, z, z)", "a.strip_sum(w)", "a.slice_sum(x)",
        "a.memory_size(x)", "a.memory_where_of_bytes(b'a')", "a.tensor_sum(x)", "a.tensor_sum(p)",
        "a.Matrix.from_dlpack(y)", "a.Matrix.from_dlpack(p)", "a.Matrix.from_dlpack(y, copy=True)",
        "a.Matrix.empty((1, 2))", "a.Matrix(1, 1)", "a.Tank()", "t.fill(x)", "m.to(type(m))",
         "a.matrix_sum_if(y)", "a.numbers_scale_copied(x, 2)", "a.matrix_add_copied(y, y, y)",
        "a.numbers_copy(x, x)", "a.matrix_take(m, y)", "a.memory_and_numbers(b'ab', x)",
    )  # fmt: skip

    @pytest.mark.skipif(sys.version_info >= (3, 14), reason="the process can crash after the calls, which still fit")
    def test_calls_that_need_the_state_are_refused(self, arrays_folder: Path) -> None:
        held = {"a.numbers_wait(x)": "numbers_wait", "a.matrix_wait(y)": "matrix_wait"}  # without the GIL
        calls = [*self.WORKS, *self.ENDS, *held, "a.Matrix.from_dlpack(m)"]
        script = f"""
import arrays
from array import array

class Producer:
    def __init__(self, made): self.made = made
    def __dlpack__(self, **keywords): return self.made.__dlpack__(**keywords)

x, w = array("d", [1, 2]), array("H", [1, 2])
y, z = memoryview(x).cast("B").cast("d", (1, 2)), memoryview(bytearray(4)).cast("B", (2, 2))
m, t = arrays.Matrix.from_dlpack(y), arrays.Tank()
scope = {{"a": arrays, "m": m, "p": Producer(m), "t": t, "w": w, "x": x, "y": y, "z": z}}
call_at_the_end([lambda call=call: eval(call, scope) for call in {calls}])
"""
        lines = run(arrays_folder, script, prelude=AT_THE_END, leaks=True)  # nobody releases what is made then
        missing = "RuntimeError: the class arrays.Matrix is not in this interpreter: import its module first"
        assert dict(zip(calls, lines, strict=True)) == {
            **self.WORKS,
            **dict.fromkeys(self.ENDS, ENDING),
            **{call: f"RuntimeError: {name}() argument 'x': this interpreter is ending" for call, name in held.items()},
            "a.Matrix.from_dlpack(m)": missing,
        }
