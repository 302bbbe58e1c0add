"""The binding of a spec: all names and all C of a module."""

from __future__ import annotations

import keyword
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise

from dlpack_bindgen.calls.binding import FunctionBinding
from dlpack_bindgen.calls.signature import class_signature, struct_signature
from dlpack_bindgen.calls.stub import (
    gives_back,
    member_stubs,
    shown_doc,
    stubs,
    uses_arrays,
    uses_paths,
    uses_sequences,
)
from dlpack_bindgen.classes.records import FieldFacts, FieldOrder, RecordFacts
from dlpack_bindgen.classes.related import RelatedClasses
from dlpack_bindgen.emit import docs
from dlpack_bindgen.emit.binding import Binding, ClassBinding, ExternalBinding
from dlpack_bindgen.emit.functions import (
    bind_constants,
    bind_enums,
    bind_functions,
    bind_init,
    bind_new,
    bind_properties,
    bind_slots,
    called,
    headers,
    last_slots,
    self_operand,
)
from dlpack_bindgen.spec.spec import Spec
from dlpack_bindgen.tensor.accepts import COPYING, all_slots, declares_readonly, fixed_rank, record_of, with_stream
from dlpack_bindgen.tensor.binding import REQUIREMENTS, Child, FactoryBinding, FastPath, Struct
from dlpack_bindgen.tensor.c_names import CNames, enum_table, scope_of
from dlpack_bindgen.tensor.describe import bind_fast_paths, bind_one_shot, bind_parts, describe, hooks, runs_at_exports
from dlpack_bindgen.tensor.dtype import DecodedDType
from dlpack_bindgen.tensor.factory import bind_allocator, bind_importer
from dlpack_bindgen.tensor.hooks import RELEASE_FLAGS
from dlpack_bindgen.tensor.item import RELEASES_NOTHING, Declaration, Item, Tensor
from dlpack_bindgen.tensor.params import ObjectParams, import_keywords, objects, params_table, signature, text_signature
from dlpack_bindgen.tensor.shape import EachShape
from dlpack_bindgen.tensor.slot import alternatives
from dlpack_bindgen.tensor.slots import Slots
from dlpack_bindgen.tensor.strides import EachStrides
from dlpack_bindgen.text.fragments import mentions, replace_names
from dlpack_bindgen.text.literals import c_string, c_strings, comment_lines, python_doc_lines
from dlpack_bindgen.text.names import STATIC, snake
from dlpack_bindgen.text.statements import Table
from dlpack_bindgen.text.types import CType, RecordType, is_typedef, plain_type

# ---- Tables of requirements: a file has each only once, although several arrays have the same requirements ----


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


# ---- Classes of other modules: the types of this module that stand for them ----


def bind_external(spec: Spec, names: CNames, item: Item) -> ExternalBinding:
    """Returns the type that stands for a class of another module."""
    assert item.external is not None
    module, name = item.external.module, item.external.name
    c_name = names.c_name(item.name)
    full_name = f"{module.lstrip('.')}.{name}"
    scope = scope_of(spec.module, c_name, item)
    facts = [f".name = {c_string(full_name)}"]
    if scope.has_state:
        facts.append(f".state = DLB_STORAGE_FOR({scope.state})")
    if item.by_value:
        facts += [f".value = sizeof({item.type})", f".points = DLB_IS_POINTER_TYPE({item.type})"]
    facts += [".release_on = DLB_RELEASE_GIL", ".writable = 1", f".external = &{STATIC}{c_name}_external"]
    imported = f"{name} as {item.name}" if name != item.name else name
    return ExternalBinding(
        c_name=c_name,
        name=item.name,
        comment=comment_lines(f"{item.name}: {item.doc or f'objects of {full_name}.'}"),
        condition=item.condition,
        record=f"{STATIC}{c_name}_external",
        values=", ".join(map(c_string, (module, name, plain_type(item.type)))),
        state=Struct(f"{c_name}_state", scope.members()) if scope.has_state else None,
        facts=tuple(facts),
        imported=f"from {module} import {imported}",
    )


