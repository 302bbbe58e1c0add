"""Arguments that a C function can return.

Without reference counts such an object has one owner. Python then gets the same object or, as another class, a view
that keeps the argument alive.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from dlpack_bindgen.bind.functions.locals import Locals
from dlpack_bindgen.bind.functions.operands import Operands
from dlpack_bindgen.bind.functions.storages import is_in_storage
from dlpack_bindgen.c.types import CType
from dlpack_bindgen.results.kind import SameFacts
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
    typed = [(value, ctype_of(value, ctype)) for _, ctype, value in function.values()]
    return [(argument, value) for value, ctype in typed for argument in may_return(function, ctype, value, items)]


def view_sources(returned: Iterable[tuple[Argument, Value]]) -> set[str]:
    """Returns the arguments that a returned view can refer to and keep alive."""
    return {argument.name for argument, value in returned if argument.kind.class_name not in (None, value.of)}


class Tests:
    """Tests after the call for returned arguments."""

    def __init__(
        self,
        function: Function,
        items: Mapping[str, Tensor | Handle],
        operands: Operands,
        own: Callable[[str], str],
        variables: Locals,
    ) -> None:
        self._function = function
        self._items = items
        self._operands = operands
        self._own = own
        self._variables = variables

    def of(self, name: str, ctype: CType, value: Value) -> list[SameFacts]:
        """Returns the tests for one value. `name` is the name of the value."""
        return [self._test(name, ctype, value, each) for each in may_return(self._function, ctype, value, self._items)]

    def _test(self, name: str, ctype: CType, value: Value, argument: Argument) -> SameFacts:
        kind, returned, given = argument.kind, self._variables[name], self._variables[argument.name]
        assert value.of is not None
        place = self._operands.place(kind.param_owner or argument.name)
        again = kind.class_name == value.of
        if kind.is_list:
            item = self._own(f"item_of_{argument.name}{'' if name == 'result' else f'_as_{name}'}")
            return SameFacts(f"{item} != NULL", item, again, place, returned)
        item_class = self._items[value.of]
        if is_in_storage(ctype, item_class):
            address = given if argument.ctype.pointers else f"&{given}"
            test = f"dlb_is_same_struct(&{returned}, {address}, sizeof {returned})"
        elif ctype.pointers:
            test = f"{returned} == {given}"
        elif again and item_class.release != RELEASES_NOTHING:
            test = f"DLB_IS_SAME_VALUE({returned}, {given})"
        else:  # such values can be equal numbers that are not objects
            test = f"DLB_IS_SAME_OBJECT({returned}, {given})"
        if kind.optional:
            test = f"{place}.object != NULL && {test}"
        return SameFacts(test, f"&{place}", again)
