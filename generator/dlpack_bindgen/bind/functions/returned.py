"""Arguments that a C function can return.

Without reference counts such an object has one owner. Python then gets the same object or, as another class, a view
that keeps the argument alive.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from dlpack_bindgen.bind.functions.storages import is_in_storage
from dlpack_bindgen.c.types import CType
from dlpack_bindgen.results.value import Value
from dlpack_bindgen.spec.functions import Argument, Function
from dlpack_bindgen.spec.spec import RELEASES_NOTHING, Handle, Tensor


def may_return(function: Function, ctype: CType, value: Value, items: Mapping[str, Tensor | Handle]) -> list[Argument]:
    """Returns the arguments that the function can return as a value of the type `ctype`."""
    if value.kind != "object" or value.borrow is not None:
        return []
    assert value.of is not None
    item = items[value.of]
    counted = item.retain is not None or item.clone is not None
    in_storage = is_in_storage(ctype, item)
    if counted or (in_storage and (value is not function.result or item.release == RELEASES_NOTHING)):
        return []
    found = [each for each in function.arguments if each.kind.may_be_returned(each.ctype, ctype, value.of, in_storage)]
    return sorted(found, key=lambda each: each.kind.class_name != value.of)


def ctype_of(value: Value, ctype: CType) -> CType:
    """Returns the C type of a value. For an object this is the type of its class."""
    return value.twin or ctype


def returnable(function: Function, items: Mapping[str, Tensor | Handle]) -> list[tuple[Argument, Value]]:
    """Returns the arguments that the function can return, themselves or an item.

    Each comes with the value that it can be.
    """
    typed = [(value, ctype_of(value, ctype)) for _, ctype, value in function.values]
    return [(argument, value) for value, ctype in typed for argument in may_return(function, ctype, value, items)]


def view_sources(returned: Iterable[tuple[Argument, Value]]) -> set[str]:
    """Returns the arguments that a returned view can refer to and keep alive."""
    return {argument.name for argument, value in returned if argument.kind.class_name not in (None, value.of)}
