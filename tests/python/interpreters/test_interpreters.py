# SPDX-License-Identifier: MIT
"""Deleters in other interpreters and after the last one, and modules that are imported more than once.

Each case runs in a process of its own: what goes wrong here is a crash or a hang."""

from __future__ import annotations

from pathlib import Path

import pytest

from python.limits import MAIN_INTERPRETER_ONLY
from python.scripts import run
from support.build import ABI3

KINDS = ["Moved", "Counted", "Borrowed"]
VERSIONED = [False, True]
PLACES = ["here", "without the GIL", "on a foreign thread", "with an exception pending"]


@pytest.fixture(autouse=True)
def modules(lab, producer_module) -> None:
    """Builds what the scripts import."""


class TestAfterTheInterpreter:
    """A C library holds an export in a static variable, and lets go of it in exit()."""

    @pytest.mark.parametrize("versioned", VERSIONED)
    @pytest.mark.parametrize("kind", ["Moved", "Counted"])
    def test_an_object_of_the_library_is_released_after_the_interpreter_has_ended(
        self, folder: Path, kind: str, versioned: bool
    ) -> None:
        script = f"""
address = lab.new(64)
made = lab.wrap({kind!r}, address)
if {kind!r} == "Counted":
    lab.unref(address)
for _ in range(3):
    producer.delete(*export(made, {versioned}), "after the interpreter")
del made
print(lab.counts()[2])
"""
        assert run(folder, script) == ["1"]

    @pytest.mark.parametrize("versioned", VERSIONED)
    def test_a_python_parent_is_leaked_after_the_interpreter_has_ended(self, folder: Path, versioned: bool) -> None:
        script = f"""
made = lab.wrap("Borrowed", lab.new(64), Parent())
producer.delete(*export(made, {versioned}), "after the interpreter")
del made
"""
        assert run(folder, script, leaks=True) == []

    def test_an_imported_tensor_is_deleted_after_the_interpreter_has_ended(self, folder: Path) -> None:
        script = """
from python.tensors import Managed
made = lab.Moved.from_dlpack(Managed(producer).capsule())
producer.delete(*export(made), "after the interpreter")
del made
"""
        assert run(folder, script) == []


class TestAtTheEndOfTheInterpreter:
    def test_objects_in_modules_and_cycles_are_released(self, folder: Path) -> None:
        script = """
held = [lab.wrap("Moved", lab.new(64)), memoryview(lab.wrap("Moved", lab.new(64)))]
held.append(held)
sys.held = held
Parent.child = lab.wrap("Borrowed", lab.new(64), Parent("cycle"))
lab.held = [lab.wrap("Borrowed", lab.new(64), Parent("in the module"))]
capsule = held[0].__dlpack__()
"""
        assert "in the module ended" in run(folder, script, leaks=True)

    def test_finalizers_can_use_the_runtime(self, folder: Path) -> None:
        script = """
class Late:
    def __init__(self):
        self.made, self.say, self.view = lab.wrap("Moved", lab.new(64)), say, memoryview
        self.consume, self.delete, self.moved = producer.consume, producer.delete, lab.Moved
    def __del__(self):
        for place in ("here", "without the GIL"):
            self.delete(*self.consume(self.made.__dlpack__()), place)
        again = self.moved.from_dlpack(self.made)
        self.say(f"{self.view(again).shape} {self.made!r}")
sys.late = Late()
"""
        assert run(folder, script) == ["(64,) <probe.Moved uint8[64] on cpu>"]

    def test_an_object_can_outlive_the_dict_of_its_interpreter(self, folder: Path) -> None:
        """The interpreter keeps a callable that runs before a fork, and frees it after the objects of extensions."""
        script = """
class Late:
    def __init__(self):
        self.made, self.say = lab.wrap("Moved", lab.new(64)), say
    def __call__(self):
        pass
    def __del__(self):
        self.made.__dlpack__(max_version=(1, 0))
        self.say(f"{self.made!r}")
os.register_at_fork(before=Late())
"""
        assert run(folder, script) == ["<probe.Moved uint8[64] on cpu>"]

    def test_a_class_can_outlive_the_dict_of_its_interpreter(self, folder: Path) -> None:
        """The output depends on the objects that CPython has left. The sanitizers show that no freed memory is read."""
        script = """
class Late:
    def __init__(self):
        self.moved, self.say, self.array, self.refusal = lab.Moved, say, bytearray(64), Exception
    def __call__(self):
        pass
    def __del__(self):
        try:
            self.moved.from_dlpack(self.array)
        except self.refusal:
            self.say("refused")
os.register_at_fork(before=Late())
"""
        assert run(folder, script, leaks=True) == ["refused"]

    @pytest.mark.parametrize("place", PLACES)
    def test_a_parent_is_released_by_a_finalizer_where_the_thread_has_the_gil(self, folder, place: str) -> None:
        """A thread without the GIL cannot take it any more: CPython would end the thread, or let it wait forever."""
        script = f"""
class Late:
    def __init__(self, tensor):
        self.tensor, self.delete, self.say = tensor, producer.delete, say
    def __del__(self):
        self.delete(*self.tensor, {place!r})
        self.say("done")
sys.late = Late(export(lab.wrap("Borrowed", lab.new(64), Parent())))
"""
        attached = place in ("here", "with an exception pending")
        if ABI3 and place == "without the GIL":
            attached = True  # what the limited API knows is which thread ends Python: this one, which may
        assert run(folder, script, leaks=True) == (["parent ended"] if attached else []) + ["done"]