# ---- The tables with the fields of structs that are elements of arrays ----


def bind_records(spec: Spec) -> tuple[RecordFacts, ...]:
    """Returns the records, each after those that are its fields."""
    known = {record.ctype: record for record in spec.records}
    found: dict[str, RecordFacts] = {}
    for record in spec.records:
        _add(record, known, found)
    return tuple(found.values())


def _add(record: RecordType, known: Mapping[str, RecordType], found: dict[str, RecordFacts]) -> None:
    for field in record.fields:
        if field.of is not None and field.of not in found:
            _add(known[field.of], known, found)
    found.setdefault(record.ctype, _facts(record, known))


def _facts(record: RecordType, known: Mapping[str, RecordType]) -> RecordFacts:
    prefix = f"{STATIC}{record.c_name}"
    c_names = [f"{prefix}_{field.name}" for field in record.fields]
    return RecordFacts(
        type=record.ctype,
        label=f"records.{record.ctype}",
        table=record.table,
        fields_table=f"{STATIC}{record.table}_fields",
        fields=tuple(
            FieldFacts(field.name, c_name, field.of or "", known[field.of].table if field.of else "")
            for c_name, field in zip(c_names, record.fields, strict=True)
        ),
        order=tuple(FieldOrder(f"{after}_follows", before, after) for before, after in pairwise(c_names)),
    )


# ---- Conversion of a `Spec` into a `Binding`, which decides every name and every C fragment of the output ----

OUTPUT_FORMAT = 32
"""The version of the contract between emitted files and the runtime.

Increase it when older runtimes no longer fit; see `DLB_FORMAT` in the runtime.
"""

_OF_THE_RUNTIME = re.compile(r"DL|dlb_|Py|(?:ll?)?div_t$")
"""Types of the headers that generated files include in any case."""
_MEMBER = re.compile(r"self(?:(?:->|\.)\w+)+")


def names_of(spec: Spec) -> CNames:
    """Returns the classes and enumerations of a spec."""
    return CNames(
        prefix=spec.prefix,
        items={item.name: item for item in spec.items},
        enums={each.name: enum_table(spec.prefix, each.name) for each in spec.enums},
        arrays=spec.arrays,
    )


def bind(spec: Spec) -> Binding:
    items = [item for item in spec.items if item.external is None]
    names = names_of(spec)
    calls = list(called(spec))
    related = RelatedClasses(items, calls)
    classes, functions = share_tables(
        (_Class(spec, names, item, related).binding() for item in items),
        bind_functions(names, spec.functions),
    )
    return Binding(
        license=spec.license,
        spec_file=" ".join(comment_lines(spec.file)),
        module=spec.module,
        prefix=spec.prefix,
        guard=f"{spec.module.upper()}_DLPACK_H_",
        includes=spec.includes,
        undeclared=_undeclared(spec),
        docstring=c_strings(docs.module_doc(spec)),
        doc=python_doc_lines(docs.module_doc(spec)),
        classes=classes,
        external_classes=tuple(bind_external(spec, names, item) for item in spec.items if item.external is not None),
        functions=functions,
        enums=bind_enums(spec),
        constants=bind_constants(spec),
        init=bind_init(spec),
        headers=headers(spec),
        records=bind_records(spec),
        last_slots=last_slots(calls),
        takes_arrays=any(map(uses_arrays, calls)) or any(item.import_ is not None for item in items),
        takes_sequences=any(uses_sequences(each, names) for each in calls)
        or any(tensor.allocate is not None for tensor in spec.tensors),
        takes_paths=any(map(uses_paths, calls)),
        gives_back=any(gives_back(call, names) for call in calls),
        stubs=stubs(spec.functions, names),
        output_format=OUTPUT_FORMAT,
    )


