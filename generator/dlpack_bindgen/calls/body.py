"""The emitted function of a call."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import groupby

from dlpack_bindgen.calls.binding import CallBinding, Failure, FunctionBinding
from dlpack_bindgen.calls.call import Call
from dlpack_bindgen.calls.elements import byte_count_assertions, element_assertions, returned_assertions
from dlpack_bindgen.calls.failures import Failures, names_in, requirement
from dlpack_bindgen.calls.feature import Stage, replaced
from dlpack_bindgen.calls.fragments import Locals, body_fragments, c_fragments, other_names, returned_sizes, sizes
from dlpack_bindgen.calls.kind import Argument, EmittedArgument, Place
from dlpack_bindgen.calls.lengths import Elements, expressions, in_order, late_measures, lengths
from dlpack_bindgen.calls.lifetimes import MemoryOwners, Storages, is_in_storage
from dlpack_bindgen.calls.number import byte_assertions, type_assertions
from dlpack_bindgen.calls.operands import Operands
from dlpack_bindgen.calls.records import IS_OBJECT
from dlpack_bindgen.calls.result_kind import Target
from dlpack_bindgen.calls.results import Results
from dlpack_bindgen.calls.signature import docstring, flags, given_arguments, takes_errno, text_signature
from dlpack_bindgen.frozen import Frozen
from dlpack_bindgen.tensor.c_names import CNames, descriptor, table_name
from dlpack_bindgen.tensor.dtype import CTypeDType, FixedDType
from dlpack_bindgen.tensor.item import Declaration, Item
from dlpack_bindgen.tensor.requirements import Check
from dlpack_bindgen.tensor.slot import Variable
from dlpack_bindgen.text.expressions import Element, length
from dlpack_bindgen.text.fragments import declaration, mentions, mentions_variable, operand, replace_result, statements
from dlpack_bindgen.text.literals import c_string, c_strings
from dlpack_bindgen.text.names import CALLED, called_part, snake
from dlpack_bindgen.text.statements import Assertion, Owner, Piece, Step, Table
from dlpack_bindgen.text.types import CType, Prototype, declared, pointed_to

# ---- Assertions in the body of a function about types that only the compiler knows ----
# Each assertion quotes the spec.


def assertions(
    function: Call, results: Iterable[tuple[str, str, str]], structs: Iterable[str], key: str
) -> list[Assertion]:
    """Returns the assertions of a function.

    `results` holds the name, C type and kind of each returned number. `structs` holds the types of structs that are
    passed by value, of classes with pointer objects. `key` is the path of the function in the spec.
    """
    prototype = function.prototype
    found = [] if function.is_macro else [_declares(key, prototype)]
    for ctype in dict.fromkeys(structs):
        message = f"{key}.c: {ctype} is not a struct: write 'pass: value' in its class"
        found.append(Assertion("KIND", (ctype, "STRUCT"), message))
    if function.ok == IS_OBJECT and function.says_of_failures:
        base = prototype.result.base
        message = f"{key}.ok: {base} is not a pointer and never NULL: write when the call succeeds"
        found.append(Assertion("POINTER", (f"*({base} *)0",), message))
    found += _of_twins(key, function)
    for name, ctype, kind in results:
        found += type_assertions(f"{key}.{name}", ctype, kind)
    found += returned_assertions(key, "result", prototype.result.base, function.result, function)
    if function.result.kind.has_characters():
        found += byte_assertions(f"{key}.result", prototype.result.base)
    for name, written, value in function.values[1:]:
        found += returned_assertions(key, name, written.base, value, function)
    return found


def _declares(key: str, prototype: Prototype) -> Assertion:
    """Asserts that the header declares a function with its prototype."""
    message = f"{key}.c: {prototype.name} is not a function of this type in the header (for a macro: 'macro: true')"
    return Assertion("FUNCTION", (prototype.name, _function_pointer(prototype)), message)


def argument_assertions(argument: Argument, function: Call, key: str) -> list[Assertion]:
    """Returns the assertions about an array that depend on other arguments."""
    return [
        *element_assertions(key, argument, function),
        *byte_count_assertions(key, argument, function),
    ]


def _of_twins(key: str, function: Call) -> list[Assertion]:
    """Asserts that the pointer type of a class converts to the type in the prototype, if that has another name.

    A returned pointer to const needs `borrow` or `owned` in the spec.
    """
    lines = []
    for argument in function.arguments:
        of = argument.kind.class_name
        if argument.written is not None and of is not None:
            types = [argument.ctype, argument.written]
            own, written = map(pointed_to, types) if argument.kind.is_list else types
            lines.append(_becomes(key, argument.name, of, own, written, argument.kind.may_be_struct))
    for name, written, value in function.values:
        if value.class_type is None:
            continue
        own = CType(value.class_type.base, (False,) if value.class_type.pointers else ())
        lines.append(_becomes(key, name, value.of or "", own, written, value.may_be_struct))
        if value.borrow is None and not value.owned and not written.pointers:
            text = f"{key}.{name}: the owner of this {value.of} is not declared: {written.base} points to const: "
            text += "write `borrow`, or `owned: true`"
            lines.append(Assertion("NOT_CONST", (written.base,), text))
    return lines


def _becomes(key: str, name: str, of: str, own: CType, written: CType, may_be_struct: bool) -> Assertion:
    """Asserts that the type `own` of a class converts to the type `written` in the prototype.

    With `may_be_struct`, `written` may also be the struct to which `own` points.
    """
    wanted, other = declared(own, ""), declared(written, "")
    text, remedy = f"{key}.{name}: {wanted} of {of} does not convert to {other}", f"write {wanted}, if C has it"
    if may_be_struct:
        return Assertion("PASSES", (wanted, other), f"{text}, and {other} is not {own.base}: {remedy}")
    return Assertion("CONVERTS", (wanted, other), f"{text}: {remedy}")


def _function_pointer(prototype: Prototype) -> str:
    """Returns the type of a pointer to such a function."""
    parameters = ", ".join(declared(each.ctype, "") for each in prototype.parameters) or "void"
    result = declared(prototype.result, "")
    return f"{result}{'' if result.endswith('*') else ' '}(*)({parameters})"


# ---- The steps of an emitted function that follow when the runtime has its arrays and objects ----
# They declare the variables that depend on arrays, and test what the spec requires of several parameters.


class LengthFacts(Frozen):
    """A required shape or number of elements, for `templates/functions/lengths.c.j2`."""

    place: Place
    name: str
    extents: tuple[str, ...] = ()
    count: str = ""
    like: str = ""
    """The array that the argument must be like."""


class ElementFacts(Frozen):
    """An element that C code of the spec reads, for `templates/functions/elements.c.j2`."""

    function: str
    variable: str
    argument: str
    """The array as the runtime has it; empty for strings."""
    name: str
    indices: tuple[str, ...]
    index: str
    """The number of the element in memory."""


class Variables:
    """The `steps` before the call that depend on arrays."""

    def __init__(
        self,
        function: Call,
        emitted: Mapping[str, EmittedArgument],
        params: Sequence[Variable],
        checks: Sequence[Piece],
        memory_owners: MemoryOwners,
        body: Body,
    ) -> None:
        """Builds the steps.

        `params` are those of the receiver. `checks` are the first conditions.
        """
        self._function = function
        self._call = body
        self._emitted = emitted
        self._memory_owners = memory_owners
        self._owners: tuple[Owner, ...] = ()
        """The owners of memory that C fills, the last one first."""
        self._ctypes = {argument.name: argument.ctype for argument in function.arguments}
        self._kinds = {argument.name: argument.kind for argument in function.arguments}
        self._elements = Elements(function.arguments)
        self.steps: list[Step] = []
        self._conditions = list(checks)
        """Conditions that leave the call, tested before the next statement."""
        self._conditions += [check for argument in function.arguments for check in self._like_another(argument)]
        late = late_measures(function.arguments)
        for argument in function.arguments:
            is_ordered = argument in late or argument.kind.is_made_late or argument.kind.capacity
            if not is_ordered and argument.kind.value is None and not argument.kind.is_acquired_last:
                self._add(argument)
        for param in params:
            self.steps.append(Step(Piece("calls/derived", "param", param)))
        self._in_order()

    def _in_order(self) -> None:
        function = self._function
        first, steps, left = in_order(function.arguments, function.require)
        assert not left, "validation leaves no circle"
        for item in (*first, *(item for step in steps for item in step)):
            self._conditions += [
                self._element(element) for text in expressions(item) for element in self._elements.unknown(text)
            ]
            if isinstance(item, Check):
                self._tested()
                fails, raised = requirement(item, self._call)
                self.steps.append(Step(None, (fails,), raised, self._left(), label=f" /* {self._call.key}.require */"))
                continue
            has_value = item.kind.value is not None
            if has_value and item not in first:
                self._tested()
            if has_value or item.kind.measure is not None or item.kind.capacity:
                self._add(item)
                continue
            self._conditions += self._required(item)
            if item.kind.is_made_late:
                self._tested()
                self._add(item)
        self._conditions += self._counted_strings()
        self._conditions += [self._element(element) for text in sizes(function) for element in self._of_size(text)]
        self._tested()

    def last(self, owners: tuple[Owner, ...]) -> tuple[Step, ...]:
        """Returns the steps that follow all others, because a refused call must not run them. `owners`: those that are
        released if such a step fails."""
        self.steps, others = [], self.steps
        for argument in self._function.arguments:
            if argument.kind.is_acquired_last:
                self._add(argument)
        self._tested()
        self.steps, steps = others, self.steps
        return tuple(replace(step, owners=owners) for step in steps)

    def _add(self, argument: Argument) -> None:
        """Adds the pieces of a kind."""
        for piece in argument.kind.late_pieces(self._emitted[argument.name]):
            if piece.is_condition:
                self._conditions.append(piece)
                continue
            if piece.follows_checks:
                self._tested()
            self.steps.append(Step(piece))
        if argument.kind.capacity:
            self._tested()
            self._owners = (self._memory_owners.filled(argument.name), *self._owners)

    def _left(self) -> tuple[Owner, ...]:
        return (*self._owners, *self._memory_owners.given())

    def _tested(self) -> None:
        """Adds the step that tests the conditions."""
        if self._conditions:
            several = len(self._conditions) > 1
            tests = [replace(each, is_enclosed=several and bool(each.conditions)) for each in self._conditions]
            self.steps.append(Step(None, tuple(tests), None, self._left(), follows_blank_line=True))
            self._conditions = []

    def _counted_strings(self) -> Iterator[Piece]:
        for argument in self._function.arguments:
            counted = argument.kind.count_piece(self._emitted[argument.name])
            if counted is not None:
                yield counted

    def _of_size(self, text: str | None) -> list[Element]:
        """Returns the elements that the size of returned bytes reads, as far as they are known before the call."""
        late = [name for name, _, _ in self._function.values]
        found = self._elements.unknown(text) if text is not None else []
        return [each for each in found if not any(mentions((*each.indices, *each.conditions), name) for name in late)]

    def _element(self, element: Element) -> Piece:
        """Returns the condition that an element lies outside its array."""
        name, call, ctype = element.array, self._call, self._ctypes[element.array]
        index = element.indices[0]
        for extent, inner in zip(ctype.extents[1:], element.indices[1:], strict=True):
            index = f"({index}) * ({extent}) + ({inner})"
        kind = self._kinds[name]
        is_string = kind.least_elements is not None
        facts = ElementFacts(
            function=call.table,
            variable=call.variable(name),
            argument="" if is_string else call.place(name).argument,
            name=name,
            indices=element.indices,
            index=call.length(index),
        )
        held = tuple(operand(call.text(condition)) for condition in element.conditions)
        return Piece(
            "functions/elements",
            "has_no_string" if kind.is_table_of_strings else "has_no_letter" if is_string else "has_no_element",
            facts,
            is_condition=True,
            conditions=held,
        )

    def _required(self, argument: Argument) -> Iterator[Piece]:
        shape, counts = lengths(argument)
        late, place, name = argument.kind.is_made_late, self._call.place, argument.name
        found = []
        if shape:
            facts = LengthFacts(place(name), name, extents=tuple(map(self._call.length, shape)))
            found.append(("has_no_shape" if late else "has_other_shape", facts))
        for count in counts:
            facts = LengthFacts(place(name), name, count=self._call.length(count))
            found.append(("has_no_count" if late and not found else "has_other_count", facts))
        for macro, facts in found:
            piece = Piece("functions/lengths", macro, facts, is_condition=True)
            yield replaced(self._function.features, argument, piece, self._call)

    def _like_another(self, argument: Argument) -> Iterator[Piece]:
        """Yields the check of an output without a declared length against the array that it is `like`."""
        made, name = argument.kind.new_output, argument.name
        if made is not None and made.like and argument.kind.has_elements and not any(lengths(argument)):
            facts = LengthFacts(self._call.place(name), name, like=self._call.place(made.like).argument)
            yield Piece("functions/lengths", "has_count_unlike", facts, is_condition=True)


# Binding of a C function that CPython calls: its tables, and its body with arguments, call, result and cleanup.


def bind_function(names: CNames, function: Call, owner: Item | None = None, fast: bool = False) -> FunctionBinding:
    """Returns the binding of a function or of a member of `owner`. With `fast`, it always uses vectorcall."""
    return Body(names, function, owner, fast).binding()


class FactoryParamFacts(Frozen):
    """The variables that are params of the factories of an argument, for `templates/functions/factory_params.c.j2`."""

    argument: str
    variables: tuple[str, ...]


class Body:
    """The emitted function of a call. Features and kinds of arguments ask it for names, places and C."""

    key: str
    """The path of the function in the spec."""
    table: str
    """The name of the `dlb_py_function` constant."""
    tables: str
    """The beginning of the names of its other tables."""
    given: str
    """The variable with the arguments that Python passes."""
    passed: str
    """The arguments that Python has passed, or NULL if the function has none."""
    arrays: str
    """The variable with the arrays and objects."""
    answer: str
    """The variable with the object that Python gets."""
    receiver: str | None
    """The parameter that is the object of a method."""
    params_of_self: list[Declaration]
    """The `params` of the object of a method that are not arguments."""
    items: Mapping[str, Item]
    """The classes of the spec, and of other modules."""
    enums: Mapping[str, str]
    """The C names of the tables of enumerations."""

    def __init__(self, names: CNames, function: Call, owner: Item | None, fast: bool) -> None:
        self._names = names
        self._function = function
        self.items = names.items
        self._owner = owner
        fragments = body_fragments(function)
        self._used_names = {argument.name for argument in function.arguments} | names_in(fragments)
        self.arguments, self.receiver = function.arguments, function.receiver
        self.params_of_self = self._params_of_self()
        self._params = [each for each in self.params_of_self if self._is_mentioned(each.name)]
        outside = [text for feature in function.features for text in feature.c_text()]
        is_outside = {
            each.name for each in self.params_of_self for text in outside if mentions_variable(text, each.name)
        }
        named = dict.fromkeys([*self._params, *(each for each in self.params_of_self if each.name in is_outside)])
        own = (*(each.name for each in function.arguments), *(each.name for each in named), "result")
        casts = [f"({each.ctype})0" for each in named]
        found = other_names(own, [*fragments, *casts, *self._inlined()])
        has_type = any(name.endswith("_type") for name in own)
        constants = [f"{names.c_name(name)}_type" for name in names.items] if has_type else []
        called = (name for argument in function.arguments for name in argument.kind.c_functions)
        self._locals = Locals(own, {*found, *constants, *called})
        self._used_names.update(self._locals.chosen)
        self.given, self._sorted, self.arrays, self._number = map(self.own, ("given", "sorted", "arrays", "number"))
        scope = f"{names.prefix}_{snake(owner.name)}" if owner is not None else names.prefix
        self.c_name = f"{CALLED}{scope}_{called_part(function.key)}"
        self.table = descriptor(owner, called_part(function.key))
        self.key = function.key if owner is None else f"{owner.name}.{function.key}"
        self.given_arguments = given_arguments(function)
        self.passed = self.given if self.given_arguments else "NULL"
        self._fast = fast or bool(self.given_arguments)
        self._index = {argument.name: index for index, argument in enumerate(self.given_arguments)}
        self.tables = table_name(owner, called_part(function.key))
        self._operands = Operands(function, names, self.tables, self.arrays, bool(named), self)
        self._memory_owners = MemoryOwners(function, self.own)
        parts = (self._operands, self.own, self._locals, self._memory_owners, self.table, self)
        self._results = Results(function, names, *parts)
        self._storage = Storages(self._results.storages(f"{self.key}.c"))
        self.enums = names.enums
        self._ctypes = {argument.name: argument.ctype for argument in function.arguments}
        self._kinds = {argument.name: argument.kind for argument in function.arguments}
        self._paths = [each.name for each in self.given_arguments if each.kind.is_path]

    def _params_of_self(self) -> list[Declaration]:
        """Returns the `params` of the receiver that are not arguments."""
        taken = [argument.name for argument in self._function.arguments]
        params = self._owner.params if self._owner is not None and self._function.self_index is not None else ()
        return [each for each in params if each.name not in taken]

    def _is_mentioned(self, name: str) -> bool:
        return any(text is not None and mentions_variable(text, name) for text in c_fragments(self._function))

    def binding(self) -> FunctionBinding:
        function, in_class = self._function, self._owner is not None
        doc = f"{text_signature(function, in_class)}\n--\n\n{docstring(function, self._names.items)}"
        call = self._body(self._head())
        may_fail = (
            function.ok is not None or bool(function.require) or any(each.kind.capacity for each in function.arguments)
        )
        uses_facts = self._fast or bool(len(self._operands)) or may_fail
        called = self.c_name if not self._fast else f"DLB_PY_METHOD({self.c_name})"
        return FunctionBinding(
            c_name=self.c_name,
            tables=tuple(self._operands.tables) if uses_facts else (),
            entry=f'{{"{function.name}", {called}, {flags(function, in_class, self._fast)}, {c_strings(doc)}}}',
            condition=function.condition,
            call=call,
            before=tuple(filter(None, (each.function(self) for each in function.features))),
            facts=self._function_table() if uses_facts else None,
            operands=self._operands.entries,
        )

    def _stage(self, stage: Stage) -> tuple[Piece, ...]:
        return tuple(piece for each in self._function.features for piece in each.pieces(stage, self))

    def _inlined(self) -> list[str]:
        return [text for each in self._function.features for text in each.inlined(self.items)]

    # ---- Tables ----

    def _function_table(self) -> Table:
        function = self._function
        is_new = self._owner is not None and self._owner.new is function
        facts = [f".name = {c_string(self._owner.name if is_new and self._owner else function.name)}"]
        if self.given_arguments:
            facts.append(f".count = {len(self.given_arguments)}")
            positional = len(self.given_arguments) - function.keyword_only
            if positional:
                facts.append(f".positional = {positional}")
            if function.positional_only:
                facts.append(f".positional_only = {function.positional_only}")
        if len(self._operands):
            facts.append(f".operand_count = {len(self._operands)}")
        runs_code = any(each.holds(function.arguments) for each in function.features) or self._needs_operands_late()
        runs_code = runs_code or any(each.kind.is_acquired_last for each in function.arguments)
        if function.release_gil or runs_code:
            facts.append(".holds = 1")
        facts += [member for each in function.features for member in each.members(self)]
        return Table("const dlb_py_function", self.table, tuple(facts))

    def _needs_operands_late(self) -> bool:
        """Returns whether objects and arrays must stay alive until exceptions and results exist.

        Making these can run the garbage collector and foreign code, which closes unreferenced objects.
        """
        function = self._function
        operands = [each.name for each in function.arguments if each.kind.is_operand]
        if any(mentions([function.undo, function.finally_], name) for name in operands):
            return True
        runs_code = any(value.kind.runs_code for _, _, value in function.values)
        return bool(operands) and len(function.returned) > 1 and runs_code

    # ---- Body ----

    def own(self, name: str) -> str:
        """Returns a name that no parameter and no called function has."""
        while name in self._used_names:
            name += "_"
        return name

    def _head(self) -> str:
        receiver = "object" if self._function.self_index is not None else "cls" if self._owner is not None else "module"
        self._receiver = self.own(receiver)
        self._args, self._nargs, self._kwnames = map(self.own, ("args", "nargs", "kwnames"))
        if not self._fast:
            self._args = self.own("unused")
            return f"static PyObject *{self.c_name}(PyObject *{self._receiver}, PyObject *{self._args})"
        return (
            f"static PyObject *{self.c_name}(PyObject *{self._receiver}, PyObject *const *{self._args}, "
            f"Py_ssize_t {self._nargs}, PyObject *{self._kwnames})"
        )

    def _body(self, head: str) -> CallBinding:
        function, prototype = self._function, self._function.prototype
        self.answer = self.own("answer")
        emitted = {argument.name: self.emitted(argument) for argument in function.arguments}
        given, made = self._memory_owners.given(), self._memory_owners.made()
        finally_ = self._labelled("finally", function.finally_)
        after = self._stage(Stage.RESULT)
        may_fail, has_operands = function.ok is not None, bool(len(self._operands))
        is_returned = (
            not (may_fail or has_operands or finally_ or given or made or after) and self._results.is_one_value()
        )
        results = self._results.pieces(Target(self.answer, not may_fail, is_returned))
        after_call, handed = self._handed(emitted, always=True), self._handed(emitted, always=False)
        success = (*handed, *results, *after)
        if not may_fail:
            after_call, success = (), (*after_call, *handed, *results, *after)
        has_result = prototype.result.base != "void" or bool(prototype.result.pointers)
        variables, held = self._variables(emitted), (*self._storage.left(), *made, *given)
        is_used, result = has_result and self._results.uses_result(self._fragments()), self._locals["result"]
        return CallBinding(
            head=head,
            facts=self.table,
            object=self._receiver if function.self_index is not None else "NULL",
            args=self._args,
            nargs=self._nargs,
            kwnames=self._kwnames,
            unused=(
                *([self._receiver] if function.self_index is None else []),
                *([self._args] if not self._fast else []),
            ),
            sorted=self._sorted,
            sorted_length=max(1, len(self.given_arguments)),
            values=self.given,
            arrays=self.arrays,
            answer=self.answer,
            is_fast=self._fast,
            operand_count=len(self._operands),
            assertions=(
                *assertions(function, self._results.numbers(), self._structs(), self.key),
                *(found for each in emitted.values() for found in self._assertions(each)),
            ),
            given=tuple(emitted[argument.name] for argument in self.given_arguments),
            arguments=tuple(emitted.values()),
            begin=self._stage(Stage.BEGIN),
            read_owners=given,
            steps=(*variables.steps, *self._storage.steps((*made, *given))),
            factory_params=tuple(
                Piece("functions/factory_params", "variables", each) for each in self._factory_params()
            ),
            keeping=tuple(Step(None, (each,), None, held) for each in self._stage(Stage.LAST_CHECK)),
            last=variables.last(held),
            before_call=self._stage(Stage.BEFORE_CALL),
            called=prototype.name,
            result=result if is_used else "",
            result_declaration=declared(prototype.result, result),
            is_declared_before=is_used and (function.release_gil or takes_errno(function)),
            is_ignored=has_result and not is_used,
            number=self._number if takes_errno(function) else "",
            error_number=self._error_number(),
            releases_gil=function.release_gil,
            succeeds=replace_result(self.text(function.ok), result) if function.ok is not None else "",
            succeeds_label=self._label_of_ok(),
            after_call=after_call,
            success=success,
            failures=tuple(self._failures()) if may_fail else (),
            finally_=tuple(finally_),
            closing=tuple(piece for name, kind in self._kinds.items() for piece in kind.closing_pieces(emitted[name])),
            owners=(*given, *made),
            end=next(filter(None, (each.end(self) for each in function.features)), None),
            is_returned=is_returned,
        )

    def _labelled(self, key: str, code: str | None) -> list[str]:
        """Returns the statements of a key, each with a comment that names it."""
        return [f"{line} /* {self.key}.{key} */" for line in statements(self.text(code))] if code is not None else []

    def _label_of_ok(self) -> str:
        """Returns a comment with the key, if the test has names that a header of the library must declare."""
        ok = self._function.ok
        return f" /* {self.key}.ok */" if ok not in (None, IS_OBJECT) and names_in([ok]) - {"NULL"} else ""

    def emitted(self, argument: Argument) -> EmittedArgument:
        return EmittedArgument(argument, self, self._index.get(argument.name, -1))

    def _assertions(self, emitted: EmittedArgument) -> list[Assertion]:
        """Returns the assertions about an argument."""
        relations = argument_assertions(emitted.argument, self._function, self.key)
        return [*emitted.kind.assertions(emitted), *relations]

    def _variables(self, emitted: Mapping[str, EmittedArgument]) -> Variables:
        """Returns the steps for parameters that depend on arrays, and for checks before the call."""
        params = [self._param(each) for each in self._params]
        return Variables(self._function, emitted, params, self._stage(Stage.ARRAYS), self._memory_owners, self)

    def _param(self, param: Declaration) -> Variable:
        """Returns the variable of a param of the receiver."""
        return Variable(declaration(param.ctype, self._locals[param.name]), self._operands.param_of_self(param.name))

    def late_pieces(self, argument: Argument) -> Iterator[Piece]:
        """Yields the declaration of an array or an object."""
        return argument.kind.late_pieces(self.emitted(argument))

    def param_piece(self, param: Declaration) -> Piece:
        """Returns the declaration of a param of the object of a method."""
        return Piece("calls/derived", "param", self._param(param))

    def _factory_params(self) -> Iterator[FactoryParamFacts]:
        """Yields the variables that are params of the factories of arguments."""
        for argument in self._function.arguments:
            variables = self.variables_of(argument.name) if argument.kind.is_operand else []
            if variables:
                found = tuple(self._locals[name] for name in variables)
                yield FactoryParamFacts(self._operands.place(argument.name), found)

    def _handed(self, emitted: Mapping[str, EmittedArgument], always: bool) -> tuple[Piece, ...]:
        """Returns the statements for arguments that the library takes: with `always`, even if the call fails."""
        own = [
            piece
            for name, kind in self._kinds.items()
            if kind.takes and kind.takes_always == always
            for piece in kind.taken_pieces(emitted[name])
        ]
        return (*self._stage(Stage.AFTER_CALL if always else Stage.SUCCESS), *own)

    def _structs(self) -> list[str]:
        """Returns the types of structs that are passed by value, of classes with pointer objects."""
        given = [
            argument.ctype.base
            for argument in self._function.arguments
            if argument.kind.object_class is not None
            and is_in_storage(argument.ctype, self._names.items[argument.kind.class_name or ""])
        ]
        return [*given, *self._storage.structs]

    def _error_number(self) -> str:
        errno = self._function.errno or ""
        return "errno" if errno == "errno" else f"(int)({self.text(errno)})"

    def _fragments(self) -> list[str | None]:
        function = self._function
        raised = [expression for expression, _ in function.raises]
        return [function.error, function.errno, function.undo, function.finally_, *raised, *returned_sizes(function)]

    def _failures(self) -> Iterator[Failure]:
        """Yields the exceptions of the call."""
        function, text, status = self._function, self._locals.text, self._locals[self._function.status]
        undo = tuple(self._labelled("undo", function.undo))
        path = f"{self.given}[{self._index[self._paths[0]]}]" if self._paths else "NULL"
        failures = Failures(function, self, self._number, path)
        for (exception, _), group in groupby(function.raises, key=lambda each: (each[1], each[0] is None)):
            tests = tuple(f"{status} == {operand(text(each))}" for each, _ in group if each is not None)
            label = f" /* {self.key}.raises */" if tests else ""
            yield Failure(tests, label, failures.raised(exception), undo, self._storage.left())

    # ---- What features and kinds of arguments may ask ----

    def text(self, text: str) -> str:
        """Replaces names of the spec by the variables of the emitted function, in C source."""
        return self._locals.text(text)

    def class_of(self, name: str) -> str:
        """Returns the C name of a class."""
        return self._names.c_name(name)

    def variable(self, name: str) -> str:
        """Returns the variable of an argument."""
        return self._locals[name]

    def length(self, expression: str) -> str:
        """Returns a C expression of the spec as an integer that reports overflow."""
        return self.text(length(expression, self._ctypes))

    def owner(self, name: str) -> str:
        """Returns the variable that owns the memory that C gets for an argument; empty: there is none."""
        return self._memory_owners.get(name)

    def place(self, name: str) -> Place:
        """Returns the place of an array or an object."""
        return Place(self.table, self._operands.place(name), self._operands.arguments_and_index(name))

    def places(self, names: Iterable[str]) -> tuple[str, ...]:
        """Returns the arrays and objects that own some arguments, as C expressions."""
        return self._results.places(names)

    def source(self, name: str) -> str:
        """Returns the C expression that identifies an array or an object in all calls."""
        return self._operands.source(name)

    def operand(self, name: str) -> int:
        """Returns the index of an array or an object; -1: the argument is in a variable."""
        return self._operands.operand(name)

    def variables_of(self, name: str) -> list[str]:
        """Returns the arguments in variables whose addresses the runtime gets with an array or object."""
        return self._operands.variables_of(name)

    def handed_variable(self, name: str) -> tuple[str, int]:
        """Returns the argument of the runtime that has the address of a variable of `handed`, and its index there."""
        return self._operands.handed_variable(name)

    def param(self, of: str, name: str) -> str:
        """Returns a param of an object, as a C expression."""
        return self._operands.param(of, name)

    def dtypes(self, of: str) -> Sequence[FixedDType | CTypeDType]:
        """Returns the dtypes that an array can have."""
        return self._operands.dtypes(of)

    def is_table_of_strings(self, name: str) -> bool:
        return self._kinds[name].is_table_of_strings

    def has_negative_strides(self, of: str) -> bool:
        """Returns whether C accepts a negative stride of the array."""
        return any(each.negative for each in self._function.measures(of))

    def is_in_storage(self, name: str) -> bool:
        """Returns whether C fills a struct in memory of a new object."""
        return self._locals[name] in self._storage
