"""The C names of classes, enumerations and functions, and access to the objects of a class."""

from __future__ import annotations

from collections.abc import Mapping

from dlpack_bindgen.frozen import Frozen
from dlpack_bindgen.tensor.item import Item, Tensor
from dlpack_bindgen.tensor.slot import Scope, Variable
from dlpack_bindgen.text.fragments import constant, mentions
from dlpack_bindgen.text.names import CALLED, STATIC, snake


def enum_table(prefix: str, name: str) -> str:
    """Returns the name of the table of an enumeration's members."""
    return f"{STATIC}{prefix}_{snake(name)}_enum"


class CNames(Frozen):
    """The C names of a spec, with its classes and enumerations."""

    prefix: str
    items: Mapping[str, Item]
    enums: Mapping[str, str]
    """Names of enumerations in the spec, mapped to the names of their tables."""
    arrays: str | None
    """The class of arrays that functions make."""

    def c_name(self, item: str) -> str:
        return f"{self.prefix}_{snake(item)}"


def table_name(owner: Item | None, key: str) -> str:
    """Returns the beginning of the names of the tables of a function that Python calls.

    They end as no other name of the file does, so that they need no prefix of the module.
    """
    return f"{STATIC}{key}" if owner is None else f"{STATIC}{snake(owner.name)}_{key}"


def descriptor(owner: Item | None, key: str) -> str:
    """Returns the name of the `dlb_py_function` of a function that Python calls."""
    return f"{table_name(owner, key)}_call"


def members_table(c_name: str) -> str:
    """Returns the name of the table of a class whose structs Python makes."""
    return f"{CALLED}{c_name}_new_members"


def param_of(c_name: str, place: str, name: str) -> str:
    """Returns the C expression of a param of an argument. The operand needs the flag DLB_PY_KEPT."""
    return f"((const struct {c_name}_state *)dlb_py_state_of(&{place}))->{name}"


def constants_of_state(c_name: str, item: Item, place: str, expression: str) -> tuple[Variable, ...]:
    """Returns the params of the object at `place` that an expression mentions."""
    return tuple(
        Variable(constant(param.ctype, param.name), param_of(c_name, place, param.name))
        for param in item.params
        if mentions([expression], param.name)
    )


def scope_of(module: str, c_name: str, item: Item) -> Scope:
    """Returns the C representation of the objects of a class."""
    hold = item.hold if isinstance(item, Tensor) else ()
    return Scope(
        name=item.name,
        full_name=f"{module}.{item.name}",
        c_name=c_name,
        type=item.type,
        by_value=item.by_value,
        params=item.params,
        hold=hold,
        has_state=bool(item.params or hold or item.by_value or item.clone is not None),
    )