class _Class:
    """Builder of the `ClassBinding` of one tensor or handle."""

    def __init__(self, spec: Spec, names: CNames, item: Item, related: RelatedClasses) -> None:
        self._spec = spec
        self._names = names
        self._item = item
        self._tensor = item if isinstance(item, Tensor) else None
        self._c_name = f"{spec.prefix}_{snake(item.name)}"
        self._scope = scope_of(spec.module, self._c_name, item)
        self._related = related
        self._shares = related.shares(item)
        self._shared = related.shared(item)

    def binding(self) -> ClassBinding:
        item, tensor, scope, c_name = self._item, self._tensor, self._scope, self._c_name
        functions, facts = hooks(scope, item)
        made_of = made_of_arrays(item)
        imported = item.import_.params if item.import_ is not None else ()
        given = objects(imported, self._names.items.values())
        import_stub, import_shown = import_keywords(imported, given)
        importer = bind_importer(scope, made_of, self._c_names(given))
        allocated = tensor.allocate.params if tensor is not None and tensor.allocate is not None else ()
        allocated_of = objects(allocated, self._names.items.values())
        allocator = bind_allocator(scope, tensor, self._c_names(allocated_of)) if tensor is not None else None
        fast_paths = tuple(bind_fast_paths(scope, tensor, importer)) if tensor is not None else ()
        moves = item.release is not None and not item.is_counted
        import_stub, import_shown = with_stream(made_of, import_stub, import_shown)
        doc = docs.class_doc(item)
        summary = f"\nThe array {docs.summary(tensor)}." if tensor is not None else ""
        parts = [(part, self._names.items[part.of]) for part in item.parts]
        new = bind_new(self._names, scope, item)
        methods = bind_functions(self._names, item.methods, item)
        return ClassBinding(
            name=item.name,
            c_name=c_name,
            short_name=snake(item.name),
            type=item.type,
            c_type=c_string(plain_type(item.type)),
            condition=item.condition,
            comment=comment_lines(f"{item.name}: {doc}{summary}"),
            docstring=c_strings(_docstring(item, doc, self._names.items)),
            doc=python_doc_lines(doc),
            owner_comment=comment_lines(docs.own(item)),
            export_comment=comment_lines(docs.owning(item, "one managed tensor")),
            export_legacy_comment=comment_lines(docs.legacy(tensor)),
            part_comment=comment_lines(docs.part(item, [*self._shared])),
            import_comment=comment_lines(docs.importing(item, made_of)),
            wrap_comment=comment_lines(docs.owning(item, f"a new Python object of class {item.name}")),
            self_parameter=scope.self_parameter,
            own_parameter=scope.self_parameter if scope.has_state else scope.labelled_self,
            signature=signature(item.params),
            state=Struct(f"{c_name}_state", scope.members()) if scope.has_state else None,
            state_values=", ".join(f".{name} = {name}" for name in ("self", *(param.name for param in item.params))),
            has_part=tensor is not None and self._shares,
            part_values=self._part_values(item.params),
            describe=None if tensor is None else describe(scope, tensor),
            borrowed_view=_borrowed_view(tensor),
            has_view=tensor is not None and not tensor.acquire,
            one_shot=tensor is not None and not (moves and (item.params or self._shares)),
            single=bind_one_shot(scope, tensor) if tensor is not None else None,
            functions=tuple(functions),
            params=params_table(f"{STATIC}{c_name}_params", scope.state, item.params, self._shared),
            facts=tuple(self._facts(facts, fast_paths)),
            fast_paths=fast_paths,
            borrowed=item.release is None,
            importer=importer,
            import_signature=signature(imported, given),
            import_stub=import_stub,
            import_state=_params_struct(f"{c_name}_import_params", imported),
            allocator=allocator,
            allocates_dtype=docs.default_dtype(tensor),
            allocate_signature=signature(allocated, allocated_of),
            allocate_state=_params_struct(f"{c_name}_allocate_params", allocated),
            allocate_comment=comment_lines(docs.allocating(item)),
            empty_doc=c_strings(docs.empty_doc(tensor, text_signature(allocated, allocated_of))),
            from_doc=c_strings(docs.from_doc(item, made_of, import_shown)),
            children=tuple(
                self._child(other) for other in self._related.methods(item) if not self._is_attribute(other)
            ),
            parts=tuple(
                bind_parts(scope, part, f"{self._spec.prefix}_{snake(of.name)}", self._condition(of))
                for part, of in parts
            ),
            methods=methods,
            slots=bind_slots(item, methods),
            properties=bind_properties(self._names, scope, item),
            self_operand=self_operand(self._names, scope, item),
            new=new,
            stubs=member_stubs(item, self._names),
        )

    def _c_names(self, classes: ObjectParams) -> dict[str, str]:
        return {name: self._names.c_name(of.name) for name, of in classes.items()}

    def _part_values(self, params: Sequence[Declaration]) -> str:
        given = ", ".join(f".{param.name} = {param.name}" for param in params)
        return given or ("0" if self._scope.has_state else "")

    def _facts(self, hooks: list[str], fast_paths: Sequence[FastPath]) -> list[str]:
        """Returns the members of the `dlb_type`."""
        item, scope, c_name = self._item, self._scope, self._c_name
        facts = [f".name = {c_string(scope.full_name)}"]
        if self._tensor is not None:
            rank = fixed_rank(self._tensor)
            facts += [f".ndim = {-1 if rank is None else rank}", f".describe = {scope.hook('describe')}"]
        if scope.has_state:
            facts.append(f".state = DLB_STORAGE_FOR({scope.state})")
        if scope.by_value:
            facts += [f".value = sizeof({item.type})", f".points = DLB_IS_POINTER_TYPE({item.type})"]
            facts += [".only_bytes = 1"] if item.release == RELEASES_NOTHING else []
        if self._shares:
            facts.append(f".shares = {c_string(item.type)}")
        if item.params:
            facts += [f".params = {STATIC}{c_name}_params", f".param_count = {len(item.params)}"]
            if self._tensor is not None and _checks_params(self._tensor):
                facts.append(".params_checked = 1")
        facts += hooks
        if item.release_on != "any":
            facts.append(f".release_on = {RELEASE_FLAGS[item.release_on]}")
        if self._tensor is None:
            facts.append(".writable = 1")  # without a description, the object is always writable
        else:
            if self._tensor.copy != "never":
                facts.append(f".copy = {COPYING[self._tensor.copy]}")
            if self._tensor.legacy_readonly == "copy":
                facts.append(".legacy_copy = 1")
            record = record_of(self._tensor)
            if record is not None:
                facts.append(f".record = &{record.table}")
            if self._tensor.may_have_records:
                facts.append(".record_at = offsetof(dlb_array, record)")
            if declares_readonly(self._tensor):
                facts.append(".declares_readonly = 1")
            data = _plain_data(self._tensor)
            if data is not None:
                pointer = replace_names(data, {"self": scope.null})
                facts.append(f".writable = DLB_POINTS_TO_WRITABLE({pointer})")
            if self._tensor.allocate is not None:
                facts.append(f".allocator = &{STATIC}{c_name}_allocator")
        if item.import_ is not None:
            facts.append(f".importer = &{STATIC}{c_name}_importer")
        facts += [f".{each.member} = {each.name}" for each in fast_paths]
        return facts

    def _child(self, other: Tensor) -> Child:
        method = snake(other.name)
        params = self._related.asked(self._item, other)
        inherited = self._related.inherited(self._item, other)
        seen = f"This object, seen as {other.name}{docs.with_params(inherited)}."
        return Child(
            method=method,
            function=f"{STATIC}{self._c_name}_as_{method}",
            of=f"{self._spec.prefix}_{method}",
            parts=self._parts_of(other),
            class_name=other.name,
            signature=signature(params),
            doc=c_strings(f"{method}($self, /{text_signature(params)})\n--\n\n{seen}"),
            condition=self._condition(other),
            is_in_stub=not keyword.iskeyword(method),
        )

    def _is_attribute(self, other: Tensor) -> bool:
        """Returns whether a property replaces the method that converts the object."""
        return any(each.name == snake(other.name) and each.shows(other.name) for each in self._item.properties)

    def _parts_of(self, other: Tensor) -> str:
        """Returns the table of the only parts that are objects of `other`, or NULL.

        It returns NULL if `other` limits its indices itself by `require` or by a computed default.
        """
        found = [part for part in self._item.parts if part.of == other.name]
        default = other.params[0].value if other.params else None
        is_counted = len(found) == 1 and not other.require and (default is None or default.isdecimal())
        return f"&{self._c_name}_parts_{found[0].name}" if is_counted else "NULL"

    def _condition(self, other: Item) -> str | None:
        """Returns the preprocessor condition of the other class, or None if this class has the same condition."""
        return None if other.condition == self._item.condition else other.condition


