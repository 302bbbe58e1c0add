"""Marks for dtypes of C types that `numbers` declares as complex, or that are structs in `records`."""

from __future__ import annotations

from dataclasses import fields, replace
from typing import Any, TypeVar

from dlpack_bindgen.frozen import Frozen
from dlpack_bindgen.language.names import Names
from dlpack_bindgen.slots.dtype import CTypeDType

T = TypeVar("T")


def marked(value: T, names: Names) -> T:
    """Returns `value` with every dtype of such a C type marked."""
    is_needed = bool(names.records) or "complex" in names.numbers.values()
    return _marked(value, names) if is_needed else value


def _marked(value: T, names: Names) -> T:
    found: object = value
    if isinstance(value, CTypeDType):
        is_complex, record = names.numbers.get(value.ctype) == "complex", names.records.get(value.ctype)
        found = replace(value, is_complex=is_complex, record=record)
    elif isinstance(value, tuple):
        items = [_marked(item, names) for item in value]
        found = type(value)(*items) if hasattr(value, "_fields") else tuple(items)
    elif isinstance(value, Frozen):
        whole: Any = value
        found = replace(whole, **{each.name: _marked(getattr(whole, each.name), names) for each in fields(whole)})
    assert isinstance(found, type(value))
    return found
