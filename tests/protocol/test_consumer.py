# SPDX-License-Identifier: MIT
"""Tests the rows of "Imports" in docs/protocol.md with `from_dlpack`."""

from __future__ import annotations

import array
import ctypes
import mmap
from collections.abc import Callable
from types import ModuleType
from typing import Any

import numpy
import pytest

from protocol.consumer import Make, Sources, exchanged, refusing, tabled, taken
from protocol.page import NO_SUCH_THING, Row, arguments, kind_of, outcome, rows
from python.tensors import Managed


def shown(made: Any) -> str:
    """Describes a tensor in one line."""
    words = [f"{made.dtype}[{', '.join(map(str, made.shape))}]", f"strides {made.strides}"]
    return ", ".join([*words, "read-only"] if made.readonly else words)


def described(made: Any) -> str:
    return "read-only" if made.readonly else "writable"


@rows("Kinds of producers")
def test_producers_of_each_kind_give_the_outcomes_of_the_page(
    lab: ModuleType, foreign: ModuleType, managed: Make, producer: ModuleType, row: Row
) -> None:
    kinds = [column for column in row.cells if column not in ("answer", "deleted")]
    for kind in kinds:
        sources = Sources(producer, foreign, managed)
        held = [sources.make(kind, row["answer"])]
        if held[0] is None:
            row.expect({kind: NO_SUCH_THING})
            continue
        seen = taken(producer, held, lab.Moved.from_dlpack, described)
        row.expect({kind: kind_of(seen["outcome"]), "deleted": seen["deleted"]})
        sources.end()


@rows("Messages of refused imports")
def test_refused_imports_have_the_messages_of_the_page(
    lab: ModuleType, foreign: ModuleType, managed: Make, producer: ModuleType, row: Row
) -> None:
    sources = Sources(producer, foreign, managed)
    held = [sources.make(row["producer"], row["answer"])]
    row.expect({"raises": taken(producer, held, lab.Moved.from_dlpack, described)["outcome"]})
    sources.end()


@rows("Refused keywords")
def test_a_refused_keyword_gives_the_outcome_of_the_page(
    lab: ModuleType, managed: Make, producer: ModuleType, row: Row
) -> None:
    source = refusing(row["TypeError"])(lambda: managed().capsule())
    row.expect({"outcome": outcome(lambda: described(lab.Moved.from_dlpack(source)))})


@rows("Exchange tables")
def test_exchange_tables_of_producers_are_used_as_the_page_says(
    lab: ModuleType, foreign: ModuleType, managed: Make, producer: ModuleType, row: Row
) -> None:
    capsules = {
        "int": lambda: 1,
        "None": lambda: None,
        "misnamed capsule": lambda: foreign.table("1.3", True),
    }
    table = capsules.get(row["table"], lambda: foreign.table(row["table"]))()
    ways: list[str] = []
    held = [tabled(managed, ways, row["class"], table, exchanged(managed)[row["answer"]])]
    seen = taken(producer, held, lab.Moved.from_dlpack, described)
    row.expect({**seen, "way": ways[-1] if ways else ""})
    assert ways == ["table", "call"] or len(ways) < 2


@rows("Capsules")
def test_capsules_are_imported_as_the_page_says(lab: ModuleType, managed: Make, producer: ModuleType, row: Row) -> None:
    name = row["name"]
    tensor = managed(name not in ("dltensor", "used_dltensor"))
    capsules = [tensor.capsule(None if name == "NULL" else name)]
    take = lab.Moved.from_dlpack
    row.expect(taken(producer, [capsules[0]], take, described))
    row.expect({"once more": kind_of(outcome(lambda: described(take(capsules[0]))))})
    capsules.clear()
    row.expect({"with the capsule": "deleted" if producer.record() == (1, 0, 0) else ""})
    if row["deleted"] == "never" and not row["with the capsule"]:
        producer.delete(tensor.address, tensor.versioned, "here")


BUFFERS = {"array": array, "ctypes": ctypes, "mmap": mmap, "numpy": numpy}


@rows("Buffers")
def test_buffers_are_imported_as_the_page_says(lab: ModuleType, foreign: ModuleType, row: Row) -> None:
    buffer = eval(row["buffer"], {**BUFFERS, "foreign": foreign})
    row.expect({"outcome": outcome(lambda: shown(lab.Moved.from_dlpack(buffer)))})


def test_a_buffer_is_held_as_long_as_the_object(lab: ModuleType) -> None:
    source = bytearray(4)
    made = lab.Moved.from_dlpack(source)
    with pytest.raises(BufferError):
        source.append(1)
    del made
    source.append(1)


class Interface:
    """Nothing but an array interface."""

    def __init__(self, **entries: Any) -> None:
        self.__array_interface__ = {"version": 3, "shape": (2, 3), "typestr": "<f4", **entries}