def _undeclared(spec: Spec) -> tuple[str, ...]:
    """Returns the first type that a header must declare, if the spec includes none."""
    types = (item.type for item in (*spec.tensors, *spec.handles) if is_typedef(CType(item.type)))
    found = [each for each in types if _OF_THE_RUNTIME.match(each) is None]
    own = 0 if spec.arrays is None else 1
    return tuple(found[:1]) if len(spec.includes) == own else ()


def _checks_params(tensor: Tensor) -> bool:
    """Returns whether a `require` tests parameters from Python.

    Requirements of tensors with `acquire` do not count: they test acquired memory.
    """
    fragments = [check.expr for check in tensor.require]
    return not tensor.acquire and any(mentions(fragments, param.name) for param in tensor.params)


def made_of_arrays(item: Item) -> Tensor:
    """Returns the tensor whose arrays are imported.

    A handle has no slots: it accepts every array that passes its `require`.
    """
    if isinstance(item, Tensor):
        return item
    slots = Slots(dtype=DecodedDType("", "", ""), shape=EachShape("", ""), strides=EachStrides(""))
    return Tensor(item.name, item.type, slots=slots, by_value=item.by_value, release=item.release, import_=item.import_)


def _params_struct(tag: str, params: Sequence[Declaration]) -> Struct | None:
    if not params:
        return None
    return Struct(tag, tuple(f".{param.name} = {param.name}" for param in params))


def _docstring(item: Item, doc: str, items: Mapping[str, Item]) -> str:
    """Returns the docstring with the signature of the class and the documentation of `new`."""
    if item.new_struct is not None:
        shown = "\n\n".join(filter(None, [doc, item.new_struct.doc]))
        return f"{struct_signature(item, item.new_struct)}\n--\n\n{shown}"
    if item.new is None:
        return doc
    shown = "\n\n".join(filter(None, [doc, shown_doc(item.new, items)]))
    return f"{class_signature(item.new, item.name)}\n--\n\n{shown}"


def _plain_data(tensor: Tensor) -> str | None:
    """Returns the data expression if its C type alone decides whether it is read-only and it is valid outside of
    functions."""
    readonly = any(slots.readonly is not None for slots in all_slots(tensor))
    data = alternatives(tensor.slots.data)
    if readonly or len(data) != 1 or docs.chooser(tensor, "data") is not None:
        return None
    return data[0] if isinstance(data[0], str) and _MEMBER.fullmatch(data[0]) else None


def _borrowed_view(tensor: Tensor | None) -> str:
    is_lasting = tensor is not None and not runs_at_exports(tensor) and tensor.copy != "always"
    return "dlb_py_api_view" if is_lasting else "NULL"