@pytest.mark.subinterpreters
class TestInAnotherInterpreter:
    @pytest.mark.parametrize("place", PLACES)
    @pytest.mark.parametrize("kind", KINDS)
    def test_an_export_of_this_interpreter_can_be_deleted_there(self, folder: Path, kind: str, place: str) -> None:
        script = f"""
address = lab.new(64)
made = lab.wrap({kind!r}, address, Parent() if {kind!r} == "Borrowed" else None)
tensors = [export(made, versioned) for versioned in (False, True)]
del made
another = Another()
for tensor in tensors:
    say("deleting")
    another.run(f"import producer; producer.delete(*{{tensor}}, {place!r})")
say(str(lab.counts()[1]))
if {kind!r} != "Moved":
    lab.unref(address)
another.end()
"""
        expected = ["deleting", "deleting", *(["parent ended", "0"] if kind == "Borrowed" else ["1"])]
        assert run(folder, script, leaks=True) == expected

    @pytest.mark.parametrize("kind", ["Moved", "Counted"])
    def test_an_export_of_that_interpreter_outlives_it(self, folder: Path, kind: str) -> None:
        script = f"""
another = Another()
another.run('''
import lab, producer
address = lab.new(64)
made = lab.wrap({kind!r}, address)
if {kind!r} == "Counted":
    lab.unref(address)
for _ in range(2):
    tensor = producer.consume(made.__dlpack__(max_version=(1, 0)))
    producer.delete(*tensor, "after the interpreter")
''')
another.end()
say(str(lab.counts()[2]))
"""
        assert run(folder, script, leaks=True) == ["1"]

    @pytest.mark.parametrize("place", [*PLACES, "after the interpreter"])
    def test_a_parent_of_that_interpreter_is_leaked_after_it_has_ended(self, folder: Path, place: str) -> None:
        script = f"""
reader, writer = os.pipe()
another = Another()
another.run(f'''
import lab, os, producer
class Parent:
    def __del__(self, say=print):
        say("touched", flush=True)
tensor = producer.consume(lab.wrap("Borrowed", lab.new(64), Parent()).__dlpack__())
os.write({{writer}}, repr(tensor).encode())
''')
another.end()
producer.delete(*eval(os.read(reader, 99)), {place!r})
say("done")
"""
        assert run(folder, script, leaks=True) == ["done"]

    @pytest.mark.parametrize("place", PLACES)
    def test_a_parent_of_that_interpreter_is_released_there_when_its_export_is_deleted_here(
        self, folder: Path, place: str
    ) -> None:
        script = f"""
reader, writer = os.pipe()
another = Another()
another.run(f'''
import lab, os, producer
class Parent:
    def __del__(self, say=print):
        import lab  # that of the interpreter in which this runs
        say("ended in", id(lab), flush=True)
tensor = producer.consume(lab.wrap("Borrowed", lab.new(64), Parent()).__dlpack__())
os.write({{writer}}, repr((*tensor, id(lab))).encode())
''')
address, versioned, home = eval(os.read(reader, 99))
producer.delete(address, versioned, {place!r})
another.end()
say(f"expected {{home}}")
"""
        ended, expected = run(folder, script, leaks=True)
        assert ended == expected.replace("expected", "ended in")

    def test_classes_belong_to_their_interpreter(self, folder: Path) -> None:
        script = """
here = lab.Moved.from_dlpack(bytearray(64))
another = Another()
for _ in range(3):
    another.run('''
import lab
made = lab.wrap("Moved", lab.new(64))
again = lab.Moved.from_dlpack(made)
shown = lab.Moved.from_dlpack(memoryview(made))
assert type(again) is type(shown) is type(made) is lab.Moved
assert memoryview(again).shape == (64,)
say = print
say(id(lab.Moved), flush=True)
''')
another.end()
say(str(id(lab.Moved)))
assert lab.wrap("Moved", lab.new(64)).shape == (64,)
assert type(lab.Moved.from_dlpack(memoryview(here))) is type(here) is lab.Moved
"""
        there, *rest, here = run(folder, script, leaks=True)
        assert rest == [there, there]
        assert here != there

    def test_many_interpreters_can_start_and_end(self, folder: Path) -> None:
        script = """
made = lab.wrap("Borrowed", lab.new(64), Parent())
for _ in range(20):
    another = Another()
    another.run(f"import producer, lab; producer.delete(*{export(made)}, 'here'); lab.wrap('Moved', lab.new(8))")
    another.end()
del made
say(str(lab.counts()[2]))
"""
        assert run(folder, script, leaks=True) == ["parent ended", "1"]


