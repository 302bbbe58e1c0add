"""A thousand calls, failing ones too, and calls whose every allocation fails once, leak nothing."""

from __future__ import annotations

import errno
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import pytest

from functions.libraries import build
from python.leaks import Operation, assert_no_growth, refused, warm_up
from python.scripts import run
from support.build import TOP


class World:
    """The modules, and an object that lives on."""

    def __init__(self, calls: ModuleType, outcomes: ModuleType, things: ModuleType) -> None:
        self.calls, self.outcomes, self.things = calls, outcomes, things
        self.store = things.Store(5)
        self.path = Path("some/path")

    def closed(self) -> None:
        store = self.things.Store()
        store.close()
        store.get()

    def stuck(self) -> None:
        with self.things.Store() as store:
            store.close_fails = 1


class Index:
    """An int that is made anew by each call."""

    def __index__(self) -> int:
        return int("123456789") << 64


OPERATIONS: dict[str, Callable[[World], Operation]] = {
    "number": lambda w: lambda: w.calls.echo_uint64(2**64 - 1),
    "number too large": lambda w: refused(OverflowError, lambda: w.calls.echo_int(Index())),
    "number refused": lambda w: refused(TypeError, lambda: w.calls.echo_int("x")),
    "float too large": lambda w: refused(OverflowError, lambda: w.calls.echo_double(10**400)),
    "complex": lambda w: lambda: w.calls.echo_cdouble(1 + 2j),
    "complex refused": lambda w: refused(OverflowError, lambda: w.calls.echo_cfloat(1e39j)),
    "enum": lambda w: lambda: w.calls.echo_color("BLUE"),
    "enum refused": lambda w: refused(ValueError, lambda: w.calls.echo_color("PINK")),
    "enum number refused": lambda w: refused(ValueError, lambda: w.calls.echo_color(2**70)),
    "missing": lambda w: refused(TypeError, lambda: w.calls.two(1)),
    "positional only": lambda w: refused(TypeError, lambda: w.calls.ahead(a=1, b=2)),
    "keywords": lambda w: lambda: w.calls.digits(1, 2, e=5, c=3),
    "paths": lambda w: lambda: w.calls.paths(w.path, other=w.path),
    "second path refused": lambda w: refused(ValueError, lambda: w.calls.paths(w.path, "a\0")),
    "text": lambda w: lambda: w.calls.join("a" * 100, "é" * 100),
    "text not utf-8": lambda w: refused(UnicodeDecodeError, lambda: w.calls.word(3)),
    "tuple": lambda w: w.outcomes.kinds,
    "arrays": lambda w: w.outcomes.three,
    "objects": lambda w: lambda: w.outcomes.tokens(1, 2),
    "objects undone": lambda w: refused(ValueError, lambda: w.outcomes.tokens(1, -2)),
    "first object missing": lambda w: refused(RuntimeError, lambda: w.outcomes.untested(-1, 2)),
    "second object missing": lambda w: refused(RuntimeError, lambda: w.outcomes.untested(1, -2)),
    "failure": lambda w: refused(RuntimeError, lambda: w.outcomes.fail_told(1)),
    "failure of the system": lambda w: refused(OSError, lambda: w.outcomes.fail_errno(3, errno.ENOENT, w.path)),
    "failure of the system, told": lambda w: refused(
        OSError, lambda: w.outcomes.fail_errno_told(1, errno.ENOENT, w.path)
    ),
    "finally": lambda w: lambda: w.outcomes.text(500),
    "finally of a failure": lambda w: refused(UnicodeDecodeError, lambda: w.outcomes.text(0)),
    "constructor": lambda w: lambda: w.things.Store(value=3),
    "constructor fails": lambda w: refused(ValueError, lambda: w.things.Store(-1)),
    "constructor refused": lambda w: refused(TypeError, lambda: w.things.Store(v=1)),
    "by value": lambda w: lambda: w.things.Point(1, 2).sum(w.things.Point(3, 4)),
    "chain": lambda w: lambda: w.things.Store(3).item(0).leaf(),
    "nothing there": lambda w: lambda: w.store.item(9),
    "out of what is there": lambda w: refused(IndexError, lambda: w.store.item_at(9)),
    "for good": lambda w: w.things.shared,
    "property": lambda w: lambda: setattr(w.store, "label", w.store.label),
    "property refused": lambda w: refused(ValueError, lambda: setattr(w.store, "ratio", -1)),
    "property deleted": lambda w: refused(AttributeError, lambda: delattr(w.store, "ratio")),
    "closed": lambda w: refused(ValueError, w.closed),
    "close fails": lambda w: refused(RuntimeError, w.stuck),
    "wrong object": lambda w: refused(TypeError, lambda: w.things.compare(w.store, w.path)),
}


