"""Properties that store the assigned value in the struct itself."""

from __future__ import annotations

from itertools import pairwise

from dlpack_bindgen.bind.binding import FunctionBinding, MemberValue, Setter
from dlpack_bindgen.bind.scope import Names, constants_of_state, descriptor
from dlpack_bindgen.slots.scope import Scope
from dlpack_bindgen.spec.functions import Property
from dlpack_bindgen.spec.spec import Item
from dlpack_bindgen.text import ctext
from dlpack_bindgen.text.fragments import has_members, is_own_member, mentions, replace_names
from dlpack_bindgen.text.names import CALLED

_VALUES = {
    "int": MemberValue("dlb_integer", "integer", "INTEGER", initial="{0, 1, NULL}"),
    "float": MemberValue("double", "number", "FLOAT", is_plain_param=True),
    "bool": MemberValue("bool", "number", "BOOL", is_plain_param=True),
    "complex": MemberValue("double complex", "complex", "COMPLEX", is_pair=True),
    "char": MemberValue("char", "char", "INTEGER", is_signed=True),
    "enum": MemberValue("int64_t", "enum", "INTEGER", is_signed=True),
}
"""The assigned value of a property, by its kind."""


def bind_member(names: Names, scope: Scope, item: Item, each: Property) -> FunctionBinding:
    """Returns the setter function of a property."""
    c_name = f"{CALLED}{scope.c_name}_set_{each.name}"
    taken = _taken(scope, item, each)
    own = {name: _free(name, taken) for name in ("object", "args", "nargs", "kwnames", "arrays", "given", "fits")}
    place, is_copy = _place(scope, each)
    uses_self = mentions([place], "self")
    flags = ["DLB_PY_SETS" if is_own_member(each.get) else "DLB_PY_WRITES"]
    params = constants_of_state(scope.c_name, item, f"{own['arrays']}[0]", each.get)
    setter = Setter(
        c_name=c_name,
        table=descriptor(item, f"set_{each.name}"),
        name=each.name,
        type=scope.type,
        of=scope.c_name,
        flags=tuple([*flags, "DLB_PY_KEPT"] if params else flags),
        value=_VALUES[each.kind],
        enum=names.enums[each.of] if each.of is not None else "",
        place=place,
        has_copy=uses_self and is_copy,
        has_pointer=uses_self and not is_copy,
        params=params,
        label=scope.label(f"properties.{each.name}.set"),
        **own,
    )
    return FunctionBinding(c_name=c_name, tables=(), entry="", condition=each.condition, setter=setter)


def _taken(scope: Scope, item: Item, each: Property) -> set[str]:
    """Returns the names that have another meaning in the body."""
    tokens = (ctext.Token("sign", ""), *ctext.tokens(each.get))
    used = {token.text for before, token in pairwise(tokens) if before.text not in ("->", ".")}
    types = [scope.type, *(param.ctype for param in item.params)]
    return used.union(*(text.split() for text in types))


def _free(name: str, taken: set[str]) -> str:
    while name in taken:
        name += "_"
    return name


def _place(scope: Scope, each: Property) -> tuple[str, bool]:
    """Returns the location of the member, and whether `self` is a copy of the object.

    An object passed by value is stored in the Python object.
    """
    if not scope.by_value:
        return each.get, False
    if has_members(each.get, "self"):
        return replace_names(each.get, {"self": "(*self)"}), False
    return each.get, True
