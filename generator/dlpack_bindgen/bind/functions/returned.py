"""Arguments that a C function can return.

Without reference counts such an object has one owner. Python then gets the same object or, as another class, a view
that keeps the argument alive.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from dlpack_bindgen.arguments.object import Object
from dlpack_bindgen.arguments.objects import Objects
from dlpack_bindgen.arguments.output import Out
from dlpack_bindgen.arguments.param_of import ParamOf
from dlpack_bindgen.bind.functions.locals import Locals
from dlpack_bindgen.bind.functions.operands import Operands
from dlpack_bindgen.bind.functions.storages import is_in_storage
from dlpack_bindgen.c.types import CType, pointed_to
from dlpack_bindgen.results.facts import SameFacts
from dlpack_bindgen.spec.functions import Argument, Function, Result
from dlpack_bindgen.spec.spec import RELEASES_NOTHING, Handle, Tensor


def may_return(
    function: Function, ctype: CType, value: Result | Out, items: Mapping[str, Tensor | Handle]
) -> list[Argument]:
    """Returns the arguments that the function can return as a value of the type `ctype`."""
    if value.kind != "object" or value.borrow is not None:
        return []
    assert value.of is not None
    item = items[value.of]
    counted = item.retain is not None or item.clone is not None
    in_storage = is_in_storage(ctype, item)
    if counted or (in_storage and (isinstance(value, Out) or item.release == RELEASES_NOTHING)):
        return []
    found = [each for each in function.arguments if _fits(each, ctype, value.of, in_storage)]
    return sorted(found, key=lambda each: getattr(each.kind, "of", None) != value.of or isinstance(each.kind, ParamOf))


def _fits(argument: Argument, ctype: CType, of: str, in_storage: bool) -> bool:
    kind = argument.kind
    same_type = argument.ctype.base == ctype.base
    if isinstance(kind, Objects):
        return (same_type or kind.of == of) and ctype.depth == 1
    if isinstance(kind, Object):
        fits = in_storage or bool(argument.ctype.pointers) == bool(ctype.pointers)
        return (same_type or kind.of == of) and fits and not kind.takes
    return isinstance(kind, ParamOf) and same_type and argument.ctype.depth == ctype.depth and not in_storage


def ctype_of(value: Result | Out, ctype: CType) -> CType:
    """Returns the C type of a value. For an object this is the type of its class."""
    return value.twin or ctype


def returnable(function: Function, items: Mapping[str, Tensor | Handle]) -> list[tuple[Argument, Result | Out]]:
    """Returns the arguments that the function can return, themselves or an item.

    Each comes with the value that it can be.
    """
    outs = [(each.kind, pointed_to(each.ctype)) for each in function.arguments if isinstance(each.kind, Out)]
    values: list[tuple[Result | Out, CType]] = [(function.result, function.prototype.result), *outs]
    typed = [(value, ctype_of(value, ctype)) for value, ctype in values]
    return [(argument, value) for value, ctype in typed for argument in may_return(function, ctype, value, items)]


def view_sources(returned: Iterable[tuple[Argument, Result | Out]]) -> set[str]:
    """Returns the arguments that a returned view can refer to and keep alive."""
    return {
        argument.name
        for argument, value in returned
        if isinstance(argument.kind, Object | Objects) and argument.kind.of != value.of
    }


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

    def of(self, name: str, ctype: CType, value: Result | Out) -> list[SameFacts]:
        """Returns the tests for one value. `name` is the name of the value."""
        return [self._test(name, ctype, value, each) for each in may_return(self._function, ctype, value, self._items)]

    def _test(self, name: str, ctype: CType, value: Result | Out, argument: Argument) -> SameFacts:
        kind, returned, given = argument.kind, self._variables[name], self._variables[argument.name]
        assert isinstance(kind, Object | Objects | ParamOf) and value.of is not None
        place = self._operands.place(kind.of if isinstance(kind, ParamOf) else argument.name)
        again = not isinstance(kind, ParamOf) and kind.of == value.of
        if isinstance(kind, Objects):
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
        if isinstance(kind, Object) and kind.optional:
            test = f"{place}.object != NULL && {test}"
        return SameFacts(test, f"&{place}", again)
