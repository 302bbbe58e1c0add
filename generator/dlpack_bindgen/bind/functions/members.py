"""Properties that store the assigned value in the struct itself."""

from __future__ import annotations

from itertools import pairwise

from dlpack_bindgen.bind.binding import ConstantOfState, FunctionBinding, Setter
from dlpack_bindgen.bind.scope import Names, param_of
from dlpack_bindgen.c import ctext
from dlpack_bindgen.c.fragments import constant, has_members, mentions, replace_names
from dlpack_bindgen.c.names import CALLED
from dlpack_bindgen.c.places import is_own_member
from dlpack_bindgen.slots.scope import Scope
from dlpack_bindgen.spec.functions import Property
from dlpack_bindgen.spec.spec import Handle, Tensor

_STORED = {
    "int": "INTEGER",
    "float": "FLOAT",
    "bool": "BOOL",
    "complex": "COMPLEX",
    "char": "INTEGER",
    "enum": "INTEGER",
}
"""The suffix of the macro that stores a value of the kind."""


def bind_member(names: Names, scope: Scope, item: Tensor | Handle, each: Property) -> FunctionBinding:
    """Returns the setter function of a property."""
    c_name = f"{CALLED}{scope.c_name}_set_{each.name}"
    taken = _taken(scope, item, each)
    own = {name: _free(name, taken) for name in ("object", "args", "nargs", "kwnames", "arrays", "given", "fits")}
    place, is_copy = _place(scope, each)
    uses_self = mentions([place], "self")
    flags = ["DLB_PY_SETS" if is_own_member(each.get) else "DLB_PY_WRITES"]
    params = tuple(
        ConstantOfState(constant(param.ctype, param.name), param_of(scope.c_name, f"{own['arrays']}[0]", param.name))
        for param in item.params
        if mentions([each.get], param.name)
    )
    setter = Setter(
        c_name=c_name,
        name=each.name,
        type=scope.type,
        of=scope.c_name,
        flags=tuple([*flags, "DLB_PY_KEPT"] if params else flags),
        is_int=each.kind == "int",
        is_float=each.kind == "float",
        is_bool=each.kind == "bool",
        is_complex=each.kind == "complex",
        is_char=each.kind == "char",
        is_enum=each.kind == "enum",
        enum=names.enums[each.of] if each.of is not None else "",
        place=place,
        has_copy=uses_self and is_copy,
        has_pointer=uses_self and not is_copy,
        params=params,
        stored=_STORED[each.kind],
        label=scope.label(f"properties.{each.name}.set"),
        **own,
    )
    return FunctionBinding(c_name=c_name, tables=(), entry="", condition=each.condition, setter=setter)


def _taken(scope: Scope, item: Tensor | Handle, each: Property) -> set[str]:
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
