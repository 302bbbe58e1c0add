# SPDX-License-Identifier: MIT
"""Calls the functions of a module with arguments of all kinds, also hostile ones, and compares the results with models.

The modules of `libraries/fuzzed.yaml` and `libraries/fuzzed_user.yaml` have each feature that takes or returns Python
objects: conversion, records, lists of objects, alternatives, structs that Python makes, files, objects of another
module, streams, outputs as given, failures, overlap, array interfaces. A round makes its calls from a seed.
`calls.py --seed N --rounds 1` repeats a round.
"""

from __future__ import annotations

import ctypes
import gc
import io
import random
import sys
import tempfile
import traceback
from collections import Counter, deque
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np

import rounds
from candidates import TOP
from support.build import build_extension, compile_c, import_extension

LIBRARIES = TOP / "gates" / "fuzz" / "libraries"
CALLS_PER_ROUND = 40
REFUSALS = (TypeError, ValueError, BufferError, OverflowError, OSError, RecursionError, AttributeError)
"""Exceptions by which a function may refuse arguments. A SystemError or another exception is a finding."""
POINT = np.dtype([("x", "f8"), ("tag", "i4")], align=True)
OTHER_POINTS = (
    POINT.newbyteorder(),
    np.dtype([("tag", "i4"), ("x", "f8")], align=True),
    np.dtype([("x", "f8"), ("tag", "i4")]),
    np.dtype([("x", "f8"), ("tag", "f4")], align=True),
    np.dtype({"names": ["x", "tag"], "formats": ["f8", "i4"], "offsets": [0, 12], "itemsize": 16}),
    np.dtype("V16"),
    np.dtype("f8"),
)
"""Elements that are not those of the struct."""
NUMBERS = ("?", "i1", "u1", "i2", "u2", "i4", "u4", "i8", "u8", "f2", "f4", "f8")
SWAPPED = (">i2", ">i4", ">u8", ">f4", ">f8")


class HostileError(Exception):
    """The exception of foreign code."""


class Difference(Exception):
    """A result differs from that of the model."""


class Versioned(ctypes.Structure):
    """The beginning of a DLManagedTensorVersioned, up to the device of its tensor."""

    _fields_ = [
        ("version", ctypes.c_uint32 * 2),
        ("context", ctypes.c_void_p),
        ("deleter", ctypes.c_void_p),
        ("flags", ctypes.c_uint64),
        ("data", ctypes.c_void_p),
        ("device", ctypes.c_int32 * 2),
    ]


get_pointer = ctypes.pythonapi.PyCapsule_GetPointer
get_pointer.restype, get_pointer.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]


# ---- Foreign objects: each runs `act` before it answers ----


class Number:
    def __init__(self, value: Any, act: Callable[[], None]) -> None:
        self.value, self.act = value, act

    def __index__(self) -> int:
        self.act()
        return self.value  # type: ignore[no-any-return]

    def __float__(self) -> float:
        self.act()
        return float(self.value)


class Sequence:
    """A sequence whose length can be a lie."""

    def __init__(self, items: list[Any], length: int, act: Callable[[], None]) -> None:
        self.items, self.length, self.act = items, length, act

    def __len__(self) -> int:
        self.act()
        return self.length

    def __getitem__(self, index: int) -> Any:
        self.act()
        return self.items[index]


class Members:
    """A mapping of members."""

    def __init__(self, members: dict[str, Any], act: Callable[[], None]) -> None:
        self.members, self.act = members, act

    def keys(self) -> Any:
        self.act()
        return self.members.keys()

    def __len__(self) -> int:
        return len(self.members)

    def __iter__(self) -> Any:
        return iter(self.members)

    def __getitem__(self, name: str) -> Any:
        self.act()
        return self.members[name]


class Producer:
    """An array of another library, on a device that it names; records the stream that its consumer asks for."""

    def __init__(self, array: Any, device: tuple[int, int], act: Callable[[], None]) -> None:
        self.array, self.device, self.act = array, device, act
        self.streams: list[Any] = []

    def __dlpack_device__(self) -> tuple[int, int]:
        self.act()
        return self.device

    def __dlpack__(self, *, stream: Any = None, max_version: Any = None, **more: Any) -> Any:
        self.act()
        self.streams.append(stream)
        capsule = self.array.__dlpack__(max_version=(1, 0))
        tensor = Versioned.from_address(get_pointer(capsule, b"dltensor_versioned"))
        tensor.device[0], tensor.device[1] = self.device
        return capsule