if MAIN_INTERPRETER_ONLY:

    def test_other_interpreters_are_refused(folder: Path) -> None:
        script = """
another = Another()
try:
    another.run("import lab")
except Exception as error:
    say(str(error))
another.end()
"""
        output = run(folder, script)[0]
        assert "a module of the limited API is for the main interpreter before Python 3.12" in output


class TestImportedTwice:
    AGAIN = """
import importlib
def again(name, file):
    from importlib.machinery import ExtensionFileLoader
    from importlib.util import module_from_spec, spec_from_file_location
    spec = spec_from_file_location(name, file, loader=ExtensionFileLoader(name, file))
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
"""

    def test_old_objects_still_work_and_new_objects_are_of_the_new_class(self, folder: Path) -> None:
        script = """
old, old_class = lab.wrap("Moved", lab.new(64)), lab.Moved
second = again("lab", lab.__file__)
assert second is not lab and second.Moved is not old_class
made = lab.wrap("Moved", lab.new(64))
assert type(made) is second.Moved
for thing in (old, made):
    assert lab.unwrap("Moved", thing) == second.unwrap("Moved", thing)
    assert memoryview(old_class.from_dlpack(thing)).shape == memoryview(second.Moved.from_dlpack(thing)).shape == (64,)
del old, made, thing
say(str(lab.counts()[2]))
"""
        assert run(folder, self.AGAIN + script) == ["0"]

    def test_the_emitted_module_and_one_written_by_hand_share_their_classes(self, folder: Path) -> None:
        script = """
probe = again("probe", lab.__file__)
made = lab.wrap("Counted", lab.new(64))
assert type(made) is probe.Counted
assert repr(made) == "<probe.Counted uint8[64] on cpu>"
assert lab.unwrap("Counted", made)
"""
        assert run(folder, self.AGAIN + script, leaks=True) == []

    def test_the_module_can_be_freed_before_its_objects(self, folder: Path) -> None:
        script = """
import gc
made, wrap, new = lab.wrap("Moved", lab.new(64)), lab.wrap, lab.new
counts = lab.counts
del sys.modules["lab"], lab
gc.collect()
assert memoryview(made).shape == (64,)
assert type(wrap("Moved", new(64))) is type(made)
del made
say(str(counts()[2]))
"""
        assert run(folder, script) == ["0"]


@pytest.mark.parametrize("kind", KINDS)
def test_without_its_class_an_object_is_not_wrapped_and_stays_with_the_caller(folder: Path, lab, kind: str) -> None:
    script = f"""
from importlib.machinery import ExtensionFileLoader
from importlib.util import module_from_spec, spec_from_file_location
spec = spec_from_file_location("lab_bare", {lab.__file__!r}, loader=ExtensionFileLoader("lab_bare", {lab.__file__!r}))
bare = module_from_spec(spec)
spec.loader.exec_module(bare)
class Parent:
    def __del__(self):
        print("parent ended")
address = bare.new(64)
for _ in range(3):
    try:
        bare.wrap({kind!r}, address, Parent())
    except RuntimeError as error:
        print(error)
retained, released, living = bare.counts()
assert (retained, living) == (released, 1)
bare.unref(address)
assert bare.counts()[2] == 0
"""
    missing = f"the class probe.{kind} is not in this interpreter: import its module first"
    assert run(folder, script, prelude="") == ["parent ended", missing] * 3
