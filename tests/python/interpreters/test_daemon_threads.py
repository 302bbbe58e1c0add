# SPDX-License-Identifier: MIT
"""Daemon threads that use objects while Python ends, and deleters that threads call after that.

Each case runs in a process of its own: a failure here is a crash or a hang."""

from __future__ import annotations

from pathlib import Path

import pytest

from python.scripts import run

PLACES = ["here", "without the GIL", "on a foreign thread"]
KINDS = ["Moved", "Counted", "Borrowed"]

WORK = """
import threading, time
started = threading.Semaphore(0)

def start(count, work, *arguments):
    for _ in range(count):
        threading.Thread(target=work, args=arguments, daemon=True).start()
    for _ in range(count):
        started.acquire()
"""


@pytest.fixture(autouse=True)
def modules(lab, producer_module) -> None:
    """Builds the modules that the scripts import."""


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("kind", KINDS)
def test_threads_export_and_delete_until_python_ends(folder: Path, kind: str, place: str) -> None:
    script = f"""
class Silent:
    pass

made = lab.wrap({kind!r}, lab.new(64), Silent() if {kind!r} == "Borrowed" else None)

def work():
    delete, versioned = producer.delete, True
    started.release()
    while True:
        versioned = not versioned
        delete(*export(made, versioned), {place!r})

start(4, work)
time.sleep(0.05)
say("end")
"""
    assert run(folder, WORK + script, leaks=True) == ["end"]


def test_threads_import_and_close_until_python_ends(folder: Path) -> None:
    script = """
def work():
    started.release()
    while True:
        made = lab.Moved.from_dlpack(lab.wrap("Moved", lab.new(64)))
        view = memoryview(made)
        view.release()
        made.close()

start(4, work)
time.sleep(0.05)
say("end")
"""
    assert run(folder, WORK + script, leaks=True) == ["end"]


@pytest.mark.parametrize("kind", KINDS)
def test_threads_that_hold_objects_are_abandoned_at_the_end(folder: Path, kind: str) -> None:
    """Each thread waits with an object, an export, a view and a capsule. Python ends without waking it up."""
    script = f"""
class Silent:
    pass

def work():
    made = lab.wrap({kind!r}, lab.new(64), Silent() if {kind!r} == "Borrowed" else None)
    tensor, view, capsule = export(made), memoryview(made), made.__dlpack__()
    started.release()
    threading.Event().wait()

start(4, work)
say("end")
"""
    assert run(folder, WORK + script, leaks=True) == ["end"]


@pytest.mark.parametrize("kind", KINDS)
def test_a_thread_deletes_exports_after_python_has_ended(folder: Path, kind: str) -> None:
    """A thread of C runs from exit() on. A Python parent is leaked, and its finalizer never runs."""
    script = f"""
address = lab.new(64)
made = lab.wrap({kind!r}, address, Parent() if {kind!r} == "Borrowed" else None)
for versioned in (False, True):
    producer.delete(*export(made, versioned), "on a foreign thread after the interpreter")
del made
say("end")
"""
    assert run(folder, script, leaks=True) == ["end"]


def test_exports_of_module_globals_outlive_python(folder: Path) -> None:
    """The objects are globals of modules, and CPython frees them in an order of its own."""
    script = """
import types
for index, kind in enumerate(("Moved", "Counted", "Borrowed")):
    module = types.ModuleType(f"holder{index}")
    module.made = lab.wrap(kind, lab.new(64), Parent("never") if kind == "Borrowed" else None)
    module.again = lab.Moved.from_dlpack(module.made)
    module.view, module.capsule = memoryview(module.again), module.made.__dlpack__()
    sys.modules[module.__name__] = module
    lab.held = [*getattr(lab, "held", []), module]
    producer.delete(*export(module.again), "after the interpreter")
    producer.delete(*export(module.made), "on a foreign thread after the interpreter")
del module
say("end")
"""
    assert run(folder, script, leaks=True) == ["end"]