@pytest.mark.parametrize("name", OPERATIONS)
def test_calls_leak_nothing(calls: ModuleType, outcomes: ModuleType, things: ModuleType, name: str) -> None:
    world = World(calls, outcomes, things)
    operation = OPERATIONS[name](world)
    warm_up(operation)
    assert_no_growth(operation)
    assert (calls.texts(), outcomes.counts()[1], things.stores()) == (0, 0, 1)
    del world


# ---- Without memory ----

SCRIPT = """
import calls, outcomes, things
import _testcapi, ctypes, gc

class ByPython:
    def begin(self, number):
        self.others = things.Store(1), outcomes.tokens(1, 2)  # no memory of objects that have ended is left for others,
        gc.collect()  # nor does CPython keep what it had of tuples and floats
        _testcapi.set_nomemory(number, number + 1)
    def end(self):
        _testcapi.remove_mem_hooks()
        del self.others

class ByMalloc:
    library = ctypes.PyDLL(things.__file__)
    def begin(self, number):
        self.library.scarcity_begin(number)
    def end(self):
        return self.library.scarcity_end()

path = "some/path"  # PyOS_FSPath() itself takes a lack of memory for a missing __fspath__
store, block = things.Store(5), things.Block(3)

def living():
    return calls.texts(), outcomes.counts()[1], things.stores(), things.points(), things.doors(), things.blocks()

def close():
    things.Store(1).close()

CALLS = {
    "number": lambda: calls.echo_uint64(2**64 - 1),
    "refused": lambda: calls.echo_color("PINK"),
    "names": lambda: calls.ahead(a=1, b=2),
    "paths": lambda: calls.paths(path, other="b"),
    "text": lambda: calls.join("a", "b"),
    "tuple": lambda: outcomes.kinds(),
    "arrays": lambda: outcomes.three(),
    "objects": lambda: outcomes.tokens(1, 2),
    "untested": lambda: outcomes.untested(1, 2),
    "failure": lambda: outcomes.fail_told(1),
    "system": lambda: outcomes.fail_errno(3, 2, path),
    "told": lambda: outcomes.fail_errno_told(1, 2, path),
    "finally": lambda: outcomes.text(500),
    "constructor": lambda: things.Store(value=3),
    "value": lambda: things.Point(1, 2),
    "named": lambda: things.Door("a"),
    "tensor": lambda: things.Block(3),
    "chain": lambda: things.Store(3).item(0).leaf(),
    "static": lambda: things.shared(),
    "property": lambda: store.mood,
    "close": close,
    "sum": lambda: block.sum(),
}
EXPECTED = (MemoryError, ValueError, TypeError, RuntimeError, OSError)  # those that some are meant to raise, too

def try_all(name, allocator):
    call = CALLS[name]
    def meant():
        try:
            return type(call())
        except EXPECTED as error:
            return type(error)
    usual = meant()
    before = living()
    failures = 0
    for number in range(200):
        allocator.begin(number)
        try:
            got = type(call())
        except EXPECTED as error:
            got = type(error)
        finally:
            reached = allocator.end()
        assert living() == before, (name, number, living(), before)
        assert got in (usual, MemoryError), (name, number, got)
        failures += got is MemoryError
        if got is usual and (reached is None or not reached):
            return failures
    raise AssertionError(f"{name} never had enough memory")
"""
MALLOCS = {
    "constructor": 1,
    "value": 1,
    "named": 1,
    "chain": 3,
    "static": 1,
    "property": 0,
    "close": 1,
    "sum": 0,
}
"""How many of ours there are: an owner for each object."""
PYTHONS = (
    "number refused names paths text tuple arrays objects untested failure system told finally constructor value "
    "named tensor chain static close"
).split()


@pytest.fixture(scope="module")
def scarce(
    calls_folder: Path, calls: ModuleType, outcomes_module: ModuleType, tmp_path_factory: pytest.TempPathFactory
) -> Path:
    """Makes a folder with `things`, in which malloc() of the runtime and of the module can fail."""
    folder = tmp_path_factory.mktemp("scarce")
    for module in (calls, outcomes_module):
        (folder / Path(module.__file__ or "").name).symlink_to(module.__file__ or "")
    build("things", folder, sources=[TOP / "tests" / "python" / "scarcity.c"], flags=["-Wl,--wrap=malloc"])
    return folder


@pytest.mark.parametrize("name", MALLOCS)
def test_every_malloc_may_fail(scarce: Path, name: str) -> None:
    assert run(scarce, f"{SCRIPT}\nprint(try_all({name!r}, ByMalloc()))", prelude="") == [str(MALLOCS[name])]


@pytest.mark.parametrize("name", PYTHONS)
def test_every_allocation_of_python_may_fail(scarce: Path, name: str) -> None:
    pytest.importorskip("_testcapi")
    script = f"{SCRIPT}\nprint(try_all({name!r}, ByPython()) > 0)"
    assert run(scarce, script, prelude="", leaks=True) == ["True"]