@rows("Array interfaces")
def test_array_interfaces_are_imported_as_the_page_says(lab: ModuleType, row: Row) -> None:
    memory = numpy.zeros(3, numpy.complex128)  # aligned for each dtype
    names = {"at": memory.ctypes.data, "numpy": numpy}
    entries = eval(f"dict({row['entries']})", names)
    thing = Interface(**{"data": (memory.ctypes.data, False), **entries})
    row.expect({"outcome": outcome(lambda: shown(lab.Moved.from_dlpack(thing)))})


@rows("Unsupported objects")
def test_unsupported_objects_are_refused_as_the_page_says(lab: ModuleType, row: Row) -> None:
    thing = eval(row["object"])
    row.expect({"raises": outcome(lambda: shown(lab.Moved.from_dlpack(thing)))})


def set_fields(tensor: Managed, cell: str) -> None:
    """Sets the fields that a cell gives. `shape` and `strides` are written to the arrays of the tensor; None makes the
    pointer NULL."""
    _, fields = arguments(cell)
    shape, strides = fields.pop("shape", (2, 3)), fields.pop("strides", ())
    if shape is not None:
        tensor.set_axes(shape, strides or None)
    else:
        tensor.set("shape", None)
    if strides is None:
        tensor.set("strides", None)
    for name, value in fields.items():
        tensor.set(name, tensor.data if value == "data" else value)


@pytest.mark.parametrize("versioned", [False, True], ids=["legacy", "versioned"])
@rows("Unusual tensors")
def test_unusual_tensors_are_imported_as_the_page_says(
    lab: ModuleType, managed: Make, producer: ModuleType, row: Row, versioned: bool
) -> None:
    tensor = managed(versioned)
    set_fields(tensor, row["tensor"])
    data = tensor.data
    made = taken(producer, [tensor.capsule()], lab.Moved.from_dlpack, shown)
    row.expect({"outcome": made["outcome"]})
    assert made["deleted"] == "with the object"
    assert data == tensor.data


@pytest.mark.parametrize("versioned", [False, True], ids=["legacy", "versioned"])
@rows("Impossible tensors")
def test_impossible_tensors_are_refused_as_the_page_says(
    lab: ModuleType, managed: Make, producer: ModuleType, row: Row, versioned: bool
) -> None:
    tensor = managed(versioned)
    set_fields(tensor, row["tensor"])
    made = taken(producer, [tensor.capsule()], lab.Moved.from_dlpack, shown)
    row.expect({"raises": made["outcome"]})
    assert made["deleted"] == "at once"


def let_go(producer: ModuleType, made: Any, holder: str) -> None:
    """Makes `holder` the last one that has the memory of the object, and lets it go."""
    kept: dict[str, Callable[[], Any]] = {
        "a buffer": lambda: memoryview(made),
        "a NumPy array": lambda: numpy.from_dlpack(made),
        "a capsule without a consumer": made.__dlpack__,
    }
    last = kept[holder]() if holder in kept else None
    name, _, where = holder.partition(", ")
    consumed = producer.consume(made.__dlpack__(max_version=(1, 0))) if name == "a consumer" else None
    made.close()
    if last is not None:
        assert producer.record() == (0, 0, 0)
    if consumed is not None:
        assert producer.record() == (0, 0, 0)
        producer.delete(*consumed, where)
    del last


@rows("Deleters")
def test_deleters_run_where_the_page_says(lab: ModuleType, managed: Make, producer: ModuleType, row: Row) -> None:
    objects = [lab.Moved.from_dlpack(managed().capsule())]
    if row["last holder"] == "the object":
        objects.clear()
    else:
        let_go(producer, objects[0], row["last holder"])
    deleted, with_exception, without_gil = producer.record()
    assert deleted == 1
    yes = {False: "no", True: "yes"}
    row.expect({"with the GIL": yes[not without_gil], "exception pending": yes[bool(with_exception)]})


@rows("Versions and flags")
def test_versions_and_flags_are_read_as_the_page_says(
    lab: ModuleType, imaging: ModuleType, managed: Make, producer: ModuleType, row: Row
) -> None:
    """Imports an image of uint8[1, 2, 3], which the class for any array accepts as well."""
    _, fields = arguments(row["tensor"])
    fields = {"axes": ((1, 2, 3), (6, 3, 1)), "dtype": (1, 8, 1), **fields}
    for column, cls in (("any", lab.Moved), ("writable", imaging.Image)):
        seen = taken(producer, [managed(**fields).capsule()], cls.from_dlpack, described)
        row.expect({column: seen["outcome"]})
        assert seen["deleted"] == ("at once" if "Error" in seen["outcome"] else "with the object")
