# SPDX-License-Identifier: MIT
"""Forks and the end of Python while a thread is in a call that releases the GIL.

Such a call waits at a gate until another thread opens it. Each case runs in a process of its own: a failure here is a
crash or a hang."""

from __future__ import annotations

from pathlib import Path

import pytest

from python.scripts import run

PRELUDE = """
import os, sys, threading, time, warnings
import numpy as np
import arrays
warnings.simplefilter("ignore")  # CPython warns about forks of processes with several threads

def say(text, write=os.write):
    write(1, text.encode() + b"\\n")

class Given:
    \"\"\"An array that says when its memory is freed.\"\"\"
    def __init__(self):
        self.array = np.ones((2, 2))
    def __dlpack__(self, **keywords):
        return self.array.__dlpack__(**keywords)
    def __dlpack_device__(self):
        return (1, 0)

def start(call, *arguments, daemon=False):
    \"\"\"Starts a call on a thread; returns once it waits at the gate.\"\"\"
    results = []
    arrays.gate_reset()
    thread = threading.Thread(target=lambda: results.append(call(*arguments)), daemon=daemon)
    thread.start()
    arrays.gate_arrived()
    return thread, results

def fork(child):
    if os.fork() == 0:
        child()
        sys.exit()
    _, status = os.wait()
    assert status == 0, status
"""

ARGUMENTS = {
    "an object": ("matrix_wait", "arrays.Matrix.from_dlpack(np.ones((2, 2)))"),
    "an array of NumPy": ("matrix_wait", "np.ones((2, 2))"),
    "a buffer": ("numbers_wait", "memoryview(bytearray(32)).cast('d')"),
    "an array without a table": ("matrix_wait", "Given()"),
    "a capsule": ("matrix_wait", "np.ones((2, 2)).__dlpack__(max_version=(1, 0))"),
    "a copy": ("numbers_wait", "[1.0, 1.0, 1.0, 1.0]"),
}


@pytest.mark.parametrize("name", ARGUMENTS)
def test_the_child_uses_the_argument_of_a_thread_that_it_does_not_have(arrays_folder: Path, name: str) -> None:
    function, argument = ARGUMENTS[name]
    call = "matrix_sum" if function == "matrix_wait" else "numbers_sum"
    script = f"""
given = {argument}
thread, results = start(arrays.{function}, given)

def child():
    global given
    if {name!r} != "a capsule":
        assert arrays.{call}(given) in (0.0, 4.0)
    if {name!r} == "an object":
        given.close()
    del given
    arrays.gate_reset()
    arrays.gate_open()
    assert arrays.matrix_wait(np.ones((2, 2))) == 4.0
    say("child")

fork(child)
arrays.gate_open()
thread.join()
assert results[0] in (0.0, 4.0)
say("parent")
"""
    assert run(arrays_folder, script, prelude=PRELUDE, leaks=True) == ["child", "parent"]


@pytest.mark.parametrize("name", ARGUMENTS)
def test_python_ends_while_a_daemon_thread_is_in_a_call(arrays_folder: Path, name: str) -> None:
    """The thread returns from C after Python has begun to end, and never gets the GIL again."""
    function, argument = ARGUMENTS[name]
    script = f"""
given = {argument}
thread, results = start(arrays.{function}, given, daemon=True)

class Late:
    def __init__(self):
        self.open, self.sleep, self.say = arrays.gate_open, time.sleep, say
    def __del__(self):
        self.open()
        self.sleep(0.1)
        self.say("open")

sys.late = Late()
del given, Late
"""
    assert run(arrays_folder, script, prelude=PRELUDE, leaks=True) == ["open"]