class Interface:
    """An array that has only `__array_interface__`, with some of its fields changed."""

    def __init__(self, array: Any, changes: dict[str, Any], act: Callable[[], None]) -> None:
        self.array, self.changes, self.act = array, changes, act

    @property
    def __array_interface__(self) -> Any:
        self.act()
        fields = {**self.array.__array_interface__, **self.changes}
        return {name: value for name, value in fields.items() if value != "missing"}


class Given(Producer):
    """An array of a foreign library, whose `from_dlpack()` can fail. Like PyTorch, it writes to read-only arrays."""

    def __array_namespace__(self, **_: Any) -> Any:
        self.act()
        return self

    def from_dlpack(self, array: Any, **_: Any) -> Any:
        self.act()
        shown = np.from_dlpack(array)
        if shown.size == 0:
            return ("given", shown)
        memory = (ctypes.c_char * shown.nbytes).from_address(shown.ctypes.data)
        memory.shown = shown  # type: ignore[attr-defined]  # it owns what `memory` only points to
        return ("given", np.frombuffer(memory, shown.dtype).reshape(shown.shape))


class File(io.FileIO):
    """A file, whose descriptor the module asks for."""

    act: Callable[[], None] = staticmethod(lambda: None)

    def fileno(self) -> int:
        self.act()
        return super().fileno()

    def flush(self) -> None:
        self.act()
        super().flush()


# ---- The calls of a round ----


