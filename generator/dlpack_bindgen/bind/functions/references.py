"""Arguments that a result can refer to after the call, if the library counts references.

The library keeps its own memory alive. The result must keep the memory of Python arrays alive.
"""

from __future__ import annotations

from collections.abc import Mapping

from dlpack_bindgen.arguments.object import Object
from dlpack_bindgen.arguments.objects import Objects
from dlpack_bindgen.arguments.output import Out
from dlpack_bindgen.c.types import CType, pointed_to
from dlpack_bindgen.spec.functions import Argument, Function, Result
from dlpack_bindgen.spec.spec import Handle, Tensor


def referred(function: Function, items: Mapping[str, Tensor | Handle]) -> set[str]:
    """Returns the arguments that any result can refer to."""
    outs = [(each.kind, pointed_to(each.ctype)) for each in function.arguments if isinstance(each.kind, Out)]
    values: list[tuple[Result | Out, CType]] = [(function.result, function.prototype.result), *outs]
    return {name for value, ctype in values for name in may_refer_to(function, ctype, value, items)}


def may_refer_to(
    function: Function, ctype: CType, value: Result | Out, items: Mapping[str, Tensor | Handle]
) -> list[str]:
    """Returns the arguments whose structs or memory this value can refer to."""
    if value.kind != "object" or value.borrow is not None:
        return []
    assert value.of is not None
    made = items[value.of]
    return [each.name for each in function.arguments if _fits(each, ctype, made, items)]


def _fits(argument: Argument, ctype: CType, made: Tensor | Handle, items: Mapping[str, Tensor | Handle]) -> bool:
    kind = argument.kind
    if not isinstance(kind, Object | Objects) or (isinstance(kind, Object) and kind.takes):
        return False
    given = items[kind.of]
    if not _is_counted(made) and not _is_counted(given):
        return False
    return isinstance(made, Tensor) or made.type == given.type or argument.ctype.base == ctype.base


def _is_counted(item: Tensor | Handle) -> bool:
    return item.retain is not None or item.clone is not None
