# SPDX-License-Identifier: MIT
"""Deleters on other threads, in other interpreters, after the last one and after fork()."""

from __future__ import annotations

import ctypes
import os
from typing import ClassVar

from bugs.bug import CRASH, HANG, bug, expect
from bugs.subject import Subject
from python.scripts import Another
from support import hangs


class Parent:
    """A Python object that keeps the memory."""

    ended: ClassVar[list[bool]] = []
    """For each one that ended, whether in its own interpreter."""

    def __del__(self) -> None:
        import bugs.lifetimes as here  # of the interpreter in which this runs

        self.ended.append(here.__dict__ is globals())


@bug("Early", CRASH)
def a_deleter_needs_no_gil(s: Subject) -> None:
    for where in ("without the GIL", "on a foreign thread"):
        tensor = s.exported(s.make(parent=Parent()), versioned=False)
        expect("parents that ended early", Parent.ended, [])
        s.delete(tensor, where)
        expect("parents that ended", Parent.ended, [True])
        Parent.ended.clear()


@bug("Patched", rf"{CRASH}|{HANG}", leaks=True)
def a_deleter_may_run_after_the_interpreter(s: Subject) -> None:
    for parent in (None, Parent()):
        s.delete(s.exported(s.make(parent=parent)), "after the interpreter")


@bug("Patched", rf"ended in their own interpreter: \[False\]|{CRASH}|{HANG}", leaks=True)
def a_deleter_may_run_in_another_interpreter(s: Subject) -> None:
    tensor = s.exported(s.make(parent=Parent()), versioned=False)
    another = Another()
    another.run(f"import producer; producer.delete(*{tensor}, 'here')")
    another.end()
    expect("ended in their own interpreter", Parent.ended, [True])


@bug("Patched", rf"the parent: b'touched'|{CRASH}|{HANG}", leaks=True)
def a_parent_whose_interpreter_has_ended_is_left_alone(s: Subject) -> None:
    reader, writer = os.pipe()
    another = Another()
    another.run(f"""
import os
from bugs.subject import Subject
s = Subject({s.generation!r})
class Parent:
    def __del__(self, write=os.write):
        write({writer}, b"touched")
tensor = s.exported(s.make(parent=Parent()), versioned=False)
os.write({writer}, repr(tensor).encode())
""")
    tensor = eval(os.read(reader, 99))
    another.end()
    s.delete(tensor)
    os.close(writer)
    expect("the parent", os.read(reader, 99), b"")


def _under_gil(s: Subject) -> ctypes.PyDLL:
    """Calls through it keep the GIL."""
    return ctypes.PyDLL(os.path.join(os.path.dirname(s.producer.__file__), "under_gil.so"))


@bug("Patched", HANG)
def a_deleter_may_run_while_somebody_waits_for_it_with_the_gil(s: Subject) -> None:
    address, _ = s.exported(s.make())
    expect("the thread", _under_gil(s).delete_on_a_thread(ctypes.c_void_p(address)), 0)
    expect("objects afterwards", s.living, 0)


@bug("Patched", "exit status of the child: 14, not 0")
def a_deleter_may_run_in_a_child_of_fork(s: Subject) -> None:
    address, versioned = s.exported(s.make())
    patience = 1 if s.generation else hangs.SECONDS  # only the naive class is expected to hang
    expect("exit status of the child", _under_gil(s).delete_after_fork(ctypes.c_void_p(address), patience), 0)
    s.delete((address, versioned))
