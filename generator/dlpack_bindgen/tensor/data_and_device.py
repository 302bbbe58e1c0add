"""The slots about the memory behind an array: `data`, `byte_offset`, `readonly` and `device`."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import cast

from dlpack_bindgen.dlpack import device_type
from dlpack_bindgen.frozen import Frozen
from dlpack_bindgen.language.keys import EXPRESSION, Form, Key, Option, Record, Single
from dlpack_bindgen.language.values import Leaf, Value, is_record, needed, text_of
from dlpack_bindgen.tensor.slot import INT64_MAX, Reading, RecordSlot, Slot, SlotValue, Statement, range_problems
from dlpack_bindgen.text.diagnostics import Diagnostic
from dlpack_bindgen.text.fragments import Assertion, Piece, Within, is_own_member, is_truth, within

# ---- `data`: the pointer to the first element ----


class DataSlot(Slot):
    """The address of the first element. `tensor/slots.py` compares the C type with the dtype. The statements depend on
    the layout."""

    name = "data"
    doc = "The address of the first element."
    values = "addresses"
    unless = "match"
    details = (
        "If the data lies in an array that is a member of the struct, this member must hold all elements: "
        "`&self->cells[0][0]`, `self->cells + self->first`. A cast turns this check off.",
    )


_MEMBER = re.compile(r"\w+((->|\.)\w+)+", re.ASCII)


class Reach(Frozen):
    """A pointer into an array of the struct, as arguments of macros."""

    member: str
    array: str


def is_member(data: str) -> bool:
    """Returns whether the expression is a member of a struct.

    A row of an array does not count, because it can stand for all rows.
    """
    return _MEMBER.fullmatch(data) is not None


def data_statements(data: str, reading: Reading, tables: Sequence[str], is_last: bool) -> list[Statement]:
    """Returns the statements that set the data pointer.

    `tables` holds tables of row pointers that begin with the data. With `is_last`, strides and byte offset are already
    set.
    """
    if tables:
        return [Piece("tensor/slots", "first_row", reading.argument(tables[0]))]
    if is_last and is_member(data):
        return [Piece("tensor/slots", "member", reading.argument(data))]
    found: list[Statement] = [Piece("tensor/slots", "pointer", reading.argument(data))]
    pointer = within(data)
    return found if pointer is None or not is_last else [*found, _stays_within(pointer, reading)]


def early_pointer(data: str) -> Within | None:
    """Returns the array of the struct that the data must stay within, if its layout is not known yet."""
    found = within(data)
    return found if found is not None and is_own_member(found.member) else None


def late_checks(pointers: Sequence[Within], is_chosen: bool, reading: Reading) -> Iterator[Statement]:
    """Yields the deferred checks that data stays within its array.

    With `is_chosen`, a match chooses the data pointer.
    """
    if is_chosen and pointers:
        yield Piece("tensor/slots", "reaches", tuple(_reach(each, reading) for each in pointers))
    elif not is_chosen:
        yield from (_stays_within(each, reading) for each in pointers)


def _stays_within(pointer: Within, reading: Reading) -> Statement:
    return Piece("tensor/slots", "stays_within", _reach(pointer, reading))


def _reach(pointer: Within, reading: Reading) -> Reach:
    return Reach(reading.text(pointer.member), reading.argument(pointer.array))


# ---- `byte_offset`: the distance of the first element from the data pointer ----


class ByteOffsetSlot(Slot):
    name = "byte_offset"
    doc = "The offset of the first element from `data`, in bytes. Use it if `data` is an opaque handle."
    values = "numbers"
    default = "0"

    def problems(self, value: Value) -> Iterator[Diagnostic]:
        yield from range_problems(value, 0, INT64_MAX, "an offset is 0 to 2^63 - 1")

    def assertions(self, value: str, reading: Reading) -> Iterator[Assertion]:
        yield from reading.integers("byte_offset", value)

    def statements(self, value: str, reading: Reading) -> list[Statement]:
        return [Piece("tensor/slots", "byte_offset", reading.integer(value))]

    def in_words(self, value: str) -> str:
        return f"{value} bytes after the data pointer"


# ---- `readonly`: whether consumers must not write ----


class ReadonlySlot(Slot):
    name = "readonly"
    doc = "A condition: nonzero if consumers must not write to the data."
    values = "conditions"
    default = "1 if `data` points to `const`, else 0"
    details = (
        "Without `readonly`, an object that C returns as a `const T *` is read-only.",
        "If the tensor, or each arm of its `match`, sets `readonly`, then `const` protects the struct alone, not "
        "the data.",
    )

    def assertions(self, value: str, reading: Reading) -> Iterator[Assertion]:
        yield from reading.condition("readonly", value)

    def statements(self, value: str, reading: Reading) -> list[Statement]:
        text = reading.text(value)
        truth = text if is_truth(reading.scope.text(value)) else f"({text}) != 0"
        return [Piece("tensor/slots", "readonly", truth)]

    def in_words(self, value: str) -> str:
        return {"0": "never", "1": "always"}.get(value, f"if {value}")


# ---- `device` ----


ID = Key[Leaf]("id", EXPRESSION, "The number of the device among the devices of its type.", default="0")
_CHOSEN_ID = replace(ID, doc="For `device` only: the number of the device among the devices of its type.")
TYPE_OF_DEVICE = Key[Leaf]("type", Single(Form.DEVICE), "The device type, by name or number.", required=True)
FIXED_DEVICE = Record(
    what="a device", doc="A device type, by name or number, and a device of that type.", keys=(TYPE_OF_DEVICE, ID)
)
_FORMS = (
    Option(
        Single(Form.DEVICE),
        "A name: `cpu`, `cuda`, `rocm`, ...; the number of a device type that DLPack 1.3 does not name.",
    ),
    Option(FIXED_DEVICE, "A fixed device type and a device of that type.", tag="type"),
)
_HOST_DEVICES = ("cpu", "cuda_host", "rocm_host", "cuda_managed")
"""Devices without a number. dlpack.h: host memory has device id 0."""
_HANDLE_DEVICES = ("opencl", "vulkan", "metal", "webgpu", "ext_dev")


class Device(SlotValue, Frozen):
    """A device type, given by name (`cpu`, `cuda`, ...) or number, and a C expression for the device id (None: 0)."""

    type: str
    id: str | None = None

    @property
    def words(self) -> str:
        """The device in documentation."""
        return named_device(self.type)

    @property
    def in_words(self) -> str:
        return f"{self.words}, number {self.id}" if [*filter(None, self.fragments())] else self.words

    @property
    def has_handles(self) -> bool:
        """Whether the device has data handles instead of addresses of elements."""
        return self.type in _HANDLE_DEVICES

    def fragments(self) -> list[str | None]:
        return [] if self.type in _HOST_DEVICES else [self.id]

    def assertions(self, reading: Reading) -> Iterator[Assertion]:
        for number in self.fragments():
            yield from reading.integers("device.id", number) if number is not None else ()

    def test_of_import(self) -> str:
        """Returns the condition that an imported array is on a device of this type."""
        return f"source->device_type == {device_type(self.type)}"

    def statements(self, reading: Reading) -> list[Statement]:
        numbers = [reading.integer(number) for number in self.fragments() if number is not None]
        if numbers:
            return [Piece("tensor/slots", "numbered_device", (device_type(self.type), *numbers))]
        return [
            Piece("tensor/slots", "cpu", None)
            if self.type == "cpu"
            else Piece("tensor/slots", "device", device_type(self.type))
        ]


def named_device(device: str) -> str:
    """Returns the device type in words."""
    return "the CPU" if device == "cpu" else f"device {device}" if device.isdecimal() else device


class DeviceSlot(RecordSlot):
    """The device. A choice of device types has the number of the device, too."""

    name = "device"
    doc = "The device that holds the data."
    forms = _FORMS
    values = "devices"
    default = "`cpu`"
    further = (_CHOSEN_ID,)
    default_value = Device("cpu")

    def problems(self, value: Value) -> Iterator[Diagnostic]:
        if is_record(value, FIXED_DEVICE) and (id_ := value[ID]) is not None:
            yield from self.further_problems(id_)

    def further_problems(self, value: Value) -> Iterator[Diagnostic]:
        yield from range_problems(value, 0, (1 << 31) - 1, "a device id is 0 to 2^31 - 1")

    def read(self, value: Value, further: str | None) -> Device:
        if is_record(value, FIXED_DEVICE):
            return Device(needed(text_of(value[TYPE_OF_DEVICE])), text_of(value[ID]))
        return Device(cast(Leaf, value).text, further)

    def identity(self, value: Value) -> str | None:
        return text_of(value[TYPE_OF_DEVICE] if is_record(value, FIXED_DEVICE) else value)
