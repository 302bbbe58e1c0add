"""Arrays and objects among the parameters of a function, as tables for the runtime."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from dlpack_bindgen.calls.argument_kind import Argument
from dlpack_bindgen.calls.function_docs import accepted_dtypes, members_for, takes_numbers
from dlpack_bindgen.calls.lengths import prototype_length
from dlpack_bindgen.dlpack import MAX_NDIM, device_type
from dlpack_bindgen.tensor.accepts import declares_readonly
from dlpack_bindgen.tensor.c_names import members_table
from dlpack_bindgen.tensor.dtype import CTypeDType
from dlpack_bindgen.tensor.item import Item, Tensor
from dlpack_bindgen.tensor.requirements import NOTHING, TABLE, Required
from dlpack_bindgen.text.fragments import Table, is_number

if TYPE_CHECKING:
    from dlpack_bindgen.calls.call import Call
    from dlpack_bindgen.calls.emitted_function import Body

_FLAGS = (
    "DLB_PY_WRITES",
    "DLB_PY_WRITES_UNLESS_CONST",
    "DLB_PY_OPTIONAL",
    "DLB_PY_NUMBERS",
    "DLB_PY_NUMBERS_IF_CONST",
    "DLB_PY_BYTES",
    "DLB_PY_RECORDS",
    "DLB_PY_INVALIDATES",
    "DLB_PY_ITEMS",
    "DLB_PY_KEPT",
    "DLB_PY_KEEPS",
    "DLB_PY_SETS",
    "DLB_PY_DESCRIBED",
    "DLB_PY_UNRETURNED",
    "DLB_PY_RESTRICT",
    "DLB_PY_RESTRICT_ITEMS",
    "DLB_PY_REFERRED",
    "DLB_PY_UNSTORED",
)
"""The order of the flags in the emitted tables. Others follow."""


def operands(body: Body) -> tuple[list[str], list[Table]]:
    """Returns the arrays and objects in the descriptor of a function, and the tables to which they refer."""
    tables: list[Table] = []
    return [_entry(argument, body, tables) for argument in body.operands], tables


def _entry(argument: Argument, body: Body, tables: list[Table]) -> str:
    """Returns the entry of an operand, and adds the tables that it refers to."""
    kind = argument.kind
    members = [f".param = {body.emitted[argument.name].index}"]
    if kind.class_name is not None:
        members.append(f".type = &{body.class_of(kind.class_name)}_type")
    flags = _flags(argument, body)
    if flags:
        members.append(f".flags = {' | '.join(flags)}")
    require = _require(argument, body.call)
    if require:
        table = f"{body.tables}_{argument.name}_array"
        tables.append(Table(TABLE, table, tuple(require)))
        members.append(f".require = &{table}")
    length = prototype_length(argument)
    if length and is_number(length) and not kind.rows and not kind.is_made_late:
        members.append(f".count = {length}")
    if (made := kind.new_output) is not None:
        like = 1 + body.operand(made.like) if made.like is not None else "DLB_PY_GIVEN_SHAPE"
        members.append(f".like = {like}")
    for feature in body.call.features:
        tables += feature.tables(argument, body)
        members += feature.members_of(argument, body)
    if kind.class_name is None and (made or "DLB_PY_KEPT" in flags):
        members.append(f".array = &{body.class_of(body.names.arrays or '')}_type")
    if kind.class_name is not None and members_for(body.call, argument, body.items) is not None:
        table = f"&{members_table(body.class_of(kind.class_name))}"
        is_const = kind.unless_const
        members.append(f".members = {table if is_const is None else f'DLB_PY_MEMBERS_IF_CONST({is_const}, {table})'}")
    return f"{{ {', '.join(members)} }}"


def _flags(argument: Argument, body: Body) -> list[str]:
    """Returns the flags of the kind, and those that depend on other arguments or on the class."""
    kind, features = argument.kind, body.call.features
    others = [other.kind for other in body.arguments]
    shown = any(other.described == argument.name for other in others)
    shown = shown or any(each.new_output is not None and each.new_output.like == argument.name for each in others)
    wanted = {
        "DLB_PY_SETS": _may_change_struct(argument, body.items),
        "DLB_PY_DESCRIBED": shown and kind.object_class is not None,
        "DLB_PY_UNRETURNED": kind.is_list and not any(each.needs_items(argument, body) for each in features),
    }
    if takes_numbers(body.call, argument, body.items):
        typedef = kind.unless_const
        wanted["DLB_PY_NUMBERS" if typedef is None else f"DLB_PY_NUMBERS_IF_CONST({typedef})"] = True
    flags = [*kind.operand_flags(), *(flag for flag, is_set in wanted.items() if is_set)]
    flags += [flag for each in features for flag in each.flags(argument, body)]
    return sorted(dict.fromkeys(flags), key=_place_of_flag)


def _may_change_struct(argument: Argument, items: Mapping[str, Item]) -> bool:
    """Returns whether C can change the struct itself and not only its data: the pointer is not const."""
    kind = argument.kind
    if kind.class_name is None or not kind.writes or not argument.ctype.pointers:
        return False
    item = items[kind.class_name]
    return isinstance(item, Tensor) and declares_readonly(item) and not argument.ctype.reads


def _require(argument: Argument, call: Call) -> list[str]:
    """Returns the members of the `dlb_requirements`, or an empty list without requirements."""
    kind = argument.kind
    dtypes = accepted_dtypes(call, argument)
    is_object = kind.class_name is not None
    if is_object and kind.require == NOTHING and kind.copy == "never" and not dtypes:
        return []
    require = kind.requirements(call.measures(argument))
    records = [dtype.record for dtype in dtypes if isinstance(dtype, CTypeDType) and dtype.record is not None]
    record = next(iter(records), None)
    required = Required(
        layout=replace(require, writable=kind.writes and not is_object).layout,
        order=require.order,
        strided=require.strided,
        alignment=require.align,
        elements=record,
        dtypes=[*filter(None, (dtype.required for dtype in dtypes))],
        devices=[device_type(name) for name in require.devices or ()],
        copy=kind.copy,
        record=record,
        cast=kind.cast,
    )
    low, high = require.ndim or (0, MAX_NDIM)
    return [f".min_ndim = {low}", f".max_ndim = {high}", *required.members()]


def _place_of_flag(flag: str) -> int:
    name = flag.partition("(")[0]
    return _FLAGS.index(name) if name in _FLAGS else len(_FLAGS)
