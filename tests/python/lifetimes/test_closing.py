# SPDX-License-Identifier: MIT
"""`close()` and `with` close an object. A closed object refuses every use with a message."""

from __future__ import annotations

import contextlib
import copy
import gc
import pickle
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from python.exchange import Table, delete
from python.framing import Framed
from python.scripts import run

ATTRIBUTES = "shape strides dtype device readonly nbytes itemsize ndim".split()
CLOSED = r"^probe\.Moved: the object is closed$"


def through_table(x: Any) -> object:
    table = Table(type(x))
    tensor = table.export(x)
    try:
        return table.make(tensor)
    except MemoryError:
        delete(tensor)  # it still belongs to the caller
        raise


USES: dict[str, Callable[[Any], Any]] = {
    **{name: lambda x, name=name: getattr(x, name) for name in ATTRIBUTES},
    "__dlpack__": lambda x: x.__dlpack__(),
    "__dlpack__, versioned": lambda x: x.__dlpack__(max_version=(1, 3)),
    "__dlpack__, a copy": lambda x: x.__dlpack__(copy=True),
    "__dlpack__, on a device": lambda x: x.__dlpack__(dl_device=(1, 0)),
    "__dlpack_device__": lambda x: x.__dlpack_device__(),
    "__array__": lambda x: x.__array__(),
    "numpy.from_dlpack": np.from_dlpack,
    "numpy.asarray": np.asarray,
    "memoryview": memoryview,
    "bytes": bytes,
    "with": lambda x: x.__enter__(),
    "to": lambda x: x.to(np),
    "to itself": lambda x: x.to(type(x)),
    "from_dlpack": lambda x: type(x).from_dlpack(x),
    "exchange table": through_table,
    "pickle": pickle.dumps,
    "pickle, in band": lambda x: pickle.dumps(x, 4),
    "copy": copy.copy,
    "deepcopy": copy.deepcopy,
    "counted": lambda x: x.counted(),
}


@pytest.mark.parametrize("name", USES)
def test_a_closed_object_refuses_to_be_used(subject, name: str) -> None:
    made = subject()
    USES[name](made.object)
    made.object.close()
    for _ in range(2):
        with pytest.raises(ValueError, match=CLOSED):
            USES[name](made.object)


def test_unwrap_refuses_a_closed_object(subject, lab: ModuleType) -> None:
    made = subject()
    made.object.close()
    with pytest.raises(ValueError, match=CLOSED):
        lab.unwrap("Moved", made.object)


def test_repr_says_that_an_object_is_closed(subject) -> None:
    made = subject()
    made.object.close()
    assert repr(made.object) == str(made.object) == "<probe.Moved, closed>"


def test_a_closed_object_is_hashed_and_compared_by_identity(subject) -> None:
    made, other = subject().object, subject().object
    number = hash(made)
    made.close()
    other.close()
    assert (hash(made), made == made, made == other) == (number, True, False)


def test_close_releases_the_object_at_once_and_only_once(subject, lab: ModuleType) -> None:
    made = subject()
    released = lab.counts()[1]
    for _ in range(3):
        assert made.object.close() is None
        assert lab.counts()[1] == released + 1
    made.object = None
    assert lab.counts()[1] == released + 1


@pytest.mark.parametrize("view", [np.from_dlpack, np.asarray, memoryview, lambda x: x.__dlpack__()])
def test_exports_outlive_the_closed_object(subject, lab: ModuleType, view: Callable[[Any], Any]) -> None:
    made = subject((2, 3), None, "uint8")
    exported = view(made.object)
    released = lab.counts()[1]
    made.object.close()
    gc.collect()
    assert lab.counts()[1] == released
    if not isinstance(exported, type(made.object.__class__.__dlpack_c_exchange_api__)):
        assert exported.shape == (2, 3)
    del exported
    assert lab.counts()[1] == released + 1


def test_a_parent_is_released_with_the_last_export_and_not_by_close(lab: ModuleType) -> None:
    ended = []

    class Parent:
        def __del__(self) -> None:
            ended.append(1)

    address = lab.new(64)
    made = lab.wrap("Borrowed", address, Parent())
    exported = np.from_dlpack(made)
    made.close()
    assert ended == []
    del exported
    assert ended == [1]
    made = lab.wrap("Borrowed", address, Parent())
    made.close()
    assert ended == [1, 1]
    lab.unref(address)


def test_close_deletes_an_imported_tensor(lab, managed, producer) -> None:
    made = lab.Moved.from_dlpack(managed().capsule())
    made.close()
    assert producer.record() == (1, 0, 0)


