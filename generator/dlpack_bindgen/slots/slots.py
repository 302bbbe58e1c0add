"""The list of the slots, and their values."""

from __future__ import annotations

from dlpack_bindgen.frozen import Frozen
from dlpack_bindgen.slots.byte_offset import ByteOffsetSlot
from dlpack_bindgen.slots.conditional import Conditional, alternatives
from dlpack_bindgen.slots.data import DataSlot
from dlpack_bindgen.slots.device import Device, DeviceSlot
from dlpack_bindgen.slots.dtype import DType, DTypeSlot
from dlpack_bindgen.slots.layout import Order
from dlpack_bindgen.slots.order import OrderSlot
from dlpack_bindgen.slots.readonly import ReadonlySlot
from dlpack_bindgen.slots.shape import Shape, ShapeSlot
from dlpack_bindgen.slots.slot import Slot
from dlpack_bindgen.slots.strides import Strides, StridesSlot

SLOTS: tuple[Slot, ...] = (
    DTypeSlot(),
    DeviceSlot(),
    ShapeSlot(),
    OrderSlot(),
    StridesSlot(),
    DataSlot(),
    ByteOffsetSlot(),
    ReadonlySlot(),
)
BY_NAME = {slot.name: slot for slot in SLOTS}


class Slots(Frozen):
    """The slots of a tensor outside its matches, or of one arm of a match; None: not set here."""

    dtype: DType | Conditional[DType] | None = None
    device: Device | Conditional[Device] | None = None
    shape: Shape | Conditional[Shape] | None = None
    order: Order | Conditional[Order] | None = None
    strides: Strides | Conditional[Strides] | None = None
    data: str | Conditional[str] | None = None
    byte_offset: str | Conditional[str] | None = None
    readonly: str | Conditional[str] | None = None

    def names(self) -> tuple[str, ...]:
        """Returns the names of the slots that are set."""
        return tuple([name for name, value in vars(self).items() if value is not None])

    def fragments(self) -> list[str | None]:
        """Returns all C source of the slots."""
        found: list[str | None] = []
        for name, value in vars(self).items():
            for each in alternatives(value):
                found += BY_NAME[name].fragments(each)
        return found