class Round:
    """The calls of one seed. Each method that FEATURES names makes one call."""

    def __init__(self, seed: int, module: ModuleType, user: ModuleType, folder: Path, features: list[str]) -> None:
        self.random, self.features = random.Random(seed), features
        self.module, self.user, self.folder = module, user, folder
        self.lamps: list[Any] = []
        self.is_hostile = False
        """Foreign code with an effect has run during the call: no model knows the result."""
        self.depth = 0

    def pick(self, *values: Any) -> Any:
        return self.random.choice(values)

    def act(self) -> Callable[[], None]:
        """Returns what a foreign object does before it answers: mostly nothing."""
        if self.random.random() < 0.7:
            return lambda: None
        effect = self.pick(self.raise_error, self.close_lamp, self.call_again, gc.collect, self.forget_lamps)

        def run_effect() -> None:
            self.is_hostile = True
            effect()

        return run_effect

    def raise_error(self) -> None:
        raise HostileError

    def close_lamp(self) -> None:
        if self.lamps:
            closed = self.pick(*self.lamps)
            closed.close()
            self.lamps = [lamp for lamp in self.lamps if lamp is not closed]

    def forget_lamps(self) -> None:
        self.lamps.clear()

    def call_again(self) -> None:
        if self.depth < 3:
            self.depth += 1
            try:
                getattr(self, self.pick(*self.features))()
            except (*REFUSALS, HostileError):
                pass
            finally:
                self.depth -= 1

    def expect(self, is_equal: bool, text: str) -> None:
        """Raises Difference if the result is not that of the model, and the model knows it."""
        if not is_equal and not self.is_hostile:
            raise Difference(text)

    def refused(self, call: Callable[[], Any], text: str) -> None:
        """Checks that a call is refused."""
        try:
            result = call()
        except (*REFUSALS, HostileError):
            return
        self.expect(False, f"{text}: not refused, but {result!r}")

    def array(self, dtypes: tuple[str, ...], most_axes: int = 3) -> Any:
        """Returns an array of small whole numbers, in any layout."""
        shape = [self.random.randrange(5) for _ in range(self.random.randrange(most_axes + 1))]
        count = int(np.prod(shape))
        values = np.array([self.random.randrange(100) for _ in range(count)]).reshape(shape)
        made = values.astype(self.pick(*dtypes))
        change = self.random.randrange(6)
        if change == 0:
            made = made.T
        elif change == 1 and made.ndim:
            made = np.repeat(made, 2, axis=0)[::2]
        elif change == 2 and made.ndim:
            made = made[::-1]
        elif change == 3 and made.ndim:
            made = np.moveaxis(made, 0, -1)
        elif change == 4:
            made.flags.writeable = False
        return made

    def as_argument(self, array: Any) -> Any:
        """Returns the array, or another object that shares it."""
        change = self.random.randrange(4)
        if change == 0 and array.dtype.isnative and array.flags.writeable:
            return Producer(array, (1, 0), self.act())
        return Interface(array, {}, self.act()) if change == 1 else array

    # ---- Features ----

    def conversion(self) -> None:
        array = self.array((*NUMBERS, *SWAPPED, "c8"))
        argument = self.as_argument(array)
        if array.dtype.kind == "c":
            self.refused(lambda: self.module.total(argument), "complex numbers as real ones")
            return
        result = self.module.total(argument)
        self.expect(result == float(array.astype("f8").sum()), f"total of {array!r}: {result}")

    def converted_import(self) -> None:
        array = self.array((*NUMBERS, *SWAPPED, "c8"), most_axes=2)
        argument = self.as_argument(array)
        if array.ndim != 1 or array.dtype.kind == "c":
            self.refused(lambda: self.module.Row.from_dlpack(argument), f"a row of {array!r}")
            return
        row = self.module.Row.from_dlpack(argument)
        expected = array.astype("f4")
        self.expect(row.total() == float(expected.sum()), f"row of {array!r}: {row.total()}")
        self.expect(bool((np.from_dlpack(row) == expected).all()), f"row of {array!r}: other elements")

    def records(self) -> None:
        array = np.zeros(self.pick((0,), (3,), (2, 2)), POINT)
        array["tag"] = np.arange(array.size).reshape(array.shape)
        array = self.pick(array, array[::-1], array.T)
        if self.random.random() < 0.3:
            array.flags.writeable = False
        argument = self.pick(array, Interface(array, {}, self.act()), memoryview(array.copy()))
        self.expect(self.module.tags(argument) == int(array["tag"].sum()), f"tags of {array!r}")
        if array.flags.writeable:
            self.module.retag(array, 7)
            self.expect(bool((array["tag"] == 7).all()), f"retagged: {array!r}")
        else:
            self.refused(lambda: self.module.retag(array, 7), "a read-only array to write to")
        wrong = self.pick(*OTHER_POINTS)
        self.refused(lambda: self.module.tags(np.zeros(3, wrong)), f"records of {wrong}")

    def some_lamps(self) -> list[Any]:
        while len(self.lamps) < 4:
            self.lamps.append(self.pick(self.module.Lamp, self.user.fresh)(self.random.randrange(100)))
        return [self.pick(*self.lamps) for _ in range(self.random.randrange(6))]

    def lists_of_objects(self) -> None:
        given = self.some_lamps()
        mask, fresh = self.random.randrange(1 << 16), self.random.randrange(16)
        act = self.act()
        argument = self.pick(given, tuple(given), deque(given), Sequence(given, len(given), act))
        result = self.module.mixed(argument, mask, fresh)
        expected = [lamp for i, lamp in enumerate(given) if mask >> i & 1]
        known = result[: len(expected)]
        self.expect(all(a is b for a, b in zip(known, expected, strict=True)), "other objects than the given ones")
        rest = [lamp.watts for lamp in result[len(expected) :]] if not self.is_hostile else []
        self.expect(rest == [i for i in range(fresh) for _ in range(1 + (mask >> i & 1))], f"new objects: {rest}")
        self.expect(len({id(lamp) for lamp in result[len(expected) :]}) == fresh, "two objects of one pointer")
        self.lamps += result[-2:]

    def wrong_lists(self) -> None:
        given = [*self.some_lamps(), self.pick(None, 3, "lamp", self.module.Plan(1, 2.0), object())]
        self.random.shuffle(given)
        self.refused(lambda: self.module.watts(given), f"a list with {given!r}")
        self.refused(lambda: self.user.watts(given), f"a list with {given!r}")
        too_long = Sequence(given[:1], self.pick(3, -1, 1 << 16), self.act())
        self.refused(lambda: self.module.mixed(too_long, 1, 0), "a sequence that is shorter than its length")

    def filled_storage(self) -> None:
        want = self.random.randrange(-3, 8)
        if not 0 <= want <= 4:
            self.refused(lambda: self.module.filled(want), f"{want} objects in storage for 4")
            return
        result = self.module.filled(want)
        self.expect([lamp.watts for lamp in result] == list(range(want)), f"filled({want}): {result!r}")

    def closed_objects(self) -> None:
        given = self.some_lamps()
        if given:
            given[0].close()
            self.refused(lambda: self.pick(self.module, self.user).watts(given), "a closed object")
            self.lamps = [lamp for lamp in self.lamps if lamp is not given[0]]

    def objects_of_another_module(self) -> None:
        given = self.some_lamps()
        self.expect(all(self.user.same(lamp) is lamp for lamp in given), "another object than the given one")
        expected = sum(lamp.watts for lamp in given)
        argument = self.pick(given, Sequence(given, len(given), self.act()))
        self.expect(self.user.watts(argument) == expected, "watts of objects of another module")
        wrong = self.pick(None, 3, self.module.Plan(1, 1.0), self.module.Lamp)
        self.refused(lambda: self.user.same(wrong), f"{wrong!r} as an object of another module")

    def alternatives(self) -> None:
        number = self.pick(0, 3, -7, 2**53 + 1, -(2**63), 2**63 - 1, 1.5, -0.0, 1e300, True)
        if isinstance(number, float):
            argument = self.pick(number, np.float64(number), np.array(number))
        else:
            argument = self.pick(number, np.int64(number), np.array(number, "i8"), Number(int(number), self.act()))
        result = self.module.chosen(argument)
        self.expect(
            (result, type(result) is int) == (number, not isinstance(number, float)), f"{argument!r}: {result!r}"
        )

    def alternatives_of_sequences(self) -> None:
        whole = [
            self.pick(1, -5, 2**53 + 1, np.int32(7), np.array(9), True) for _ in range(self.random.randrange(1, 5))
        ]
        real = [self.pick(0.5, np.float32(1.5), np.array(2.5), 3, np.int8(4)) for _ in range(3)] + [0.25]
        items = self.pick(whole, real)
        act = self.act()
        argument = self.pick(items, tuple(items), deque(items), Sequence(items, len(items), act))
        result = self.module.chosen(argument)
        expected = sum(int(x) if items is whole else float(x) for x in items)
        self.expect((result, type(result) is int) == (expected, items is whole), f"{argument!r}: {result!r}")

    def members(self) -> None:
        passes, rate = self.pick(0, 5, -(2**31), 2**31 - 1), self.pick(0.0, 0.5, -2.0)
        act = self.act()
        plan = self.pick(
            self.module.Plan(passes, rate),
            (passes, rate),
            [Number(passes, act), rate],
            {"passes": passes, "rate": rate},
            Members({"rate": Number(rate, act), "passes": Number(passes, act)}, act),
        )
        result = self.module.cost(plan, {"passes": 1, "rate": 2.0}, [1.0, 2.0])
        self.expect(result == passes * rate + 5.0, f"cost of {plan!r}: {result}")
        wrong = self.pick((1,), (1, 2.0, 3), {"pases": 1}, {1: 2}, {"passes": 2**31}, {"passes": "1"}, (None, 1.0), 3)
        self.refused(lambda: self.module.cost(wrong, plan, [1.0]), f"{wrong!r} as members")

    def files(self) -> None:
        text = self.random.randbytes(self.random.randrange(300))
        path, target = self.folder / "source", self.folder / "target"
        path.write_bytes(text)
        with File(path) as source, File(target, "w") as to, path.open("rb") as buffered, path.open() as closed:
            closed.close()
            source.act, to.act = self.act(), self.act()
            try:
                self.module.copy_file(self.pick(path, str(path), source, buffered), self.pick(to, target))
                self.expect(target.read_bytes() == text, f"copied {target.read_bytes()!r} of {text!r}")
                wrong = self.pick(closed, self.folder, "no/such/file", 3.5, None, io.BytesIO(text), b"\0")
                self.refused(lambda: self.module.copy_file(wrong, target), f"{wrong!r} as a file")
            finally:
                source.act = to.act = File.act

    def streams(self) -> None:
        array = np.arange(3, dtype="f4")
        device, stream = self.pick(1, 2, 3), self.pick(1, 2, 4711)
        producer = Producer(array, (device, 0), self.act())
        self.expect(self.module.total_on(producer, stream) == 3.0, "total on a stream")
        self.expect(producer.streams == [stream if device == 2 else None], f"asked for {producer.streams}")

    def streams_of_imports(self) -> None:
        array = np.arange(self.random.randrange(5), dtype="f4")
        device, stream = self.pick(1, 2, 3), self.pick(0, 1, 2, 4711)
        producer = Producer(array, (device, 0), self.act())
        if device != 2:
            self.refused(lambda: self.module.Chip.from_dlpack(producer, stream=stream), f"the device {device}")
            return
        chip = self.module.Chip.from_dlpack(producer, stream=stream)
        self.expect(producer.streams == [stream or 1], f"asked for {producer.streams}, and not for {stream}")
        self.expect(chip.shape == array.shape, f"a chip of {chip.shape}")

    def outputs(self) -> None:
        array = self.array((*NUMBERS, *SWAPPED))
        wanted = 2 * array.astype("f8")
        argument = self.pick(array, Interface(array, {}, self.act()))
        if array.dtype.isnative and array.flags.writeable:
            argument = self.pick(argument, Given(array, (1, 0), self.act()))
        result = self.module.doubled(argument)
        if isinstance(argument, Given):
            self.expect(isinstance(result, (tuple, self.module.Array)), f"an output like Given: {result!r}")
            result = result[1] if isinstance(result, tuple) else result
        else:
            cls = np.ndarray if argument is array else self.module.Array
            self.expect(type(result) is cls, f"an output like {type(argument)}: {result!r}")
        self.expect(bool(np.array_equal(np.asarray(result), wanted)), f"{array!r} doubled: {np.asarray(result)!r}")
        if array.dtype == "f8":
            self.refused(lambda: self.module.doubled(array, np.zeros(array.shape, "f4")), "an output of another dtype")

    def constant_outputs(self) -> None:
        array = np.zeros(self.random.randrange(3))
        argument = self.pick(array, Given(array, (1, 0), self.act()))
        result = self.module.digits(argument)
        result = np.asarray(result[1] if isinstance(result, tuple) else result)
        self.expect(result.tolist() == list(range(10)), f"the digits: {result!r}")
        if argument is array:
            self.expect(not result.flags.writeable, "constant memory that Python can write to")
        elif result.flags.writeable:  # a library without read-only arrays gets a copy
            result[...] = -1.0

    def returned_records(self) -> None:
        n = self.pick(0, 1, 7, -1, 99)
        if not 0 <= n < 99:
            self.refused(lambda: self.module.points_new(n), f"{n} records")
            return
        made = self.module.points_new(n)
        self.expect(np.asarray(made)["tag"].tolist() == list(range(n)), f"{n} records: {np.asarray(made)!r}")
        self.expect(self.module.tags(made) == sum(range(n)), "tags of a result")

    def failures(self) -> None:
        number = self.pick(0, 3, -7, 2**31 - 1, -(2**31))
        call = self.pick(self.module.checked, self.module.lamp_checked)
        act = self.act()
        try:
            result = call(self.pick(number, Number(number, act)))
        except ValueError as error:
            told = f"the number {number} is negative" in str(error)
            self.expect(number < 0 and told, f"{call.__name__}({number}): {error}")
        else:
            self.expect(number >= 0, f"{call.__name__}({number}) did not fail")
            self.expect((result if call is self.module.checked else result.watts) == number, f"{number}: {result!r}")

    def windows(self) -> None:
        rows, columns, step = (self.random.randrange(1, 6) for _ in range(3))
        made = self.module.Windows(rows, columns, step)
        wanted = np.arange(rows)[:, None] * step + np.arange(columns)
        array = np.from_dlpack(made)
        self.expect(array.strides == (step * 8, 8) and bool((array == wanted).all()), f"windows: {array!r}")
        self.expect(self.module.total(self.pick(made, array, memoryview(made))) == wanted.sum(), "total of windows")

    def overlapping_arguments(self) -> None:
        base = np.arange(12.0)
        n, first, second = (self.random.randrange(limit) for limit in (5, 8, 8))
        x, y = base[first : first + n], base[second : second + n]
        wanted = y + x
        if n and abs(first - second) < n:
            self.refused(lambda: self.module.add_to(x, y), f"{n} elements at {first} and {second}")
            return
        self.module.add_to(self.pick(x, Interface(x, {}, self.act())), y)
        self.expect(bool((y == wanted).all()), f"{n} elements at {first} and {second}: {y!r}")

    def lists_of_values(self) -> None:
        numbers = [self.random.randrange(-99, 99) for _ in range(self.random.randrange(6))]
        given = [self.module.Mark(number) for number in numbers]
        argument = self.pick(given, tuple(given), deque(given), Sequence(given, len(given), self.act()))
        self.expect(self.module.marks(argument) == sum(numbers), f"marks of {numbers}")
        wrong = [*given, self.pick(None, 3, "mark", self.module.Plan(1, 2.0), object())]
        self.refused(lambda: self.module.marks(wrong), f"a list with {wrong[-1]!r}")
        if given:
            given[0].close()
            self.refused(lambda: self.module.marks(given), "a closed object")

    def wrong_interfaces(self) -> None:
        array = self.array(("f8",))
        changes = self.pick(
            {"shape": (-1,)},
            {"shape": (2**62, 2**62)},
            {"shape": "missing"},
            {"shape": [3]},
            {"strides": (8,) * (array.ndim + 1)},
            {"strides": ("8",)},
            {"typestr": self.pick("<x8", "f8", "", "<f", "|O8", "<f-8", 8, "missing", "<f8888888888888888888888")},
            {"data": self.pick(None, (0, False), (-1, False), ("x", False), (1 << 70, False), 7, "missing")},
            {"version": self.pick("3", None, 2)},
            {"mask": array},
            {"offset": -(2**62)},
        )
        argument = Interface(array, changes, self.act())
        try:  # NumPy accepts some of them, and none may crash
            if array.size and changes.keys() & {"shape", "strides", "data"}:
                self.refused(lambda: self.module.total(argument), f"an array interface with {changes}")
            else:
                self.module.total(argument)
        except REFUSALS:
            pass


