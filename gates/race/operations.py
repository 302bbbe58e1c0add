# SPDX-License-Identifier: MIT
"""Operations on the modules of `library.yaml`. Each one checks its result, and may run in many threads at once.

The modules are built for the interpreter that runs this file; it needs nothing but the standard library.
"""

from __future__ import annotations

import array
import pickle
import random
import sys
import weakref
from collections.abc import Callable
from types import ModuleType
from typing import Any

Random = random.Random
ROWS, COLUMNS, LENGTH = 3, 4, 5
VERSION = (1, 3)


class Producer:
    """A foreign type without an exchange table: it is called."""

    def __init__(self, source: Any) -> None:
        self.source = source

    def __dlpack__(self, **keywords: Any) -> Any:
        return self.source.__dlpack__(**keywords)

    def __dlpack_device__(self) -> tuple[int, int]:
        return (1, 0)


class Shared:
    """Objects that all threads use, replace and close: `SLOTS` of each kind."""

    SLOTS = 8

    def __init__(self, modules: tuple[ModuleType, ...]) -> None:
        self.modules = modules
        self.factories: dict[str, Callable[[ModuleType], Any]] = {
            "grid": lambda module: module.Grid(ROWS, COLUMNS),
            "row": lambda module: module.Row(LENGTH),
            "screen": lambda module: module.Screen(),
            "cell": lambda module: module.Cell(),
            "tank": lambda module: module.Tank("tank"),
            "numbers": lambda module: module.numbers_ramp(1.0, LENGTH),
            "capsule": lambda module: module.Grid(ROWS, COLUMNS).__dlpack__(max_version=VERSION),
        }
        self.slots: dict[str, list[Any]] = {
            kind: [make(modules[i % len(modules)]) for i in range(self.SLOTS)] for kind, make in self.factories.items()
        }

    def pick(self, kind: str, draw: Random) -> Any:
        """Returns an object that other threads may use and close at the same time."""
        return self.slots[kind][draw.randrange(self.SLOTS)]

    def replace(self, kind: str, draw: Random) -> Any:
        """Puts a new object into a slot; returns the former one."""
        slots, at = self.slots[kind], draw.randrange(self.SLOTS)
        former = slots[at]
        slots[at] = self.factories[kind](draw.choice(self.modules))
        return former


