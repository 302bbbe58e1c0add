"""The slots of a tensor in a valid spec, and the matches that choose between slots."""

from __future__ import annotations

from dlpack_bindgen.slots.conditional import Conditional
from dlpack_bindgen.slots.device import Device
from dlpack_bindgen.slots.dtype import CTypeDType, DecodedDType, DType, FixedDType, NamedDType, NumberedDType
from dlpack_bindgen.slots.layout import Order
from dlpack_bindgen.slots.match import Arm, Match
from dlpack_bindgen.slots.shape import EachShape, ListedShape, Shape
from dlpack_bindgen.slots.slots import Slots
from dlpack_bindgen.slots.strides import EachStrides, ListedStrides, OuterStride, RowPointers, Strides

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
