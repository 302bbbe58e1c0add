# SPDX-License-Identifier: MIT
"""The child of a fork uses and frees objects and exports of its parent, whose other threads do not exist there.

Each case runs in a process of its own: a failure here is a crash or a hang. No case has a second interpreter: a fork
beside one hangs in CPython 3.11 and 3.12, and ends the child in 3.13, without any extension module."""

from __future__ import annotations

from pathlib import Path

import pytest

from python.scripts import run

PRELUDE = """
import os, sys, warnings
import lab, producer
warnings.simplefilter("ignore")  # CPython warns about forks of processes with several threads

def export(made, versioned=True):
    return producer.consume(made.__dlpack__(max_version=(int(versioned), 0)))

def say(text, write=os.write):
    write(1, text.encode() + b"\\n")

class Parent:
    def __del__(self, say=say):
        say("parent ended")

def fork(child, *arguments):
    \"\"\"Runs a function in a child, which ends as every Python does; waits for it.\"\"\"
    if os.fork() == 0:
        child(*arguments)
        sys.exit()
    _, status = os.wait()
    assert status == 0, status
"""
KINDS = ["Moved", "Counted", "Borrowed"]
PLACES = ["here", "without the GIL", "on a foreign thread", "after the interpreter"]


@pytest.fixture(autouse=True)
def modules(lab, producer_module) -> None:
    """Builds the modules that the scripts import."""


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("kind", KINDS)
def test_the_child_uses_and_frees_exports_of_its_parent(folder: Path, kind: str, place: str) -> None:
    script = f"""
made = lab.wrap({kind!r}, lab.new(64), Parent() if {kind!r} == "Borrowed" else None)
tensors = [export(made, versioned) for versioned in (False, True)]

def child():
    global made
    producer.delete(*tensors[0], {place!r})
    assert memoryview(made).shape == (64,)
    again = lab.Moved.from_dlpack(made)
    del made
    assert again.__dlpack__() is not None
    del again
    producer.delete(*tensors[1], {place!r})

fork(child)
say("forked")
for tensor in tensors:
    producer.delete(*tensor, "here")
del made
"""
    expected = ["forked"]
    if kind == "Borrowed":
        expected = ["parent ended"] * (place != "after the interpreter") + ["forked", "parent ended"]
    assert run(folder, script, prelude=PRELUDE, leaks=True) == expected


def test_children_of_children_free_the_same_export(folder: Path) -> None:
    script = """
made = lab.wrap("Borrowed", lab.new(64), Parent())
tensor = export(made)
del made

def child(generations):
    if generations > 0:
        fork(child, generations - 1)
    producer.delete(*tensor, "on a foreign thread")

child(3)
"""
    assert run(folder, script, prelude=PRELUDE, leaks=True) == ["parent ended"] * 4


def test_the_child_of_a_thread_frees_objects_that_the_main_thread_made(folder: Path) -> None:
    """Objects with `release_on: creator` are leaked there: the thread that made them is gone."""
    script = """
import threading
made = [lab.wrap(kind, lab.new(64)) for kind in ("Moved", "Created")]
tensors = [export(one) for one in made]

def child():
    made.clear()
    for tensor in tensors:
        producer.delete(*tensor, "here")
    for kind in ("Moved", "Created"):
        again = lab.wrap(kind, lab.new(64))
        producer.delete(*export(again), "on a foreign thread")
    say("child")

thread = threading.Thread(target=fork, args=(child,))
thread.start()
thread.join()
made.clear()
for tensor in tensors:
    producer.delete(*tensor, "here")
say(str(lab.counts()[2]))
"""
    assert run(folder, script, prelude=PRELUDE, leaks=True) == ["child", "0"]


# AddressSanitizer does not release the locks of its allocator in a child: one that another thread had stays locked.
@pytest.mark.forks_threads
def test_threads_export_while_another_one_forks(folder: Path) -> None:
    script = """
import threading
made = lab.wrap("Borrowed", lab.new(64), Parent())
going = True

def work():
    while going:
        producer.delete(*export(made), "on a foreign thread")
        lab.Moved.from_dlpack(made)

def child():
    global made
    producer.delete(*export(made), "without the GIL")
    made.close()

threads = [threading.Thread(target=work) for _ in range(4)]
for thread in threads:
    thread.start()
for _ in range(20):
    fork(child)
going = False
for thread in threads:
    thread.join()
say("joined")
del made
"""
    ended = run(folder, script, prelude=PRELUDE, leaks=True)
    assert ended[-2:] == ["joined", "parent ended"]