class Operations:
    """The operations of one thread. Methods without an underscore are operations."""

    def __init__(self, shared: Shared, draw: Random) -> None:
        self._shared, self._draw = shared, draw
        self._own = {kind: make(draw.choice(shared.modules)) for kind, make in shared.factories.items()}
        self._doubles = array.array("d", [1.0] * LENGTH)

    def _module(self) -> ModuleType:
        return self._draw.choice(self._shared.modules)

    def _any(self, kind: str) -> Any:
        return self._shared.pick(kind, self._draw) if self._draw.random() < 0.7 else self._own[kind]

    # ---- Exports ----

    def export(self) -> None:
        capsule = self._any("grid").__dlpack__(max_version=VERSION)
        assert "dltensor_versioned" in repr(capsule)

    def export_legacy(self) -> None:
        self._any(self._draw.choice(["grid", "row", "screen", "cell"])).__dlpack__()

    def export_copy(self) -> None:
        copy = self._any("row").__dlpack__(max_version=VERSION, copy=True)
        assert self._module().tensor_sum(copy) == LENGTH

    def export_cell(self) -> None:
        """The cells of another thread are freed by that thread."""
        kept = self._any("cell").__dlpack__(max_version=VERSION)
        self._shared.replace("cell", self._draw)
        del kept

    def buffer(self) -> None:
        kind = self._draw.choice(["grid", "row", "screen"])
        view = memoryview(self._any(kind))
        assert view.ndim == (1 if kind == "row" else 2)

    def access_scope(self) -> None:
        screen = self._any("screen")
        with memoryview(screen) as view:
            assert view.nbytes == 16
            assert screen.locks >= 0

    # ---- Imports ----

    def import_table(self) -> None:
        """One module takes an object of either module, through its exchange table."""
        grid = self._any("grid")
        made = self._module().Grid.from_dlpack(grid)
        assert self._module().grid_sum(made) == ROWS * COLUMNS

    def import_call(self) -> None:
        made = self._module().Row.from_dlpack(Producer(self._any("row")))
        assert made.shape == (LENGTH,)

    def import_new_type(self) -> None:
        """The runtime remembers what foreign types offer: here a type is new, and is freed soon."""
        kind = type("Producer", (Producer,), {})
        assert self._module().grid_sum(kind(self._any("grid"))) == ROWS * COLUMNS

    def import_buffer(self) -> None:
        made = self._module().Grid.from_dlpack(memoryview(self._own["grid"]))
        assert made.nbytes == ROWS * COLUMNS * 8

    def import_view(self) -> None:
        """Two objects show one memoryview. Threads cannot share one: CPython 3.13 counts its exports without a lock."""
        view = memoryview(self._any("grid"))
        made = [module.Grid.from_dlpack(view) for module in self._shared.modules]
        assert [one.shape for one in made] == [(ROWS, COLUMNS)] * len(made)

    def import_capsule(self) -> None:
        """One of the threads that import the same capsule gets its tensor, the others an exception."""
        capsule = self._any("capsule")
        try:
            made = self._module().Grid.from_dlpack(capsule)
            assert made.shape == (ROWS, COLUMNS)
        except ValueError as error:
            assert "used" in str(error) or "consumed" in str(error), error
            self._shared.replace("capsule", self._draw)
            self._own["capsule"] = self._shared.factories["capsule"](self._module())

    def import_with_arguments(self) -> None:
        """The new object keeps a tank, which other threads may close."""
        tank = self._any("tank")
        module = sys.modules[type(tank).__module__]
        note = module.Note.from_dlpack(bytearray(7), of=tank, title="title")
        assert (note.shape, note.title) == ((7,), "title")
        assert note.level < 9

    def convert(self) -> None:
        made = self._any("grid").to(self._module().Grid)
        assert made.dtype == "float64"

    def allocate(self) -> None:
        module = self._module()
        assert module.Grid.empty((2, 3)).shape == (2, 3)
        assert module.Row.empty(4).nbytes == 32

    def pickle(self) -> None:
        back = pickle.loads(pickle.dumps(self._any("row"), protocol=5))
        assert back.shape == (LENGTH,)

    # ---- Calls of functions ----

    def sum_grid(self) -> None:
        assert self._module().grid_sum(self._any("grid")) == ROWS * COLUMNS

    def sum_grid_released(self) -> None:
        assert self._module().grid_sum_released(self._any("grid")) == ROWS * COLUMNS

    def sum_grids(self) -> None:
        grids = [self._any("grid") for _ in range(self._draw.randrange(4))]
        assert self._module().grids_sum(grids) == ROWS * COLUMNS * len(grids)

    def add(self) -> None:
        module = self._module()
        made = module.grid_add(self._any("grid"), self._any("grid"))
        assert module.grid_sum(made) == 2 * ROWS * COLUMNS

    def add_to(self) -> None:
        module = self._module()
        to = module.Grid(ROWS, COLUMNS)
        module.grid_add(self._any("grid"), self._any("grid"), to)
        assert module.grid_sum(to) == 2 * ROWS * COLUMNS

    def sum_numbers(self) -> None:
        module = self._module()
        for numbers in (self._any("row"), self._doubles, [1.0] * LENGTH, (1, 2.0, 2)):
            assert module.numbers_sum(numbers) == LENGTH

    def sum_row(self) -> None:
        assert self._module().row_sum(self._any("row")) == LENGTH

    def sum_tensor(self) -> None:
        assert self._module().tensor_sum(self._any("numbers")) == 15.0

    def sum_bytes(self) -> None:
        assert self._module().bytes_sum(b"\1\2\3") == 6
        assert self._module().bytes_sum(bytearray(5)) == 0

    def scale(self) -> None:
        numbers = array.array("d", [1.0, 2.0])
        self._module().numbers_scale(numbers, 3.0)
        assert numbers.tolist() == [3.0, 6.0]

    def ramp(self) -> None:
        made = self._module().numbers_ramp(2.0, 3)
        assert memoryview(made).tolist() == [2.0, 3.0, 4.0]

    def fail(self) -> None:
        try:
            self._module().numbers_check(self._any("row"))
        except ValueError as error:
            if "numbers_check() failed with -1" not in str(error):
                raise
        else:
            raise AssertionError("no exception")

    def strings(self) -> None:
        module = self._module()
        assert module.name_length("a name") == 6
        assert module.names_join(["a", "b", "c"]) == "abc"

    def enumeration(self) -> None:
        module = self._module()
        assert module.tank_next(module.State.EMPTY) is module.State.FULL

    # ---- Objects ----

    def attributes(self) -> None:
        grid = self._any("grid")
        assert grid.shape == (ROWS, COLUMNS)
        assert grid.strides == (COLUMNS, 1)
        assert (grid.ndim, grid.nbytes, grid.itemsize) == (2, ROWS * COLUMNS * 8, 8)
        assert (grid.dtype, grid.device, grid.readonly) == ("float64", (1, 0), False)
        assert "Grid" in repr(grid)

    def part(self) -> None:
        part = self._any("grid").part(1, 2)
        assert self._module().grid_sum(part) == 2 * COLUMNS

    def tank(self) -> None:
        tank = self._any("tank")
        tank.level = self._draw.randrange(9)
        assert 0 <= tank.level < 9
        assert tank.name == "tank"
        assert tank.measure(self._doubles) == LENGTH + 4

    def tank_grids(self) -> None:
        first, _, third = self._any("tank").grids
        assert (first.shape, third.shape) == ((1, 4), (3, 4))
        assert self._any("tank").tank_grid(1).shape == (2, 4)

    def tank_numbers(self) -> None:
        numbers = self._any("tank").numbers()
        assert memoryview(numbers).tolist() == [1.0] * 4

    def weak_reference(self) -> None:
        grid = self._any("grid")
        reference = weakref.ref(grid)
        assert reference() is grid
        gone: list[object] = []
        own = self._module().Row(2)
        reference = weakref.ref(own, gone.append)
        del own
        assert gone == [reference]

    def close(self) -> None:
        kind = self._draw.choice(["grid", "row", "screen", "cell", "tank"])
        self._shared.replace(kind, self._draw).close()

    def close_in_place(self) -> None:
        """Other threads find a closed object in the slot, until one of them replaces it."""
        kind = self._draw.choice(["grid", "row", "tank"])
        self._any(kind).close()
        self._own[kind] = self._shared.factories[kind](self._module())
        self._shared.replace(kind, self._draw)

    def replace(self) -> None:
        self._shared.replace(self._draw.choice(list(self._shared.factories)), self._draw)


def is_expected(error: Exception) -> bool:
    """Tells whether an operation may raise this: another thread has closed its object, or still uses it."""
    if isinstance(error, BufferError):
        return "cannot be closed" in str(error)
    return isinstance(error, ValueError) and "is closed" in str(error)


def names() -> list[str]:
    """Returns the names of all operations."""
    return [name for name in vars(Operations) if not name.startswith("_")]
