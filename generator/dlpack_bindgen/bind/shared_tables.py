"""Tables of requirements: a file has each only once, although several arrays have the same requirements."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from dlpack_bindgen.bind.binding import REQUIREMENTS, ClassBinding, FactoryBinding, FunctionBinding
from dlpack_bindgen.text.fragments import replace_names
from dlpack_bindgen.text.statements import Table


def share_tables(
    classes: Iterable[ClassBinding], functions: Iterable[FunctionBinding]
) -> tuple[tuple[ClassBinding, ...], tuple[FunctionBinding, ...]]:
    """Leaves out the tables that equal an earlier one of their file, and refers to that one instead."""
    glue, module = _Tables(), _Tables()
    shared = tuple(_of_class(each, glue, module) for each in classes)
    return shared, tuple(module.of_function(each, None) for each in functions)


def _of_class(each: ClassBinding, glue: _Tables, module: _Tables) -> ClassBinding:
    """Handles the factories of a class and its functions, in the order in which the templates print them."""
    importer = glue.of_factory(each.importer, each.condition)
    allocator = glue.of_factory(each.allocator, each.condition)
    methods = tuple(module.of_function(method, each.condition) for method in each.methods)
    properties = tuple(
        replace(one, setter=module.of_function(one.setter, each.condition)) if one.setter is not None else one
        for one in each.properties
    )
    new = module.of_function(each.new, each.condition) if each.new is not None else None
    return replace(each, importer=importer, allocator=allocator, methods=methods, properties=properties, new=new)


class _Tables:
    """The tables that stand above a place in a file, by their conditions and entries."""

    def __init__(self) -> None:
        self._names: dict[tuple[tuple[str | None, ...], tuple[str, ...]], str] = {}

    def of_factory(self, factory: FactoryBinding | None, condition: str | None) -> FactoryBinding | None:
        if factory is None or factory.requirements is None:
            return factory
        name = self._first(factory.requirements, (condition,))
        if name == factory.requirements.name:
            return factory
        return replace(factory, requirements=None, required=name)

    def of_function(self, function: FunctionBinding, condition: str | None) -> FunctionBinding:
        names = {
            table.name: self._first(table, (condition, function.condition))
            for table in function.tables
            if table.type == REQUIREMENTS
        }
        renamed = {old: new for old, new in names.items() if old != new}
        if not renamed:
            return function
        kept = (table for table in function.tables if table.name not in renamed)
        return replace(function, tables=tuple(kept), operands=_renamed(function.operands, renamed))

    def _first(self, table: Table, conditions: tuple[str | None, ...]) -> str:
        """Returns the name of the first equal table that exists wherever this one does, or of the table itself."""
        for known in ((None,) * len(conditions), conditions):
            if (known, table.entries) in self._names:
                return self._names[known, table.entries]
        return self._names.setdefault((conditions, table.entries), table.name)


def _renamed(entries: Iterable[str], names: dict[str, str]) -> tuple[str, ...]:
    return tuple(replace_names(entry, names) for entry in entries)
