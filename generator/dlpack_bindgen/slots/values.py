"""The slots of a tensor in a valid spec: its data, shape, strides, dtype and device, and the matches that choose
between slots."""

from __future__ import annotations

from functools import cached_property

from dlpack_bindgen.frozen import Frozen
from dlpack_bindgen.slots.conditional import Conditional, alternatives
from dlpack_bindgen.slots.device import Device
from dlpack_bindgen.slots.dtype import CTypeDType, DecodedDType, DType, FixedDType, NamedDType, NumberedDType
from dlpack_bindgen.slots.order import Order
from dlpack_bindgen.slots.reading import SlotValue
from dlpack_bindgen.slots.rows import RowPointers
from dlpack_bindgen.slots.shape import EachShape, ListedShape, Shape
from dlpack_bindgen.slots.strides import EachStrides, ListedStrides, OuterStride

__all__ = [
    "Arm",
    "CTypeDType",
    "Conditional",
    "DType",
    "DecodedDType",
    "Device",
    "EachShape",
    "EachStrides",
    "FixedDType",
    "ListedShape",
    "ListedStrides",
    "Match",
    "NamedDType",
    "NumberedDType",
    "Order",
    "OuterStride",
    "RowPointers",
    "Shape",
    "Slots",
    "Strides",
]

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


class Arm(Frozen):
    """An arm of a match: `{when: KEY, slot: ..., import: true}`."""

    when: tuple[tuple[str, ...] | None, ...]
    """The accepted keys for each value of `of` (several keys: `{any: [...]}`); None: `_`, which accepts every value."""
    slots: Slots
    imports: bool | None = None
    """True: imports prefer the arm. False: imports never use it. None: imports use it if it fits."""
    condition: str | None = None
    """The condition of the `#if` around the arm."""


class Match(Frozen):
    """`match: {of, arms, default}`, or a slot `{of, map, default}`. C code compares keys with `==`, and string literals
    with `strcmp`."""

    of: tuple[str, ...]
    arms: tuple[Arm, ...]
    default: Slots | None = None
    """The slots for values without an arm; None: such a value raises BufferError."""

    @cached_property
    def slots(self) -> tuple[str, ...]:
        """The slots that any arm sets, in the order of `Slots`. No other match sets them."""
        every = [arm.slots for arm in self.arms] + ([self.default] if self.default else [])
        named = {name for slots in every for name in slots.names()}
        return tuple([name for name in Slots.__annotations__ if name in named])
