"""Arrays and objects among the parameters of a function, as tables for the runtime."""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING

from dlpack_bindgen.calls.call import Call
from dlpack_bindgen.calls.keeping import kept_arguments, stored_arguments
from dlpack_bindgen.calls.kind import Argument
from dlpack_bindgen.calls.lengths import prototype_length
from dlpack_bindgen.calls.lifetimes import referred, returnable, view_sources
from dlpack_bindgen.calls.signature import accepted_dtypes, given_arguments, members_for, takes_numbers
from dlpack_bindgen.dlpack import MAX_NDIM, device_type
from dlpack_bindgen.tensor.accepts import CASTING, COPYING, declares_readonly, fact_table, layout_flags
from dlpack_bindgen.tensor.binding import REQUIREMENTS
from dlpack_bindgen.tensor.c_names import CNames, members_table, param_of
from dlpack_bindgen.tensor.dtype import CTypeDType, FixedDType
from dlpack_bindgen.tensor.item import Tensor
from dlpack_bindgen.tensor.requirements import NOTHING, Requirements
from dlpack_bindgen.text.fragments import is_number
from dlpack_bindgen.text.statements import Table

if TYPE_CHECKING:
    from dlpack_bindgen.calls.body import Body

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


class Operands:
    """The operands of one function, in the order of its parameters."""

    def __init__(self, function: Call, names: CNames, tables: str, arrays: str, keeps_self: bool, body: Body) -> None:
        """Builds the tables of the operands.

        `tables` is the beginning of their names, and `arrays` the variable with the arguments. With `keeps_self`, the
        function reads a `param` of its receiver.
        """
        self._function = function
        self._body = body
        self._names = names
        self._table_name = tables
        self._keeps_self = keeps_self
        self.arrays = arrays
        returned = returnable(function, names.items)
        self._returnable = {argument.name for argument, _ in returned}
        self._view_sources = view_sources(returned)
        self._referred = referred(function, names.items)
        self._given = [argument.name for argument in given_arguments(function)]
        self._arguments = [argument for argument in function.arguments if argument.kind.is_operand]
        own = function.self_index
        self._self = function.arguments[own] if own is not None else None
        self._index = {argument.name: index for index, argument in enumerate(self._arguments)}

    def __len__(self) -> int:
        return len(self._arguments)

    def arguments_and_index(self, name: str) -> str:
        """Returns the C arguments for one operand: the array of arguments and the index."""
        return f"{self.arrays}, {self._index[name]}"

    def place(self, name: str) -> str:
        """Returns the C expression of the argument in the body of the function."""
        return f"{self.arrays}[{self._index[name]}]"

    def source(self, name: str) -> str:
        """Returns the C expression that identifies the parameter in all calls."""
        return f"&{self._body.table}.operands[{self._index[name]}]"

    def dtypes(self, of: str) -> list[FixedDType | CTypeDType]:
        """Returns the dtypes that a parameter accepts."""
        return accepted_dtypes(self._function, self._arguments[self._index[of]])

    def param_of_self(self, name: str) -> str:
        assert self._self is not None
        return self.param(self._self.name, name)

    def param(self, of: str, name: str) -> str:
        """Returns the C expression of a stored `param` of the object in an argument."""
        kind = self._arguments[self._index[of]].kind
        return param_of(self._names.c_name(kind.class_name or ""), self.place(of), name)

    @property
    def entries(self) -> tuple[str, ...]:
        """Returns the operands in the descriptor of the function."""
        return self._entries_and_tables[0]

    @property
    def tables(self) -> list[Table]:
        """Returns the tables to which the entries refer."""
        return self._entries_and_tables[1]

    @cached_property
    def _entries_and_tables(self) -> tuple[tuple[str, ...], list[Table]]:
        tables: list[Table] = []
        return tuple(self._entry(argument, tables) for argument in self._arguments), tables

    def _entry(self, argument: Argument, tables: list[Table]) -> str:
        """Returns the entry of an operand, and adds the tables that it refers to."""
        kind = argument.kind
        facts = [f".param = {-1 if argument is self._self else self._given.index(argument.name)}"]
        if kind.class_name is not None:
            facts.append(f".type = &{self._names.c_name(kind.class_name)}_type")
        flags = self._flags(argument)
        if flags:
            facts.append(f".flags = {' | '.join(flags)}")
        require = self._require(argument)
        if require:
            table = f"{self._table_name}_{argument.name}_array"
            tables.append(Table(REQUIREMENTS, table, tuple(require)))
            facts.append(f".require = &{table}")
        length = prototype_length(argument)
        if length and is_number(length) and not kind.rows and not argument.kind.is_made_late:
            facts.append(f".count = {length}")
        if (made := kind.new_output) is not None:
            facts.append(f".like = {1 + self._index[made.like] if made.like is not None else 'DLB_PY_GIVEN_SHAPE'}")
        for feature in self._function.features:
            tables += feature.tables(argument, self._body)
            facts += feature.members_of(argument, self._body)
        if kind.class_name is None and (made or "DLB_PY_KEPT" in flags):
            facts.append(f".array = &{self._names.c_name(self._names.arrays or '')}_type")
        members = self._members(argument)
        if members:
            facts.append(f".members = {members}")
        return f"{{ {', '.join(facts)} }}"

    def _members(self, argument: Argument) -> str:
        """Returns the address of the table of the members that can replace the object; empty: none can."""
        kind = argument.kind
        if kind.class_name is None or members_for(self._function, argument, self._names.items) is None:
            return ""
        table = f"&{members_table(self._names.c_name(kind.class_name))}"
        return f"DLB_PY_MEMBERS_IF_CONST({kind.unless_const}, {table})" if kind.unless_const is not None else table

    def operand(self, name: str) -> int:
        """Returns the index of an array or an object; -1: the argument is in a variable."""
        return self._index.get(name, -1)

    def variables_of(self, name: str) -> list[str]:
        """Returns the arguments in variables whose addresses the runtime gets with an operand."""
        argument = self._arguments[self._index[name]]
        found = [each for feature in self._function.features for each in feature.handed(argument, self._body)]
        return [source for source in dict.fromkeys(found) if source not in self._index]

    def handed_variable(self, name: str) -> tuple[str, int]:
        """Returns the C expression of the first operand, and the index of a variable that it has."""
        first = self._arguments[0].name
        return self.place(first), self.variables_of(first).index(name)

    def _flags(self, argument: Argument) -> list[str]:
        """Returns the flags of the kind, and those that depend on other arguments or on the class."""
        kind = argument.kind
        others = [other.kind for other in self._function.arguments]
        shown = any(other.described == argument.name for other in others)
        shown = shown or any(each.new_output is not None and each.new_output.like == argument.name for each in others)
        kept = argument.name in kept_arguments(self._function) or argument.name in self._view_sources
        kept = kept or (self._keeps_self and argument is self._self)
        kept = kept or any(other.param_owner == argument.name for other in others)
        kept = kept or any(param.source == argument.name for param in self._function.params)
        wanted = {
            "DLB_PY_KEPT": kept,
            "DLB_PY_SETS": self._may_change_struct(argument),
            "DLB_PY_DESCRIBED": shown and kind.object_class is not None,
            "DLB_PY_UNRETURNED": kind.is_list and not self._asks_for_items(argument),
            "DLB_PY_REFERRED": argument.name in self._referred or self._is_imported_first(argument),
            "DLB_PY_UNSTORED": kept and self._may_be_readonly(argument),
        }
        if takes_numbers(self._function, argument, self._names.items):
            typedef = kind.unless_const
            wanted["DLB_PY_NUMBERS" if typedef is None else f"DLB_PY_NUMBERS_IF_CONST({typedef})"] = True
        flags = [*kind.operand_flags(), *(flag for flag, is_set in wanted.items() if is_set)]
        flags += [flag for each in self._function.features for flag in each.flags(argument, self._body)]
        return sorted(flags, key=_place_of_flag)

    def _is_imported_first(self, argument: Argument) -> bool:
        """Returns whether an array becomes an object that a factory of another argument needs."""
        item = self._names.items.get(argument.kind.object_class or "")
        is_source = any(
            each.source == argument.name and each.of_object is None for each in self._function.factory_params
        )
        return is_source and item is not None and item.import_ is not None and argument is not self._self

    def _may_be_readonly(self, argument: Argument) -> bool:
        """Returns whether a read-only array is safe although the import of its class requires a writable one."""
        item = self._names.items.get(argument.kind.object_class or "")
        required = item is not None and item.import_ is not None and item.import_.require.writable
        return required and not argument.kind.writes and argument.name not in stored_arguments(self._function)

    def _may_change_struct(self, argument: Argument) -> bool:
        """Returns whether C can change the struct itself and not only its data: the pointer is not const."""
        kind = argument.kind
        if kind.class_name is None or not kind.writes or not argument.ctype.pointers:
            return False
        item = self._names.items[kind.class_name]
        return isinstance(item, Tensor) and declares_readonly(item) and not argument.ctype.reads

    def _asks_for_items(self, argument: Argument) -> bool:
        """Returns whether the call needs more than the addresses of the objects in a list."""
        is_named = argument.name in self._returnable or argument.name in self._referred
        return is_named or any(each.needs_items(argument) for each in self._function.features)

    def _require(self, argument: Argument) -> list[str]:
        """Returns the members of the `dlb_requirements`, or an empty list without requirements."""
        kind = argument.kind
        dtypes = accepted_dtypes(self._function, argument)
        is_object = kind.class_name is not None
        if is_object and kind.require == NOTHING and kind.copy == "never" and not dtypes:
            return []
        require = kind.requirements(self._function.measures(argument.name))
        cast = [f".cast = {CASTING[kind.cast]}"] if kind.cast is not None else []
        return [*_facts(require, kind.copy, dtypes, kind.writes and not is_object), *cast]


