# SPDX-License-Identifier: MIT
"""Programs that embed Python end it and start it again, while a C library still holds earlier exports.

Each case runs in a process of its own: a failure here is a crash or a hang."""

from __future__ import annotations

from pathlib import Path

import pytest

from python import builds
from python.scripts import run

BEFORE = """
import restarts
os.environ["PYTHONHOME"] = sys.base_prefix
"""
ROUND = """
import lab, os, producer, sys

def say(text, write=os.write):
    write(1, text.encode() + b"\\n")

class Parent:
    def __del__(self, say=say):
        say("parent ended")
"""


@pytest.fixture(autouse=True)
def modules(lab, producer_module, folder: Path) -> None:
    """Builds the modules that the scripts import."""
    builds.restarts(folder)


def test_classes_and_objects_work_in_every_round(folder: Path) -> None:
    again = """
made = lab.wrap("Moved", lab.new(64))
other = lab.Moved.from_dlpack(bytearray(64))
assert type(made) is type(other) is lab.Moved
assert memoryview(lab.Moved.from_dlpack(made)).shape == (64,)
producer.delete(*producer.consume(made.__dlpack__()), "without the GIL")
held = lab.wrap("Borrowed", lab.new(64), Parent())
del held
say("round")
"""
    script = f"restarts.again({ROUND + again!r}, 3)\n{again}"
    assert run(folder, BEFORE + script, leaks=True) == ["parent ended", "round"] * 4


@pytest.mark.parametrize("place", ["here", "without the GIL", "on a foreign thread"])
@pytest.mark.parametrize("kind", ["Moved", "Counted", "Borrowed"])
def test_exports_of_an_earlier_round_can_be_deleted_in_a_later_one(folder: Path, kind: str, place: str) -> None:
    """A parent belongs to a Python that has ended: it is leaked, and not touched."""
    script = f"""
tensors = [export(lab.wrap({kind!r}, lab.new(64), Parent() if {kind!r} == "Borrowed" else None)) for _ in range(3)]
again = '''
import lab, os, producer, sys
tensor = eval(os.environ["TENSORS"]).pop()
os.environ["TENSORS"] = os.environ["TENSORS"].rpartition(", (")[0] + "]"
producer.delete(*tensor, {place!r})
os.write(1, f"{{lab.wrap('Moved', lab.new(8)).shape}}\\\\n".encode())
'''
os.environ["TENSORS"] = repr(tensors)
restarts.again(again, 2)
producer.delete(*tensors.pop(0), {place!r})
os.environ["TENSORS"] = repr(tensors)
"""
    ended = ["parent ended"] if kind == "Borrowed" else []
    assert run(folder, BEFORE + script, leaks=True) == [*ended, "(8,)", "(8,)"]
