"""The slot `device`."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import cast

from dlpack_bindgen.dlpack import device_type
from dlpack_bindgen.frozen import Frozen
from dlpack_bindgen.language.kinds import EXPRESSION, Form, Key, Option, Record, Single
from dlpack_bindgen.language.values import Leaf, Value, is_record, needed, text_of
from dlpack_bindgen.tensor.slot import Reading, RecordSlot, SlotValue, Statement, range_problems
from dlpack_bindgen.text.diagnostics import Diagnostic
from dlpack_bindgen.text.statements import Assertion, Piece

ID = Key[Leaf]("id", EXPRESSION, "The number of the device among the devices of its type.", default="0")
_CHOSEN_ID = replace(ID, doc="For `device` only: the number of the device among the devices of its type.")
TYPE_OF_DEVICE = Key[Leaf]("type", Single(Form.DEVICE), "The device type, by name or number.", required=True)
FIXED_DEVICE = Record(
    what="a device",
    doc="A device type, by name or number, and a device of that type.",
    keys=(TYPE_OF_DEVICE, ID),
)
_FORMS = (
    Option(
        Single(Form.DEVICE),
        "A name: `cpu`, `cuda`, `rocm`, ...; the number of a device type that DLPack 1.3 does not name.",
    ),
    Option(
        FIXED_DEVICE,
        "A fixed device type and a device of that type.",
        tag="type",
    ),
)
_HOST_DEVICES = ("cpu", "cuda_host", "rocm_host", "cuda_managed")
"""Devices without a number. dlpack.h: host memory has device id 0."""
_HANDLE_DEVICES = ("opencl", "vulkan", "metal", "webgpu", "ext_dev")


class DeviceFacts(Frozen):
    """The facts for `templates/slots/device.c.j2`."""

    type: str
    """The constant of the device type; empty: the CPU."""
    id: str = ""
    """The number of the device as a C expression; empty: 0."""


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
        facts = DeviceFacts("" if self.type == "cpu" else device_type(self.type), *numbers)
        return [Piece("slots/device", "device", facts)]


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
