# SPDX-License-Identifier: MIT
"""Interpreters work at the same time, each on a thread: since Python 3.12 each has a GIL of its own.

Each case runs in a process of its own: a failure here is a crash or a hang."""

from __future__ import annotations

from pathlib import Path

import pytest

from python.scripts import run

pytestmark = pytest.mark.subinterpreters

PARALLEL = """
import threading

def in_parallel(count, code):
    \"\"\"Runs code in so many new interpreters at the same time, and ends them as soon as each is done.\"\"\"
    problems = []
    ready = threading.Barrier(count)

    def work(index):
        another = Another()
        ready.wait()
        try:
            another.run(f"index = {index}\\n{code}")
        except Exception as error:
            problems.append(error)
        another.end()

    threads = [threading.Thread(target=work, args=(index,)) for index in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not problems, problems[0]
"""


@pytest.fixture(autouse=True)
def modules(lab, producer_module) -> None:
    """Builds the modules that the scripts import."""


def test_interpreters_can_import_export_and_end_at_the_same_time(folder: Path) -> None:
    script = """
code = '''
import lab, pickle, producer, weakref
class Silent:
    pass
for turn in range(60):
    made = lab.wrap("Moved", lab.new(64))
    reference = weakref.ref(made)
    held = lab.wrap("Borrowed", lab.new(64), Silent())
    for place in ("here", "without the GIL", "on a foreign thread"):
        producer.delete(*producer.consume(made.__dlpack__(max_version=(turn % 2, 0))), place)
        producer.delete(*producer.consume(held.__dlpack__()), place)
    again = lab.Moved.from_dlpack(made)
    shown = lab.Moved.from_dlpack(memoryview(made))
    assert type(again) is type(shown) is type(made) is lab.Moved
    assert reference() is made
    made.close()
'''
for _ in range(4):
    in_parallel(4, code)
made = lab.wrap("Moved", lab.new(64))
assert type(lab.Moved.from_dlpack(made)) is lab.Moved
say("done")
"""
    assert run(folder, PARALLEL + script, leaks=True) == ["done"]


@pytest.mark.parametrize("kind", ["Moved", "Counted"])
def test_exports_are_deleted_in_other_interpreters_while_theirs_ends(folder: Path, kind: str) -> None:
    """Objects of the library need no interpreter: their exports can outlive it, or be deleted with it."""
    script = f"""
reader, writer = os.pipe()
code = f'''
import lab, os, producer
for _ in range(50):
    address = lab.new(64)
    made = lab.wrap({kind!r}, address)
    if {kind!r} == "Counted":
        lab.unref(address)
    address, versioned = producer.consume(made.__dlpack__())
    os.write({{writer}}, b"%20d" % address)
'''
living = lab.counts()[2]

def delete():
    for turn in range(4 * 4 * 50):
        address = int(os.read(reader, 20))
        producer.delete(address, False, ("here", "without the GIL", "on a foreign thread")[turn % 3])

thread = threading.Thread(target=delete)
thread.start()
for _ in range(4):
    in_parallel(4, code)
thread.join()
say(str(lab.counts()[2] - living))
"""
    assert run(folder, PARALLEL + script, leaks=True) == ["0"]


def test_finalizers_can_use_the_runtime_while_several_interpreters_end(folder: Path) -> None:
    """The callable that runs before a fork is freed after nearly everything else of its interpreter."""
    script = """
code = '''
import lab, os
class Late:
    def __init__(self):
        self.made, self.moved, self.refusal = lab.wrap("Moved", lab.new(64)), lab.Moved, Exception
    def __call__(self):
        pass
    def __del__(self):
        self.made.__dlpack__(max_version=(1, 0))
        try:
            self.moved.from_dlpack(self.made)
            self.moved.from_dlpack(bytearray(64))
        except self.refusal:
            pass
os.register_at_fork(before=Late())
'''
for _ in range(6):
    in_parallel(4, code)
another = Another()
another.run("import lab; assert type(lab.wrap('Moved', lab.new(8))) is lab.Moved")
another.end()
say("done")
"""
    assert run(folder, PARALLEL + script, leaks=True) == ["done"]
