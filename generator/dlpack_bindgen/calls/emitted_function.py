"""The emitted function of a call, which CPython calls: its names, its tables, and its body."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property

from dlpack_bindgen.calls.argument_kind import Argument, EmittedArgument, Place
from dlpack_bindgen.calls.assertions import argument_assertions, assertions
from dlpack_bindgen.calls.call import Call
from dlpack_bindgen.calls.failures import requirement
from dlpack_bindgen.calls.feature import Part, Stage, replaced
from dlpack_bindgen.calls.function_docs import accepted_dtypes, docstring, flags, text_signature
from dlpack_bindgen.calls.lengths import in_order, late_measures
from dlpack_bindgen.calls.lifetimes import Storage, is_in_storage
from dlpack_bindgen.calls.operands import operands
from dlpack_bindgen.calls.result_kind import Target
from dlpack_bindgen.calls.results import Results
from dlpack_bindgen.language.values import needed
from dlpack_bindgen.tensor.c_names import CNames, descriptor, param_of, table_name
from dlpack_bindgen.tensor.dtype import CTypeDType, FixedDType
from dlpack_bindgen.tensor.item import Declaration, Item
from dlpack_bindgen.tensor.requirements import Check
from dlpack_bindgen.tensor.slot import Variable
from dlpack_bindgen.text import ctext
from dlpack_bindgen.text.expressions import length
from dlpack_bindgen.text.fragments import (
    LITERAL,
    Assertion,
    EmittedFunction,
    Piece,
    Step,
    Table,
    declaration,
    is_variable,
    mentions_variable,
)
from dlpack_bindgen.text.literals import c_string, c_strings
from dlpack_bindgen.text.names import CALLED, called_part, snake
from dlpack_bindgen.text.types import CType, declared


def emit_function(names: CNames, call: Call, owner: Item | None = None, fast: bool = False) -> EmittedFunction:
    """Returns the emitted function of a call, or of a member of `owner`. With `fast`, it always uses vectorcall."""
    body = Body(names, call, owner, fast)
    doc = f"{text_signature(call, owner is not None)}\n--\n\n{docstring(call, names.items)}"
    entries, tables = operands(body)
    called = body.c_name if not body.is_fast else f"DLB_PY_METHOD({body.c_name})"
    return EmittedFunction(
        template="function",
        own=body,
        c_name=body.c_name,
        entry=f'{{"{call.name}", {called}, {flags(call, owner is not None, body.is_fast)}, {c_strings(doc)}}}',
        condition=call.condition,
        tables=tuple(tables) if body.has_table else (),
        operands=tuple(entries),
    )


class Body:
    """The emitted function of a call. Features, kinds and `templates/function.c.j2` ask it for names, places and C."""

    def __init__(self, names: CNames, call: Call, owner: Item | None, fast: bool) -> None:
        self.names = names
        self.call = call
        self.items: Mapping[str, Item] = names.items
        """The classes of the spec, and of other modules."""
        self.enums: Mapping[str, str] = names.enums
        """The C names of the tables of enumerations."""
        self.arguments, self.receiver = call.arguments, call.receiver
        self._owner = owner
        part = called_part(call.key)
        scope = f"{names.prefix}_{snake(owner.name)}" if owner is not None else names.prefix
        self.key = call.key if owner is None else f"{owner.name}.{call.key}"
        """The path of the function in the spec."""
        self.c_name = f"{CALLED}{scope}_{part}"
        self.table = descriptor(owner, part)
        """The name of the `dlb_py_function` constant."""
        self.tables = table_name(owner, part)
        """The beginning of the names of its other tables."""
        taken = [argument.name for argument in call.arguments]
        params = owner.params if owner is not None and call.self_index is not None else ()
        self.params_of_self: list[Declaration] = [each for each in params if each.name not in taken]
        """The `params` of the object of a method that are not arguments."""
        self._locals, self._used_names = self._variables()
        self.given, self.sorted, self.arrays = map(self.own, ("given", "sorted", "arrays"))
        self.passed = self.given if self.call.given else "NULL"
        """The arguments that Python has passed, or NULL if the function has none."""
        self.is_fast = fast or bool(self.call.given)
        """Whether the function has the arguments of vectorcall."""
        self.operands = [argument for argument in call.arguments if argument.kind.is_operand]
        """The arrays and objects, which the runtime takes together."""
        self._operand_index = {argument.name: index for index, argument in enumerate(self.operands)}
        self.results = Results(self)

    # ---- Names ----

    def _variables(self) -> tuple[Locals, set[str]]:
        """Returns the variables of the parameters, and all names that no other variable may have."""
        call, fragments = self.call, body_fragments(self.call)
        named = dict.fromkeys([*self.params, *(each for each in self.params_of_self if self._is_outside(each.name))])
        own = (*(each.name for each in call.arguments), *(each.name for each in named), "result")
        inlined = [text for each in call.features for text in each.inlined(self.items)]
        found = other_names(own, [*fragments, *(f"({each.ctype})0" for each in named), *inlined])
        has_type = any(name.endswith("_type") for name in own)
        constants = [f"{self.names.c_name(name)}_type" for name in self.items] if has_type else []
        called = (name for argument in call.arguments for name in argument.kind.c_functions)
        variables = Locals(own, {*found, *constants, *called})
        tokens = (token for code in fragments for token in ctext.tokens(code))
        names = {token.text for token in tokens if token.kind == "name"}
        return variables, {*names, *(argument.name for argument in call.arguments), *variables.chosen}

    @cached_property
    def params(self) -> list[Declaration]:
        """Returns the `params` of the object of a method that C source in the body mentions."""
        fragments = [code for code in self.call.c_text if code is not None]
        return [each for each in self.params_of_self if any(mentions_variable(code, each.name) for code in fragments)]

    def _is_outside(self, name: str) -> bool:
        """Returns whether C source of the spec outside of the body mentions a variable."""
        return any(mentions_variable(text, name) for each in self.call.features for text in each.c_text())

    @property
    def keeps_receiver(self) -> bool:
        """Returns whether the function reads a `param` of the object of a method."""
        return bool(self.params) or any(self._is_outside(each.name) for each in self.params_of_self)

    def own(self, name: str) -> str:
        """Returns a name that no parameter and no called function has."""
        while name in self._used_names:
            name += "_"
        return name

    def variable(self, name: str) -> str:
        """Returns the variable of an argument, or of the result."""
        return self._locals[name]

    @cached_property
    def answer(self) -> str:
        """Returns the variable with the object that Python gets."""
        return self.own("answer")

    @property
    def result(self) -> str:
        """Returns the variable for the result of C."""
        return self._locals["result"]

    def class_of(self, name: str) -> str:
        """Returns the C name of a class."""
        return self.names.c_name(name)

    # ---- C source of the spec ----

    def text(self, text: str) -> str:
        """Replaces names of the spec by the variables of the emitted function, in C source."""
        return self._locals.text(text)

    @cached_property
    def _ctypes(self) -> Mapping[str, CType]:
        return {argument.name: argument.ctype for argument in self.arguments}

    def length(self, expression: str) -> str:
        """Returns a C expression of the spec as an integer that reports overflow."""
        return self.text(length(expression, self._ctypes))

    # ---- Arguments ----

    def argument(self, name: str) -> Argument:
        return needed(self.call.find(name))

    def place(self, name: str) -> Place:
        """Returns the place of an array or an object."""
        arrays, index = self.arrays, self.operand(name)
        return Place(f"{arrays}[{index}]", f"{arrays}, {index}", f"&{self.table}.operands[{index}]")

    def operand(self, name: str) -> int:
        """Returns the index of an array or an object; -1: the argument is in a variable."""
        return self._operand_index.get(name, -1)

    def places(self, names: Iterable[str]) -> tuple[str, ...]:
        """Returns the arrays and objects that own some arguments, as C expressions, each once."""
        owners = [self.argument(name).kind.param_owner or name for name in names]
        return tuple(dict.fromkeys(self.place(owner).argument for owner in owners))

    def dtypes(self, of: str) -> Sequence[FixedDType | CTypeDType]:
        """Returns the dtypes that an array can have."""
        return accepted_dtypes(self.call, self.argument(of))

    def param(self, of: str, name: str) -> str:
        """Returns a param of an object, as a C expression."""
        kind = self.argument(of).kind
        return param_of(self.class_of(kind.class_name or ""), self.place(of).argument, name)

    def is_in_storage(self, name: str) -> bool:
        """Returns whether C fills a struct in memory of a new object."""
        return any(each.variable == self.variable(name) for each in self.storages)

    def is_table_of_strings(self, name: str) -> bool:
        return self.argument(name).kind.is_table_of_strings

    def has_negative_strides(self, of: str) -> bool:
        """Returns whether C accepts a negative stride of the array."""
        return any(each.negative for each in self.call.measures(self.argument(of)))

    @property
    def first_path(self) -> str:
        """Returns the first path that Python has passed, as a C expression, or NULL."""
        found = (index for index, each in enumerate(self.call.given) if each.kind.is_path)
        return next((f"{self.given}[{index}]" for index in found), "NULL")

    @cached_property
    def emitted(self) -> dict[str, EmittedArgument]:
        """Returns the arguments by name."""
        index = {argument.name: index for index, argument in enumerate(self.call.given)}
        return {each.name: EmittedArgument(each, self, index.get(each.name, -1)) for each in self.arguments}

    @property
    def passed_to_c(self) -> list[EmittedArgument]:
        """Returns the arguments in the order of C."""
        return list(self.emitted.values())

    @property
    def passed_by_python(self) -> list[EmittedArgument]:
        """Returns the arguments that Python passes, in its order."""
        return [self.emitted[argument.name] for argument in self.call.given]

    def late_pieces(self, argument: Argument) -> Iterator[Piece]:
        """Yields the statements and conditions about an argument when the runtime has the arrays and objects."""
        return argument.kind.late_pieces(self.emitted[argument.name])

    def param_piece(self, param: Declaration) -> Piece:
        """Returns the declaration of a param of the object of a method."""
        variable = declaration(param.ctype, self._locals[param.name])
        return Piece(
            "calls/derived_arguments", "param", Variable(variable, self.param(needed(self.receiver), param.name))
        )

    # ---- Memory that the function frees at its end ----

    def owner(self, argument: Argument) -> str:
        """Returns the variable that owns the memory that C gets for an argument; empty: there is none."""
        suffix = argument.kind.owner
        return self.own(f"{argument.name}_{suffix}") if suffix is not None else ""

    def freed(self, argument: Argument) -> Piece:
        """Returns the statement that frees the memory of an argument."""
        return argument.kind.freed_piece(self.emitted[argument.name])

    @cached_property
    def given_owners(self) -> tuple[Piece, ...]:
        """Returns the statements that free the memory of arguments which C reads."""
        owning = [each for each in self.arguments if each.kind.owner is not None]
        return tuple(self.freed(each) for each in owning if not each.kind.capacity)

    @cached_property
    def filled_owners(self) -> tuple[Piece, ...]:
        """Returns the statements that free the memory of arguments which C fills."""
        return tuple(self.freed(each) for each in self.arguments if each.kind.capacity)

    @cached_property
    def unused_storages(self) -> tuple[Piece, ...]:
        """Returns the statements that free the memory for structs if no object uses it."""
        return tuple(Piece("calls/lifetimes", "storage_freed", each) for each in self.storages)

    @property
    def storages(self) -> list[Storage]:
        return self.results.storages

    @property
    def owners(self) -> tuple[Piece, ...]:
        """Returns the statements at the end that free memory."""
        return (*self.given_owners, *self.filled_owners)

    # ---- Tables ----

    @property
    def has_table(self) -> bool:
        """Returns whether a call of the runtime needs the `dlb_py_function` constant."""
        is_checked = bool(self.call.require) or any(each.kind.capacity for each in self.arguments)
        return self.is_fast or bool(self.operand_count) or self.may_fail or is_checked

    @property
    def function_table(self) -> Table:
        """Returns the `dlb_py_function` constant, without its params and operands."""
        call, count = self.call, len(self.call.given)
        is_new = self._owner is not None and self._owner.new is call
        members = [f".name = {c_string(self._owner.name if is_new and self._owner else call.name)}"]
        if count:
            members.append(f".count = {count}")
            positional = count - call.keyword_only
            if positional:
                members.append(f".positional = {positional}")
            if call.positional_only:
                members.append(f".positional_only = {call.positional_only}")
        if self.operand_count:
            members.append(f".operand_count = {self.operand_count}")
        if self._holds():
            members.append(".holds = 1")
        members += [member for each in call.features for member in each.members(self)]
        return Table("const dlb_py_function", self.table, tuple(members))

    def _holds(self) -> bool:
        """Returns whether the call holds its arguments: other code can run before it ends, and close objects that
        nothing else refers to. Making one of several results can run the garbage collector."""
        call = self.call
        makes_late = bool(self.operands) and len(call.returned) > 1
        return (
            call.release_gil
            or any(each.holds(self.arguments) for each in call.features)
            or any(each.kind.is_acquired_last for each in self.arguments)
            or (makes_late and any(value.kind.runs_code for _, _, value in call.values))
        )

    # ---- The head ----

    @cached_property
    def receiver_variable(self) -> str:
        is_method = self.call.self_index is not None
        return self.own("object" if is_method else "cls" if self._owner is not None else "module")

    @property
    def object(self) -> str:
        """Returns the object whose method this is, or NULL."""
        return self.receiver_variable if self.call.self_index is not None else "NULL"

    @cached_property
    def args(self) -> str:
        return self.own("args" if self.is_fast else "unused")

    @property
    def nargs(self) -> str:
        return self.own("nargs")

    @property
    def kwnames(self) -> str:
        return self.own("kwnames")

    @property
    def unused(self) -> list[str]:
        """Returns the parameters of the emitted function that it does not use."""
        receiver = [self.receiver_variable] if self.call.self_index is None else []
        return receiver if self.is_fast else [*receiver, self.args]

    @property
    def sorted_length(self) -> int:
        return max(1, len(self.call.given))

    # ---- Statements ----

    @cached_property
    def stages(self) -> Mapping[str, tuple[Piece, ...]]:
        """Returns the pieces of all features at each stage, and then those of the arguments."""
        features = self.call.features
        return {
            stage.name.lower(): (
                *(piece for each in features for piece in each.pieces(stage, self)),
                *(piece for each in self.passed_to_c for piece in each.kind.pieces(stage, each)),
            )
            for stage in Stage
        }

    def stage(self, stage: Stage) -> tuple[Piece, ...]:
        return self.stages[stage.name.lower()]

    def checks(self, item: Argument | Check) -> Iterator[Piece]:
        """Yields the conditions that end the call when the C source of an argument, or of a required condition, can be
        evaluated."""
        features = self.call.features
        for piece in (piece for each in features for piece in each.checks(item, self)):
            yield piece if isinstance(item, Check) else replaced(features, item, piece, self)

    @property
    def assertions(self) -> list[Assertion]:
        taken = [
            argument.ctype.base
            for argument in self.arguments
            if argument.kind.object_class is not None
            and is_in_storage(argument.ctype, self.items[argument.kind.class_name or ""])
        ]
        structs = [*taken, *(each.type for each in self.storages if not each.typedef)]
        found = assertions(self.call, self.results.numbers(), structs, self.key)
        for each in self.passed_to_c:
            found += [*each.kind.assertions(each), *argument_assertions(each.argument, self.call, self.key)]
        return found

    @property
    def operand_count(self) -> int:
        return len(self.operands)

    @property
    def with_variables(self) -> list[Part]:
        """Returns the arrays and objects with which the runtime gets the addresses of variables."""
        return [Part(each, self) for each in self.operands if self.variables_of(each)]

    def variables_of(self, argument: Argument) -> list[str]:
        """Returns the arguments in variables whose addresses the runtime gets with an array or object."""
        found = [each for feature in self.call.features for each in feature.handed(argument, self)]
        return [source for source in dict.fromkeys(found) if not self.argument(source).kind.is_operand]

    @property
    def steps(self) -> list[Step]:
        """Returns the steps between the arguments that Python passes and the memory of results."""
        return _Steps(self).all()

    @property
    def last_steps(self) -> list[Step]:
        """Returns the steps that keep arguments alive beyond the call, and those that a refused call must not run."""
        held = (*self.unused_storages, *self.filled_owners, *self.given_owners)
        keeping = [Step(None, (each,), None, held) for each in self.stage(Stage.LAST_CHECK)]
        return [*keeping, *_Steps(self).last(held)]

    @property
    def may_fail(self) -> bool:
        return bool(self.stage(Stage.TEST))

    @property
    def has_result(self) -> bool:
        """Returns whether C returns a value."""
        result = self.call.prototype.result
        return result.base != "void" or bool(result.pointers)

    @cached_property
    def uses_result(self) -> bool:
        return self.has_result and self.results.uses_result()

    @property
    def result_declaration(self) -> str:
        return declared(self.call.prototype.result, self.result)

    @property
    def is_declared_before(self) -> bool:
        """Returns whether the declaration of the result stands before the call."""
        return self.uses_result and (self.call.release_gil or bool(self.stage(Stage.CALLING)))

    @cached_property
    def is_returned(self) -> bool:
        """Returns whether the last statement about the result returns it."""
        at_end = (*self.stage(Stage.END), *self.owners, *self.stage(Stage.RESULT))
        return not (self.may_fail or self.operand_count or at_end) and self.results.is_one_value()

    @property
    def answering(self) -> list[Piece]:
        """Returns the statements between the call and the code at the end: the answer, or an exception."""
        return [
            *self.stage(Stage.AFTER_CALL),
            *self.stage(Stage.TEST),
            *self.stage(Stage.SUCCESS),
            *self.results.pieces(Target(self.answer, not self.may_fail, self.is_returned)),
            *self.stage(Stage.RESULT),
            *self.stage(Stage.FAILURE),
        ]


class _Steps:
    """The steps before the call that follow when the runtime has its arrays and objects. They declare the variables
    that depend on arrays, and test what the spec requires of several parameters."""

    def __init__(self, body: Body) -> None:
        self._body = body
        self._call = body.call
        self._owners: tuple[Piece, ...] = ()
        """The statements that free the memory that C fills, the last one first."""
        self._steps: list[Step] = []
        self._conditions: list[Piece] = []
        """Conditions that leave the call, tested before the next statement."""

    def all(self) -> list[Step]:
        """Returns the steps that precede `last`."""
        body, call = self._body, self._call
        self._conditions += body.stage(Stage.ARRAYS)
        late = late_measures(call.arguments)
        for argument in call.arguments:
            is_ordered = argument in late or argument.kind.is_made_late or argument.kind.capacity
            if not is_ordered and argument.kind.value is None and not argument.kind.is_acquired_last:
                self._add(argument)
        self._steps += (Step(body.param_piece(param)) for param in body.params)
        first, steps, left = in_order(call.arguments, call.require)
        assert not left, "validation leaves no circle"
        for item in (*first, *(item for step in steps for item in step)):
            self._conditions += body.checks(item)
            if isinstance(item, Check):
                self._tested()
                fails, raised = requirement(item, body)
                self._steps.append(Step(None, (fails,), raised, self._left(), label=f" /* {body.key}.require */"))
            elif item.kind.value is not None or item.kind.measure is not None or item.kind.capacity:
                if item.kind.value is not None and item not in first:
                    self._tested()
                self._add(item)
            elif item.kind.is_made_late:
                self._tested()
                self._add(item)
        self._conditions += (*body.stage(Stage.LENGTHS), *body.stage(Stage.VALUES))
        self._tested()
        return [*self._steps, *self._of_storages()]

    def last(self, owners: tuple[Piece, ...]) -> list[Step]:
        """Returns the steps that a refused call must not run. `owners`: the statements that free memory if
        such a step fails."""
        for argument in self._call.arguments:
            if argument.kind.is_acquired_last:
                self._add(argument)
        self._tested()
        return [replace(step, owners=owners) for step in self._steps]

    def _of_storages(self) -> Iterator[Step]:
        """Yields the steps that allocate the memory for structs."""
        body = self._body
        pieces = body.stage(Stage.MEMORY)
        missing = tuple(each for each in pieces if each.is_condition)
        yield from (Step(each) for each in pieces if not each.is_condition)
        if missing:
            storages = body.unused_storages if len(missing) > 1 else ()
            yield Step(None, missing, None, (*storages, *body.filled_owners, *body.given_owners))

    def _add(self, argument: Argument) -> None:
        """Adds the pieces of a kind."""
        for piece in self._body.late_pieces(argument):
            if piece.is_condition:
                self._conditions.append(piece)
                continue
            if piece.follows_checks:
                self._tested()
            self._steps.append(Step(piece))
        if argument.kind.capacity:
            self._tested()
            self._owners = (self._body.freed(argument), *self._owners)

    def _left(self) -> tuple[Piece, ...]:
        return (*self._owners, *self._body.given_owners)

    def _tested(self) -> None:
        """Adds the step that tests the conditions."""
        if self._conditions:
            several = len(self._conditions) > 1
            tests = [replace(each, is_enclosed=several and bool(each.conditions)) for each in self._conditions]
            self._steps.append(Step(None, tuple(tests), None, self._left(), follows_blank_line=True))
            self._conditions = []


# ---- The C source of the spec in an emitted function ----


def body_fragments(call: Call) -> list[str]:
    """Returns the C source of a function, a cast to each type in its prototype, and its call."""
    prototype, arguments = call.prototype, call.arguments
    types = [prototype.result, *(each.ctype for each in arguments), *(each.written for each in arguments)]
    types += [value.class_type for _, _, value in call.values]
    casts = [f"({declared(each, '')})0" for each in types if each is not None]
    fragments = (*call.c_text, *(text for each in call.features for text in each.c_text()))
    return [f"{prototype.name}()", *casts, *(text for text in fragments if text is not None)]


# ---- Variables of an emitted function that the spec has named: its parameters, and `result` ----
# In a prototype such names hide nothing. In a body they can hide types, functions and names of CPython. A name with
# another meaning in the body gets a new name.

_NAME = re.compile(
    rf"{LITERAL}|/\*.*?\*/|(?:(?:->|\.)\s*|\b(?:struct|union|enum)\s+)[A-Za-z_]\w*|\b(?P<name>[A-Za-z_]\w*)", re.DOTALL
)
"""Pattern for names. Members, tags and labels in comments never conflict with variables, so it skips them."""
_RESERVED = re.compile(r"_?Py\w*|_save|int64_t|errno|(?:dlb_|DLB_|kDL)\w*")
"""Names in templates and in macros of Python and of the runtime."""


class Locals:
    def __init__(self, names: Iterable[str], others: Collection[str] = ()) -> None:
        """Chooses the variables for `names`. `others` are the names in the body that have another meaning."""
        self.names = tuple(names)
        taken = {*others, *self.names}
        self._chosen = {}
        for name in self.names:
            local = f"{name}_" if name in others or _RESERVED.fullmatch(name) else name
            while local != name and local in taken:
                local += "_"
            self._chosen[name] = local
            taken.add(local)

    def __getitem__(self, name: str) -> str:
        return self._chosen[name]

    @property
    def chosen(self) -> list[str]:
        """Returns all variables."""
        return list(self._chosen.values())

    def text(self, text: str) -> str:
        """Returns C source of the spec with the variables."""

        def replaced(match: re.Match[str]) -> str:
            return self[match["name"]] if _names_variable(match, self.names) else match.group()

        return _NAME.sub(replaced, text) if any(name in text for name in self.names) else text


def other_names(names: Collection[str], fragments: Iterable[str]) -> Iterator[str]:
    """Yields the names in C source that mean no variable of `names`: types, functions, and other variables."""
    for code in fragments:
        for match in _NAME.finditer(code):
            if match["name"] is not None and not _names_variable(match, names):
                yield match["name"]


def _names_variable(match: re.Match[str], names: Collection[str]) -> bool:
    return match["name"] in names and is_variable(match.string[: match.start()], match.string[match.end() :])
