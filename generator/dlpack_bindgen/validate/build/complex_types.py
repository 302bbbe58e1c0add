"""Marks for dtypes of C types that `numbers` declares as complex."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import fields, replace
from typing import Any, TypeVar

from dlpack_bindgen.frozen import Frozen
from dlpack_bindgen.slots.dtype import CTypeDType

T = TypeVar("T")


def marked(value: T, types: Collection[str]) -> T:
    """Returns `value` with every dtype of one of these C types marked as complex."""
    if not types:
        return value
    found: object = value
    if isinstance(value, CTypeDType):
        found = replace(value, is_complex=value.ctype in types)
    elif isinstance(value, tuple):
        items = [marked(item, types) for item in value]
        found = type(value)(*items) if hasattr(value, "_fields") else tuple(items)
    elif isinstance(value, Frozen):
        record: Any = value
        found = replace(record, **{each.name: marked(getattr(record, each.name), types) for each in fields(record)})
    assert isinstance(found, type(value))
    return found
