"""Arguments that a C function can return, and arguments that a result can refer to after the call.

Without reference counts a returned argument has one owner. Python then gets the same object or, as another class, a
view that keeps the argument alive. With reference counts the library keeps its own memory alive, and the result must
keep the memory of Python arrays alive.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from dlpack_bindgen.bind.functions.storages import is_in_storage
from dlpack_bindgen.results.value import Value
from dlpack_bindgen.spec.functions import Argument
from dlpack_bindgen.spec.spec import RELEASES_NOTHING, Item, Tensor
from dlpack_bindgen.text.types import CType, pointed_to
from dlpack_bindgen.validate.functions.calls import Call


def may_return(function: Call, name: str, value: Value, items: Mapping[str, Item]) -> list[Argument]:
    """Returns the arguments that the function can return as an object of the value."""
    item, ctype = _made_item(value, items), object_type(function, name)
    if item is None:
        return []
    in_storage = is_in_storage(ctype, item)
    if item.is_counted or (in_storage and (value is not function.result or item.release == RELEASES_NOTHING)):
        return []
    found = [each for each in function.arguments if each.kind.may_be_returned(each.ctype, ctype, item.name, in_storage)]
    if item.by_value and value.kind == "object":
        found = [each for each in found if not each.kind.is_list or _is_identified(each, value, item)]
    return sorted(found, key=lambda each: each.kind.class_name != value.of)


def _made_item(value: Value, items: Mapping[str, Item]) -> Item | None:
    """Returns the class of the new objects of the value; None: it has no objects, or borrows them."""
    if value.kind not in ("object", "objects") or value.borrow is not None:
        return None
    assert value.of is not None
    return items[value.of]


def _is_identified(argument: Argument, value: Value, item: Item) -> bool:
    """Returns whether equal values are one object. Values that are released by doing nothing can be equal numbers."""
    return argument.kind.class_name == value.of and item.release != RELEASES_NOTHING


def ctype_of(value: Value, ctype: CType) -> CType:
    """Returns the C type of a value. For an object this is the type of its class."""
    return value.class_type or ctype


def object_type(function: Call, name: str) -> CType:
    """Returns the C type of an object of a value: of the value itself, or of the places of its table."""
    ctype, value = next((ctype, value) for each, ctype, value in function.values if each == name)
    is_storage = any(each.name == name and each.ctype.length for each in function.arguments)
    return pointed_to(ctype) if value.kind == "objects" and not is_storage else ctype_of(value, ctype)


def is_unique(function: Call, name: str, value: Value, items: Mapping[str, Item]) -> bool:
    """Returns whether Python owns the objects of the value, and each of them has one owner."""
    item = _made_item(value, items)
    if item is None:
        return False
    in_storage = is_in_storage(object_type(function, name), item)
    return not (item.is_counted or in_storage or (item.by_value and item.release == RELEASES_NOTHING))


def returnable(function: Call, items: Mapping[str, Item]) -> list[tuple[Argument, Value]]:
    """Returns the arguments that the function can return, themselves or an item.

    Each comes with the value that it can be.
    """
    return [
        (argument, value) for name, _, value in function.values for argument in may_return(function, name, value, items)
    ]


def view_sources(returned: Iterable[tuple[Argument, Value]]) -> set[str]:
    """Returns the arguments that a returned view can refer to and keep alive."""
    return {argument.name for argument, value in returned if argument.kind.class_name not in (None, value.of)}


def referred(function: Call, items: Mapping[str, Item]) -> set[str]:
    """Returns the arguments that any result can refer to."""
    return {each for name, _, value in function.values for each in may_refer_to(function, name, value, items)}


def may_refer_to(function: Call, name: str, value: Value, items: Mapping[str, Item]) -> list[str]:
    """Returns the arguments whose structs or memory this value can refer to."""
    made, ctype = _made_item(value, items), object_type(function, name)
    if made is None:
        return []
    return [each.name for each in function.arguments if _fits(each, ctype, made, items)]


def _fits(argument: Argument, ctype: CType, made: Item, items: Mapping[str, Item]) -> bool:
    kind = argument.kind
    if kind.class_name is None or kind.takes:
        return False
    given = items[kind.class_name]
    if not made.is_counted and not given.is_counted:
        return False
    return isinstance(made, Tensor) or made.type == given.type or argument.ctype.base == ctype.base
