"""The slots of a tensor: its data, shape, strides, dtype and device."""

from __future__ import annotations

from dlpack_bindgen.frozen import Frozen
from dlpack_bindgen.slots.conditional import Conditional, alternatives
from dlpack_bindgen.slots.device import Device
from dlpack_bindgen.slots.dtype import DType
from dlpack_bindgen.slots.order import Order
from dlpack_bindgen.slots.reading import SlotValue
from dlpack_bindgen.slots.rows import RowPointers
from dlpack_bindgen.slots.shape import Shape
from dlpack_bindgen.slots.strides import EachStrides, ListedStrides, OuterStride

Strides = ListedStrides | EachStrides | OuterStride | RowPointers


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
        for name, slot in vars(self).items():
            for value in alternatives(slot) if name != "order" else ():
                found += value.fragments() if isinstance(value, SlotValue) else [str(value)]
        return found
