# SPDX-License-Identifier: MIT
"""Tests the rows of "Exports" in docs/protocol.md with `__dlpack__`."""

from __future__ import annotations

import ast

from protocol.objects import OBJECTS, ask
from protocol.page import Row, arguments, keywords, kind_of, outcome, rows
from protocol.sheets import DEVICES, Sheets
from python.tensors import DLTensor, Versioned, inside, name_of


@rows("max_version")
def test_max_version_gives_the_capsule_of_the_page(sheets: Sheets, row: Row) -> None:
    asked = keywords(row, "max_version")
    capsule = sheets.make()[0].__dlpack__(**asked)
    managed = inside(capsule)
    version = f"{managed.major}.{managed.minor}" if isinstance(managed, Versioned) else ""
    row.expect({"capsule": name_of(capsule), "version": version})


@rows("Views and copies")
def test_views_and_copies_are_exported_as_the_page_says(sheets: Sheets, row: Row) -> None:
    asked = keywords(row, "max_version", "copy")
    objects = [column for column in row.cells if column in OBJECTS]
    row.expect({name: kind_of(outcome(lambda name=name: ask(sheets, name, asked))) for name in objects})


@rows("Other devices")
def test_requests_for_devices_have_the_outcomes_of_the_page(sheets: Sheets, row: Row) -> None:
    seen = {}
    for name in (column for column in row.cells if column in OBJECTS):
        asked = {**keywords(row, "copy"), "max_version": (1, 0)}
        device = row["dl_device"]
        number = OBJECTS[name][1]["device"]
        asked["dl_device"] = (number, 0) if device == "own" else ast.literal_eval(device)
        seen[name] = kind_of(outcome(lambda name=name, asked=asked: ask(sheets, name, asked)))
    row.expect(seen)


@rows("Messages of refused exports")
def test_refused_exports_have_the_messages_of_the_page(sheets: Sheets, row: Row) -> None:
    positional, asked = arguments(row["arguments"])
    row.expect({"raises": outcome(lambda: ask(sheets, row["object"], asked, *positional))})


@rows("Streams")
def test_streams_are_passed_to_the_library_as_the_page_says(sheets: Sheets, row: Row) -> None:
    def synced(device: int) -> str:
        made, sheet = sheets.make("Synced", device=device, stream=-9)
        made.__dlpack__(**keywords(row, "stream", "dl_device"))
        return "no sync" if sheet.stream == -9 else f"sync({sheet.stream})"

    devices = [column for column in row.cells if column in DEVICES]
    row.expect({name: kind_of(outcome(lambda name=name: synced(DEVICES[name]))) for name in devices})


@rows("Accepted argument values")
def test_keywords_accept_the_values_of_the_page(sheets: Sheets, row: Row) -> None:
    made, _ = sheets.make()
    value = ast.literal_eval(row["value"])
    names = [name for name in row.cells if name != "value"]

    def give(name: str) -> str:
        made.__dlpack__(**{name: value})
        return "fine"

    row.expect({name: kind_of(outcome(lambda name=name: give(name))) for name in names})


def described(tensor: DLTensor, address: int) -> dict[str, str]:
    """Describes the fields of a tensor; `data` is relative to `address`, the memory of the struct."""
    offset = None if tensor.data is None else tensor.data - address
    names = {None: "NULL", 0: "data"}
    return {
        "shape": str(tensor.axes()[0]) if tensor.shape else "NULL",
        "strides": str(tensor.axes()[1]) if tensor.strides else "NULL",
        "data": names.get(offset, f"data + {offset}"),
        "byte_offset": str(tensor.byte_offset),
        "device": str((tensor.device_type, tensor.device_id)),
    }


@rows("Descriptions")
def test_structs_are_described_as_the_page_says(sheets: Sheets, row: Row) -> None:
    _, fields = arguments(row["struct"])
    made, sheet = sheets.make(**fields)
    for version in ((0, 8), (1, 0)):
        tensor = inside(made.__dlpack__(max_version=version)).tensor
        row.expect(described(tensor, sheet.address))
        assert (tensor.code, tensor.bits, tensor.lanes) == fields.get("dtype", (2, 32, 1))


@rows("States that cannot be exported")
def test_states_that_cannot_be_exported_have_the_messages_of_the_page(sheets: Sheets, row: Row) -> None:
    _, fields = arguments(row["struct"])
    made, _sheet = sheets.make(row["class"], **fields)
    for version in ((0, 8), (1, 0)):
        row.expect({"raises": outcome(lambda version=version: str(made.__dlpack__(max_version=version)))})
