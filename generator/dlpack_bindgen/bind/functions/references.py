"""Arguments that a result can refer to after the call, if the library counts references.

The library keeps its own memory alive. The result must keep the memory of Python arrays alive.
"""

from __future__ import annotations

from collections.abc import Mapping

from dlpack_bindgen.c.types import CType
from dlpack_bindgen.results.value import Value
from dlpack_bindgen.spec.functions import Argument, Function
from dlpack_bindgen.spec.spec import Handle, Tensor


def referred(function: Function, items: Mapping[str, Tensor | Handle]) -> set[str]:
    """Returns the arguments that any result can refer to."""
    return {name for _, ctype, value in function.values for name in may_refer_to(function, ctype, value, items)}


def may_refer_to(function: Function, ctype: CType, value: Value, items: Mapping[str, Tensor | Handle]) -> list[str]:
    """Returns the arguments whose structs or memory this value can refer to."""
    if value.kind != "object" or value.borrow is not None:
        return []
    assert value.of is not None
    made = items[value.of]
    return [each.name for each in function.arguments if _fits(each, ctype, made, items)]


def _fits(argument: Argument, ctype: CType, made: Tensor | Handle, items: Mapping[str, Tensor | Handle]) -> bool:
    kind = argument.kind
    if kind.class_name is None or kind.takes:
        return False
    given = items[kind.class_name]
    if not _is_counted(made) and not _is_counted(given):
        return False
    return isinstance(made, Tensor) or made.type == given.type or argument.ctype.base == ctype.base


def _is_counted(item: Tensor | Handle) -> bool:
    return item.retain is not None or item.clone is not None
