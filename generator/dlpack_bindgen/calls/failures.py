"""Failures: their keys, the rules named in `failures`, their rules and their exceptions."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from dlpack_bindgen.calls.call import Call
from dlpack_bindgen.calls.function_keys import ERRNO, FINALLY, FUNCTION, RAISES, UNDO
from dlpack_bindgen.calls.reading import is_null, status, tested
from dlpack_bindgen.calls.signature import takes_errno
from dlpack_bindgen.frozen import Frozen
from dlpack_bindgen.language import forms, reader
from dlpack_bindgen.language.kinds import Form, Key, ListOf, Record, Single
from dlpack_bindgen.language.values import Items, Leaf, Table, c_fragments, condition_of, table_of, text_of
from dlpack_bindgen.tensor.match_rules import meaning
from dlpack_bindgen.tensor.requirements import ERROR, Check
from dlpack_bindgen.tensor.steps import OK
from dlpack_bindgen.text import c_checks, ctext
from dlpack_bindgen.text.diagnostics import Diagnostic, Note, Report, shown
from dlpack_bindgen.text.expressions import reads_unasked
from dlpack_bindgen.text.fragments import has_members, mentions, negate
from dlpack_bindgen.text.literals import c_string
from dlpack_bindgen.text.names import is_system_error
from dlpack_bindgen.text.statements import Piece
from dlpack_bindgen.text.types import CType, Prototype, family, is_unknown, parse
from dlpack_bindgen.text.yaml import Mapping, Node, Scalar, Sequence

if TYPE_CHECKING:
    from dlpack_bindgen.calls.body import Body


def names_in(fragments: list[str]) -> set[str]:
    """Returns the names in C source."""
    return {token.text for code in fragments for token in ctext.tokens(code) if token.kind == "name"}


# ---- The keys that describe once how functions report failures ----

REPLACED = ("ok", "error", "raises", "errno")
"""The keys of a rule that a key of the function replaces."""
ADDED = ("undo", "finally")
"""The keys of a rule whose statements run after those of the function."""

PARAMETER = Key[Leaf](
    "parameter",
    Single(Form.DECLARATION),
    "The parameter with its name: `GError **error`. The rule applies to functions, methods and constructors "
    "whose prototype has it. C fills it, as with `out: true`, unless their `args` describe it.",
)
RESULT = Key[Leaf](
    "result",
    Single(Form.CTYPE),
    "The C type of the result: `lib_status`. The rule applies to functions, methods and constructors that "
    "return this type.",
)
FAILURE = Record(
    what="a rule about failures",
    doc="Describes how all functions with one parameter, or with one type of result, report failures. The first rule "
    "that fits a function applies. `ok`, `error`, `raises` and `errno` of the function replace those of the rule; its "
    "`undo` and `finally` run before those of the rule. `ok: none` cancels the rule, except for `finally`.",
    keys=(
        PARAMETER,
        RESULT,
        *(key for key in FUNCTION.keys if key.name in (*REPLACED, *ADDED)),
    ),
    one_of=("parameter", "result"),
)
FAILURES: Key[Items] = Key[Items](
    "failures",
    ListOf(FAILURE, "a list of rules about failures", least=1, lone=True),
    "How functions report failures, described once for all functions with a parameter or a type of result.",
)


# ---- Application of the top-level `failures`: the keys of a rule become keys of each function that it fits ----
# The added keys have their places in the rule, so messages about them point to it.

Entry = tuple[Scalar, Node]


class _Rule(Frozen):
    place: Scalar
    """The value of `parameter` or `result`."""
    parameter: str | None
    """The name of the parameter; None: the rule is about results."""
    ctype: CType
    keys: dict[str, Entry]

    def fits(self, function: Mapping, prototype: Prototype) -> bool:
        if self.parameter is None:
            return prototype.result == self.ctype
        args = _find(function, "args")
        is_described = isinstance(args, Mapping) and _find(args, self.parameter) is not None
        found = any(each.name == self.parameter and each.ctype == self.ctype for each in prototype.parameters)
        return found and not is_described and (args is None or isinstance(args, Mapping))


def applied(root: Mapping, report: Report) -> Mapping:
    """Returns the spec with the keys of the rules in its functions. Reports rules that fit no function."""
    rules = list(_rules(root))
    if not rules:
        return root
    applier = _Applier(rules)
    root = replace(root, entries=tuple((key, applier.of_root(key.text, value)) for key, value in root.entries))
    for rule in rules:
        if id(rule) not in applier.used:
            what = f"returns '{shown(rule.place.text)}'"
            if rule.parameter is not None:
                what = f"has the parameter '{shown(rule.place.text)}' without an entry in its 'args'"
            message = f"no function of this spec {what}"
            report(Diagnostic("without-effect", rule.place.span, message, "write it as the prototypes do"))
    return root


def _rules(root: Mapping) -> Iterator[_Rule]:
    """Yields the rules without mistakes. The loader or the check of the structure reports all others."""
    listed = _find(root, "failures")
    for node in listed.items if isinstance(listed, Sequence) else (listed,):
        if not isinstance(node, Mapping) or not reader.fits(root, node, FAILURE):
            continue
        keys = {key.text: (key, value) for key, value in node.entries}
        _, place = keys.get("parameter") or keys["result"]
        if not isinstance(place, Scalar):
            continue  # the loader has refused the value
        prototype = parse(f"void f({place.text})" if "parameter" in keys else f"{place.text} f(void)")
        if not isinstance(prototype, Prototype):
            continue
        if "parameter" in keys and prototype.parameters:
            parameter = prototype.parameters[0]
            yield _Rule(place, parameter.name, parameter.ctype, keys)
        elif "result" in keys:
            yield _Rule(place, None, prototype.result, keys)


class _Applier:
    def __init__(self, rules: list[_Rule]) -> None:
        self._rules = rules
        self.used: set[int] = set()

    def of_root(self, key: str, value: Node) -> Node:
        if key == "functions":
            return _each(value, self._function)
        return _each(value, self._class) if key in ("tensors", "handles") else value

    def _class(self, value: Node) -> Node:
        changed: dict[str, Callable[[Node], Node]] = {
            "methods": lambda methods: _each(methods, self._function),
            "properties": lambda properties: _each(properties, self._property),
            "new": self._function,
        }
        return _changed(value, changed)

    def _property(self, value: Node) -> Node:
        return _changed(value, {"set": self._function})

    def _function(self, value: Node) -> Node:
        written = _find(value, "c") if isinstance(value, Mapping) else None
        prototype = parse(written.text) if isinstance(written, Scalar) else None
        if not isinstance(value, Mapping) or not isinstance(prototype, Prototype):
            return value
        rule = next((each for each in self._rules if each.fits(value, prototype)), None)
        if rule is None:
            return value
        self.used.add(id(rule))
        return _with_keys(value, rule)


def _with_keys(function: Mapping, rule: _Rule) -> Mapping:
    """Returns the function with the keys of the rule that it does not replace."""
    own = {key.text: value for key, value in function.entries}
    ok = own.get("ok")
    is_cancelled = isinstance(ok, Scalar) and ok.text == "none"
    taken = {*own, *(["errno"] if "raises" in own else [])}
    new = {key: entry for key, entry in rule.keys.items() if key in REPLACED and key not in taken and not is_cancelled}
    for key in ADDED:
        if key in rule.keys and not (key == "undo" and is_cancelled):
            name, value = rule.keys[key]
            before = own.get(key)
            if isinstance(before, Scalar) and isinstance(value, Scalar):
                value = replace(before, text=f"{before.text.rstrip('; ')}; {value.text}")
            new[key] = (name, value)
    if rule.parameter is not None:
        out = (Scalar("out", rule.place.span, plain=True), Scalar("true", rule.place.span, plain=True))
        described = (Scalar(rule.parameter, rule.place.span, plain=True), Mapping((out,), rule.place.span))
        args = own.get("args")
        entries = args.entries if isinstance(args, Mapping) else ()
        span = args.span if isinstance(args, Mapping) else rule.place.span
        new["args"] = (Scalar("args", span, plain=True), Mapping((*entries, described), span))
    kept = [entry for entry in function.entries if entry[0].text not in new]
    return replace(function, entries=(*kept, *new.values()))


def _each(table: Node, change: Callable[[Node], Node]) -> Node:
    """Returns the table with each of its values changed."""
    if not isinstance(table, Mapping):
        return table
    return replace(table, entries=tuple((key, change(value)) for key, value in table.entries))


def _changed(record: Node, changes: dict[str, Callable[[Node], Node]]) -> Node:
    """Returns the record with the values of some keys changed."""
    if not isinstance(record, Mapping):
        return record
    entries = [(key, changes[key.text](value) if key.text in changes else value) for key, value in record.entries]
    return replace(record, entries=tuple(entries))


def _find(record: Mapping, name: str) -> Node | None:
    return next((value for key, value in record.entries if key.text == name), None)


# ---- Rules for failures of calls: the test of the result, and the exception ----

_UNSIGNED = ("unsigned", "size_t", "uint8_t", "uint16_t", "uint32_t", "uint64_t")
_OF_FAILURES = ("error", "raises", "errno", "undo")
_NOTHING = ("NULL", "0")


def check_failures(call: Call, report: Report) -> None:
    rules = _Rules(call, report)
    rules.keys()
    rules.tested()
    rules.raised()
    rules.number()
    rules.nothing()


class _Rules:
    def __init__(self, call: Call, report: Report) -> None:
        self._function = call.fields
        self._call = call
        self._known = call.names
        self._emit = report

    def keys(self) -> None:
        """Reports `error`, `raises`, `errno` and `undo` without a test for failures."""
        function, call = self._function, self._call
        self._about()
        if call.read_result is None or self._has_test() or self._test():
            return
        for key in _OF_FAILURES:
            if key in function.given:
                message = f"'{key}' needs 'ok' beside it: 'ok' declares when the call fails"
                may_be_null = call.prototype.result.depth or call.read_result.kind.is_object
                hint = "for a pointer: ok: '!= NULL'" if may_be_null else None
                self._emit(Diagnostic("needs-key", function.given[key], message, hint))

    def _has_test(self) -> bool:
        """Returns whether `ok` has a condition, valid or not."""
        function = self._function
        return OK in function and (condition_of(function[OK]) is not None or function[OK] is None)

    def _test(self) -> str | None:
        call = self._call
        return tested(self._function, call.prototype, call.read_result, self._known) if call.read_result else None

    def _about(self) -> None:
        """Reports an `ok` whose tested value does not exist."""
        function, call = self._function, self._call
        test = condition_of(function[OK])
        about = status(text_of(test), call.arguments)
        if test is not None and about is None and len(call.arguments) == len(call.read_arguments):
            hint = f"{c_checks.NO_TEST.hint}; a parameter that it is about is 'out: true'"
            self._emit(Diagnostic("bad-ok", test.span, c_checks.NO_TEST.message, hint))
        elif call.prototype.result == CType("void") and test is not None and self._reads_result(test, about):
            message = "'ok' tests the result, and this function has no result"
            outs = [each.name for each in call.arguments if each.kind.returned is not None]
            status_hint = f"write '{outs[-1]} == 0', or another condition of success" if outs else None
            self._emit(Diagnostic("result-type", function.place(OK), message, status_hint))

    def _reads_result(self, test: Leaf, about: str | None) -> bool:
        """Returns whether the test reads the result: as `%`, or by its name."""
        return about == "result" or mentions([test.text], "result")

    def tested(self) -> None:
        """Reports an `ok` that accepts NULL pointers, orders addresses, is always true, or compares a number with
        NULL."""
        test, result = condition_of(self._function[OK]), self._call.prototype.result
        if test is None:
            return
        signs = [token.text for token in ctext.tokens(test.text)]
        if len(signs) != 3 or "%" not in signs:
            return
        if signs[1] == "==" and signs[2] in ("0", "NULL") and result.depth and self._known.objects(result):
            message = "this counts a NULL pointer as a success, and every object a failure"
            self._emit(Diagnostic("result-type", test.span, message, "write '!= NULL'"))
        elif signs[1] in ("<", "<=", ">", ">=") and result.depth:
            message = "this compares the order of addresses, which does not show success"
            self._emit(Diagnostic("result-type", test.span, message, "write '!= NULL'"))
        elif signs[1:] == [">=", "0"] and result.base.startswith(_UNSIGNED):
            message = f"'{result.base}' is never less than 0: this holds always"
            self._emit(Diagnostic("result-type", test.span, message))
        elif signs[2] == "NULL" and result.depth == 0 and family(result.base):
            message = f"'{self._call.prototype.name}' returns '{result.base}', which is not a pointer"
            self._emit(Diagnostic("result-type", test.span, message, "compare it with a number, such as '== 0'"))

    def number(self) -> None:
        """Reports `errno` without an OSError."""
        function, raises = self._function, self._function[RAISES]
        values = [leaf for _, leaf in raises.leaves()] if isinstance(raises, Table) else [raises]
        names = [leaf.text for leaf in values if isinstance(leaf, Leaf)]
        is_known = self._has_test() or raises is not None  # otherwise another rule reports the missing test
        if ERRNO in function and is_known and not any(map(is_system_error, names)):
            message = "only an OSError has the number of an error"
            self._emit(
                Diagnostic(
                    "without-effect",
                    function.place(ERRNO),
                    message,
                    "write 'raises: OSError', or leave it out",
                )
            )

    def raised(self) -> None:
        """Reports results that `raises` lists twice, and results that C cannot compare with numbers."""
        raises = table_of(self._function[RAISES])
        taken: dict[str, Leaf] = {}
        for key, _ in raises.entries if raises else ():
            hint = "compare in 'ok'; '_' is for all other values"
            forms.compared(key, "result", self._emit, otherwise=hint)
            first = taken.setdefault(meaning(key.text), key)
            if first is not key:
                notes = (Note(first.span, "first here"),)
                self._emit(
                    Diagnostic("unreachable-arm", key.span, f"'{shown(key.text)}' is matched before", notes=notes)
                )
        compared = [key for key, _ in (raises.entries if raises else ()) if key.text != "_"]
        if compared and self._is_struct():
            message = f"'{compared[0].text}' is compared with the result, which is a struct"
            hint = "name one exception; or write a C function that returns a number, and bind it"
            self._emit(Diagnostic("result-type", compared[0].span, message, hint))
        signs = [token.text for token in ctext.tokens(text_of(condition_of(self._function[OK])) or "")]
        is_address = self._call.prototype.result.depth and signs[:2] == ["%", "=="] and signs[2:] in (["NULL"], ["0"])
        numbers = [key for key in compared if key.text.lstrip("+-").isdecimal() and key.text not in _NOTHING]
        if numbers and is_address:
            message = f"'{numbers[0].text}' is compared with the result, which is a pointer"
            hint = "name one exception; 'error' can be a string with the reason, such as result->message"
            self._emit(Diagnostic("result-type", numbers[0].span, message, hint))

    def _is_struct(self) -> bool:
        """Returns whether the result is known to be a struct: by its type, by a member in C text, or by its class."""
        call, result = self._call, self._call.prototype.result
        if result.depth or status(text_of(condition_of(self._function[OK])), call.arguments) != "result":
            return False
        fragments = [text_of(condition_of(self._function[OK]))]
        fragments += [text_of(self._function.value_of(key)) for key in (*_OF_FAILURES, "finally")]
        found = [(text, name) for text in fragments if text for name in ("%", "result")]
        for of in self._known.objects(result):
            if of.is_struct(result) and call.read_result is not None and call.read_result.kind.is_object:
                return True
            found += [(leaf.text, "self") for _, leaf in c_fragments(of.fields)]
        return result.base.startswith(("struct ", "union ")) or any(has_members(*each) for each in found)

    def nothing(self) -> None:
        """Reports `raises` with values for a pointer: it is NULL in each failure."""
        if not is_null(self._call.prototype, self._test()):
            return
        raises = table_of(self._function[RAISES])
        for key, _ in raises.entries if raises else ():
            if key.text not in (*_NOTHING, "_"):
                message = f"'{key.text}' is compared with the result, which is NULL if the call fails"
                hint = "name one exception, as in 'raises: ValueError'; 'error' can be a string with the reason"
                self._emit(Diagnostic("result-type", key.span, message, hint))


# ---- Exceptions of called functions, with the runtime call that raises each ----


class RequirementFacts(Frozen):
    """A condition that must hold before the call, for `templates/functions/failures.c.j2`."""

    function: str
    given: str
    """The arguments that Python has passed, or NULL."""
    test: str
    """The condition, as a C expression."""
    shown: str
    """The condition as the spec has it."""
    message: str
    """The message, as a C expression."""


class FailureFacts(Frozen):
    """An exception after the call, for `templates/functions/failures.c.j2`."""

    function: str
    given: str
    """The arguments that Python has passed, or NULL."""
    exception: str
    called: str
    """The call that failed, for the message."""
    message: str
    """The message, as a C expression or NULL."""
    number: str
    """The error number, as a C expression."""
    path: str
    """The first path that Python has passed, or NULL."""
    status: str
    """The variable whose value the message shows."""
    label: str
    """A comment with the key of a message that the compiler has to read."""


def requirement(check: Check, call: Body) -> tuple[Piece, Piece]:
    """Returns the condition that a `require` does not hold, and the statement that raises its error."""
    message = c_string(check.message or f"{check.expr} does not hold")
    if check.error is not None:
        message = call.text(check.error)
    facts = RequirementFacts(call.table, call.passed, negate(call.text(check.expr)), check.expr, message)
    return Piece("functions/failures", "does_not_hold", facts, is_condition=True), Piece(
        "functions/failures", "is_required", facts
    )


class Failures:
    """Exceptions after the call of a function. `number`: the variable of errno. `path`: the first path, or NULL."""

    def __init__(self, function: Call, call: Body, number: str, path: str) -> None:
        self._function = function
        self._call = call
        self._number = number
        self._path = path

    def raised(self, exception: str) -> Piece:
        function, call = self._function, self._call
        number = self._number if takes_errno(function) else self._own_number(function.errno or "")
        facts = FailureFacts(
            function=call.table,
            given=call.passed,
            exception=exception,
            called=f"{function.prototype.name}()",
            message=call.text(function.error) if function.error is not None else "NULL",
            number=number,
            path=self._path,
            status=call.variable(function.status),
            label=f" /* {call.key}.error */" if function.error is not None and names_in([function.error]) else "",
        )
        if is_system_error(exception) and function.errno not in (None, "0"):
            return Piece("functions/failures", "system_error", facts)
        is_silent = is_system_error(exception) and function.errno is None  # a status such as -1 explains nothing
        return Piece("functions/failures", "status_error" if self._is_number() and not is_silent else "error", facts)

    def _own_number(self, text: str) -> str:
        """Returns the C expression of the error number, from the `errno` of the spec."""
        own = self._call.text(text)
        is_int = self._function.prototype.result.base == "int" and text in ("result", "-result")
        return own if is_int else f"(int)({own})"

    def _is_number(self) -> bool:
        """Returns whether the status seems to be an integer. If `ok` reads its members, it is a struct."""
        if self._function.status != "result":
            filled = next(each.kind for each in self._function.arguments if each.name == self._function.status)
            value = filled.returned_value()
            return value is None or value.kind.number == "int"
        ctype, ok = self._function.prototype.result, self._function.ok or ""
        known = family(ctype.base)
        is_struct = self._function.result.kind.is_object or re.search(r"%\s*\.", ok) is not None
        return not ctype.pointers and (known == "int" or (known is None and is_unknown(ctype) and not is_struct))


# ---- Rules for C text that dereferences NULL: the result of a failed call, or an argument that Python omits ----


def check_pointers(call: Call, report: Report) -> None:
    rules = _Pointers(call, report)
    rules.result()
    rules.not_given()


class _Pointers:
    def __init__(self, call: Call, report: Report) -> None:
        self._function = call.fields
        self._call = call
        self._known = call.names
        self._emit = report

    def result(self) -> None:
        """Reports C text that dereferences a NULL result, after a failure or because the result is optional."""
        result, prototype = self._call.read_result, self._call.prototype
        if result is None:
            return
        test = tested(self._function, prototype, result, self._known)
        fails = is_null(prototype, test)
        why = "the call fails" if fails else "there is none"
        is_optional = result.optional or result.kind.null_is_value
        may_be_none = test is None and is_optional and prototype.result.depth
        function = self._function
        read = [function[FINALLY]] if fails or may_be_none else []
        for text in [function[ERROR], function[ERRNO], function[UNDO], *read] if fails else read:
            if text is not None and reads_unasked(text.text, "result"):
                self._report(text, "result", f"the result is NULL where {why}, and this dereferences it")

    def not_given(self) -> None:
        optional = [each.name for each in self._call.arguments if each.kind.is_passed and each.kind.optional]
        for _, text in c_fragments(self._function) if optional else ():
            for name in optional:
                if reads_unasked(text.text, name):
                    message = f"'{name}' is NULL where Python gives none, and this dereferences it"
                    self._report(text, name, message)

    def _report(self, text: Leaf, name: str, message: str) -> None:
        is_value = text.form == Form.EXPRESSION
        hint = f"write '{f'{name} != NULL ? ... : ...' if is_value else f'if ({name} != NULL) {{ ... }}'}'"
        self._emit(Diagnostic("null-pointer", text.span, message, hint))
