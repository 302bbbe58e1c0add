# SPDX-License-Identifier: MIT
"""Tests the rows of "Exchange tables of generated classes" in docs/protocol.md."""

from __future__ import annotations

import ctypes
from types import ModuleType
from typing import Any

import pytest

from protocol import table
from protocol.consumer import Make
from protocol.objects import OBJECTS, seen
from protocol.page import Row, arguments, outcome, rows
from protocol.sheets import Sheets
from python.tensors import DLTensor, Versioned


@pytest.fixture
def classes(lab: ModuleType, imaging: ModuleType, frames: ModuleType, sheets: Sheets) -> dict[str, type]:
    found = {"Moved": lab.Moved, "Counted": lab.Counted, "Image": imaging.Image, "Gil": frames.Gil}
    return found | {name: getattr(sheets.module, name) for name in ("Plain", "Copied", "Gathered", "Locked", "Synced")}


@rows("Contents of the table")
def test_the_table_has_the_functions_of_the_page(classes: dict[str, type], row: Row) -> None:
    api = table.api_of(classes[row["class"]])
    functions = [column for column in row.cells if hasattr(api, column)]
    row.expect({"version": f"{api.major}.{api.minor}"})
    row.expect({name: "NULL" if getattr(api, name) is None else "present" for name in functions})


def named(tensor: DLTensor) -> str:
    kind = {0: "int", 1: "uint", 2: "float"}[tensor.code]
    shape, strides = tensor.axes()
    return f"{kind}{tensor.bits}[{', '.join(map(str, shape))}], strides {strides}"


@pytest.mark.parametrize("with_gil", [True, False], ids=["with the GIL", "without the GIL"])
@pytest.mark.parametrize("with_set_error", [True, False], ids=["SetError", "NULL"])
@rows("managed_tensor_allocator")
def test_the_allocator_gives_the_outcomes_of_the_page(
    classes: dict[str, type], producer: ModuleType, row: Row, with_gil: bool, with_set_error: bool
) -> None:
    _, fields = arguments(row["prototype"])
    made = table.allocate(classes[row["class"]], table.prototype(**fields), with_gil, with_set_error)
    if isinstance(made, Versioned):
        assert (made.major, made.minor, made.flags, made.tensor.byte_offset) == (1, 3, 0, 0)
        text = named(made.tensor)
        ctypes.memset(made.tensor.data, 1, 1)
        producer.delete(ctypes.addressof(made), True, "without the GIL")
    else:
        text = made if with_set_error else row["outcome"]
        assert (made == "failed") is not with_set_error
    row.expect({"outcome": text})


def exported(sheets: Sheets, producer: ModuleType, name: str) -> str:
    kind, fields = OBJECTS[name]
    made, sheet = sheets.make(kind, **fields)
    tensor = table.from_object(type(made), made)
    try:
        return seen(tensor, sheet.address)
    finally:
        producer.delete(ctypes.addressof(tensor), True, "here")
        assert sheet.locks == 0


def closed(made: Any) -> Any:
    made.close()
    return made


@rows("managed_tensor_from_py_object_no_sync")
def test_exports_through_the_table_have_the_outcomes_of_the_page(
    sheets: Sheets, producer: ModuleType, row: Row
) -> None:
    plain, _ = sheets.make()
    others = {
        "closed": lambda: table.from_object(type(plain), closed(plain)),
        "1": lambda: table.from_object(type(plain), 1),
        "refused by require": lambda: table.from_object(type(plain), sheets.make(refused=1)[0]),
    }
    name = row["object"]
    row.expect({"outcome": outcome(others[name] if name in others else lambda: exported(sheets, producer, name))})


@rows("managed_tensor_to_py_object_no_sync")
def test_imports_through_the_table_have_the_outcomes_of_the_page(
    classes: dict[str, type], managed: Make, producer: ModuleType, row: Row
) -> None:
    _, fields = arguments(row["tensor"])
    tensor = managed(**fields)
    cls = classes[row["class"]]

    def take() -> str:
        made = table.to_object(cls, tensor.address)
        assert type(made) is cls
        assert producer.record() == (0, 0, 0)
        return "read-only" if made.readonly else "writable"

    row.expect({"outcome": outcome(take)})
    deleted = producer.record()
    row.expect({"the tensor": {(1, 0, 0): "deleted with the object", (0, 0, 0): "belongs to the caller"}[deleted]})
    if not deleted[0]:
        producer.delete(tensor.address, True, "here")


@rows("dltensor_from_py_object_no_sync")
def test_borrowed_views_have_the_outcomes_of_the_page(sheets: Sheets, row: Row) -> None:
    _, fields = arguments(row["struct"])
    made, sheet = sheets.make(row["class"], **fields)
    others = {"closed": closed, "": lambda made: made, "1": lambda _: 1}
    source = others[row["object"]](made)

    def look() -> str:
        tensor = table.view(type(made), source)
        shape, strides = tensor.axes() if tensor.shape and tensor.strides else ("NULL", "NULL")
        data = "NULL" if tensor.data is None else {0: "data"}.get(tensor.data - sheet.address, "elsewhere")
        return f"shape {shape}, strides {strides}, {data}"

    row.expect({"outcome": outcome(look)})


@rows("current_work_stream")
def test_the_current_stream_is_the_one_of_the_page(classes: dict[str, type], row: Row) -> None:
    (device,), _ = arguments(row["device"])
    row.expect({"out": str(table.stream(classes[row["class"]], *device) or "NULL")})