FEATURES = (
    "conversion",
    "converted_import",
    "records",
    "lists_of_objects",
    "wrong_lists",
    "filled_storage",
    "closed_objects",
    "objects_of_another_module",
    "alternatives",
    "alternatives_of_sequences",
    "members",
    "files",
    "streams",
    "streams_of_imports",
    "outputs",
    "constant_outputs",
    "returned_records",
    "failures",
    "windows",
    "overlapping_arguments",
    "lists_of_values",
    "wrong_interfaces",
)


# ---- Rounds ----


def build_modules(folder: Path) -> tuple[ModuleType, ModuleType]:
    """Builds the two modules and the library that both use, and imports them."""
    library = folder / "libfuzzed.so"
    compile_c(["-shared", f"-I{LIBRARIES}", LIBRARIES / "fuzzed.c"], library)
    modules = []
    for name in ("fuzzed", "fuzzed_user"):
        spec = (LIBRARIES / f"{name}.yaml").read_text(encoding="utf-8")
        flags = [f"-I{LIBRARIES}", f"-Wl,-rpath,{folder}"]
        path = build_extension(name, spec, folder, flags=flags, libraries=[str(library)])
        modules.append(import_extension(name, path))
    return modules[0], modules[1]


def run_round(round_: Round, calls: Counter[str]) -> bool:
    """Makes the calls of a round; prints a difference from the models and returns False."""
    for _ in range(CALLS_PER_ROUND):
        feature = round_.pick(*round_.features)
        calls[feature] += 1
        round_.is_hostile = False
        try:
            getattr(round_, feature)()
        except (*REFUSALS, HostileError):
            if not round_.is_hostile:
                print(f"FINDING: {feature}: wrongly refused\n{traceback.format_exc()}")
                return False
        except Exception:
            print(f"FINDING: {feature}:\n{traceback.format_exc()}")
            return False
    round_.lamps.clear()
    gc.collect()
    if round_.module.alive() != 0:
        print(f"FINDING: {round_.module.alive()} objects of C are alive after all objects of Python are freed")
        return False
    return True


def main() -> None:
    parser = rounds.parser(__doc__)
    parser.add_argument("--rounds", type=int, help="ends after that many rounds")
    parser.add_argument("--features", nargs="+", choices=FEATURES, default=list(FEATURES), help="calls only these")
    options = parser.parse_args()
    calls: Counter[str] = Counter()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        modules = build_modules(folder)
        gc.freeze()

        def run(seed: int) -> bool:
            print(f"calls {seed}", file=sys.stderr, flush=True)  # the last line tells the round that crashed
            nothing_found = run_round(Round(seed, *modules, folder, options.features), calls)
            if not nothing_found:
                print(f"  to repeat: {sys.argv[0]} --rounds 1 --seed {seed}", flush=True)
            return nothing_found

        done, findings = rounds.run_rounds(options, run, options.rounds)
    counts = {"calls": sum(calls.values()), "rounds": done, "findings": findings}
    rounds.end(options, counts, f"{counts}; calls: {dict(calls.most_common())}")


if __name__ == "__main__":
    main()
