"""Readers for the slots that arguments and results have, too: `dtype` and `shape`."""

from __future__ import annotations

from typing import cast

from dlpack_bindgen.dlpack import DTYPES, fixed_dtype
from dlpack_bindgen.language.slots import CTypeFields, DTypeFields, RunTimeRankFields
from dlpack_bindgen.language.values import Items, Leaf, Value, needed, strings, text_of
from dlpack_bindgen.slots.values import (
    CTypeDType,
    DecodedDType,
    DType,
    EachShape,
    ListedShape,
    NamedDType,
    NumberedDType,
    Shape,
)


def dtype(value: Value) -> DType:
    if isinstance(value, CTypeFields):
        return CTypeDType(needed(text_of(value.c)))
    if not isinstance(value, DTypeFields):
        return NamedDType(cast(Leaf, value).text)
    parts = needed(text_of(value.code)), needed(text_of(value.bits)), text_of(value.lanes) or "1"
    fixed = fixed_dtype(*parts)
    if fixed is None:
        return DecodedDType(*parts)
    return NamedDType(fixed.name) if fixed.name in DTYPES else NumberedDType(fixed)


def shape(value: Value) -> Shape:
    if isinstance(value, RunTimeRankFields):
        return EachShape(needed(text_of(value.ndim)), needed(text_of(value.each)))
    return ListedShape(strings(cast(Items, value)))
