"""Declared `params`: of a class, with which its objects are made, and of a factory."""

from __future__ import annotations

from collections.abc import Iterator

from dlpack_bindgen.frozen import Frozen
from dlpack_bindgen.language.names import Class
from dlpack_bindgen.language.shared import PARAMS
from dlpack_bindgen.language.values import Fields, Items, Leaf, Value
from dlpack_bindgen.text.types import CType, Prototype, parse, split_parameter


class Declared(Frozen):
    """A param, declared as `T name`, `T name = value` or `{T name: value}`."""

    leaf: Leaf
    ctype: CType
    name: str
    required: bool


def declared_params(of: Class) -> Iterator[Declared]:
    return declared_among(of.fields[PARAMS])


def declared_among(params: Items | None) -> Iterator[Declared]:
    for item in params.items if params else ():
        declared = _declared(item)
        if declared is not None:
            yield declared


def _declared(item: Value) -> Declared | None:
    entry = (item, None) if isinstance(item, Leaf) else item.entry if isinstance(item, Fields) else None
    found = split_parameter(entry[0].text) if entry else None
    if entry is None or not isinstance(found, tuple):
        return None
    ctype, name, default = found
    parsed = parse(f"void f({ctype} {name})")
    if not isinstance(parsed, Prototype):
        return None
    return Declared(entry[0], parsed.parameters[0].ctype, name, entry[1] is None and default is None)