def _place_of_flag(flag: str) -> int:
    name = flag.partition("(")[0]
    return _FLAGS.index(name) if name in _FLAGS else len(_FLAGS)


def _facts(require: Requirements, copy: str, dtypes: list[FixedDType | CTypeDType], writes: bool) -> list[str]:
    low, high = require.ndim or (0, MAX_NDIM)
    facts = [f".min_ndim = {low}", f".max_ndim = {high}"]
    layout = layout_flags(replace(require, writable=writes))
    if layout:
        facts.append(f".layout = {' | '.join(layout)}")
    if require.order == "F":
        facts.append(".order = DLB_ORDER_F")
    if require.strided:
        facts.append(f".strided = {sum(1 << axis for axis in require.strided):#x}")
    records = [dtype.record for dtype in dtypes if isinstance(dtype, CTypeDType) and dtype.record is not None]
    if require.align is not None:
        facts.append(f".alignment = {require.align}")
    elif records:
        facts.append(f".alignment = DLB_RECORD_ALIGNMENT({records[0].ctype})")
    if dtypes:
        facts += fact_table("dtype", "DLDataType", [*filter(None, (dtype.required for dtype in dtypes))])
    if require.devices is not None:
        facts += fact_table("device", "DLDeviceType", [device_type(name) for name in require.devices])
    if copy != "never":
        facts.append(f".copy = {COPYING[copy]}")
    facts += [f".record = &{record.table}" for record in records]
    return facts
