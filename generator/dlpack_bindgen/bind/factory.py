"""Functions that make objects: their requirements, their variables and their statements."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

from dlpack_bindgen.arguments.kind import Piece
from dlpack_bindgen.arguments.requirements import Check, Requirements
from dlpack_bindgen.bind.accepts import COPYING, accepts, ranks
from dlpack_bindgen.bind.binding import REQUIREMENTS, FactoryBinding, Function, Struct, Table
from dlpack_bindgen.bind.hooks import ender, printed
from dlpack_bindgen.bind.inverse_match import inverse_match
from dlpack_bindgen.bind.params import params_table
from dlpack_bindgen.c.fragments import (
    argument,
    arrays_by_axis,
    constant,
    declaration,
    mentions,
    needs_no_check,
    replace_names,
    replace_result,
    statement,
    statements,
)
from dlpack_bindgen.c.names import STATIC
from dlpack_bindgen.c.quote import c_string
from dlpack_bindgen.dlpack import MAX_NDIM
from dlpack_bindgen.slots.scope import Scope, Variables
from dlpack_bindgen.spec.spec import Allocate, Construct, Deleter, Import, Init, Let, SetFields, Step, Tensor
from dlpack_bindgen.steps.flow import MAKE, Flow, made_fragments, returned, step_fragments, zeroed

_SCOPE = {
    "data": "void *data = source->data;",
    "ndim": "const int ndim = source->ndim;",
    "shape": "const int64_t *shape = source->shape;",
    "strides": "const int64_t *strides = source->strides;",
    "byte_strides": "const int64_t *byte_strides = dlb_byte_strides(source);",
    "dtype": "const DLDataType dtype = source->dtype;",
    "itemsize": "const int64_t itemsize = dlb_itemsize(source->dtype);",
    "nbytes": "const int64_t nbytes = dlb_source_nbytes(source);",
    "readonly": "const int readonly = source->readonly;",
    "device_id": "const int device_id = source->device_id;",
}
"""Variables of an import in the order of their declarations.