class TestWith:
    def test_a_with_block_closes_the_object(self, subject, lab: ModuleType) -> None:
        made = subject()
        released = lab.counts()[1]
        with made.object as entered:
            assert entered is made.object
            assert entered.shape == (2, 3)
        assert lab.counts()[1] == released + 1
        assert repr(made.object) == "<probe.Moved, closed>"

    def test_a_with_block_closes_the_object_and_passes_an_exception_on(self, subject, lab: ModuleType) -> None:
        made = subject()
        released = lab.counts()[1]
        with pytest.raises(LookupError, match="inside"), made.object:
            raise LookupError("inside")
        assert lab.counts()[1] == released + 1

    def test_an_object_can_be_closed_in_its_with_block(self, subject) -> None:
        made = subject()
        with made.object:
            made.object.close()

    def test_an_object_can_be_entered_twice_until_it_is_closed(self, subject) -> None:
        made = subject().object
        with made, made:
            assert made.shape == (2, 3)
        with pytest.raises(ValueError, match=CLOSED), made:
            raise AssertionError

    def test_a_with_block_leaves_the_reference_count_unchanged(self, subject) -> None:
        made = subject().object
        before = sys.getrefcount(made)
        for _ in range(10):
            with made.__class__.from_dlpack(made):
                made.__enter__()
        made.__exit__(None, None, None)
        assert sys.getrefcount(made) == before


class TestHandles:
    def test_parts_outlive_the_closed_handle(self, frame: Callable[..., Framed], frames: ModuleType) -> None:
        framed = frame()
        with framed.wrap() as handle:
            planes = handle.planes
        assert repr(handle) == "<frames.Frame, closed>"
        assert framed.references == 1
        assert [plane.shape for plane in planes] == [(4, 6)] * 3
        for use in (lambda: handle.planes, lambda: handle.plane(0), lambda: handle.few, handle.__enter__):
            with pytest.raises(ValueError, match=r"^frames\.Frame: the object is closed$"):
                use()
        del planes
        assert framed.references == 0

    def test_closing_a_part_closes_no_other_object(self, frame: Callable[..., Framed]) -> None:
        handle = frame().wrap()
        first, second, _ = handle.planes
        first.close()
        assert handle.plane(0).shape == second.shape == (4, 6)
        with pytest.raises(ValueError, match=r"^frames\.Plane: the object is closed$"):
            first.plane(1)


class Arguments:
    """Closes an object while that reads its arguments."""

    def __init__(self, made: Any, answer: int = 1) -> None:
        self.made, self.answer = made, answer

    def __index__(self) -> int:
        self.made.close()
        return self.answer


class TestReentrancy:
    def test_an_argument_can_close_the_whole_during_a_call(self, frame: Callable[..., Framed]) -> None:
        framed = frame()
        handle = framed.wrap()
        with pytest.raises(ValueError, match=r"^frames\.Frame: the object is closed$"):
            handle.plane(Arguments(handle))
        assert framed.references == 0

    def test_a_finalizer_can_close_the_whole_while_its_parts_are_made(self, frame: Callable[..., Framed]) -> None:
        """The collector starts when the tuple is allocated."""
        framed = frame(planes=50)
        for _ in range(20):
            handle = framed.wrap()
            made = collecting(handle.close, lambda handle=handle: handle.planes)
            assert made is None or [part.shape for part in made] == [(4, 6)] * 50
            del made, handle
            assert framed.references == 0

    def test_a_finalizer_can_close_an_object_in_use(self, subject, lab: ModuleType) -> None:
        for name, use in USES.items():
            made = subject()
            released = lab.counts()[1]
            collecting(made.object.close, lambda use=use, made=made: use(made.object))
            made.object.close()
            made.object = None
            gc.collect()
            assert lab.counts()[1] > released, name

    @pytest.mark.parametrize("use", USES.values(), ids=USES)
    def test_a_deferred_release_can_close_an_object_in_use(self, subject, lab: ModuleType, use: Any) -> None:
        """Another thread left an object, which is released during the call: its finalizer closes an object in use."""
        made = subject(kind="Created")

        class Closing(bytearray):
            def __del__(self) -> None:
                made.object.close()

        other = lab.Created.from_dlpack(Closing(24))
        held = [other.__dlpack__()]
        del other
        thread = threading.Thread(target=held.clear)
        thread.start()
        thread.join()
        with contextlib.suppress(ValueError):  # what takes two calls finds it closed at the second
            use(made.object)
        with pytest.raises(ValueError, match="the object is closed"):
            made.object.shape  # noqa: B018

    def test_an_object_can_be_closed_again_by_the_finalizer_of_its_parent(self, lab: ModuleType) -> None:
        """The parent is destroyed while the object is being closed."""
        seen = []

        class Parent:
            def __del__(self) -> None:
                holder[0].close()
                seen.append(repr(holder[0]))

        address = lab.new(64)
        holder = [lab.wrap("Borrowed", address, Parent())]
        holder[0].close()
        assert seen == ["<probe.Borrowed, closed>"]
        lab.unref(address)

    def test_a_target_of_to_can_close_the_object(self, subject, lab: ModuleType) -> None:
        class Target:
            @staticmethod
            def from_dlpack(x: Any) -> Any:
                array = np.from_dlpack(x)
                x.close()
                return array

        made = subject((3,))
        released = lab.counts()[1]
        array = made.object.to(Target)
        assert (array.shape, lab.counts()[1]) == ((3,), released)
        del array
        assert lab.counts()[1] == released + 1

    def test_a_pickler_can_close_the_object(self, subject, monkeypatch: pytest.MonkeyPatch) -> None:
        made = subject((3,), None, "uint8").object
        real = pickle.PickleBuffer

        def closing(source: Any) -> Any:
            made.close()
            return real(source)

        monkeypatch.setattr(pickle, "PickleBuffer", closing)
        with pytest.raises(ValueError, match=CLOSED):
            made.__reduce_ex__(5)


