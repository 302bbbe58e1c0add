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


class Given(Producer):
    """An array of a foreign library, which new arrays of functions with `outputs: as given` become, too."""

    def __array_namespace__(self, **_: Any) -> Any:
        return Library


class Library:
    """The namespace of the foreign library."""

    from_dlpack = Given


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
            "lamp": lambda module: module.lamp_fresh(LENGTH),
            "points": lambda module: module.Points(LENGTH),
            "window": lambda module: module.Window(),
            "chip": lambda module: module.Chip(LENGTH),
            "numbers": lambda module: module.numbers_ramp(1.0, LENGTH),
            "capsule": lambda module: module.Grid(ROWS, COLUMNS).__dlpack__(max_version=VERSION),
        }
        self.slots: dict[str, list[Any]] = {
            kind: [make(modules[i % len(modules)]) for i in range(self.SLOTS)] for kind, make in self.factories.items()
        }

        self.plan: dict[str, Any] = {"passes": 3, "rate": 2.0}
        """Members of a struct, which other threads remove and add."""

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

    # ---- Outputs, conversion, records ----

    def outputs_as_given(self) -> None:
        """The new array is one of the library of the argument, whose type the runtime remembers or sees first here."""
        kind = self._draw.choice([Given, type("Given", (Given,), {})])
        made = self._module().numbers_double(kind(self._any("row")))
        assert type(made) is Given
        assert self._module().row_sum(made) == 2 * LENGTH

    def outputs_of_the_module(self) -> None:
        numbers = self._any("numbers")
        made = self._module().numbers_double(numbers)
        assert type(made) is type(numbers)
        assert memoryview(made).tolist() == [2.0, 4.0, 6.0, 8.0, 10.0]

    def convert_argument(self) -> None:
        module = self._module()
        for numbers in (array.array("f", [1.0] * LENGTH), array.array("i", [1] * LENGTH), self._any("row")):
            assert module.numbers_total(numbers) == LENGTH

    def convert_import(self) -> None:
        made = self._module().Strip.from_dlpack(self._any("row"))
        assert memoryview(made).tolist() == [1.0] * LENGTH

    def records(self) -> None:
        assert self._module().points_tags(self._any("points")) == sum(range(LENGTH))

    def records_of_a_buffer(self) -> None:
        view = memoryview(self._any("points"))
        assert (view.itemsize, view.shape) == (16, (LENGTH,))
        assert self._module().points_tags(view) == sum(range(LENGTH))

    def wrong_records(self) -> None:
        try:
            self._module().points_tags(self._any("row"))
        except TypeError as error:
            assert "points_tags() argument 'p'" in str(error), error
        else:
            raise AssertionError("no exception")

    # ---- Failures ----

    def rule_of_failures(self) -> None:
        level = self._draw.randrange(-99, 99)
        try:
            assert self._module().level_check(level) == level
            assert level >= 0
        except ValueError as error:
            assert level < 0, error
            assert str(error) == f"level_check(): the level {level} is negative (level={level})"

    # ---- Objects of another module, lists of objects ----

    def object_of_another_module(self) -> None:
        assert self._module().lamp_watts(self._any("lamp")) == LENGTH
        fresh = self._module().lamp_fresh(3)
        assert type(fresh) is self._shared.modules[0].Lamp
        assert fresh.watts == 3

    def list_of_objects(self) -> None:
        given = [self._any("lamp") for _ in range(self._draw.randrange(4))]
        picked = self._module().lamps_pick(given, 2)
        assert all(a is b for a, b in zip(picked[: len(given)], given, strict=True))
        assert [lamp.watts for lamp in picked[len(given) :]] == [0, 0, 1, 1]
        assert picked[-1] is picked[-2]

    def list_that_others_change(self) -> None:
        """Other threads replace the items of this list during the call."""
        assert self._module().grids_sum(self._shared.slots["grid"]) == Shared.SLOTS * ROWS * COLUMNS
        assert len(self._module().lamps_pick(self._shared.slots["lamp"], 0)) == Shared.SLOTS

    # ---- Alternatives, members, layouts, streams ----

    def alternatives(self) -> None:
        number, row = self._draw.choice([3, -7, 2**53 + 1, 1.5]), self._any("row")
        made = self._module().chosen(number)
        assert (made, type(made)) == (number, type(number))
        assert self._module().chosen(row) == LENGTH
        assert self._module().chosen([1, 2.5]) == 3.5

    def members(self) -> None:
        module = self._module()
        assert module.plan_cost((2, 0.5)) == 1.0
        assert module.plan_cost({"passes": 2, "rate": 0.5}) == 1.0
        assert module.plan_cost(module.Plan(2, 0.5)) == 1.0

    def members_that_others_change(self) -> None:
        plan = self._shared.plan
        plan.pop("rate", None)
        plan["passes"] = 3
        plan["rate"] = 2.0
        assert self._module().plan_cost(plan) in (0.0, 6.0)
        assert self._module().cost(plan) in (0.0, 6.0)

    def overlapping_elements(self) -> None:
        window = self._any("window")
        assert window.strides == (1, 1)
        assert self._module().window_sum(window) == 12.0

    def overlapping_arguments(self) -> None:
        module = self._module()
        own = module.Row(LENGTH)
        module.numbers_add(self._any("row"), own)
        assert module.row_sum(own) == 2 * LENGTH
        try:
            module.numbers_add(own, own)
        except BufferError as error:
            assert "overlaps" in str(error), error
        else:
            raise AssertionError("no exception")

    def stream(self) -> None:
        chip = self._any("chip")
        before = chip.waits
        assert self._module().chip_sum(chip, self._draw.choice([1, 2, 4711])) == LENGTH
        assert chip.waits > before

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
        kind = self._draw.choice(["grid", "row", "screen", "cell", "tank", "lamp", "points", "window", "chip"])
        self._shared.replace(kind, self._draw).close()

    def close_in_place(self) -> None:
        """Other threads find a closed object in the slot, until one of them replaces it."""
        kind = self._draw.choice(["grid", "row", "tank", "lamp", "points", "window", "chip"])
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
