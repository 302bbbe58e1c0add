"""Binding of a C function that CPython calls: its tables, and its body with arguments, call, result and cleanup."""

from __future__ import annotations

from dataclasses import replace
from itertools import groupby

from dlpack_bindgen.arguments.enumeration import EnumValue
from dlpack_bindgen.arguments.kind import Facts, Lines, Scope
from dlpack_bindgen.arguments.number import Number
from dlpack_bindgen.arguments.string import String
from dlpack_bindgen.arguments.strings import Strings
from dlpack_bindgen.bind.binding import Call, FunctionBinding, Table
from dlpack_bindgen.bind.functions.assertions import argument_assertions, assertions
from dlpack_bindgen.bind.functions.ctypes import is_callback
from dlpack_bindgen.bind.functions.docs import docstring
from dlpack_bindgen.bind.functions.failures import Failures
from dlpack_bindgen.bind.functions.fragments import c_fragments, mentioned, returned_sizes
from dlpack_bindgen.bind.functions.keepers import Keepers
from dlpack_bindgen.bind.functions.locals import Locals
from dlpack_bindgen.bind.functions.moved import Moved
from dlpack_bindgen.bind.functions.operands import Operands, is_operand
from dlpack_bindgen.bind.functions.references import referred
from dlpack_bindgen.bind.functions.results import Results
from dlpack_bindgen.bind.functions.returned import returnable, view_sources
from dlpack_bindgen.bind.functions.storages import Storages, is_in_storage
from dlpack_bindgen.bind.functions.transfers import Transfers
from dlpack_bindgen.bind.functions.variables import Variables
from dlpack_bindgen.bind.scope import Names
from dlpack_bindgen.bind.signatures import (
    flags,
    given_arguments,
    is_optional,
    keepers,
    takes_errno,
    text_signature,
)
from dlpack_bindgen.c.fragments import mentions, operand, replace_result, statements
from dlpack_bindgen.c.names import CALLED, called_part, snake
from dlpack_bindgen.c.quote import c_string, c_strings
from dlpack_bindgen.c.types import declared
from dlpack_bindgen.spec.functions import Argument, Fixed, Function, Object, Out
from dlpack_bindgen.spec.spec import Declaration, Handle, Tensor


def bind_function(
    names: Names, function: Function, owner: Tensor | Handle | None = None, fast: bool = False
) -> FunctionBinding:
    """Returns the binding of a function or of a member of `owner`. With `fast`, it always uses vectorcall."""
    return _Call(names, function, owner, fast).binding()