Each is declared if the spec mentions it; `user` is the last.
"""
_LEASE = "struct dlb_lease *"
"""The type of `user`. With `void *`, no compiler would report `user` in the place of `deleter`."""


def bind_importer(scope: Scope, tensor: Tensor, classes: Mapping[str, str]) -> FactoryBinding | None:
    """Binds the import. `classes` maps params that are objects to the C names of their classes."""
    if tensor.import_ is None:
        return None
    return _Factory(scope, tensor, "import", tensor.import_, classes).binding()


def bind_allocator(scope: Scope, tensor: Tensor) -> FactoryBinding | None:
    return _Factory(scope, tensor, "allocate", tensor.allocate).binding() if tensor.allocate is not None else None


class _Factory:
    def __init__(
        self,
        scope: Scope,
        tensor: Tensor,
        verb: str,
        spec: Import | Allocate,
        classes: Mapping[str, str] | None = None,
    ) -> None:
        self._scope = scope
        self._classes = classes
        self._tensor = tensor
        self._verb = verb
        self._spec = spec
        self._import = spec if isinstance(spec, Import) else None
        self._name = scope.hook(verb)
        self._facts_name = f"{STATIC}{scope.c_name}_{'importer' if verb == 'import' else 'allocator'}"
        self._boxed = isinstance(spec.build, (SetFields, Init))
        """Whether the object is a struct that the module allocates, not the library."""
        self._arrays = [step for step in spec.let if isinstance(step, Let) and step.array] if self._boxed else []
        self._uses_source = False
        self._custom = None if self._import is None or scope.by_value else self._import.box
        self._has_box = self._boxed and bool(self._arrays or self._custom)
        deleter = self._import.deleter if self._import else None
        # Held values do not exist yet, and `self` is the new object.
        self._inner = replace(scope, params=(), hold=(), has_state=False)
        self._inverse = inverse_match(self._inner, tensor, spec)
        names = {"deleter": scope.hook("deleter")} if deleter is not None else {}
        self._flow = Flow(self._inner, MAKE, lambda text: self._inverse.rename(replace_names(text, names)))

    # ---- Binding ----

    def binding(self) -> FactoryBinding:
        spec, made = self._spec, self._import
        structs: list[Struct] = []
        functions: list[Function] = []
        params = None
        if made is not None and made.params:
            struct = f"{self._scope.c_name}_import_params"
            structs.append(Struct(struct, tuple(declaration(p.ctype, p.name) for p in made.params)))
            table = f"{STATIC}{self._scope.c_name}_import_table"
            params = params_table(table, f"struct {struct}", made.params, classes=self._classes)
            if any(param.value is not None for param in made.params):
                functions.append(self._import_defaults(struct, made))
        if self._has_box:
            structs.append(Struct(f"{self._name}_box", self._box_members()))
        if made is not None and made.deleter is not None:
            functions.append(_adapter(self._scope, made.deleter))
        destroy = self._destroy(functions)
        functions.append(self._function())
        requirements = Table(f"{REQUIREMENTS} {self._name}_requirements", tuple(self._requirements(spec.require)))
        facts = [f".make = {self._name}", *([f".destroy = {destroy}"] if destroy else [])]
        facts += [f".require = &{requirements.name}", *self._facts()]
        if params is not None:
            facts += [
                f".params = {params.table}",
                f".param_count = {len(params.entries)}",
                f".params_size = sizeof(struct {self._scope.c_name}_import_params)",
            ]
            if functions[0].head.endswith("_import_defaults(void *object)"):
                facts.append(f".defaults = {self._scope.hook('import_defaults')}")
        return FactoryBinding(tuple(structs), tuple(functions), params, requirements, self._facts_name, tuple(facts))

    def _import_defaults(self, struct: str, made: Import) -> Function:
        lines = [
            f"params->{param.name} = {param.value};{self._scope.label(f'import.params.{param.name}')}"
            for param in made.params
            if param.value is not None
        ]
        return Function(
            head=f"static void {self._scope.hook('import_defaults')}(void *object)",
            lines=(f"struct {struct} *params = object;", "", *lines),
            strict="DLB_STRICT_BEGIN",
        )

    def _destroy(self, functions: list[Function]) -> str | None:
        """Returns the function that destroys a made object."""
        release = self._scope.hook("release")
        if self._import is None:
            return release
        both = {"import.detach": self._import.detach, "import.destroy": self._import.destroy}
        statements = {slot: text for slot, text in both.items() if text is not None}
        if not statements:
            return None
        if [*statements.values()] == [self._tensor.release]:
            return release
        functions.append(ender(self._scope, "destroy", statements))
        return self._scope.hook("destroy")

    # ---- Function ----

    def _function(self) -> Function:
        flow, spec, made = self._flow, self._spec, self._import
        late = [check for check in spec.require.checks if _reads_codes(check)]
        for check in spec.require.checks:
            if check not in late:
                flow.refuse_unless(check, f"{self._verb}.require")
        for chain in self._inverse.chains:
            flow.add(*chain(flow.exit))
            flow.separate()
        for check in late:
            flow.refuse_unless(check, f"{self._verb}.require")
        self._lets(spec.let)
        if not flow.is_empty:
            flow.separate()
        body = flow.body(self._build(spec.build))
        locals_ = self._locals()
        source = flow.can_fail or any("source->" in line or "(source" in line for line in locals_) or self._uses_source
        names = (*(() if source else ("source",)), *(() if flow.can_fail else ("error",)))
        return Function(
            head=f"static void *{self._name}(dlb_source *source, dlb_error *error)",
            lines=(*locals_, *self._inverse.declarations),
            variables=Variables(()),
            body=body,
            unused=names,
            strict="DLB_STRICT_NONNEGATIVE_BEGIN" if made is None else "DLB_STRICT_BEGIN",
        )

    def _locals(self) -> list[str]:
        fragments = made_fragments(self._spec)
        lines = []
        if self._has_box:
            lines.append(f"struct {self._name}_box *box = source->box;")
            lines += self._box_locals()
        elif self._boxed and not self._scope.by_value:
            lines.append(f"{self._scope.type} *self = source->box;")
        given = [param for param in self._import.params if mentions(fragments, param.name)] if self._import else []
        if given:
            lines.append(f"const struct {self._scope.c_name}_import_params *params = source->params;")
        if any(isinstance(step, Let) and step.array for step in self._spec.let) or self._sets_axes():
            fragments.append("ndim")
        lines += [line for word, line in _SCOPE.items() if mentions(fragments, word)]
        if mentions(fragments, "user"):
            lines.append(f"{declaration(self._type_of_user(), 'user')} = source->user;")
        lines += [f"{constant(param.ctype, param.name)} = params->{param.name};" for param in given]
        if self._boxed and self._scope.by_value:
            lines += printed(Variables((zeroed(self._scope.type, "self"),)))
        return lines

    def _type_of_user(self) -> str:
        """Returns the type in which the library returns `user`, if this is a pointer type of the library."""
        deleter = self._import.deleter if self._import else None
        declared = next((ctype for ctype, name in deleter.parameters if name == "user"), _LEASE) if deleter else _LEASE
        return declared if declared.endswith("*") and _words(declared) != ["void", "*"] else _LEASE

    def _sets_axes(self) -> bool:
        build = self._spec.build
        return isinstance(build, SetFields) and any(_by_axis(*field) for field in build.fields)

    def _set_arrays(self) -> list[str]:
        """Returns the array members of the struct that get an element for each axis."""
        build = self._spec.build
        fields = [field for field, _ in build.fields] if isinstance(build, SetFields) else []
        arrays = dict.fromkeys(array for field in fields for array in arrays_by_axis(f"self.{field}"))
        return [array.removeprefix("self.") for array in arrays]

    def _lets(self, steps: Sequence[Step]) -> None:
        rest: list[Step] = []
        for step in steps:
            if isinstance(step, Let) and step.array:
                self._flow.steps(rest, f"{self._verb}.let")
                rest = []
                self._array(step)
            else:
                rest.append(step)
        self._flow.steps(rest, f"{self._verb}.let")

    def _array(self, let: Let) -> None:
        """Fills an array with a checked element for each axis."""
        lines = []
        if let not in self._arrays:
            lines.append(f"{declaration(let.ctype, let.name)}[{self._most_axes()}] = {{0}};")
        place = "ndim - 1 - axis" if let.turned else "axis"
        label = self._scope.label(f"{self._verb}.let.{let.name}")
        lines += [
            "for (int axis = 0; axis < ndim; axis++) {",
            f"DLB_SET(source, {let.name}[axis], {let.value}[{place}]);{label}",
            "}",
        ]
        self._flow.add_lines(lines)
        self._flow.leave_if_out_of_range()

    def _most_axes(self) -> str:
        high = ranks(self._tensor, self._spec.require)[1]
        return "DLB_MAX_NDIM" if high == MAX_NDIM else str(max(high, 1))

    # ---- Construction ----

    def _build(self, build: SetFields | Init | Construct) -> Piece:
        """Makes the object, and returns the value that the function returns."""
        if isinstance(build, SetFields):
            self._set(build)
            failed = "dlb_source_failed(source, error)"
            if not all(needs_no_check(value) for _, value in build.fields):
                attach = self._import is not None and self._import.attach is not None
                if not attach and not self._scope.by_value:
                    self._flow.can_fail = True
                    return returned(f"{failed} ? NULL : self")
                self._flow.leave_if_out_of_range()
        elif isinstance(build, Init):
            self._flow.call(build, f"{self._verb}.init")
        else:
            return self._construct(build)
        self._attach()
        return self._made()

    def _made(self) -> Piece:
        """Stores an object by value in the storage that the owner reads."""
        if not self._scope.by_value:
            return returned("self")
        place = "box->object" if self._has_box else f"*({self._scope.type} *)source->box"
        self._flow.add_lines([f"{place} = self;"])
        self._uses_source = True
        return returned("&box->object" if self._has_box else "source->box")

    def _set(self, build: SetFields) -> None:
        place = f"self{'.' if self._scope.by_value else '->'}"
        most = ranks(self._tensor, self._spec.require)[1]
        for array in self._set_arrays() if most < MAX_NDIM else ():
            message = f"{self._scope.name}.import.set: {array} must be at least {most} elements long"
            self._flow.add_lines([f"DLB_ASSERT_LENGTH({place}{array}, {most}, {c_string(message)});"])
        looping, lines = False, list[str]()
        for field, value in build.fields:
            text = self._flow.text(value)
            if needs_no_check(value):
                line = f"{place}{self._inverse.rename(field)} = {text};"
            else:
                line = f"DLB_SET(source, {place}{self._inverse.rename(field)}, {argument(text)});"
            line += self._scope.label(f"import.set.{field}")
            if not _by_axis(field, value):
                lines.append(line)
            elif looping:
                lines.insert(-1, line)
            else:
                lines += ["for (int axis = 0; axis < ndim; axis++) {", line, "}"]
            looping = _by_axis(field, value)
        self._flow.add_lines(lines)

    def _construct(self, build: Construct) -> Piece:
        scope, flow = self._scope, self._flow
        attach = self._import is not None and self._import.attach is not None
        result = "self" if attach or scope.by_value else "result"
        if not scope.by_value and not attach and build.ok is None and self._is_checked(build.call, scope.pointer):
            return returned(build.call)
        label = scope.label(f"{self._verb}.construct")
        flow.add_lines([f"{declaration(scope.pointer, result)} = {flow.text(build.call)};{label}"])
        test = build.ok if build.ok is not None or scope.by_value else "% != NULL"
        if test is not None:
            names = {"result": result}
            error = replace_names(build.error, names) if build.error else None
            undo = [statement(flow.text(replace_names(build.undo, names)))] if build.undo else []
            exit = flow.call_failed(build.call, error, scope.label(f"{self._verb}.error"), undo)
            flow.leave_unless(flow.text(replace_result(test, result)), exit)
        self._attach()
        return self._made() if scope.by_value else returned(result)

    def _is_checked(self, name: str, own: str) -> bool:
        """Returns whether the variable has that pointer type and was tested for NULL.

        Later steps must not change it.
        """
        steps = self._spec.let
        place = next((i for i, each in enumerate(steps) if isinstance(each, Let) and each.name == name), None)
        if place is None:
            return False
        let, changed = steps[place], re.compile(rf"&\s*{name}\b(?!\s*(->|\[))|\b{name}\s*=[^=]")
        later = [text for text in step_fragments(steps[place + 1 :]) if text is not None]
        tested = isinstance(let, Let) and let.ok == "% != NULL" and _words(let.ctype) == _words(own)
        return tested and not any(changed.search(text) for text in later)

    def _attach(self) -> None:
        if self._import is None or self._import.attach is None:
            return
        action = self._import.attach.action
        ends = [text for text in (self._import.detach, self._import.destroy) if text is not None]
        undo = [each for text in ends for each in statements(text)]
        if undo and action.ok is not None:
            self._flow.constructed()
        self._flow.call(action, "import.attach", undo)

    # ---- Storage ----

    def _box_members(self) -> tuple[str, ...]:
        axes = self._most_axes()
        arrays = (f"{declaration(array.ctype, array.name)}[{axes}]" for array in self._arrays)
        return (f"{self._custom or self._scope.type} object", *arrays)

    def _box_locals(self) -> list[str]:
        lines = []
        if self._custom:
            told = c_string(f"{self._scope.name}.import.box: {self._custom} must be as large as {self._scope.type}")
            lines.append(f"DLB_ASSERT_STORAGE({self._custom}, {self._scope.type}, {told});")
        if not self._scope.by_value:
            cast = f"({self._scope.type} *)(void *)" if self._custom else ""
            lines.append(f"{self._scope.type} *self = {cast}&box->object;")
        return lines + [f"{array.ctype.rstrip()} *{array.name} = box->{array.name};" for array in self._arrays]

    def _requirements(self, require: Requirements) -> list[str]:
        place = f"{self._scope.null}{'.' if self._scope.by_value else '->'}"
        lengths = [f"DLB_LENGTH({place}{array})" for array in self._set_arrays()]
        made = self._import
        facts = accepts(self._tensor, require, made is not None, lengths)
        if made is not None and made.copy != "never":
            facts.append(f".copy = {COPYING[made.copy]}")
        return facts

    def _facts(self) -> list[str]:
        """Returns the members of the `dlb_factory` that say where the object is stored."""
        facts = []
        if self._has_box:
            facts.append(f".box = DLB_STORAGE_FOR(struct {self._name}_box)")
        elif self._boxed or self._scope.by_value:
            facts.append(f".box = DLB_STORAGE_FOR({self._scope.type})")
        if self._import is not None and self._import.deleter is not None:
            facts.append(".lease = 1")
        return facts


def _reads_codes(check: Check) -> bool:
    """Returns whether the check reads `code` or `device_code`. It must then follow their assignment."""
    fragments = [check.expr, check.message, check.error]
    return mentions(fragments, "code") or mentions(fragments, "device_code")


def _by_axis(field: str, value: str) -> bool:
    return mentions([field, value], "axis")


def _adapter(scope: Scope, deleter: Deleter) -> Function:
    """Returns the deleter that the library calls. It forwards the owner of the memory to the runtime."""
    names = [name for _, name in deleter.parameters]
    user = deleter.user or "user"
    unused = [f"(void){name};" for name in names if not mentions([user], name)]
    parameters = ", ".join(declaration(ctype, name) for ctype, name in deleter.parameters)
    return Function(
        head=f"static void {scope.hook('deleter')}({parameters})",
        lines=(*unused, f"dlb_lease_end({user});{scope.label('import.deleter') if deleter.user else ''}"),
    )


def _words(ctype: str) -> list[str]:
    return ctype.replace("*", " * ").split()
