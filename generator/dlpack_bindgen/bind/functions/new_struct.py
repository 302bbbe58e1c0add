"""Constructors that make a struct of zeros in memory of its owner, and set its members."""

from __future__ import annotations

from collections.abc import Iterator

from dlpack_bindgen.bind.binding import FunctionBinding, NewStructBinding
from dlpack_bindgen.bind.scope import descriptor, members_table
from dlpack_bindgen.hooks.hook import steps_function
from dlpack_bindgen.slots.scope import Scope
from dlpack_bindgen.spec.spec import Item, NewStruct
from dlpack_bindgen.text.fragments import arrays_of, replace_names
from dlpack_bindgen.text.names import CALLED
from dlpack_bindgen.text.statements import Assertion, Piece


def bind_new_struct(scope: Scope, item: Item, new: NewStruct) -> FunctionBinding:
    c_name = f"{CALLED}{scope.c_name}_new"
    init = _init(scope, f"{c_name}_init", new)
    struct = NewStructBinding(
        c_name=c_name,
        name=item.name,
        type=scope.type,
        of=scope.c_name,
        assertions=tuple(_assertions(scope, item, new)),
        label=scope.label("new", " (opaque: {c: PROTOTYPE})"),
        init=init,
        init_name=f"{c_name}_init" if init is not None else "NULL",
        table=members_table(scope.c_name),
        descriptor=descriptor(item, "new"),
        members=tuple((each.name, f"{CALLED}{scope.c_name}_set_{each.name}", each.condition) for each in item.members),
    )
    return FunctionBinding(c_name=c_name, tables=(), entry="", condition=None, struct=struct)


def _init(scope: Scope, name: str, new: NewStruct) -> Piece | None:
    return steps_function(scope, name, "new.init", [new.init]) if new.init is not None else None


def _assertions(scope: Scope, item: Item, new: NewStruct) -> Iterator[Assertion]:
    """Yields the assertions that memory of an owner can hold the struct, and that members of zeros can be set."""
    yield Assertion("KIND", (scope.type, "STRUCT"), f"{scope.name}.new: {scope.type} is not a struct")
    message = f"{scope.name}.new: {scope.type} needs more alignment than malloc() gives"
    yield Assertion("ALIGNMENT", (scope.type, "DLB_MALLOC_ALIGNMENT"), message)
    for each in item.members if new.init is None else ():
        for array in arrays_of(each.get) if each.stored else ():
            message = f"{scope.name}.new: {array.replace(' ', '')} is a pointer, and NULL in the new struct"
            member = replace_names(array, {"self": scope.null})
            yield Assertion("KIND", (f"__typeof__({member})", "INNER_ARRAY"), message)
