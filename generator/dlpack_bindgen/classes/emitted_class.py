"""The class of a tensor or a handle in C and in Python, as the templates of the module read it."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cached_property

from dlpack_bindgen.calls.call import Call, Property, groups
from dlpack_bindgen.calls.function_docs import class_signature, has_items, struct_signature
from dlpack_bindgen.calls.stub import member_stubs, shown_doc
from dlpack_bindgen.classes import class_docs
from dlpack_bindgen.classes.methods_and_properties import (
    EmittedProperty,
    TypeSlot,
    emit_constructor,
    emit_setter,
    is_view,
    type_slots,
)
from dlpack_bindgen.classes.related import RelatedClasses, View
from dlpack_bindgen.tensor.accepts import all_slots, declares_readonly, fixed_rank, record_of, with_stream
from dlpack_bindgen.tensor.c_names import CNames, scope_of
from dlpack_bindgen.tensor.describe import describe, has_fast_description, has_fast_import, hooks, runs_at_exports
from dlpack_bindgen.tensor.factory import Factory
from dlpack_bindgen.tensor.item import RELEASES_NOTHING, Allocate, Declaration, Import, Item, Tensor
from dlpack_bindgen.tensor.lifetime_hooks import RELEASE_FLAGS, THREADS
from dlpack_bindgen.tensor.params import (
    ObjectParams,
    c_parameters,
    import_keywords,
    objects,
    params_table,
    stub_parameters,
    text_signature,
)
from dlpack_bindgen.tensor.parts import Parts
from dlpack_bindgen.tensor.requirements import COPYING, TABLE
from dlpack_bindgen.tensor.slot import alternatives
from dlpack_bindgen.tensor.steps import Function
from dlpack_bindgen.text.fragments import EmittedFunction, Table, mentions, replace_names
from dlpack_bindgen.text.literals import c_string, c_strings, comment_lines, python_doc_lines
from dlpack_bindgen.text.names import SPECIAL, STATIC, snake
from dlpack_bindgen.text.types import plain_type

_MEMBER = re.compile(r"self(?:(?:->|\.)\w+)+")


class EmittedClass:
    """A tensor or a handle with its functions. The templates read its spec (`item`), its names (`scope`) and these."""

    def __init__(self, names: CNames, module: str, item: Item, related: RelatedClasses, glue: Tables, calls: Tables):
        """Makes the functions in the order of C. `glue` and `calls` are the tables of the two files, of which each
        function leaves out those that an earlier one has."""
        self.item = item
        self.tensor = item if isinstance(item, Tensor) else None
        self.scope = scope_of(module, names.c_name(item.name), item)
        self._names = names
        self._related = related
        self._shares = related.shares(item)
        made, allocate = item.import_, self.tensor.allocate if self.tensor is not None else None
        self.importer = self._factory("import", made, self._objects_of_import, glue) if made else None
        self.allocator = self._factory("allocate", allocate, self._objects_of_allocation, glue) if allocate else None
        self.methods = tuple(
            calls.of_function(each, item.condition) for each in emit_functions(names, item.methods, item)
        )
        self.properties = tuple(
            EmittedProperty(names, self.scope, item, each, self._setter(each, calls)) for each in item.properties
        )
        self.new: EmittedFunction | None = None
        """The function behind `Name(...)`."""
        if item.new is not None:
            self.new = calls.of_function(emit_function(names, item.new, item, fast=True), item.condition)
        elif item.new_struct is not None:
            self.new = emit_constructor(self.scope, item, item.new_struct)

    def _setter(self, each: Property, calls: Tables) -> EmittedFunction | None:
        if each.stored:
            return emit_setter(self._names, self.scope, self.item, each)
        if each.set is None:
            return None
        return calls.of_function(emit_function(self._names, each.set, self.item), self.item.condition)

    def _factory(self, verb: str, made: Import | Allocate, given: ObjectParams, glue: Tables) -> Factory:
        classes = {name: self._names.c_name(of.name) for name, of in given.items()}
        factory = Factory(self.scope, class_docs.made_of_arrays(self.item), verb, made, classes)
        factory.required = glue.first(factory.requirements, (self.item.condition,))
        return factory

    # ---- Names ----

    @property
    def short_name(self) -> str:
        """Returns the C name without the prefix."""
        return snake(self.item.name)

    @property
    def c_type(self) -> str:
        """Returns the normalised C type, as a C string literal."""
        return c_string(plain_type(self.item.type))

    @property
    def own_parameter(self) -> str:
        """Returns the parameter of the first function of the header. A label names its slot, unless the state has this
        label."""
        return self.scope.self_parameter if self.scope.has_state else self.scope.labelled_self

    @property
    def parameters(self) -> str:
        """Returns the params of the class behind other parameters in C."""
        return c_parameters(self.item.params)

    # ---- Comments and docstrings ----

    @property
    def comment(self) -> tuple[str, ...]:
        summary = f"\nThe array {class_docs.summary(self.tensor)}." if self.tensor is not None else ""
        return comment_lines(f"{self.item.name}: {class_docs.class_doc(self.item)}{summary}")

    @property
    def docstring(self) -> str:
        """Returns the signature of the class, its documentation and that of `new`, as a C string literal."""
        item, doc = self.item, class_docs.class_doc(self.item)
        if item.new_struct is not None:
            shown = "\n\n".join(filter(None, [doc, item.new_struct.doc]))
            return c_strings(f"{struct_signature(item, item.new_struct)}\n--\n\n{shown}")
        if item.new is None:
            return c_strings(doc)
        shown = "\n\n".join(filter(None, [doc, shown_doc(item.new, self._names.items)]))
        return c_strings(f"{class_signature(item.new, item.name)}\n--\n\n{shown}")

    @property
    def doc(self) -> tuple[str, ...]:
        """Returns the lines of the stub's docstring."""
        return python_doc_lines(class_docs.class_doc(self.item))

    @property
    def own_comment(self) -> tuple[str, ...]:
        often = " It can be exported any number of times." if self.tensor is not None else ""
        return comment_lines(
            f"{class_docs.owning(self.item, 'an owner')}{often}\nReturns 0; or -1 with `error` filled (it may be "
            f"NULL), and `self` still belongs to the caller. {THREADS[self.item.release_on]}"
        )

    @property
    def export_comment(self) -> tuple[str, ...]:
        return comment_lines(class_docs.owning(self.item, "one managed tensor"))

    @property
    def legacy_comment(self) -> tuple[str, ...]:
        copied = self.tensor is not None and self.tensor.legacy_readonly == "copy"
        return comment_lines(
            "Makes a managed tensor of DLPack before 1.0 instead. It cannot mark read-only data: such data is "
            f"{'copied' if copied else 'refused'}."
        )

    @property
    def part_comment(self) -> tuple[str, ...]:
        item, shared = self.item, class_docs.params([*self._shared])
        own = f" If the class of `whole` has {shared} too, its value replaces the argument." if shared else ""
        return comment_lines(
            f"Makes an owner of the object of `whole`, seen as a {item.name}. `whole` is an owner of another class of "
            f"{item.type}, and is kept alive.{own} Returns 0, or -1 with `error` filled."
        )

    @property
    def import_comment(self) -> tuple[str, ...]:
        item = self.item
        taken = "" if item.import_ is None else f" {class_docs.taken(class_docs.made_of_arrays(item), item.import_)}"
        return comment_lines(
            f"Makes a new {item.type} that shows the memory of `managed`, and an owner of both. dlb_owner_object() "
            f"returns the object.{taken} When the last share is dropped, the object is released, and then `managed` is "
            "deleted. Returns 0; or -1 with `error` filled, and `managed` still belongs to the caller."
        )

    @property
    def allocate_comment(self) -> tuple[str, ...]:
        return comment_lines(
            f"Makes a new {self.item.type} with the shape and dtype of `prototype`, and an owner of it. "
            "dlb_owner_object() returns the object. Other members of `prototype` are not read. Returns 0, or -1 with "
            "`error` filled."
        )

    @property
    def wrap_comment(self) -> tuple[str, ...]:
        return comment_lines(class_docs.owning(self.item, f"a new Python object of class {self.item.name}"))

    # ---- The state and the `dlb_type` ----

    @property
    def has_part(self) -> bool:
        """Returns whether another class has the C type, so that a function exposes its objects as this class."""
        return self.tensor is not None and self._shares

    @cached_property
    def _shared(self) -> Mapping[str, str]:
        """The params that another class of the C type has too, with their types."""
        return self._related.shared(self.item)

    @property
    def params(self) -> Table | None:
        c_name, item = self.scope.c_name, self.item
        return params_table(f"{STATIC}{c_name}_params", self.scope.state, item.params, self._shared)

    @cached_property
    def describe(self) -> Function | None:
        return None if self.tensor is None else describe(self.scope, self.tensor)

    @cached_property
    def hooks(self) -> list[tuple[str, Function]]:
        """The functions that run C code of the spec, with the members of the `dlb_type` that refer to them."""
        return hooks(self.scope, self.item)

    @property
    def rank(self) -> str:
        """Returns the number of axes, or -1 if only the run time knows it."""
        rank = fixed_rank(self.tensor) if self.tensor is not None else None
        return "-1" if rank is None else str(rank)

    @cached_property
    def has_fast_description(self) -> bool:
        return self.tensor is not None and has_fast_description(self.tensor)

    @property
    def has_fast_export(self) -> bool:
        """Returns whether an object that is not used afterwards is exported in one step. An owner would only refer to
        it, without state or rules for its release."""
        return self.has_fast_description and not self.scope.has_state and self.item.release_on == "any"

    @cached_property
    def has_fast_import(self) -> bool:
        return self.has_fast_export and self.tensor is not None and has_fast_import(self.tensor)

    @property
    def has_view(self) -> bool:
        return self.tensor is not None and not self.tensor.acquire

    @property
    def one_shot(self) -> bool:
        """Returns whether C can export an object without an owner."""
        moves = self.item.release is not None and not self.item.is_counted
        return self.tensor is not None and not (moves and (self.item.params or self._shares))

    @property
    def borrowed_view(self) -> str:
        """Returns the function of the C API table for borrowed views. It is NULL if the data exists only during an
        export."""
        is_lasting = self.tensor is not None and not runs_at_exports(self.tensor) and self.tensor.copy != "always"
        return "dlb_py_api_view" if is_lasting else "NULL"

    @property
    def type_members(self) -> list[str]:
        """Returns the members of the `dlb_type`."""
        item, tensor, scope = self.item, self.tensor, self.scope
        found = [f".name = {c_string(scope.full_name)}"]
        if tensor is not None:
            found += [f".ndim = {self.rank}", f".describe = {scope.hook('describe')}"]
        found += scope.members_of_type
        if scope.by_value and item.release == RELEASES_NOTHING:
            found.append(".only_bytes = 1")
        if self._shares:
            found.append(f".shares = {c_string(item.type)}")
        if item.params:
            found += [f".params = {scope.hook('params')}", f".param_count = {len(item.params)}"]
            if tensor is not None and _checks_params(tensor):
                found.append(".params_checked = 1")
        found += [f".{name} = {scope.hook(name)}" for name, _ in self.hooks]
        if item.release_on != "any":
            found.append(f".release_on = {RELEASE_FLAGS[item.release_on]}")
        found += [".writable = 1"] if tensor is None else self._members_of_memory(tensor)
        if self.importer is not None:
            found.append(f".importer = &{self.importer.name}")
        found += [f".describe_fast = {scope.hook('describe_fast')}"] if self.has_fast_description else []
        return found + ([f".import_fast = {scope.hook('import_fast')}"] if self.has_fast_import else [])

    def _members_of_memory(self, tensor: Tensor) -> list[str]:
        found = [f".copy = {COPYING[tensor.copy]}"] if tensor.copy != "never" else []
        if tensor.legacy_readonly == "copy":
            found.append(".legacy_copy = 1")
        record = record_of(tensor)
        if record is not None:
            found.append(f".record = &{record.table}")
        if tensor.may_have_records:
            found.append(".record_at = offsetof(dlb_array, record)")
        if declares_readonly(tensor):
            found.append(".declares_readonly = 1")
        data = _plain_data(tensor)
        if data is not None:
            pointer = replace_names(data, {"self": self.scope.null})
            found.append(f".writable = DLB_POINTS_TO_WRITABLE({pointer})")
        return found + ([f".allocator = &{self.allocator.name}"] if self.allocator is not None else [])

    # ---- Imports and allocations ----

    @property
    def factories(self) -> tuple[Factory, ...]:
        return tuple(factory for factory in (self.importer, self.allocator) if factory is not None)

    @property
    def import_params(self) -> tuple[Declaration, ...]:
        return self.item.import_.params if self.item.import_ is not None else ()

    @property
    def allocate_params(self) -> tuple[Declaration, ...]:
        return self.tensor.allocate.params if self.tensor is not None and self.tensor.allocate is not None else ()

    @property
    def import_parameters(self) -> str:
        return c_parameters(self.import_params)

    @property
    def allocate_parameters(self) -> str:
        return c_parameters(self.allocate_params)

    @cached_property
    def _objects_of_import(self) -> ObjectParams:
        return objects(self.import_params, self._names.items.values())

    @cached_property
    def _objects_of_allocation(self) -> ObjectParams:
        return objects(self.allocate_params, self._names.items.values())

    def _import_keywords(self) -> tuple[str, str]:
        """Returns the keywords of `from_dlpack` behind `*`, as the stub and as Python's help show them."""
        shown = import_keywords(self.import_params, self._objects_of_import)
        return with_stream(class_docs.made_of_arrays(self.item), *shown)

    @property
    def import_stub(self) -> str:
        return self._import_keywords()[0]

    @property
    def from_doc(self) -> str:
        """Returns the docstring of `from_dlpack`, as a C string literal."""
        paragraphs = "\n\n".join(class_docs.from_paragraphs(self.item))
        return c_strings(f"from_dlpack($type, x, /, *{self._import_keywords()[1]})\n--\n\n{paragraphs}")

    @property
    def default_dtype(self) -> str | None:
        """Returns the default dtype of `empty`, as a Python literal. None if the caller must pass a dtype."""
        return class_docs.default_dtype(self.tensor)

    @property
    def allocate_stub(self) -> str:
        return stub_parameters(self.allocate_params, self._objects_of_allocation)

    @property
    def empty_doc(self) -> str:
        """Returns the docstring of `empty`, as a C string literal."""
        dtype = "dtype" if self.default_dtype is None else f"dtype={self.default_dtype}"
        shown = text_signature(self.allocate_params, self._objects_of_allocation)
        return c_strings(f"empty($type, /, shape, *, {dtype}{shown})\n--\n\n{class_docs.empty_summary(self.tensor)}")

    # ---- Attributes in Python ----

    @cached_property
    def views(self) -> tuple[View, ...]:
        """The methods that return the object as an instance of another class."""
        return tuple(
            View(
                of=other,
                c_name=self._names.c_name(other.name),
                parts=self._parts_of(other),
                inherited=self._related.inherited(self.item, other),
                condition=self._condition(other),
            )
            for other in self._related.methods(self.item)
            if not any(each.name == snake(other.name) and each.shows(other.name) for each in self.item.properties)
        )

    def _parts_of(self, other: Tensor) -> str:
        """Returns the table of the only parts that are objects of `other`, or NULL.

        It returns NULL if `other` limits its indices itself by `require` or by a computed default.
        """
        found = [part for part in self.item.parts if part.of == other.name]
        default = other.params[0].value if other.params else None
        is_counted = len(found) == 1 and not other.require and (default is None or default.isdecimal())
        return f"&{self.scope.c_name}_parts_{found[0].name}" if is_counted else "NULL"

    @cached_property
    def parts(self) -> tuple[Parts, ...]:
        """The properties that are tuples of tensors."""
        of = [self._names.items[part.of] for part in self.item.parts]
        return tuple(
            Parts(self.scope, part, self._names.c_name(part.of), self._condition(each))
            for part, each in zip(self.item.parts, of, strict=True)
        )

    def _condition(self, other: Item) -> str | None:
        """Returns the preprocessor condition of the other class, or None if this class has the same condition."""
        return None if other.condition == self.item.condition else other.condition

    @property
    def self_operand(self) -> str:
        """Returns the operand of the object of a property, as an entry of a table; empty: no property needs it."""
        of_objects = [each for each in self.item.properties if each.kind.is_object]
        views = [each for each in of_objects if is_view(self._names, self.item, each)]
        if len(views) == len(self.item.properties):
            return ""
        fragments = [each.get for each in self.item.properties]
        asked = any(mentions(fragments, param.name) for param in self.item.params)
        flags = ", .flags = DLB_PY_KEPT" if asked or len(views) < len(of_objects) else ""
        return f"{{ .param = -1, .type = &{self.scope.c_name}_type{flags} }}"

    @property
    def called(self) -> tuple[EmittedFunction, ...]:
        """Returns all functions that Python calls, except getters."""
        setters = [each.setter for each in self.properties if each.setter is not None]
        return (*self.methods, *setters, *([self.new] if self.new is not None else []))

    @property
    def slots(self) -> tuple[TypeSlot, ...]:
        """Returns the special methods."""
        if not any(function.name in SPECIAL for function in self.item.methods):
            return ()
        entered = [method for method in self.methods if method.entry]
        named = {group[0].name: each for group, each in zip(groups(self.item.methods), entered, strict=True)}
        return type_slots(named, has_items(self.item.methods))

    @property
    def has_methods(self) -> bool:
        """Returns whether the class has methods besides those of all classes."""
        return bool(self.importer or self.allocator or self.views or self.methods)

    @property
    def has_attributes(self) -> bool:
        """Returns whether the class has attributes besides those of all tensors."""
        return bool(self.item.parts or self.properties)

    @property
    def stubs(self) -> tuple[str, ...]:
        """Returns the lines of the stub for methods, properties and `new`."""
        return member_stubs(self.item, self._names)