class _Call:
    def __init__(self, names: Names, function: Function, owner: Tensor | Handle | None, fast: bool) -> None:
        self._names = names
        self._function = function
        self._owner = owner
        self._taken = {argument.name for argument in function.arguments} | mentioned(function)
        self._params = self._params_of_self()
        own_names = (*(each.name for each in function.arguments), *(each.name for each in self._params))
        self._locals = Locals([*own_names, "result"])
        self._given_name, self._sorted, self._arrays, self._number = map(
            self._own, ("given", "sorted", "arrays", "number")
        )
        scope = f"{names.prefix}_{snake(owner.name)}" if owner is not None else names.prefix
        self._c_name = f"{CALLED}{scope}_{called_part(function.key)}"
        self._facts = f"{self._c_name}_function"
        self._key = function.key if owner is None else f"{owner.name}.{function.key}"
        self._given = given_arguments(function)
        self._fast = fast or bool(self._given)
        self._index = {argument.name: index for index, argument in enumerate(self._given)}
        classes = {name: names.c_name(name) for name in names.items}
        given = [argument.name for argument in self._given]
        new_arrays = names.c_name(names.arrays) if names.arrays is not None else None
        returned = returnable(function, names.items)
        again = {argument.name for argument, _ in returned}
        kept = (bool(self._params), view_sources(returned), again, referred(function, names.items))
        self._operands = Operands(function, self._c_name, classes, names.items, given, self._arrays, new_arrays, *kept)
        self._keepers = Keepers(function, self._own)
        own = (self._operands, self._own, self._locals, self._keepers, self._facts)
        self._results = Results(function, names.items, classes, names.enums, *own)
        self._moved = Moved(function, names.items, self._operands, self._facts, self._own, self._locals)
        self._left = Transfers(function, names.items, self._operands, self._own)
        self._storage = Storages(self._results.storages())
        self._paths = [each.name for each in self._given if each.kind.is_path]

    def _params_of_self(self) -> list[Declaration]:
        """Returns the `params` of the receiver that the C source of the method mentions and that are not arguments."""
        taken = [argument.name for argument in self._function.arguments]
        params = self._owner.params if self._owner is not None and self._function.self_index is not None else ()
        return [each for each in params if each.name not in taken and self._is_mentioned(each.name)]

    def _is_mentioned(self, name: str) -> bool:
        return any(text is not None and Locals([name]).text(text) != text for text in c_fragments(self._function))

    def binding(self) -> FunctionBinding:
        function, in_class = self._function, self._owner is not None
        doc = f"{text_signature(function, in_class)}\n--\n\n{docstring(function, self._names.items)}"
        call = self._body(self._head())
        lines = (*call.before, *call.after)
        uses_facts = call.is_fast or any(f"&{self._facts}" in line for line in lines)
        called = self._c_name if not self._fast else f"DLB_PY_METHOD({self._c_name})"
        return FunctionBinding(
            c_name=self._c_name,
            tables=tuple(self._operands.tables) if uses_facts else (),
            entry=f'{{"{function.name}", {called}, {flags(function, in_class, self._fast)}, {c_strings(doc)}}}',
            condition=function.condition,
            call=call,
            facts=self._function_table() if uses_facts else None,
        )

    # ---- Tables ----

    def _function_table(self) -> Table:
        function = self._function
        is_new = self._owner is not None and self._owner.new is function
        facts = [f".name = {c_string(self._owner.name if is_new and self._owner else function.name)}"]
        if self._given:
            facts += [f".params = {self._c_name}_params", f".count = {len(self._given)}"]
            positional = len(self._given) - function.keyword_only
            if positional:
                facts.append(f".positional = {positional}")
            if function.positional_only:
                facts.append(f".positional_only = {function.positional_only}")
        if len(self._operands):
            facts += [f".operands = {self._c_name}_operands", f".operand_count = {len(self._operands)}"]
        if function.release_gil or keepers(function) or self._needs_operands_late():
            facts.append(".holds = 1")
        return Table(f"const dlb_py_function {self._facts}", tuple(facts))

    def _needs_operands_late(self) -> bool:
        """Returns whether objects and arrays must stay alive until exceptions and results exist.

        Making these can run the garbage collector and foreign code, which closes unreferenced objects.
        """
        function = self._function
        operands = [each.name for each in function.arguments if is_operand(each)]
        if any(mentions([function.undo, function.finally_], name) for name in operands):
            return True
        kinds = [function.result.kind, *(each.kind.kind for each in function.arguments if isinstance(each.kind, Out))]
        return (
            bool(operands)
            and len(function.returned) > 1
            and bool({"str", "strings", "bytes", "array", "object"}.intersection(kinds))
        )

    # ---- Body ----

    def _own(self, name: str) -> str:
        """Returns a name that no parameter and no called function has."""
        while name in self._taken:
            name += "_"
        return name

    def _head(self) -> str:
        receiver = "object" if self._function.self_index is not None else "cls" if self._owner is not None else "module"
        self._receiver = self._own(receiver)
        self._args, self._nargs, self._kwnames = map(self._own, ("args", "nargs", "kwnames"))
        if not self._fast:
            self._args = self._own("unused")
            return f"static PyObject *{self._c_name}(PyObject *{self._receiver}, PyObject *{self._args})"
        return (
            f"static PyObject *{self._c_name}(PyObject *{self._receiver}, PyObject *const *{self._args}, "
            f"Py_ssize_t {self._nargs}, PyObject *{self._kwnames})"
        )

    def _body(self, head: str) -> Call:
        function = self._function
        self._answer = self._own("answer")
        asserted = assertions(function, self._results.kinds(), self._structs(), self._key)
        facts = {argument.name: self._facts_of(argument) for argument in function.arguments}
        before_call, assigned, after_call = self._call()
        before = [*self._variables(), *self._storage_lines(), "", *self._keep(), *before_call]
        after = [*after_call, *self._judge()]
        if function.finally_ is not None:
            after += statements(self._locals.text(function.finally_))
        after += [*self._keepers.given(), *self._keepers.made()]
        return Call(
            head=head,
            names=self._locals.names,
            facts=self._facts,
            params=f"{self._c_name}_params",
            object=self._receiver if function.self_index is not None else "NULL",
            args=self._args,
            nargs=self._nargs,
            kwnames=self._kwnames,
            unused=(
                *([self._receiver] if function.self_index is None else []),
                *([self._args] if not self._fast else []),
            ),
            sorted=self._sorted,
            sorted_length=max(1, len(self._given)),
            values=self._given_name,
            arrays=self._arrays,
            answer=self._answer,
            is_fast=self._fast,
            may_fail=function.ok is not None,
            operand_count=len(self._operands),
            assertions=tuple(asserted),
            given=tuple(facts[argument.name] for argument in self._given),
            arguments=tuple(facts.values()),
            release=tuple(self._keepers.given()),
            before=tuple(before),
            called=function.prototype.name,
            assigned=assigned,
            after=tuple(self._finished(after)),
        )

    def _finished(self, lines: list[str]) -> list[str]:
        """Returns the statements behind the call, with the return of the answer."""
        if len(self._operands):
            return [*lines, f"return dlb_py_finish_call(&{self._facts}, {self._arrays}, {self._answer});"]
        last = f"PyObject *{self._answer} = "
        if lines[-1].startswith(last):
            return [*lines[:-1], f"return {lines[-1].removeprefix(last)}"]
        return [*lines, f"return {self._answer};"]

    def _facts_of(self, argument: Argument) -> Facts:
        """Returns the facts of an argument for its template."""
        kind, name, key = argument.kind, argument.name, f"{self._key}.{argument.name}"
        if not isinstance(kind, Number | EnumValue | String | Strings):
            lines = Lines(tuple(argument_assertions(argument, self._function, self._key)), self._passed(argument))
            return Facts("lines", lines, name=name, is_required=not is_optional(argument))
        default, index = getattr(kind, "default", None), self._index[name]
        is_late = default is not None and self._is_late(argument, default)
        text, variable = self._locals.text, self._locals[name]
        same = any(each.name == default and each.ctype == argument.ctype for each in self._given)
        return replace(
            kind.facts(Scope(argument.ctype, key, variable, text, is_late, self._names.enums)),
            name=name,
            variable=variable,
            label=key,
            place=f"&{self._facts}, {index}, {self._given_name}",
            index=index,
            keeper=self._keepers.get(name),
            has_address=argument.by_address,
            is_required=not is_optional(argument),
            late_value=text(default) if is_late and default else "",
            is_late_strict=not same,
        )

    def _is_late(self, argument: Argument, default: str) -> bool:
        """Returns whether a default value depends on other parameters."""
        return any(mentions([default], other.name) for other in self._function.arguments if other is not argument)

    def _variables(self) -> list[str]:
        """Returns the statements for parameters that depend on arrays, and for checks before the call."""
        memory, key, end = (self._operands, self._keepers), self._key, self._end()
        return Variables(
            self._function, self._params, *memory, self._facts, key, self._locals, self._storage, end
        ).lines

    def _end(self) -> list[str]:
        """Returns the statements that leave the function before the call."""
        if not len(self._operands):
            return [*self._keepers.given(), "return NULL;"]
        return [*self._keepers.given(), f"return dlb_py_finish_call(&{self._facts}, {self._arrays}, NULL);"]

    def _storage_lines(self) -> list[str]:
        return self._storage.made(self._key, [*self._keepers.made(), *self._end()])

    def _keep(self) -> list[str]:
        """Returns the statements that keep stored arguments alive. They run before C gets their addresses."""
        lines = []
        for argument, kind in keepers(self._function):
            place, by = (
                self._operands.place(argument.name),
                self._operands.source(argument.name) if kind.replaces else "NULL",
            )
            failed = f"dlb_py_keep(&{place}, {self._results.all_of(kind.keeps)}, {by}) != 0"
            lines += [f"if ({failed}) {{", *self._storage.left(), *self._keepers.made(), *self._end(), "}"]
        return lines

    def _structs(self) -> list[str]:
        """Returns the types of structs that are passed by value, of classes with pointer objects."""
        given = [
            argument.ctype.base
            for argument in self._function.arguments
            if isinstance(argument.kind, Object) and is_in_storage(argument.ctype, self._names.items[argument.kind.of])
        ]
        return [*given, *self._storage.structs]

    def _call(self) -> tuple[list[str], str, list[str]]:
        """Returns the statements before the call of the C function, the beginning of the call, and those after it."""
        function, prototype = self._function, self._function.prototype
        result, assigned = self._locals["result"], ""
        before = [*self._moved.before]
        returns = prototype.result.base != "void" or bool(prototype.result.pointers)
        separate = function.release_gil or takes_errno(self._function)
        used = self._results.uses_result(self._fragments())
        if returns and used:
            if separate:
                before.append(f"{declared(prototype.result, result)};")
                assigned = f"{result} = "
            else:
                assigned = f"{declared(prototype.result, result)} = "
        elif returns:
            assigned = "(void)"
        if takes_errno(self._function):
            before += [f"int {self._number};", ""]
        if function.release_gil:
            before.append("Py_BEGIN_ALLOW_THREADS")
        if takes_errno(self._function):
            before.append("errno = 0;")
        after = []
        if takes_errno(self._function):
            own = "errno" if function.errno == "errno" else f"(int)({self._locals.text(function.errno or '')})"
            after.append(f"{self._number} = {own};")
        if function.release_gil:
            after.append("Py_END_ALLOW_THREADS")
        return before, assigned, [*after, *self._moved.after]

    def _passed(self, argument: Argument) -> str:
        kind = argument.kind
        variable = self._locals[argument.name]
        if isinstance(kind, Out) and not argument.ctype.length and variable not in self._storage:
            return f"&{variable}"
        if isinstance(kind, Fixed) and is_callback(argument.ctype):
            return self._locals.text(kind.value)
        return f"&{variable}" if argument.by_address else variable

    def _fragments(self) -> list[str | None]:
        function = self._function
        raised = [expression for expression, _ in function.raises]
        return [function.error, function.errno, function.undo, function.finally_, *raised, *returned_sizes(function)]

    def _judge(self) -> list[str]:
        """Returns statements that convert the result to a Python object or an exception."""
        function, text = self._function, self._locals.text
        result, status = self._locals["result"], self._locals[self._function.status]
        if function.ok is None:
            results = self._results.lines(f"PyObject *{self._answer}")
            return [*self._left.handed(False), *self._left.handed(True), *results, *self._left.after(self._answer)]
        results = self._results.lines(self._answer)
        success = [*self._left.handed(False), *results, *self._left.after(self._answer)]
        undo = statements(text(function.undo)) if function.undo is not None else []
        path = f"{self._given_name}[{self._index[self._paths[0]]}]" if self._paths else "NULL"
        failures = Failures(function, self._facts, self._locals, self._number, path)
        lines = [*self._left.handed(True), f"if ({replace_result(text(function.ok), result)}) {{", *success]
        for (exception, _), group in groupby(function.raises, key=lambda each: (each[1], each[0] is None)):
            tests = [f"{status} == {operand(text(expression))}" for expression, _ in group if expression is not None]
            is_this = f"if ({' || '.join(tests)}) " if tests else ""
            lines += [f"}} else {is_this}{{", failures.raised(exception), *undo, *self._storage.left()]
        return [*lines, "}"]
