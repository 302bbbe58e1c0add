"""The measured cases: one for each row and each side that has it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from typing import Any

import numpy
import torch
import tvm_ffi

from measure import Case, python_loop
from sides import Field, Side
from titles import FLOOR, TWO_THREADS

EXPORTS = {
    "export legacy": "x.__dlpack__()",
    "export versioned": "x.__dlpack__(max_version=(1, 3))",
    "export, NumPy's three keywords": "x.__dlpack__(dl_device=None, copy=None, max_version=(1, 0))",
}
CONSUMERS: dict[str, Callable[[Any], Any]] = {
    "into NumPy": numpy.from_dlpack,
    "into PyTorch": torch.from_dlpack,
    "into tvm-ffi": tvm_ffi.from_dlpack,
}
INTO_TABLES = "into PyTorch, both tables"
VIEW_COPY = "copy of a DLTensor"
VOLUME = "volume: "
COUNTED = ("table: export and deleter", "C: first export and delete", "C: export again and delete")
"""The rows in which little but counting shares takes time, which is atomic where there are two threads."""


def has_table(x: Any) -> bool:
    return hasattr(type(x), "__dlpack_c_exchange_api__")


def of_side(name: str, side: Side, field: Field, given: dict[str, Any]) -> Iterator[Case]:
    x = side.x
    for row, statement in EXPORTS.items():
        yield Case(row, name, python_loop(statement, x=x))
    if has_table(x):
        yield Case("table: export and deleter", name, partial(field.driver.table_export, x))
        yield Case("table: borrowed view", name, partial(field.driver.table_view, x))
    for row, pure in {"C: first export and delete": side.first, "C: export again and delete": side.again}.items():
        if pure is not None:
            yield Case(row, name, partial(field.driver.make_delete, *pure))
    for row, consumer in CONSUMERS.items():
        yield Case(row, name, python_loop("take(x)", take=consumer, x=x))
    if hasattr(x, "to") and name in ("ours", "abi3"):
        yield Case(INTO_TABLES, name, python_loop("x.to(target)", x=x, target=torch.Tensor))
    if side.make is not None:
        yield Case("new object", name, python_loop("make(4, 4, 3)", make=side.make))
    for word, value in {**given, "own": x}.items():
        if side.take is not None:
            yield Case(f"import {word}", name, python_loop("take(x)", take=side.take, x=value))
        if side.f is not None:
            yield Case(f"f({word})", name, python_loop("f(x)", f=side.f, x=value))
        if side.f3 is not None:
            yield Case(f"f3({word})", name, python_loop("f(x, y, z)", f=side.f3, x=value, y=value, z=value))


def of_volume(field: Field) -> Iterator[Case]:
    """The harder struct: a case of ours alone."""
    x = field.subject.Volume()
    for row, statement in EXPORTS.items():
        yield Case(VOLUME + row, "ours", python_loop(statement, x=x))
    yield Case(VOLUME + "table: export and deleter", "ours", partial(field.driver.table_export, x))
    yield Case(VOLUME + "table: borrowed view", "ours", partial(field.driver.table_view, x))
    yield Case(VOLUME + "C: first export and delete", "ours", partial(field.driver.make_delete, *field.volume["first"]))
    yield Case(VOLUME + "C: export again and delete", "ours", partial(field.driver.make_delete, *field.volume["again"]))
    yield Case(VOLUME + "into NumPy", "ours", python_loop("take(x)", take=numpy.from_dlpack, x=x))


def of_floor(field: Field, tensor: torch.Tensor) -> Iterator[Case]:
    """Yields the cases of the floor: the cost of CPython, the other side and the library, if nothing else is done."""
    module = field.floor
    module.attach(tensor)
    x = module.Floor()
    for row, statement in EXPORTS.items():
        yield Case(row, FLOOR, python_loop(statement, x=x))
    for row in ("into NumPy", "into PyTorch"):  # tvm-ffi uses the table that the others have
        yield Case(row, FLOOR, python_loop("take(x)", take=CONSUMERS[row], x=x))
    for row, pure in module.pure().items():
        yield Case(f"C: {row} and delete", FLOOR, partial(field.driver.make_delete, *pure))
    yield Case("import PyTorch", FLOOR, python_loop("take(x)", take=module.Floor.from_dlpack, x=tensor))
    yield Case("f(PyTorch)", FLOOR, python_loop("f(x)", f=module.f, x=tensor))
    yield Case("f3(PyTorch)", FLOOR, python_loop("f(x, y, z)", f=module.f3, x=tensor, y=tensor, z=tensor))


def foreign(shape: tuple[int, int, int]) -> dict[str, Any]:
    """Returns the foreign arrays for imports and functions."""
    return {"NumPy": numpy.zeros(shape, numpy.uint8), "PyTorch": torch.zeros(shape, dtype=torch.uint8)}


def all_cases(field: Field, shape: tuple[int, int, int]) -> list[Case]:
    given = foreign(shape)
    cases = [case for name, side in field.sides.items() for case in of_side(name, side, field, given)]
    cases += of_volume(field)
    cases += of_floor(field, given["PyTorch"])
    cases.append(Case(VIEW_COPY, "C", field.driver.view_copy))
    return cases


def counted_cases(field: Field, shape: tuple[int, int, int]) -> list[Case]:
    """For a process of two threads."""
    cases = (case for case in all_cases(field, shape) if case.row in COUNTED)
    return [replace(case, row=case.row + TWO_THREADS) for case in cases]


def check_results(field: Field, shape: tuple[int, int, int]) -> None:
    """All sides compute the same."""
    for name, side in field.sides.items():
        for value in (*foreign(shape).values(), side.x):
            if side.f is not None and side.f3 is not None:
                assert (side.f(value), side.f3(value, value, value)) == (shape[2], 3 * shape[2]), name


def sizes(field: Field) -> list[Case]:
    """Whether the number of elements matters; and a copy, for scale."""
    cases = []
    for exponent in (10, 14, 18, 22, 26):
        count = 1 << exponent
        shape = (count // 16, 4, 4)
        x = field.subject.Picture(*shape)
        array = numpy.ones(shape, numpy.uint8)
        for row, loop in {
            "export versioned": python_loop(EXPORTS["export versioned"], x=x),
            "into NumPy": python_loop("take(x)", take=numpy.from_dlpack, x=x),
            "import NumPy": python_loop("take(x)", take=field.subject.Picture.from_dlpack, x=array),
            "f(NumPy)": python_loop("f(x)", f=field.subject.f, x=array),
            "a copy": python_loop("x.copy()", x=array),
        }.items():
            cases.append(Case(row, str(count), loop))
    return cases
