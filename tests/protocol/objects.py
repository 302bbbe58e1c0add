# SPDX-License-Identifier: MIT
"""The objects that rows are about, by their names in docs/protocol.md."""

from __future__ import annotations

from typing import Any

from protocol.sheets import DEVICES, Sheets
from python.tensors import IS_COPIED, READ_ONLY, Legacy, Versioned, compact, inside

BYTES = (13, 4)
"""Byte strides that no item size divides."""

OBJECTS: dict[str, tuple[str, dict[str, Any]]] = {
    "plain": ("Plain", {}),
    "read-only": ("Plain", {"readonly": 1}),
    "frozen": ("Frozen", {"readonly": 1}),
    "copied": ("Copied", {"readonly": 1}),
    "gathered": ("Gathered", {"strides": BYTES}),
    "packed": ("Plain", {"dtype": (17, 4, 1)}),
    "locked": ("Locked", {}),
    "to_cpu": ("Synced", {"device": DEVICES["cuda"]}),
    **{name: ("Plain", {"device": number}) for name, number in DEVICES.items()},
}


def seen(managed: Legacy | Versioned, address: int) -> str:
    """Describes a tensor in the words of the page. Checks the memory, strides, device and flags of a copy."""
    tensor = managed.tensor
    words = ["legacy"] if isinstance(managed, Legacy) else []
    flags = managed.flags if isinstance(managed, Versioned) else 0
    if flags & READ_ONLY:
        words.append("read-only")
    if tensor.data == address:
        assert flags & ~READ_ONLY == 0
        return " ".join([*words, "view"])
    shape, strides = tensor.axes()
    assert (tensor.data % 64, list(strides), tensor.device_type) == (0, compact(shape), 1)
    assert flags == (0 if isinstance(managed, Legacy) else IS_COPIED)
    return " ".join([*words, "copy"])


def ask(sheets: Sheets, name: str, asked: dict[str, Any], *positional: Any) -> str:
    kind, fields = OBJECTS[name]
    made, sheet = sheets.make(kind, **fields)
    capsule = made.__dlpack__(*positional, **asked)
    managed = inside(capsule)
    words = seen(managed, sheet.address)
    if "copy" not in words:
        wanted = asked.get("dl_device") or (fields.get("device", 1), 0)
        assert (managed.tensor.device_type, managed.tensor.device_id) == wanted
    assert made.__dlpack_device__() == (fields.get("device", 1), 0)
    return words