def _checks_params(tensor: Tensor) -> bool:
    """Returns whether a `require` tests parameters from Python.

    Requirements of tensors with `acquire` do not count: they test acquired memory.
    """
    fragments = [check.expr for check in tensor.require]
    return not tensor.acquire and any(mentions(fragments, param.name) for param in tensor.params)


def _plain_data(tensor: Tensor) -> str | None:
    """Returns the data expression if its C type alone decides whether it is read-only and it is valid outside of
    functions."""
    readonly = any(slots.readonly is not None for slots in all_slots(tensor))
    data = alternatives(tensor.slots.data)
    if readonly or len(data) != 1 or class_docs.chooser(tensor, "data") is not None:
        return None
    return data[0] if isinstance(data[0], str) and _MEMBER.fullmatch(data[0]) else None


# ---- Functions that Python calls ----


def emit_function(names: CNames, function: Call, owner: Item | None = None, fast: bool = False) -> EmittedFunction:
    from dlpack_bindgen.calls import emitted_function  # imported late: many specs have no functions

    return emitted_function.emit_function(names, function, owner, fast)


def emit_functions(names: CNames, functions: Sequence[Call], owner: Item | None = None) -> tuple[EmittedFunction, ...]:
    """Returns the emitted functions of calls. Those of one name are followed by the function that chooses."""
    found: list[EmittedFunction] = []
    for group in groups(functions):
        if len(group) == 1:
            found.append(emit_function(names, group[0], owner, fast=group[0].name == "__call__"))
            continue
        from dlpack_bindgen.calls import alternatives  # imported late: many specs have no functions

        found += alternatives.emit_alternatives(names, group, owner)
    return tuple(found)


# ---- Tables of requirements: a file has each only once, although several arrays have the same requirements ----


class Tables:
    """The tables of requirements that stand above a place in a file, by their conditions and entries."""

    def __init__(self) -> None:
        self._names: dict[tuple[tuple[str | None, ...], tuple[str, ...]], str] = {}

    def of_function(self, function: EmittedFunction, condition: str | None) -> EmittedFunction:
        """Returns the function without the tables that equal earlier ones, to which it then refers."""
        names = {
            table.name: self.first(table, (condition, function.condition))
            for table in function.tables
            if table.type == TABLE
        }
        renamed = {old: new for old, new in names.items() if old != new}
        if not renamed:
            return function
        kept = (table for table in function.tables if table.name not in renamed)
        operands = (replace_names(entry, renamed) for entry in function.operands)
        return replace(function, tables=tuple(kept), operands=tuple(operands))

    def first(self, table: Table, conditions: tuple[str | None, ...]) -> str:
        """Returns the name of the first equal table that exists wherever this one does, or of the table itself."""
        for known in ((None,) * len(conditions), conditions):
            if (known, table.entries) in self._names:
                return self._names[known, table.entries]
        return self._names.setdefault((conditions, table.entries), table.name)