def collecting(act: Callable[[], Any], use: Callable[[], Any]) -> Any:
    """Calls `use()` while the garbage collector runs at each chance and calls `act()`. Returns None if `act()` closes
    the object before it is used."""

    class Cycle:
        def __init__(self) -> None:
            self.itself = self

        def __del__(self) -> None:
            act()

    thresholds = gc.get_threshold()
    gc.collect()
    Cycle()
    gc.set_threshold(1)
    try:
        return use()
    except ValueError as error:
        assert "closed" in str(error)
        return None
    finally:
        gc.set_threshold(*thresholds)
        gc.collect()


@pytest.fixture
def quick_switches() -> Iterator[None]:
    """Threads take turns after 0.1 ms instead of 5: more orders of their steps in less time."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-4)
    yield
    sys.setswitchinterval(before)


@pytest.mark.usefixtures("quick_switches")
def test_threads_close_one_object_while_others_use_it(lab: ModuleType) -> None:
    errors: list[BaseException] = []
    uses = ["shape", "memoryview", "numpy.from_dlpack", "__dlpack__", "from_dlpack", "pickle", "exchange table"]

    def work(made: Any, use: Callable[[Any], Any]) -> None:
        try:
            while True:
                use(made)
        except ValueError as error:
            if "closed" not in str(error):
                errors.append(error)
        except BaseException as error:
            errors.append(error)

    for _ in range(60):
        made = lab.wrap("Moved", lab.new(64))
        threads = [threading.Thread(target=work, args=(made, USES[name])) for name in uses]
        threads += [threading.Thread(target=made.close) for _ in range(2)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert not errors


class TestProcesses:
    @pytest.fixture(autouse=True)
    def modules(self, lab, producer_module) -> None:
        """Builds what the scripts import."""

    def test_an_object_can_be_closed_at_the_end_of_the_interpreter(self, folder: Path) -> None:
        script = """
class Late:
    def __init__(self):
        self.made, self.say, self.counts = lab.wrap("Moved", lab.new(64)), say, lab.counts
        self.parented = lab.wrap("Borrowed", lab.new(64), Parent())
    def __del__(self):
        self.made.close()
        self.parented.close()
        self.say(f"{self.made!r} {self.counts()[1]}")
sys.late = Late()
"""
        assert run(folder, script, leaks=True) == ["parent ended", "<probe.Moved, closed> 1"]

    def test_a_child_process_can_close_its_copy(self, folder: Path) -> None:
        script = """
made = lab.wrap("Borrowed", lab.new(64), Parent())
array = memoryview(made)
if os.fork() == 0:
    made.close()
    del array
    say(repr(made))
    os._exit(0)
assert os.wait()[1] == 0
say(str(array.shape))
del array
made.close()
"""
        assert run(folder, script, leaks=True) == ["parent ended", "<probe.Borrowed, closed>", "(64,)", "parent ended"]

    def test_an_object_can_be_closed_on_another_thread(self, folder: Path) -> None:
        script = """
import threading
made = lab.wrap("Borrowed", lab.new(64), Parent())
thread = threading.Thread(target=made.close)
thread.start()
thread.join()
say(repr(made))
"""
        assert run(folder, script, leaks=True) == ["parent ended", "<probe.Borrowed, closed>"]
