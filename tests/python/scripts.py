# SPDX-License-Identifier: MIT
"""Runs scripts in processes of their own, since some end their process, and code in other interpreters."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from support import hangs

# Each script imports this module. The generator, which support.build imports, would take most of its time.
TOP = Path(__file__).resolve().parents[2]

PRELUDE = """
import lab, os, producer, sys
from python.scripts import Another
from python.tensors import Probe

def say(text, write=os.write):
    write(1, text.encode() + b"\\n")  # at once, without what may be gone at the end of the interpreter

class Parent:
    def __init__(self, name="parent"):
        self.name = name
        self.say = say
    def __del__(self):
        self.say(self.name + " ended")

def export(made, versioned=True):
    return producer.consume(made.__dlpack__(max_version=(int(versioned), 0)))
"""

AT_THE_END = """
import ctypes, os

def call_at_the_end(calls):
    \"\"\"Runs each call when the interpreter has released the states of all modules, and writes its outcome.\"\"\"
    class Late:
        def __del__(self, calls=calls, write=os.write):
            for call in calls:
                try:
                    line = repr(call())
                except BaseException as error:
                    line = f"{type(error).__name__}: {error}"
                write(1, line.encode() + b"\\n")

    state = ctypes.pythonapi.PyInterpreterState_Get
    state.restype = ctypes.c_void_p
    state_dict = ctypes.pythonapi.PyInterpreterState_GetDict
    state_dict.restype, state_dict.argtypes = ctypes.py_object, [ctypes.c_void_p]
    state_dict(state())["late"] = Late()  # after the states of the modules that are imported already
"""
ENDING = "RuntimeError: this interpreter is ending"


def run(folder: Path, script: str, *, prelude: str = PRELUDE, leaks: bool = False) -> list[str]:
    """Runs a script that can import the modules in `folder`, and returns the lines of its output. The script must
    succeed and write no errors. `leaks` turns off the search for leaks."""
    environment = dict(os.environ)
    paths = [str(folder), str(TOP / "tests"), str(TOP / "generator")]
    environment["PYTHONPATH"] = os.pathsep.join(paths)
    if leaks:
        environment["ASAN_OPTIONS"] = ":".join(filter(None, [environment.get("ASAN_OPTIONS"), "detect_leaks=0"]))
    command = [sys.executable, "-X", "faulthandler", "-c", prelude + script]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=hangs.SECONDS, check=False)
    assert done.returncode == 0, f"exit status {done.returncode}\n{done.stdout}\n{done.stderr}"
    assert not done.stderr, done.stderr
    return done.stdout.split("\n")[:-1]


class Another:
    """A second interpreter in this process; on 3.12 and later, one with a GIL of its own."""

    def __init__(self) -> None:
        if sys.version_info >= (3, 13):
            import _interpreters as interpreters
        else:
            import _xxsubinterpreters as interpreters
        self._module = interpreters
        self._id = interpreters.create()

    def run(self, code: str) -> None:
        """Runs `code` there; whatever it raises is raised here."""
        path = f"import sys; sys.path[:] = {sys.path!r}\n"
        if sys.version_info >= (3, 13):
            problem = self._module.exec(self._id, path + code)
            if problem is not None:
                raise RuntimeError(problem.formatted)
        else:
            self._module.run_string(self._id, path + code)

    def end(self) -> None:
        self._module.destroy(self._id)
